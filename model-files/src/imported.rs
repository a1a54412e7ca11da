//! Models of the documents of other programs, once all of them is read: checks, and findings in the order of lines.

use std::collections::BTreeSet;
use std::path::PathBuf;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::constraint::spatial::turn;
use sinew::model::{Draft, Model};

use crate::diagnostic::{Diagnostic, Findings};
use crate::inverse::Inverse;
use crate::read::ModelFile;
use crate::report::Report;
use crate::solver::Solver;
use crate::source::{Source, SourceError};
use crate::tree::Span;

/// Model of a document, with all that is told of it.
pub(crate) struct Imported {
    pub(crate) model: Model,
    /// Places of components in the text.
    pub(crate) places: Vec<(ComponentId, Span)>,
    pub(crate) findings: Findings,
    pub(crate) sources: Vec<Source>,
    /// All files that it was read from.
    pub(crate) files: BTreeSet<PathBuf>,
}

impl Imported {
    /// The model file, or the report where something is wrong.
    pub(crate) fn finish(mut self) -> Result<ModelFile, Report> {
        let draft = Draft::of(self.model.clone());
        for &(id, span) in &self.places {
            if let Some(fault) = draft.fault(id) {
                let path = draft.model().path(id);
                self.findings.error(|| Diagnostic::error(span, fault.of(&path)));
            }
        }
        let place = |found: &Diagnostic| found.span.map_or((u32::MAX, 0), |at| (at.file, at.start));
        self.findings.list.sort_by_key(place);
        let report = Report { findings: self.findings, sources: self.sources };
        if report.error_count() > 0 {
            return Err(report);
        }
        let model = self.model;
        let places = self.places.iter().map(|&(id, span)| (model.path(id), span)).collect();
        let (solver, inverse) = (Solver::default(), Inverse::default());
        let files = self.files.into_iter().collect();
        Ok(ModelFile { model, solver, inverse, files, report, places })
    }
}

/// The rotation that takes z to a direction, about the axis across both.
pub(crate) fn z_to(direction: &Vec3) -> UnitQuaternion<f64> {
    let half = || turn(&Vec3::x(), std::f64::consts::PI);
    UnitQuaternion::rotation_between(&Vec3::z(), direction).unwrap_or_else(half)
}

/// A report on a file that could not be read at all.
pub(crate) fn failed(error: SourceError) -> Report {
    only(Diagnostic::error(None, error.to_string()), Vec::new())
}

/// A report on a document that nothing can be made of.
pub(crate) fn refused(error: Diagnostic, source: &Source) -> Report {
    only(error, vec![source.clone()])
}

/// A report with one error.
pub(crate) fn only(error: Diagnostic, sources: Vec<Source>) -> Report {
    let mut findings = Findings::default();
    findings.push(error);
    Report { findings, sources }
}

/// A name without what paths are written with.
pub(crate) fn plain_name(of: &str) -> String {
    let plain = |c: char| if matches!(c, '/' | ':' | '*' | '?' | '[' | ']') { '_' } else { c };
    of.chars().map(plain).collect()
}

/// Value of a coordinate that is a parameter [m or rad].
pub(crate) fn coordinate_value(name: &str, value: &str) -> Result<f64, Diagnostic> {
    let number = value.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    number.ok_or_else(|| {
        let message = format!("parameter '{name}' must be a number in m or rad, got '{value}'");
        Diagnostic::error(None, message)
    })
}
