//! Errors of commands, in reading and in application.

use super::MapError;
use crate::component::{PathError, did_you_mean, with_article};
use crate::model::EditError;
use crate::property::{DeclarationError, PropertyError};

/// Errors of the description of a component.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescriptionError {
    /// No kind is called so.
    #[error("there is no kind '{name}'{}", did_you_mean(.near))]
    Kind {
        /// The name.
        name: String,
        /// Kinds that are called much like it.
        near: Vec<String>,
    },
    /// The root, of which there is one.
    #[error("a model has one root, which is there already")]
    Root,
    /// A path that does not end in a name.
    #[error("path '{0}' does not end in a name")]
    Nameless(String),
    /// A reference that was not given.
    #[error("{} needs '{name}': {doc}", with_article(.kind))]
    Lacks {
        /// The kind.
        kind: &'static str,
        /// The property.
        name: &'static str,
        /// Description of the property.
        doc: &'static str,
    },
    /// Dimensions of a block of tissue that are none.
    #[error("'{name}' of a block must be {expected}, got '{given}'")]
    Block {
        /// The dimension.
        name: &'static str,
        /// Its form.
        expected: &'static str,
        /// Text that was given.
        given: String,
    },
    /// Properties that do not fit together.
    #[error("{0}")]
    Fault(String),
}

/// Errors of attaching points, and of detaching them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AttachError {
    /// Something else than a point.
    #[error("'{0}' is no point that can follow: give particles and nodes of tissues")]
    NoPoint(String),
    /// A marker is fixed to its body for good.
    #[error(
        "'{0}' is a frame marker, which follows its body already: attach a particle, or add a joint"
    )]
    Marker(String),
    /// A master that points cannot follow.
    #[error("points cannot follow '{0}': give a rigid body, a particle or a tissue")]
    NoMaster(String),
    /// A point follows one already.
    #[error("'{point}' follows {master} already by {attachment}: detach it first")]
    Follows {
        /// The point.
        point: String,
        /// Its master.
        master: String,
        /// The attachment.
        attachment: String,
    },
    /// The master follows the point, by however many others.
    #[error("'{master}' follows '{point}' itself, and would follow itself")]
    Circle {
        /// The point.
        point: String,
        /// The master.
        master: String,
    },
    /// A node of a tissue that is to follow the same tissue.
    #[error("'{point}' is a node of '{master}' itself: attach it to another one")]
    Own {
        /// The point.
        point: String,
        /// The master.
        master: String,
    },
    /// A point that forces do not move.
    #[error("'{0}' is fixed by a support or prescribed: release it first")]
    Fixed(String),
    /// A point that follows nobody.
    #[error("'{0}' follows nobody: there is nothing to detach")]
    Free(String),
}

/// Errors of the application of a command; the model is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditCommandError {
    /// A new component.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// A path that leads nowhere.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A property that cannot be set so.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A property that cannot be declared so.
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
    /// An edit that is refused.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A node or another part of a tissue where a component is meant.
    #[error("'{0}' is a part of a component: edit the component, or set its properties")]
    NoComponent(String),
    /// Something else than a tissue.
    #[error("'{0}' is no tissue: tissues have faces with names, and supports")]
    NoTissue(String),
    /// Something else than a support.
    #[error("'{0}' is no support: give PATH/supports/N of a tissue, N from 0")]
    NoSupport(String),
    /// A map that is none.
    #[error("the map is refused: {0}")]
    Map(#[from] MapError),
    /// Points that cannot be attached or detached.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// Nothing was done so far, or all of it was taken back.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Undo or redo among commands that are one change.
    #[error("'{0}' stands alone: it is no part of a group of edits")]
    Alone(String),
    /// Nothing was taken back last.
    #[error("there is nothing to redo")]
    NothingToRedo,
}
