//! A compiled model in one of its states, of which totals, elements and overlaps are read.

use super::{CompiledModel, State};

/// A compiled model in a state.
#[derive(Clone, Copy)]
pub struct StateView<'s> {
    pub(super) system: &'s CompiledModel,
    pub(super) state: &'s State,
}
