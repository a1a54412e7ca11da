//! Edits as data: commands as people, programs and files write them, and their effects on a model.
//! Each is undone as one, or refused with a reason. What an edit comes to in detail stands in
//! `component/`.

mod apply;
mod attaching;
mod block;
mod command;
mod describe;
mod error;
mod events;
mod map;
mod report;
mod text;
mod text_error;
mod words;

pub use command::{DuplicateScope, EditCommand};
pub use error::{AttachError, DescriptionError, EditCommandError};
pub use events::EventFault;
pub use map::{MapDescription, MapError};
pub use report::EditReport;
pub use text_error::EditTextError;
pub(crate) use words::written;
