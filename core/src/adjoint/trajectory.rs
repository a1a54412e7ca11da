//! Gradients of scalars of a trajectory, backwards in time, and sensitivities of its states, forwards.

use std::ops::Range;

use super::cotangent::StateVector;
use super::error::AdjointError;
use super::layout::Layout;
use super::parameter::Parameter;
use super::step::{StepDerivatives, TakenStep};
use super::systems::{Moved, Sides, Systems};
use crate::model::Model;
use crate::solve::SolverSettings;
use crate::system::{CompiledModel, MechSystem, State};

/// Steps of a model.
#[derive(Clone, Copy, Debug)]
pub struct Trajectory<'a> {
    /// The model; its parameters take the values that are given with them.
    pub model: &'a Model,
    /// Settings of the steps: backward Euler or the trapezoidal rule, by Newton's method. How exact derivatives are depends
    /// on the tolerance of that.
    pub settings: SolverSettings,
    /// Length of a step [s].
    pub step: f64,
    /// Number of steps.
    pub steps: usize,
}

/// A scalar of a trajectory: a sum over its states.
pub trait Objective {
    /// Adds the derivatives of what the state after `step` steps adds to the scalar, and returns that. States come once each,
    /// the last first.
    fn add(
        &mut self,
        step: usize,
        state: &State,
        compiled: &CompiledModel,
        gradient: &mut StateVector,
    ) -> f64;
}

impl<F: FnMut(usize, &State, &CompiledModel, &mut StateVector) -> f64> Objective for F {
    fn add(
        &mut self,
        step: usize,
        state: &State,
        compiled: &CompiledModel,
        gradient: &mut StateVector,
    ) -> f64 {
        self(step, state, compiled, gradient)
    }
}

/// A reader of states, after so many steps, with their derivatives by each parameter.
pub type Visit<'v> = dyn FnMut(usize, &State, &CompiledModel, &[StateVector]) + 'v;

/// States on the way of a trajectory, each with the steps from there to the next, and the last of these steps as they were taken.
#[derive(Default)]
struct Kept {
    states: Vec<(Range<usize>, State)>,
    latest: Option<Vec<TakenStep>>,
}

/// A scalar of a trajectory and its derivatives.
#[derive(Clone, Debug, Default)]
pub struct Gradient {
    /// The scalar.
    pub value: f64,
    /// By the state at the start.
    pub start: StateVector,
    /// By each value of each parameter.
    pub parameters: Vec<Vec<f64>>,
    /// The state at the start, as the first step took it: on the rows of the joints.
    pub from: State,
    /// The state at the end.
    pub end: State,
    /// Evaluations of the equations of steps that it took, beside the steps themselves.
    pub evaluations: usize,
}

impl<'a> Trajectory<'a> {
    /// Steps of `step` [s] as far as they come in a motion that ends at `end` [s].
    ///
    /// # Errors
    /// [`AdjointError::Short`] where that is not one.
    pub fn until(
        model: &'a Model,
        settings: SolverSettings,
        (step, end): (f64, f64),
    ) -> Result<Self, AdjointError> {
        match (end / step + WHOLE).floor() as usize {
            0 => Err(AdjointError::Short { end, step }),
            steps => Ok(Self { model, settings, step, steps }),
        }
    }
}

/// Part of a step that times of a record may leave to the end of a whole one [-]: they are written with rounding.
const WHOLE: f64 = 1e-6;

/// Numbers that a step keeps of a block row: positions and velocities at its start, mean velocities.
const NUMBERS_OF_ROW: usize = 9;
/// Most numbers of steps that are all kept, 8 MB: 100 steps of a thousand nodes.
const MOST_NUMBERS: usize = 1 << 20;

impl Trajectory<'_> {
    /// The scalar and its derivatives by the state at the start (`None`: that of the model, which changes with rest positions
    /// and velocities among the parameters) and by parameters. Where the steps together are more than 8 MB, memory grows with
    /// the square root of their number: states are kept at as many places, and steps between two of these are taken again.
    ///
    /// # Errors
    /// [`AdjointError`].
    pub fn gradient(
        &self,
        start: Option<&State>,
        parameters: &[Parameter],
        objective: &mut dyn Objective,
    ) -> Result<Gradient, AdjointError> {
        let systems = self.systems(parameters, Sides::Grouped)?;
        self.gradient_of(systems, (start, parameters), objective)
    }

    /// The systems of parameters.
    pub(super) fn systems(
        &self,
        parameters: &[Parameter],
        sides: Sides,
    ) -> Result<Systems, AdjointError> {
        self.check(parameters)?;
        Systems::new(self.model, parameters, sides)
    }

    /// The gradient, with the systems of its parameters.
    pub(super) fn gradient_of(
        &self,
        mut systems: Systems,
        (start, parameters): (Option<&State>, &[Parameter]),
        objective: &mut dyn Objective,
    ) -> Result<Gradient, AdjointError> {
        let mut derivatives = StepDerivatives::new(systems.compiled(), self.settings)?;
        let mut state = self.start(systems.compiled(), start)?;
        let known = (&mut derivatives, &mut systems);
        let Kept { states, mut latest } = self.take_all(known, &mut state)?;
        let mut found = Gradient { end: state.clone(), ..Default::default() };
        found.parameters = parameters.iter().map(|it| vec![0.0; it.values.len()]).collect();
        let mut cotangent = StateVector::zeros(&state);
        found.value += objective.add(self.steps, &state, systems.compiled(), &mut cotangent);
        found.from = state;
        for (steps, mut state) in states.into_iter().rev() {
            let known = (&mut derivatives, &mut systems);
            let taken = match latest.take() {
                Some(taken) => taken,
                None => self.take(known, steps.clone(), &mut state)?,
            };
            for (step, taken) in steps.zip(&taken).rev() {
                systems.set_step(step)?;
                let known = (&mut derivatives, &systems);
                cotangent = pull_back(known, (step, taken), (&cotangent, &mut found))?;
                let compiled = systems.compiled();
                found.value += objective.add(step, &taken.start, compiled, &mut cotangent);
                found.from.clone_from(&taken.start);
            }
        }
        if start.is_none() {
            let layout = Layout::new(systems.compiled())?;
            let known = (&mut derivatives, &systems);
            add_by_start(known, (&layout, &cotangent), &mut found.parameters)?;
        }
        found.evaluations = derivatives.evaluations;
        found.start = derivatives.reduce(systems.compiled(), &found.from, cotangent);
        Ok(found)
    }

    /// Takes all steps. Where all of them fit into memory one state is kept.
    fn take_all(
        &self,
        (derivatives, systems): (&mut StepDerivatives, &mut Systems),
        state: &mut State,
    ) -> Result<Kept, AdjointError> {
        let numbers = NUMBERS_OF_ROW * state.q.len() + state.memory.len();
        let stride = match self.steps * numbers <= MOST_NUMBERS {
            true => self.steps.max(1),
            false => (self.steps as f64).sqrt().ceil().max(1.0) as usize,
        };
        let mut kept = Kept::default();
        for first in (0..self.steps).step_by(stride) {
            let steps = first..self.steps.min(first + stride);
            kept.states.push((steps.clone(), state.clone()));
            kept.latest = Some(self.take((&mut *derivatives, &mut *systems), steps, state)?);
        }
        Ok(kept)
    }

    /// Takes some steps.
    fn take(
        &self,
        (derivatives, systems): (&mut StepDerivatives, &mut Systems),
        steps: Range<usize>,
        state: &mut State,
    ) -> Result<Vec<TakenStep>, AdjointError> {
        let mut taken = Vec::new();
        for step in steps {
            systems.set_step(step)?;
            taken.push(derivatives.step(systems.compiled(), state, self.step)?);
        }
        Ok(taken)
    }

    /// Takes the steps forwards, and hands every state from the first on to `visit`, with its derivatives by each parameter.
    /// A state that is given as the start does not depend on these; that of the model may.
    ///
    /// # Errors
    /// [`AdjointError`]; [`AdjointError::Unsupported`] where a parameter has a value a step.
    pub fn sensitivities(
        &self,
        start: Option<&State>,
        parameters: &[Parameter],
        visit: &mut Visit<'_>,
    ) -> Result<(), AdjointError> {
        if parameters.iter().any(|it| it.values.len() != 1) {
            let what = "sensitivities to values that change over time: take a gradient";
            return Err(AdjointError::Unsupported(what.to_owned()));
        }
        let systems = self.systems(parameters, Sides::Each)?;
        let mut derivatives = StepDerivatives::new(systems.compiled(), self.settings)?;
        let mut state = self.start(systems.compiled(), start)?;
        let mut changes = vec![StateVector::zeros(&state); parameters.len()];
        if start.is_none() {
            state = derivatives.start_of(systems.compiled())?;
            let layout = Layout::new(systems.compiled())?;
            let moved = systems.moved();
            let moved = moved.map(|moved| moved.change_of_start(&mut derivatives, &layout));
            changes = moved.collect::<Result<_, _>>()?;
        }
        visit(0, &state, systems.compiled(), &changes);
        for step in 0..self.steps {
            let compiled = systems.compiled();
            let taken = derivatives.step(compiled, &mut state, self.step)?;
            let of = derivatives.linearize(compiled, &taken)?;
            let mut column = |moved: Moved| moved.column(&mut derivatives, &taken, &of);
            let columns = systems.moved().map(&mut column).collect::<Result<Vec<_>, _>>()?;
            derivatives.push_forward(&of, &mut changes, &columns)?;
            visit(step + 1, &state, compiled, &changes);
        }
        Ok(())
    }

    pub(super) fn start(
        &self,
        compiled: &CompiledModel,
        given: Option<&State>,
    ) -> Result<State, AdjointError> {
        let own = compiled.initial_state();
        let Some(given) = given else { return Ok(own) };
        let (expected, found) = (own.q.len(), given.q.len());
        match expected == found && given.memory.len() == own.memory.len() {
            true => Ok(given.clone()),
            false => Err(AdjointError::Length { what: "the state at the start", expected, found }),
        }
    }

    pub(super) fn check(&self, parameters: &[Parameter]) -> Result<(), AdjointError> {
        let steps = self.steps;
        match parameters.iter().find(|it| ![1, steps].contains(&it.values.len())) {
            Some(it) => Err(AdjointError::Length {
                what: "the values of a parameter, one or one a step,",
                expected: steps,
                found: it.values.len(),
            }),
            None => Ok(()),
        }
    }
}

/// Derivatives by the start of a step from those by its end; those by parameters are added.
fn pull_back(
    (derivatives, systems): (&mut StepDerivatives, &Systems),
    (step, taken): (usize, &TakenStep),
    (end, found): (&StateVector, &mut Gradient),
) -> Result<StateVector, AdjointError> {
    let system: &dyn MechSystem = systems.compiled();
    let of = derivatives.linearize(system, taken)?;
    let end = &of.with_memory(end);
    let (start, multipliers) = derivatives.pull_back(&of, end)?;
    for moved in systems.moved() {
        let column = moved.column(derivatives, taken, &of)?;
        for (k, rows) in moved.members {
            let values = &mut found.parameters[k];
            let place = if values.len() == 1 { 0 } else { step };
            values[place] += column.pulled(end, &multipliers, rows);
        }
    }
    Ok(start)
}

/// Adds derivatives by parameters through the start of the model, from those by the start.
fn add_by_start(
    (derivatives, systems): (&mut StepDerivatives, &Systems),
    (layout, by_start): (&Layout, &StateVector),
    parameters: &mut [Vec<f64>],
) -> Result<(), AdjointError> {
    for moved in systems.moved() {
        let start = moved.change_of_start(derivatives, layout)?;
        for (k, rows) in moved.members {
            if let Some(first) = parameters[k].first_mut() {
                *first += start.dot_on(by_start, rows);
            }
        }
    }
    Ok(())
}
