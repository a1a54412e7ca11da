//! Parts of models that stay on the CPU beside a device that solves: rigid bodies, points that follow others, rows of
//! constraints, contact.

use sinew::system::{CompiledModel, MechSystem};

/// Bodies, attached points, rows of constraints and pairs that may touch, with their counts.
pub(crate) fn mechanism_parts(system: &CompiledModel) -> Vec<String> {
    let Some(multibody) = system.multibody() else { return Vec::new() };
    let counts = [
        ("rigid bodies", multibody.bodies.len()),
        ("attached points", multibody.attachments.list.attached_rows().len()),
        ("rows of constraints", multibody.joints.rows.count()),
        ("ranges and other unilateral rows", multibody.joints.unilateral.count()),
        ("pairs that may touch", multibody.contacts.pairs.len()),
    ];
    let present = counts.into_iter().filter(|(_, count)| *count > 0);
    present.map(|(what, count)| format!("{what} ({count})")).collect()
}
