//! Parts of models that no device steps: rigid bodies, points that follow others, rows of
//! constraints, contact.

use sinew::system::{CompiledModel, MechSystem};

use crate::GpuError;

/// Refuses a model with bodies, attachments, constraints or contact, which only the CPU takes; needs no device.
///
/// # Errors
/// [`GpuError::Unsupported`] names what the model has of them.
pub fn check_mechanism(system: &CompiledModel) -> Result<(), GpuError> {
    let parts = mechanism_parts(system);
    if parts.is_empty() { Ok(()) } else { Err(GpuError::Unsupported { parts }) }
}

/// Bodies, attached points, rows of constraints and pairs that may touch, with their counts.
pub(crate) fn mechanism_parts(system: &CompiledModel) -> Vec<String> {
    let Some(multibody) = system.multibody() else { return Vec::new() };
    let counts = [
        ("rigid bodies", multibody.bodies.len()),
        ("attached points", multibody.attachments.list.attached_rows().len()),
        ("rows of constraints", multibody.joints.rows.count()),
        ("pairs that may touch", multibody.contacts.pairs.len()),
    ];
    let present = counts.into_iter().filter(|(_, count)| *count > 0);
    present.map(|(what, count)| format!("{what} ({count})")).collect()
}
