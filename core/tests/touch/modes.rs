//! Contact, friction and ranges under explicit steps and statics, and with what a user may choose.

use std::f64::consts::FRAC_PI_2;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::{JointKind, Pose};
use sinew::contact::ContactLaw;
use sinew::dynamics::SpatialInertia;
use sinew::lcp::FrictionModel;
use sinew::material::MaterialSpec;
use sinew::model::{
    Collider, CollisionBehavior, FemModel, FrameSite, Inertia, Joint, Model, Particle, RigidBody,
};
use sinew::solve::{
    ContactMethod, FrictionMethod, Integrator, MechSystemSolver, SolverSettings, Stabilization,
    StaticSettings,
};
use sinew::system::{CompiledModel, MechSystem};

use sinew_datasets::beam::{BeamElement, beam_mesh};

use super::scenes::{EULER, Scene, add_sphere, block_on_slope, model_under};

const RK4: Integrator = Integrator::RungeKutta4;

fn settings(integrator: Integrator) -> SolverSettings {
    SolverSettings { integrator, ..SolverSettings::default() }
}

/// A ball of 1 kg and 10 cm whose centre is at this height.
fn ball(
    height: f64,
    (friction, restitution): (f64, f64),
    settings: SolverSettings,
) -> (Scene, Handle<RigidBody>) {
    let mut model = model_under(9.81);
    let body = add_sphere(&mut model, "ball", 1.0, 0.1, Vec3::z() * height);
    model.add(Collider::half_space(Pose::identity()));
    let law = ContactLaw { restitution, ..ContactLaw::rough(friction) };
    model.add(CollisionBehavior::default().with_law(law));
    (Scene::with(&model, settings), body)
}

/// A block at rest on a slope, and the direction down it.
fn incline_with(
    angle: f64,
    friction: f64,
    settings: SolverSettings,
) -> (Scene, Handle<RigidBody>, Vec3) {
    let (model, block, down) = block_on_slope(angle, friction, 0.0);
    (Scene::with(&model, settings), block, down)
}

/// Distance along a plane of 30° that a box at rest has gone after 2 s, with friction 0.3.
fn slid(settings: SolverSettings) -> (f64, Scene) {
    let (mut scene, body, down) = incline_with(30f64.to_radians(), 0.3, settings);
    for _ in 0..1000 {
        scene.step(2e-3);
    }
    (scene.pose(body).translation.vector.dot(&down), scene)
}

/// 2 g (sin 30° - 0.3 cos 30°) [m].
fn coulomb() -> f64 {
    2.0 * 9.81 * (0.5 - 0.3 * 30f64.to_radians().cos())
}

#[test]
fn a_ball_that_falls_stops_and_rests_under_runge_kutta_4() {
    let (mut scene, body) = ball(0.3, (0.0, 0.0), settings(RK4));
    for _ in 0..400 {
        scene.step(2e-3);
    }
    let (height, speed) = (scene.pose(body).translation.z, scene.velocity(body).norm());
    assert!((height - 0.1).abs() < 2e-4 && speed < 1e-9, "{height} {speed:e}");
    let force = scene.state.contacts.iter().fold(0.0, |sum: f64, c| sum + c.force.z);
    assert!((force - 9.81).abs() < 1e-6, "{force}");
    assert_eq!(scene.last.contacts, 1);
}

#[test]
fn a_ball_springs_back_by_its_restitution_under_runge_kutta_4() {
    let (mut scene, body) = ball(0.6, (0.0, 0.5), settings(RK4));
    let mut highest = 0f64;
    for k in 0..1200 {
        scene.step(5e-4);
        if f64::from(k) * 5e-4 > (2.0 * 0.5 / 9.81f64).sqrt() + 0.01 {
            highest = highest.max(scene.pose(body).translation.z - 0.1);
        }
    }
    // A quarter of the height of 0.5 m.
    assert!((highest - 0.125).abs() < 2e-3, "{highest}");
}

#[test]
fn a_box_slides_with_the_acceleration_of_coulomb_under_runge_kutta_4() {
    let (distance, scene) = slid(settings(RK4));
    assert!((distance - coulomb()).abs() < 1e-3 * coulomb(), "{distance} {}", coulomb());
    assert!(scene.last.unilateral_rows == 12, "{:?}", scene.last);
}

#[test]
fn a_box_sticks_below_the_angle_of_friction_and_slides_above_under_runge_kutta_4() {
    let critical = 0.3f64.atan();
    for (share, moves) in [(-0.5f64, false), (0.5, true)] {
        let angle = critical + share.to_radians();
        let (mut scene, body, down) = incline_with(angle, 0.3, settings(RK4));
        let start = scene.pose(body).translation.vector;
        (0..500).for_each(|_| scene.step(2e-3));
        let distance = (scene.pose(body).translation.vector - start).dot(&down);
        assert_eq!(distance > 1e-4, moves, "{distance}");
    }
}

/// A rod of 1 kg and 1 m hinged about y at its end, level along x: it falls towards `end` [rad].
fn rod(end: f64) -> (Model, Handle<RigidBody>) {
    let mut model = Model::new("rod");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    let inertia = SpatialInertia::of_box(1.0, &Vec3::new(1.0, 0.02, 0.02)).unwrap();
    let body = RigidBody::new("rod", Inertia::Explicit(inertia));
    let body = model.add(body.at(Pose::translation(0.5, 0.0, 0.0)));
    // z of the hinge along y: angles grow as the rod falls.
    let turn = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2);
    let on_rod = Pose::from_parts(Vec3::new(-0.5, 0.0, 0.0).into(), turn);
    let on_ground = Pose::from_parts(Vec3::zeros().into(), turn);
    let (c, d) = (FrameSite::on(body, on_rod), FrameSite::ground(on_ground));
    let mut hinge = Joint::new(JointKind::Hinge, c, d).named("hinge");
    hinge.settings.coordinates[0].range.upper = Some(end);
    model.add(hinge);
    (model, body)
}

fn inclination(
    model: &CompiledModel,
    body: Handle<RigidBody>,
    state: &sinew::system::State,
) -> f64 {
    let along = model.body_motion(body, state).unwrap().0 * Vec3::x();
    (-along.z).atan2(along.x)
}

#[test]
fn a_rod_comes_to_rest_on_the_end_of_its_range_under_runge_kutta_4() {
    let (model, body) = rod(0.5);
    let system = model.compile().unwrap();
    let mut solver = MechSystemSolver::new(&system, settings(RK4)).unwrap();
    let mut state = system.initial_state();
    let mut furthest = 0f64;
    for _ in 0..1000 {
        solver.step(&system, &mut state, 1e-3).unwrap();
        furthest = furthest.max(inclination(&system, body, &state));
    }
    assert!((furthest - 0.5).abs() < 2e-4, "{furthest}");
    assert!((inclination(&system, body, &state) - 0.5).abs() < 2e-4);
    assert!(system.energies(&state).kinetic < 1e-12, "{}", system.energies(&state).kinetic);
    // The moment of the weight about the hinge.
    let moment = 9.81 * 0.5 * 0.5f64.cos();
    let force: f64 = state.range_forces.iter().sum();
    assert!((force - moment).abs() < 1e-3 * moment, "{force} {moment}");
}

#[test]
fn every_way_and_model_gives_a_sliding_box_its_acceleration() {
    for integrator in [EULER, RK4] {
        for contact_method in [ContactMethod::Dense, ContactMethod::Sparse] {
            for friction_method in [FrictionMethod::Implicit, FrictionMethod::PostHoc] {
                for friction in [FrictionModel::Box, FrictionModel::Cone4, FrictionModel::Cone8] {
                    let settings = SolverSettings {
                        integrator,
                        contact_method,
                        friction_method,
                        friction,
                        ..SolverSettings::default()
                    };
                    let (distance, scene) = slid(settings);
                    let error = (distance / coulomb() - 1.0).abs();
                    assert!(error < 5e-3, "{settings:?}: {distance}");
                    let replaced = contact_method == ContactMethod::Sparse
                        || friction_method == FrictionMethod::PostHoc;
                    let asked = friction != FrictionModel::Box;
                    // Cones of four corners that bear on each other may be given up by Lemke's method, too.
                    if asked && replaced {
                        assert!(scene.last.box_for_cone, "{settings:?}");
                    }
                    assert!(asked || !scene.last.box_for_cone, "{settings:?}");
                }
            }
        }
    }
}

#[test]
fn limits_post_hoc_are_those_of_the_impulses_without_friction() {
    // A ball that strikes while it slips: friction 0.2 takes 0.2 of the normal velocity off the slip.
    for integrator in [EULER, RK4] {
        let friction_method = FrictionMethod::PostHoc;
        let settings = SolverSettings { integrator, friction_method, ..SolverSettings::default() };
        let (mut scene, body) = ball(0.1005, (0.2, 0.0), settings);
        scene.state.u[0] = Vec3::new(3.0, 0.0, -1.0);
        scene.step(1e-3);
        let lost = 3.0 - scene.velocity(body).x;
        // A gap of 0.5 mm is left to be gone through.
        assert!((lost - 0.2 * (1.0 + 9.81e-3 - 0.5)).abs() < 1e-6, "{integrator:?} {lost}");
        // The same impulse turns it about its centre, half the gap below its surface: 2/5 m r².
        let angular_velocity = scene.angular_velocity(body).y;
        assert!(
            (angular_velocity - lost * 0.10025 / 0.004).abs() < 1e-4 * angular_velocity,
            "{integrator:?} {angular_velocity}"
        );
    }
}

#[test]
fn a_bead_slides_to_a_stop_under_runge_kutta_4() {
    let mut model = model_under(9.81);
    model.add(Particle::new(0.1, Vec3::zeros()));
    model.add(Collider::half_space(Pose::identity()));
    model.add(CollisionBehavior::everything(0.3));
    let mut scene = Scene::new(&model, RK4);
    let row = 0;
    scene.state.u[row] = Vec3::x();
    (0..400).for_each(|_| scene.step(1e-3));
    let distance = scene.state.q[row].x;
    assert!((distance * 2.0 * 0.3 * 9.81 - 1.0).abs() < 1e-3, "{distance}");
    assert!(scene.state.u[row].norm() < 1e-9 && scene.state.q[row].z.abs() < 2e-4);
}

/// A bar of tissue in a plane that cuts off one of its lower edges by 5 mm, after one step: strain energy [J]
/// and largest overlap [m].
fn cut(stabilization: Stabilization) -> (f64, f64) {
    let mut model = Model::new("bar");
    model.set_gravity(Vec3::zeros());
    let mesh = beam_mesh(BeamElement::Hex, [4, 1, 1], [0.4, 0.1, 0.1]).unwrap();
    let low = mesh.nodes.iter().fold(Vec3::repeat(f64::MAX), |low, node| low.inf(node));
    let normal = Vec3::new(-0.1, 0.0, 1.0);
    let turn = UnitQuaternion::rotation_between(&Vec3::z(), &normal).unwrap();
    let far = mesh.nodes.iter().fold(f64::MIN, |far: f64, node| far.max(node.x));
    let at = Vec3::new(far, 0.0, low.z) + normal.normalize() * 0.005;
    let law = MaterialSpec::from_name("linear").unwrap();
    model.add(FemModel::new("bar", mesh, 1000.0, law));
    let pose = Pose::from_parts(at.into(), turn);
    model.add(Collider::half_space(pose).named("plane"));
    model.add(CollisionBehavior::everything(0.0).named("all"));
    let system = model.compile().unwrap();
    let settings = SolverSettings { stabilization, ..settings(EULER) };
    let mut solver = MechSystemSolver::new(&system, settings).unwrap();
    let mut state = system.initial_state();
    solver.step(&system, &mut state, 0.01).unwrap();
    let depths = state.q.iter().map(|q| -(q - at).dot(&normal.normalize()));
    (system.energies(&state).strain, depths.fold(0.0, f64::max))
}

#[test]
fn overlaps_taken_back_by_the_stiffness_strain_tissue_less() {
    let [mass, stiffness, none] =
        [Stabilization::Mass, Stabilization::Stiffness, Stabilization::None].map(cut);
    assert!((none.1 - 0.005).abs() < 1e-9 && none.0 < 1e-12, "{none:?}");
    assert!(mass.1 < 1e-3 && stiffness.1 < 1e-3, "{mass:?} {stiffness:?}");
    assert!(stiffness.0 < 0.2 * mass.0, "{stiffness:?} {mass:?}");
}

#[test]
fn statics_find_the_equilibrium_that_a_range_changes() {
    let statics = settings(Integrator::Static(StaticSettings::default()));
    for (end, expected) in [(1.0, 1.0), (2.0, FRAC_PI_2)] {
        let (model, body) = rod(end);
        let system = model.compile().unwrap();
        let mut solver = MechSystemSolver::new(&system, statics).unwrap();
        let mut state = system.initial_state();
        solver.step(&system, &mut state, 1.0).unwrap();
        let angle = inclination(&system, body, &state);
        // A range is left exceeded by 1e-4 rad.
        let most = if end < FRAC_PI_2 { 1.1e-4 } else { 1e-6 };
        assert!((angle - expected).abs() < most, "{angle}");
        let force = state.range_forces.iter().fold(0.0f64, |most, force| most.max(*force));
        assert_eq!(force > 0.0, end < FRAC_PI_2, "{:?}", state.range_forces);
        assert!(state.u.iter().all(|u| u.norm() == 0.0));
    }
}

#[test]
fn overlaps_are_taken_back_unless_that_is_switched_off() {
    for (stabilization, left) in
        [(Stabilization::Mass, 2e-4), (Stabilization::Stiffness, 2e-4), (Stabilization::None, 0.01)]
    {
        let settings = SolverSettings { stabilization, ..settings(EULER) };
        let (mut scene, body) = ball(0.09, (0.0, 0.0), settings);
        scene.step(1e-3);
        let depth = 0.1 - scene.pose(body).translation.z;
        assert!((depth - left).abs() < 2e-4, "{stabilization:?} {depth}");
    }
}
