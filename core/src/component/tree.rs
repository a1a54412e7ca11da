//! The tree: who is whose child, and under which number. The arenas hold the components; nothing
//! here knows what they are.

use super::{ComponentId, Store};
use crate::property::RenderProps;

/// Where a component stands in the tree, and how it is drawn.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    pub(crate) parent: Option<ComponentId>,
    /// Number among its siblings; it stays when others go.
    pub(crate) number: u32,
    /// Children by rising number.
    pub(crate) children: Vec<(u32, ComponentId)>,
    /// Only what was set; the rest is inherited.
    pub(crate) render: Option<Box<RenderProps>>,
}

impl Store {
    /// Children by rising number; none when there is no such component.
    pub(crate) fn children(&self, id: ComponentId) -> &[(u32, ComponentId)] {
        self.meta(id).map_or(&[], |meta| &meta.children)
    }

    /// The child of that number.
    pub(crate) fn child_by_number(&self, id: ComponentId, number: u32) -> Option<ComponentId> {
        let children = self.children(id);
        let place = children.binary_search_by_key(&number, |c| c.0).ok()?;
        Some(children[place].1)
    }

    /// The child of that name; of several the one with the lowest number.
    pub(crate) fn child_by_name(&self, id: ComponentId, name: &str) -> Option<ComponentId> {
        let mut children = self.children(id).iter().map(|c| c.1);
        children.find(|&child| !name.is_empty() && self.name(child) == name)
    }

    /// The number that the next child gets: one more than the last.
    pub(crate) fn next_number(&self, id: ComponentId) -> u32 {
        self.children(id).last().map_or(0, |c| c.0 + 1)
    }

    /// Makes `id` the child `number` of `parent`; `false` when there is no such parent or the number
    /// is taken.
    pub(crate) fn attach(&mut self, id: ComponentId, parent: ComponentId, number: u32) -> bool {
        let Some(meta) = self.meta_mut(parent) else { return false };
        let Err(place) = meta.children.binary_search_by_key(&number, |c| c.0) else {
            return false;
        };
        meta.children.insert(place, (number, id));
        if let Some(meta) = self.meta_mut(id) {
            (meta.parent, meta.number) = (Some(parent), number);
        }
        true
    }

    /// Takes `id` from its parent.
    pub(crate) fn detach(&mut self, id: ComponentId) {
        let place = self.meta(id).and_then(|meta| Some((meta.parent?, meta.number)));
        let Some((parent, number)) = place else { return };
        if let Some(meta) = self.meta_mut(parent)
            && let Ok(place) = meta.children.binary_search_by_key(&number, |c| c.0)
        {
            meta.children.remove(place);
        }
    }

    /// The ancestors of `id`, the nearest first.
    pub(crate) fn ancestors(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> {
        std::iter::successors(self.meta(id).and_then(|m| m.parent), |&up| self.meta(up)?.parent)
    }

    /// Whether `id` is `other` or lies below it.
    pub(crate) fn is_within(&self, id: ComponentId, other: ComponentId) -> bool {
        id == other || self.ancestors(id).any(|up| up == other)
    }

    /// `id` and all below it, parents before children, by number.
    pub(crate) fn visit_subtree(&self, id: ComponentId, visit: &mut dyn FnMut(ComponentId)) {
        visit(id);
        for &(_, child) in self.children(id) {
            self.visit_subtree(child, visit);
        }
    }

    /// Every component, from the root down.
    pub(crate) fn for_each_id(&self, visit: &mut dyn FnMut(ComponentId)) {
        self.visit_subtree(super::ROOT, visit);
    }
}
