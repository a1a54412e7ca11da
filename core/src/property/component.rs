//! The trait of every kind of component: its references, its transformation, its checks, and its
//! table of properties.

use crate::component::{
    Address, ComponentId, ComponentType, Invalidates, Reference, TransformRefusal,
};
use crate::property::{CheckError, Components, Find, Property, Transformation};

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

    /// Hands the host of every property that it names to `keep`, which may change its number among the parts of a tissue;
    /// `false` where it cannot be without one that is not kept. What it can be without is dropped.
    fn keep_hosts(&mut self, keep: &mut dyn FnMut(&mut Address) -> bool) -> bool {
        let _ = keep;
        true
    }

    /// Finds what the paths in its texts lead to, where it does not know it yet.
    fn link(&mut self, find: Find<'_>) {
        let _ = find;
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

    /// It is a copy from now on, under a name of its own: what no two components may have alike it has differently.
    fn become_copy(&mut self) {}

    /// Its properties, without those that every component has.
    fn properties() -> &'static [Property<Self>];
}
