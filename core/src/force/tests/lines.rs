//! Springs and muscles along lines, and their drives.

use super::*;
use crate::axial::{ActivationDynamics, ActivationModel, AxialLaw, Constants, Value};
use crate::force::{Drives, LineRows, Pull, Springs};
use crate::state::{LoadCase, Motion, Schedule, State};

fn pull(law: &str, constants: &[(&'static str, f64)]) -> Pull {
    let mut law = AxialLaw::from_name(law).unwrap();
    for &(name, value) in constants {
        law.set(name, Value::Number(value)).unwrap();
    }
    let activation = ActivationDynamics::default();
    Pull { law, rest_length: 0.8, excitation: 0.0, activation, enabled: true }
}

fn straight(lines: &[Vec<u32>]) -> Vec<LineRows> {
    lines.iter().map(|rows| LineRows { rows: rows.clone(), wraps: None }).collect()
}

/// A damped spring through twelve points, more than are kept, and one through three of them.
fn bench(damping: f64, parts: usize) -> Bench<Springs> {
    let pull = pull("linear", &[("stiffness", 40.0), ("damping", damping)]);
    let lines = [(0..12).collect(), vec![7, 3, 5]];
    Bench::new(Springs::new(straight(&lines), vec![pull; 2]), 12, parts)
}

#[test]
fn forces_along_lines_are_the_slope_of_their_energy() {
    let (bench, q) = (bench(0.0, 1), scattered(0..12));
    let forces = bench.forces(&kinematics(&q, &q), VelocityTerms::Included);
    for k in 0..36 {
        let [low, high] = [-1e-5, 1e-5].map(|d| bench.effector.strain_energy(&moved(&q, k, d)));
        let (slope, force) = ((low - high) / 2e-5, forces[k / 3][k % 3]);
        // Forces of up to 1000 N; differences of energies of 10 kJ are good to 1e-7 N/1e-5 relative.
        assert!((slope - force).abs() < 1e-4, "{k}: {slope} {force}");
    }
}

#[test]
fn jacobians_along_lines_are_the_slope_of_their_forces() {
    let (bench, q, rest) = (bench(3.0, 1), scattered(0..12), vec![Vec3::zeros(); 12]);
    let u = scattered(20..32);
    let step = 1e-6;
    let analytic = bench.jacobian(&kinematics(&q, &rest), BY_POSITION);
    let numeric = differences(36, step, |k, d| {
        bench.forces(&kinematics(&moved(&q, k, d), &rest), VelocityTerms::Included)
    });
    // Central differences of forces of some 1000 N with 1e-6 m: roundings of 1e-7, curvature of 1e-9.
    assert!((&analytic - &numeric).amax() < 1e-5, "{}", (analytic - numeric).amax());
    assert!(analytic.amax() > 100.0);
    let analytic = bench.jacobian(&kinematics(&q, &u), BY_VELOCITY);
    let numeric = differences(36, step, |k, d| {
        bench.forces(&kinematics(&q, &moved(&u, k, d)), VelocityTerms::Included)
    });
    assert!((&analytic - &numeric).amax() < 1e-6, "{}", (analytic - numeric).amax());
    assert!(analytic.amax() > 1.0);
}

#[test]
fn forces_without_velocity_terms_leave_out_what_the_velocity_matrix_carries() {
    let (bench, q, u) = (bench(3.0, 1), scattered(0..12), scattered(20..32));
    let kin = kinematics(&q, &u);
    let all = bench.forces(&kin, VelocityTerms::Included);
    let some = bench.forces(&kin, VelocityTerms::Excluded);
    let u = nalgebra::DVector::from_iterator(36, u.iter().flat_map(|u| u.iter().copied()));
    let product = bench.jacobian(&kin, BY_VELOCITY) * u;
    for (row, (all, some)) in all.iter().zip(&some).enumerate() {
        let expected = -product.fixed_rows::<3>(3 * row);
        // Roundings of sums of some 100 N.
        assert!((all - some - expected).norm() < 1e-11, "{row}");
    }
}

#[test]
fn lines_keep_momentum_and_angular_momentum() {
    let (bench, q, u) = (bench(3.0, 1), scattered(0..12), scattered(20..32));
    let forces = bench.forces(&kinematics(&q, &u), VelocityTerms::Included);
    let sum: Vec3 = forces.iter().sum();
    let moment: Vec3 = q.iter().zip(&forces).map(|(q, f)| q.cross(f)).sum();
    // Roundings of forces of up to 1000 N.
    assert!(sum.norm() < 1e-11 && moment.norm() < 1e-11, "{sum} {moment}");
}

#[test]
fn rows_shared_out_to_three_parts_get_the_same_bits() {
    let (q, u) = (scattered(0..12), scattered(20..32));
    let (one, three) = (bench(3.0, 1), bench(3.0, 3));
    assert_eq!(three.partition.parts().len(), 3);
    let kin = kinematics(&q, &u);
    let velocity = VelocityTerms::Included;
    assert_eq!(one.forces(&kin, velocity), three.forces(&kin, velocity));
    let scale = JacobianScale { position: 0.5, velocity: 2.0 };
    assert_eq!(one.jacobian(&kin, scale), three.jacobian(&kin, scale));
}

#[test]
fn points_on_the_straight_line_change_nothing_but_where_two_ends_meet_none_has_a_direction() {
    let pull = pull("linear", &[("stiffness", 40.0)]);
    let end = Vec3::new(1.0, 2.0, 2.0);
    // The second and the third point are one place.
    let q = [Vec3::zeros(), end * 0.25, end * 0.25, end];
    let u = [Vec3::zeros(); 4];
    let via = Bench::new(Springs::new(straight(&[vec![0, 1, 2, 3]]), vec![pull]), 4, 1);
    let forces = via.forces(&kinematics(&q, &u), VelocityTerms::Included);
    // 3 m long, 0.8 m at rest.
    let expected = end / 3.0 * (40.0 * (3.0 - 0.8));
    assert!((forces[0] - expected).norm() < 1e-13 && (forces[3] + expected).norm() < 1e-13);
    assert!((forces[1] + forces[2]).norm() < 1e-13);
    assert!(via.jacobian(&kinematics(&q, &u), BY_POSITION).iter().all(|x| x.is_finite()));
    let q = [end; 4];
    let none = via.forces(&kinematics(&q, &u), VelocityTerms::Included);
    assert_eq!(none, [Vec3::zeros(); 4]);
}

#[test]
fn excitations_of_exciters_add_up_over_time_and_stay_within_bounds() {
    let ramp = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
    let exciters = vec![(0.5, ramp), (1.0, Schedule::Constant(0.2))];
    let drives = Drives::new(exciters, &[vec![(0, 1.0), (1, 0.5)], vec![], vec![(0, -4.0)]]);
    let sums = |time| [0, 1, 2].map(|k| drives.excitation(k, 0.3, time));
    // 0.3 + 0.5 t + 0.1; not driven; 0.3 - 2 t, not below 0.
    for (time, expected) in
        [(0.0, [0.4, 0.3, 0.3]), (0.1, [0.45, 0.3, 0.1]), (1.0, [0.9, 0.3, 0.0])]
    {
        for (sum, expected) in sums(time).into_iter().zip(expected) {
            assert!((sum - expected).abs() < 1e-15, "{time} s: {sum}, not {expected}");
        }
    }
    assert_eq!(drives.excitation(0, 0.9, 2.0), 1.0);
}

#[test]
fn a_driven_muscle_pulls_by_the_time_of_the_forces_and_remembers_the_end_of_the_step() {
    let mut pull = pull("constant_muscle", &[("max_force", 100.0)]);
    let q = vec![Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0)];
    let u = vec![Vec3::zeros(); 2];
    let drives = || {
        let ramp = Schedule::Table(vec![[0.0, 0.0], [1.0, 1.0]]);
        Drives::new(vec![(1.0, ramp)], &[vec![(0, 1.0)]])
    };
    let springs = |pull| Springs::new(straight(&[vec![0, 1]]), vec![pull]).with_drives(drives());
    let force = |bench: &Bench<Springs>, kin: Kinematics<'_>| {
        bench.forces(&kin, VelocityTerms::Included)[0].x
    };
    let bench = Bench::new(springs(pull), 2, 1);
    let at = Kinematics { load: LoadCase::at(0.25), ..kinematics(&q, &u) };
    assert!((force(&bench, at) - 25.0).abs() < 1e-12);

    pull.activation.model = ActivationModel::FirstOrder;
    let bench = Bench::new(springs(pull), 2, 1);
    let memory = bench.effector.memory_at_rest(&q, 0.25);
    assert_eq!(memory, [0.25]);
    let mut state = State { time: 0.5, q: q.clone(), u: u.clone(), memory, ..State::default() };
    // With the excitation of the middle of the step held over it, 0.55.
    bench.effector.advance_memory(0.1, &mut state);
    let expected = pull.activation.advance(0.25, 0.55, 0.1)[0];
    assert!((state.memory[0] - expected).abs() < 1e-15, "{:?}", state.memory);
    let motion = Motion { step: 0.1, memory: &[0.25], ..Motion::at(&q, &u) };
    let at = Kinematics { load: LoadCase::at(0.6), motion };
    assert!((force(&bench, at) - 100.0 * expected).abs() < 1e-12);
}
