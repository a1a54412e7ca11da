//! Rows are the derivatives of errors and coordinates, and their forces keep momentum.

use proptest::prelude::*;

use super::*;
use crate::constraint::calc_relative_pose;

/// Time of central differences [s]. At the speeds of [`Scene`] a joint sees at most some 30 rad/s,
/// so that their error is some 2e-8; that of rounding is 1e-10.
const STEP: f64 = 2e-6;

/// A pose off the assembly by up to 0.1 m and 0.5 rad, the coordinates regular.
fn near(kind: &JointKind, random: &[f64; 6], away: &[f64; 6], amount: f64) -> Pose {
    kind.pose(&regular_coordinates(kind, random)) * displacement(away, 0.1 * amount, 0.3 * amount)
}

fn at(frames: &[FrameMotion; 2], time: f64) -> [FrameMotion; 2] {
    frames.map(|frame| advanced(&frame, time))
}

/// Differences against what rows say, for values and rates.
fn check(
    kind: &JointKind,
    frames: &[FrameMotion; 2],
    rows_at: impl Fn(&[FrameMotion; 2]) -> Vec<JointRow>,
    values_at: impl Fn(&Pose) -> Vec<f64>,
) -> Result<(), TestCaseError> {
    let rows = rows_at(frames);
    let (before, after) = (at(frames, -STEP), at(frames, STEP));
    let values = |f: &[FrameMotion; 2]| values_at(&calc_relative_pose(&f[0], &f[1]));
    let (now, v0, v1) = (values(frames), values(&before), values(&after));
    let (r0, r1) = (rows_at(&before), rows_at(&after));
    for (k, row) in rows.iter().enumerate() {
        prop_assert!((row.value - now[k]).abs() < 1e-14, "{kind:?}, row {k}: value");
        let rate = row.rate(&frames[0], &frames[1]);
        let slope = (v1[k] - v0[k]) / (2.0 * STEP);
        // Rates and their rates scale with powers of the angular velocity.
        let scale = 1.0 + rate.abs();
        prop_assert!((rate - slope).abs() < 2e-8 * scale, "{kind:?}, {k}: {rate} not {slope}");
        let of_rate =
            (r1[k].rate(&after[0], &after[1]) - r0[k].rate(&before[0], &before[1])) / (2.0 * STEP);
        let term = row.velocity_term;
        let scale = 1.0 + term.abs() + scale * scale;
        prop_assert!((term - of_rate).abs() < 1e-7 * scale, "{kind:?}, {k}: {term} not {of_rate}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn rows_are_derivatives_of_the_errors(
        random in six(),
        away in six(),
        scene in scene(),
        amount in prop::sample::select(vec![0.0, 1.0]),
    ) {
        for kind in kinds() {
            let frames = scene.frames(&near(&kind, &random, &away, amount));
            check(&kind, &frames, |f| rows_of(&kind, f), |pose| errors_of(&kind, pose))?;
        }
    }

    #[test]
    fn coordinate_rows_are_derivatives_of_the_coordinates(
        random in six(),
        away in six(),
        scene in scene(),
        amount in prop::sample::select(vec![0.0, 0.3]),
    ) {
        for kind in kinds() {
            let previous = regular_coordinates(&kind, &random);
            let frames = scene.frames(&near(&kind, &random, &away, amount));
            let rows = |f: &[FrameMotion; 2]| coordinate_rows_of(&kind, f, &previous);
            check(&kind, &frames, rows, |pose| coordinates_of(&kind, pose, &previous))?;
        }
    }

    #[test]
    fn constraint_wrenches_are_reciprocal_to_allowed_motions(random in six(), scene in scene()) {
        for kind in kinds() {
            let q = regular_coordinates(&kind, &random);
            let frames = scene.frames(&kind.pose(&q));
            let rows = rows_of(&kind, &frames);
            let coordinate_rows = coordinate_rows_of(&kind, &frames, &q);
            for moving in 0..q.len() {
                let a = allowed_motion(&kind, &q, moving, &frames);
                let b = FrameMotion {
                    velocity: Vec3::zeros(), angular_velocity: Vec3::zeros(), ..frames[1]
                };
                for (k, row) in rows.iter().enumerate() {
                    let power = row.rate(&a, &b);
                    prop_assert!(power.abs() < 1e-8, "{kind:?}, row {k}, {moving}: {power:e}");
                }
                for (k, row) in coordinate_rows.iter().enumerate() {
                    let (rate, expected) = (row.rate(&a, &b), f64::from(u8::from(k == moving)));
                    let off = (rate - expected).abs();
                    prop_assert!(off < 1e-8, "{kind:?}: coordinate {k} with {moving}: {rate}");
                }
            }
        }
    }

    #[test]
    fn both_bodies_feel_equal_and_opposite_wrenches(
        random in six(), away in six(), scene in scene(), point in six(),
    ) {
        for kind in kinds() {
            let q = regular_coordinates(&kind, &random);
            let frames = scene.frames(&near(&kind, &random, &away, 0.3));
            let about = Vec3::from_row_slice(&point[..3]);
            let all = [rows_of(&kind, &frames), coordinate_rows_of(&kind, &frames, &q)].concat();
            for row in all {
                let moment = |w: &super::super::Wrench, frame: &FrameMotion| {
                    w.moment + (frame.centre - about).cross(&w.force)
                };
                let force = row.on_a.force + row.on_b.force;
                let total = moment(&row.on_a, &frames[0]) + moment(&row.on_b, &frames[1]);
                let scale = 1.0 + row.on_a.force.norm() + row.on_a.moment.norm();
                prop_assert!(force.norm() < 1e-15 * scale, "{kind:?}: force {force}");
                prop_assert!(total.norm() < 1e-14 * scale, "{kind:?}: moment {total}");
            }
        }
    }
}

/// The motion of body A at unit rate of one coordinate, body B at rest, by differences of poses.
fn allowed_motion(kind: &JointKind, q: &[f64], moving: usize, f: &[FrameMotion; 2]) -> FrameMotion {
    let pose = |step: f64| {
        let mut q = q.to_vec();
        q[moving] += step;
        f[1].pose * kind.pose(&q)
    };
    let (before, after) = (pose(-STEP), pose(STEP));
    let omega = (after.rotation * before.rotation.inverse()).scaled_axis() / (2.0 * STEP);
    let origin = (after.translation.vector - before.translation.vector) / (2.0 * STEP);
    let velocity = origin + omega.cross(&(f[0].centre - f[0].pose.translation.vector));
    FrameMotion { velocity, angular_velocity: omega, ..f[0] }
}

#[test]
fn a_load_on_a_hinge_is_read_by_its_rows() {
    // A hinge at the origin, body A with its centre 1 m along x. Rows: x, y, z of the pin, tilt
    // about x and y. The force along y at the pin acts on the centre with a moment about z.
    let ground = FrameMotion::ground(Pose::identity());
    let body = FrameMotion { centre: Vec3::x(), ..ground };
    let rows = rows_of(&JointKind::Hinge, &[body, ground]);
    assert_eq!(rows[1].on_a.force, Vec3::y());
    assert_eq!(rows[1].on_a.moment, -Vec3::z());
    assert_eq!(rows[3].on_a.moment, Vec3::x());
    assert_eq!(rows[4].on_a.moment, Vec3::y());
    // Turning at 2 rad/s about z, the pin stays while the centre moves at 2 m/s along y.
    let turning =
        FrameMotion { velocity: Vec3::y() * 2.0, angular_velocity: Vec3::z() * 2.0, ..body };
    let rows = rows_of(&JointKind::Hinge, &[turning, ground]);
    assert!(rows.iter().all(|row| row.rate(&turning, &ground).abs() < 1e-15));
    // At constant velocities the pin would leave with the centripetal acceleration w² r = 4 m/s².
    assert!((rows[0].velocity_term - 4.0).abs() < 1e-14, "{}", rows[0].velocity_term);
}
