//! Edits that are worked out in full before they are applied, can be taken back and made again.

mod add;
mod batch;
mod change_set;
mod copies;
mod declare;
mod deformation;
mod edit;
mod faces;
mod history;
mod plan;
mod removal;
mod run;
mod supports;

pub use batch::Batch;
pub use change_set::ChangeSet;
pub use edit::{Edit, EditError};
pub use history::History;
