//! Every component of a model looked at. What each kind has to look at stands beside its fields.

use std::collections::BTreeSet;

use crate::component::{ComponentId, Kind};
use crate::model::{Model, for_kind};
use crate::property::{CheckError, ModelComponent, Problem};

impl Model {
    /// Looks at every component, in the order of the tree.
    ///
    /// # Errors
    /// The first component with which something is wrong, and what.
    pub fn check(&self) -> Result<(), (ComponentId, CheckError)> {
        let mut found = Ok(());
        self.store.for_each_id(&mut |id| {
            if found.is_ok() {
                found = self.check_component(id).map_err(|error| (id, error));
            }
        });
        found
    }

    /// Looks at the components in `changed`, and at those that refer to these, directly or by way of others, when all were
    /// sound before.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub(crate) fn check_again(
        &self,
        mut changed: BTreeSet<ComponentId>,
    ) -> Result<(), (ComponentId, CheckError)> {
        let mut ids = Vec::new();
        self.store.for_each_id(&mut |id| ids.push(id));
        loop {
            let before = changed.len();
            for &id in &ids {
                let mut refers = false;
                self.store.visit_refs(id, &mut |r| refers |= changed.contains(&r.target));
                if refers {
                    changed.insert(id);
                }
            }
            if changed.len() == before {
                break;
            }
        }
        let mut found = ids.into_iter().filter(|id| changed.contains(id));
        found.try_for_each(|id| self.check_component(id).map_err(|error| (id, error)))
    }

    /// Looks at one component; there is nothing wrong with one that is not there.
    pub(crate) fn check_component(&self, id: ComponentId) -> Result<(), CheckError> {
        for_kind!(id.kind(), T => {
            let Some(component) = id.typed::<T>().and_then(|handle| self.get(handle)) else {
                return Ok(());
            };
            for property in T::properties() {
                property.check_range(component)?;
            }
            component.check(self)?;
            self.check_circle(id, component)
        })
    }

    /// Checks that exciter `id`, as `it` says, does not drive itself by way of others; other kinds do not.
    pub(crate) fn check_circle(
        &self,
        id: ComponentId,
        it: &impl ModelComponent,
    ) -> Result<(), CheckError> {
        if id.kind() != Kind::MuscleExciter {
            return Ok(());
        }
        let (mut open, mut seen) = (Vec::new(), BTreeSet::new());
        it.visit_refs(&mut |r| open.push(r.target));
        while let Some(next) = open.pop() {
            if next == id {
                return Err(Problem::Circle.at("targets"));
            }
            if next.kind() == Kind::MuscleExciter && seen.insert(next) {
                self.store.visit_refs(next, &mut |r| open.push(r.target));
            }
        }
        Ok(())
    }
}
