//! At singularities everything stays finite and bounded; large errors keep their size.

use std::f64::consts::{FRAC_PI_2, PI};

use super::*;
use crate::constraint::SINGULAR;

/// Poses with half turns about every axis, quarter turns, and the singular coordinates of each
/// kind.
fn awkward(kind: &JointKind) -> Vec<Pose> {
    let mut poses = vec![Pose::identity(), Pose::translation(0.3, -0.2, 0.1)];
    for angle in [PI, -PI, FRAC_PI_2, -FRAC_PI_2, PI - 1e-9, FRAC_PI_2 - 1e-9, 1e-9, 1e-5] {
        for axis in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.6, 0.0, 0.8)] {
            poses.push(Pose::new(Vec3::new(0.3, 0.0, 0.1), axis * angle));
        }
    }
    for angle in [0.0, FRAC_PI_2, -FRAC_PI_2, PI, FRAC_PI_2 - 1e-11] {
        poses.push(kind.pose(&vec![angle; kind.coordinate_count()]));
    }
    poses
}

#[test]
fn rows_are_finite_and_bounded_everywhere() {
    for kind in kinds() {
        for pose in awkward(&kind) {
            let omega = Vec3::new(1.0, 2.0, 3.0);
            let ground = FrameMotion::ground(Pose::identity());
            let moving = FrameMotion { pose, angular_velocity: omega, velocity: omega, ..ground };
            let q = vec![0.1; kind.coordinate_count()];
            let frames = [moving, ground];
            for row in [rows_of(&kind, &frames), coordinate_rows_of(&kind, &frames, &q)].concat() {
                let size = row.on_a.force.norm() + row.on_a.moment.norm();
                // Several bounded slopes multiply in an ellipsoid joint of 0.3 m.
                let bounded = size < 100.0 / SINGULAR && row.velocity_term.is_finite();
                assert!(bounded && row.value.is_finite(), "{kind:?} at {pose}: {row:?}");
            }
        }
    }
}

#[test]
fn an_error_of_half_a_turn_is_pi() {
    let worst = |kind: JointKind, axis: Vec3, angle: f64| {
        let g = errors_of(&kind, &Pose::new(Vec3::zeros(), axis * angle));
        g.iter().map(|g| g * g).sum::<f64>().sqrt()
    };
    for angle in [1e-9, 0.1, 1.0, 3.0, PI - 1e-6, PI] {
        for axis in [Vec3::x(), Vec3::y(), Vec3::new(0.6, 0.8, 0.0)] {
            for kind in [JointKind::Solid, JointKind::Slider, JointKind::Hinge, JointKind::Planar] {
                let error = worst(kind, axis, angle);
                assert!(
                    (error - angle).abs() < 1e-12 * angle + 1e-15,
                    "{kind:?}: {error}, {angle}"
                );
            }
        }
    }
}

#[test]
fn a_locked_gimbal_keeps_its_roll_and_gives_back_its_pose() {
    for pitch in [FRAC_PI_2, -FRAC_PI_2] {
        for off in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
            let pose = JointKind::Gimbal.pose(&[0.7, pitch + off, -0.4]);
            let q = coordinates_of(&JointKind::Gimbal, &pose, &[0.7, pitch, -0.4]);
            let back = JointKind::Gimbal.pose(&q);
            assert!(distance(&pose, &back) < 1e-14, "{q:?}: {:e}", distance(&pose, &back));
            // Roll and yaw apart are known to a rounding over the cosine of the pitch.
            let limit = if off < 1e-10 { 1e-9 } else { 1e-15 / off + 1e-14 };
            assert!((q[0] - 0.7).abs() < 4.0 * limit, "off by {off:e}: {q:?}");
        }
    }
}

#[test]
fn coordinate_rates_add_up_to_the_angular_velocity_next_to_the_gimbal_lock() {
    // Outside the bound the three rates give back the angular velocity, however large they are.
    let q = [0.3, FRAC_PI_2 - 2.0 * SINGULAR, 0.2];
    let ground = FrameMotion::ground(Pose::identity());
    let omega = Vec3::new(0.3, -0.5, 0.7);
    let body = FrameMotion { pose: JointKind::Gimbal.pose(&q), angular_velocity: omega, ..ground };
    let rows = coordinate_rows_of(&JointKind::Gimbal, &[body, ground], &q);
    let rates: Vec<f64> = rows.iter().map(|row| row.rate(&body, &ground)).collect();
    let (s, c) = q[0].sin_cos();
    let axes = [Vec3::z(), Vec3::new(-s, c, 0.0), body.pose.rotation * Vec3::x()];
    let sum: Vec3 = axes.iter().zip(&rates).map(|(axis, rate)| axis * *rate).sum();
    assert!(rates[0].abs() > 500.0, "{rates:?}");
    assert!((sum - omega).norm() < 1e-10, "{sum}");
}
