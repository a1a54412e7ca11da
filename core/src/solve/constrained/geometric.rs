//! Geometric stiffness: how levers and constraint rows change the forces that they pass on, when what they are on moves.

use crate::constraint::{Placement, lever_stiffness};
use crate::system::{Multibody, Weight};
use crate::{Mat3, Vec3};

/// Passes the row of rotation and the stiffness of each lever under `forces` to `visit`: of attached points that turn with a
/// body, and of points that move on one, at positions `q` [m] and rotations `turns`.
pub(super) fn for_each_lever(
    multibody: &Multibody,
    (q, turns): (&[Vec3], &[Mat3]),
    forces: &[Vec3],
    visit: &mut dyn FnMut(u32, Mat3),
) {
    let attachments = &multibody.attachments;
    for (k, &attached) in attachments.list.attached_rows().iter().enumerate() {
        for rule in &attachments.weights[attachments.list.weights(k)] {
            if let Weight::Turned(body, arm) = rule {
                let rotation = multibody.bodies[*body as usize].row + 1;
                let arm = turns[*body as usize] * arm;
                visit(rotation, lever_stiffness(&arm, &forces[attached as usize]));
            }
        }
    }
    multibody.for_each_moving(q, turns, |attached, body, arm| {
        let rotation = multibody.bodies[body].row + 1;
        visit(rotation, lever_stiffness(&arm, &forces[attached as usize]));
    });
}

/// Passes the blocks of the curvature of the rows under `multipliers` to `visit`, but those of following points, whose
/// masters have them.
pub(super) fn for_each_curvature(
    multibody: &Multibody,
    at: Placement,
    multipliers: &[f64],
    visit: &mut dyn FnMut(u32, u32, Mat3),
) {
    multibody.joints.rows.curvature(at, multipliers, &mut |i, j, block| {
        if !multibody.is_following_point(i) && !multibody.is_following_point(j) {
            visit(i, j, block);
        }
    });
}
