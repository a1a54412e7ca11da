//! Two tissues, a chain of particles and a spring between them, running.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{AxialSpring, Dirichlet, FemModel, LinearAxial, Model, Particle, PointRef};
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
    fem.dirichlet.push(Dirichlet::hold((0..9).collect()));
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
    Scene { model, tissues, particles, springs }
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
    for &fem in compiled.fems() {
        points.extend(
            (0..).map(|n| PointRef::from((fem, n))).take_while(|&p| compiled.find_row(p).is_some()),
        );
    }
    points
}

/// Largest difference of two running models over the points that both have, in positions [m] and
/// velocities [m/s].
pub(crate) fn difference(a: &mut Simulation, b: &mut Simulation) -> [f64; 2] {
    let common: Vec<PointRef> = points(a.compiled())
        .into_iter()
        .filter(|&point| b.compiled().find_row(point).is_some())
        .collect();
    assert!(!common.is_empty());
    common.iter().fold([0.0, 0.0], |worst: [f64; 2], &point| {
        let (here, there) = (motion(a, point), motion(b, point));
        [0, 1].map(|k| worst[k].max((here[k] - there[k]).norm()))
    })
}

/// `model` compiled from nothing and put where `from` is, for the points that both have.
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
    fresh.set_state(&state).unwrap();
    fresh
}
