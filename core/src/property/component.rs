//! The trait of every kind of component: its references, its transformation, its checks, and its
//! table of properties.

use std::any::Any;

use crate::component::{
    Address, ComponentId, ComponentType, Handle, Invalidates, Reference, TransformRefusal,
};
use crate::property::{CheckError, Property, PropertyError, PropertyRef, Transformation};

/// Properties and references of a kind of component; written by hand beside its fields.
pub trait ModelComponent: ComponentType + Clone + std::fmt::Debug {
    /// The list of a mechanical model that it lives in; `None` for what has a place of its own.
    const HOME: Option<&'static str>;
    /// Caches that [`Self::transform`] makes stale by a map that moves and turns; none when it does nothing.
    const MOVED: Invalidates = Invalidates::NOTHING;
    /// The same by any other map.
    const DEFORMED: Invalidates = Self::MOVED;

    /// Hands every reference to `visit`.
    fn visit_refs(&self, visit: &mut dyn FnMut(Reference)) {
        let _ = visit;
    }

    /// Replaces the target of every reference by its image under `map`; a soft one to `None` is
    /// dropped, a hard one is left.
    fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        let _ = map;
    }

    /// Moves and deforms it in space.
    ///
    /// # Errors
    /// A [`TransformRefusal`] where the map has no meaning for it; it is to be thrown away then.
    fn transform(&mut self, transformation: &Transformation<'_>) -> Result<(), TransformRefusal> {
        let _ = transformation;
        Ok(())
    }

    /// Checks beyond type and range of its properties: references, lengths of lists, constants that
    /// go together.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn check(&self, model: &dyn Components) -> Result<(), CheckError> {
        let _ = model;
        Ok(())
    }

    /// Its properties, without those that every component has.
    fn properties() -> &'static [Property<Self>];
}

/// The components of a model, as one of them sees the others.
pub trait Components {
    /// A component as a value of its type; `None` when it was deleted.
    fn component(&self, id: ComponentId) -> Option<&dyn Any>;

    /// Path of an address; of a deleted component, the one it had.
    fn path_of(&self, at: Address) -> String;

    /// Children of a component, by rising number.
    fn children_of(&self, id: ComponentId) -> Vec<ComponentId>;

    /// Number of components of all kinds.
    fn count(&self) -> usize;

    /// The property of a component or a part by its name.
    ///
    /// # Errors
    /// [`PropertyError`] where there is none.
    fn property_on(&self, host: Address, name: &str) -> Result<PropertyRef, PropertyError>;

    /// The property at an absolute path.
    ///
    /// # Errors
    /// [`PropertyError`] where there is none.
    fn property_at(&self, path: &str) -> Result<PropertyRef, PropertyError>;
}

impl<'m> dyn Components + 'm {
    /// The component of a handle; `None` when it was deleted.
    pub fn get<T: ComponentType>(&self, handle: Handle<T>) -> Option<&T> {
        self.component(handle.id())?.downcast_ref()
    }

    /// True if a component is there.
    pub fn contains(&self, id: impl Into<ComponentId>) -> bool {
        self.component(id.into()).is_some()
    }

    /// Path of a component or a part of a tissue.
    pub fn path(&self, at: impl Into<Address>) -> String {
        self.path_of(at.into())
    }
}
