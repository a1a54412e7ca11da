//! Rows that push and do not pull, and friction on them: contacts and ranges of coordinates as they are in one
//! step. Every iteration of the step solves a complementarity problem for their impulses on the Schur complement
//! of the factor at hand (docs/theory/contact.md).

mod barrier;
mod change;
pub(super) mod choices;
mod condensed;
mod course;
pub(super) mod dense;
mod fixed_point;
mod friction;
pub(super) mod impulses;
mod interior;
mod limits;
mod near;
pub(super) mod outside;
pub(super) mod resting;
mod row_set;
mod rows;
mod sets;
mod slip;
mod sparse;
pub(super) mod stabilize;

use choices::Choices;
use near::NearContacts;
use row_set::RowSet;
use sparse::Sparse;

use crate::Vec3;
use crate::lcp::ContactSolver;

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
    /// Velocity per impulse that a soft row gives [1/kg].
    compliance: f64,
    /// Velocity at the start [m/s], [rad/s].
    before: f64,
    /// Of the force on A of a contact.
    direction: Vec3,
}

/// The rows of a step and what solves for them.
pub(super) struct Unilateral {
    pub(super) near: NearContacts,
    pub(super) step: StepRows,
    pub(super) dense: DenseResponse,
    sparse: Sparse,
}

/// The rows of a step, how far their solution has come, and what a user chose for it.
pub(super) struct StepRows {
    pub(super) set: RowSet,
    pub(super) status: ActiveSetStatus,
    choices: Choices,
}

/// How far the search for the active rows of a step has come.
#[derive(Default)]
pub(super) struct ActiveSetStatus {
    /// Whether directions of friction were chosen in this step.
    pub(super) directed: bool,
    /// Whether there are too many rows for the dense way.
    many: bool,
    /// Whether pivoting does not find the sets of this step.
    pub(super) pivoting_failed: bool,
    /// The iteration in which that was found.
    failed_since: usize,
    /// Error before the last iteration, where that was one of the interior point method [m], and how many of these did
    /// not help.
    reached: Option<f64>,
    stuck: usize,
    /// Whether impulses stay for the rest of the step.
    pub(super) kept: bool,
    /// Matrices that there were: which one a factor belongs to.
    pub(super) matrices: usize,
    /// Iterations of this step so far.
    iteration: usize,
    /// Largest error of the rows [m], [rad].
    pub(super) error: f64,
    /// Way of the fastest row at the start, in the step [m], [rad].
    motion: f64,
}

/// The rows on the Schur complement of the factor at hand.
#[derive(Default)]
pub(super) struct DenseResponse {
    /// Impulses before a pass.
    before_pass: Vec<f64>,
    /// Response of the rows to each other, with their compliance.
    response: Vec<f64>,
    constant: Vec<f64>,
    /// Responses of velocities and multipliers to a unit impulse on each row.
    velocities: Vec<Vec3>,
    multipliers: Vec<f64>,
    solver: ContactSolver,
    /// Whether the columns belong to the factor at hand.
    pub(super) current: bool,
}
