//! Rows that push and do not pull, and friction on them: contacts and ranges of coordinates as they are in one
//! step. Every iteration of the step is a mixed problem for their impulses ([`crate::mixed`], docs/theory/unilateral.md).

pub(super) mod active;
pub(super) mod adhesion;
mod contact_settings;
pub(super) mod correction;
mod friction;
mod impacts;
pub(super) mod impulses;
pub(super) mod instants;
mod laws;
pub(super) mod near;
pub(super) mod outside;
pub(super) mod rebound;
pub(super) mod resting;
mod row;
mod row_set;
pub(super) mod rows;
pub(super) mod stabilize;
pub(super) mod turning;

use contact_settings::ContactSettings;
use impacts::Impacts;
use near::NearContacts;
use row::RowStatus;
use row_set::RowSet;

/// The rows of a step, how far their solution has come, and what a user chose for it.
pub(super) struct Unilateral {
    pub(super) near: NearContacts,
    /// Impacts with restitution in the step.
    pub(super) impacts: Impacts,
    pub(super) set: RowSet,
    pub(super) status: RowStatus,
    pub(super) settings: ContactSettings,
}
