//! Parts that a hand adds: the table of their kinds (`kinds.rs`), and the parts that are made of what was clicked, with names
//! and numbers that suit the world as it is (`sites.rs` and a file for each list). Nothing is added to a world here.

mod behaviours;
mod blocks;
mod constraints;
mod kinds;
mod objects;
mod sites;

pub(super) use kinds::make_parts;
pub use kinds::{Candidate, PartKind, Slot, part_kinds};
pub(super) use sites::Site;
pub use sites::{PaletteError, Pick};
