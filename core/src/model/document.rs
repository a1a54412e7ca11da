//! A model as data to be written and read: its components in the order of the tree, references as
//! numbers among their kind. What is read is checked before it is a model.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::component::{ComponentId, Kind, ROOT};
use crate::kinds::{ComponentList, MechModel};
use crate::model::{Component, MAX_DEPTH, Meta, Model, Store};
use crate::property::{DeclaredProperty, MOST_DECLARED, RenderProps};

/// Errors of documents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The first component must be the root, and the only one.
    #[error(
        "component {0} is a RootModel, or the first component is none: there is one, and first"
    )]
    Root(usize),
    /// The parent stands after its child, or is not there.
    #[error("component {at} names component {parent} as its parent, which must stand before it")]
    Parent {
        /// Place of the component in the document.
        at: usize,
        /// Place of its parent.
        parent: usize,
    },
    /// Two siblings have the same number, or they do not rise, or it is too large.
    #[error("component {at} has the number {number}: numbers of siblings rise, up to {MAX_NUMBER}")]
    Number {
        /// Place of the component in the document.
        at: usize,
        /// Its number.
        number: u32,
    },
    /// A component has too many ancestors.
    #[error("component {0} has more than {MAX_DEPTH} generations above it")]
    Depth(usize),
    /// A component stands where it has no place.
    #[error("component {at} is a {} and has no place there", .kind.name())]
    Misplaced {
        /// Place of the component in the document.
        at: usize,
        /// Its kind.
        kind: Kind,
    },
    /// A reference leads nowhere.
    #[error("component {at} refers to {} {index}, which is not there", .kind.name())]
    Dangling {
        /// Place of the component in the document.
        at: usize,
        /// Kind of whom it refers to.
        kind: Kind,
        /// Number among the kind.
        index: u32,
    },
    /// A declared property has the name of another one of the component, or there are too many.
    #[error(
        "component {at} declares '{name}', a name that another of its properties has, or more properties than it may"
    )]
    Declared {
        /// Place of the component in the document.
        at: usize,
        /// Name of the property.
        name: String,
    },
    /// A list that every mechanical model has is missing.
    #[error("component {at} lacks its list '{list}'")]
    List {
        /// Place of the model in the document.
        at: usize,
        /// Name of the list.
        list: &'static str,
    },
}

/// Errors of writing a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UnsavedError {
    /// A component is not there.
    #[error("{0} is not there")]
    Gone(String),
    /// A component holds code.
    #[error("{0} is code, which cannot be written: delete it to save")]
    Code(String),
    /// A component refers to one that is not there.
    #[error("{path} refers to {target}")]
    Dangling {
        /// Path of the component.
        path: String,
        /// The component that it refers to.
        target: String,
    },
}

/// One component of a document.
#[derive(Clone, Serialize, Deserialize)]
struct Entry {
    /// Place of the parent in the document; the root has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    number: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    render: Option<Box<RenderProps>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    declared: Vec<DeclaredProperty>,
    component: Component,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Document {
    #[serde(deserialize_with = "entries")]
    components: Vec<Entry>,
}

/// Numbers above this are refused, so that there is always a next one.
pub(super) const MAX_NUMBER: u32 = u32::MAX / 2;

/// Reads the components one by one, so that an error can say in which it is.
fn entries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Entry>, D::Error> {
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<Entry>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of components")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Entry>, A::Error> {
            let mut entries = Vec::new();
            loop {
                let at = entries.len();
                let next = list.next_element();
                match next.map_err(|error| Error::custom(format!("component {at}: {error}")))? {
                    Some(entry) => entries.push(entry),
                    None => return Ok(entries),
                }
            }
        }
    }

    deserializer.deserialize_seq(Entries)
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        document_of(self).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        model_of(document).map_err(serde::de::Error::custom)
    }
}

pub(super) fn document_of(model: &Model) -> Result<Document, UnsavedError> {
    let store = &model.store;
    let (mut places, mut canonical, mut counts) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::<Kind, u32>::new());
    let mut order = Vec::new();
    store.for_each_id(&mut |id| {
        let count = counts.entry(id.kind).or_default();
        canonical.insert(id, ComponentId { kind: id.kind, index: *count, generation: 0 });
        *count += 1;
        places.insert(id, order.len());
        order.push(id);
    });
    let entry = |&id: &ComponentId| {
        let (Some(mut component), Some(meta)) = (store.cloned(id), store.meta(id)) else {
            return Err(UnsavedError::Gone(model.path(id)));
        };
        if model.holds_code(id) {
            return Err(UnsavedError::Code(model.path(id)));
        }
        let mut dangling = None;
        component.redirect(&mut |target| {
            let known = canonical.get(&target).copied();
            if known.is_none() {
                dangling = Some(target);
            }
            known
        });
        if let Some(target) = dangling {
            let (path, target) = (model.path(id), model.path(target));
            return Err(UnsavedError::Dangling { path, target });
        }
        let parent = meta.parent.and_then(|parent| places.get(&parent).copied());
        let Meta { number, render, declared, .. } = meta;
        let (render, declared) = (render.clone(), declared.clone());
        Ok(Entry { parent, number: *number, render, declared, component })
    };
    Ok(Document { components: order.iter().map(entry).collect::<Result<_, _>>()? })
}

pub(super) fn model_of(document: Document) -> Result<Model, DocumentError> {
    let mut built = Built::default();
    for (at, entry) in document.components.into_iter().enumerate() {
        built.take(at, entry)?;
    }
    let Built { store, ids, parents, .. } = built;
    if ids.first() != Some(&ROOT) {
        return Err(DocumentError::Root(0));
    }
    let model = Model::of_store(store);
    check_places(&model, &ids, &parents)?;
    check_references(&model, &ids)?;
    check_declared(&model, &ids)?;
    Ok(model)
}

/// The tree as far as it was read.
#[derive(Default)]
struct Built {
    store: Store,
    ids: Vec<ComponentId>,
    parents: Vec<Option<ComponentId>>,
    depths: Vec<usize>,
    counts: BTreeMap<Kind, u32>,
}

impl Built {
    fn take(&mut self, at: usize, entry: Entry) -> Result<(), DocumentError> {
        let (kind, number) = (entry.component.kind(), entry.number);
        if (at == 0) != (kind == Kind::RootModel) || (at == 0) != entry.parent.is_none() {
            return Err(DocumentError::Root(at));
        }
        let count = self.counts.entry(kind).or_default();
        let id = ComponentId { kind, index: *count, generation: 0 };
        *count += 1;
        let above = match entry.parent {
            None => None,
            Some(place) => {
                let missing = DocumentError::Parent { at, parent: place };
                Some((*self.ids.get(place).ok_or(missing)?, self.depths[place]))
            }
        };
        let depth = above.map_or(0, |(_, depth)| depth + 1);
        if depth > MAX_DEPTH {
            return Err(DocumentError::Depth(at));
        }
        let risen = |parent| self.store.last_number(parent).is_none_or(|last| last < number);
        if number > MAX_NUMBER || !above.is_none_or(|(parent, _)| risen(parent)) {
            return Err(DocumentError::Number { at, number });
        }
        let Entry { render, declared, .. } = entry;
        let meta = Meta { number, render, declared, ..Meta::default() };
        self.store.put(id, entry.component, meta);
        if let Some((parent, _)) = above {
            self.store.attach(id, parent, number);
        }
        self.ids.push(id);
        self.parents.push(above.map(|(parent, _)| parent));
        self.depths.push(depth);
        Ok(())
    }
}

/// Every component stands where it may, and no list is missing.
fn check_places(
    model: &Model,
    ids: &[ComponentId],
    parents: &[Option<ComponentId>],
) -> Result<(), DocumentError> {
    let all_lists = MechModel::lists();
    for (at, (&id, &parent)) in ids.iter().zip(parents).enumerate() {
        let kind = id.kind;
        let list = id.typed().and_then(|h| model.get::<ComponentList>(h));
        if let Some(parent) = parent {
            let fits = match list.filter(|list| list.is_home()) {
                Some(list) if model.store.child_by_name(parent, &list.name) != Some(id) => false,
                Some(list) => match parent.kind {
                    Kind::MechModel => all_lists.contains(&list.name.as_str()),
                    Kind::RootModel => list.name == MechModel::MODELS,
                    _ => false,
                },
                None => model.place_for(parent, kind) == Ok(parent),
            };
            if !fits {
                return Err(DocumentError::Misplaced { at, kind });
            }
        }
        let lists: &[&'static str] = match kind {
            Kind::MechModel => &all_lists,
            Kind::RootModel => &[MechModel::MODELS],
            _ => &[],
        };
        for &name in lists {
            let child = model.store.child_by_name(id, name);
            let list = child.and_then(|c| model.get::<ComponentList>(c.typed()?));
            if !list.is_some_and(ComponentList::is_home) {
                return Err(DocumentError::List { at, list: name });
            }
        }
    }
    Ok(())
}

fn check_references(model: &Model, ids: &[ComponentId]) -> Result<(), DocumentError> {
    for (at, &id) in ids.iter().enumerate() {
        let mut missing = None;
        model.store.visit_refs(id, &mut |r| {
            if !model.store.contains(r.target) {
                missing = Some(r.target);
            }
        });
        if let Some(ComponentId { kind, index, .. }) = missing {
            return Err(DocumentError::Dangling { at, kind, index });
        }
    }
    Ok(())
}

/// Declared properties have names of their own.
fn check_declared(model: &Model, ids: &[ComponentId]) -> Result<(), DocumentError> {
    for (at, &id) in ids.iter().enumerate() {
        for (k, property) in model.declared_properties(id).enumerate() {
            let name = property.info().name;
            let first = model.property_of(id, name).is_ok_and(|it| it.key() == property.key());
            let before = model.declared_properties(id).take(k);
            let twice = before.into_iter().any(|it| it.info().name == name);
            if k >= MOST_DECLARED || !first || twice {
                return Err(DocumentError::Declared { at, name: name.to_owned() });
            }
        }
    }
    Ok(())
}
