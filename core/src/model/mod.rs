//! The editable model: a tree of components under a root. `compile` turns it into flat arrays; nothing here steps.

mod check;
mod code;
mod components;
mod document;
mod draft;
mod edits;
mod joints;
mod passive;
mod paths;
mod properties;
mod store;

use std::ops::{Index, IndexMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use code::{CodeError, CodeFault, CodeParameters, CodeRegistry, ControlCode};
pub use document::DocumentError;
pub use draft::{Draft, DraftError};
pub use edits::{Batch, ChangeSet, Edit, EditError, History};
pub(crate) use joints::AnyJoint;
pub use properties::markdown;
pub use store::{Arena, Component, MAX_DEPTH, Meta, Row, Store, Stored};
pub(crate) use store::{ReferenceIndex, for_kind, match_component, match_kind};

pub use crate::component::{
    Affine, FieldError, FieldWarp, Grid, LandmarkError, LandmarkWarp, LineLengths, MassRule,
    SpatialMap, TransformOptions, TransformRefusal,
};
pub use crate::kinds::*;
pub use crate::property::{CheckError, Problem};

use crate::Vec3;
use crate::component::{ChangeLog, ComponentId, Handle, Invalidates, ROOT};

/// Everything that is simulated together: a tree of components.
///
/// Components are added with [`Model::add`], read and changed in code through their handles
/// (`model[spring].material.stiffness`), by name through [properties](Model::property), and edited
/// so that it can be undone through [`Model::plan`] and [`Model::edit`].
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) store: Store,
    pub(crate) log: ChangeLog,
    pub(crate) references: ReferenceIndex,
    /// Registered code that components name.
    pub(crate) code: Arc<CodeRegistry>,
    /// Number of this state of the tree; changes that were undone lead back to the number of
    /// before.
    pub(crate) stamp: u64,
}

/// Number of the next state of any tree: no two models share one but copies.
static STAMPS: AtomicU64 = AtomicU64::new(0);

pub(crate) fn fresh_stamp() -> u64 {
    STAMPS.fetch_add(1, Ordering::Relaxed)
}

impl Model {
    /// An empty model.
    pub fn new(name: impl Into<String>) -> Self {
        let mut store = Store::default();
        let root = RootModel { name: name.into() };
        store.put(ROOT, root.into(), Meta::default());
        let mut model = Self::of_store(store);
        model.put_in(ROOT, ComponentList::home(MechModel::MODELS).into());
        model
    }

    pub(crate) fn of_store(store: Store) -> Self {
        let (log, references) = (ChangeLog::default(), ReferenceIndex::default());
        Self { store, log, references, code: Arc::default(), stamp: fresh_stamp() }
    }

    /// Name in reports.
    pub fn name(&self) -> &str {
        self.store.name(ROOT)
    }

    /// The first mechanical model; it is made when there is none.
    pub fn main(&mut self) -> Handle<MechModel> {
        let models = self.store.child_by_name(ROOT, MechModel::MODELS).unwrap_or(ROOT);
        let first = self.store.children(models).find_map(|c| c.1.typed());
        if let Some(first) = first {
            return first;
        }
        let name = self.name().to_owned();
        self.add(MechModel::new(name))
    }

    /// The first mechanical model, to change: its gravity and drag.
    pub fn main_mut(&mut self) -> &mut MechModel {
        let main = self.main();
        &mut self[main]
    }

    /// Sets the acceleration of free fall of the first mechanical model [m/s²].
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.main_mut().gravity = Some(gravity);
    }

    /// The component of this handle; `None` when it was deleted.
    pub fn get<T: Stored>(&self, handle: Handle<T>) -> Option<&T> {
        T::arena(&self.store).get(handle.index, handle.generation).map(|row| &row.data)
    }

    /// The component of this handle, to change in any way: the compiled model is stale, and earlier
    /// edits can no longer be undone. Properties and edits are gentler.
    pub fn get_mut<T: Stored>(&mut self, handle: Handle<T>) -> Option<&mut T> {
        self.get(handle)?;
        self.lend(handle.id());
        let every = Invalidates::STRUCTURE | Invalidates::MASS | Invalidates::GEOMETRY;
        self.log.push(handle.id(), every | Invalidates::PARAMETER | Invalidates::RENDER);
        self.data_mut(handle)
    }

    /// The same without a word to anybody.
    pub(crate) fn data_mut<T: Stored>(&mut self, handle: Handle<T>) -> Option<&mut T> {
        T::arena_mut(&mut self.store)
            .get_mut(handle.index, handle.generation)
            .map(|row| &mut row.data)
    }

    /// True if the component is there.
    pub fn contains(&self, id: impl Into<ComponentId>) -> bool {
        self.store.contains(id.into())
    }

    /// All components of one kind, in the order of the tree.
    pub fn iter<T: Stored>(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
        let count = self.store.count(T::KIND);
        let mut handles = Vec::with_capacity(count);
        self.store.visit_until(&mut |id| {
            handles.extend(id.typed::<T>());
            handles.len() == count
        });
        handles.into_iter().filter_map(|handle| Some((handle, self.get(handle)?)))
    }

    /// The first component of one kind, in the order of the tree.
    pub fn first<T: Stored>(&self) -> Option<Handle<T>> {
        self.iter().next().map(|(handle, _)| handle)
    }

    /// The `k`-th component of one kind, in the order of the tree.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn nth<T: Stored>(&self, k: usize) -> Handle<T> {
        let there = || format!("{} of {}", k, T::KIND.name());
        self.iter().nth(k).unwrap_or_else(|| panic!("there is no number {}", there())).0
    }

    /// The `k`-th tissue, in the order of the tree.
    ///
    /// # Panics
    /// When there are fewer.
    pub fn fem(&self, k: usize) -> &FemModel {
        &self[self.nth(k)]
    }

    /// The `k`-th tissue, to change (see [`Model::get_mut`]).
    ///
    /// # Panics
    /// When there are fewer.
    pub fn fem_mut(&mut self, k: usize) -> &mut FemModel {
        let fem = self.nth(k);
        &mut self[fem]
    }

    /// All soft tissues.
    pub fn fems(&self) -> impl Iterator<Item = (Handle<FemModel>, &FemModel)> {
        self.iter()
    }

    /// Number of components of all kinds.
    pub fn component_count(&self) -> usize {
        crate::component::Kind::ALL.iter().map(|&kind| self.store.count(kind)).sum()
    }

    /// Children of a component, by rising number.
    pub fn children(&self, id: impl Into<ComponentId>) -> impl Iterator<Item = ComponentId> {
        self.store.children(id.into()).map(|c| c.1)
    }

    /// Parent of a component; `None` for the root, and for a component that is not there.
    pub fn parent(&self, id: impl Into<ComponentId>) -> Option<ComponentId> {
        self.store.meta(id.into())?.parent
    }

    /// Name of a component; empty when it has none, or is not there.
    pub fn name_of(&self, id: impl Into<ComponentId>) -> &str {
        self.store.name(id.into())
    }

    /// Number of a component among its siblings; `None` when it is not there.
    pub fn number(&self, id: impl Into<ComponentId>) -> Option<u32> {
        self.store.meta(id.into()).map(|meta| meta.number)
    }

    /// Hands every reference of a component to `visit`.
    pub fn visit_refs(
        &self,
        id: impl Into<ComponentId>,
        visit: &mut dyn FnMut(crate::component::Reference),
    ) {
        self.store.visit_refs(id.into(), visit);
    }

    /// Log of changes, for all that keep something computed from the model.
    pub fn changes(&self) -> &ChangeLog {
        &self.log
    }
}

impl<T: Stored> Index<Handle<T>> for Model {
    type Output = T;

    /// # Panics
    /// When the component was deleted.
    fn index(&self, handle: Handle<T>) -> &T {
        self.get(handle).unwrap_or_else(|| panic!("{} {handle:?} was deleted", T::KIND.name()))
    }
}

impl<T: Stored> IndexMut<Handle<T>> for Model {
    /// See [`Model::get_mut`].
    ///
    /// # Panics
    /// When the component was deleted.
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        self.get_mut(handle).unwrap_or_else(|| panic!("{} {handle:?} was deleted", T::KIND.name()))
    }
}
