//! Formulas of probes: those of the library, with errors that name the probe.

use sinew::formula::{PropertyFormula, PropertyFormulaError};
use sinew::model::Model;

use crate::ProbeError;

/// Reads a formula of the probe `probe` over properties of `model`.
///
/// # Errors
/// A property that is not there, a formula that cannot be read.
pub fn formula(probe: &str, text: &str, model: &Model) -> Result<PropertyFormula, ProbeError> {
    let probe = probe.to_owned();
    PropertyFormula::parse(text, &|path| model.property(path)).map_err(|error| match error {
        PropertyFormulaError::Text { formula, fault } => {
            ProbeError::Formula { probe, formula, fault }
        }
        PropertyFormulaError::Property(source) => {
            ProbeError::Property { probe, source: Box::new(source) }
        }
    })
}
