//! Outcome of a step, as a device tells it.

use sinew_shaders::layout::{flag, outcome, scalar, status};

/// Most times that a residual is computed anew in one step: each round gains four digits at least, so
/// that more rounds than this find nothing.
const MOST_CORRECTIONS: u32 = 12;

/// Content of `flags`, `scalars`, `status` and the motion of the border after a solve.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) flags: [u32; flag::COUNT as usize],
    pub(super) scalars: [f64; scalar::COUNT as usize],
    pub(super) status: [u32; status::COUNT as usize],
    /// True if bodies turn otherwise than was solved for, or rows are not met.
    pub(super) is_unsettled: bool,
    /// Displacement and velocity of each row of the border of tissue; empty without one.
    pub(super) border: Vec<f64>,
}

impl Outcome {
    /// True if more iterations are needed.
    pub(super) fn goes_on(&self) -> bool {
        self.flags[flag::OUTCOME as usize] == 0
            && self.flags[flag::CORRECTIONS as usize] < MOST_CORRECTIONS
            && self.status[status::INVERTED as usize] == u32::MAX
    }

    /// Counts the iterations of a solve before it among its own.
    pub(super) fn add_iterations_of(&mut self, before: &Self) {
        self.flags[flag::ITERATIONS as usize] += before.flags[flag::ITERATIONS as usize];
    }

    /// True if there are velocities that meet the residual that was asked for.
    pub(super) fn has_solution(&self) -> bool {
        self.is_converged() && self.status[status::INVERTED as usize] == u32::MAX
    }

    /// True if the solve reached its tolerance, or the step failed before it.
    pub(super) fn is_converged(&self) -> bool {
        self.flags[flag::OUTCOME as usize] == outcome::CONVERGED
            || self.status[status::INVERTED as usize] != u32::MAX
    }
}
