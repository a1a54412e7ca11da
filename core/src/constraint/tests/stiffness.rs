//! The geometric stiffness is the derivative of the constraint force.

use nalgebra::{Matrix6, Vector6};
use proptest::prelude::*;

use super::*;

/// Gᵀλ on both bodies.
fn loads(kind: &JointKind, frames: &[FrameMotion; 2], lambda: &[f64]) -> [Vector6<f64>; 2] {
    let mut sum = [Vector6::zeros(); 2];
    for (row, l) in rows_of(kind, frames).iter().zip(lambda) {
        for (side, w) in [&row.on_a, &row.on_b].into_iter().enumerate() {
            sum[side] += Vector6::from_fn(|k, _| [w.force, w.moment][k / 3][k % 3]) * *l;
        }
    }
    sum
}

proptest! {
    #[test]
    fn stiffness_is_the_derivative_of_the_constraint_force(
        random in six(), away in six(), scene in scene(), lambda in six(),
    ) {
        let step = 1e-5;
        for kind in kinds() {
            let pose = kind.pose(&regular_coordinates(&kind, &random))
                * displacement(&away, 0.02, 0.1);
            let frames = scene.frames(&pose);
            let lambda = &lambda[..kind.row_count()];
            let blocks = kind.calc_geometric_stiffness(&frames[0], &frames[1], lambda);
            for j in 0..12 {
                let moved = |size: f64| {
                    let unit = |first: usize| {
                        Vec3::from_fn(|k, _| if first + k == j { size } else { 0.0 })
                    };
                    [
                        displaced(&frames[0], &unit(0), &unit(3)),
                        displaced(&frames[1], &unit(6), &unit(9)),
                    ]
                };
                let before = loads(&kind, &moved(-step), lambda);
                let after = loads(&kind, &moved(step), lambda);
                for i in 0..2 {
                    let slope = (after[i] - before[i]) / (2.0 * step);
                    let column = blocks[i][j / 6].column(j % 6);
                    let off = (slope - column).norm();
                    // Third derivatives near the axis of a small ellipsoid reach 1e3.
                    prop_assert!(off < 1e-6, "{kind:?}, body {i}, {j}: off by {off:e}");
                }
            }
        }
    }
}

#[test]
fn a_hanging_body_is_kept_upright_by_its_weight() {
    // A pendulum of 1 m under 10 N: turning by θ about the pin costs the moment 10 N · 1 m · θ.
    let ground = FrameMotion::ground(Pose::identity());
    let body = FrameMotion { centre: -Vec3::z(), ..ground };
    let [[on_a, _], _] =
        JointKind::Spherical.calc_geometric_stiffness(&body, &ground, &[0.0, 0.0, 10.0]);
    let expected = Matrix6::from_fn(|i, j| if i == j && (i == 3 || i == 4) { -10.0 } else { 0.0 });
    assert!((on_a - expected).norm() < 1e-14, "{on_a}");
}
