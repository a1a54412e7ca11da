//! The stepper of one system: the rule that takes a step, and the way back from a step that fails.

use super::constrained::{
    Constrained, StepContext, end_locks_on_paths, linearize_constrained, spring_back, stabilize,
    start_on_rows, step_constrained,
};
use super::dynamics::{step_linearized, step_symplectic};
use super::energy_guard::EnergyGuard;
use super::equations::{BACKWARD_EULER, Equations, TRAPEZOIDAL, Work};
use super::failure::{Failure, check_finite};
use super::linear::LinearSystem;
use super::newton::{Factor, step_midpoint, step_newton};
use super::prescribed::end_on_paths;
use super::runge_kutta::step_runge_kutta;
use super::settings::{
    CORRECTED, ImplicitMode, Integrator, LinearSolver, Preconditioning, SolverSettings,
};
use super::statics::solve_equilibrium;
use super::stop::StopFlag;
use super::variable::{Interval, VariableSolver, step_variable};
use crate::Vec3;
use crate::contact::CandidateFinder;
use crate::linalg::Corrector;
use crate::system::{MechSystem, RowImpacts, State, StepError, StepStats};

/// Takes steps of one [`MechSystem`]. After the first step it allocates nothing, on a thread of a
/// rayon pool (calls from outside pass through rayon's queue, which takes a block now and then), but
/// for two cases: faer's tasks, where 25,000 unknowns or more are factored on several threads, and
/// the name of an inverted element, where a search goes too far.
pub struct MechSystemSolver {
    pub(super) equations: Equations,
    /// For systems with bodies, attached points or constraints.
    pub(super) constrained: Option<Box<Constrained>>,
    /// For rules of variable step.
    pub(super) variable: Option<Box<VariableSolver>>,
    energy: EnergyGuard,
}

/// Extent of a step: as a whole, or its equations alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All, in parts where need be, overlaps taken back.
    Step,
    /// Its equations, as a whole: their matrix is then at hand.
    Equations,
    /// The same, and velocities at its end as they are after a step.
    Whole,
}

impl MechSystemSolver {
    /// A solver for systems with the pattern and the supports of `system`. The linear solver is
    /// chosen here; the symbolic part of a factorization is made here.
    ///
    /// # Errors
    /// [`StepError::Singular`] when a direct solver was asked for and its factor is too large.
    pub fn new(system: &dyn MechSystem, settings: SolverSettings) -> Result<Self, StepError> {
        let pattern = system.pattern();
        let named = |failure: Failure| failure.name(system, 0.0);
        let integrator = needed_rule(system, settings.integrator);
        let needed = SolverSettings { integrator, ..settings };
        let (constrained, linear) = match system.multibody() {
            None => {
                let linear = LinearSystem::new(pattern, system.fixed(), &needed);
                (None, linear.map_err(|error| named(error.into()))?)
            }
            Some(multibody) => {
                let context = StepContext { system, multibody };
                let constrained = Constrained::new(context, &needed).map_err(named)?;
                (Some(Box::new(constrained)), LinearSystem::with_rows())
            }
        };
        let equations = Equations::new(pattern, linear, settings, integrator);
        let variable = match integrator {
            Integrator::Variable(settings) => {
                let solver = VariableSolver::new(system, constrained.as_deref(), settings);
                Some(Box::new(solver.map_err(named)?))
            }
            _ => None,
        };
        Ok(Self { equations, constrained, variable, energy: EnergyGuard::default() })
    }

    /// The same with linear systems solved by `corrector`, which preconditions as it says, whatever the settings say
    /// about that. In a system with bodies, attached points or constraints it solves for what
    /// [`Multibody::reduced_fixed`](crate::system::Multibody::reduced_fixed) leaves.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_corrector(
        system: &dyn MechSystem,
        settings: SolverSettings,
        (corrector, preconditioning): (Box<dyn Corrector>, Preconditioning),
    ) -> Result<Self, StepError> {
        let pattern = system.pattern();
        let integrator = needed_rule(system, settings.integrator);
        let needed = SolverSettings { integrator, ..settings };
        let (constrained, linear) = match system.multibody() {
            None => {
                let (size, tolerance) = (pattern.size(), needed.solve_tolerance());
                (None, LinearSystem::elsewhere(size, (corrector, preconditioning), tolerance))
            }
            Some(multibody) => {
                let context = StepContext { system, multibody };
                let constrained = Constrained::with_corrector(context, &needed, corrector);
                let constrained = constrained.map_err(|failure| failure.name(system, 0.0))?;
                (Some(Box::new(constrained)), LinearSystem::with_rows())
            }
        };
        let equations = Equations::new(pattern, linear, settings, integrator);
        Ok(Self { equations, constrained, variable: None, energy: EnergyGuard::default() })
    }

    /// Has `finder` list candidates for contact between surfaces of tissues, in the place of hierarchies of boxes. Steps are
    /// the same bits.
    pub fn set_finder(&mut self, finder: Box<dyn CandidateFinder>) {
        if let Some(constrained) = &mut self.constrained {
            constrained.set_finder(finder);
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &SolverSettings {
        &self.equations.settings
    }

    /// The linear solver in use: never [`LinearSolver::Auto`].
    pub fn linear_solver(&self) -> LinearSolver {
        let iterates = self.constrained.as_ref().is_some_and(|own| own.prefers_iterations());
        if iterates { LinearSolver::ConjugateGradients } else { self.equations.linear.kind() }
    }

    /// Preconditioner of conjugate gradients: never [`Preconditioning::Auto`]; `None` with a factor.
    pub fn preconditioning(&self) -> Option<Preconditioning> {
        let iterates = self.constrained.as_ref().is_some_and(|own| own.prefers_iterations());
        let multigrid = iterates.then_some(Preconditioning::Multigrid);
        multigrid.or_else(|| self.equations.linear.preconditioning())
    }

    /// Brings a state in which no step has ended yet onto the rows, as the first step does.
    ///
    /// # Errors
    /// [`StepError`] where rows contradict each other.
    pub fn start(&mut self, system: &dyn MechSystem, state: &mut State) -> Result<(), StepError> {
        self.begin(system, state);
        let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) else {
            return Ok(());
        };
        own.begin_step();
        let context = StepContext { system, multibody };
        start_on_rows(&mut self.equations, context, own, state)
            .map_err(|failure| failure.name(system, state.time))
    }

    /// Takes back what a step of `h` [s] to this state passed its ranges by, or overlaps of contacts, as the end of a step does.
    ///
    /// # Errors
    /// [`StepError`] where rows contradict each other.
    pub fn take_back_overlaps(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<(), StepError> {
        self.start(system, state)?;
        let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) else {
            return Ok(());
        };
        let context = StepContext { system, multibody };
        stabilize(&mut self.equations, context, own, state, h)
            .map_err(|failure| failure.name(system, state.time))
    }

    /// Has what a step of `h` [s] from this state strikes with restitution spring back, as the start of a step does: velocities of the state
    /// become those after the impacts, whose impulses are returned.
    ///
    /// # Errors
    /// [`StepError`] where rows contradict each other, or no impulses are found; velocities may have changed.
    pub fn spring_back(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<RowImpacts, StepError> {
        self.start(system, state)?;
        let (Some(own), Some(multibody)) = (&mut self.constrained, system.multibody()) else {
            return Ok(RowImpacts::default());
        };
        let context = StepContext { system, multibody };
        spring_back(&mut self.equations, context, own, state, h)
            .map_err(|failure| failure.name(system, state.time))
    }

    /// Drops all memory from step to step (an old factor, velocities to extrapolate), so that the
    /// next step depends on the state alone: called where a run is to be resumed bit for bit.
    pub fn forget(&mut self) {
        self.equations.linear.forget();
        self.constrained.iter_mut().for_each(|own| own.forget());
        self.system_changed();
    }

    /// Starts a rule that runs ahead anew at the next step, with energies of the changed numbers.
    pub(crate) fn system_changed(&mut self) {
        self.energy.forget();
        self.variable.iter_mut().for_each(|it| it.forget());
    }

    /// Gives a step up where `flag` was set a second before and it still goes on: it ends with [`StepError::Stopped`] between
    /// two of its iterations. A factorization, or conjugate gradients, under way end first; a factorization is not begun any more
    /// once `flag` is set where one has taken a second or more.
    pub fn stop_on(&mut self, flag: StopFlag) {
        if let Some(own) = &mut self.constrained {
            let flag = flag.clone();
            own.parts.mixed.stop_when(move || flag.is_overdue());
        }
        self.equations.stop = flag;
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
        self.advance(system, state, (h, Extent::Step))
    }

    /// A step of `h` [s], or no more than its equations.
    pub(super) fn advance(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        (h, extent): (f64, Extent),
    ) -> Result<StepStats, StepError> {
        self.begin(system, state);
        let guarded = extent == Extent::Step && self.guards_energy(system);
        if guarded {
            self.energy.begin(system, state);
        }
        let mut result = self.apply_rule(system, state, (h, extent));
        result = result.and_then(|()| self.check_end(system, state));
        if guarded {
            result = result.and_then(|()| self.energy.check(system, state));
        }
        match result {
            Ok(()) => {
                self.finish(system, state, h);
                Ok(self.equations.stats)
            }
            Err(failure) => {
                self.restore(state);
                let strongest =
                    |fem: &str, element| system.strongest_muscle(fem, element, (&*state, h));
                Err(failure.name(system, state.time).with_muscle(strongest))
            }
        }
    }

    /// True if steps that create energy are refused.
    fn guards_energy(&self, system: &dyn MechSystem) -> bool {
        let rule = self.equations.integrator;
        let damps = matches!(rule, Integrator::BackwardEuler(ImplicitMode::Linearized));
        damps && system.may_create_energy()
    }

    /// Takes memory, time and prescribed coordinates to the end of a step of `h` [s].
    fn finish(&self, system: &dyn MechSystem, state: &mut State, h: f64) {
        let rule = self.equations.integrator;
        // The stages of these rules took the memory along.
        let staged = matches!(rule, Integrator::RungeKutta4 | Integrator::Variable(_));
        system.advance_memory(if staged { 0.0 } else { h }, state);
        if matches!(rule, Integrator::Static(_)) {
            system.relax_memory(state);
        }
        state.time += h;
        if let Some(multibody) = system.multibody() {
            multibody.prescribe_coordinates(state.time, &mut state.coordinates);
        }
    }

    /// Remembers the start of a step.
    fn begin(&mut self, system: &dyn MechSystem, state: &State) {
        let equations = &mut self.equations;
        let size = equations.work.q0.len();
        assert_eq!([state.q.len(), state.u.len(), system.fixed().len()], [size; 3], "rows");
        equations.stats = StepStats::default();
        equations.integrator = needed_rule(system, equations.settings.integrator);
        equations.work.q0.copy_from_slice(&state.q);
        equations.work.u0.copy_from_slice(&state.u);
        equations.work.memory.keep(state);
    }

    /// Positions and velocities by the rule of the integrator.
    fn apply_rule(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        (h, extent): (f64, Extent),
    ) -> Result<(), Failure> {
        let Self { equations, constrained, variable, .. } = self;
        match (constrained.as_deref_mut(), variable) {
            (own, Some(variable)) => {
                let span = [state.time, state.time + h];
                step_variable(Interval { equations, system, own, span }, variable, state, h)
            }
            (Some(own), None) => {
                let multibody = system.multibody().expect("the solver was made for this system");
                let context = StepContext { system, multibody };
                match extent {
                    Extent::Step => step_constrained(equations, own, context, state, h),
                    Extent::Equations => linearize_constrained(equations, own, context, state, h),
                    Extent::Whole => {
                        linearize_constrained(equations, own, context, state, h)?;
                        end_locks_on_paths(equations, context, &mut own.parts, state, h)
                    }
                }
            }
            (None, None) => {
                step_free(equations, system, state, h)?;
                if !matches!(equations.integrator, Integrator::Static(_)) {
                    let Work { f, f0, u0, .. } = &mut equations.work;
                    end_on_paths(system, (state.time, h), [f, f0], (u0, &mut state.u));
                }
                Ok(())
            }
        }
    }

    /// Refuses a state at the end of a step that no step may end with.
    fn check_end(&self, system: &dyn MechSystem, state: &State) -> Result<(), Failure> {
        let start = match &self.constrained {
            Some(own) => own.start_positions(),
            None => &self.equations.work.q0,
        };
        check_end(self.equations.integrator, system, start, state)
    }

    /// Goes back to the start of the step.
    fn restore(&self, state: &mut State) {
        let work = &self.equations.work;
        work.memory.restore(state);
        match &self.constrained {
            Some(own) => own.restore(state),
            None => {
                state.q.copy_from_slice(&work.q0);
                state.u.copy_from_slice(&work.u0);
            }
        }
    }
}

/// One step of a system without bodies, attached points and constraint rows.
fn step_free(
    equations: &mut Equations,
    system: &dyn MechSystem,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    let (rule, mode) = match equations.integrator {
        Integrator::BackwardEuler(mode) => (BACKWARD_EULER, mode),
        Integrator::Trapezoidal(mode) => (TRAPEZOIDAL, mode),
        Integrator::Midpoint(newton) => return step_midpoint(equations, system, state, h, newton),
        Integrator::SymplecticEuler => return step_symplectic(equations, system, state, h),
        Integrator::RungeKutta4 => return step_runge_kutta(equations, system, state, h),
        Integrator::Static(settings) => {
            return solve_equilibrium(equations, system, state, h, settings);
        }
        Integrator::Variable(_) => unreachable!("its steps are those of `step_variable`"),
    };
    let kept = equations.settings.integrator.is_linearized();
    match mode {
        ImplicitMode::Linearized => step_linearized(equations, system, state, h, rule),
        ImplicitMode::Newton(newton) if kept => {
            step_newton(equations, system, state, (h, rule), (newton, Factor::Kept))
        }
        ImplicitMode::Newton(newton) => {
            step_newton(equations, system, state, (h, rule), (newton, Factor::Anew))
        }
    }
}

/// The rule that steps of a system are taken by, where `asked` is what a user chose: linearized trapezoidal steps would
/// lose an order, and gain energy, where S leaves out how forces turn.
fn needed_rule(system: &dyn MechSystem, asked: Integrator) -> Integrator {
    match asked {
        Integrator::Trapezoidal(ImplicitMode::Linearized) if system.leaves_out_turns() => {
            Integrator::Trapezoidal(ImplicitMode::Newton(CORRECTED))
        }
        _ => asked,
    }
}

/// Refuses a state that no step can go on from: numbers that are none, elements that are inverted or all but.
fn check_end(
    integrator: Integrator,
    system: &dyn MechSystem,
    start: &[Vec3],
    state: &State,
) -> Result<(), Failure> {
    check_finite(state)?;
    let start = match integrator {
        // Equilibria are solved for, and steps of these rules are shorter than the interval; how far they are from the
        // start says nothing.
        Integrator::Static(_) | Integrator::Variable(_) => &state.q,
        _ => start,
    };
    Ok(system.check_step(start, &state.q)?)
}
