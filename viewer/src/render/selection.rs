//! Which items are highlighted.

use sinew::component::ComponentId;
use sinew::snapshot::Scene;

/// Which items are of components that are selected, or of what is below them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selected(Vec<bool>);

impl Selected {
    pub(crate) fn of(scene: &Scene, selection: &[ComponentId]) -> Self {
        if selection.is_empty() {
            return Self::default();
        }
        let outline = &scene.outline;
        let rows = selection.iter().filter_map(|id| outline.row(*id));
        let ranges: Vec<_> = rows.map(|row| row..outline.rows[row].end as usize).collect();
        let is_in = |owner: ComponentId| {
            let row = outline.row(owner);
            let below = row.is_some_and(|row| ranges.iter().any(|range| range.contains(&row)));
            below || selection.contains(&owner)
        };
        Self(scene.items.iter().map(|item| is_in(item.owner)).collect())
    }

    pub(crate) fn has(&self, item: usize) -> bool {
        self.0.get(item).copied().unwrap_or(false)
    }
}
