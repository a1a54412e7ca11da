//! The system of a constrained step.

use crate::system::{MechSystem, Multibody};

/// The system of a step, borrowed.
#[derive(Clone, Copy)]
pub(in crate::solve) struct StepContext<'a> {
    pub(in crate::solve) system: &'a dyn MechSystem,
    /// Its bodies, attached points and constraint rows.
    pub(in crate::solve) multibody: &'a Multibody,
}
