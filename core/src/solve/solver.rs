//! The stepper: owns the matrix, the work vectors and the linear solver of one system.

use std::time::{Duration, Instant};

use super::constrained::Constrained;
use super::corrector::Corrector;
use super::linear::{LinearError, LinearSystem};
use super::remembered::MemoryStages;
use super::settings::{ImplicitMode, Integrator, LinearSolver, Preconditioning, SolverSettings};
use crate::Vec3;
use crate::contact::ContactError;
use crate::force::{Fault, JacobianScale, VelocityTerms};
use crate::lcp::ContactOutcome;
use crate::linalg::kkt::KktError;
use crate::linalg::{BLOCK, BlockMatrix, Definiteness};
use crate::system::{LoadCase, MechSystem, Motion, State, StepError, StepStats};

/// Takes steps of one [`MechSystem`]. After the first step it allocates nothing, on a thread of a
/// rayon pool (calls from outside pass through rayon's queue, which takes a block now and then), but
/// for two cases: faer's tasks, where 25,000 unknowns or more are factored on several threads, and
/// the name of an inverted element, where a search goes too far.
pub struct MechSystemSolver {
    pub(super) settings: SolverSettings,
    pub(super) matrix: BlockMatrix,
    pub(super) linear: LinearSystem,
    pub(super) work: Work,
    pub(super) stats: StepStats,
    /// For systems with bodies, followers or constraints.
    pub(super) constrained: Option<Box<Constrained>>,
}

/// Work vectors, one entry a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// State at the start of the step.
    pub(super) q0: Vec<Vec3>,
    pub(super) u0: Vec<Vec3>,
    /// Forces.
    pub(super) f: Vec<Vec3>,
    /// Forces at the start of the step.
    pub(super) f0: Vec<Vec3>,
    /// Right side, or residual.
    pub(super) b: Vec<Vec3>,
    /// Solution of a linear system.
    pub(super) x: Vec<Vec3>,
    /// Positions or velocities before a line search.
    pub(super) start: Vec<Vec3>,
    /// What forces remember.
    pub(super) memory: MemoryStages,
}

impl Work {
    fn new(size: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self {
            q0: zeros(),
            u0: zeros(),
            f: zeros(),
            f0: zeros(),
            b: zeros(),
            x: zeros(),
            start: zeros(),
            memory: MemoryStages::default(),
        }
    }
}

/// What went wrong inside a step, before it has a time and a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    Fault(Fault),
    Linear(LinearError),
    NotFinite { row: usize },
    NotConverged { method: &'static str, iterations: usize, residual: f64, tolerance: f64 },
    Complementarity(ContactOutcome),
    Penetration { depth: f64, pair: u32 },
    StaticContact { name: String, depth: f64 },
    Unmet { name: String, error: f64 },
    Contact(ContactError),
}

impl From<KktError> for Failure {
    fn from(error: KktError) -> Self {
        Self::Linear(LinearError::Singular(error.to_string()))
    }
}

impl From<ContactError> for Failure {
    fn from(error: ContactError) -> Self {
        Self::Contact(error)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<LinearError> for Failure {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl MechSystemSolver {
    /// A solver for systems with the pattern and the supports of `system`. The linear solver is
    /// chosen here; the symbolic part of a factorization is made here.
    ///
    /// # Errors
    /// [`StepError::Singular`] when a direct solver was asked for and its factor is too large.
    pub fn new(system: &dyn MechSystem, settings: SolverSettings) -> Result<Self, StepError> {
        let pattern = system.pattern();
        let constrained = match system.multibody() {
            None => None,
            Some(multibody) => {
                let made = Constrained::new(system, multibody, &settings);
                Some(Box::new(made.map_err(|e| name_failure(system, e, 0.0))?))
            }
        };
        let linear = match constrained {
            Some(_) => LinearSystem::with_rows(),
            None => LinearSystem::new(pattern, system.held(), &settings)
                .map_err(|e| name_failure(system, e.into(), 0.0))?,
        };
        Ok(Self {
            constrained,
            settings,
            matrix: BlockMatrix::zeros(pattern.clone()),
            linear,
            work: Work::new(pattern.size()),
            stats: StepStats::default(),
        })
    }

    /// The same with linear systems solved by `corrector`, whatever the settings say about that.
    pub fn with_corrector(
        system: &dyn MechSystem,
        settings: SolverSettings,
        corrector: Box<dyn Corrector>,
    ) -> Self {
        let pattern = system.pattern();
        Self {
            constrained: None,
            linear: LinearSystem::elsewhere(pattern.size(), corrector, settings.solve_tolerance()),
            settings,
            matrix: BlockMatrix::zeros(pattern.clone()),
            work: Work::new(pattern.size()),
            stats: StepStats::default(),
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &SolverSettings {
        &self.settings
    }

    /// The linear solver in use: never [`LinearSolver::Auto`].
    pub fn linear_solver(&self) -> LinearSolver {
        self.linear.kind()
    }

    /// What preconditions conjugate gradients: never [`Preconditioning::Auto`]; `None` with a factor.
    pub fn preconditioning(&self) -> Option<Preconditioning> {
        self.linear.preconditioning()
    }

    /// Drops what is kept from step to step (an old factor, velocities to extrapolate), so that the next step depends on the
    /// state alone: called where a run is to be resumed bit for bit.
    pub fn forget(&mut self) {
        self.linear.forget();
        self.constrained.iter_mut().for_each(|own| own.forget());
    }

    /// Advances `state` by `h` [s] (by equilibrium, under the loads at the end of the interval, for
    /// the static integrator).
    ///
    /// # Errors
    /// [`StepError`]; `state` is then as it was.
    ///
    /// # Panics
    /// When `state` or `system` is not of the size that the solver was made for.
    pub fn step(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<StepStats, StepError> {
        let size = self.work.q0.len();
        assert_eq!([state.q.len(), state.u.len(), system.held().len()], [size; 3], "rows");
        self.stats = StepStats::default();
        self.work.q0.copy_from_slice(&state.q);
        self.work.u0.copy_from_slice(&state.u);
        self.work.memory.keep(state);
        let result = match self.settings.integrator {
            integrator if self.constrained.is_some() => {
                let multibody = system.multibody().expect("the solver was made for this system");
                self.step_constrained((system, multibody), state, h, integrator)
            }
            Integrator::BackwardEuler(mode) => {
                self.step_implicit(system, state, h, BACKWARD_EULER, mode)
            }
            Integrator::Trapezoidal(mode) => {
                self.step_implicit(system, state, h, TRAPEZOIDAL, mode)
            }
            Integrator::Midpoint(newton) => self.step_midpoint(system, state, h, newton),
            Integrator::SymplecticEuler => self.step_symplectic(system, state, h),
            Integrator::RungeKutta4 => self.step_runge_kutta(system, state, h),
            Integrator::Static(settings) => self.solve_equilibrium(system, state, h, settings),
        };
        match result.and_then(|()| self.check_end(system, state)) {
            Ok(()) => {
                // The stages of this rule took the memory along.
                let staged = self.settings.integrator == Integrator::RungeKutta4;
                system.advance_memory(if staged { 0.0 } else { h }, state);
                state.time += h;
                Ok(self.stats)
            }
            Err(failure) => {
                self.work.memory.restore(state);
                match &self.constrained {
                    Some(own) => own.restore(state),
                    None => {
                        state.q.copy_from_slice(&self.work.q0);
                        state.u.copy_from_slice(&self.work.u0);
                    }
                }
                Err(name_failure(system, failure, state.time))
            }
        }
    }

    /// Refuses a state that no step can go on from: numbers that are none, elements that were inverted or all but.
    fn check_end(&self, system: &dyn MechSystem, state: &State) -> Result<(), Failure> {
        check_finite(state)?;
        let start = match self.settings.integrator {
            // Equilibria are solved for; how far they are from the start says nothing.
            Integrator::Static(_) => &state.q,
            _ => self.start_positions(),
        };
        Ok(system.check_step(start, &state.q)?)
    }

    fn start_positions(&self) -> &[Vec3] {
        self.constrained.as_ref().map_or(&self.work.q0, |own| own.start_positions())
    }

    fn step_implicit(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
        rule: ImplicitRule,
        mode: ImplicitMode,
    ) -> Result<(), Failure> {
        match mode {
            ImplicitMode::Linearized => self.step_linearized(system, state, h, rule),
            ImplicitMode::Newton(newton) => self.step_newton(system, state, (h, rule), newton),
        }
    }

    /// `work.f` = forces, timed.
    pub(super) fn eval_forces(
        &mut self,
        system: &dyn MechSystem,
        load: LoadCase,
        motion: Motion,
        velocity: VelocityTerms,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        system.forces(load, motion, velocity, &mut self.work.f)?;
        add_time(&mut self.stats.phases.forces, start);
        Ok(())
    }

    /// `matrix` = mass_scale M - scale.position df/dq - scale.velocity df/du, timed.
    pub(super) fn assemble(
        &mut self,
        system: &dyn MechSystem,
        load: LoadCase,
        motion: Motion,
        (mass_scale, scale): (f64, JacobianScale),
    ) -> Result<(), Failure> {
        let start = Instant::now();
        self.matrix.values_mut().fill(0.0);
        system.add_jacobian(load, motion, scale, &mut self.matrix)?;
        let pattern = system.pattern();
        if mass_scale != 0.0 {
            for (row, mass) in system.masses().iter().enumerate() {
                let block = BLOCK * pattern.diagonal(row);
                for axis in 0..3 {
                    self.matrix.values_mut()[block + 4 * axis] += mass_scale * mass;
                }
            }
        }
        add_time(&mut self.stats.phases.assembly, start);
        Ok(())
    }

    /// Factors `matrix`, or takes it and the positions `q` into the preconditioner.
    pub(super) fn prepare(
        &mut self,
        system: &dyn MechSystem,
        q: &[Vec3],
    ) -> Result<Definiteness, Failure> {
        Ok(self.linear.prepare((&self.matrix, system.held()), q, &mut self.stats)?)
    }

    /// Solves `matrix` x = b for the free scalars of `work.x`.
    pub(super) fn solve(&mut self, system: &dyn MechSystem) -> Result<(), Failure> {
        let Work { b, x, .. } = &mut self.work;
        Ok(self.linear.solve((&self.matrix, system.held()), b, x, &mut self.stats)?)
    }
}

/// One-step rules q1 = q0 + h ((1 - w) u0 + w u1), M (u1 - u0) = h ((1 - w) f0 + w f1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImplicitRule {
    /// Weight w of the end of the step [-].
    pub(super) end_weight: f64,
}

pub(super) const BACKWARD_EULER: ImplicitRule = ImplicitRule { end_weight: 1.0 };
pub(super) const TRAPEZOIDAL: ImplicitRule = ImplicitRule { end_weight: 0.5 };

impl ImplicitRule {
    /// Factors of the Jacobians in S = M - w h df/du - w² h² df/dq.
    pub(super) fn jacobian_scale(self, h: f64) -> JacobianScale {
        let wh = self.end_weight * h;
        JacobianScale { position: wh * wh, velocity: wh }
    }
}

fn add_time(total: &mut Duration, start: Instant) {
    *total += start.elapsed();
}

pub(super) fn check_finite(state: &State) -> Result<(), Failure> {
    let finite = |v: &Vec3| v.iter().all(|c| c.is_finite());
    match state.q.iter().zip(&state.u).position(|(q, u)| !finite(q) || !finite(u)) {
        None => Ok(()),
        Some(row) => Err(Failure::NotFinite { row }),
    }
}

fn name_failure(system: &dyn MechSystem, failure: Failure, time: f64) -> StepError {
    match failure {
        Failure::Fault(Fault::Inverted { fem, element, volume_ratio, .. }) => {
            StepError::Inverted { fem, element, volume_ratio, time }
        }
        Failure::Linear(LinearError::Singular(detail)) => StepError::Singular { detail, time },
        Failure::Linear(LinearError::NotConverged { iterations, residual, tolerance }) => {
            let method = "conjugate gradients";
            StepError::NotConverged { method, iterations, residual, tolerance, time }
        }
        Failure::Linear(LinearError::Device(detail)) => StepError::Device { detail, time },
        Failure::NotFinite { row } => StepError::NotFinite { point: system.describe(row), time },
        Failure::NotConverged { method, iterations, residual, tolerance } => {
            StepError::NotConverged { method, iterations, residual, tolerance, time }
        }
        Failure::Complementarity(outcome) => {
            StepError::Complementarity { detail: outcome.to_string(), time }
        }
        Failure::Contact(error) => StepError::Contact { detail: error.to_string(), time },
        Failure::Unmet { name, error } => StepError::Unmet { name, error, time },
        Failure::StaticContact { name, depth } => StepError::StaticContact { name, depth, time },
        Failure::Penetration { depth, pair } => {
            let names = system.multibody().map(|multibody| &multibody.contacts.names);
            let pair = names.and_then(|names| names.get(pair as usize)).cloned();
            StepError::Penetration { pair: pair.unwrap_or_default(), depth, time }
        }
    }
}
