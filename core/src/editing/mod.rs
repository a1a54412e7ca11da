//! Edits as data: commands as people, programs and files write them, and their effects on a model.
//! Each is undone as one, or refused with a reason. What an edit comes to in detail stands in
//! `component/`.

mod apply;
mod command;
mod describe;
mod error;
mod report;
mod text;
mod words;

pub use command::{DuplicateScope, EditCommand};
pub use error::{DescriptionError, EditCommandError, EditTextError};
pub use report::EditReport;
