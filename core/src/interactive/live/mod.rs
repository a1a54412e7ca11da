//! Worlds that run in a thread of their own for a window: commands go in, snapshots come out ([`WorldSession`]). The world
//! of the thread is a [`LiveWorld`]: a description, the world that is built of it, what pulls on it, and edits that can be
//! undone (`edits.rs`; of parts `build.rs`). `marks.rs` and `outlines.rs` say what is drawn. Nothing here draws, and files are read and written by
//! [`WorldFiles`].

mod build;
mod command;
mod edits;
mod error;
mod hanging;
mod live_world;
mod marks;
mod outlines;
mod pulls;
mod rows;
mod session;
mod snapshot;
mod splice;

pub use command::{WorldCommand, WorldPoint};
pub use error::LiveError;
pub use live_world::LiveWorld;
pub use session::{WorldFiles, WorldSession};
pub use snapshot::{
    BlockRow, ConstraintRow, Mark, MarkKind, ObjectOutline, ObjectPoint, OutputRow, PartText,
    Refusal, ShownImage, WorldSnapshot, WorldStatus,
};
