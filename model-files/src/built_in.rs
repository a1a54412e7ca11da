//! Joints of the built-in kinds, where a motion is one of these exactly: a file can hold them, and their rows
//! are products of vectors.

use nalgebra::{Isometry3, UnitQuaternion};
use sinew::Vec3;
use sinew::constraint::spatial::{SpatialAxis, SpatialTransform, turn};
use sinew::constraint::{JointKind, Pose};

use crate::imported::z_to;

/// A built-in kind with its frames in D and C of the file; the coordinate, if there is one, is that of
/// the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltIn {
    pub(crate) kind: JointKind,
    pub(crate) in_d: Pose,
    pub(crate) in_c: Pose,
}

/// The kind of a motion, if it is one: solid, hinge or slider.
pub(crate) fn built_in(transform: &SpatialTransform, coordinates: usize) -> Option<BuiltIn> {
    let rest = vec![0.0; coordinates];
    if coordinates == 0 {
        let in_d = transform.pose(&rest);
        return Some(BuiltIn { kind: JointKind::Solid, in_d, in_c: Pose::identity() });
    }
    let moving =
        |axes: &[SpatialAxis; 3]| (0..3).filter(|&k| !axes[k].is_constant()).collect::<Vec<_>>();
    let (turns, ways) = (moving(&transform.turns), moving(&transform.ways));
    let unit = |axis: &SpatialAxis| match axis.line() {
        Some((0, [constant, factor])) if coordinates == 1 && factor.abs() == 1.0 => {
            Some((constant, factor))
        }
        _ => None,
    };
    let start = transform.pose(&rest);
    match (&turns[..], &ways[..]) {
        (&[k], []) => Some(hinge(transform, &rest, k, unit(&transform.turns[k])?)),
        ([], &[k]) => {
            let (_, factor) = unit(&transform.ways[k])?;
            let onto = z_to(&(transform.ways[k].direction * factor));
            let in_d = Isometry3::from_parts(start.translation, onto);
            let in_c = Isometry3::from_parts(Vec3::zeros().into(), start.rotation.inverse() * onto);
            Some(BuiltIn { kind: JointKind::Slider, in_d, in_c })
        }
        _ => None,
    }
}

/// The hinge about the turn `k`, by c + f q, where all else rests.
fn hinge(
    transform: &SpatialTransform,
    rest: &[f64],
    k: usize,
    (constant, factor): (f64, f64),
) -> BuiltIn {
    let part = |range: std::ops::Range<usize>| {
        let turns =
            range.map(|k| turn(&transform.turns[k].direction, transform.turns[k].value(rest)));
        turns.fold(UnitQuaternion::identity(), |all, next| all * next)
    };
    let (before, after) = (part(0..k), part(k + 1..3));
    let axis = transform.turns[k].direction;
    let onto = z_to(&(axis * factor));
    let in_d = Isometry3::from_parts(transform.pose(rest).translation, before * onto);
    // R = before · turn(c + f q) · after; at q = 0 the frames are to coincide.
    let rest_turn = turn(&axis, constant) * after;
    let in_c = Isometry3::from_parts(Vec3::zeros().into(), rest_turn.inverse() * onto);
    BuiltIn { kind: JointKind::Hinge, in_d, in_c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::constraint::spatial::Function;

    /// The pose of C in D by the built-in kind.
    fn pose(it: &BuiltIn, q: f64) -> Pose {
        it.in_d * it.kind.pose(&[q]) * it.in_c.inverse()
    }

    #[test]
    fn hinges_and_sliders_take_the_poses_of_the_file() {
        let line = |axis: Vec3, factor| SpatialAxis {
            function: Function::Linear(vec![factor], 0.3),
            ..SpatialAxis::plain(axis, 0)
        };
        let constant = |axis: Vec3| SpatialAxis::constant(axis, -0.7);
        let oblique = Vec3::new(-0.105, -0.174, 0.979).normalize();
        for factor in [1.0, -1.0] {
            let mut hinge = SpatialTransform::rest();
            hinge.turns = [constant(Vec3::y()), line(oblique, factor), constant(Vec3::x())];
            hinge.ways[1] = constant(Vec3::y());
            let mut slider = hinge.clone();
            slider.turns[1] = constant(oblique);
            slider.ways[0] = line(-Vec3::z(), factor);
            for transform in [hinge, slider] {
                let found = built_in(&transform, 1).unwrap();
                for q in [0.0, 0.4, -2.0] {
                    let (a, b) = (pose(&found, q), transform.pose(&[q]));
                    assert!(
                        (a.translation.vector - b.translation.vector).norm() < 1e-15,
                        "{a} {b}"
                    );
                    assert!(a.rotation.angle_to(&b.rotation) < 1e-14, "{a} {b}");
                }
            }
        }
    }
}
