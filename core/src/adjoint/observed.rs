//! Quantities of a trajectory as a table of numbers, one row a state, and derivatives by these handed back to the numbers of the
//! model: what libraries that differentiate programs ask of a function.

use super::cotangent::StateVector;
use super::error::AdjointError;
use super::parameter::Parameter;
use super::step::StepDerivatives;
use super::systems::Sides;
use super::trajectory::{Gradient, Trajectory};
use crate::Vec3;
use crate::inverse::{MotionTarget, PlacedTarget};
use crate::model::Model;
use crate::system::{CompiledModel, State};

impl Trajectory<'_> {
    /// The numbers of `observed` (points, origins and turns of bodies, coordinates) in the state at the start and after every
    /// step: rows of a table, one number of each target after the other [m], [rad].
    ///
    /// # Errors
    /// [`AdjointError`]; [`AdjointError::Unsupported`] where a target is a force or not simulated.
    pub fn observe(
        &self,
        start: Option<&State>,
        parameters: &[Parameter],
        observed: &[MotionTarget],
    ) -> Result<Vec<f64>, AdjointError> {
        let mut systems = self.systems(parameters, Sides::None)?;
        let mut derivatives = StepDerivatives::new(systems.compiled(), self.settings)?;
        let mut state = self.start(systems.compiled(), start)?;
        let placed = place(observed, self.model, systems.compiled())?;
        let mut table = Vec::new();
        for step in 0..self.steps {
            systems.set_step(step)?;
            let taken = derivatives.step(systems.compiled(), &mut state, self.step)?;
            append(observed, &placed, &taken.start, &mut table);
        }
        append(observed, &placed, &state, &mut table);
        Ok(table)
    }

    /// The numbers of [`Self::observe`], and their derivatives by the value of each parameter, which is one for all steps:
    /// forwards in time, at the cost of a back-solve a parameter and step. Derivatives stand in the order of the numbers, those
    /// by all parameters beside each other.
    ///
    /// # Errors
    /// As those of [`Self::observe`]; [`AdjointError::Unsupported`] where a parameter has a value a step.
    pub fn observe_changes(
        &self,
        start: Option<&State>,
        parameters: &[Parameter],
        observed: &[MotionTarget],
    ) -> Result<[Vec<f64>; 2], AdjointError> {
        let (mut table, mut changes, mut failed) = (Vec::new(), Vec::new(), None);
        let mut visit = |_: usize, state: &State, of: &CompiledModel, by: &[StateVector]| {
            let placed = match place(observed, self.model, of) {
                Ok(placed) => placed,
                Err(error) => {
                    failed.get_or_insert(error);
                    return;
                }
            };
            append(observed, &placed, state, &mut table);
            for (target, placed) in observed.iter().zip(&placed) {
                let columns =
                    by.iter().map(|by| placed.difference_by(&Vec3::zeros(), state, &by.q));
                let columns: Vec<Vec3> = columns.collect();
                let number = |axis| columns.iter().map(move |column| column[axis]);
                changes.extend((0..target.size()).flat_map(number));
            }
        };
        self.sensitivities(start, parameters, &mut visit)?;
        match failed {
            Some(error) => Err(error),
            None => Ok([table, changes]),
        }
    }

    /// The sum of all numbers that [`Self::observe`] finds times `factors`, and its derivatives: of a scalar whose derivatives by
    /// these numbers are `factors`, the gradient.
    ///
    /// # Errors
    /// As those of [`Self::observe`]; [`AdjointError::Length`] where there are not as many factors.
    pub fn pull_back(
        &self,
        start: Option<&State>,
        parameters: &[Parameter],
        (observed, factors): (&[MotionTarget], &[f64]),
    ) -> Result<Gradient, AdjointError> {
        let width: usize = observed.iter().map(MotionTarget::size).sum();
        let (expected, found) = (width * (self.steps + 1), factors.len());
        if expected != found {
            return Err(AdjointError::Length { what: "the derivatives", expected, found });
        }
        let systems = self.systems(parameters, Sides::Grouped)?;
        let placed = place(observed, self.model, systems.compiled())?;
        let mut objective =
            |step: usize, state: &State, _: &CompiledModel, gradient: &mut StateVector| {
                let factors = &factors[step * width..(step + 1) * width];
                let (mut row, mut first) = (Vec::new(), 0);
                append(observed, &placed, state, &mut row);
                for (target, placed) in observed.iter().zip(&placed) {
                    let own = &factors[first..first + target.size()];
                    first += target.size();
                    placed.add_derivatives(state, own, &mut gradient.q);
                }
                row.iter().zip(factors).map(|(number, factor)| number * factor).sum()
            };
        self.gradient_of(systems, (start, parameters), &mut objective)
    }
}

/// The targets in a compiled model.
fn place(
    observed: &[MotionTarget],
    model: &Model,
    compiled: &CompiledModel,
) -> Result<Vec<PlacedTarget>, AdjointError> {
    let named = |target: &MotionTarget, what: &str| {
        AdjointError::Unsupported(format!("'{}', {what}", target.path(model)))
    };
    let placed = |target: &MotionTarget| match target.kind.is_reading() {
        true => Err(named(target, "a force or the reading of a sensor")),
        false => {
            target.place(model, compiled).ok_or_else(|| named(target, "which is not simulated"))
        }
    };
    observed.iter().map(placed).collect()
}

/// Appends the numbers of a state.
fn append(observed: &[MotionTarget], placed: &[PlacedTarget], state: &State, row: &mut Vec<f64>) {
    for (target, placed) in observed.iter().zip(placed) {
        row.extend_from_slice(&placed.place_in(state).as_slice()[..target.size()]);
    }
}
