//! Supports of tissues: one more, and one taken away, with whoever cannot be without it.

use std::collections::BTreeSet;

use super::change_set::Op;
use crate::component::{Address, ComponentId, Handle, Invalidates};
use crate::model::{ChangeSet, Component, Dirichlet, EditError, FemModel, Model};

impl Model {
    /// Works out a support more of a tissue.
    pub(super) fn plan_support(
        &self,
        fem: Handle<FemModel>,
        mut nodes: Vec<u32>,
    ) -> Result<Vec<Op>, EditError> {
        self.present(fem.id())?;
        let Some(mut other) = self.get(fem).cloned() else { return Ok(Vec::new()) };
        nodes.sort_unstable();
        nodes.dedup();
        let count = other.mesh.nodes.len();
        if let Some(&node) = nodes.last().filter(|&&node| node as usize >= count) {
            return Err(EditError::NoNode { path: self.path(fem), node, count });
        }
        other.dirichlet.push(Dirichlet::fix(nodes));
        Ok(vec![swap(fem.id(), other.into(), Invalidates::STRUCTURE | Invalidates::RENDER)])
    }

    /// Works out the removal of a support. Those behind it move up by one, with whoever names them; who names the support
    /// itself and cannot be without it is deleted.
    pub(super) fn plan_support_removal(
        &self,
        fem: Handle<FemModel>,
        number: u32,
    ) -> Result<Vec<Op>, EditError> {
        self.present(fem.id())?;
        let Some(mut other) = self.get(fem).cloned() else { return Ok(Vec::new()) };
        let count = other.dirichlet.len();
        if number as usize >= count {
            return Err(EditError::NoSupport { path: self.path(fem), number, count });
        }
        other.dirichlet.remove(number as usize);
        let (mut gone, mut moved) = (Vec::new(), Vec::new());
        let referrers = self.reference_index().referrers(fem.id()).map(|(id, _)| id).collect();
        let referrers: BTreeSet<ComponentId> = referrers;
        for id in referrers {
            let Some(mut component) = self.store.cloned(id) else { continue };
            match without(&mut component, fem, number) {
                None => gone.push(id),
                Some(true) => moved.push((id, component)),
                Some(false) => {}
            }
        }
        let mut ops = self.plan_delete(&gone)?;
        for op in &mut ops {
            if let Op::Swap { other, .. } = op {
                without(other, fem, number);
            }
        }
        let planned: BTreeSet<ComponentId> = ops.iter().map(Op::id).collect();
        moved.retain(|(id, _)| !planned.contains(id));
        ops.extend(moved.into_iter().map(|(id, other)| swap(id, other, Invalidates::STRUCTURE)));
        ops.push(swap(fem.id(), other.into(), Invalidates::STRUCTURE | Invalidates::RENDER));
        Ok(ops)
    }

    /// True if a change that is applied or taken back next gives supports of a tissue other numbers.
    pub(crate) fn renumbers_supports(&self, change: &ChangeSet) -> bool {
        change.ops.iter().any(|op| {
            let Op::Swap { id, other, .. } = op else { return false };
            let now = id.typed::<FemModel>().and_then(|fem| self.get(fem));
            match (now, &**other) {
                (Some(now), Component::FemModel(other)) => {
                    now.dirichlet.len() != other.dirichlet.len()
                }
                _ => false,
            }
        })
    }
}

fn swap(id: ComponentId, other: Component, invalidates: Invalidates) -> Op {
    Op::Swap { id, other: Box::new(other), invalidates, map: None }
}

/// Takes a support from a component that may name it, and numbers those behind it anew: true if that changed the component,
/// nothing where it cannot be without the support.
fn without(component: &mut Component, fem: Handle<FemModel>, number: u32) -> Option<bool> {
    let mut changed = false;
    let stays = component.keep_hosts(&mut |host| match host {
        Address::Support(of, k) if *of == fem.id() && *k >= number => {
            changed = true;
            let stays = *k > number;
            *k -= u32::from(stays);
            stays
        }
        _ => true,
    });
    stays.then_some(changed)
}
