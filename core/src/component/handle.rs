//! Names that a program has for components: typed handles, and ids of any kind. Both stay valid
//! while a component lives and never come to mean another one.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::component::{ComponentType, Kind};

/// Handle of a component of kind `T`: its place in the arena of the kind, and the number of earlier
/// components there.
///
/// In a file a handle is the number of the component among those of its kind.
pub struct Handle<T> {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    pub(crate) fn new(index: u32, generation: u32) -> Self {
        Self { index, generation, kind: PhantomData }
    }
}

impl<T: ComponentType> Handle<T> {
    /// The same without its type.
    pub fn id(self) -> ComponentId {
        ComponentId { kind: T::KIND, index: self.index, generation: self.generation }
    }

    /// Takes what `map` has for the component; without, it stays.
    pub(crate) fn redirect(&mut self, map: &mut dyn FnMut(ComponentId) -> Option<ComponentId>) {
        *self = map(self.id()).and_then(ComponentId::typed).unwrap_or(*self);
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
    }
}

impl<T> Eq for Handle<T> {}

impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.index, self.generation).hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

impl<T> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.index.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(|index| Self::new(index, 0))
    }
}

/// Handle of a component of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ComponentId {
    pub(crate) kind: Kind,
    pub(crate) index: u32,
    #[serde(skip)]
    pub(crate) generation: u32,
}

impl ComponentId {
    /// Kind of the component.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The same as a handle of `T`; `None` when it is of another kind.
    pub fn typed<T: ComponentType>(self) -> Option<Handle<T>> {
        (self.kind == T::KIND).then(|| Handle::new(self.index, self.generation))
    }
}

impl<T: ComponentType> From<Handle<T>> for ComponentId {
    fn from(handle: Handle<T>) -> Self {
        handle.id()
    }
}
