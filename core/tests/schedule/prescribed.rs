//! Particles, bodies, nodes of tissues and locked coordinates whose motion probes prescribe: their velocities act on what
//! touches them, against closed forms.

use std::f64::consts::FRAC_PI_2;

use nalgebra::UnitQuaternion;
use sinew::axial::AxialLaw;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::fem::{ElementKind, grid_mesh};
use sinew::geometry::cuboid_mesh;
use sinew::material::MaterialSpec;
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, Dirichlet, FemModel, FrameMarker, FrameSite, Inertia,
    Joint, Keyframe, KeyframeInterpolation, LinearAxial, Model, Particle, PointKeyframe, PointRef,
    RigidBody,
};
use sinew::schedule::{InputProbe, OutputProbe, SampleTimes, Scheduler};
use sinew::{Mat3, Vec3};

use super::scenes::{Rows, default_run, real, state, vector};

const G: f64 = 9.8;
const H: f64 = 0.01;

/// Feeds a property with a function of time.
fn prescribe(run: &mut Scheduler, path: &str, place: impl Fn(f64) -> Vec3 + Send + 'static) {
    let property = run.simulation_mut().property(path).unwrap();
    let signal = move |t: f64, values: &mut [f64]| values.copy_from_slice(place(t).as_slice());
    run.add_input_probe(InputProbe::new("motion", vec![property], Box::new(signal)).unwrap());
}

fn without_weight() -> Model {
    let mut model = Model::new("m");
    model.set_gravity(Vec3::zeros());
    model
}

/// A dashpot pulls a free particle after one that is prescribed.
#[test]
fn a_dashpot_feels_the_velocity_of_a_prescribed_particle() {
    let (speed, mass, damping) = (0.3, 2.0, 5.0);
    let mut model = without_weight();
    let hand = model.add(Particle::new(1.0, Vec3::zeros()).fixed().named("hand"));
    let free = Particle { point_damping: Some(0.0), ..Particle::new(mass, Vec3::x() * -0.5) };
    let free = model.add(free.named("free"));
    let dashpot = LinearAxial { stiffness: 0.0, damping, rest_length: 0.5 };
    model.add(AxialSpring::new([free, hand], dashpot));
    let mut run = default_run(model, H);
    let at = move |t: f64| Vec3::new(0.1 + speed * t, 0.0, 0.0);
    prescribe(&mut run, "/models/m/particles/hand:position", at);
    let mut expected = 0.0;
    let mut structure = None;
    for k in 1..=50 {
        run.step().unwrap();
        let place = vector(&mut run, "/models/m/particles/hand:position");
        assert!((place - at(f64::from(k) * H)).norm() < 1e-14, "{place}");
        let velocity = vector(&mut run, "/models/m/particles/hand:velocity");
        assert!((velocity - Vec3::x() * speed).norm() < 1e-11, "{velocity}");
        // Backward Euler of m v' = c (V - v).
        let rate = H * damping / mass;
        expected = (expected + rate * speed) / (1.0 + rate);
        let now = vector(&mut run, "/models/m/particles/free:velocity").x;
        assert!((now - expected).abs() < 1e-9, "{now} {expected}");
        let known = *structure.get_or_insert(run.simulation().structure());
        assert_eq!(run.simulation().structure(), known, "nothing is compiled anew");
    }
}

/// Nodes of a block of tissue run off under a box at a constant speed.
#[test]
fn prescribed_nodes_take_a_box_along_by_friction() {
    let (speed, friction) = (0.25, 0.4);
    let mut model = Model::new("m");
    model.set_gravity(Vec3::z() * -G);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let mesh = grid_mesh([2, 2, 1], ElementKind::Hex8, |p| p.component_mul(&half)).unwrap();
    let nodes = (0..mesh.nodes.len() as u32).collect();
    let law = MaterialSpec::from_name("linear").unwrap();
    let mut block = FemModel::new("block", mesh, 1000.0, law);
    block.dirichlet.push(Dirichlet::fix(nodes));
    model.add(block);
    let size = Vec3::new(0.3, 0.3, 0.04);
    let place = Pose::translation(0.0, 0.0, 0.05 + 0.02);
    let on = RigidBody::from_mesh("box", cuboid_mesh(&size).unwrap(), 500.0).at(place);
    let on = model.add(on);
    model.add(Collider::boxed(on, size * 0.5));
    model.add(CollisionBehavior::everything(friction));
    let mut run = default_run(model, H);
    prescribe(&mut run, "/models/m/fem_models/block/supports/0:offset", move |t| {
        Vec3::x() * speed * t
    });
    for k in 1..=20 {
        run.step().unwrap();
        let time = f64::from(k) * H;
        let node = vector(&mut run, "/models/m/fem_models/block/nodes/3:displacement");
        assert!((node - Vec3::x() * speed * time).norm() < 1e-14, "{node}");
        let velocity = vector(&mut run, "/models/m/rigid_bodies/box:velocity").x;
        let expected = (friction * G * time).min(speed);
        assert!((velocity - expected).abs() < 2e-3 * speed, "{time}: {velocity} {expected}");
    }
}

/// Supports get other numbers in a run: what a probe has set of one is no setting of another.
#[test]
fn a_support_that_is_taken_away_in_a_run_leaves_the_next_one_as_it_was_at_the_start() {
    let mut model = without_weight();
    let mesh = grid_mesh([1, 1, 1], ElementKind::Hex8, |p| p * 0.1).unwrap();
    let law = MaterialSpec::from_name("linear").unwrap();
    let mut block = FemModel::new("block", mesh, 1000.0, law);
    block.dirichlet = [[0, 1, 2, 3], [4, 5, 6, 7]].map(|it| Dirichlet::fix(it.to_vec())).to_vec();
    let fem = model.add(block);
    let before = model[fem].dirichlet.clone();
    let mut run = default_run(model, H);
    let supports = "/models/m/fem_models/block/supports";
    prescribe(&mut run, &format!("{supports}/0:offset"), |t| Vec3::z() * 0.1 * t);
    run.step().unwrap();
    assert_ne!(run.simulation().model()[fem].dirichlet, before, "the probe leads it");
    let take = format!("remove_support {supports}/0").parse().unwrap();
    run.simulation_mut().apply(&take).unwrap();
    assert_eq!(run.simulation().model()[fem].dirichlet, before[1..]);
    run.simulation_mut().reset().unwrap();
    assert_eq!(run.simulation().model()[fem].dirichlet, before[1..]);
    run.simulation_mut().undo().unwrap();
    assert_eq!(run.simulation().model()[fem].dirichlet, before);
}

/// A box rides on a plate whose acceleration is below that of friction, and slips on a faster one.
#[test]
fn a_prescribed_body_takes_a_box_along_as_fast_as_friction_lets_it() {
    let friction = 0.3;
    for (acceleration, expected) in [(0.5 * friction * G, 0.5 * friction * G), (6.0, friction * G)]
    {
        let mut model = Model::new("m");
        model.set_gravity(Vec3::z() * -G);
        let wide = Vec3::new(2.0, 0.5, 0.1);
        let plate = RigidBody::from_mesh("plate", cuboid_mesh(&wide).unwrap(), 1e3).fixed();
        let plate = model.add(plate);
        model.add(Collider::boxed(plate, wide * 0.5));
        let size = Vec3::repeat(0.1);
        let place = Pose::translation(0.0, 0.0, 0.1);
        let on = model.add(RigidBody::from_mesh("box", cuboid_mesh(&size).unwrap(), 1e3).at(place));
        model.add(Collider::boxed(on, size * 0.5));
        model.add(CollisionBehavior::everything(friction));
        let mut run = default_run(model, H);
        let path = "/models/m/rigid_bodies/plate:position";
        prescribe(&mut run, path, move |t| Vec3::x() * (0.5 * acceleration * t * t));
        run.advance(0.3).unwrap();
        let velocity = vector(&mut run, "/models/m/rigid_bodies/box:velocity").x;
        // Friction sees the mean velocity of the last step, that of its middle.
        let allowed = acceleration * H;
        assert!((velocity - expected * 0.3).abs() < allowed, "{velocity} {}", expected * 0.3);
        let plate = vector(&mut run, "/models/m/rigid_bodies/plate:velocity").x;
        assert!((plate - acceleration * 0.3).abs() < 1e-9, "{plate}");
    }
}

/// A slider whose coordinate is prescribed: the force along it is mass times acceleration, from the first step on.
#[test]
fn the_reaction_of_a_prescribed_slider_is_its_inertia_and_weight() {
    let (mass, acceleration) = (3.0, 1.5);
    let mut model = Model::new("m");
    model.set_gravity(Vec3::z() * -G);
    let inertia = SpatialInertia::new(mass, Vec3::zeros(), Mat3::from_diagonal_element(0.1));
    let sled = model.add(RigidBody::new("sled", Inertia::Explicit(inertia.unwrap())));
    let along_x = Pose::rotation(Vec3::y() * FRAC_PI_2);
    let (c, d) = (FrameSite::on(sled, along_x), FrameSite::ground(along_x));
    let mut rail = Joint::new(JointKind::Slider, c, d).named("rail");
    rail.settings.coordinates[0].locked = true;
    model.add(rail);
    let mut run = default_run(model, H);
    let path = "/models/m/connectors/rail:coordinate.z.value";
    let property = run.simulation_mut().property(path).unwrap();
    let signal = move |t: f64, values: &mut [f64]| values[0] = 0.5 * acceleration * t * t;
    run.add_input_probe(InputProbe::new("motion", vec![property], Box::new(signal)).unwrap());
    let rows = Rows::default();
    let recorded = run.simulation_mut().property("/models/m/connectors/rail:force").unwrap();
    let probe =
        OutputProbe::new("force", SampleTimes::every(0.0), vec![recorded], Box::new(rows.clone()));
    run.add_output_probe(probe.unwrap());
    let force = |run: &mut Scheduler| vector(run, "/models/m/connectors/rail:force");
    for k in 1..=30 {
        run.step().unwrap();
        let time = f64::from(k) * H;
        let place = vector(&mut run, "/models/m/rigid_bodies/sled:position").x;
        assert!((place - 0.5 * acceleration * time * time).abs() < 1e-9, "{place}");
        assert!((real(&mut run, path) - place).abs() < 1e-9);
        let expected = Vec3::new(mass * acceleration, 0.0, mass * G);
        let read = force(&mut run);
        assert!((read - expected).norm() < 1e-5, "{k}: {read} {expected}");
    }
    // The first row is m a(0), before any step.
    let (time, first) = rows.all().swap_remove(0);
    let off = Vec3::from_column_slice(&first) - Vec3::new(mass * acceleration, 0.0, mass * G);
    assert!(time == 0.0 && off.norm() < 1e-6, "{time} {first:?}");
}

/// A muscle with a tendon begins at the place of its prescribed end, and a run comes the same way again.
#[test]
fn what_is_prescribed_starts_where_the_probe_has_it_and_comes_the_same_way_again() {
    let (origin, speed) = (0.05, 0.2);
    let model = |at: f64, velocity: f64| {
        let mut model = without_weight();
        let body = RigidBody::from_mesh("bone", cuboid_mesh(&Vec3::repeat(0.05)).unwrap(), 1e3);
        let place = Pose::translation(at, 0.0, 0.0);
        let bone = model.add(body.at(place).fixed());
        model[bone].velocity = Vec3::x() * velocity;
        let tip = model.add(FrameMarker::new(bone, Vec3::zeros()).named("tip"));
        let free = Particle::new(0.5, Vec3::x() * -0.3).named("free");
        let free = model.add(free);
        let law = AxialLaw::from_name("millard2012").unwrap();
        model.add(AxialSpring::with_law([PointRef::from(free), tip.into()], law).named("muscle"));
        model
    };
    let muscle = "/models/m/axial_springs/muscle:length";
    // The same by a body that keeps its velocity.
    let mut expected = default_run(model(origin, speed), H);
    let mut run = default_run(model(0.0, 0.0), H);
    let path = "/models/m/rigid_bodies/bone:position";
    prescribe(&mut run, path, move |t| Vec3::x() * (origin + speed * t));
    run.add_waypoint(0.1, false).unwrap();
    for _ in 0..20 {
        run.step().unwrap();
        expected.step().unwrap();
        let [length, known] = [&mut run, &mut expected].map(|run| real(run, muscle));
        assert!((length - known).abs() < 1e-12, "{length} {known}");
    }
    let end = state(&mut run);
    run.rewind(0.1).unwrap();
    run.advance(0.2).unwrap();
    assert_eq!(state(&mut run), end);
    run.reset().unwrap();
    let bone = run.simulation().model().find_handle::<RigidBody>("/models/m/rigid_bodies/bone");
    assert!(run.simulation().model()[bone.unwrap()].keyframes.is_empty(), "put back");
    run.advance(0.2).unwrap();
    assert_eq!(state(&mut run), end);
}

/// Reaction of a part of mass m that goes a t² / 2 along x against weight: m a from the first step on.
fn check_pull(read: Vec3, k: usize, mass: f64, acceleration: f64) {
    let expected = Vec3::new(mass * acceleration, 0.0, mass * G);
    assert!((read - expected).norm() < 1e-6 * expected.norm(), "step {k}: {read} {expected}");
}

/// A slider that is driven as a whole: a particle, a body with its centre of mass off its origin, a block of tissue. A waypoint
/// brings back the reaction too.
#[test]
fn the_reaction_of_a_driven_slider_is_its_inertia_and_weight() {
    let acceleration = 1.5;
    let along = move |t: f64| Vec3::x() * (0.5 * acceleration * t * t);
    let mut model = Model::new("m");
    model.set_gravity(Vec3::z() * -G);
    model.add(Particle::new(2.0, Vec3::zeros()).fixed().named("p"));
    let inertia = SpatialInertia::new(3.0, Vec3::y() * 0.2, Mat3::from_diagonal_element(0.1));
    model.add(RigidBody::new("b", Inertia::Explicit(inertia.unwrap())).fixed());
    let mesh = grid_mesh([2, 1, 1], ElementKind::Hex8, |p| p * 0.1).unwrap();
    let count = mesh.nodes.len() as u32;
    let law = MaterialSpec::from_name("linear").unwrap();
    let mut block = FemModel::new("f", mesh, 1000.0, law);
    block.dirichlet.push(Dirichlet::fix((0..count).collect()));
    model.add(block);
    let mut run = default_run(model, H);
    prescribe(&mut run, "/models/m/particles/p:position", along);
    prescribe(&mut run, "/models/m/rigid_bodies/b:position", along);
    prescribe(&mut run, "/models/m/fem_models/f/supports/0:offset", along);
    run.add_waypoint(0.1, false).unwrap();
    for k in 1..=20 {
        run.step().unwrap();
        check_pull(vector(&mut run, "/models/m/particles/p:reaction"), k, 2.0, acceleration);
        check_pull(vector(&mut run, "/models/m/rigid_bodies/b:reaction"), k, 3.0, acceleration);
        let node = |n: u32| format!("/models/m/fem_models/f/nodes/{n}");
        let total: Vec3 = (0..count).map(|n| vector(&mut run, &(node(n) + ":reaction"))).sum();
        let mass = (0..count).map(|n| real(&mut run, &(node(n) + ":mass"))).sum();
        check_pull(total, k, mass, acceleration);
        let moment = vector(&mut run, "/models/m/rigid_bodies/b:reaction_moment");
        assert!(moment.norm() < 1e-6, "{moment}");
    }
    run.rewind(0.1).unwrap();
    check_pull(vector(&mut run, "/models/m/rigid_bodies/b:reaction"), 10, 3.0, acceleration);
}

/// Turned evenly about an axis that is none of its principal ones, a body is held by w x I w; sped up about a principal one,
/// by I times the angular acceleration.
#[test]
fn the_reaction_moment_of_a_driven_body_changes_its_angular_momentum() {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.2, 0.5, 0.4));
    let body = |name: &str| {
        let it = SpatialInertia::new(1.0, Vec3::zeros(), inertia).unwrap();
        RigidBody::new(name, Inertia::Explicit(it)).fixed()
    };
    let mut model = without_weight();
    let axis = Vec3::new(1.0, 1.0, 0.0).normalize() * 2.0;
    let even = model.add(body("even"));
    model[even].angular_velocity = axis;
    model.add(body("sped"));
    let h = 1e-4;
    let mut run = default_run(model, h);
    let path = "/models/m/rigid_bodies/sped:pose";
    let property = run.simulation_mut().property(path).unwrap();
    let signal = |t: f64, values: &mut [f64]| {
        let half = 0.5 * (0.5 * 3.0 * t * t);
        values.copy_from_slice(&[0.0, 0.0, 0.0, 0.0, 0.0, f64::sin(half), f64::cos(half)]);
    };
    run.add_input_probe(InputProbe::new("turn", vec![property], Box::new(signal)).unwrap());
    run.advance(100.0 * h).unwrap();
    let moment = vector(&mut run, "/models/m/rigid_bodies/sped:reaction_moment");
    // Rounding of quaternions over the square of a fifth of the step, some 50 times over.
    assert!((moment - Vec3::z() * (0.4 * 3.0)).norm() < 1e-4, "{moment}");
    let turn = UnitQuaternion::new(axis * (100.0 * h)).to_rotation_matrix();
    let expected = axis.cross(&(turn * inertia * turn.transpose() * axis));
    let moment = vector(&mut run, "/models/m/rigid_bodies/even:reaction_moment");
    assert!((moment - expected).norm() < 1e-3 * expected.norm(), "{moment} {expected}");
}

/// Keyframes of a parabola, a t² / 2 along x at eleven times.
fn parabola(acceleration: f64) -> Vec<PointKeyframe> {
    let frame = |k: i32| {
        let time = 0.1 * f64::from(k);
        PointKeyframe { time, position: Vec3::x() * (0.5 * acceleration * time * time) }
    };
    (0..=10).map(frame).collect()
}

/// Curved keyframes of a particle, nodes and a body: the spline through a parabola is that parabola, so that the reaction of
/// what is driven is its mass times its acceleration at every step, and none of it rests between keyframes as an even motion does.
#[test]
fn curved_keyframes_give_velocities_and_accelerations_of_the_curve() {
    let acceleration = 1.5;
    let spline = KeyframeInterpolation::Spline;
    let mut model = Model::new("m");
    model.set_gravity(Vec3::z() * -G);
    let particle = Particle::new(2.0, Vec3::zeros()).prescribed(parabola(acceleration));
    model.add(Particle { keyframe_interpolation: spline, ..particle.named("p") });
    let inertia = SpatialInertia::new(3.0, Vec3::y() * 0.2, Mat3::from_diagonal_element(0.1));
    let mut body = RigidBody::new("b", Inertia::Explicit(inertia.unwrap())).fixed();
    let pose = |at: &PointKeyframe| Pose::from_parts(at.position.into(), Default::default());
    let frame = |at: &PointKeyframe| Keyframe { time: at.time, pose: pose(at) };
    body.keyframes = parabola(acceleration).iter().map(frame).collect();
    body.keyframe_interpolation = spline;
    model.add(body);
    let mesh = grid_mesh([2, 1, 1], ElementKind::Hex8, |p| p * 0.1).unwrap();
    let count = mesh.nodes.len() as u32;
    let law = MaterialSpec::from_name("linear").unwrap();
    let mut block = FemModel::new("f", mesh, 1000.0, law);
    let mut support = Dirichlet::fix((0..count).collect());
    (support.keyframes, support.keyframe_interpolation) = (parabola(acceleration), spline);
    block.dirichlet.push(support);
    model.add(block);
    let mut run = default_run(model, H);
    let start = vector(&mut run, "/models/m/particles/p:velocity");
    assert!(start.norm() < 1e-5, "it begins at rest: {start}");
    for k in 1..=90 {
        run.step().unwrap();
        let time = k as f64 * H;
        let paths = [
            "particles/p:position",
            "rigid_bodies/b:position",
            "fem_models/f/nodes/0:displacement",
        ];
        for path in paths {
            let place = vector(&mut run, &format!("/models/m/{path}")).x;
            let expected = 0.5 * acceleration * time * time;
            assert!((place - expected).abs() < 1e-12, "{path} {time}: {place} {expected}");
        }
        for path in
            ["particles/p:velocity", "rigid_bodies/b:velocity", "fem_models/f/nodes/0:velocity"]
        {
            let velocity = vector(&mut run, &format!("/models/m/{path}")).x;
            let expected = acceleration * time;
            assert!((velocity - expected).abs() < 1e-9, "{path} {time}: {velocity} {expected}");
        }
        check_pull(vector(&mut run, "/models/m/particles/p:reaction"), k, 2.0, acceleration);
        check_pull(vector(&mut run, "/models/m/rigid_bodies/b:reaction"), k, 3.0, acceleration);
    }
    // After the last keyframe it rests.
    run.advance(1.2).unwrap();
    assert_eq!(vector(&mut run, "/models/m/particles/p:velocity"), Vec3::zeros());
}

/// A damper sees the velocity of a curved path, and goes on by no jerk at keyframes.
#[test]
fn a_dashpot_feels_the_velocity_of_a_curved_path() {
    let (mass, damping, acceleration) = (2.0, 5.0, 0.8);
    let mut model = without_weight();
    let hand = Particle::new(1.0, Vec3::zeros()).prescribed(parabola(acceleration)).named("hand");
    let keyframe_interpolation = KeyframeInterpolation::Spline;
    let hand = model.add(Particle { keyframe_interpolation, ..hand });
    let free = Particle { point_damping: Some(0.0), ..Particle::new(mass, Vec3::x() * -0.5) };
    let free = model.add(free.named("free"));
    let dashpot = LinearAxial { stiffness: 0.0, damping, rest_length: 0.5 };
    model.add(AxialSpring::new([free, hand], dashpot));
    let mut run = default_run(model, H);
    let mut expected = 0.0;
    for k in 1..=80 {
        run.step().unwrap();
        // Backward Euler of m v' = c (a t - v), the velocity of the hand that of the middle of the step.
        let rate = H * damping / mass;
        let speed = acceleration * (f64::from(k) - 0.5) * H;
        expected = (expected + rate * speed) / (1.0 + rate);
        let now = vector(&mut run, "/models/m/particles/free:velocity").x;
        assert!((now - expected).abs() < 1e-9, "{k}: {now} {expected}");
    }
}

/// A body that is turned by curved keyframes about a principal axis, a t² / 2: I times the angular acceleration, up to the
/// curvature of quaternions between keyframes.
#[test]
fn curved_keyframes_of_a_turn_have_its_angular_acceleration() {
    let (moment, acceleration, step) = (0.4, 3.0, 1e-3);
    let inertia = Mat3::from_diagonal(&Vec3::new(0.2, 0.5, moment));
    let mut body = RigidBody::new(
        "b",
        Inertia::Explicit(SpatialInertia::new(1.0, Vec3::zeros(), inertia).unwrap()),
    )
    .fixed();
    let frame = |k: i32| {
        let time = 0.05 * f64::from(k);
        let pose = Pose::rotation(Vec3::z() * (0.5 * acceleration * time * time));
        Keyframe { time, pose }
    };
    body.keyframes = (0..=40).map(frame).collect();
    body.keyframe_interpolation = KeyframeInterpolation::Spline;
    let mut model = without_weight();
    model.add(body);
    let mut run = default_run(model, step);
    run.advance(0.2).unwrap();
    let mut most = 0.0f64;
    for _ in 0..1000 {
        run.step().unwrap();
        let read = vector(&mut run, "/models/m/rigid_bodies/b:reaction_moment");
        most = most.max((read - Vec3::z() * (moment * acceleration)).norm());
    }
    // Quaternions change by the fourth derivative of sin(3 t² / 4) times the square of an interval over 12 at most.
    assert!(most < 2e-2 * moment * acceleration, "{most}");
    let pose = vector(&mut run, "/models/m/rigid_bodies/b:orientation").z;
    assert!((pose - 0.5 * acceleration * 1.2 * 1.2).abs() < 1e-5, "{pose}");
}
