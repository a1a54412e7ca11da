//! Properties declared on components, and taken from them.

use super::change_set::Op;
use crate::component::{ComponentId, Invalidates};
use crate::model::{EditError, Model};
use crate::property::{
    Declaration, DeclarationError, DeclaredProperty, MOST_DECLARED, PropertyError, PropertyRef,
};

impl Model {
    pub(super) fn plan_declare(
        &self,
        id: ComponentId,
        declaration: &Declaration,
    ) -> Result<Vec<Op>, EditError> {
        self.present(id)?;
        let info = declaration.info()?;
        if self.property_of(id, info.name).is_ok() {
            let (owner, name) = (self.path(id), info.name.to_owned());
            return Err(DeclarationError::Taken { owner, name }.into());
        }
        let at = self.store.meta(id).map_or(0, |meta| meta.declared.len());
        if at >= MOST_DECLARED {
            return Err(DeclarationError::Many { owner: self.path(id) }.into());
        }
        Ok(vec![Op::Declare { id, at, other: Some(DeclaredProperty::new(info)) }])
    }

    pub(super) fn plan_undeclare(&self, property: &PropertyRef) -> Result<Vec<Op>, EditError> {
        if !property.is_declared() {
            return Err(DeclarationError::BuiltIn(self.property_path(property)).into());
        }
        let id = property.host().component();
        let place = self.store.meta(id).and_then(|meta| {
            meta.declared.iter().position(|known| std::ptr::eq(known.info, property.info()))
        });
        let Some(at) = place else {
            return Err(PropertyError::Gone(self.property_path(property)).into());
        };
        let users = self.users_of_declared(id, at)?;
        if !users.is_empty() {
            let property = self.property_path(property);
            return Err(DeclarationError::Used { property, users: users.join(", ") }.into());
        }
        Ok(vec![Op::Declare { id, at, other: None }])
    }

    /// Paths of the components that would be wrong without a declared property.
    fn users_of_declared(&self, id: ComponentId, at: usize) -> Result<Vec<String>, EditError> {
        let mut without = self.clone();
        without.exchange_declared(id, at, &mut None)?;
        let mut users = Vec::new();
        self.store.for_each_id(&mut |user| {
            let mut refers = user == id;
            self.store.visit_refs(user, &mut |reference| refers |= reference.target == id);
            let is_fine = |model: &Self| model.check_component(user).is_ok();
            if refers && is_fine(self) && !is_fine(&without) {
                users.push(self.path(user));
            }
        });
        Ok(users)
    }

    /// Puts a property where it is not there, and takes it where it is.
    pub(super) fn exchange_declared(
        &mut self,
        id: ComponentId,
        at: usize,
        other: &mut Option<DeclaredProperty>,
    ) -> Result<(), EditError> {
        let declared = &mut self.store.meta_mut(id).ok_or(EditError::Stale)?.declared;
        match other.take() {
            Some(property) if at <= declared.len() => declared.insert(at, property),
            None if at < declared.len() => *other = Some(declared.remove(at)),
            kept => {
                *other = kept;
                return Err(EditError::Stale);
            }
        }
        // Sheets of properties that are shown have it.
        self.log.push(id, Invalidates::RENDER | Self::stale_by_parameter(id));
        Ok(())
    }
}
