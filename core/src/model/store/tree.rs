//! The tree: parent and number of each component. The arenas hold the components; nothing here
//! knows what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use crate::component::{ComponentId, ROOT};
use crate::model::Store;
use crate::property::{DeclaredProperty, PropertyInfo, RenderProps};

/// Generations below the root that a tree may have. Anatomy needs a dozen; what is computed along
/// the way up stays cheap, and what recurses stays on its stack.
pub const MAX_DEPTH: usize = 1000;

/// Place of a component in the tree, and its appearance.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    pub(crate) parent: Option<ComponentId>,
    /// Number among its siblings; it stays when others go.
    pub(crate) number: u32,
    /// Children by number.
    pub(crate) children: BTreeMap<u32, ComponentId>,
    /// Only what was set; the rest is inherited.
    pub(crate) render: Option<Box<RenderProps>>,
    /// Properties that users declared on it.
    pub(crate) declared: Vec<DeclaredProperty>,
}

impl Meta {
    /// Appearance and declared properties alone, for a copy of the component that is put elsewhere.
    pub(crate) fn to_copy(&self) -> Self {
        Self { render: self.render.clone(), declared: self.declared.clone(), ..Self::default() }
    }

    /// The declared property of a description.
    pub(crate) fn declared(&self, info: &'static PropertyInfo) -> Option<&DeclaredProperty> {
        self.declared.iter().find(|known| std::ptr::eq(known.info, info))
    }

    pub(crate) fn declared_mut(
        &mut self,
        info: &'static PropertyInfo,
    ) -> Option<&mut DeclaredProperty> {
        self.declared.iter_mut().find(|known| std::ptr::eq(known.info, info))
    }
}

impl Store {
    /// Children by rising number; none when there is no such component.
    pub(crate) fn children(
        &self,
        id: ComponentId,
    ) -> impl DoubleEndedIterator<Item = (u32, ComponentId)> + '_ {
        let meta = self.meta(id).into_iter();
        meta.flat_map(|meta| meta.children.iter().map(|(&number, &child)| (number, child)))
    }

    /// Number of children.
    pub(crate) fn child_count(&self, id: ComponentId) -> usize {
        self.meta(id).map_or(0, |meta| meta.children.len())
    }

    /// The child of that number.
    pub(crate) fn child_by_number(&self, id: ComponentId, number: u32) -> Option<ComponentId> {
        self.meta(id)?.children.get(&number).copied()
    }

    /// The highest number of a child.
    pub(crate) fn last_number(&self, id: ComponentId) -> Option<u32> {
        Some(*self.meta(id)?.children.last_key_value()?.0)
    }

    /// The number that the next child gets: one more than the last.
    pub(crate) fn next_number(&self, id: ComponentId) -> u32 {
        self.last_number(id).map_or(0, |last| last.saturating_add(1))
    }

    /// Makes `id` the child `number` of `parent`; `false` when one of the two is not there, or the
    /// number is taken.
    pub(crate) fn attach(&mut self, id: ComponentId, parent: ComponentId, number: u32) -> bool {
        let free = self.child_by_number(parent, number).is_none();
        if !(free && self.contains(id)) {
            return false;
        }
        let Some(meta) = self.meta_mut(parent) else { return false };
        meta.children.insert(number, id);
        if let Some(meta) = self.meta_mut(id) {
            (meta.parent, meta.number) = (Some(parent), number);
        }
        self.learn_name(id);
        true
    }

    /// Takes `id` from its parent.
    pub(crate) fn detach(&mut self, id: ComponentId) {
        let place = self.meta(id).and_then(|meta| Some((meta.parent?, meta.number)));
        let Some((parent, number)) = place else { return };
        self.forget_name(id);
        if let Some(meta) = self.meta_mut(parent) {
            meta.children.remove(&number);
        }
    }

    /// The ancestors of `id`, the nearest first.
    pub(crate) fn ancestors(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> {
        std::iter::successors(self.meta(id).and_then(|m| m.parent), |&up| self.meta(up)?.parent)
    }

    /// Generations between the root and `id`.
    pub(crate) fn depth(&self, id: ComponentId) -> usize {
        self.ancestors(id).count()
    }

    /// Generations below `id`.
    pub(crate) fn height(&self, id: ComponentId) -> usize {
        let mut height = 0;
        let _ = self.walk_down(id, &mut |_, depth| {
            height = height.max(depth);
            ControlFlow::Continue(())
        });
        height
    }

    /// True if `id` is `other` or lies below it.
    pub(crate) fn is_within(&self, id: ComponentId, other: ComponentId) -> bool {
        id == other || self.ancestors(id).any(|up| up == other)
    }

    /// `id` and all below it, parents before children, by number.
    pub(crate) fn visit_subtree(&self, id: ComponentId, visit: &mut dyn FnMut(ComponentId)) {
        let _ = self.walk_down(id, &mut |id, _| {
            visit(id);
            ControlFlow::Continue(())
        });
    }

    /// Every component from the root down, until `visit` says that it has seen enough.
    pub(crate) fn visit_until(&self, visit: &mut dyn FnMut(ComponentId) -> bool) {
        let _ = self.walk_down(ROOT, &mut |id, _| match visit(id) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
    }

    /// `id` and all below it with the generations in between, until `visit` breaks; without recursion.
    fn walk_down(
        &self,
        id: ComponentId,
        visit: &mut dyn FnMut(ComponentId, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit(id, 0)?;
        let mut open = vec![self.children(id)];
        while let Some(siblings) = open.last_mut() {
            let Some((_, child)) = siblings.next() else {
                open.pop();
                continue;
            };
            visit(child, open.len())?;
            if self.child_count(child) > 0 {
                open.push(self.children(child));
            }
        }
        ControlFlow::Continue(())
    }

    /// Every component, from the root down.
    pub(crate) fn for_each_id(&self, visit: &mut dyn FnMut(ComponentId)) {
        self.visit_subtree(ROOT, visit);
    }

    /// Whole subtrees, in the order of the tree.
    pub(crate) fn in_tree_order(&self, subtrees: &BTreeSet<ComponentId>) -> Vec<ComponentId> {
        let is_top = |id: &&ComponentId| {
            let parent = self.meta(**id).and_then(|meta| meta.parent);
            parent.is_none_or(|parent| !subtrees.contains(&parent))
        };
        let mut tops: Vec<ComponentId> = subtrees.iter().filter(is_top).copied().collect();
        tops.sort_by_cached_key(|&id| self.numbers_down_to(id));
        let mut order = Vec::with_capacity(subtrees.len());
        tops.iter().for_each(|&top| self.visit_subtree(top, &mut |id| order.push(id)));
        order
    }

    /// Numbers from the root down: the order of the tree.
    fn numbers_down_to(&self, id: ComponentId) -> Vec<u32> {
        let up = std::iter::once(id).chain(self.ancestors(id));
        let mut numbers: Vec<u32> = up.filter_map(|id| Some(self.meta(id)?.number)).collect();
        numbers.reverse();
        numbers
    }
}
