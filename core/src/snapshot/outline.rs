//! The tree of components as flat rows.

use std::collections::HashMap;

use super::Style;
use super::styles::Styles;
use crate::component::{ComponentId, ROOT};
use crate::model::Model;

/// The tree of components, parents before children.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// One row a component; the first is the root.
    pub rows: Vec<OutlineRow>,
    places: HashMap<ComponentId, u32>,
}

/// A component in the tree.
#[derive(Clone, Debug)]
pub struct OutlineRow {
    /// Id of the component.
    pub id: ComponentId,
    /// The step of a path that leads to it from its parent: its name, or its number where it has none or
    /// a sibling has the same. That of the root is the name of the model.
    pub label: String,
    /// Generations below the root.
    pub depth: u16,
    /// Row of its parent; that of the root is its own.
    pub parent: u32,
    /// Row after the last one below it: its subtree is the rows from its own to this.
    pub end: u32,
    /// True if something of it, or below it, has a picture.
    pub drawn: bool,
    /// True if that is shown, by its own render properties or those that it inherits.
    pub visible: bool,
    /// Opacity, its own or inherited [-].
    pub alpha: f32,
}

impl Outline {
    /// The tree of `model`.
    pub fn of(model: &Model) -> Self {
        Self::with_styles(model, &mut Styles::new(model))
    }

    pub(super) fn with_styles(model: &Model, styles: &mut Styles<'_>) -> Self {
        let mut outline = Self::default();
        let mut open: Vec<(u32, Vec<(ComponentId, String)>)> = Vec::new();
        let mut next = Some((0u32, (ROOT, model.name().to_owned())));
        while let Some((parent, (id, label))) = next.take() {
            let row = outline.push((id, label), (parent, open.len() as u16), styles.of(id));
            let mut children = model.steps_below(id);
            children.reverse();
            open.push((row, children));
            while let Some((row, siblings)) = open.last_mut() {
                if let Some(child) = siblings.pop() {
                    next = Some((*row, child));
                    break;
                }
                outline.rows[*row as usize].end = outline.rows.len() as u32;
                open.pop();
            }
        }
        outline
    }

    fn push(
        &mut self,
        (id, label): (ComponentId, String),
        (parent, depth): (u32, u16),
        style: Style,
    ) -> u32 {
        let row = self.rows.len() as u32;
        let Style { visible, alpha, .. } = style;
        let (end, drawn) = (row + 1, false);
        self.rows.push(OutlineRow { id, label, depth, parent, end, drawn, visible, alpha });
        self.places.insert(id, row);
        row
    }

    /// Takes in another name and look of the component of a row, and the look of all below it.
    pub(super) fn repaint(&mut self, model: &Model, row: usize, styles: &mut Styles<'_>) {
        let OutlineRow { id, parent, end, .. } = self.rows[row];
        self.rows[row].label = match row {
            0 => model.name().to_owned(),
            _ => model.step_to(self.rows[parent as usize].id, id),
        };
        for below in &mut self.rows[row..end as usize] {
            let Style { visible, alpha, .. } = styles.of(below.id);
            (below.visible, below.alpha) = (visible, alpha);
        }
    }

    /// True if no component below the same parent has the label of a row, or goes by a number as those do that have no name,
    /// or one that is taken.
    pub(super) fn is_named_apart(&self, row: usize) -> bool {
        let (parent, label) = (self.rows[row].parent as usize, &self.rows[row].label);
        let mut next = parent + 1;
        while next < self.rows[parent].end as usize {
            let OutlineRow { label: other, end, .. } = &self.rows[next];
            let numbered = other.starts_with(|c: char| c.is_ascii_digit());
            if numbered || (next != row && other == label) {
                return false;
            }
            next = *end as usize;
        }
        true
    }

    /// These components have pictures.
    pub fn mark_drawn(&mut self, owners: impl Iterator<Item = ComponentId>) {
        for owner in owners {
            let mut next = self.row(owner);
            while let Some(row) = next.filter(|&row| !self.rows[row].drawn) {
                self.rows[row].drawn = true;
                next = (row != 0).then_some(self.rows[row].parent as usize);
            }
        }
    }

    /// Name of the model; empty where there is none.
    pub fn name(&self) -> &str {
        self.rows.first().map_or("", |root| root.label.as_str())
    }

    /// Row of a component.
    pub fn row(&self, id: ComponentId) -> Option<usize> {
        self.places.get(&id).map(|&row| row as usize)
    }

    /// Path of the component of a row, as [`Model::path`] writes it.
    pub fn path(&self, row: usize) -> String {
        let mut labels: Vec<&str> = Vec::new();
        let mut at = row;
        while at != 0 {
            labels.push(self.rows[at].label.as_str());
            at = self.rows[at].parent as usize;
        }
        labels.reverse();
        format!("/{}", labels.join("/"))
    }
}
