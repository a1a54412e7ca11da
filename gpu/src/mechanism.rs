//! Parts of models that stay on the CPU beside a device that solves: bodies, attached points and rows of constraints that no border takes, ranges,
//! contact.

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
    let joints = &multibody.joints;
    let [rows, ranges, locks] = match rule {
        Rule::Implicit { end_weight: 1.0 } => view.rows_beyond_border(),
        Rule::Implicit { .. } | Rule::Explicit => {
            [joints.rows.count(), joints.unilateral.count(), 0]
        }
    };
    let counts = [
        bodies,
        ("attached points", attached),
        ("rows of constraints", rows),
        ("locks along paths", locks),
        ("ranges and other unilateral rows", ranges),
        ("pairs that may touch", multibody.contacts.pairs.len()),
    ];
    let present = counts.into_iter().filter(|(_, count)| *count > 0);
    present.map(|(what, count)| format!("{what} ({count})")).collect()
}
