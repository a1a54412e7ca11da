//! Looking at a file without running it.

use std::path::Path;

use sinew::system::{CompileError, CompiledModel};

use super::{LoadOptions, ModelFile};
use crate::diagnostic::{Diagnostic, Severity};
use crate::open::load;
use crate::report::Report;

/// Reads and compiles a model file, and tells everything that is wrong with it, or worth knowing.
pub fn check(path: &Path, options: &LoadOptions) -> Report {
    match load(path, options) {
        Ok(mut file) => {
            match file.model.compile() {
                Ok(compiled) => {
                    file.warn_of_pairs(&compiled);
                    file.warn_of_overlaps(&compiled);
                }
                Err(error) => file.blame(&error),
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

    /// Adds a warning for each pair that a behaviour says touches, and that passes through each other.
    fn warn_of_pairs(&mut self, compiled: &CompiledModel) {
        for [a, b] in compiled.pairs_without_contact() {
            let message =
                format!("{a} and {b} pass through each other: `vertices` touch solids alone");
            let help = "give one of them a solid: `shape = \"mesh\"` on a rigid body";
            let told = Diagnostic::error(self.place_of(a), message).help(help);
            self.report.findings.push(Diagnostic { severity: Severity::Warning, ..told });
        }
    }

    /// Adds a warning for each pair that begins with one inside the other.
    fn warn_of_overlaps(&mut self, compiled: &CompiledModel) {
        let Ok(overlaps) = compiled.at(&compiled.initial_state()).overlaps() else { return };
        for overlap in overlaps {
            let mut help = "the first steps push them apart: move one of them".to_owned();
            if let Some(n) = overlap.common.and_then(|common| common.normal) {
                help += &format!(", the first along ({:.2}, {:.2}, {:.2})", n.x, n.y, n.z);
            }
            let message = format!("at the start {overlap}");
            let span = self.place_of(&overlap.between[0]);
            let told = Diagnostic::error(span, message).help(help);
            self.report.findings.push(Diagnostic { severity: Severity::Warning, ..told });
        }
    }

    /// Place of the component of a path, or else of the nearest one above it.
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
        | CompileError::FittedNotDynamic { path, .. }
        | CompileError::CustomJoint { path, .. }
        | CompileError::CustomConstrainer { path, .. } => path,
        CompileError::MasslessNode { fem, .. } | CompileError::Degenerate { fem, .. } => fem,
        CompileError::FlatTriangle { shell, .. } => shell,
        CompileError::Attachment { point, .. } => point,
    })
}
