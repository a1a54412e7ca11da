//! Models whose parts touch, compiled and ready to be stepped.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::model::{Collider, CollisionBehavior, Inertia, Model, RigidBody};
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem, State, StepStats};

pub(crate) const TRAPEZOIDAL: Integrator = Integrator::Trapezoidal(ImplicitMode::Linearized);
pub(crate) const EULER: Integrator = Integrator::BackwardEuler(ImplicitMode::Linearized);

/// A compiled model with what steps it.
pub(crate) struct Scene {
    pub(crate) compiled: CompiledModel,
    pub(crate) solver: MechSystemSolver,
    pub(crate) state: State,
    pub(crate) last: StepStats,
}

impl Scene {
    pub(crate) fn new(model: &Model, integrator: Integrator) -> Self {
        Self::with(model, SolverSettings { integrator, ..SolverSettings::default() })
    }

    pub(crate) fn with(model: &Model, settings: SolverSettings) -> Self {
        let compiled = model.compile().unwrap_or_else(|error| panic!("{error}"));
        let solver = MechSystemSolver::new(&compiled, settings).unwrap();
        let state = compiled.initial_state();
        Self { compiled, solver, state, last: StepStats::default() }
    }

    pub(crate) fn step(&mut self, h: f64) {
        self.last = self.solver.step(&self.compiled, &mut self.state, h).unwrap();
    }

    pub(crate) fn steps(&mut self, h: f64, count: usize) {
        (0..count).for_each(|_| self.step(h));
    }

    pub(crate) fn pose(&self, body: Handle<RigidBody>) -> Pose {
        self.compiled.body_motion(body, &self.state).unwrap().0
    }

    /// Position of the frame of a body [m].
    pub(crate) fn place(&self, body: Handle<RigidBody>) -> Vec3 {
        self.pose(body).translation.vector
    }

    pub(crate) fn velocity(&self, body: Handle<RigidBody>) -> Vec3 {
        self.compiled.body_motion(body, &self.state).unwrap().1
    }

    pub(crate) fn angular_velocity(&self, body: Handle<RigidBody>) -> Vec3 {
        self.compiled.body_motion(body, &self.state).unwrap().2
    }

    pub(crate) fn kinetic(&self) -> f64 {
        self.compiled.energies(&self.state).kinetic
    }

    /// Sum of the mean forces of all contacts over the last step, on their sides A [N].
    pub(crate) fn force(&self) -> Vec3 {
        self.state.contacts.iter().map(|contact| contact.force).sum()
    }

    /// The same of one behaviour.
    pub(crate) fn force_of(&self, behavior: Handle<CollisionBehavior>) -> Vec3 {
        self.compiled.contacts_of(behavior, &self.state).unwrap().map(|it| it.force).sum()
    }

    /// Deepest overlap at the start of the last step [m].
    pub(crate) fn depth(&self) -> f64 {
        self.state.contacts.iter().fold(0.0, |most, contact| most.max(-contact.gap))
    }
}

/// An empty model under this gravity along -z [m/s²].
pub(crate) fn model_under(gravity: f64) -> Model {
    let mut model = Model::new("touching");
    model.set_gravity(Vec3::new(0.0, 0.0, -gravity));
    model
}

/// A homogeneous box with its collider: mass [kg], half its edges [m].
pub(crate) fn add_box(
    model: &mut Model,
    name: &str,
    mass: f64,
    half: Vec3,
    at: Pose,
) -> Handle<RigidBody> {
    let inertia = SpatialInertia::of_box(mass, &(half * 2.0)).unwrap();
    let body = model.add(RigidBody::new(name, Inertia::Explicit(inertia)).at(at));
    model.add(Collider::boxed(body, half).named(name));
    body
}

/// A homogeneous sphere with its collider: mass [kg], radius [m].
pub(crate) fn add_sphere(
    model: &mut Model,
    name: &str,
    mass: f64,
    radius: f64,
    at: Vec3,
) -> Handle<RigidBody> {
    let inertia = SpatialInertia::of_sphere(mass, radius).unwrap();
    let pose = Pose::new(at, Vec3::zeros());
    let body = model.add(RigidBody::new(name, Inertia::Explicit(inertia)).at(pose));
    model.add(Collider::sphere(body, radius).named(name));
    body
}

/// The ground under a plane through the origin that falls along x at an angle [rad].
pub(crate) fn add_slope(model: &mut Model, angle: f64) -> Pose {
    let pose = Pose::rotation(Vec3::y() * angle);
    model.add(Collider::half_space(pose).named("ground"));
    pose
}

/// The block of MB-friction-incline, 1 kg and 0.2 x 0.2 x 0.1 m, on a slope [rad] with a velocity down it [m/s].
/// With the direction down the slope.
pub(crate) fn block_on_slope(
    angle: f64,
    friction: f64,
    velocity: f64,
) -> (Model, Handle<RigidBody>, Vec3) {
    let mut model = model_under(9.81);
    let slope = add_slope(&mut model, angle);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let block = add_box(&mut model, "block", 1.0, half, slope * Pose::translation(0.0, 0.0, 0.05));
    let down = slope.rotation * Vec3::x();
    model[block].velocity = down * velocity;
    model.add(CollisionBehavior::everything(friction));
    (model, block, down)
}

/// Cubes of an edge [m] and these masses [kg], from below, each at rest on the one before and the first on the ground.
/// With the behaviour of each face, from below, the upper one on side A.
pub(crate) fn stack(
    edge: f64,
    masses: &[f64],
    gap: f64,
) -> (Model, Vec<Handle<RigidBody>>, Vec<Handle<CollisionBehavior>>) {
    let mut model = model_under(9.81);
    let ground = model.add(Collider::half_space(Pose::identity()).named("ground"));
    let (mut bodies, mut faces) = (Vec::<Handle<RigidBody>>::new(), Vec::new());
    for (k, &mass) in masses.iter().enumerate() {
        let z = (k as f64 + 0.5) * edge + (k as f64 + 1.0) * gap;
        let half = Vec3::repeat(0.5 * edge);
        let body =
            add_box(&mut model, &format!("b{k}"), mass, half, Pose::translation(0.0, 0.0, z));
        let behavior = match bodies.last() {
            None => CollisionBehavior::new(body, ground, 0.5),
            Some(&below) => CollisionBehavior::new(body, below, 0.5),
        };
        faces.push(model.add(behavior.named(format!("face{k}"))));
        bodies.push(body);
    }
    (model, bodies, faces)
}

/// Distance that a body has moved sideways since the start of a stack at x = y = 0 [m], and its
/// tilt [rad].
pub(crate) fn stray(pose: &Pose) -> (f64, f64) {
    let side = pose.translation.vector.xy().norm();
    let up: Vec3 = pose.rotation * Vec3::z();
    (side, up.cross(&Vec3::z()).norm().asin())
}
