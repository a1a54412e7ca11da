//! Looking at a file without running it.

use std::collections::HashMap;
use std::path::Path;

use sinew::axial::Constants;
use sinew::model::{AxialSpring, InputProbe, MultiPointSpring};
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
                    file.warn_of_springs_without_length();
                    file.warn_of_idle_excitations();
                    file.warn_of_rival_probes();
                    file.warn_of_events();
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

    /// Adds a warning about the component of `path`.
    fn warn(&mut self, path: &str, message: String, help: impl Into<String>) {
        let told = Diagnostic::error(self.place_of(path), message).help(help);
        self.report.findings.push(Diagnostic { severity: Severity::Warning, ..told });
    }

    /// Adds a warning for each spring between a point and itself.
    fn warn_of_springs_without_length(&mut self) {
        let model = &self.model;
        let found = model.iter::<AxialSpring>().filter(|(_, it)| it.ends[0] == it.ends[1]);
        let found = found.map(|(at, it)| (model.path(at), model.path(it.ends[0].address())));
        for (path, point) in found.collect::<Vec<_>>() {
            let message = format!("{path} has no effect: {point} is both of its ends");
            self.warn(&path, message, "`first` and `second` must be two points");
        }
    }

    /// Adds a warning for each line whose law does not see the excitation that it is given.
    fn warn_of_idle_excitations(&mut self) {
        let model = &self.model;
        let springs = model.iter::<AxialSpring>();
        let springs = springs.map(|(at, it)| (at.id(), &it.material, it.excitation));
        let lines = model.iter::<MultiPointSpring>();
        let lines = lines.map(|(at, it)| (at.id(), &it.material, it.excitation));
        let idle = springs.chain(lines);
        let idle = idle.filter(|(_, law, excitation)| *excitation != 0.0 && !law.is_muscle());
        let found: Vec<_> = idle.map(|(at, law, _)| (model.path(at), law.kind().name)).collect();
        for (path, law) in found {
            let message = format!("the excitation of {path} has no effect: {law} is no muscle");
            self.warn(&path, message, "choose a muscle: docs/reference/muscles.md");
        }
    }

    /// Adds a warning for each property that two probes feed at the same time.
    fn warn_of_rival_probes(&mut self) {
        let model = &self.model;
        let probes = model.iter::<InputProbe>().filter(|(_, probe)| !probe.disabled);
        let mut feeding: HashMap<String, Vec<(String, [f64; 2])>> = HashMap::new();
        let mut found = Vec::new();
        for (at, probe) in probes {
            let path = model.path(at);
            let span = [probe.start.unwrap_or(0.0), probe.stop.unwrap_or(f64::INFINITY)];
            for property in &probe.properties {
                let fed = property.path(model);
                let message = |other: &str| format!("{fed} is fed by {path} and by {other}");
                let others = feeding.entry(fed.clone()).or_default();
                let rival = others.iter().find(|(_, it)| it[0] < span[1] && span[0] < it[1]);
                found.extend(rival.map(|(other, _)| (path.clone(), message(other))));
                others.push((path.clone(), span));
            }
        }
        for (path, message) in found {
            self.warn(&path, message, "leave one out, or part them by `start` and `stop`");
        }
    }

    /// Adds a warning for each event whose command would be refused now.
    fn warn_of_events(&mut self) {
        for fault in self.model.event_faults() {
            let help = "what it names must be there when the event fires: look for a misspelt path";
            self.warn(&fault.event, fault.to_string(), help);
        }
    }

    /// Adds a warning for each pair that a behaviour says touches, and that passes through each other.
    fn warn_of_pairs(&mut self, compiled: &CompiledModel) {
        for [a, b] in compiled.pairs_without_contact() {
            let message =
                format!("{a} and {b} pass through each other: `vertices` touch solids alone");
            self.warn(a, message, "give one of them a solid: `shape = \"mesh\"` on a rigid body");
        }
        for [behavior, side] in compiled.sides_without_colliders() {
            let message =
                format!("{side} touches nothing, whatever {behavior} says: it has no collider");
            self.warn(
                behavior,
                message,
                "add a `[[collider]]` with `body`, and `shape = \"mesh\"` for its surface",
            );
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
            self.warn(&overlap.between[0], format!("at the start {overlap}"), help);
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
