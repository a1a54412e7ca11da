//! Report of a command, by paths.

use std::collections::BTreeMap;

use crate::component::ComponentId;
use crate::model::{ChangeSet, Model};

/// Components that a command added, deleted and changed, by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReport {
    /// Those that are there now, in the order in which they were added.
    pub added: Vec<String>,
    /// Deleted components, by the paths that they had, descendants before their ancestors.
    pub deleted: Vec<String>,
    /// Those that stay and are changed, by the paths that they have now, each once.
    pub changed: Vec<String>,
    /// Commands of events among them that would be refused now, and why.
    pub warnings: Vec<String>,
}

impl EditReport {
    /// The report of a change that was applied to the model last, or undone last.
    pub(crate) fn of(model: &Model, change: &ChangeSet) -> Self {
        let now = |ids: Vec<ComponentId>| ids.into_iter().map(|id| model.path(id)).collect();
        let (here, mut gone) = match change.is_applied() {
            true => (change.added(), change.removed_places()),
            false => (change.deleted(), change.inserted_places()),
        };
        // Parents first, whose paths those of their children begin with.
        if change.is_applied() {
            gone.reverse();
        }
        let mut paths: BTreeMap<ComponentId, String> = BTreeMap::new();
        let mut deleted = Vec::with_capacity(gone.len());
        for (id, parent, step) in gone {
            let above = paths.get(&parent).cloned().unwrap_or_else(|| model.path(parent));
            let path = format!("{}/{step}", above.trim_end_matches('/'));
            deleted.push(path.clone());
            paths.insert(id, path);
        }
        deleted.reverse();
        let mut changed: Vec<ComponentId> = change.changed();
        changed.retain(|&id| model.contains(id) && !here.contains(&id));
        changed.sort_unstable();
        changed.dedup();
        let faults = model.event_faults_among(|id| here.contains(&id) || changed.contains(&id));
        let warnings = faults.iter().map(ToString::to_string).collect();
        Self { added: now(here), deleted, changed: now(changed), warnings }
    }
}
