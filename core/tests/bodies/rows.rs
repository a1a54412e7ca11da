//! Rows that repeat each other, rows that contradict each other, and rows that give.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, shift, solid_box};
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{Compliance, JointKind, Pose};
use sinew::model::{FrameSite, Joint, Model, RigidBody};

const WEIGHT: f64 = 20.0 * 9.8;

/// A door of 20 kg, 0.8 m wide, on hinges at some heights, that swings at 1 rad/s.
fn door(hinges: &[f64]) -> (Runner, Handle<RigidBody>) {
    let mut model = Model::new("door");
    model.set_gravity(Vec3::z() * -9.8);
    let mut door = solid_box("door", 20.0, [0.8, 0.04, 2.0]).at(shift(0.4, 0.0, 1.0));
    (door.velocity, door.angular_velocity) = (Vec3::y() * 0.4, Vec3::z());
    let door = model.add(door);
    for &z in hinges {
        let c = FrameSite::on(door, shift(-0.4, 0.0, z - 1.0));
        model.add(Joint::new(JointKind::Hinge, c, FrameSite::ground(shift(0.0, 0.0, z))));
    }
    (Runner::new(&model, TRAPEZOIDAL), door)
}

/// Ten redundant or independent rows for five: the motion is that of one hinge, to the tolerances of iterations
/// (1e-9 of the momentum of 8 kg m/s, 200 steps).
#[test]
fn a_door_with_two_hinges_swings_as_with_one() {
    let ((mut one, body), (mut two, other)) = (door(&[1.0]), door(&[0.3, 1.7]));
    for _ in 0..200 {
        one.step(0.01);
        two.step(0.01);
        let [a, b] = [one.pose(body), two.pose(other)];
        assert!((a.translation.vector - b.translation.vector).norm() < 1e-7);
        assert!(a.rotation.angle_to(&b.rotation) < 1e-7);
    }
    assert!(two.drift() < 1e-9, "{}", two.drift());
    assert!(two.pose(other).rotation.angle() > 1.5, "the door did not move");
}

/// Forces on the door: its weight, m v²/r toward the hinges, and the moment of its weight about them, which
/// two hinges 1.4 m apart take by a pair of forces.
#[test]
fn two_hinges_share_the_load_of_a_door() {
    let (mut runner, door) = door(&[0.3, 1.7]);
    runner.steps(0.01, 50);
    let forces: Vec<Vec3> =
        [0, 5].map(|k| Vec3::from_column_slice(&runner.state.multipliers[k..k + 3])).into();
    assert!(runner.state.multipliers.iter().all(|l| l.abs() < WEIGHT), "{forces:?}");
    let sum = forces[0] + forces[1];
    let outward = runner.pose(door).rotation * Vec3::x();
    assert!((sum.z - WEIGHT).abs() < 1e-6 * WEIGHT, "{sum}");
    // 20 kg at 0.4 m and 1 rad/s, mean over a step: (h w)² off.
    assert!((sum.dot(&outward) + 8.0).abs() < 1e-3, "{}", sum.dot(&outward));
    // Equal hinges carry equal parts of the weight.
    assert!((forces[0].z - forces[1].z).abs() < 1e-2 * WEIGHT, "{forces:?}");
}

/// The same joint twice: impulses are split evenly.
#[test]
fn a_joint_that_is_there_twice_carries_half_each_time() {
    let (mut once, _) = door(&[1.0]);
    let (mut twice, _) = door(&[1.0, 1.0]);
    once.steps(0.01, 20);
    twice.steps(0.01, 20);
    let whole = &once.state.multipliers;
    for (k, &force) in whole.iter().enumerate() {
        for found in [twice.state.multipliers[k], twice.state.multipliers[k + 5]] {
            assert!((found - 0.5 * force).abs() < 1e-5 * WEIGHT, "row {k}: {found} of {force}");
        }
    }
}

/// A body of 2 kg with two rigid joints that ask for places 1 mm apart, for 20 steps: it rests half way, which is
/// the least error in sum of squares, 0.5 mm each; its weight is carried all the same.
fn rests_half_way(gravity: f64) {
    for integrator in [EULER, TRAPEZOIDAL] {
        let mut model = Model::new("torn");
        model.set_gravity(Vec3::z() * -gravity);
        let body = model.add(solid_box("body", 2.0, [0.1; 3]));
        for x in [-5e-4, 5e-4] {
            let d = FrameSite::ground(shift(x, 0.0, 0.0));
            model.add(Joint::new(JointKind::Solid, FrameSite::on(body, Pose::identity()), d));
        }
        let mut runner = Runner::new(&model, integrator);
        for _ in 0..20 {
            runner.step(0.01);
            let place = runner.pose(body).translation.vector;
            assert!(place.norm() < 1e-9, "{integrator:?}: {place} at {} s", runner.state.time);
            let forces = &runner.state.multipliers;
            let weight = 2.0 * gravity;
            assert!((forces[2] + forces[8] - weight).abs() < 1e-6 * (1.0 + weight), "{forces:?}");
            assert!(forces.iter().all(|l| l.abs() < 1.0 + weight), "{forces:?}");
        }
        assert!((runner.drift() - 5e-4).abs() < 1e-9, "{}", runner.drift());
    }
}

#[test]
fn a_body_rests_between_joints_that_contradict_each_other() {
    rests_half_way(0.0);
}

#[test]
fn a_body_with_weight_rests_between_joints_that_contradict_each_other() {
    rests_half_way(9.8);
}

/// A hinge of which one end is 1 mm too far along the axis of a body that swings: it goes on swinging, half
/// way between, and gains no energy.
#[test]
fn a_door_with_hinges_that_contradict_each_other_swings() {
    let mut model = Model::new("door");
    model.set_gravity(Vec3::zeros());
    let mut door = solid_box("door", 20.0, [0.8, 0.04, 2.0]).at(shift(0.4, 0.0, 1.0));
    (door.velocity, door.angular_velocity) = (Vec3::y() * 0.4, Vec3::z());
    let door = model.add(door);
    for (z, off) in [(0.3, -5e-4), (1.7, 5e-4)] {
        let c = FrameSite::on(door, shift(-0.4, 0.0, z - 1.0));
        let d = FrameSite::ground(shift(0.0, 0.0, z + off));
        model.add(Joint::new(JointKind::Hinge, c, d));
    }
    let mut runner = Runner::new(&model, EULER);
    let energy = runner.energy();
    for _ in 0..50 {
        runner.step(0.01);
        assert!((runner.drift() - 5e-4).abs() < 1e-6, "{}", runner.drift());
    }
    let turn = runner.pose(door).rotation.angle();
    // Backward Euler keeps the angular velocity of what turns about a fixed axis but for (h w)².
    assert!((turn - 0.5).abs() < 1e-2, "{turn}");
    assert!(runner.energy() <= energy * (1.0 + 1e-9), "{} {energy}", runner.energy());
}

/// A body of 2 kg on a plane whose height gives by `compliance`, under its weight.
fn soft_plane(compliance: Compliance, gravity: f64) -> (Model, Handle<RigidBody>) {
    let mut model = Model::new("soft");
    model.set_gravity(Vec3::z() * -gravity);
    let body = model.add(solid_box("body", 2.0, [0.1; 3]));
    let c = FrameSite::on(body, Pose::identity());
    let mut plane = Joint::new(JointKind::Planar, c, FrameSite::ground(Pose::identity()));
    plane.settings.rows[0] = compliance;
    model.add(plane);
    (model, body)
}

/// At rest the height is -C F, and the row carries the weight.
#[test]
fn a_compliant_plane_gives_by_compliance_times_force() {
    let (compliance, gravity) = (1e-3, 9.8);
    let (model, body) = soft_plane(Compliance { compliance, damping: 0.0 }, gravity);
    let mut runner = Runner::new(&model, EULER);
    // Backward Euler divides what is left by more than (h / sqrt(m C))² = 500 a step.
    runner.steps(1.0, 20);
    let sunk = runner.pose(body).translation.vector;
    let expected = Vec3::z() * (-compliance * 2.0 * gravity);
    assert!((sunk - expected).norm() < 1e-8 * expected.norm(), "{sunk}");
    assert!(
        (runner.state.multipliers[0] - 2.0 * gravity).abs() < 1e-7,
        "the row carries the weight"
    );
}

/// C and D in a row are a spring of stiffness 1 / C with a damper D: height by the closed form of an
/// oscillator, m z'' + D z' + z / C = -m g, from z = 0. The rule of second order errs by (h w)² t w / 12.
#[test]
fn a_row_with_compliance_and_damping_is_a_damped_oscillator() {
    let (mass, compliance, damping, gravity) = (2.0, 1e-3, 20.0, 9.8);
    let (model, body) = soft_plane(Compliance { compliance, damping }, gravity);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let rest = -compliance * mass * gravity;
    let decay = 0.5 * damping / mass;
    let w = (1.0 / (mass * compliance) - decay * decay).sqrt();
    let h = 1e-3;
    let mut lowest = 0f64;
    for k in 1..=400 {
        runner.step(h);
        let t = h * f64::from(k);
        let swing = (w * t).cos() + decay / w * (w * t).sin();
        let expected = rest * (1.0 - (-decay * t).exp() * swing);
        let found = runner.pose(body).translation.vector.z;
        assert!(
            (found - expected).abs() < 1e-3 * rest.abs(),
            "{found} instead of {expected} at {t}"
        );
        lowest = lowest.min(found);
    }
    assert!(lowest < 1.4 * rest, "it did not swing through: {lowest}");
}

/// Without damping a compliant row keeps energy together with what it stores, g² / 2 C.
#[test]
fn a_compliant_row_keeps_energy_under_the_trapezoidal_rule() {
    let compliance = 1e-3;
    let (model, _) = soft_plane(Compliance { compliance, damping: 0.0 }, 9.8);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let energy = |r: &Runner| r.energy() + 0.5 * r.row_values()[0].powi(2) / compliance;
    let (start, mut kinetic) = (energy(&runner), 0f64);
    for _ in 0..1000 {
        runner.step(0.01);
        assert!((energy(&runner) - start).abs() < 1e-8, "{}", energy(&runner) - start);
        kinetic = kinetic.max(runner.compiled.at(&runner.state).measure().energies.kinetic);
    }
    assert!(kinetic > 0.1, "it did not move");
}
