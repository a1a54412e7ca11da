//! Models ready to be timed: compiled, warmed up, and in a state that is worth timing.

use sinew::Vec3;
use sinew::force::{JacobianScale, VelocityTerms};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State, StepStats};
use sinew_datasets::beam::beam;

use crate::{STEP, Scene};

/// Steps after which a beam falls anew: 0.2 s, as long as the peers are run.
const STEPS_OF_A_FALL: usize = 20;

/// A beam that falls, with its solver.
pub struct Stepper {
    /// System that is stepped.
    pub system: CompiledModel,
    /// State of the system.
    pub state: State,
    /// Solver that steps it.
    pub solver: MechSystemSolver,
    start: State,
    taken: usize,
}

impl Stepper {
    /// Compiles a scene and takes one step, in which the solver makes its memory; backward Euler,
    /// one linear solve a step.
    ///
    /// # Panics
    /// When the scene cannot be compiled or stepped, which no scene of this crate does.
    pub fn new(scene: &Scene, linear_solver: LinearSolver) -> Self {
        let system = compile(scene);
        let start = system.initial_state();
        let settings = SolverSettings { linear_solver, ..SolverSettings::default() };
        let solver = MechSystemSolver::new(&system, settings).expect("a beam has a solver");
        let mut stepper = Self { system, state: start.clone(), solver, start, taken: 0 };
        stepper.advance();
        stepper
    }

    /// Takes a step; a fall that has lasted 0.2 s begins anew first.
    ///
    /// # Panics
    /// When the step fails.
    pub fn advance(&mut self) -> StepStats {
        if self.taken == STEPS_OF_A_FALL {
            self.state.clone_from(&self.start);
            self.taken = 0;
        }
        self.taken += 1;
        self.solver.step(&self.system, &mut self.state, STEP).expect("a beam steps")
    }
}

/// The linear system of a step of backward Euler, S u = M u0 + h f, for a [bent](bend) beam at rest.
pub struct StepSystem {
    /// System that the matrix comes from.
    pub system: CompiledModel,
    /// Positions and velocities.
    pub state: State,
    /// S = M - h df/du - h² df/dq.
    pub matrix: BlockMatrix,
    /// M u0 + h f [N s].
    pub rhs: Vec<Vec3>,
}

impl StepSystem {
    /// Compiles a scene, bends it by half a radian and assembles its step.
    ///
    /// # Panics
    /// When the scene cannot be compiled, or an element is inverted; neither happens with the
    /// scenes of this crate.
    pub fn new(scene: &Scene) -> Self {
        let system = compile(scene);
        let mut state = system.initial_state();
        bend(&mut state.q, 0.5);
        let matrix = BlockMatrix::zeros(system.pattern().clone());
        let rhs = vec![Vec3::zeros(); state.q.len()];
        let mut step = Self { system, state, matrix, rhs };
        step.assemble();
        step.eval_forces();
        step.rhs.iter_mut().for_each(|b| *b *= STEP);
        step
    }

    /// Writes S into `matrix`, as a step does.
    ///
    /// # Panics
    /// When an element is inverted.
    pub fn assemble(&mut self) {
        let Self { system, state, matrix, .. } = self;
        matrix.values_mut().fill(0.0);
        let scale = JacobianScale { position: STEP * STEP, velocity: STEP };
        let motion = Motion::at(&state.q, &state.u);
        system.add_jacobian(LoadCase::at(STEP), motion, scale, matrix).expect("no inversion");
        let pattern = system.pattern();
        for (row, mass) in system.masses().iter().enumerate() {
            let block = 9 * pattern.diagonal(row);
            for axis in 0..3 {
                matrix.values_mut()[block + 4 * axis] += mass;
            }
        }
    }

    /// Writes the forces [N] into `rhs`.
    ///
    /// # Panics
    /// When an element is inverted.
    pub fn eval_forces(&mut self) {
        let Self { system, state, rhs, .. } = self;
        let motion = Motion::at(&state.q, &state.u);
        let load = LoadCase::at(STEP);
        system.forces(load, motion, VelocityTerms::Excluded, rhs).expect("no inversion");
    }
}

/// Bends positions [m] of a beam along x to an arc of `angle` [rad] in the plane of x and z, so that
/// every element is turned and strained: pure bending about its middle.
pub fn bend(q: &mut [Vec3], angle: f64) {
    let low = q.iter().fold(q[0], |low, p| low.inf(p));
    let high = q.iter().fold(q[0], |high, p| high.sup(p));
    let radius = (high.x - low.x) / angle;
    let middle = 0.5 * (low.z + high.z);
    for p in q {
        let (sin, cos) = ((p.x - low.x) / radius).sin_cos();
        let distance = radius + p.z - middle;
        p.x = low.x + distance * sin;
        p.z = middle + distance * cos - radius;
    }
}

/// Bytes that a product with a matrix on `pattern` moves at least: 9 scalars and a column index a
/// block, a row start, and the vectors once.
pub fn product_bytes(pattern: &BlockPattern) -> u64 {
    (76 * pattern.block_count() + 52 * pattern.size()) as u64
}

/// A scene as what is stepped.
fn compile(scene: &Scene) -> CompiledModel {
    let model = beam(&scene.beam).expect("the counts of a scene are in range");
    model.compile().expect("a beam compiles")
}
