//! Forces on bodies: springs between frames, and inertial drag.

use nalgebra::{DMatrix, UnitQuaternion};

use super::*;
use crate::dynamics::advanced;
use crate::force::{BodyDrag, Bushing, FrameSide, FrameSprings, InertialDrag};
use crate::property::Pose;

/// Position and rotation of two bodies, and of where their frames are on them.
fn poses() -> (Vec<Vec3>, [Pose; 2]) {
    let x = scattered(0..8);
    let frame = |k: usize| Pose::new(x[k] * 0.2, x[k + 1]);
    (vec![x[0], x[1] * 1.5, x[2], x[3] * 0.9], [frame(4), frame(6)])
}

fn bushing(rows: [Option<u32>; 2]) -> Bushing {
    let frames = poses().1;
    let side = |k: usize| FrameSide { row: rows[k], frame: frames[k] };
    Bushing {
        c: side(0),
        d: side(1),
        stiffness: Vec3::new(30.0, 10.0, 70.0),
        rotary_stiffness: Vec3::new(5.0, 1.0, 12.0),
        damping: Vec3::new(0.3, 0.1, 0.7),
        rotary_damping: Vec3::new(0.05, 0.2, 0.1),
        enabled: true,
    }
}

/// Springs between two bodies, and between each and the ground.
fn benches() -> Vec<Bench<FrameSprings>> {
    let all = [[Some(0), Some(2)], [Some(2), None], [None, Some(0)]];
    let bench = |rows| Bench::new(FrameSprings::new(vec![bushing(rows)]), 4, 1);
    all.map(bench).into()
}

/// `q` with scalar `k` moved: a turn about a world axis for rows of rotations.
fn turned(q: &[Vec3], k: usize, d: f64) -> Vec<Vec3> {
    if (k / 3).is_multiple_of(2) {
        return moved(q, k, d);
    }
    let mut q = q.to_vec();
    let mut turn = Vec3::zeros();
    turn[k % 3] = d;
    q[k / 3] = advanced(&UnitQuaternion::new(q[k / 3]), &turn).scaled_axis();
    q
}

fn skew_part(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    (matrix - matrix.transpose()) * 0.5
}

#[test]
fn force_and_moment_between_frames_are_the_slope_of_the_energy() {
    let q = poses().0;
    for bench in benches() {
        let rest = vec![Vec3::zeros(); 4];
        let forces = bench.forces(&kinematics(&q, &rest), VelocityTerms::Included);
        assert!(forces.iter().map(Vec3::norm).sum::<f64>() > 10.0);
        for k in 0..12 {
            let [low, high] =
                [-1e-5, 1e-5].map(|d| bench.effector.strain_energy(&turned(&q, k, d)));
            let (slope, force) = ((low - high) / 2e-5, forces[k / 3][k % 3]);
            // Energies of 100 J are good to 1e-14 J: 1e-9 N; curvature of 100 N times 1e-10.
            assert!((slope - force).abs() < 2e-8, "{k}: {slope} {force}");
        }
    }
}

#[test]
fn jacobians_between_frames_are_the_symmetric_part_of_the_slope_of_the_forces() {
    let (q, rest) = (poses().0, vec![Vec3::zeros(); 4]);
    for bench in benches() {
        let kin = kinematics(&q, &rest);
        let analytic = bench.jacobian(&kin, BY_POSITION);
        let numeric = differences(12, 1e-5, |k, d| {
            bench.forces(&kinematics(&turned(&q, k, d), &rest), VelocityTerms::Included)
        });
        let left_out = skew_part(&numeric);
        // Forces of 100 N: roundings of 1e-9, curvature of 1e-8.
        let error = (&analytic + &left_out - numeric).amax();
        assert!(error < 1e-7, "{error}");
        assert!(analytic.amax() > 10.0 && left_out.amax() > 0.5);
        // What is left out is half the moment on a body, in its own turn.
        let forces = bench.forces(&kin, VelocityTerms::Included);
        let mut expected = DMatrix::zeros(12, 12);
        for row in [1, 3] {
            let half = crate::dynamics::skew(&forces[row]) * 0.5;
            expected.fixed_view_mut::<3, 3>(3 * row, 3 * row).copy_from(&half);
        }
        assert!((left_out - expected).amax() < 1e-7);
    }
}

#[test]
fn jacobians_between_frames_without_load_are_exact() {
    // Frame D is where frame C is.
    let (q, frames) = poses();
    let rest = vec![Vec3::zeros(); 4];
    let world = |k: usize| Pose::from_parts(q[2 * k].into(), UnitQuaternion::new(q[2 * k + 1]));
    let mut bushing = bushing([Some(0), Some(2)]);
    bushing.d.frame = world(1).inverse() * world(0) * frames[0];
    let bench = Bench::new(FrameSprings::new(vec![bushing]), 4, 1);
    let analytic = bench.jacobian(&kinematics(&q, &rest), BY_POSITION);
    let numeric = differences(12, 1e-5, |k, d| {
        bench.forces(&kinematics(&turned(&q, k, d), &rest), VelocityTerms::Included)
    });
    assert!((&analytic - &numeric).amax() < 1e-7, "{}", (analytic - numeric).amax());
}

#[test]
fn dampers_between_frames_are_in_the_velocity_matrix() {
    let (q, u) = (poses().0, scattered(30..34));
    for bench in benches() {
        let kin = kinematics(&q, &u);
        let analytic = bench.jacobian(&kin, BY_VELOCITY);
        let numeric = differences(12, 1e-3, |k, d| {
            bench.forces(&kinematics(&q, &moved(&u, k, d)), VelocityTerms::Included)
        });
        // Linear: roundings alone, of 100 N over 1e-3 m/s.
        assert!((&analytic - &numeric).amax() < 1e-10);
        assert!(analytic.amax() > 0.1);
        let power: f64 = {
            let all = bench.forces(&kin, VelocityTerms::Included);
            let some = bench.forces(&kin, VelocityTerms::Excluded);
            all.iter().zip(&some).zip(&u).map(|((a, s), u)| (a - s).dot(u)).sum()
        };
        assert!(power < -0.01, "{power}");
    }
}

#[test]
fn frame_springs_keep_momentum_and_angular_momentum() {
    let (q, u) = (poses().0, scattered(30..34));
    let forces = benches()[0].forces(&kinematics(&q, &u), VelocityTerms::Included);
    let moment: Vec3 = [0, 2].iter().map(|&k: &usize| q[k].cross(&forces[k]) + forces[k + 1]).sum();
    // Roundings of 100 N and N m.
    assert!((forces[0] + forces[2]).norm() < 1e-12 && moment.norm() < 1e-12, "{moment}");
    assert!(forces[0].norm() > 1.0);
}

#[test]
fn a_frame_spring_pulls_along_and_about_the_axes_of_d() {
    // D is turned by a quarter about z: its x is y of the world.
    let quarter = Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let ground = FrameSide { row: None, frame: Pose::new(Vec3::zeros(), quarter) };
    let body = FrameSide { row: Some(0), frame: Pose::new(Vec3::zeros(), quarter) };
    let spring = Bushing { c: body, d: ground, ..bushing([None, None]) };
    let bench = Bench::new(FrameSprings::new(vec![spring]), 2, 1);
    let q = [Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.2, 0.0, 0.0)];
    let forces = bench.forces(&kinematics(&q, &[Vec3::zeros(); 2]), VelocityTerms::Included);
    // 30 N/m along x of D; 1 N m/rad about y of D, which is -x of the world.
    assert!((forces[0] - Vec3::new(0.0, -3.0, 0.0)).norm() < 1e-14, "{}", forces[0]);
    assert!((forces[1] - Vec3::new(-0.2, 0.0, 0.0)).norm() < 1e-14, "{}", forces[1]);
}

#[test]
fn frame_springs_that_are_off_or_within_one_body_do_nothing() {
    let (q, u) = (poses().0, scattered(30..34));
    for rows in [[Some(0), Some(2)], [Some(2), Some(2)]] {
        let spring = Bushing { enabled: rows[0] != Some(0), ..bushing(rows) };
        let bench = Bench::new(FrameSprings::new(vec![spring]), 4, 1);
        let forces = bench.forces(&kinematics(&q, &u), VelocityTerms::Included);
        assert!(forces.iter().all(|f| f.norm() < 1e-13), "{forces:?}");
        let scale = JacobianScale { position: 1.0, velocity: 1.0 };
        assert!(bench.jacobian(&kinematics(&q, &u), scale).amax() < 1e-13);
    }
}

#[test]
fn frame_springs_on_rows_of_three_parts_have_the_same_bits() {
    let (q, u) = (poses().0, scattered(30..34));
    let all = || {
        let rows = [[Some(0), Some(2)], [Some(2), None], [None, Some(0)]];
        FrameSprings::new(rows.map(bushing).into())
    };
    let [one, three] = [1, 3].map(|parts| Bench::new(all(), 4, parts));
    assert_eq!(three.partition.parts().len(), 3);
    let (kin, scale) = (kinematics(&q, &u), JacobianScale { position: 0.5, velocity: 2.0 });
    let velocity = VelocityTerms::Included;
    assert_eq!(one.forces(&kin, velocity), three.forces(&kin, velocity));
    assert_eq!(one.jacobian(&kin, scale), three.jacobian(&kin, scale));
}

#[test]
fn inertial_drag_takes_momentum_and_angular_momentum_at_its_rate() {
    let (q, u) = (poses().0, scattered(30..34));
    let inertia = Mat3::new(2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0);
    let drag = BodyDrag { row: 2, rate: 0.7, mass: 1.5, inertia };
    for parts in [1, 3] {
        let bench = Bench::new(InertialDrag::new(vec![drag]), 4, parts);
        let kin = kinematics(&q, &u);
        let forces = bench.forces(&kin, VelocityTerms::Included);
        let turn = UnitQuaternion::new(q[3]);
        let momentum = turn * (inertia * (turn.inverse() * u[3]));
        assert_eq!(forces[..2], [Vec3::zeros(); 2]);
        assert!((forces[2] + u[2] * (0.7 * 1.5)).norm() < 1e-15);
        assert!((forces[3] + momentum * 0.7).norm() < 1e-14);
        let numeric = differences(12, 1e-3, |k, d| {
            bench.forces(&kinematics(&q, &moved(&u, k, d)), VelocityTerms::Included)
        });
        assert!((bench.jacobian(&kin, BY_VELOCITY) - numeric).amax() < 1e-11);
        let excluded = bench.forces(&kin, VelocityTerms::Excluded);
        assert_eq!(excluded, [Vec3::zeros(); 4]);
    }
}
