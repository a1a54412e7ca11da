//! Parts that hang on others: those that are taken away with them.

use super::live_world::LiveWorld;
use crate::interactive::{PartId, PartList};

impl LiveWorld {
    /// Parts with all that use them, directly or not, in the order of files.
    pub(super) fn with_hanging(&self, parts: &[PartId]) -> Vec<PartId> {
        let mut gone: Vec<PartId> = Vec::new();
        let is_named = |id: &PartId| parts.contains(id);
        for image in &self.description.images {
            gone.extend(Some(PartId::new(PartList::Image, &image.name)).filter(is_named));
        }
        for object in &self.description.objects {
            gone.extend(Some(PartId::new(PartList::Object, &object.name)).filter(is_named));
        }
        // Each block stands below those that it uses.
        for block in &self.description.blocks {
            let id = PartId::new(PartList::Block, &block.name);
            if is_named(&id) || self.inputs(&block.name).iter().any(|it| is_block_in(&gone, it)) {
                gone.push(id);
            }
        }
        let mut rest = Vec::new();
        for constraint in &self.description.constraints {
            let id = PartId::new(PartList::Constraint, &constraint.name);
            if is_named(&id) || self.is_on(&constraint.rule.on(), &gone) {
                rest.push(id);
            }
        }
        for behaviour in &self.description.behaviours {
            let id = PartId::new(PartList::Behaviour, &behaviour.name);
            let on: Vec<&str> = behaviour.on.iter().map(String::as_str).collect();
            let image = behaviour.kind.image().map(|name| PartId::new(PartList::Image, name));
            let lost_image = image.is_some_and(|it| gone.contains(&it));
            if is_named(&id) || lost_image || self.is_on(&on, &gone) {
                rest.push(id);
            }
        }
        gone.extend(rest);
        gone
    }

    /// Names of the blocks that a block uses.
    fn inputs(&self, block: &str) -> Vec<&str> {
        let graph = self.world.graph();
        let inputs = graph.find(block).and_then(|id| graph.inputs(id).ok()).unwrap_or_default();
        inputs.iter().filter_map(|port| graph.name(port.block).ok()).collect()
    }

    /// True if one of some blocks or outputs is of a block that is gone.
    fn is_on(&self, names: &[&str], gone: &[PartId]) -> bool {
        let graph = self.world.graph();
        let block_of = |name: &str| {
            let block = graph.find(name).or_else(|| graph.resolve(name).map(|it| it.block))?;
            graph.name(block).ok()
        };
        names.iter().filter_map(|name| block_of(name)).any(|block| is_block_in(gone, block))
    }
}

/// True if an object or block of this name is among some parts.
fn is_block_in(parts: &[PartId], name: &str) -> bool {
    let is_block = |list| matches!(list, PartList::Object | PartList::Block);
    parts.iter().any(|it| it.name == name && is_block(it.list))
}
