//! One unilateral row, and how far the solution for all of them has come.

use crate::Vec3;
use crate::contact::NormalForce;
use crate::mixed::MixedOutcome;

/// Origin of a row: a range, or the normal, tangent or rolling of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solve) enum Origin {
    /// Range of a coordinate: its number among the rows of the system.
    Range(u32),
    /// Along the normal of a contact, by its number.
    Normal(u32),
    /// Across the normal of a contact.
    Tangent(u32),
    /// Against rolling at a contact.
    Rolling,
}

/// One row of this step. Its velocity is the sum of its vectors times velocities.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Row {
    pub(in crate::solve) origin: Origin,
    /// Mean velocity that is not to be fallen short of [m/s], [rad/s].
    pub(in crate::solve) target: f64,
    /// Velocity per impulse of a compliant row [1/kg].
    pub(in crate::solve) compliance: f64,
    /// Velocity at the start [m/s], [rad/s].
    pub(in crate::solve) before: f64,
    /// Of the force on A of a contact.
    pub(in crate::solve) direction: Vec3,
    /// The force of a law that is not linear, whose tangent the row is, and the overlap at the start [m].
    pub(in crate::solve) force: Option<(NormalForce, f64)>,
    /// Impulse of adhesion against that of the row, times the weight of the end of the step [N s].
    pub(in crate::solve) pull: f64,
}

impl Row {
    /// A row of no contact that asks for nothing.
    pub(in crate::solve) const NOTHING: Self = Self {
        origin: Origin::Rolling,
        target: 0.0,
        compliance: 0.0,
        before: 0.0,
        direction: Vec3::new(0.0, 0.0, 0.0),
        force: None,
        pull: 0.0,
    };

    /// True if its contact pushes under the impulse `z` [N s], or pulls.
    pub(in crate::solve) fn acts(&self, z: f64) -> bool {
        z > 0.0 || self.pull > 0.0
    }
}

/// Status of the solution for the rows of a step.
#[derive(Default)]
pub(in crate::solve) struct RowStatus {
    /// True if directions of friction were chosen in this step.
    pub(in crate::solve) directed: bool,
    /// True if there are too many rows for a dense problem.
    pub(in crate::solve) many: bool,
    /// True if conjugate gradients solve for them.
    pub(in crate::solve) iterates: bool,
    /// Outcome of the latest iteration.
    pub(in crate::solve) latest: MixedOutcome,
    /// Largest error of the rows [m], [rad].
    pub(in crate::solve) error: f64,
    /// Way of the fastest row at the start, in the step [m], [rad].
    pub(in crate::solve) motion: f64,
}
