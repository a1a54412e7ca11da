//! The tuned constants of constrained steps in one table (those of mixed problems: `mixed/tuning.rs`): each with its meaning, its unit and, where there is one, the
//! measurement behind it. Choices of a user are in `solve/settings.rs`.

pub(super) use crate::constraint::{
    OVERLAP_SLACK, POSITION_TOLERANCE, RANGE_NEAR, RANGE_TOLERANCE,
};

// Balance of momenta and errors of rows.

/// Largest momentum error left, over the largest momentum or impulse [-]: it is what a rule that keeps energy
/// may gain.
pub(super) const MOMENTUM_TOLERANCE: f64 = 1e-9;
/// The same for backward Euler, which damps far more.
pub(super) const DAMPED_MOMENTUM_TOLERANCE: f64 = 1e-7;
/// Accelerations that are taken for rest [m/s²].
pub(super) const REST: f64 = 1e-9;
/// Momentum of an iterate that has diverged, over that which forces give and that of [`USUAL_SPEED`] [-], [m/s].
pub(super) const MOST_MOMENTUM: f64 = 1e6;
pub(super) const USUAL_SPEED: f64 = 1.0;
/// Momentum error to which the midpoint rule is solved where Newton's method still gains a digit [-]: what is
/// left is what angular momentum loses.
pub(super) const MIDPOINT_TOLERANCE: f64 = 1e-13;
/// An iteration that leaves more than this share of an error below its tolerance is the last [-].
pub(super) const MIDPOINT_CONTRACTION: f64 = 0.1;
/// Iterations of one try.
pub(super) const MAX_ITERATIONS: usize = 40;
/// Iterations with the symmetric matrix: where more are needed, a mechanism passes a singular position, and the
/// unsymmetric one is to be used.
pub(super) const SYMMETRIC_ITERATIONS: usize = 12;
/// An iteration that leaves more than this share of an error asks for a new factor [-].
pub(super) const CONTRACTION: f64 = 0.8;
/// Momenta of what touches: 1e-7 would be seen in the forces of a stack at rest.
pub(super) const TOUCHING_MOMENTUM_TOLERANCE: f64 = 1e-11;
/// Contacts are brought down to this as long as iterations halve what is left [m]: a gap of 1e-10 m takes 1e-7 of the
/// weight off a contact at rest in a step of 10 ms.
pub(super) const FINE_CONTACT_TOLERANCE: f64 = 1e-14;
/// Error of contacts after an interior point method [m].
pub(super) const INTERIOR_CONTACT_TOLERANCE: f64 = 1e-8;
/// Stored scalars of a factor from which a step goes on with that of its linearization: below it a new one takes less time than the
/// forces of some muscles, and the step is that of a run without inverse control, bit for bit.
pub(super) const KEPT_FACTOR: usize = 20_000;
/// Tangents of a law of contact in one step, at most: from any side Newton's method takes three to eight.
pub(super) const MAX_TANGENTS: usize = 20;
/// Error of a law of contact left [m]: its force is off by this times the stiffness.
pub(super) const LAW_TOLERANCE: f64 = 1e-10;
/// Rows that contradict each other in this many iterations in a row, of which none reduces their error, keep
/// the least error found.
pub(super) const CONFLICTS: usize = 4;
/// Halvings of a step after which that is done.
pub(super) const LENIENT_HALVINGS: usize = 2;
/// A step that does not converge is made in parts, halved this many times at most.
pub(super) const HALVINGS: usize = 8;
/// Parts of one length after which the next may be twice as long.
pub(super) const ALIKE: usize = 2;

/// Tolerances of momenta, rows and contacts after all iterations of contacts that do not converge; in
/// parts of a step that is short enough any error of contacts is accepted, since the next part
/// corrects it.
pub(super) const TOUCHING_TOLERANCES: [f64; 3] = [1e-6, 1e-8, 1e-4];
/// Motion over which the change of the rows is taken [s]: rows are quadratic, so that what is left is of
/// second order in the turns.
pub(super) const LOOK: f64 = 1e-5;

// Contacts and ranges: which are near, what slips, what is taken back.

/// Approach in one step that counts as an impact [m], [rad].
pub(super) const IMPACT: f64 = 1e-5;
/// Impacts that follow each other within one step, at most: a row of balls takes one a ball. What is struck after them
/// stops.
pub(super) const MAX_IMPACTS: usize = 20;
/// Work of impulses that is rounding, over the energies that they take and bring [-].
pub(super) const NO_WORK: f64 = 1e-12;
/// Overlap of what is soft that exerts no force worth the name [m], [rad].
pub(super) const TOUCH: f64 = 1e-9;
/// Friction of the last step that was this near to its limit slipped [-].
pub(super) const SLIPPING: f64 = 1e-6;
/// Slip in a step below which the friction of the last step has the better direction [m], [rad].
pub(super) const SLIPS: f64 = 1e-7;
/// Slip below this share of the largest velocity has no direction [-].
pub(super) const NO_SLIP: f64 = 1e-12;
/// Most corrections of a step: what is left is taken back in the next.
pub(super) const MAX_CORRECTIONS: usize = 3;
/// Iterations of the limits of friction, at most.
pub(super) const IMPULSE_ITERATIONS: usize = 20;

/// Error of the rows below which an interior point method has nothing to add to impulses [m], and the same as a share of
/// the motion of the fastest contact in the step [-].
pub(super) const KEPT_ERROR: f64 = 1e-12;
pub(super) const KEPT_MOTION: f64 = 1e-6;

// Linear systems.

/// Tolerance of conjugate gradients under rules that keep energy, in Newton's method and in corrections of positions [-].
pub(super) const FINE_TOLERANCE: f64 = 1e-11;
/// The same in steps with contacts near: what rests on friction is not to creep.
pub(super) const TOUCHING_TOLERANCE: f64 = 1e-8;
