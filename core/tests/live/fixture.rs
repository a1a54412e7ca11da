//! Two tissues, a chain of particles and a spring between them, and a hinged body with a muscle and a weight,
//! running.

use sinew::Vec3;
use sinew::axial::active::PeckMuscle;
use sinew::axial::{ActivationDynamics, ActivationModel, AxialLaw};
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose};
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::geometry::cuboid_mesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Attachment, AxialSpring, Dirichlet, FemModel, FrameMarker, FrameSite, Joint, LinearAxial,
    Master, Model, MultiPointSpring, Particle, PointRef, RigidBody,
};
use sinew::schedule::Simulation;
use sinew::solve::{LinearSolver, SolverSettings};
use sinew::system::{CompiledModel, State};

/// Length of a step [s].
pub(crate) const STEP: f64 = 0.005;

/// The model and what is in it.
pub(crate) struct Scene {
    pub(crate) model: Model,
    pub(crate) tissues: [Handle<FemModel>; 2],
    pub(crate) particles: Vec<Handle<Particle>>,
    pub(crate) springs: Vec<Handle<AxialSpring>>,
    pub(crate) arm: Arm,
}

/// A body that is hinged to the ground, with a muscle between a post and it, and a weight on it.
#[derive(Clone, Copy)]
pub(crate) struct Arm {
    pub(crate) body: Handle<RigidBody>,
    pub(crate) post: Handle<RigidBody>,
    pub(crate) hinge: Handle<Joint>,
    pub(crate) muscle: Handle<MultiPointSpring>,
    pub(crate) weight: Handle<Particle>,
}

fn arm(model: &mut Model) -> Arm {
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.04, 0.04)).unwrap();
    let post = RigidBody::from_mesh("post", mesh.clone(), 1000.0).fixed();
    let post = model.add(post.at(Pose::translation(0.0, 1.0, 0.1)));
    let body = RigidBody::from_mesh("arm", mesh, 1000.0).at(Pose::translation(0.1, 1.0, 0.0));
    let body = model.add(body);
    // z of the frames along y of the world.
    let about_y =
        |x: f64, y: f64| Pose::new(Vec3::new(x, y, 0.0), Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let (c, d) = (FrameSite::on(body, about_y(-0.1, 0.0)), FrameSite::ground(about_y(0.0, 1.0)));
    let hinge = model.add(Joint::new(JointKind::Hinge, c, d));
    let points = [(post, 0.0), (post, 0.1), (body, 0.05)]
        .map(|(body, x)| model.add(FrameMarker::new(body, Vec3::x() * x)).into());
    let law = AxialLaw::Peck(PeckMuscle {
        max_force: 5.0,
        optimal_length: 0.25,
        ..PeckMuscle::default()
    });
    let mut muscle = MultiPointSpring::new(points.to_vec(), law);
    muscle.excitation = 0.5;
    muscle.activation =
        ActivationDynamics { model: ActivationModel::FirstOrder, ..ActivationDynamics::default() };
    let muscle = model.add(muscle);
    let weight = model.add(Particle::new(0.05, Vec3::new(0.2, 1.0, 0.05)));
    model.add(Attachment::new(vec![weight.into()], Master::Body(body)));
    Arm { body, post, hinge, muscle, weight }
}

/// A cube of eight hexahedra with its lowest corner at `corner`.
pub(crate) fn cube(corner: Vec3) -> VolumeMesh {
    let edge = 0.05;
    let mut mesh = VolumeMesh::new(Vec::new());
    for k in 0..27 {
        let cell = Vec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        mesh.nodes.push(corner + cell * edge);
    }
    for k in [0, 1, 3, 4, 9, 10, 12, 13] {
        // Hexahedra name their upper four nodes first.
        let square = [k, k + 1, k + 4, k + 3];
        let nodes = [square.map(|n| n + 9), square].concat();
        mesh.push_element(ElementKind::Hex8, &nodes).unwrap();
    }
    mesh
}

fn tissue(name: &str, corner: Vec3) -> FemModel {
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: 2e4, poissons_ratio: 0.4 });
    let mut fem = FemModel::new(name, cube(corner), 1000.0, law);
    fem.mass_damping = 1.0;
    fem.dirichlet.push(Dirichlet::fix((0..9).collect()));
    fem
}

pub(crate) const SPRING: LinearAxial =
    LinearAxial { stiffness: 40.0, damping: 0.2, rest_length: 0.1 };

/// The model at its start.
pub(crate) fn scene() -> Scene {
    let mut model = Model::new("live");
    let tissues = [("left", 0.0), ("right", 0.5)]
        .map(|(name, x)| model.add(tissue(name, Vec3::new(x, 0.0, 0.0))));
    let mut particles = Vec::new();
    for k in 0..4 {
        let place = Vec3::new(0.1 * f64::from(k), 0.3, 0.2);
        let mut particle = Particle::new(0.1 + 0.02 * f64::from(k), place);
        particle.fixed = k == 0;
        particles.push(model.add(particle));
    }
    let chain = particles.windows(2).map(|p| AxialSpring::new([p[0], p[1]], SPRING));
    let mut springs: Vec<_> = chain.collect::<Vec<_>>().into_iter().map(|s| model.add(s)).collect();
    let hung = [PointRef::from((tissues[0], 26)), particles[3].into()];
    springs.push(model.add(AxialSpring::new(hung, SPRING)));
    let arm = arm(&mut model);
    Scene { model, tissues, particles, springs, arm }
}

pub(crate) fn settings() -> SolverSettings {
    SolverSettings { linear_solver: LinearSolver::Direct, ..SolverSettings::default() }
}

/// The model after `steps` steps.
pub(crate) fn running(model: Model, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(model, settings()).unwrap();
    advance(&mut simulation, steps);
    simulation
}

pub(crate) fn advance(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(STEP).unwrap();
    }
}

/// Position and velocity of a point.
pub(crate) fn motion(simulation: &mut Simulation, point: impl Into<PointRef>) -> [Vec3; 2] {
    let row = simulation.compiled().find_row(point.into()).expect("a compiled point");
    let state = simulation.state().unwrap();
    [state.q[row], state.u[row]]
}

/// Every point of a compiled model, in the order of the tree.
fn points(compiled: &CompiledModel) -> Vec<PointRef> {
    let mut points: Vec<PointRef> = compiled.particles().iter().map(|&p| p.into()).collect();
    points.extend(compiled.markers().iter().map(|&marker| PointRef::from(marker)));
    for &fem in compiled.fems() {
        points.extend(
            (0..).map(|n| PointRef::from((fem, n))).take_while(|&p| compiled.find_row(p).is_some()),
        );
    }
    points
}

/// Positions and velocities of the two rows of a body.
pub(crate) fn body_motion(simulation: &mut Simulation, body: Handle<RigidBody>) -> [Vec3; 4] {
    let row = simulation.compiled().body_rows(body).expect("a compiled body").row as usize;
    let state = simulation.state().unwrap();
    [state.q[row], state.q[row + 1], state.u[row], state.u[row + 1]]
}

/// Largest difference of two running models over the points and bodies that both have, in positions [m],
/// [rad] and velocities [m/s], [rad/s].
pub(crate) fn difference(a: &mut Simulation, b: &mut Simulation) -> [f64; 2] {
    let common: Vec<PointRef> = points(a.compiled())
        .into_iter()
        .filter(|&point| b.compiled().find_row(point).is_some())
        .collect();
    assert!(!common.is_empty());
    let worst = common.iter().fold([0.0, 0.0], |worst: [f64; 2], &point| {
        let (here, there) = (motion(a, point), motion(b, point));
        [0, 1].map(|k| worst[k].max((here[k] - there[k]).norm()))
    });
    let bodies = a.compiled().bodies().to_vec();
    bodies.iter().fold(worst, |worst, &body| {
        if b.compiled().body_rows(body).is_none() {
            return worst;
        }
        let (here, there) = (body_motion(a, body), body_motion(b, body));
        let off = |k: usize| (here[k] - there[k]).norm();
        [worst[0].max(off(0)).max(off(1)), worst[1].max(off(2)).max(off(3))]
    })
}

/// `model` compiled from nothing and put where `from` is, for the points and bodies that both have, with
/// what its springs and rows know.
pub(crate) fn placed(model: &Model, from: &mut Simulation) -> Simulation {
    let mut fresh = Simulation::new(model.clone(), settings()).unwrap();
    let mut state: State = fresh.state().unwrap().clone();
    state.time = from.time();
    for point in points(fresh.compiled()) {
        if from.compiled().find_row(point).is_some() {
            let row = fresh.compiled().find_row(point).unwrap();
            [state.q[row], state.u[row]] = motion(from, point);
        }
    }
    for body in fresh.compiled().bodies().to_vec() {
        if from.compiled().body_rows(body).is_some() {
            let row = fresh.compiled().body_rows(body).unwrap().row as usize;
            [state.q[row], state.q[row + 1], state.u[row], state.u[row + 1]] =
                body_motion(from, body);
        }
    }
    let known = from.state().unwrap();
    assert_eq!(known.memory.len(), state.memory.len());
    (state.memory, state.multipliers) = (known.memory.clone(), known.multipliers.clone());
    state.coordinates.clone_from(&known.coordinates);
    fresh.set_state(&state).unwrap();
    fresh
}
