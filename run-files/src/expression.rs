//! Formulas of probes: those of the library, with errors that name the probe.

pub(crate) use sinew::formula::{DEEPEST, LONGEST, Number, depth};
pub use sinew::formula::{Formula, Operand, part_names};

use sinew::formula::FormulaError;
use sinew::model::Model;

use crate::ProbeError;

/// Reads a formula of the probe `probe` over properties of `model`.
///
/// # Errors
/// A property that is not there, a formula that cannot be read.
pub fn formula(probe: &str, text: &str, model: &Model) -> Result<Formula, ProbeError> {
    let probe = probe.to_owned();
    Formula::parse(text, &|path| model.property(path)).map_err(|error| match error {
        FormulaError::Text { formula, why } => ProbeError::Formula { probe, formula, why },
        FormulaError::Property(source) => ProbeError::Property { probe, source: Box::new(source) },
    })
}
