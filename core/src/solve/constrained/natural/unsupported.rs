//! Parts of models that natural coordinates do not take, refused by name.

use crate::solve::constrained::context::StepContext;
use crate::solve::failure::Failure;

/// Most numbers that rows across the tree may keep: 1.6 GB.
const MOST_NUMBERS: usize = 200_000_000;

fn refusal(part: String) -> Failure {
    Failure::Unsupported { rule: "an integrator with natural coordinates", part }
}

/// Refuses what would couple the masses of coordinates: bodies and masses that follow points.
pub(super) fn ensure_supported(context: StepContext) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    let attachments = &multibody.attachments;
    if let Some(fitted) = attachments.fitted.first() {
        let name = system.describe(multibody.bodies[fitted.body as usize].row as usize);
        return Err(refusal(format!("{name}, which follows points; use quaternions")));
    }
    // Masses on one body are part of the body.
    let with_mass = |row: &&u32| system.masses()[**row as usize] > 0.0;
    match attachments.list.attached_rows().iter().find(with_mass) {
        None => Ok(()),
        Some(&row) => {
            let name = system.describe(row as usize);
            Err(refusal(format!("{name}, a mass that is attached to points; use quaternions")))
        }
    }
}

/// Refuses more rows across the tree than memory has room for.
pub(super) fn ensure_fits(unknowns: usize, across: usize) -> Result<(), Failure> {
    if across * (unknowns + across) <= MOST_NUMBERS {
        return Ok(());
    }
    let what = "rows that close loops, whose responses take memory in proportion to their number";
    Err(refusal(format!("{across} {what}; use quaternions")))
}
