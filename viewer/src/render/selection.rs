//! Opacity and highlighting of items.

use sinew::component::ComponentId;
use sinew::snapshot::{Item, Quantity, Scene, Shape, Snapshot};

use crate::View;

/// Opacity of a surface around fibres: they are seen, and so is its shape.
const AROUND_FIBRES: f32 = 0.35;

/// True for items of components that are selected, or of those below them.
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

/// Inputs for the items of a picture: the snapshot, the view and the selection.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) view: &'a View,
    pub(super) selected: &'a Selected,
}

/// Highlight of a selected surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Highlight {
    None,
    /// By its colour.
    Tint,
    /// By a line around it: its colours mean something.
    Outline,
    /// By its edges: a line around it would be seen through it.
    Edges,
}

impl Shown<'_> {
    /// True if a tissue is coloured by a field.
    pub(super) fn is_colored(&self, shape: &Shape) -> bool {
        let field = self.snapshot.field.quantity != Quantity::None;
        field && matches!(shape, Shape::Tissue { .. })
    }

    /// True if of tissues only sections are drawn.
    pub(super) fn sections_alone(&self) -> bool {
        self.view.options.sections_alone()
    }

    /// Highlight of the surface of an item.
    pub(super) fn highlight(&self, place: usize) -> Highlight {
        let item = &self.snapshot.scene.items[place];
        let options = &self.view.options;
        let replaced = options.shrink > 0.0 || self.sections_alone();
        let replaced = replaced && matches!(item.shape, Shape::Tissue { .. });
        match () {
            () if !self.selected.has(place) => Highlight::None,
            () if options.wireframe && !replaced => Highlight::Edges,
            () if !self.is_colored(&item.shape) => Highlight::Tint,
            () if opacity(item, self.view) == 1.0 => Highlight::Outline,
            () if replaced => Highlight::Tint,
            () => Highlight::Edges,
        }
    }
}

/// Opacity of the surface of an item: fibres are seen through that of a tissue, and so are elements that are
/// marked as broken.
pub(crate) fn opacity(item: &Item, view: &View) -> f32 {
    let opacity = (item.style.alpha * view.options.opacity).clamp(0.0, 1.0);
    match &item.shape {
        Shape::Tissue { threaded, faulty, .. }
            if (view.options.fibres && *threaded) || !faulty.is_empty() =>
        {
            opacity.min(AROUND_FIBRES)
        }
        _ => opacity,
    }
}
