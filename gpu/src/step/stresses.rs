//! Stresses that points remember, between the memory of a state and the device that holds them.

use std::borrow::Cow;

use sinew::system::{CompiledModel, MechSystem, State};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::program::BufferId;
use sinew_shaders::source::Precision;

use crate::elements::RememberedStresses;
use crate::numbers;

/// Writes what a state remembers; where it came without a memory, its stresses are relaxed.
pub(super) fn write(
    remembered: &[RememberedStresses],
    (system, state): (&CompiledModel, &State),
    mut write: impl FnMut(BufferId, &[f64]),
) {
    let memory = memory_of(remembered, (system, state));
    for RememberedStresses { buffer, places } in remembered {
        write(*buffer, &memory[places.clone()]);
    }
}

/// The memory of a state, with relaxed stresses where it has none.
fn memory_of<'s>(
    remembered: &[RememberedStresses],
    (system, state): (&CompiledModel, &'s State),
) -> Cow<'s, [f64]> {
    let len = len_of(remembered);
    if state.memory.len() >= len {
        return Cow::Borrowed(&state.memory);
    }
    let mut relaxed = state.clone();
    relaxed.memory.resize(len, 0.0);
    system.relax_memory(&mut relaxed);
    Cow::Owned(relaxed.memory)
}

/// Puts what was read of the buffers, in their order, into the memory of a state.
pub(super) fn put(
    remembered: &[RememberedStresses],
    (read, width): (&[Vec<u8>], Precision),
    memory: &mut Vec<f64>,
) {
    memory.resize(memory.len().max(len_of(remembered)), 0.0);
    for (RememberedStresses { places, .. }, bytes) in remembered.iter().zip(read) {
        memory[places.clone()].copy_from_slice(&numbers(bytes, Scalar::Real, width));
    }
}

/// Numbers of a memory that holds all of them.
fn len_of(remembered: &[RememberedStresses]) -> usize {
    remembered.iter().map(|it| it.places.end).max().unwrap_or(0)
}
