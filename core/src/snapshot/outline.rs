//! The tree of components as flat rows.

use std::collections::HashMap;

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
        let mut outline = Self::default();
        let mut open: Vec<(u32, Vec<ComponentId>)> = Vec::new();
        let mut next = Some((ROOT, 0u32));
        while let Some((id, parent)) = next.take() {
            let row = outline.push(model, id, parent, open.len() as u16);
            let mut children: Vec<ComponentId> = model.children(id).collect();
            children.reverse();
            open.push((row, children));
            while let Some((row, siblings)) = open.last_mut() {
                if let Some(child) = siblings.pop() {
                    next = Some((child, *row));
                    break;
                }
                outline.rows[*row as usize].end = outline.rows.len() as u32;
                open.pop();
            }
        }
        outline
    }

    fn push(&mut self, model: &Model, id: ComponentId, parent: u32, depth: u16) -> u32 {
        let row = self.rows.len() as u32;
        let above = self.rows.get(parent as usize).map(|row| row.id);
        let label = match above {
            None => model.name().to_owned(),
            Some(above) => model.step_to(above, id),
        };
        // What is given nowhere is visible and opaque.
        let looks = model.given_render_props(id);
        let (visible, alpha) = (looks.visible.unwrap_or(true), looks.alpha.unwrap_or(1.0) as f32);
        let end = row + 1;
        let drawn = false;
        self.rows.push(OutlineRow { id, label, depth, parent, end, drawn, visible, alpha });
        self.places.insert(id, row);
        row
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
