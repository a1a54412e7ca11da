//! Soft tissues: mesh, regions, supports.

use std::rc::Rc;

use sinew::component::{Address, FemPart, Handle};
use sinew::model::{Component, Dirichlet, FemModel, Region};

use super::group::GroupContext;
use super::{Job, Reader};
use crate::diagnostic::Diagnostic;
use crate::fields;
use crate::tree::{Span, Table, get};

/// Lists of a tissue: their keys, what they are, and the property that a named set can stand for.
pub(crate) const PARTS: [(&str, FemPart, &str); 2] =
    [("region", FemPart::Regions, "elements"), ("support", FemPart::Supports, "nodes")];

impl Reader {
    pub(super) fn tissue(
        &mut self,
        table: &Table,
        span: Span,
        place: GroupContext,
    ) -> Option<Component> {
        let Some(node) = get(table, "mesh") else {
            self.findings.error(|| Diagnostic::error(span, "it needs a 'mesh'"));
            return None;
        };
        let mesh = self.volume(node, place)?;
        match Component::blank(sinew::component::Kind::FemModel)? {
            Component::FemModel(blank) => Some(FemModel { mesh, ..blank }.into()),
            other => Some(other),
        }
    }

    /// Regions and supports, whose properties are set later.
    pub(super) fn parts(&mut self, fem: Handle<FemModel>, table: &Table, place: GroupContext) {
        for (key, part, members) in PARTS {
            let Some(node) = get(table, key) else { continue };
            for item in self.list_of(node, key) {
                let Some(table) = self.table_of(&item, key) else { continue };
                let Some(tissue) = self.draft.get_mut(fem) else { continue };
                let host = match part {
                    FemPart::Regions => {
                        let material = tissue.material;
                        tissue.regions.push(Region { elements: Vec::new(), material });
                        Address::Region(fem.id(), tissue.regions.len() as u32 - 1)
                    }
                    _ => {
                        tissue.dirichlet.push(Dirichlet::fix(Vec::new()));
                        Address::Support(fem.id(), tissue.dirichlet.len() as u32 - 1)
                    }
                };
                let make = || Rc::new(fields::of_part(part));
                let fields = self.fields.entry(key.to_owned()).or_insert_with(make).clone();
                let table = self.spelled_by(&table, &fields);
                self.only_fields(&table, &fields, key);
                if get(&table, members).is_none() {
                    let message = format!("a {key} without '{members}' does nothing");
                    self.findings.warn(item.span, message);
                }
                let GroupContext { start, scope, .. } = place;
                self.jobs.push(Job { host, start, table, scope, fields });
            }
        }
    }

    fn only_fields(&mut self, table: &Table, known: &[fields::Field], what: &str) {
        let names = known.iter().map(|field| field.key);
        for entry in table.iter().filter(|entry| !names.clone().any(|name| name == entry.key)) {
            self.findings.error(|| {
                let message = format!("there is no key '{}' in a {what}", entry.key);
                Diagnostic::unknown(entry.key_span, message, &entry.key, names.clone())
            });
        }
    }
}
