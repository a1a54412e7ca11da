//! The trait of all algorithms for complementarity problems.

use super::{ActiveSetStatus, Lcp, Outcome};

/// An algorithm with its workspace: a second solve of no larger size allocates nothing.
pub trait LcpSolver {
    /// The name, for reports.
    fn name(&self) -> &'static str;

    /// Solves for z. Starts from `statuses`, which may be those of a similar problem, and leaves those of
    /// the solution there; z is written only. Places that do not fit are corrected at the start. From
    /// the places of the solution no pivots are needed.
    ///
    /// Panics where `statuses` or `z` are not as long as q.
    fn solve(&mut self, problem: &Lcp, statuses: &mut [ActiveSetStatus], z: &mut [f64]) -> Outcome;

    /// After [`Outcome::Ray`] on a positive semidefinite M, a vector v that no solution can exist
    /// beside: v_i >= 0 where z_i has a lower bound only, v_i <= 0 where it has an upper bound only,
    /// v_i = 0 where it has both; M^T v has no part that z could make positive, and v . q < 0 (for
    /// bounds at zero). Empty after other outcomes.
    fn certificate(&self) -> &[f64];
}
