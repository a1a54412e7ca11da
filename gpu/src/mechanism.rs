//! Parts of models that stay on the CPU beside a device that solves: rigid bodies that move, points that follow them, nodes of tissue
//! that follow points, rows of constraints, contact.

use sinew::system::{CompiledModel, MechSystem};

use crate::step::Rule;

/// Bodies that a border of tissue does not take.
const BEYOND: &str = "rigid bodies that turn freely, follow points or go along a path";

/// Bodies, attached points, rows of constraints and pairs that may touch, with their counts. Points that follow points are the
/// border's, but under a rule without a matrix.
pub(crate) fn mechanism_parts(system: &CompiledModel, rule: Rule) -> Vec<String> {
    let Some(multibody) = system.multibody() else { return Vec::new() };
    let view = system.device_view();
    let attached = match rule {
        Rule::Implicit { .. } => view.attached_beyond_border(),
        Rule::Explicit => multibody.attachments.list.attached_rows().len(),
    };
    let bodies = match rule {
        Rule::Implicit { end_weight: 1.0 } => (BEYOND, view.bodies_beyond_border()),
        Rule::Implicit { .. } | Rule::Explicit => ("moving rigid bodies", view.moving_bodies()),
    };
    let counts = [
        bodies,
        ("attached points", attached),
        ("rows of constraints", multibody.joints.rows.count()),
        ("ranges and other unilateral rows", multibody.joints.unilateral.count()),
        ("pairs that may touch", multibody.contacts.pairs.len()),
    ];
    let present = counts.into_iter().filter(|(_, count)| *count > 0);
    present.map(|(what, count)| format!("{what} ({count})")).collect()
}
