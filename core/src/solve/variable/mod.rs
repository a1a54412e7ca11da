//! Steps of models by rules of variable step ([`crate::ode`]): the rule runs ahead of the interval that is asked for, whose
//! end is taken from its dense output; impacts are events. While something touches, steps are those of the classical
//! Runge-Kutta rule. Theory: docs/theory/integrators.md.

mod rates;
mod supported;
#[cfg(test)]
mod tests;
mod turns;

use super::constrained::{
    Constrained, Natural, StepContext, TOUCHING, Touch, runge_kutta_in_parts, settle, stabilize,
    start_on_rows,
};
use super::equations::Equations;
use super::failure::Failure;
use super::settings::{BodyCoordinates, VariableStep};
use crate::ode::{
    EventFinder, Method, OdeError, OdeSettings, OdeSolver, OdeStatistics, OdeSystem, SwitchedSystem,
};
use crate::system::{MechSystem, State};
use rates::ModelRates;
pub(super) use supported::ensure_supported;
use turns::Turns;

/// Longest step of a rule over the interval that is asked for [-]: what loads do within it is not overlooked. Less where
/// contacts are looked for along it.
const AHEAD: f64 = 16.0;
const AHEAD_OF_CONTACT: f64 = 4.0;
/// Most impacts in one interval; what strikes more often rests.
const MAX_EVENTS: usize = 1000;

/// Most steps of a rule in one interval, and of Radau's, which takes some tens of evaluations for one: a motion that takes
/// more goes nowhere, as that of a loop of joints in a place where it may go two ways.
const MOST_STEPS: usize = 100_000;
const MOST_IMPLICIT_STEPS: usize = 10_000;

/// A rule with how far it ran ahead.
pub(super) struct VariableSolver {
    solver: OdeSolver,
    finder: EventFinder,
    /// The state that rates are evaluated at.
    scratch: State,
    /// Rotations of bodies among the values.
    turns: Turns,
    y: Vec<f64>,
    /// The state handed out last, from which the rule goes on; nothing where it starts anew.
    last: Option<State>,
    /// Memory at the start of the interval.
    memory: Vec<f64>,
}

impl VariableSolver {
    /// A solver of a system, refused where the rule cannot take it.
    pub(super) fn new(
        system: &dyn MechSystem,
        own: Option<&Constrained>,
        settings: VariableStep,
    ) -> Result<Self, Failure> {
        ensure_supported(system, settings)?;
        let VariableStep { method, relative, absolute, coordinates } = settings;
        let natural = match (coordinates, own, system.multibody()) {
            (BodyCoordinates::Natural, Some(own), Some(multibody)) => {
                Some(Natural::new(StepContext { system, multibody }, &own.parts)?)
            }
            _ => None,
        };
        // Sizes are known when a state comes.
        let solver = empty(OdeSettings::new(method, relative, absolute))?;
        Ok(Self {
            solver,
            finder: EventFinder::new(0, 0.0),
            scratch: State::default(),
            turns: Turns::new(system, natural),
            y: Vec::new(),
            last: None,
            memory: Vec::new(),
        })
    }

    /// The next step depends on the state alone.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// True if the rule is ahead of a state, which is the one that it handed out.
    fn goes_on(&self, state: &State) -> bool {
        self.last.as_ref().is_some_and(|last| {
            let same = last.time == state.time && last.q == state.q && last.u == state.u;
            same && last.memory == state.memory
        })
    }
}

fn empty(settings: OdeSettings) -> Result<OdeSolver, Failure> {
    OdeSolver::new::<Failure>(settings, 0).map_err(Failure::from)
}

impl From<OdeError<Failure>> for Failure {
    fn from(error: OdeError<Failure>) -> Self {
        let error = match error.of_system() {
            Ok(failure) => return failure,
            Err(error) => error,
        };
        match error {
            OdeError::System { source, .. } => match source {},
            OdeError::Setting { .. } | OdeError::Size { .. } => {
                Self::Unsupported { rule: "a rule of variable step", part: error.to_string() }
            }
            OdeError::StepTooShort { .. }
            | OdeError::TooManySteps { .. }
            | OdeError::NotFinite { .. }
            | OdeError::Chattering { .. } => Self::StepControl(error.to_string()),
        }
    }
}

/// A system with the parts of its solver that an interval takes.
pub(super) struct Interval<'a> {
    pub(super) equations: &'a mut Equations,
    pub(super) system: &'a dyn MechSystem,
    pub(super) own: Option<&'a mut Constrained>,
    /// Its begin and end [s].
    pub(super) span: [f64; 2],
}

impl<'a> Interval<'a> {
    fn context(&self) -> Option<StepContext<'a>> {
        let multibody = self.system.multibody()?;
        self.own.is_some().then_some(StepContext { system: self.system, multibody })
    }

    /// Rates at `scratch`.
    fn rates<'b>(&'b mut self, scratch: &'b mut State, turns: &'b mut Turns) -> ModelRates<'b> {
        let Self { equations, system, own, span } = self;
        let (own, span) = (own.as_deref_mut(), *span);
        ModelRates { equations, system: *system, own, state: scratch, turns, span }
    }
}

/// Advances `state` by `h` [s], but for its time.
pub(super) fn step_variable(
    mut interval: Interval<'_>,
    variable: &mut VariableSolver,
    state: &mut State,
    h: f64,
) -> Result<(), Failure> {
    variable.memory.clone_from(&state.memory);
    let begin = state.time;
    let done = advance(&mut interval, variable, state, [begin, begin + h]);
    state.time = begin;
    match &done {
        Ok(()) => {
            interval.system.advance_memory(0.0, state);
            if let Some(last) = &mut variable.last {
                last.copy_from(state);
                last.time = begin + h;
            }
        }
        Err(_) => {
            variable.last = None;
            state.memory.clone_from(&variable.memory);
            interval.equations.work.memory.keep(state);
        }
    }
    done
}

/// Flights and what lies between them, from one time to another.
fn advance(
    interval: &mut Interval<'_>,
    variable: &mut VariableSolver,
    state: &mut State,
    [begin, end]: [f64; 2],
) -> Result<(), Failure> {
    let h = end - begin;
    let may_touch = interval.own.as_deref().is_some_and(Constrained::may_touch);
    variable.solver.set_max_step(h * if may_touch { AHEAD_OF_CONTACT } else { AHEAD });
    let before = variable.solver.statistics();
    let goes_on = variable.goes_on(state);
    let mut touch = begin_interval(interval, state, (h, goes_on))?;
    if !goes_on || touch != Touch::Free {
        variable.last = None;
    }
    let mut time = begin;
    for event in 0.. {
        if touch == Touch::Rests || event == MAX_EVENTS {
            rest(interval, state, [time, end])?;
            variable.last = None;
            break;
        }
        let struck = fly(interval, variable, state, [time, end])?;
        let Some(at) = struck else { break };
        time = at;
        variable.last = None;
        if let (Some(context), Some(own)) = (interval.context(), interval.own.as_deref_mut()) {
            own.parts.begin(context.multibody, (&state.q, &state.u));
            touch = settle(interval.equations, context, own, state, h)?;
        }
    }
    let after = variable.solver.statistics();
    let stats = &mut interval.equations.stats;
    stats.substeps = (after.accepted - before.accepted).max(1);
    stats.linear_solves += after.evaluations - before.evaluations;
    stats.factorizations += after.factorizations - before.factorizations;
    Ok(())
}

/// Brings the start of an interval of `h` [s] onto its rows, and settles impacts there unless the rule goes on.
fn begin_interval(
    interval: &mut Interval<'_>,
    state: &mut State,
    (h, goes_on): (f64, bool),
) -> Result<Touch, Failure> {
    let (Some(context), Some(own)) = (interval.context(), interval.own.as_deref_mut()) else {
        return Ok(Touch::Free);
    };
    own.begin_step();
    start_on_rows(interval.equations, context, own, state)?;
    state.contacts.clear();
    state.range_forces.clear();
    state.range_forces.resize(context.multibody.joints.unilateral.count(), 0.0);
    if goes_on {
        return Ok(Touch::Free);
    }
    settle(interval.equations, context, own, state, h)
}

/// Motion without impacts from one time to another, or to the impact that ends it, whose time it returns.
fn fly(
    interval: &mut Interval<'_>,
    variable: &mut VariableSolver,
    state: &mut State,
    [time, end]: [f64; 2],
) -> Result<Option<f64>, Failure> {
    if time >= end {
        return Ok(None);
    }
    if variable.last.is_none() {
        start_rule(interval, variable, state, time)?;
    }
    let VariableSolver { solver, finder, scratch, turns, y, .. } = variable;
    let mut rates = interval.rates(scratch, turns);
    let (mut struck, taken) = (None, solver.statistics());
    while struck.is_none() && finder.time < end {
        if finder.time >= solver.time() {
            solver.step(&mut rates, f64::INFINITY)?;
            ensure_advance(solver, taken)?;
        }
        let until = solver.time().min(end);
        struck = finder.find(solver, &mut rates, until)?;
    }
    let at = struck.unwrap_or(end);
    solver.interpolate(&mut rates, at, y)?;
    rates.place(at, y);
    rates.finish(at)?;
    state.q.copy_from_slice(&scratch.q);
    state.u.copy_from_slice(&scratch.u);
    state.memory.copy_from_slice(&scratch.memory);
    if let Some(own) = interval.own.as_deref() {
        state.multipliers.copy_from_slice(&own.parts.linear.row_step);
    }
    Ok(struck)
}

/// Refuses to go on where steps of a rule, since it had `taken` these, are very many in one interval.
fn ensure_advance(solver: &OdeSolver, taken: OdeStatistics) -> Result<(), Failure> {
    let OdeStatistics { accepted, refused, .. } = solver.statistics();
    let count = accepted + refused - taken.accepted - taken.refused;
    let most = match solver.settings().method {
        Method::Radau => MOST_IMPLICIT_STEPS,
        Method::RungeKuttaFehlberg | Method::DormandPrince | Method::Adams => MOST_STEPS,
    };
    if count <= most {
        return Ok(());
    }
    let [start, end] = solver.interval();
    Err(Failure::StepControl(format!(
        "{count} steps of the rule are at t = {end} s, and the last took {:.1e} s: raise the tolerance, step more often, or take \
         backward-euler; where a loop of joints is stretched out, its motion may go two ways",
        end - start
    )))
}

/// Starts the rule anew from a state, and the search for impacts with it.
fn start_rule(
    interval: &mut Interval<'_>,
    variable: &mut VariableSolver,
    state: &State,
    time: f64,
) -> Result<(), Failure> {
    let VariableSolver { solver, finder, scratch, turns, y, last, .. } = variable;
    scratch.copy_from(state);
    let mut rates = interval.rates(scratch, turns);
    y.resize(rates.size(), 0.0);
    rates.take_bodies();
    rates.pack(y);
    if solver.y().len() != y.len() {
        *solver = OdeSolver::new(solver.settings().clone(), y.len())?;
    }
    solver.start(&mut rates, time, y)?;
    *finder = EventFinder::new(rates.switch_count(), time);
    finder.begin(&mut rates, time, y)?;
    finder.leave_zeros(TOUCHING);
    *last = Some(State::default());
    Ok(())
}

/// From one time to another while something touches: the classical Runge-Kutta rule, with its impulses.
fn rest(
    interval: &mut Interval<'_>,
    state: &mut State,
    [time, end]: [f64; 2],
) -> Result<(), Failure> {
    let Some(context) = interval.context() else { return Ok(()) };
    let Interval { equations, own: Some(own), .. } = interval else { return Ok(()) };
    state.time = time;
    own.parts.start.begin_at(state);
    equations.work.memory.keep(state);
    runge_kutta_in_parts(equations, context, own, state, end - time)?;
    stabilize(equations, context, own, state, end - time)?;
    equations.stats.contacts = state.contacts.len();
    Ok(())
}

impl OdeSystem for ModelRates<'_> {
    type Error = Failure;

    fn size(&self) -> usize {
        self.turns.packed_size(self.state)
    }

    fn rates(&mut self, time: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Failure> {
        self.place(time, y);
        self.bring_stage_onto_rows()?;
        self.evaluate(time)?;
        self.pack_rates(time, y, rates);
        Ok(())
    }

    fn project(&mut self, time: f64, y: &mut [f64]) -> Result<bool, Failure> {
        self.place(time, y);
        let moved = self.bring_onto_rows()? || self.turns.have_lost_norm(y);
        if moved {
            self.pack(y);
        }
        Ok(moved)
    }

    fn may_pass(&self, error: &Failure) -> bool {
        !matches!(error, Failure::Stopped | Failure::Unsupported { .. })
    }
}
