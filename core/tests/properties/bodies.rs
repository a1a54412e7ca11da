//! Properties of bodies, joints and springs in a state of the simulation, against values known
//! otherwise.

use std::f64::consts::FRAC_PI_2;

use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::component::{Affine, ComponentType, Handle};
use sinew::constraint::{JointKind, PointConstraint, Pose};
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Anchor, Attachment, Edit, FrameMarker, FrameSite, FrameSpring, Joint, LinearAxial, Master,
    Model, MultiPointSpring, Particle, PointConstrainer, RenderMesh, RigidBody,
};
use sinew::property::PropertyError;
use sinew::schedule::Simulation;
use sinew::simulated::Simulated;
use sinew::solve::SolverSettings;
use sinew::system::MechSystem;
use sinew::{Mat3, Vec3, model::AxialSpring};

const G: f64 = 9.8;
const STEP: f64 = 0.005;

fn numbers(run: &mut Simulation, path: &str) -> Vec<f64> {
    let property = run.property(path).unwrap();
    run.get(&property).unwrap().numbers().collect()
}

fn number(run: &mut Simulation, path: &str) -> f64 {
    numbers(run, path)[0]
}

fn vector(run: &mut Simulation, path: &str) -> Vec3 {
    Vec3::from_column_slice(&numbers(run, path))
}

fn near(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * a.abs().max(b.abs()), "{what}: {a} {b}");
}

/// z along y of the world.
fn about_y(x: f64) -> Pose {
    Pose::new(Vec3::new(x, 0.0, 0.0), Vec3::x() * -FRAC_PI_2)
}

/// A rod of 0.2 m along x, hinged at the origin about y, to the ground or to a body there.
fn pendulum(post: Option<RigidBody>) -> (Model, Handle<RigidBody>) {
    let mut model = Model::new("m");
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.04, 0.04)).unwrap();
    let rod = RigidBody::from_mesh("rod", mesh, 1000.0).at(Pose::translation(0.1, 0.0, 0.0));
    let rod = model.add(rod);
    let d = match post {
        None => FrameSite::ground(about_y(0.0)),
        Some(post) => FrameSite::on(model.add(post), about_y(0.0)),
    };
    model.add(Joint::new(JointKind::Hinge, FrameSite::on(rod, about_y(-0.1)), d).named("hinge"));
    (model, rod)
}

fn run(model: Model, steps: usize) -> Simulation {
    let mut run = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..steps {
        run.step(STEP).unwrap();
    }
    run
}

#[test]
fn a_pendulum_reads_its_angle_its_speed_and_what_its_hinge_carries() {
    let mut simulation = run(pendulum(None).0, 0);
    let hinge = "/models/m/connectors/hinge";
    // Probes read it before the first step: at rest it carries what is left of the weight by the acceleration there.
    let first = vector(&mut simulation, &format!("{hinge}:force"));
    let share = 1.0 - 0.01 / (0.01 + (0.2 * 0.2 + 0.04 * 0.04) / 12.0);
    assert!((first - Vec3::z() * (share * 0.32 * G)).norm() < 1e-9, "{first}");
    assert_eq!(numbers(&mut simulation, &format!("{hinge}:multipliers")).len(), 5);
    simulation.step(STEP).unwrap();
    let (mass, rod) = (0.32, "/models/m/rigid_bodies/rod");
    for k in 0..60 {
        // Its frame is at its centre of mass.
        let before = vector(&mut simulation, &format!("{rod}:velocity"));
        simulation.step(STEP).unwrap();
        let at = |name: &str| format!("{rod}:{name}");
        let (x, v) =
            (vector(&mut simulation, &at("position")), vector(&mut simulation, &at("velocity")));
        let angular_velocity = vector(&mut simulation, &at("angular_velocity"));
        let angle = number(&mut simulation, &format!("{hinge}:coordinates"));
        // About y from x towards -z.
        assert!((angle - (-x.z).atan2(x.x)).abs() < 1e-8, "step {k}: {angle}");
        assert_eq!(number(&mut simulation, &format!("{hinge}:coordinate.theta.value")), angle);
        let speed = number(&mut simulation, &format!("{hinge}:speeds"));
        assert!(
            (speed - angular_velocity.y).abs() < 1e-12 * (1.0 + speed),
            "step {k}: {speed} {angular_velocity}"
        );
        let errors = numbers(&mut simulation, &format!("{hinge}:errors"));
        assert!(errors.iter().all(|error| error.abs() < 1e-9), "{errors:?}");
        // What changes the momentum, but for the weight.
        let force = vector(&mut simulation, &format!("{hinge}:force"));
        let expected = (v - before) * (mass / STEP) + Vec3::z() * (mass * G);
        assert!((force - expected).norm() < 1e-7 * expected.norm(), "step {k}: {force} {expected}");
        // A hinge leaves its axis free, and in the plane of a motion there is no other moment.
        let moment = vector(&mut simulation, &format!("{hinge}:moment"));
        assert!(moment.norm() < 1e-9, "step {k}: {moment}");
        assert_eq!(numbers(&mut simulation, &format!("{hinge}:multipliers")).len(), 5);
        let momentum = vector(&mut simulation, &at("momentum"));
        assert!((momentum - v * mass).norm() < 1e-14, "{momentum}");
        // A box: m (b² + c²) / 12.
        let moment_of_inertia = mass * (0.2 * 0.2 + 0.04 * 0.04) / 12.0;
        let own_momentum = vector(&mut simulation, &at("angular_momentum"));
        assert!(
            (own_momentum - angular_velocity * moment_of_inertia).norm() < 1e-14,
            "{own_momentum}"
        );
        let kinetic =
            0.5 * (mass * v.norm_squared() + moment_of_inertia * angular_velocity.norm_squared());
        near(number(&mut simulation, &at("kinetic_energy")), kinetic, 1e-12, "kinetic energy");
    }
    let energy = number(&mut simulation, "/:energy");
    let state = simulation.state().unwrap().clone();
    near(energy, simulation.compiled().energies(&state).total(), 1e-12, "energy");
    assert!(number(&mut simulation, &format!("{hinge}:coordinates")) > 1.0, "it has swung");
}

#[test]
fn a_joint_that_turns_on_counts_from_its_start_and_pushes_both_ways() {
    let (mut model, rod) = pendulum(None);
    let hinge = model.first::<Joint>().unwrap();
    let (c, d) = (model[hinge].c, model[hinge].d);
    model[hinge].enabled = false;
    let other = Joint::new(JointKind::Hinge, d, c).named("other");
    model.add(other);
    let mut simulation = run(model, 2);
    let before = vector(&mut simulation, "/models/m/rigid_bodies/rod:velocity");
    simulation.step(STEP).unwrap();
    let after = vector(&mut simulation, "/models/m/rigid_bodies/rod:velocity");
    let force = vector(&mut simulation, "/models/m/connectors/other:force");
    let on_rod = (after - before) * (0.32 / STEP) + Vec3::z() * (0.32 * G);
    assert!((force + on_rod).norm() < 1e-7 * on_rod.norm(), "on the ground: {force} {on_rod}");
    let angle = number(&mut simulation, "/models/m/connectors/other:coordinates");
    assert!(angle < 0.0, "the ground against the rod: {angle}");
    let disabled = simulation.property("/models/m/connectors/hinge:force").unwrap();
    assert!(simulation.get(&disabled).is_err());
    assert!(simulation.compiled().body_rows(rod).is_some());
}

#[test]
fn a_fixed_body_bears_the_weight_of_what_hangs_on_it() {
    let mesh = cuboid_mesh(&Vec3::new(0.1, 0.1, 0.1)).unwrap();
    let post = RigidBody::from_mesh("post", mesh, 1000.0).fixed();
    let (mut model, rod) = pendulum(Some(post));
    // Hanging still, with a weight of 0.1 kg on it.
    model[rod].pose = Pose::new(Vec3::new(0.0, 0.0, -0.1), Vec3::y() * FRAC_PI_2);
    let weight = model.add(Particle::new(0.1, Vec3::new(0.0, 0.0, -0.2)).named("weight"));
    model.add(Attachment::new(vec![weight.into()], Master::Body(rod)));
    let mut simulation = run(model, 3);
    let of =
        |run: &mut Simulation, name: &str| vector(run, &format!("/models/m/rigid_bodies/{name}"));
    let reaction = of(&mut simulation, "post:reaction");
    // 1 kg of its own, 0.32 kg and 0.1 kg; momenta are balanced to 1e-9.
    assert!((reaction - Vec3::z() * (1.42 * G)).norm() < 1e-7, "{reaction}");
    assert!(of(&mut simulation, "post:reaction_moment").norm() < 1e-7);
    // A surface that was integrated.
    let force = of(&mut simulation, "post:force");
    assert!((force + Vec3::z() * G).norm() < 1e-13, "{force}");
    assert_eq!(of(&mut simulation, "rod:reaction"), Vec3::zeros());
    let force = of(&mut simulation, "rod:force");
    assert!((force + Vec3::z() * (0.42 * G)).norm() < 1e-13, "with what is attached: {force}");
    assert!(of(&mut simulation, "rod:moment").norm() < 1e-13);
    assert_eq!(number(&mut simulation, "/models/m/particles/weight:mass"), 0.1);
    near(number(&mut simulation, "/:mass"), 1.42, 1e-12, "mass");
}

#[test]
fn a_rod_that_holds_a_particle_carries_its_weight() {
    let mut model = Model::new("m");
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let bob = model.add(Particle::new(0.5, Vec3::new(0.0, 0.0, -0.3)));
    let kind = PointConstraint::AtDistance { length: 0.3 };
    let anchor = Anchor::Frame(FrameSite::ground(Pose::identity()));
    model.add(PointConstrainer::new(kind, bob, anchor).named("rod"));
    let mut simulation = run(model, 2);
    let rod = "/models/m/constrainers/rod";
    let force = vector(&mut simulation, &format!("{rod}:force"));
    // Rows are regularized by parts in 1e8.
    assert!((force - Vec3::z() * (0.5 * G)).norm() < 1e-6, "{force}");
    // It makes the distance smaller.
    near(number(&mut simulation, &format!("{rod}:multipliers")), -0.5 * G, 1e-6, "multiplier");
    assert!(number(&mut simulation, &format!("{rod}:errors")).abs() < 1e-10);
}

/// A free body with a frame spring, lines through markers, and a weight attached, moving; no gravity.
fn sprung() -> Model {
    let (mut model, rod) = pendulum(None);
    let hinge = model.first::<Joint>().unwrap();
    model[hinge].enabled = false;
    model[rod].velocity = Vec3::new(0.1, -0.2, 0.3);
    model[rod].angular_velocity = Vec3::new(2.0, -1.0, 3.0);
    let (c, d) =
        (FrameSite::on(rod, Pose::translation(0.1, 0.0, 0.0)), FrameSite::ground(about_y(0.15)));
    let spring = FrameSpring {
        stiffness: Vec3::new(30.0, 50.0, 20.0),
        rotary_stiffness: Vec3::new(0.3, 0.1, 0.2),
        damping: Vec3::new(0.3, 0.1, 0.2),
        rotary_damping: Vec3::new(1e-3, 2e-3, 3e-3),
        ..FrameSpring::new(c, d)
    };
    model.add(spring.named("bush"));
    model
}

#[test]
fn a_frame_spring_shows_what_it_pulls_with() {
    let mut model = sprung();
    model.set_gravity(Vec3::zeros());
    let mut simulation = run(model, 40);
    let of = |run: &mut Simulation, name: &str| vector(run, &format!("/models/m/{name}"));
    let (force, moment) = (
        of(&mut simulation, "frame_springs/bush:force"),
        of(&mut simulation, "frame_springs/bush:moment"),
    );
    let on_body = of(&mut simulation, "rigid_bodies/rod:force");
    assert!(force.norm() > 0.1 && (force - on_body).norm() < 1e-12, "{force} {on_body}");
    let turn = of(&mut simulation, "rigid_bodies/rod:orientation");
    let arm = nalgebra::UnitQuaternion::new(turn) * (Vec3::x() * 0.1);
    let about_center = of(&mut simulation, "rigid_bodies/rod:moment");
    assert!((moment + arm.cross(&force) - about_center).norm() < 1e-12, "{moment} {about_center}");
    let stored = number(&mut simulation, "/models/m/frame_springs/bush:strain_energy");
    let state = simulation.state().unwrap().clone();
    near(stored, simulation.compiled().energies(&state).strain, 1e-12, "strain energy");
}

#[test]
fn sums_of_the_root_are_those_of_a_system_with_bodies() {
    let mut model = sprung();
    let rod = model.first::<RigidBody>().unwrap();
    let weight = model.add(Particle::new(0.1, Vec3::new(0.15, 0.05, 0.02)));
    model.add(Attachment::new(vec![weight.into()], Master::Body(rod)));
    let free = model.add(Particle::new(0.2, Vec3::new(0.3, 0.2, 0.0)));
    model.add(Particle::new(0.4, Vec3::new(-3.0, 2.0, 1.0)).fixed());
    let markers = [0.05, -0.05].map(|x| model.add(FrameMarker::new(rod, Vec3::x() * x)).into());
    let law = AxialLaw::Linear(LinearSpring { stiffness: 20.0, damping: 0.1 });
    let points = vec![free.into(), markers[0], markers[1]];
    model.add(MultiPointSpring::new(points, law).named("line"));
    let cord = LinearAxial { stiffness: 15.0, damping: 0.0, rest_length: 0.1 };
    model.add(AxialSpring::new([weight, free], cord).named("cord"));
    let mut simulation = run(model, 30);
    let measured = {
        let state = simulation.state().unwrap().clone();
        let compiled = simulation.compiled();
        let momenta = [compiled.at(&state).momentum(), compiled.at(&state).angular_momentum()];
        (compiled.at(&state).measure(), momenta)
    };
    let (measured, [momentum, angular]) = measured;
    // Some hundred roundings.
    let mut check = |name: &str, expected: f64| {
        let sum = number(&mut simulation, &format!("/:{name}"));
        near(sum, expected, 1e-11, name);
        let lists =
            ["particles", "rigid_bodies", "axial_springs", "multi_point_springs", "frame_springs"];
        let parts = lists.map(|list| number(&mut simulation, &format!("/models/m/{list}:{name}")));
        assert!(
            (parts.iter().sum::<f64>() - sum).abs() < 1e-11 * (1.0 + sum.abs()),
            "{name}: {parts:?}"
        );
    };
    check("kinetic_energy", measured.energies.kinetic);
    check("gravitational_energy", measured.energies.gravitational);
    check("strain_energy", measured.energies.strain);
    check("mass", 0.32 + 0.1 + 0.2 + 0.4);
    for (name, expected) in [
        ("center_of_mass", measured.center_of_mass),
        ("momentum", momentum),
        ("angular_momentum", angular),
    ] {
        let sum = vector(&mut simulation, &format!("/:{name}"));
        assert!(
            (sum - expected).norm() < 1e-11 * (1.0 + expected.norm()),
            "{name}: {sum} {expected}"
        );
    }
    // The line, from where its points are.
    let state = simulation.state().unwrap().clone();
    let at = |point: sinew::model::PointRef| {
        let row = simulation.compiled().find_row(point).unwrap();
        (state.q[row], state.u[row])
    };
    let [(a, u), (b, v), (c, w)] = [at(free.into()), at(markers[0]), at(markers[1])];
    let length = (a - b).norm() + (b - c).norm();
    let rate = (u - v).dot(&(a - b).normalize()) + (v - w).dot(&(b - c).normalize());
    let line = |name: &str| format!("/models/m/multi_point_springs/line:{name}");
    near(number(&mut simulation, &line("length")), length, 1e-13, "length");
    near(number(&mut simulation, &line("length_rate")), rate, 1e-11, "rate");
    near(number(&mut simulation, &line("tension")), 20.0 * length + 0.1 * rate, 1e-11, "tension");
    near(number(&mut simulation, &line("strain_energy")), 10.0 * length * length, 1e-12, "energy");
}

#[test]
fn unknowns_are_those_of_what_is_free_to_move() {
    let (mut model, rod) = pendulum(None);
    assert_eq!(model.compile().unwrap().dof_count(), 6);
    model.add(FrameMarker::new(rod, Vec3::x()));
    let weight = model.add(Particle::new(0.1, Vec3::zeros()));
    assert_eq!(model.compile().unwrap().dof_count(), 9);
    model.add(Attachment::new(vec![weight.into()], Master::Body(rod)));
    assert_eq!(model.compile().unwrap().dof_count(), 6);
    model[rod].dynamic = false;
    assert_eq!(model.compile().unwrap().dof_count(), 0);
}

#[test]
fn bodies_that_were_not_compiled_show_nothing() {
    let (model, _) = pendulum(None);
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let mut later = model.clone();
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let new = later.add(RigidBody::from_mesh("new", mesh, 1000.0));
    let s = Simulated { model: &later, compiled: &compiled, state: &state };
    for name in ["momentum", "force", "reaction", "kinetic_energy"] {
        let property = later.property_of(new, name).unwrap();
        assert!(matches!(s.get_property(&property), Err(PropertyError::Absent { .. })), "{name}");
    }
}

#[test]
fn one_on_a_body_goes_with_it_and_is_deformed_as_the_surface_of_the_body_is() {
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.1)).unwrap();
    let place = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
    let mut model = Model::new("m");
    let body = model.add(RigidBody::from_mesh("bone", mesh.clone(), 1000.0).at(place));
    let drawn = model.add(RenderMesh::new("paint", mesh).on(body));
    let turn = Affine::rotation(Vec3::x(), Vec3::new(0.4, 1.0, -0.3));
    let stretch = Affine::about(Vec3::y(), Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 0.5)));
    for map in [turn, stretch] {
        model.edit(Edit::transform(body, map)).unwrap();
        let bone = model[body].mesh.as_ref().unwrap();
        let pairs = bone.vertices().iter().zip(model[drawn].mesh.vertices());
        for (bone, paint) in pairs {
            let paint = model[drawn].site.pose.transform_point(&(*paint).into()).coords;
            assert!((bone - paint).norm() < 1e-14, "{bone} {paint}");
        }
    }
    model.edit(Edit::delete(body)).unwrap();
    assert!(!model.contains(drawn), "it is left without its body");
}
