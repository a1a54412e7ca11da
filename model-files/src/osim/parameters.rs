//! Parameters of a document: its coordinates, which begin at the given values.

use super::import::Import;
use crate::diagnostic::Diagnostic;
use crate::imported::coordinate_value;
use crate::tree::Span;

impl Import<'_> {
    /// Takes parameters: coordinates by their names, in m or rad.
    pub(super) fn take_parameters(&mut self, given: &[(String, String)]) {
        for (name, value) in given {
            let taken = self.take_coordinate(name, value);
            self.findings.take(taken);
        }
    }

    fn take_coordinate(&mut self, name: &str, value: &str) -> Result<(), Diagnostic> {
        let number = coordinate_value(name, value)?;
        let mut all = self.joints.iter_mut().flat_map(|joint| &mut joint.coordinates);
        if let Some(coordinate) = all.find(|it| it.name == name) {
            coordinate.value = number;
            return Ok(());
        }
        let known: Vec<(String, String)> = self.parameters();
        let known = known.iter().map(|it| it.0.as_str());
        let message = format!(
            "there is no parameter '{name}': those of a document of OpenSim are its coordinates"
        );
        let error = Diagnostic::unknown(Span::default(), message, name, known);
        Err(Diagnostic { span: None, ..error })
    }

    /// All coordinates with their values as text.
    pub(super) fn parameters(&self) -> Vec<(String, String)> {
        let all = self.joints.iter().flat_map(|joint| &joint.coordinates);
        all.map(|it| (it.name.clone(), it.value.to_string())).collect()
    }
}
