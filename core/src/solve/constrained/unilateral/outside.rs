//! Where a run begins, coordinates outside their ranges are brought into them: as overlaps are taken back, but in turns
//! that are small enough for rotations, and before anything moves. An end that is far off would else be reached within
//! one step, at any velocity.

use super::stabilize::RANGE_TOLERANCE;
use crate::constraint::Placement;
use crate::solve::constrained::Constrained;
use crate::solve::solver::{Failure, MechSystemSolver};
use crate::system::{MechSystem, Multibody, State};

/// Most corrections: a whole turn takes twenty.
const ROUNDS: usize = 60;

impl MechSystemSolver {
    /// Brings coordinates into their ranges, under the rows.
    pub(in super::super) fn enter_ranges(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
    ) -> Result<(), Failure> {
        let mut moved = false;
        for round in 0..=ROUNDS {
            let Some((name, error)) = own.outside(multibody, state) else { break };
            if round == ROUNDS {
                return Err(Failure::Unmet { name, error });
            }
            let mut rows = own.unilateral.take().expect("ranges are unilateral rows");
            rows.begin_stabilization(multibody, own, state, 0.0);
            own.unilateral = Some(rows);
            self.stabilize_once((system, multibody), own, state, 0.0)?;
            multibody.update_coordinates(&state.q, &mut state.coordinates);
            own.start.coordinates.clone_from(&state.coordinates);
            moved = true;
        }
        if moved { self.project((system, multibody), own, state) } else { Ok(()) }
    }
}

impl Constrained {
    /// The rigid range that is exceeded most, and by how much [m], [rad].
    fn outside(&self, multibody: &Multibody, state: &State) -> Option<(String, f64)> {
        let ranges = &multibody.unilateral;
        let (turns, coordinates) = (&self.trial.turns[..], &self.start.coordinates[..]);
        let at = Placement { q: &state.q, turns, coordinates };
        let rigid = (0..ranges.count()).filter(|&row| ranges.softness(row).compliance == 0.0);
        let beyond = rigid.map(|row| (row, -ranges.gap(row, at)));
        let worst = beyond.filter(|(_, by)| *by > 2.0 * RANGE_TOLERANCE);
        let (row, by) = worst.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((ranges.name(row).to_owned(), by))
    }
}
