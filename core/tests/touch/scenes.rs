//! Models with what may touch beside them.

use std::sync::Arc;

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::contact::{Collider, Member, Pair, PointSet, Shape};
use sinew::force::{Fault, JacobianScale, VelocityTerms};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::model::{Model, RigidBody};
use sinew::solve::{ImplicitMode, Integrator, MechSystemSolver, SolverSettings};
use sinew::system::{
    CompiledModel, ContactBehavior, ContactSetup, Energies, LoadCase, MechSystem, Motion,
    Multibody, State, StepStats,
};

pub(crate) const TRAPEZOIDAL: Integrator = Integrator::Trapezoidal(ImplicitMode::Linearized);
pub(crate) const EULER: Integrator = Integrator::BackwardEuler(ImplicitMode::Linearized);

/// A compiled model whose parts may touch.
pub(crate) struct Touching {
    pub(crate) inner: CompiledModel,
    multibody: Multibody,
}

impl MechSystem for Touching {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.inner.pattern()
    }
    fn held(&self) -> &[[bool; 3]] {
        self.inner.held()
    }
    fn masses(&self) -> &[f64] {
        self.inner.masses()
    }
    fn prescribe(&self, load: LoadCase, q: &mut [Vec3]) -> bool {
        self.inner.prescribe(load, q)
    }
    fn forces(
        &self,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        self.inner.forces(load, motion, velocity, forces)
    }
    fn add_jacobian(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        self.inner.add_jacobian(load, motion, scale, matrix)
    }
    fn multibody(&self) -> Option<&Multibody> {
        Some(&self.multibody)
    }
    fn energies(&self, state: &State) -> Energies {
        self.inner.energies(state)
    }
    fn describe(&self, row: usize) -> String {
        self.inner.describe(row)
    }
}

pub(crate) struct Scene {
    pub(crate) system: Touching,
    pub(crate) solver: MechSystemSolver,
    pub(crate) state: State,
    pub(crate) last: StepStats,
}

impl Scene {
    pub(crate) fn new(model: &Model, setup: ContactSetup, integrator: Integrator) -> Self {
        Self::with(model, setup, SolverSettings { integrator, ..SolverSettings::default() })
    }

    pub(crate) fn with(model: &Model, setup: ContactSetup, settings: SolverSettings) -> Self {
        let inner = model.compile().unwrap();
        let multibody = Multibody { contacts: setup, ..inner.multibody().unwrap().clone() };
        let system = Touching { inner, multibody };
        let solver = MechSystemSolver::new(&system, settings).unwrap();
        let state = system.inner.initial_state();
        Self { system, solver, state, last: StepStats::default() }
    }

    pub(crate) fn step(&mut self, h: f64) {
        self.last = self.solver.step(&self.system, &mut self.state, h).unwrap();
    }

    pub(crate) fn pose(&self, body: Handle<RigidBody>) -> Pose {
        self.system.inner.body_motion(body, &self.state).unwrap().0
    }

    pub(crate) fn velocity(&self, body: Handle<RigidBody>) -> Vec3 {
        self.system.inner.body_motion(body, &self.state).unwrap().1
    }

    pub(crate) fn spin(&self, body: Handle<RigidBody>) -> Vec3 {
        self.system.inner.body_motion(body, &self.state).unwrap().2
    }

    pub(crate) fn kinetic(&self) -> f64 {
        self.system.inner.energies(&self.state).kinetic
    }
}

/// Colliders one a body, and the ground z <= 0 in a frame; all against the ground, and each other.
pub(crate) fn all_against_all(
    shapes: Vec<Shape>,
    ground: Pose,
    behavior: ContactBehavior,
    margin: f64,
) -> ContactSetup {
    let count = shapes.len() as u32;
    let carried = shapes.into_iter().enumerate();
    let mut setup = ContactSetup::default();
    setup.colliders = carried
        .map(|(k, shape)| Collider { shape, frame: k as u32, pose: Pose::identity() })
        .collect();
    setup.colliders.push(Collider {
        shape: Shape::HalfSpace,
        frame: Collider::GROUND,
        pose: ground,
    });
    for a in 0..count {
        for b in a + 1..=count {
            let (a, b) = (Member::Collider(a), Member::Collider(b));
            setup.pairs.push(Pair { a, b, margin });
            setup.behaviors.push(behavior);
            setup.names.push(format!("{a:?} against {b:?}"));
        }
    }
    setup
}

/// Points against the ground.
pub(crate) fn points_on_ground(
    rows: Vec<u32>,
    ground: Pose,
    behavior: ContactBehavior,
    margin: f64,
) -> ContactSetup {
    ContactSetup {
        colliders: vec![Collider {
            shape: Shape::HalfSpace,
            frame: Collider::GROUND,
            pose: ground,
        }],
        points: vec![PointSet { rows, radius: 0.0 }],
        pairs: vec![Pair { a: Member::Points(0), b: Member::Collider(0), margin }],
        behaviors: vec![behavior],
        names: vec!["points against the ground".into()],
    }
}
