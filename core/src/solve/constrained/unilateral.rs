//! Rows that push and do not pull, and friction on them: contacts and ranges of coordinates as they are in one
//! step. Every iteration of the step is a mixed problem for their impulses ([`crate::mixed`], docs/theory/unilateral.md).

mod contact_settings;
pub(super) mod correction;
mod friction;
pub(super) mod impulses;
mod near;
pub(super) mod outside;
pub(super) mod rebound;
pub(super) mod resting;
mod row_set;
mod rows;
pub(super) mod stabilize;

use contact_settings::ContactSettings;
use near::NearContacts;
use rebound::Impacts;
use row_set::RowSet;

use crate::Vec3;
use crate::mixed::MixedOutcome;

/// What a row stems from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
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
pub(super) struct Row {
    origin: Origin,
    /// Mean velocity that is not to be fallen short of [m/s], [rad/s].
    target: f64,
    /// Velocity per impulse of a compliant row [1/kg].
    compliance: f64,
    /// Velocity at the start [m/s], [rad/s].
    before: f64,
    /// Of the force on A of a contact.
    direction: Vec3,
}

/// The rows of a step, how far their solution has come, and what a user chose for it.
pub(super) struct Unilateral {
    pub(super) near: NearContacts,
    /// Impacts with restitution in the step.
    pub(super) impacts: Impacts,
    pub(super) set: RowSet,
    pub(super) status: RowStatus,
    pub(super) settings: ContactSettings,
}

/// How far the solution for the rows of a step has come.
#[derive(Default)]
pub(super) struct RowStatus {
    /// Whether directions of friction were chosen in this step.
    directed: bool,
    /// Whether there are too many rows for a dense problem.
    many: bool,
    /// Whether conjugate gradients solve for them.
    iterates: bool,
    /// How the impulses were found in the latest iteration.
    pub(super) latest: MixedOutcome,
    /// Largest error of the rows [m], [rad].
    pub(super) error: f64,
    /// Way of the fastest row at the start, in the step [m], [rad].
    motion: f64,
}
