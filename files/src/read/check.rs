//! Looking at a file without running it.

use std::path::Path;

use sinew::system::CompileError;

use super::{LoadOptions, ModelFile, load};
use crate::diagnostic::Diagnostic;
use crate::report::Report;

/// Reads and compiles a model file, and tells everything that is wrong with it, or worth knowing.
pub fn check(path: &Path, options: &LoadOptions) -> Report {
    match load(path, options) {
        Ok(mut file) => {
            if let Err(error) = file.model.compile() {
                file.blame(&error);
            }
            file.report
        }
        Err(report) => *report,
    }
}

impl ModelFile {
    /// Adds to the report why the model does not compile, at the component that is to blame.
    pub fn blame(&mut self, error: &CompileError) {
        let span = path_of(error).and_then(|path| self.place_of(path));
        self.report.findings.push(Diagnostic::error(span, error.to_string()));
    }

    /// Where the component of a path stands, or else the nearest one above it.
    fn place_of(&self, path: &str) -> Option<crate::tree::Span> {
        let mut path = path;
        loop {
            if let Some(span) = self.places.get(path) {
                return Some(*span);
            }
            path =
                path.rsplit_once('/').map(|(above, _)| above).filter(|above| !above.is_empty())?;
        }
    }
}

fn path_of(error: &CompileError) -> Option<&str> {
    Some(match error {
        CompileError::Empty(_) => return None,
        CompileError::Component { path, .. }
        | CompileError::FollowerLed { path, .. }
        | CompileError::CustomJoint { path, .. }
        | CompileError::CustomConstrainer { path, .. } => path,
        CompileError::MasslessNode { fem, .. } | CompileError::Degenerate { fem, .. } => fem,
        CompileError::Attachment { point, .. } => point,
    })
}
