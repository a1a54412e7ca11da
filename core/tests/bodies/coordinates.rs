//! Coordinates in a step: turns that are counted, locks, ends of ranges, couplings, actuators.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, shift, solid_box};
use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::{Compliance, JointKind, Placement, Pose, Range};
use sinew::model::{
    CoordinateActuator, Edit, FrameSite, Joint, JointCoordinate, JointCoordinateCoupling, Model,
    MuscleExciter, RigidBody, Schedule,
};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;
use sinew::system::MechSystem;
use sinew::{Mat3, solve::Integrator};

/// A body on a joint at the origin about z, `arm` [m] along x from it, gravity along -y.
fn swinging(
    kind: JointKind,
    arm: f64,
    angular_velocity: f64,
) -> (Model, Handle<RigidBody>, Handle<Joint>) {
    let mut model = Model::new("swinging");
    model.set_gravity(Vec3::y() * -9.8);
    let mut body = solid_box("body", 2.0, [0.1, 0.2, 0.3]).at(shift(arm, 0.0, 0.0));
    (body.velocity, body.angular_velocity) =
        (Vec3::y() * (arm * angular_velocity), Vec3::z() * angular_velocity);
    let body = model.add(body);
    let c = FrameSite::on(body, shift(-arm, 0.0, 0.0));
    let joint = model.add(Joint::new(kind, c, FrameSite::ground(Pose::identity())));
    (model, body, joint)
}

/// Moment of inertia of the body about its hinge [kg m²].
fn inertia(arm: f64) -> f64 {
    2.0 * ((0.1_f64.powi(2) + 0.2_f64.powi(2)) / 12.0 + arm * arm)
}

#[test]
fn turns_of_a_wheel_are_counted() {
    let (mut model, _, joint) = swinging(JointKind::Hinge, 0.0, 10.0);
    model.set_gravity(Vec3::zeros());
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..200 {
        simulation.step(0.01).unwrap();
    }
    let theta = simulation.model().property_of(joint, "coordinate.theta.value").unwrap();
    let sinew::property::Value::Real(theta) = simulation.get(&theta).unwrap() else {
        panic!("it is a number");
    };
    // By the Cayley map a step of 0.1 rad turns by 2 atan(0.05), 8e-5 rad less.
    let expected = 200.0 * 2.0 * 0.05_f64.atan();
    assert!((theta - expected).abs() < 1e-6, "{theta} {expected}");
}

#[test]
fn a_locked_coordinate_stays_where_it_was() {
    for integrator in [EULER, TRAPEZOIDAL, Integrator::RungeKutta4] {
        let (mut model, _, joint) = swinging(JointKind::Hinge, 0.3, 0.0);
        model[joint].settings.coordinates[0].locked = true;
        let mut runner = Runner::new(&model, integrator);
        for _ in 0..50 {
            runner.step(0.01);
            assert!(runner.drift() < 1e-9, "{integrator:?}: {}", runner.drift());
        }
        let multipliers = runner.compiled.multipliers_of(joint, &runner.state).unwrap();
        assert_eq!(multipliers.len(), 6, "five rows and a lock");
        let weight = 2.0 * 9.8 * 0.3;
        assert!((multipliers[5] - weight).abs() < 1e-6, "{integrator:?}: {multipliers:?}");
    }
}

/// The pitch is locked, the others go on.
#[test]
fn a_gimbal_with_a_locked_pitch_turns_about_the_other_axes() {
    let (mut model, body, joint) = swinging(JointKind::Gimbal, 0.3, 1.0);
    model[body].angular_velocity = Vec3::new(0.5, 0.0, 1.0);
    model[joint].settings.coordinates.iter_mut().for_each(|it| it.range = Range::FREE);
    model[joint].settings.coordinates[1].locked = true;
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(0.01, 1.0);
    assert!(runner.drift() < 1e-9, "{}", runner.drift());
    let known = &runner.state.coordinates;
    assert!(known[1].abs() < 1e-12 && known[0].abs() > 0.3, "{known:?}");
    // A lock is a row of an angle: h³ a step.
    assert!(run.most.max(-run.least) < 1e-3, "{run:?}");
}

#[test]
fn a_lock_in_a_running_simulation_holds_after_whole_turns() {
    let (model, _, joint) = swinging(JointKind::Hinge, 0.1, 20.0);
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..60 {
        simulation.step(0.01).unwrap();
    }
    let locked = simulation.model().property_of(joint, "coordinate.theta.locked").unwrap();
    let theta = simulation.model().property_of(joint, "coordinate.theta.value").unwrap();
    let before = number(&simulation.get(&theta).unwrap());
    assert!(before > 7.0, "it turned by {before}");
    simulation.set(&locked, true).unwrap();
    for _ in 0..20 {
        simulation.step(0.01).unwrap();
        let now = number(&simulation.get(&theta).unwrap());
        assert!((now - before).abs() < 1e-9, "{now} {before}");
    }
    simulation.set(&locked, false).unwrap();
    for _ in 0..20 {
        simulation.step(0.01).unwrap();
    }
    let after = number(&simulation.get(&theta).unwrap());
    assert!((after - before).abs() > 0.01, "{after} {before}");
}

#[test]
fn a_lock_goes_along_to_the_value_that_is_set() {
    let (mut model, _, joint) = swinging(JointKind::Hinge, 0.3, 0.0);
    model[joint].settings.coordinates[0].locked = true;
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    simulation.step(0.01).unwrap();
    let theta = simulation.model().property_of(joint, "coordinate.theta.value").unwrap();
    simulation.set(&theta, -0.5).unwrap();
    for _ in 0..20 {
        simulation.step(0.01).unwrap();
    }
    let now = number(&simulation.get(&theta).unwrap());
    assert!((now + 0.5).abs() < 1e-9, "{now}");
}

fn number(value: &sinew::property::Value) -> f64 {
    value.numbers().next().expect("it is a number")
}

/// A lock with compliance is a spring: it sinks by compliance times moment.
#[test]
fn a_compliant_lock_gives_by_compliance_times_moment() {
    let (mut model, _, joint) = swinging(JointKind::Hinge, 0.3, 0.0);
    let settings = &mut model[joint].settings.coordinates[0];
    (settings.locked, settings.compliance) = (true, Compliance { compliance: 1e-3, damping: 10.0 });
    let mut runner = Runner::new(&model, EULER);
    runner.steps(0.1, 200);
    let [angle] = runner.row_values()[5..] else { panic!("one lock") };
    let expected = -1e-3 * 2.0 * 9.8 * 0.3 * angle.cos();
    assert!((angle - expected).abs() < 1e-8, "{angle} {expected}");
}

/// Two rows an end: gaps by hand, rates by differences along a motion.
#[test]
fn a_range_has_a_row_an_end_with_the_rate_of_its_gap() {
    let (mut model, _, joint) = swinging(JointKind::Hinge, 0.3, 9.0);
    model.set_gravity(Vec3::zeros());
    let settings = &mut model[joint].settings.coordinates[0];
    (settings.range, settings.restitution) = (Range::new(-0.2, 4.0), 0.5);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let multibody = runner.compiled.multibody().unwrap();
    let rows = &multibody.joints.unilateral;
    assert_eq!((rows.count(), rows.restitution(1)), (2, 0.5));
    assert!(rows.name(0).ends_with("theta lower") && rows.name(1).ends_with("theta upper"));
    let at = |runner: &Runner, row: usize| {
        let multibody = runner.compiled.multibody().unwrap();
        let mut turns = vec![Mat3::zeros(); 1];
        multibody.update_turns(&runner.state.q, &mut turns);
        let coordinates = &runner.state.coordinates;
        let at = Placement { q: &runner.state.q, turns: &turns, coordinates };
        let list = &multibody.joints.unilateral.lists()[row];
        let mut slopes = vec![Vec3::zeros(); list.len()];
        let mut rows = multibody.joints.unilateral.at(at);
        rows.coefficients(row, &mut slopes);
        let rate = list.iter().zip(&slopes).map(|(&b, g)| g.dot(&runner.state.u[b as usize]));
        [rows.value(row), rate.sum()]
    };
    assert!((at(&runner, 0)[0] - 0.2).abs() < 1e-14 && (at(&runner, 1)[0] - 4.0).abs() < 1e-14);
    assert!((at(&runner, 0)[1] - 9.0).abs() < 1e-12 && (at(&runner, 1)[1] + 9.0).abs() < 1e-12);
    // Past pi, which no pose tells from -pi.
    let mut before = at(&runner, 1)[0];
    for _ in 0..10 {
        runner.step(0.04);
        let now = at(&runner, 1)[0];
        assert!(now < before && now > before - 0.5, "{now} after {before}");
        before = now;
    }
    assert!(before < 0.6, "it passed half a turn: {before}");
}

/// Two wheels on hinges, the first turned by a falling weight of its own, geared 2 : 1.
fn gear(step: f64) -> (Runner, [Handle<Joint>; 2], Handle<JointCoordinateCoupling>) {
    let mut model = Model::new("gear");
    model.set_gravity(Vec3::y() * -9.8);
    let mut joints = Vec::new();
    for (z, arm) in [(0.0, 0.3), (0.5, 0.05)] {
        let body = model.add(solid_box("wheel", 2.0, [0.1, 0.2, 0.3]).at(shift(arm, 0.0, z)));
        let c = FrameSite::on(body, shift(-arm, 0.0, 0.0));
        let d = FrameSite::ground(shift(0.0, 0.0, z));
        joints.push(model.add(Joint::new(JointKind::Hinge, c, d)));
    }
    let [a, b] = [joints[0], joints[1]].map(|joint| JointCoordinate::new(joint, "theta"));
    let coupling = model.add(JointCoordinateCoupling::linear([(a, 2.0), (b, -1.0)]));
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(step, 2.0);
    let energy = run.most.max(-run.least);
    assert!(energy < 1e-7, "the gear does work: {energy:e} J");
    (runner, [joints[0], joints[1]], coupling)
}

#[test]
fn geared_wheels_hold_their_ratio_and_lose_no_energy() {
    let (runner, _, coupling) = gear(0.01);
    let [a, b] = runner.state.coordinates[..] else { panic!("two coordinates") };
    assert!((2.0 * a - b).abs() < 1e-9, "{a} {b}");
    assert!(a.abs() > 0.5, "it did not turn: {a}");
    let force = runner.compiled.multipliers_of(coupling, &runner.state).unwrap()[0];
    assert!(force.abs() > 1e-3, "it carries nothing");
}

/// Against the pendulum of one coordinate: (I1 + 4 I2) a'' = -g (m r1 cos a + 2 m r2 cos 2a).
#[test]
fn geared_wheels_turn_as_their_common_equation_says() {
    let (runner, ..) = gear(0.0025);
    let total = inertia(0.3) + 4.0 * inertia(0.05);
    let rate = |a: f64| -9.8 * 2.0 * (0.3 * a.cos() + 2.0 * 0.05 * (2.0 * a).cos()) / total;
    let (mut a, mut w, h) = (0.0, 0.0, 1e-4);
    for _ in 0..20_000 {
        // Verlet's rule.
        w += 0.5 * h * rate(a);
        a += h * w;
        w += 0.5 * h * rate(a);
    }
    let found = runner.state.coordinates[0];
    assert!((found - a).abs() < 1e-3, "{found} {a}");
}

#[test]
fn a_coordinate_follows_another_along_a_curve() {
    let mut model = Model::new("cam");
    model.set_gravity(Vec3::zeros());
    let mut wheel = solid_box("wheel", 1.0, [0.2; 3]);
    wheel.angular_velocity = Vec3::z() * 3.0;
    let wheel = model.add(wheel);
    let pin = model.add(solid_box("pin", 0.5, [0.1; 3]).at(shift(0.0, 0.0, 1.0)));
    let ground = |z: f64| FrameSite::ground(shift(0.0, 0.0, z));
    let c = |body| FrameSite::on(body, Pose::identity());
    let hinge = model.add(Joint::new(JointKind::Hinge, c(wheel), ground(0.0)));
    let slider = model.add(Joint::new(JointKind::Slider, c(pin), ground(1.0)));
    let curve = [0.0, 0.0, 0.03, -0.01];
    let z = JointCoordinate::new(slider, "z");
    let coupling =
        JointCoordinateCoupling::following(z, JointCoordinate::new(hinge, "theta"), &curve);
    model.add(coupling);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let run = runner.run(0.005, 0.8);
    let theta = runner.state.coordinates[0];
    let z = runner.state.coordinates[1];
    let expected = theta * theta * (0.03 - 0.01 * theta);
    assert!((z - expected).abs() < 1e-9 && theta > 1.5 && z > 0.02, "{z} {expected} {theta}");
    // The slope of the curve changes over a step: h³ a step.
    assert!(run.most.max(-run.least) < 1e-5, "{run:?}");
}

#[test]
fn a_coupling_and_an_actuator_go_with_a_joint() {
    let (mut model, _, joint) = swinging(JointKind::Hinge, 0.3, 0.0);
    let theta = JointCoordinate::new(joint, "theta");
    let coupling = model.add(JointCoordinateCoupling::linear([(theta.clone(), 1.0)]));
    let motor = model.add(CoordinateActuator::new(theta, 1.0));
    model.edit(Edit::delete(joint)).unwrap();
    assert!(!model.contains(coupling) && !model.contains(motor));
}

#[test]
fn a_coordinate_that_a_joint_has_not_is_named() {
    let (mut model, _, joint) = swinging(JointKind::Cylindrical, 0.3, 0.0);
    model.add(CoordinateActuator::new(JointCoordinate::new(joint, "phi"), 1.0));
    let message = model.compile().err().expect("there is no phi").to_string();
    assert!(message.contains("'phi'") && message.contains("z, theta"), "{message}");
}

/// I a = tau: in one step of either rule, and of a schedule that doubles it.
#[test]
fn an_actuator_turns_a_hinge_by_its_moment_over_the_inertia() {
    for integrator in [EULER, TRAPEZOIDAL, Integrator::RungeKutta4] {
        let (mut model, body, joint) = swinging(JointKind::Hinge, 0.0, 0.0);
        model.set_gravity(Vec3::zeros());
        let theta = JointCoordinate::new(joint, "theta");
        let mut motor = CoordinateActuator::new(theta, -4.0);
        (motor.excitation, motor.schedule) = (0.5, Schedule::Constant(2.0));
        model.add(motor);
        let mut runner = Runner::new(&model, integrator);
        runner.steps(0.01, 20);
        let expected = -4.0 / inertia(0.0) * 0.2;
        let found = runner.angular_velocity(body).z;
        assert!((found - expected).abs() < 1e-6 * expected.abs(), "{integrator:?}: {found}");
    }
}

/// 3 N m x (0.1 + 0.5 x 0.4 - 0.25 x 2 x 0.4) = 0.3 N m; with the gain of the first raised to 4 it is at its largest.
#[test]
fn exciters_drive_an_actuator_by_their_gains_within_its_range() {
    let (mut model, body, joint) = swinging(JointKind::Hinge, 0.0, 0.0);
    model.set_gravity(Vec3::zeros());
    let theta = JointCoordinate::new(joint, "theta");
    let mut motor = CoordinateActuator::new(theta, 3.0);
    motor.excitation = 0.1;
    let motor = model.add(motor);
    let mut inner = MuscleExciter::new("inner", [motor]);
    inner.targets[0].gain = -0.25;
    let inner = model.add(inner);
    let mut outer =
        MuscleExciter::new("outer", [ComponentId::from(motor), ComponentId::from(inner)]);
    (outer.excitation, outer.schedule) = (0.8, Schedule::Constant(0.5));
    (outer.targets[0].gain, outer.targets[1].gain) = (0.5, 2.0);
    let outer = model.add(outer);
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let mut before = 0.0;
    for (gain, moment) in [(0.5, 0.3), (4.0, 3.0)] {
        let gains = simulation.model().property_of(outer, "gains").unwrap();
        simulation.set(&gains, Value::List(vec![gain, 2.0])).unwrap();
        for _ in 0..10 {
            simulation.step(0.01).unwrap();
        }
        let force = simulation.model().property_of(motor, "force").unwrap();
        let Value::Real(force) = simulation.get(&force).unwrap() else { panic!("a number") };
        assert!((force - moment).abs() < 1e-12, "{force}");
        let state = simulation.state().unwrap().clone();
        let (_, _, angular_velocity) = simulation.compiled().body_motion(body, &state).unwrap();
        let expected = before + moment / inertia(0.0) * 0.1;
        assert!(
            (angular_velocity.z - expected).abs() < 1e-6 * expected,
            "{} {expected}",
            angular_velocity.z
        );
        before = angular_velocity.z;
    }
}

/// A spring k and damper c outside the range: thrown at its end at w the body goes w sqrt(I / k) beyond and comes
/// back at w; under a moment it rests at moment / k beyond.
#[test]
fn a_soft_end_of_a_range_is_a_spring_and_damper_outside_it() {
    let (stiffness, angular_velocity) = (40.0, 2.0);
    let soft = |damping: f64| {
        let (mut model, body, joint) = swinging(JointKind::Hinge, 0.0, angular_velocity);
        model.set_gravity(Vec3::zeros());
        let coordinate = &mut model[joint].settings.coordinates[0];
        coordinate.range = Range { lower: None, upper: Some(0.1) };
        coordinate.compliance = Compliance { compliance: 1.0 / stiffness, damping };
        (model, body, joint)
    };
    let (model, body, _) = soft(0.0);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    let mut most = 0f64;
    // While it is approached the step is made with w = 1, which takes 0.5 % here.
    for _ in 0..2000 {
        runner.step(1e-4);
        most = most.max(runner.state.coordinates[0]);
    }
    let beyond = angular_velocity * (inertia(0.0) / stiffness).sqrt();
    assert!((most - 0.1 - beyond).abs() < 1e-2 * beyond, "{most} {beyond}");
    assert!(
        (runner.angular_velocity(body).z + angular_velocity).abs() < 1e-2 * angular_velocity,
        "{}",
        runner.angular_velocity(body).z
    );
    let (mut model, _, joint) = soft(0.5);
    let mut motor = CoordinateActuator::new(JointCoordinate::new(joint, "theta"), 3.0);
    motor.excitation = 1.0;
    model.add(motor);
    let mut runner = Runner::new(&model, EULER);
    runner.steps(0.01, 300);
    let rest = runner.state.coordinates[0] - 0.1;
    assert!((rest - 3.0 / stiffness).abs() < 1e-6, "{rest}");
}

/// Between two bodies in space it is a pair of moments: no angular momentum.
#[test]
fn an_actuator_between_two_bodies_turns_them_against_each_other() {
    let mut model = Model::new("pair");
    model.set_gravity(Vec3::zeros());
    let [a, b] =
        [0.0, 0.4].map(|x| model.add(solid_box("b", 1.0, [0.1, 0.2, 0.3]).at(shift(x, 0.0, 0.0))));
    let c = FrameSite::on(a, shift(0.2, 0.0, 0.0));
    let joint = model.add(Joint::new(JointKind::Hinge, c, FrameSite::on(b, shift(-0.2, 0.0, 0.0))));
    let mut motor = CoordinateActuator::new(JointCoordinate::new(joint, "theta"), 0.1);
    motor.excitation = 1.0;
    model.add(motor);
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.steps(0.01, 50);
    let angular = runner.compiled.at(&runner.state).angular_momentum();
    assert!(angular.norm() < 1e-9, "{angular}");
    assert!(runner.angular_velocity(a).z > 0.1 && runner.angular_velocity(b).z < -0.1);
}
