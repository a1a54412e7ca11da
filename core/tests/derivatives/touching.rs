//! Gradients through contact: friction that sticks and that slides, tissue on the ground, soft contacts, ends of ranges; through
//! points that move with joints and couplings with inertia. Against central differences of the trajectories.

use sinew::Vec3;
use sinew::adjoint::{AdjointError, Parameter, StateVector, Trajectory};
use sinew::component::{ComponentType, Handle};
use sinew::constraint::spatial::Function;
use sinew::constraint::{Compliance, Range};
use sinew::contact::{Adhesion, ElasticFoundation, NormalLaw, Stribeck};
use sinew::material::MaterialSpec;
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, FemModel, FrameMarker, JointCoordinate,
    JointCoordinateCoupling, Model, Particle, PointAxis, PointMove, PointRef, RigidBody,
};
use sinew::property::Pose;
use sinew::solve::{ImplicitMode, Integrator};
use sinew::system::{CompiledModel, MechSystem, State};
use sinew_datasets::beam::BeamElement;

use crate::gradients::{H, assert_near, check, check_from, excitations, settings};
use crate::models::{Excitable, constant, muscle, pendulum};
use crate::scenes::{grid, hinge, in_plane, shift, solid_box};

/// The ground below z = 0, gravity against z, and a behaviour of all things.
fn ground(friction: f64) -> (Model, Handle<CollisionBehavior>) {
    let mut model = Model::new("mechanism");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    model.add(Collider::half_space(Pose::identity()).named("ground"));
    let behavior =
        CollisionBehavior { tolerance: Some(1e-3), ..CollisionBehavior::everything(friction) };
    let behavior = model.add(behavior.named("rub"));
    (model, behavior)
}

/// A body of 2 kg on three balls, its feet, which overlap with the ground by 0.1 mm: gaps of zero have no derivative.
fn tripod(model: &mut Model) -> Handle<RigidBody> {
    let body = solid_box("tripod", 2.0, [0.2, 0.3, 0.1]).at(shift(0.0, 0.0, 0.0499));
    let body = model.add(body);
    for (x, y) in [(0.1, 0.02), (-0.08, 0.12), (-0.06, -0.13)] {
        model.add(Collider::sphere(body, 0.02).at(shift(x, y, -0.03)));
    }
    body
}

/// A ball of 2 kg that overlaps as much.
fn ball(model: &mut Model) -> Handle<RigidBody> {
    let body = model.add(solid_box("ball", 2.0, [0.1, 0.1, 0.1]).at(shift(0.0, 0.0, 0.0499)));
    model.add(Collider::sphere(body, 0.05));
    body
}

/// The body with muscles up and along, as excitations.
fn pulled(mut model: Model, body: Handle<RigidBody>) -> Excitable {
    let up = muscle(&mut model, (Vec3::new(0.1, 0.0, 1.0), body, Vec3::z() * 0.05), constant(6.0));
    let along =
        muscle(&mut model, (Vec3::new(1.0, 0.3, 0.1), body, Vec3::x() * 0.1), constant(8.0));
    Excitable { model, excited: vec![up.into(), along.into()], level: 0.5 }
}

/// The start of a model, all of it at a velocity [m/s] and its rotations at `turning` [rad/s].
fn thrown(model: &Model, velocity: Vec3, turning: Vec3) -> State {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    state.u.iter_mut().for_each(|u| *u = velocity);
    for body in compiled.multibody().map_or(&[][..], |it| &it.bodies) {
        state.u[body.row as usize + 1] = turning;
    }
    state
}

#[test]
fn gradients_through_contact_that_stays_and_friction_that_sticks_are_those_of_the_steps() {
    let (mut model, _) = ground(0.8);
    let body = tripod(&mut model);
    let mut scene = pulled(model, body);
    let paths = excitations(&mut scene);
    let start = thrown(&scene.model, Vec3::zeros(), Vec3::zeros());
    let run_by = (settings(Integrator::BackwardEuler), 4);
    check_from(&scene.model, &paths, &start, run_by, "a body at rest");
}

#[test]
fn gradients_through_friction_that_slides_are_those_of_the_steps() {
    let (mut model, behavior) = ground(0.2);
    let body = ball(&mut model);
    let mut scene = pulled(model, body);
    let mut paths = excitations(&mut scene);
    paths.push(format!("{}:friction", scene.model.path(behavior)));
    let start = thrown(&scene.model, Vec3::new(0.5, 0.3, 0.0), Vec3::z() * 0.8);
    let run_by = (settings(Integrator::BackwardEuler), 4);
    check_from(&scene.model, &paths, &start, run_by, "a ball that slides");
}

type Rule = fn(ImplicitMode) -> Integrator;

/// Places after n steps are n h v - mu g h² s, s = n (n + 1) / 2 by backward Euler and n² / 2 by the trapezoidal rule; the corners
/// share the load in ways that are not told apart.
#[test]
fn the_gradient_by_the_friction_of_a_box_that_slides_on_its_corners_has_a_closed_form() {
    let rules =
        [(Integrator::BackwardEuler as Rule, 364.0), (Integrator::Trapezoidal as Rule, 325.0)];
    for (rule, sum_of_s) in rules {
        let (mut model, behavior) = ground(0.3);
        let mut body = solid_box("box", 0.7, [0.1, 0.08, 0.06]).at(shift(0.0, 0.0, 0.0299));
        body.velocity = Vec3::x();
        let body = model.add(body);
        model.add(Collider::boxed(body, Vec3::new(0.05, 0.04, 0.03)));
        let path = format!("{}:friction", model.path(behavior));
        let parameter = Parameter::constant(&model, &path).unwrap();
        let settings = settings(rule);
        let trajectory = Trajectory { model: &model, settings, step: 0.01, steps: 12 };
        let mut sum = |_: usize, _: &State, _: &CompiledModel, by: &mut StateVector| {
            by.q.iter_mut().for_each(|by| by.x += 1.0);
            0.0
        };
        let found = trajectory.gradient(None, &[parameter], &mut sum).unwrap().parameters[0][0];
        let expected = -9.81 * 1e-4 * sum_of_s;
        assert_near(found, expected, expected.abs(), "a box that slides");
    }
}

#[test]
fn gradients_of_a_soft_contact_are_those_of_the_steps() {
    let (mut model, behavior) = ground(0.0);
    model[behavior].law.compliance = Compliance { compliance: 2e-5, damping: 50.0 };
    let body = ball(&mut model);
    let mut scene = pulled(model, body);
    let mut paths = excitations(&mut scene);
    paths.push(format!("{}:compliance", scene.model.path(behavior)));
    let start = thrown(&scene.model, Vec3::new(0.5, 0.3, 0.0), Vec3::z() * 0.8);
    let run_by = (settings(Integrator::BackwardEuler), 3);
    check_from(&scene.model, &paths, &start, run_by, "a ball on soft ground");
}

/// Compares the gradients of a ball on a law that is not linear by its numbers.
fn check_law(
    normal: NormalLaw,
    numbers: [&str; 3],
    friction: f64,
    rule: fn(ImplicitMode) -> Integrator,
) {
    let (mut model, behavior) = ground(friction);
    let body = ball(&mut model);
    let plane = model.iter::<Collider>().next().unwrap().0;
    // Muscles have their ends at particles, which stand for no area.
    let it = &mut model[behavior];
    (it.a, it.b) = (Some(body.into()), Some(plane.into()));
    (it.law.normal, it.law.dissipation) = (normal, 0.4);
    // Soft, so that its modulus has a part in where the ball is.
    it.law.foundation =
        ElasticFoundation { youngs_modulus: 2e5, poissons_ratio: 0.4, thickness: 0.01 };
    let mut scene = pulled(model, body);
    let mut paths = excitations(&mut scene);
    let path = scene.model.path(behavior);
    paths.extend(numbers.map(|name| format!("{path}:{name}")));
    let start = thrown(&scene.model, Vec3::new(0.5, 0.3, 0.0), Vec3::z() * 0.8);
    check_from(&scene.model, &paths, &start, (settings(rule), 3), "a ball on a law");
}

const OF_HUNT_CROSSLEY: [&str; 3] = ["effective_modulus", "exponent", "dissipation"];
const OF_FOUNDATION: [&str; 3] = ["youngs_modulus", "thickness", "dissipation"];

#[test]
fn gradients_through_hunt_and_crossley_are_those_of_the_steps() {
    check_law(NormalLaw::HuntCrossley, OF_HUNT_CROSSLEY, 0.0, Integrator::BackwardEuler);
}

#[test]
fn gradients_through_a_foundation_are_those_of_the_steps() {
    check_law(NormalLaw::ElasticFoundation, OF_FOUNDATION, 0.0, Integrator::BackwardEuler);
}

#[test]
fn gradients_through_hunt_and_crossley_by_the_trapezoidal_rule_are_those_of_the_steps() {
    check_law(NormalLaw::HuntCrossley, OF_HUNT_CROSSLEY, 0.0, Integrator::Trapezoidal);
}

#[test]
fn gradients_through_hunt_and_crossley_with_friction_are_those_of_the_steps() {
    check_law(NormalLaw::HuntCrossley, OF_HUNT_CROSSLEY, 0.2, Integrator::BackwardEuler);
}

#[test]
fn gradients_of_tissue_that_slides_and_sticks_are_those_of_the_steps() {
    for (friction, velocity) in [(0.2, Vec3::new(0.5, 0.3, 0.0)), (0.9, Vec3::zeros())] {
        let (mut model, behavior) = ground(friction);
        let mesh = grid(BeamElement::Hex, [1, 1, 1], [0.1, 0.1, 0.05], Vec3::new(0.0, 0.0, -1e-4));
        let law = MaterialSpec::from_name("neo_hookean").unwrap();
        let fem = model.add(FemModel::new("tissue", mesh, 1050.0, law));
        let names = ["density", "material.youngs_modulus"];
        let mut paths: Vec<String> =
            names.iter().map(|name| format!("{}:{name}", model.path(fem))).collect();
        paths.push(format!("{}:friction", model.path(behavior)));
        let start = thrown(&model, velocity, Vec3::zeros());
        let run_by = (settings(Integrator::BackwardEuler), 3);
        check_from(&model, &paths, &start, run_by, &format!("tissue, {velocity}"));
    }
}

#[test]
fn gradients_through_friction_by_the_speed_of_the_slip_are_those_of_the_steps() {
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        let (mut model, behavior) = ground(0.2);
        model[behavior].law.stribeck =
            Stribeck { static_friction: 0.4, velocity: 0.5, viscous: 0.1 };
        let body = ball(&mut model);
        let mut scene = pulled(model, body);
        let mut paths = excitations(&mut scene);
        let path = scene.model.path(behavior);
        let names = ["friction", "static_friction", "stribeck_velocity", "viscous_friction"];
        paths.extend(names.map(|name| format!("{path}:{name}")));
        let start = thrown(&scene.model, Vec3::new(0.5, 0.3, 0.0), Vec3::z() * 0.8);
        check_from(&scene.model, &paths, &start, (settings(rule), 4), "a ball that slides");
    }
    // Of tissue, whose rows are differenced apart from its elements.
    let (mut model, behavior) = ground(0.2);
    model[behavior].law.stribeck = Stribeck { static_friction: 0.4, velocity: 0.5, viscous: 0.1 };
    let mesh = grid(BeamElement::Hex, [1, 1, 1], [0.1, 0.1, 0.05], Vec3::new(0.0, 0.0, -1e-4));
    let law = MaterialSpec::from_name("neo_hookean").unwrap();
    let fem = model.add(FemModel::new("tissue", mesh, 1050.0, law));
    let paths = vec![
        format!("{}:material.youngs_modulus", model.path(fem)),
        format!("{}:stribeck_velocity", model.path(behavior)),
    ];
    let start = thrown(&model, Vec3::new(0.5, 0.3, 0.0), Vec3::zeros());
    check_from(&model, &paths, &start, (settings(Integrator::BackwardEuler), 3), "tissue");
}

#[test]
fn contact_over_areas_of_tissue_is_refused_by_name() {
    let laws =
        [NormalLaw::Automatic, NormalLaw::ElasticFoundation, NormalLaw::LogarithmicFoundation];
    for law in laws {
        let (mut model, behavior) = ground(0.0);
        model[behavior].law.normal = law;
        let mesh = grid(BeamElement::Hex, [1, 1, 1], [0.1, 0.1, 0.05], Vec3::z() * -1e-4);
        let material = MaterialSpec::from_name("neo_hookean").unwrap();
        model.add(FemModel::new("tissue", mesh, 1050.0, material));
        let mut objective = |_: usize, _: &State, _: &CompiledModel, _: &mut StateVector| 0.0;
        let settings = settings(Integrator::BackwardEuler);
        let trajectory = Trajectory { model: &model, settings, step: H, steps: 2 };
        let error = trajectory.gradient(None, &[], &mut objective).unwrap_err().to_string();
        assert!(error.contains("areas of tissue"), "{error}");
    }
}

#[test]
fn adhesion_is_refused_by_name() {
    let (mut model, behavior) = ground(0.0);
    model[behavior].law.adhesion = Adhesion { force: 1.0, range: 1e-2, work: 0.0 };
    tripod(&mut model);
    let mut objective = |_: usize, _: &State, _: &CompiledModel, _: &mut StateVector| 0.0;
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model: &model, settings, step: H, steps: 2 };
    let error = trajectory.gradient(None, &[], &mut objective).unwrap_err().to_string();
    assert!(error.contains("adhesion of contacts"), "{error}");
}

#[test]
fn gradients_through_a_tie_are_those_of_the_steps() {
    let (mut model, _) = ground(0.3);
    let law = MaterialSpec::from_name("neo_hookean").unwrap();
    let blocks = [("lower", [1, 1, 1], -1e-4), ("upper", [2, 1, 1], 0.0499)];
    let [lower, upper] = blocks.map(|(name, cells, z)| {
        let mesh = grid(BeamElement::Hex, cells, [0.1, 0.1, 0.05], Vec3::z() * z);
        model.add(FemModel::new(name, mesh, 1050.0, law))
    });
    let tied = CollisionBehavior { tied: true, ..CollisionBehavior::new(upper, lower, 0.0) };
    model.add(tied);
    let mut paths: Vec<String> =
        [lower, upper].map(|fem| format!("{}:material.youngs_modulus", model.path(fem))).to_vec();
    paths.push(format!("{}:density", model.path(upper)));
    let start = thrown(&model, Vec3::new(0.2, 0.1, 0.0), Vec3::zeros());
    check_from(&model, &paths, &start, (settings(Integrator::BackwardEuler), 3), "tied blocks");
}

#[test]
fn gradients_at_the_end_of_a_range_are_those_of_the_steps() {
    let mut model = in_plane(9.81);
    let bar = model.add(solid_box("bar", 2.0, [0.6, 0.05, 0.05]).at(shift(0.3, 0.0, 0.0)));
    let stop = hinge(&mut model, [Some(bar), None], Vec3::zeros(), Vec3::z());
    model[stop].settings.coordinates[0].range = Range { lower: Some(0.0), upper: None };
    let free = model.add(solid_box("end", 1.0, [0.4, 0.05, 0.05]).at(shift(0.8, 0.0, 0.0)));
    hinge(
        &mut model,
        [Some(free), Some(bar)],
        Vec3::x() * 0.6,
        Vec3::new(0.0, 0.3, 1.0).normalize(),
    );
    let above = (Vec3::new(0.5, 0.6, 0.0), free, Vec3::x() * -0.1);
    let line = muscle(&mut model, above, constant(5.0));
    let mut scene = Excitable { excited: vec![line.into()], model, level: 0.5 };
    let paths = excitations(&mut scene);
    check(&scene.model, &paths, (settings(Integrator::BackwardEuler), 4), "a bar at its stop");
}

#[test]
fn gradients_through_points_that_move_with_joints_are_those_of_the_steps() {
    let mut model = in_plane(9.81);
    let thigh = model.add(solid_box("thigh", 2.0, [0.4, 0.05, 0.05]).at(shift(0.2, 0.0, 0.0)));
    let shank = model.add(solid_box("shank", 2.0, [0.4, 0.05, 0.05]).at(shift(0.6, 0.0, 0.0)));
    hinge(&mut model, [Some(thigh), None], Vec3::zeros(), Vec3::z());
    let knee = hinge(&mut model, [Some(shank), Some(thigh)], Vec3::x() * 0.4, Vec3::z());
    let of = JointCoordinate::new(knee, "theta");
    let function = Function::Polynomial(vec![0.03, 0.05, -0.02]);
    let moves = vec![PointMove { axis: PointAxis::Y, of, function }];
    let point = model.add(FrameMarker { moves, ..FrameMarker::new(shank, Vec3::x() * 0.02) });
    let origin = model.add(Particle::new(1.0, Vec3::new(0.1, 0.3, 0.0)).fixed());
    let mut line = AxialSpring::with_law([PointRef::from(origin), point.into()], constant(60.0));
    line.rest_length = 0.3;
    let mut scene = Excitable { excited: vec![model.add(line).into()], model, level: 0.5 };
    let paths = excitations(&mut scene);
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        check(&scene.model, &paths, (settings(rule), 4), "a moving point");
    }
}

#[test]
fn gradients_through_couplings_with_inertia_are_those_of_the_steps() {
    let (mut scene, coordinate) = pendulum([2.0, 1.0]);
    let rotor = JointCoordinateCoupling {
        compliance: Compliance { compliance: 0.05, damping: 0.1 },
        inertia: 0.02,
        ..JointCoordinateCoupling::linear([(coordinate, 3.0)])
    };
    let rotor = scene.model.add(rotor);
    let mut paths = excitations(&mut scene);
    paths.push(format!("{}:inertia", scene.model.path(rotor)));
    for rule in [Integrator::BackwardEuler, Integrator::Trapezoidal] {
        check(&scene.model, &paths, (settings(rule), 4), "a rotor");
    }
}

#[test]
fn impacts_with_restitution_are_refused_by_name() {
    let (mut model, behavior) = ground(0.0);
    model[behavior].law.restitution = 0.5;
    tripod(&mut model);
    let start = thrown(&model, Vec3::z() * -1.0, Vec3::zeros());
    let mut objective = |_: usize, _: &State, _: &CompiledModel, _: &mut StateVector| 0.0;
    let settings = settings(Integrator::BackwardEuler);
    let trajectory = Trajectory { model: &model, settings, step: H, steps: 2 };
    let error = trajectory.gradient(Some(&start), &[], &mut objective).unwrap_err();
    assert!(matches!(error, AdjointError::Touching { .. }), "{error}");
    assert!(error.to_string().contains("springs back"), "{error}");
}
