//! Coordinates outside their ranges at the start of a run are brought into them: as overlaps are
//! taken back, but in turns that are small enough for rotations, and before anything moves. An end
//! that is far off would else be reached within one step, at any velocity.

use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::project;
use crate::solve::constrained::tuning::RANGE_TOLERANCE;
use crate::solve::constrained::unilateral::stabilize::{begin_stabilization, correct_once};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Most corrections: a whole turn takes twenty.
const MAX_TURNS: usize = 60;

/// Brings coordinates into their ranges, under the rows.
pub(in crate::solve) fn enter_ranges(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let Constrained { parts, contacts } = own;
    let mut moved = false;
    for turn in 0..=MAX_TURNS {
        let Some((name, error)) = outside(parts, multibody, state) else { break };
        if turn == MAX_TURNS {
            let pair = contacts.as_ref().and_then(|rows| rows.near.touching(multibody, error));
            return Err(Failure::Unmet { name, error, pair });
        }
        let rows = contacts.as_mut().expect("ranges are unilateral rows");
        begin_stabilization(rows, multibody, parts, state, 0.0);
        correct_once(equations, context, parts, state, (0.0, rows))?;
        multibody.update_coordinates(&state.q, &mut state.coordinates);
        parts.start.coordinates.clone_from(&state.coordinates);
        moved = true;
    }
    if moved { project(equations, context, parts, state) } else { Ok(()) }
}

/// The rigid range that is exceeded most, and by how much [m], [rad].
fn outside(parts: &Parts, multibody: &Multibody, state: &State) -> Option<(String, f64)> {
    let (ranges, at) = (&multibody.joints.unilateral, parts.placement(&state.q));
    let rigid = (0..ranges.count()).filter(|&row| ranges.compliance(row).compliance == 0.0);
    let mut reader = ranges.at(at);
    let beyond = rigid.map(|row| (row, -reader.value(row)));
    let worst = beyond.filter(|(_, by)| *by > 2.0 * RANGE_TOLERANCE);
    let (row, by) = worst.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((ranges.name(row).to_owned(), by))
}
