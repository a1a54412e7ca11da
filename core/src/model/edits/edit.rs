//! Edits: add, import, delete, duplicate, move in the tree, rename, set, transform, and several of
//! these at once.

use crate::component::{
    Affine, ComponentId, Handle, Kind, SpatialMap, TransformOptions, TransformRefusal,
};
use crate::model::{Component, FemModel, MAX_DEPTH, Model};
use crate::property::{Declaration, DeclarationError, PropertyError, PropertyRef, Setting, Value};

/// One request.
#[derive(Clone, Debug)]
pub enum Edit {
    /// A new component.
    Add {
        /// A container, or a mechanical model, which has a list for every kind.
        parent: ComponentId,
        /// The component.
        component: Box<Component>,
    },
    /// Copies of everything that another model is made of: its mechanical models go where `parent` has
    /// them, its own containers and groups beside. A name that is taken gets a number behind it.
    Import {
        /// The root, a mechanical model, or a container.
        parent: ComponentId,
        /// The model.
        model: Box<Model>,
    },
    /// Away with these, with what is below them and what cannot be without them.
    Delete(Vec<ComponentId>),
    /// Copies of these, with what is below them and what they cannot be without.
    Duplicate(Vec<ComponentId>),
    /// Copies of these with what is below them, which refer to whom the originals do.
    DuplicateAlone(Vec<ComponentId>),
    /// The component becomes a child of another.
    Reparent {
        /// The component.
        id: ComponentId,
        /// Under whom: a container, or a mechanical model.
        parent: ComponentId,
    },
    /// Another name.
    Rename {
        /// The component.
        id: ComponentId,
        /// The name; empty for none.
        name: String,
    },
    /// Another value.
    Set {
        /// The property.
        property: PropertyRef,
        /// The value, or that it is to be inherited.
        setting: Setting,
    },
    /// A property of one component alone, with its default.
    Declare {
        /// The component.
        id: ComponentId,
        /// The property.
        declaration: Declaration,
    },
    /// Away with a property that was declared, and its value.
    Undeclare(PropertyRef),
    /// [`Edit::Deform`] by an affine map, with the choices by default.
    Transform {
        /// The components.
        ids: Vec<ComponentId>,
        /// The map.
        map: Affine,
    },
    /// Moves and deforms these and all below them by any map of space. Markers, joints, springs, colliders and wrap
    /// surfaces on a body that is deformed go along, and fibres of a tissue, whether they are named or not.
    Deform {
        /// The components.
        ids: Vec<ComponentId>,
        /// The map.
        map: SpatialMap,
        /// Choices.
        options: TransformOptions,
    },
    /// Another set of faces of a tissue under a name, in the place of the one that there was; none without faces.
    NameFaces {
        /// The tissue.
        fem: Handle<FemModel>,
        /// Name of the set.
        name: String,
        /// Each face: index of its element and its index in [`ElementKind::faces`](crate::fem::ElementKind::faces),
        /// from 0.
        faces: Vec<[u32; 2]>,
    },
    /// A support more of a tissue, after those that there are: nodes that stay where they are at rest.
    AddSupport {
        /// The tissue.
        fem: Handle<FemModel>,
        /// Indices of the nodes.
        nodes: Vec<u32>,
    },
    /// Away with a support of a tissue, and with probes, controllers and events that name it. Those behind it move up by one.
    RemoveSupport {
        /// The tissue.
        fem: Handle<FemModel>,
        /// Place of the support in the list, from 0.
        number: u32,
    },
    /// One after the other, all or none (see [`Model::batch`] where a later one is to use what an
    /// earlier one makes).
    Batch(Vec<Edit>),
}

impl Edit {
    /// [`Edit::Add`].
    pub fn add(parent: impl Into<ComponentId>, component: impl Into<Component>) -> Self {
        Self::Add { parent: parent.into(), component: Box::new(component.into()) }
    }

    /// [`Edit::Import`].
    pub fn import(parent: impl Into<ComponentId>, model: Model) -> Self {
        Self::Import { parent: parent.into(), model: Box::new(model) }
    }

    /// [`Edit::Delete`] of one.
    pub fn delete(id: impl Into<ComponentId>) -> Self {
        Self::Delete(vec![id.into()])
    }

    /// [`Edit::Duplicate`] of one.
    pub fn duplicate(id: impl Into<ComponentId>) -> Self {
        Self::Duplicate(vec![id.into()])
    }

    /// [`Edit::Reparent`].
    pub fn reparent(id: impl Into<ComponentId>, parent: impl Into<ComponentId>) -> Self {
        Self::Reparent { id: id.into(), parent: parent.into() }
    }

    /// [`Edit::Rename`].
    pub fn rename(id: impl Into<ComponentId>, name: impl Into<String>) -> Self {
        Self::Rename { id: id.into(), name: name.into() }
    }

    /// [`Edit::Set`] to a value.
    pub fn set(property: PropertyRef, value: impl Into<Value>) -> Self {
        Self::Set { property, setting: Setting::Explicit(value.into()) }
    }

    /// [`Edit::Set`] to be inherited.
    pub fn inherit(property: PropertyRef) -> Self {
        Self::Set { property, setting: Setting::Inherited }
    }

    /// [`Edit::Declare`].
    pub fn declare(id: impl Into<ComponentId>, declaration: Declaration) -> Self {
        Self::Declare { id: id.into(), declaration }
    }

    /// [`Edit::Deform`] of one, with the choices by default.
    pub fn deform(id: impl Into<ComponentId>, map: impl Into<SpatialMap>) -> Self {
        let (ids, map, options) = (vec![id.into()], map.into(), TransformOptions::default());
        Self::Deform { ids, map, options }
    }

    /// [`Edit::Transform`] of one.
    pub fn transform(id: impl Into<ComponentId>, map: Affine) -> Self {
        Self::Transform { ids: vec![id.into()], map }
    }
}

/// Errors of an edit; the model is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// It names a component that is not there.
    #[error("{0} is not there: it was deleted, or belongs to another model")]
    Gone(String),
    /// A container does not take components of this kind.
    #[error("{parent} takes no {}: put it into a container of your own, or into a mechanical model", .kind.name())]
    Misplaced {
        /// Path of the container.
        parent: String,
        /// Kind of the component.
        kind: Kind,
    },
    /// A component would become its own ancestor.
    #[error("{id} cannot be moved into {parent}, which is a part of it")]
    Cycle {
        /// Path of the component.
        id: String,
        /// Path of the new parent.
        parent: String,
    },
    /// A component would have too many ancestors.
    #[error("nothing more fits below {} '{name}': a tree has at most {MAX_DEPTH} generations", .kind.name())]
    TooDeep {
        /// Kind of the parent.
        kind: Kind,
        /// Name of the parent.
        name: String,
    },
    /// The root and the lists that every mechanical model has stay where they are.
    #[error("{0} is a part that every model has: it cannot be deleted, moved, copied or renamed")]
    Fixed(String),
    /// A sibling has the name.
    #[error("{parent} has a '{name}' already")]
    NameTaken {
        /// Path of the container.
        parent: String,
        /// The name.
        name: String,
    },
    /// A new component refers to one that is not there.
    #[error("the new {} '{name}' refers to {target}, which is not there", .kind.name())]
    Dangling {
        /// Kind of the new component.
        kind: Kind,
        /// Its name.
        name: String,
        /// The component that it refers to.
        target: String,
    },
    /// A property cannot be set so.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A property cannot be declared so.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
    /// A transformation has no meaning for a component.
    #[error("{path} cannot be transformed so: {refusal}")]
    Transform {
        /// Path of the component.
        path: String,
        /// The reason.
        refusal: TransformRefusal,
    },
    /// A set of faces without a name.
    #[error("a set of faces of {0} needs a name")]
    UnnamedFaces(String),
    /// A face that the mesh does not have.
    #[error("{path} has no face {face} of element {element}: there are {elements} elements{}",
        .faces.map_or_else(String::new, |it| format!(", and this one has {it} faces, from 0")))]
    NoFace {
        /// Path of the tissue.
        path: String,
        /// Index of the element, from 0.
        element: u32,
        /// Index of the face, from 0.
        face: u32,
        /// Elements of the mesh.
        elements: usize,
        /// Faces of the element, where there is that.
        faces: Option<usize>,
    },
    /// A node that the mesh does not have.
    #[error("{path} has no node {node}: there are {count}, from 0")]
    NoNode {
        /// Path of the tissue.
        path: String,
        /// Index of the node.
        node: u32,
        /// Nodes of the mesh.
        count: usize,
    },
    /// A support that the tissue does not have.
    #[error("{path} has no support {number}: there are {count}, from 0")]
    NoSupport {
        /// Path of the tissue.
        path: String,
        /// Place of the support in the list.
        number: u32,
        /// Supports of the tissue.
        count: usize,
    },
    /// No faces have this name.
    #[error("{path} has no set of faces '{name}'")]
    NoFaceSet {
        /// Path of the tissue.
        path: String,
        /// The name.
        name: String,
    },
    /// The tree is another than the one that the change belongs to.
    #[error("the model was changed since: undo later changes first, or plan the edit anew")]
    Stale,
}
