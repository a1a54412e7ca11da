//! Pictures of a running model: plain arrays, copied between steps, so that a window never reads
//! the model itself. A [`Scene`] says what there is and holds what does not move; a [`Snapshot`]
//! says where it is. Both go to a window through an [`exchange`], to a list through a
//! [`RecordSink`].

mod build;
mod capture;
mod exchange;
mod excitations;
mod fibres;
mod field;
mod followed;
mod outline;
mod picture;
mod rests;
mod scene;
mod sheet;
mod sink;
mod solids;
mod still;
mod styles;
mod tetrahedra;
mod tissue;

pub use capture::{Capture, Wanted};
pub use exchange::{Reader, Writer, exchange};
pub use fibres::{Fibre, Fibres};
pub use field::{Field, Quantity};
pub use outline::{Outline, OutlineRow};
pub use picture::{Contact, Frame, Readings, Snapshot};
pub use scene::{Faulty, Item, Lines, Scene, Shape};
pub use sheet::{Sheet, SheetRow};
pub use sink::{NullSink, RecordSink, SnapshotSink};
pub use still::still;
pub use styles::Style;
pub use tetrahedra::Tetrahedra;

pub(crate) use exchange::exchange_of;
pub(crate) use followed::Followed;
