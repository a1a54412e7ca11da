//! Probes in files: tables that feed properties, results that are recorded, and
//! checkpoints of runs.
//! When probes act is the business of `sinew::schedule`; here is what they read and write.
#![forbid(unsafe_code)]

pub mod attach;
pub mod checkpoint;
mod columns;
mod commands;
mod components;
mod desired;
mod error;
pub mod expression;
mod gaps;
mod input;
pub mod instants;
pub mod interpolate;
mod live;
mod lookup;
mod output_files;
mod output_plan;
mod persist;
pub mod read;
mod recording;
mod select;
pub mod spec;
pub mod table;
pub mod write;

pub use attach::{Opening, attach};
pub use columns::properties_of_columns;
pub use desired::{DesiredMotion, desired_motion};
pub use error::{ProbeError, RecordingError};
pub use live::{MemoryTables, Recordings, follow};
pub use output_files::check_files;
pub use persist::{write_together, write_whole};
pub use recording::Recording;
pub use write::MemoryTable;
