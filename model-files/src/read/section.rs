//! Sections of a file that are no components: how it is run, what it follows.

use serde::de::DeserializeOwned;
use sinew::component::{Address, ComponentId};

use super::Reader;
use super::path_error::PathError;
use super::probes::span_of;
use crate::decode::decode;
use crate::diagnostic::Diagnostic;
use crate::inverse::{Inverse, InverseFault};
use crate::solver::{Solver, SolverFault};
use crate::tree::{Node, Table, get};

impl Reader {
    /// The section of a key as a struct, if it is there.
    pub(super) fn decoded<T: DeserializeOwned>(&mut self, table: &Table, key: &str) -> Option<T> {
        decode(get(table, key)?, &mut self.findings)
    }

    /// Settings of the run; times in the unit of the file.
    pub(super) fn solver(&mut self, table: &Table) -> Option<Solver> {
        let node = get(table, "solver")?;
        let mut solver: Solver = decode(node, &mut self.findings)?;
        let factor = self.scopes.first()?.units.factor("s");
        solver.step = solver.step.map(|x| factor.apply(x));
        solver.time = solver.time.map(|x| factor.apply(x));
        if let Some(SolverFault { key, rule }) = solver.fault() {
            let span = node.table().and_then(|table| get(table, key)).map_or(node.span, |n| n.span);
            self.findings.error(|| Diagnostic::error(span, format!("{key} {rule}")));
        }
        Some(solver)
    }

    /// Motions to follow, with absolute paths; times in the unit of the file.
    pub(super) fn inverse(&mut self, table: &Table, start: ComponentId) -> Inverse {
        let Some(node) = get(table, "inverse").cloned() else { return Inverse::default() };
        let decoded: Option<Inverse> = decode(&node, &mut self.findings);
        let Some(mut inverse) = decoded else { return Inverse::default() };
        let span = |key: &str| span_of(&node, key);
        if let Some(scope) = self.scopes.first() {
            let (time, rate) = (scope.units.factor("s"), scope.units.factor("1/s"));
            inverse.chase_time = inverse.chase_time.map(|x| time.apply(x));
            inverse.kd = inverse.kd.map(|x| rate.apply(x));
            inverse.kp = inverse.kp.map(|x| rate.apply(rate.apply(x)));
            let factors = inverse.weights.iter_mut().flat_map(|it| &mut it.factors);
            factors.for_each(|[at, _]| *at = time.apply(*at));
            if let Some(name) = &inverse.targets {
                let (name, folder) = (name.to_string_lossy(), &scope.folder);
                let path = self.folders.resolve(folder, &name, span("targets"));
                inverse.targets = self.findings.take(path);
                self.files.extend(inverse.targets.clone());
            }
        }
        self.followed_paths(&mut inverse, &node, start);
        if let Some((key, rule)) = inverse.fault() {
            self.findings.error(|| Diagnostic::error(span(key), format!("{key} {rule}")));
        } else if !inverse.excite.is_empty() && self.findings.error_count == 0 {
            // Without `excite`, options of the command may say what is excited.
            let model = self.draft.model();
            let excitations = inverse.excitations(model);
            let terms = excitations.and_then(|it| inverse.terms(model, &it));
            let refused =
                |error: InverseFault| Diagnostic::error(span("excite"), error.to_string());
            self.findings.take(terms.map_err(refused));
        }
        inverse
    }

    /// Makes the paths of what is excited and followed absolute.
    fn followed_paths(&mut self, inverse: &mut Inverse, node: &Node, start: ComponentId) {
        for path in inverse.excited_paths_mut() {
            let model = self.draft.model();
            let own = path.strip_suffix(":excitation").unwrap_or(path);
            match model.find_from(start.into(), own) {
                Ok(at) => *path = model.path(at),
                Err(error) => {
                    self.findings.error(|| Diagnostic::error(node.span, error.to_string()));
                }
            }
        }
        for weight in &mut inverse.weights {
            match self.property_path(&weight.target, start) {
                Ok(path) => weight.target = path,
                Err(error) => {
                    let span = span_of(node, "weights");
                    self.findings.error(|| Diagnostic::error(span, error.to_string()));
                }
            }
        }
    }

    /// The absolute path of a property.
    pub(super) fn property_path(
        &self,
        path: &str,
        start: ComponentId,
    ) -> Result<String, PathError> {
        let Some((host, name)) = path.rsplit_once(':') else {
            return Err(PathError::NoProperty(path.to_owned()));
        };
        let model = self.draft.model();
        let host = if host.is_empty() { "." } else { host };
        let at: Address = model.find_from(start.into(), host)?;
        Ok(model.property_path(&model.property_of(at, name)?))
    }
}
