//! Faults of components when all their properties are set, and their places in the file.

use sinew::component::ComponentId;
use sinew::property::PropertyType;

use super::{Origin, Reader};
use crate::diagnostic::Diagnostic;
use crate::tree::{Span, Table, get};

impl Reader {
    /// Moves included files to their places, the innermost first.
    pub(super) fn place_all(&mut self) {
        for (id, map, span) in std::mem::take(&mut self.placements).into_iter().rev() {
            if let Err(error) = self.draft.transform(id, map) {
                self.findings.error(|| Diagnostic::error(span, error.to_string()));
            }
        }
    }

    /// Looks at every component that was read without an error.
    pub(super) fn find_faults(&mut self) {
        for (id, origin) in std::mem::take(&mut self.origins) {
            let lacks = !self.faulty.contains(&id) && self.find_lacks(id, &origin);
            if !lacks && !self.faulty.contains(&id) {
                self.find_fault(id, &origin);
            }
            self.origins.insert(id, origin);
        }
    }

    /// References that were not given.
    fn find_lacks(&mut self, id: ComponentId, origin: &Origin) -> bool {
        let mut lacks = false;
        for property in self.draft.model().properties(id) {
            let info = property.info();
            let reference = matches!(info.value_type, PropertyType::Path | PropertyType::Paths);
            if reference && self.draft.lacks(&property) {
                lacks = true;
                self.findings.error(|| {
                    let message = format!("a {} needs '{}'", id.kind().name(), info.name);
                    Diagnostic::error(origin.span, message).help(info.doc)
                });
            }
        }
        lacks
    }

    fn find_fault(&mut self, id: ComponentId, origin: &Origin) {
        let Some(fault) = self.draft.fault(id) else { return };
        let span = span_of(&origin.table, &fault.at).unwrap_or(origin.span);
        let path = self.draft.model().path(id);
        self.findings.error(|| Diagnostic::error(span, fault.of(&path)));
    }
}

/// Place of `regions/0:material.stiffness` in the table of a component.
fn span_of(table: &Table, at: &str) -> Option<Span> {
    if let Some((part, rest)) = at.split_once('/') {
        let key = part.strip_suffix('s')?;
        let (k, property) = rest.split_once(':')?;
        let crate::tree::Tree::List(list) = &get(table, key)?.value else { return None };
        let item = list.get(k.parse::<usize>().ok()?)?;
        return Some(span_of(item.table()?, property).unwrap_or(item.span));
    }
    let first = at.split('.').next()?;
    get(table, first).map(|node| node.span)
}
