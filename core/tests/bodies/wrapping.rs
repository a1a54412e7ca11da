//! Muscles and springs that wrap over surfaces of bodies: moment arms, energy, momentum, and the same bits after a
//! checkpoint.

use super::scenes::{EULER, Runner, TRAPEZOIDAL, hinge, in_plane, shift, solid_box};
use sinew::Vec3;
use sinew::axial::active::ConstantMuscle;
use sinew::axial::{AxialLaw, Constants, Value};
use sinew::component::Handle;
use sinew::model::{
    FrameMarker, FrameSite, Model, MultiPointSpring, Particle, RigidBody, WrapSurface, WrapTurn,
};
use sinew::property::Pose;

/// A bar of 2 kg and 0.6 m on a hinge at the origin, turned about z by an angle [rad].
fn lever(angle: f64) -> (Model, Handle<RigidBody>) {
    let mut model = in_plane(0.0);
    let turn = Pose::new(Vec3::zeros(), Vec3::z() * angle);
    let bar = solid_box("forearm", 2.0, [0.6, 0.05, 0.05]).at(turn * shift(0.3, 0.0, 0.0));
    let bar = model.add(bar);
    hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    (model, bar)
}

/// Inertia of the bar about the hinge [kg m²].
const INERTIA: f64 = 2.0 * (0.36 + 0.05 * 0.05) / 12.0 + 2.0 * 0.09;

fn constant_muscle() -> AxialLaw {
    AxialLaw::ConstantMuscle(ConstantMuscle { max_force: 10.0, ..Default::default() })
}

/// A muscle round a pulley at the hinge, on the bar or on the ground, turns the bar with its force times the radius
/// at any angle that it wraps at.
#[test]
fn the_moment_of_a_muscle_over_a_pulley_is_its_force_times_the_radius() {
    let radius = 0.08;
    for angle in [1.5, 2.2, 2.9, 4.0] {
        for on_bar in [false, true] {
            let (mut model, bar) = lever(angle);
            let origin = model.add(Particle::new(1.0, Vec3::new(0.1, -0.5, 0.02)).fixed());
            let insertion = model.add(FrameMarker::new(bar, Vec3::new(0.05, 0.0, 0.02)));
            let site = match on_bar {
                true => FrameSite::on(bar, shift(-0.3, 0.0, 0.0)),
                false => FrameSite::ground(Pose::identity()),
            };
            let pulley =
                WrapSurface { turn: WrapTurn::Positive, ..WrapSurface::cylinder(site, radius) };
            let pulley = model.add(pulley);
            let points = vec![origin.into(), insertion.into()];
            let mut muscle = MultiPointSpring::new(points, constant_muscle()).over(pulley);
            muscle.excitation = 1.0;
            model.add(muscle);
            let mut runner = Runner::new(&model, TRAPEZOIDAL);
            let h = 1e-3;
            runner.step(h);
            let expected = -10.0 * radius * h / INERTIA;
            let found = runner.angular_velocity(bar).z;
            assert!(
                (found - expected).abs() < 1e-6 * expected.abs(),
                "{angle}: {found} {expected}"
            );
        }
    }
}

/// A bar that hangs from a spring led over an ellipsoid of the ground and a sphere of the bar.
fn swinging() -> (Model, Handle<RigidBody>, Handle<MultiPointSpring>) {
    let (mut model, bar) = lever(0.4);
    model.set_gravity(Vec3::new(0.0, -9.81, 0.0));
    let origin = model.add(Particle::new(1.0, Vec3::new(-0.5, 0.1, 0.03)).fixed());
    let insertion = model.add(FrameMarker::new(bar, Vec3::new(0.3, 0.0, 0.0)));
    let ground = FrameSite::ground(shift(-0.1, 0.12, 0.0));
    let knob = model.add(WrapSurface::ellipsoid(ground, Vec3::new(0.12, 0.16, 0.2)));
    let ball = model.add(WrapSurface::sphere(FrameSite::on(bar, Pose::identity()), 0.1));
    let mut law = AxialLaw::from_name("linear").unwrap();
    law.set("stiffness", Value::Number(150.0)).unwrap();
    let points = vec![origin.into(), insertion.into()];
    let mut spring = MultiPointSpring::new(points, law).over(knob).over(ball);
    spring.rest_length = 0.8;
    let spring = model.add(spring);
    (model, bar, spring)
}

#[test]
fn a_swing_on_a_wrapped_spring_keeps_its_energy() {
    let drift = |h: f64| {
        let (model, _, spring) = swinging();
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let start = runner.energy();
        let (mut worst, mut bends) = (0.0f64, 0);
        for _ in 0..(0.6 / h) as usize {
            runner.step(h);
            worst = worst.max((runner.energy() - start).abs());
            let line = runner.compiled.polyline_of(spring, &runner.state).unwrap();
            let straight = (line[0] - line[line.len() - 1]).norm();
            let length = runner.compiled.stretch_of_line(spring, &runner.state).unwrap()[0];
            bends += usize::from(length > straight * (1.0 + 1e-9));
        }
        assert!(bends as f64 > 0.2 / h, "it wraps in {bends} steps");
        worst
    };
    let [coarse, fine] = [2e-3, 1e-3].map(drift);
    // Second order: a quarter, and more where it lifts off within a step.
    assert!(fine < 0.02 && fine < 0.5 * coarse, "{coarse} {fine}");
}

/// Two bodies in space, a spring from one over a sphere of the other: nothing from outside. Linear momentum is kept
/// to rounding, angular momentum with the order of the step.
#[test]
fn wrapped_springs_keep_momentum_and_angular_momentum() {
    let mut model = in_plane(0.0);
    let a = model.add(solid_box("a", 1.0, [0.2, 0.1, 0.1]).at(shift(0.0, 0.0, 0.0)));
    let b = model.add(solid_box("b", 2.0, [0.1, 0.3, 0.1]).at(shift(0.5, 0.02, 0.0)));
    let ends = [(a, Vec3::new(0.1, 0.05, 0.0)), (b, Vec3::new(0.4, -0.1, 0.05))];
    let ends = ends.map(|(body, at)| model.add(FrameMarker::new(body, at)));
    let ball = model.add(WrapSurface::sphere(FrameSite::on(b, Pose::identity()), 0.15));
    let points = vec![ends[0].into(), ends[1].into()];
    let mut muscle = MultiPointSpring::new(points, constant_muscle()).over(ball);
    muscle.excitation = 1.0;
    model.add(muscle);
    let changes = |h: f64| {
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let momenta = |runner: &Runner| {
            let (compiled, state) = (&runner.compiled, &runner.state);
            [compiled.at(state).momentum(), compiled.at(state).angular_momentum()]
        };
        let start = momenta(&runner);
        runner.steps(h, (0.15 / h) as usize);
        let end = momenta(&runner);
        assert!(runner.angular_velocity(b).norm() > 0.1, "it turns");
        [0, 1].map(|k| (end[k] - start[k]).norm())
    };
    let [coarse, fine] = [2e-3, 1e-3].map(changes);
    assert!(coarse[0].max(fine[0]) < 1e-10, "{coarse:?} {fine:?}");
    assert!(fine[1] < 1e-4 && fine[1] < 0.6 * coarse[1], "{coarse:?} {fine:?}");
}

/// Paths are found anew in every state, so that a state by itself goes on with the same bits.
#[test]
fn a_state_by_itself_goes_on_with_the_same_bits() {
    let (model, _, _) = swinging();
    let mut runner = Runner::new(&model, EULER);
    runner.steps(2e-3, 60);
    let kept = runner.state.clone();
    runner.steps(2e-3, 60);
    let mut other = Runner::new(&model, EULER);
    other.state = kept;
    other.steps(2e-3, 60);
    assert_eq!(runner.state.q, other.state.q);
    assert_eq!(runner.state.u, other.state.u);
}

#[test]
fn surfaces_that_are_off_gone_or_of_another_segment_are_not_wrapped_over() {
    let (mut model, _, spring) = swinging();
    let length = |model: &Model| {
        let compiled = model.compile().unwrap();
        compiled.stretch_of_line(spring, &compiled.initial_state()).unwrap()[0]
    };
    let wrapped = length(&model);
    let [knob, ball] = [0, 1].map(|k| model.nth::<WrapSurface>(k));
    let of = |surface: Handle<WrapSurface>| format!("{}:enabled", model.path(surface));
    let [knob_on, ball_on] = [knob, ball].map(of);
    model.set_text(&knob_on, "false").unwrap();
    let one = length(&model);
    model.set_text(&ball_on, "false").unwrap();
    let none = length(&model);
    assert!(wrapped > one && one >= none, "{wrapped} {one} {none}");
    let segments = format!("{}:wrap_segments", model.path(spring));
    let error = model.set_text(&segments, "0 1").unwrap_err().to_string();
    assert!(error.contains("segment of 1; it must be less than the number of segments"), "{error}");
}
