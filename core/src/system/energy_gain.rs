//! The part of a model that gained most energy in a step.

use super::tissues::Tissues;
use crate::Vec3;
use crate::fem::FemBatch;
use crate::state::{Motion, State};

/// The element of a batch whose energy grew most: the gain [J], and its index in the mesh.
fn largest_gain(batch: &dyn FemBatch, [start, end]: [&State; 2]) -> Option<(f64, u32)> {
    let reports = |state: &State| batch.reports(&Motion::now(state));
    let gains = reports(start).into_iter().zip(reports(end)).map(|(before, after)| {
        ((after.energy_density - before.energy_density) * after.rest_volume, after.element)
    });
    gains.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The element whose energy grew most, else the row whose kinetic energy did, from the positions and velocities of the
/// start of a step to its end.
pub(super) fn part_that_gained(
    (tissues, masses): (&Tissues, &[f64]),
    (q, u): (&[Vec3], &[Vec3]),
    end: &State,
) -> Result<String, usize> {
    let mut start = end.clone();
    start.q.copy_from_slice(q);
    start.u.copy_from_slice(u);
    let ends = [&start, end];
    let gains = tissues.fems.iter().flat_map(|fem| {
        let batches = tissues.batches[fem.batches.clone()].iter();
        batches.filter_map(move |it| Some((largest_gain(&**it, ends)?, fem)))
    });
    let largest = gains.max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    if let Some(((gain, element), fem)) = largest.filter(|((gain, _), _)| *gain > 0.0) {
        return Ok(format!("element {element} of '{}' (by {gain:.2e} J)", fem.name));
    }
    let kinetic = |row: usize, u: &Vec3| 0.5 * masses[row] * u.norm_squared();
    let gain = |row: &usize| kinetic(*row, &end.u[*row]) - kinetic(*row, &u[*row]);
    Err((0..u.len()).max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap_or(0))
}
