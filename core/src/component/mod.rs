//! Components: flat arenas, one a kind, the tree over them, paths, references, and edits that can be
//! previewed, undone and redone. What the kinds are stands in `model/`, what they show in
//! `property/`.

mod address;
mod arena;
mod batch;
mod change_log;
mod change_set;
mod copies;
mod document;
mod draft;
mod edit;
mod handle;
mod history;
mod kinds;
mod names;
pub(crate) mod path;
mod plan;
mod reference;
mod removal;
mod run;
pub(crate) mod spelling;
mod store;
mod tree;

pub use address::{Address, FemPart};
pub use arena::{Arena, Row};
pub use batch::Batch;
pub use change_log::{Change, ChangeLog, Invalidates, Seen};
pub use change_set::ChangeSet;
pub use document::DocumentError;
pub use draft::{Draft, DraftError};
pub use edit::{Edit, EditError};
pub use handle::{ComponentId, Handle};
pub use history::History;
pub(crate) use kinds::for_kind;
pub use kinds::{Component, ComponentType, Kind, ModelComponent, Store};
pub use path::PathError;
pub(crate) use reference::ReferenceIndex;
pub use reference::{Reference, Strength};
pub use spelling::{did_you_mean, similar};
pub use tree::{MAX_DEPTH, Meta};

/// The root of every tree.
pub const ROOT: ComponentId = ComponentId { kind: Kind::RootModel, index: 0, generation: 0 };
