//! Backends with one mistake each: the CPU, with a system or a behaviour that is slightly wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sinew::Vec3;
use sinew::backend::{Backend, Description, Precision};
use sinew::force::{Fault, JacobianScale, VelocityTerms};
use sinew::linalg::{BlockMatrix, BlockPattern};
use sinew::solve::{LinearSolver, MechSystemSolver, SolverSettings};
use sinew::system::{
    CompiledModel, Energies, LoadCase, MechSystem, Motion, Multibody, State, StepError, StepStats,
};

/// The mistake of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mistake {
    /// Nothing: the scaffold itself must pass.
    None,
    /// All forces are a thousandth too large, as with a wrong constant in a kernel of forces.
    Forces,
    /// Weight alone is.
    Weight,
    /// The tangent is, where it takes positions.
    Stiffness,
    /// No term of the matrix comes from velocities.
    NoDamping,
    /// Loads and prescribed supports are those of the start.
    FrozenSchedule,
    /// Supports are those of the start, loads are right.
    NotPrescribed,
    /// A support of one axis holds none.
    NotFixed,
    /// A mass is a thousandth too large.
    Mass,
    /// One node of the mesh feels no force.
    LostNode,
    /// The residual is believed, not met.
    Residual,
    /// The first length of a step is used for all.
    FrozenStep,
    /// The time is that of the step before.
    LateTime,
    /// Two runs differ in the last bits.
    Noise,
    /// A failed step leaves its first half.
    KeepsFailure,
    /// An inverted element is passed over.
    PassesInversion,
    /// The first element is named, whichever it is.
    NamesFirst,
    /// Velocities are not written.
    LosesVelocity,
    /// Something is kept over `forget`.
    Remembers,
    /// State and forces are rounded to 32 bits, under the name of 64.
    Rounding,
    /// The same, under its own name: no mistake.
    RoundingOpenly,
}

impl Mistake {
    fn is_rounding(self) -> bool {
        matches!(self, Self::Rounding | Self::RoundingOpenly)
    }
}

/// A compiled model as a backend with a mistake sees it.
struct WrongSystem {
    model: Arc<CompiledModel>,
    masses: Vec<f64>,
    fixed: Vec<[bool; 3]>,
    mistake: Mistake,
}

impl WrongSystem {
    fn load(&self, load: LoadCase) -> LoadCase {
        let time = if self.mistake == Mistake::FrozenSchedule { 0.0 } else { load.time };
        LoadCase { time, ..load }
    }
}

impl MechSystem for WrongSystem {
    fn pattern(&self) -> &Arc<BlockPattern> {
        self.model.pattern()
    }

    fn fixed(&self) -> &[[bool; 3]] {
        &self.fixed
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn prescribe(&self, load: LoadCase, q: &mut [Vec3]) -> bool {
        match self.mistake {
            Mistake::NotPrescribed => self.model.prescribe(LoadCase { time: 0.0, ..load }, q),
            Mistake::NotFixed => false,
            _ => self.model.prescribe(self.load(load), q),
        }
    }

    fn forces(
        &self,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
        forces: &mut [Vec3],
    ) -> Result<(), Fault> {
        self.model.forces(self.load(load), motion, velocity, forces)?;
        match self.mistake {
            Mistake::Forces => forces.iter_mut().for_each(|f| *f *= 1.001),
            Mistake::Weight => {
                let masses = self.model.masses();
                forces.iter_mut().zip(masses).for_each(|(f, m)| f.z -= 0.001 * 9.8 * m);
            }
            Mistake::LostNode => *forces.last_mut().expect("a row") = Vec3::zeros(),
            mistake if mistake.is_rounding() => forces.iter_mut().for_each(round),
            _ => (),
        }
        Ok(())
    }

    fn add_jacobian(
        &self,
        load: LoadCase,
        motion: Motion,
        scale: JacobianScale,
        matrix: &mut BlockMatrix,
    ) -> Result<(), Fault> {
        let scale = match self.mistake {
            Mistake::Stiffness => JacobianScale { position: 1.001 * scale.position, ..scale },
            Mistake::NoDamping => JacobianScale { velocity: 0.0, ..scale },
            _ => scale,
        };
        self.model.add_jacobian(self.load(load), motion, scale, matrix)
    }

    fn check_step(&self, start: &[Vec3], end: &[Vec3]) -> Result<(), Fault> {
        self.model.check_step(start, end)
    }

    fn advance_memory(&self, step: f64, state: &mut State) {
        self.model.advance_memory(step, state);
    }

    fn memory_rates(&self, time: f64, motion: Motion, rates: &mut [f64]) {
        self.model.memory_rates(time, motion, rates);
    }

    fn multibody(&self) -> Option<&Multibody> {
        self.model.multibody()
    }

    fn energies(&self, state: &State) -> Energies {
        self.model.energies(state)
    }

    fn describe(&self, row: usize) -> String {
        self.model.describe(row)
    }
}

/// Nearest in 32 bits.
fn round(v: &mut Vec3) {
    *v = v.map(|x| f64::from(x as f32));
}

/// The CPU with a mistake.
pub(crate) struct WrongBackend {
    system: WrongSystem,
    solver: MechSystemSolver,
    state: State,
    first_step: Option<f64>,
    steps: u32,
}

/// Number of backends made: a clock for [`Mistake::Noise`].
static MADE: AtomicU64 = AtomicU64::new(0);

impl WrongBackend {
    pub(crate) fn new(
        model: Arc<CompiledModel>,
        settings: SolverSettings,
        mistake: Mistake,
    ) -> Self {
        let mut masses = model.masses().to_vec();
        let mut fixed = model.fixed().to_vec();
        if mistake == Mistake::Mass {
            masses.iter_mut().for_each(|m| *m *= 1.001);
        }
        if mistake == Mistake::NotFixed {
            fixed.fill([false; 3]);
        }
        let mut state = model.initial_state();
        if mistake == Mistake::Noise {
            let scale = 1.0 + MADE.fetch_add(1, Ordering::Relaxed) as f64 * f64::EPSILON;
            state.q.iter_mut().for_each(|q| *q *= scale);
        }
        let system = WrongSystem { model, masses, fixed, mistake };
        let settings = SolverSettings { linear_solver: LinearSolver::Direct, ..settings };
        let solver = MechSystemSolver::new(&system, settings).expect("a solver");
        Self { system, solver, state, first_step: None, steps: 0 }
    }

    /// Changes the outcome of a step as the mistake says.
    fn spoil(&mut self, result: Result<StepStats, StepError>) -> Result<StepStats, StepError> {
        match (self.system.mistake, result) {
            (Mistake::Residual, Ok(stats)) => Ok(StepStats { residual: 1e-4, ..stats }),
            (Mistake::KeepsFailure, Err(error)) => {
                self.state.u[0].x += 1e-12;
                Err(error)
            }
            (Mistake::PassesInversion, Err(_)) => Ok(StepStats::default()),
            (Mistake::NamesFirst, Err(StepError::Inverted { volume_ratio, muscle, time, .. })) => {
                let fem = "first".to_owned();
                Err(StepError::Inverted { fem, element: 0, volume_ratio, muscle, time })
            }
            (mistake, Ok(stats)) if mistake.is_rounding() => {
                let rest = self.system.model.rest_positions();
                for (q, rest) in self.state.q.iter_mut().zip(rest) {
                    let mut displacement = *q - rest;
                    round(&mut displacement);
                    *q = rest + displacement;
                }
                self.state.u.iter_mut().for_each(round);
                Ok(stats)
            }
            (_, result) => result,
        }
    }
}

impl Backend for WrongBackend {
    fn name(&self) -> String {
        format!("{:?}", self.system.mistake)
    }

    fn precision(&self) -> Precision {
        match self.system.mistake {
            Mistake::Rounding => Precision::F64,
            // Held to the wider tolerances, which must find the others all the same.
            _ => Precision::F32,
        }
    }

    fn description(&self) -> Description {
        Description { solver: "direct", preconditioner: None }
    }

    fn system(&self) -> &CompiledModel {
        &self.system.model
    }

    fn time(&self) -> f64 {
        let late = self.system.mistake == Mistake::LateTime;
        if late { self.state.time - 0.01 } else { self.state.time }
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        let first = *self.first_step.get_or_insert(h);
        self.steps += 1;
        let frozen = self.system.mistake == Mistake::FrozenStep;
        let result =
            self.solver.step(&self.system, &mut self.state, if frozen { first } else { h });
        if frozen && result.is_ok() {
            self.state.time += h - first;
        }
        if self.system.mistake == Mistake::Remembers {
            self.state.u[0].y += 1e-15 * f64::from(self.steps);
        }
        self.spoil(result)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        state.clone_from(&self.state);
        Ok(())
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        let u = std::mem::take(&mut self.state.u);
        self.state.clone_from(state);
        if self.system.mistake == Mistake::LosesVelocity {
            self.state.u = u;
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}
