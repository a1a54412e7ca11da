//! Work that allocates nothing after the first time: steps, contacts, constraints, numbers set through handles. Counted by the
//! allocator, in a binary that has it to itself.

mod constraints;
mod contact;
mod counting;
mod interactive;
mod properties;
mod steps;
