//! Identity of components: kinds, handles and ids, addresses, paths as text, references; their
//! transformation, and the effect of a change on caches. The components themselves stand in
//! `kinds/`, the tree of them in `model/`.

mod address;
mod affine;
mod change_log;
mod field;
mod handle;
mod kind;
mod landmarks;
pub(crate) mod path;
mod reference;
mod spatial_map;
pub(crate) mod spelling;

pub use address::{Address, FemPart};
pub use affine::{Affine, TransformRefusal};
pub use change_log::{Change, ChangeLog, Invalidates, Seen};
pub use field::{FieldError, FieldWarp, Grid};
pub use handle::{ComponentId, Handle};
pub(crate) use kind::with_kinds;
pub use kind::{ComponentType, Kind};
pub use landmarks::{LandmarkError, LandmarkWarp};
pub use path::PathError;
pub use reference::{Reference, Strength};
pub use spatial_map::{LineLengths, MassRule, SpatialMap, TransformOptions};
pub(crate) use spelling::with_article;
pub use spelling::{RELATED, SYNONYMS, did_you_mean, meant, same_meaning, similar, word_meant};

/// The root of every tree.
pub const ROOT: ComponentId = ComponentId { kind: Kind::RootModel, index: 0, generation: 0 };
