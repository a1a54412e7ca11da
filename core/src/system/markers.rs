//! Compilation of markers that move in their bodies, and of those that come and go: masters and weights of the first,
//! conditions of paths through the second.

use super::flat::Flat;
use super::moving_point::{Move, MovingPoint};
use super::multibody::{JointSet, Multibody, Weight};
use super::numbering::Numbering;
use crate::constraint::{CoordinateReading, Placement};
use crate::force::PointCondition;
use crate::model::{FrameMarker, FrameSite, PointMove, PointRef};
use crate::{Mat3, Vec3};

/// Frames of the joint of a move, where it holds.
fn sides<'m>(flat: &'m Flat<'_>, moving: &PointMove) -> Option<[&'m FrameSite; 2]> {
    let joint = flat.model.joint(moving.of.joint)?;
    joint.enabled.then_some(joint.sides)
}

/// Masters of a marker that moves, beside the two rows of its body: those of the bodies of its joints.
pub(super) fn masters_of(flat: &Flat<'_>, points: &Numbering, marker: &FrameMarker) -> Vec<u32> {
    let sides = marker.moves.iter().filter_map(|moving| sides(flat, moving)).flatten();
    let row = |site: &FrameSite| {
        let body = flat.places.bodies.place(site.body?).expect("references were checked");
        Some(points.body_rows[body])
    };
    sides.filter_map(row).flat_map(|row| [row, row + 1]).collect()
}

/// Sets the points that move, once joints are known.
pub(super) fn set_moving(flat: &Flat<'_>, points: &Numbering, multibody: &mut Multibody) {
    let Multibody { bodies, attachments, joints, .. } = multibody;
    let mut moving = Vec::new();
    for (k, &attached) in attachments.list.attached_rows().iter().enumerate() {
        let first = attachments.list.weights(k).start;
        if !matches!(attachments.weights.get(first), Some(Weight::Moving(_))) {
            continue;
        }
        let place = points.marker_rows.iter().position(|&row| row == attached);
        let marker = flat.markers[place.expect("moving points are markers")];
        let body = flat.places.bodies.place(marker.body).expect("references were checked");
        let center = bodies[body].inertia.center_of_mass();
        let moves = marker.moves.iter().filter_map(|it| move_of(flat, joints, it)).collect();
        let range = attachments.list.weights(k);
        attachments.weights[range].fill(Weight::Moving(moving.len() as u32));
        let rest = marker.place(flat.model) - center;
        moving.push(MovingPoint { attached: k as u32, body: body as u32, rest, center, moves });
    }
    attachments.moving = moving;
}

fn move_of(flat: &Flat<'_>, joints: &JointSet, moving: &PointMove) -> Option<Move> {
    sides(flat, moving)?;
    let joint = &joints.placed[*joints.places.get(&moving.of.joint)?];
    let number = moving.of.index(flat.model)?;
    let coordinate = CoordinateReading::new(joint, number, moving.near());
    let (axis, function) = (moving.axis.index(), moving.function.clone());
    Some(Move { axis, function, coordinate })
}

/// Conditions of the points of a line.
pub(super) fn conditions_of(
    flat: &Flat<'_>,
    joints: &JointSet,
    points: &[PointRef],
) -> Vec<PointCondition> {
    let condition = |(place, point): (usize, &PointRef)| {
        let PointRef::Marker(marker) = point else { return None };
        let active = flat.model.get(*marker)?.active.as_ref()?;
        let joint = &joints.placed[*joints.places.get(&active.of.joint)?];
        let [low, high] = active.range;
        let number = active.of.index(flat.model)?;
        let coordinate = CoordinateReading::new(joint, number, Some(0.5 * (low + high)));
        Some(PointCondition { point: place as u32, coordinate, range: active.range })
    };
    points.iter().enumerate().filter_map(condition).collect()
}

impl Multibody {
    /// Weights of the attached points that move in their bodies, at positions and turns of bodies.
    pub(super) fn update_moving(&self, q: &[Vec3], turns: &[Mat3], weights: &mut [Mat3]) {
        let at = Placement { q, turns, coordinates: &[] };
        for point in &self.attachments.moving {
            let range = self.attachments.list.weights(point.attached as usize);
            point.write_weights(at, &mut weights[range]);
        }
    }

    /// Place of moving point number `k` [m].
    pub(super) fn place_of_moving(&self, k: usize, q: &[Vec3], turns: &[Mat3]) -> Vec3 {
        let point = &self.attachments.moving[k];
        let at = Placement { q, turns, coordinates: &[] };
        let (body, turn) = (point.body as usize, &turns[point.body as usize]);
        q[self.bodies[body].row as usize] + turn * point.arm(at)
    }

    /// Hands the block row of each moving point, its body, and its position from the centre of mass [m] to `visit`.
    pub(crate) fn for_each_moving(
        &self,
        q: &[Vec3],
        turns: &[Mat3],
        mut visit: impl FnMut(u32, usize, Vec3),
    ) {
        let at = Placement { q, turns, coordinates: &[] };
        for point in &self.attachments.moving {
            let row = self.attachments.list.attached_rows()[point.attached as usize];
            let body = point.body as usize;
            visit(row, body, turns[body] * point.arm(at));
        }
    }
}
