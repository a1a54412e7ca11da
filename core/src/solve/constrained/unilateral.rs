//! Rows that push and do not pull, and friction on them: contacts and ranges of coordinates as they are in one
//! step. Every round of the step solves a complementarity problem for their impulses on the Schur complement
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
pub(super) mod resting;
mod rows;
mod sets;
mod slip;
mod sparse;
pub(super) mod stabilize;

use choices::Choices;

use crate::Vec3;
use crate::constraint::Pose;
use crate::contact::{ContactPoint, Detector};
use crate::lcp::{Bound, ContactSolver, Place};
use crate::linalg::kkt::ConstraintPattern;
use sparse::Sparse;

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
    detector: Option<Detector>,
    /// What `found` was found for.
    seen: Vec<Vec3>,
    seen_travel: Vec<f64>,
    /// How far bodies and points may come in the step [m], and the sizes of bodies [m].
    travel: Vec<f64>,
    row_travel: Vec<f64>,
    sizes: Vec<f64>,
    poses: Vec<Pose>,
    pub(super) found: Vec<ContactPoint>,
    rows: Vec<Row>,
    bounds: Vec<Bound>,
    pattern: ConstraintPattern,
    /// Vectors of the rows, and the same with those of rotations in the frame half way.
    values: Vec<Vec3>,
    half: Vec<Vec3>,
    /// Work space of one row.
    vectors: Vec<Vec3>,
    /// Impulses times the weight of the end of the step, and those before a round.
    impulses: Vec<f64>,
    before: Vec<f64>,
    before_pass: Vec<f64>,
    places: Vec<Place>,
    /// Response of each row to its own impulse.
    own: Vec<f64>,
    /// Response of the rows to each other, with their compliance.
    response: Vec<f64>,
    constant: Vec<f64>,
    /// Responses of velocities and multipliers to a unit impulse on each row.
    velocities: Vec<Vec3>,
    multipliers: Vec<f64>,
    solver: ContactSolver,
    sparse: Sparse,
    choices: Choices,
    /// Whether directions of friction were chosen in this step.
    pub(super) directed: bool,
    /// Whether the columns belong to the factor at hand.
    pub(super) current: bool,
    /// Whether there are too many rows for the dense way.
    many: bool,
    /// Whether exchanges do not find the sets of this step.
    pub(super) pivoting_failed: bool,
    /// The round in which that was found.
    failed_since: usize,
    /// Error before the last round, where that was one of the interior point method [m], and how many of these did not
    /// help.
    reached: Option<f64>,
    stuck: usize,
    /// Whether impulses stay for the rest of the step.
    pub(super) kept: bool,
    /// Matrices that there were: which one a factor belongs to.
    pub(super) matrices: usize,
    /// Rounds of this step so far.
    iteration: usize,
    /// Bodies that a row of this step acts on.
    touched: Vec<bool>,
    /// Largest error of the rows [m], [rad].
    pub(super) error: f64,
    /// Way of the fastest row at the start, in the step [m], [rad].
    motion: f64,
}
