//! The running model as sensors, controllers and events see it; their formulas, errors and memories.

use crate::formula::{PropertyFormula, PropertyFormulaError};
use crate::model::{CodeError, CodeFault, Model};
use crate::property::{Components, LinkedText, PropertyError};
use crate::schedule::written::Written;
use crate::simulated::Simulated;
use crate::system::{CompiledModel, State};

/// Errors of sensors, controllers and events in a run.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// Its formula.
    #[error(transparent)]
    Formula(#[from] PropertyFormulaError),
    /// A property that it reads or sets.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// Registered code that cannot be made.
    #[error("its code {0}")]
    Unmade(#[from] CodeError),
    /// Registered code that gave an error in the place of an output.
    #[error("its code failed: {0}")]
    Code(#[source] CodeFault),
    /// A value that is not finite.
    #[error(
        "its value is {value} at t = {time} s; it must be finite: look at its formula '{formula}'"
    )]
    NotFinite {
        /// The value.
        value: f64,
        /// Time [s].
        time: f64,
        /// The formula.
        formula: String,
    },
    /// A property of more or less than one number.
    #[error("{0} is not one number: a controller sets one")]
    NotOne(String),
    /// A command that cannot be read.
    #[error("its command {0}")]
    Command(String),
}

/// The running model, as instruments see it.
pub(in crate::schedule) struct Bench<'a> {
    pub(in crate::schedule) model: &'a mut Model,
    pub(in crate::schedule) compiled: &'a CompiledModel,
    pub(in crate::schedule) state: &'a State,
    pub(in crate::schedule) written: &'a mut Written,
}

impl Bench<'_> {
    pub(super) fn now(&self) -> Simulated<'_> {
        Simulated { model: self.model, compiled: self.compiled, state: self.state }
    }
}

/// A formula that is read anew when its text or the tree has changed.
#[derive(Default)]
pub(super) struct Cached {
    /// The formula, and the text that it was read from.
    known: Option<(LinkedText, PropertyFormula)>,
}

impl Cached {
    /// Has it read anew.
    pub(super) fn forget(&mut self) {
        self.known = None;
    }

    /// Its value now.
    pub(super) fn eval(
        &mut self,
        text: &LinkedText,
        now: &Simulated<'_>,
    ) -> Result<f64, InstrumentError> {
        let model: &dyn Components = now.model;
        let formula = match &mut self.known {
            Some((of, formula)) if of == text => formula,
            known => {
                let find = |path: &str| now.model.property(path);
                let formula = PropertyFormula::parse(&model.text(text), &find)?;
                &mut known.insert((text.clone(), formula)).1
            }
        };
        let time = now.state.time;
        let value = formula.eval_with(time, |property| now.get_property(property))?;
        match value.is_finite() {
            true => Ok(value),
            false => Err(InstrumentError::NotFinite { value, time, formula: model.text(text) }),
        }
    }
}

/// The first so many numbers of a list, which then begins behind them; zeros where it is too short.
pub(super) fn taken<const N: usize>(rest: &mut &[f64]) -> [f64; N] {
    match rest.split_first_chunk::<N>() {
        Some((own, others)) => {
            *rest = others;
            *own
        }
        None => {
            *rest = &[];
            [0.0; N]
        }
    }
}
