//! The tuned constants of constrained steps in one table: each with its meaning, its unit and, where there is one, the
//! measurement behind it. Choices of a user are in `solve/settings.rs`.

/// Share of the response of a row to its own impulse that it gives in the matrix [-]: redundant rows, bilateral or
/// unilateral, then have a solution, and iterations remove what it lets through. 1e-12 is too little for Bricard's
/// linkage, 1e-5 too much for 100 links (docs/theory/rigid.md).
pub(super) const REGULARIZATION: f64 = 1e-8;

// Balance of momenta and errors of rows.

/// Largest momentum error left, over the largest momentum or impulse [-]: it is what a rule that keeps energy
/// may gain.
pub(super) const MOMENTUM_TOLERANCE: f64 = 1e-9;
/// The same for backward Euler, which damps far more.
pub(super) const DAMPED_MOMENTUM_TOLERANCE: f64 = 1e-7;
/// Largest error of a row left [m], [-].
pub(super) const POSITION_TOLERANCE: f64 = 1e-10;
/// Accelerations that are taken for rest [m/s²].
pub(super) const REST: f64 = 1e-9;
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
/// What an interior point method leaves of contacts [m].
pub(super) const INTERIOR_CONTACT_TOLERANCE: f64 = 1e-8;
/// Rows that contradict each other in this many iterations in a row, of which none brings them nearer, are
/// left as near as they come.
pub(super) const CONFLICTS: usize = 4;
/// Halvings of a step after which that is done.
pub(super) const LENIENT_HALVINGS: usize = 2;
/// A step that does not converge is made in 2, 4, ... parts, this many times twice as many.
pub(super) const HALVINGS: usize = 8;

// Contacts and ranges: which are near, what slips, what is taken back.

/// A range is looked at when it may be reached in this many steps at the velocity of now, or is nearer than
/// [`RANGE_NEAR`].
pub(super) const STEPS_AHEAD: f64 = 3.0;
/// Approach in one step that counts as an impact [m], [rad].
pub(super) const IMPACT: f64 = 1e-5;
/// Room within which a range is always looked at [m], [rad].
pub(super) const RANGE_NEAR: f64 = 0.01;
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
/// Overlap of a range that is left as it is [m], [rad].
pub(super) const RANGE_TOLERANCE: f64 = 1e-4;
/// Beyond the tolerance by less than this share of it is none [-].
pub(super) const OVERLAP_SLACK: f64 = 1e-3;
/// Iterations of the limits of friction, at most.
pub(super) const IMPULSE_ITERATIONS: usize = 20;

// Active sets: dense, condensed, sparse.

/// Iterations of the limits of friction in one iteration of the step, at most, and their change that is left [-].
pub(super) const LIMIT_ITERATIONS: usize = 8;
pub(super) const LIMIT_TOLERANCE: f64 = 1e-10;
/// Solutions of one complementarity problem: the second leaves 1e-16 of what is added to the diagonal.
pub(super) const PASSES: usize = 2;
/// Iterations of the dense way, at most.
pub(super) const DENSE_ITERATIONS: usize = 6;
/// Block rows touched, as a share of all, above which this way is none: [1/n].
pub(super) const CONDENSED_SHARE: usize = 6;
/// Block rows touched at most: the inverse of their square takes its cube.
pub(super) const CONDENSED_BLOCKS: usize = 600;
/// Rows at most, for the same reason.
pub(super) const CONDENSED_ROWS: usize = 1800;
/// Rows above which the sparse way is taken: the dense one takes a back-solve for each, and the cube of
/// their number.
pub(super) const MANY: usize = 96;
/// Exchanges without fewer wrong rows, after which the sets are found by descent.
pub(super) const PATIENCE: usize = 5;
/// Iterations in which limits of friction follow the impulses along the normals: they settle in the first or, in some
/// heaps, not at all. The next step goes on from there.
pub(super) const SETTLING: usize = 3;
/// Exchanges of one iteration through which limits of friction follow.
pub(super) const LIMIT_PIVOTS: usize = 12;
/// Iterations with an interior point method after which impulses stay, so that momenta can be balanced: each leaves some
/// 3 % of their error.
pub(super) const KEPT: usize = 6;
/// Iterations that leave more than this share of the error [-], and how many are the last: the first may still be that of
/// momenta which are not balanced yet.
pub(super) const GAIN: f64 = 0.5;
pub(super) const STUCK: usize = 2;
/// Error of the rows below which an interior point method has nothing to add to impulses [m], and the same as a share of
/// the way of the fastest contact in the step [-].
pub(super) const KEPT_ERROR: f64 = 1e-12;
pub(super) const KEPT_MOTION: f64 = 1e-6;
/// Solutions of one iteration, at most.
pub(super) const MAX_PIVOTS: usize = 40;
/// A velocity or impulse below this share of the largest is no reason for an exchange [-].
pub(super) const SLACK: f64 = 1e-10;

// Interior point method.

/// Iterations at most, whatever the number of rows.
pub(super) const INTERIOR_ITERATIONS: usize = 60;
/// Complementarity that is left, as a share of that at the start [-].
pub(super) const INTERIOR_TOLERANCE: f64 = 1e-12;
/// The tolerance where rounding errors leave no more.
pub(super) const INTERIOR_COARSE_TOLERANCE: f64 = 1e-8;
/// Difference of velocities from their multipliers that is left, as a share of that at the start [-].
pub(super) const BALANCE: f64 = 1e-9;
/// Products are not aimed below this share of what balance is left, as shares of the starts [-]: multipliers that
/// vanish before it would leave no way to it.
pub(super) const AHEAD: f64 = 1e-2;
/// Share of the tolerance that products are aimed at, at least [-].
pub(super) const LEAST_CENTRE: f64 = 0.1;
/// Products, as a share of those at the start, that the next iteration begins with [-] (Gondzio1998): smaller from iteration
/// to iteration, as less is left to change.
pub(super) const WARM: f64 = 1e-3;
pub(super) const COOLING: f64 = 0.1;
pub(super) const COLDEST: f64 = 1e-8;
/// Width of limits, as a share of the largest impulse, below which they are one [-].
pub(super) const NARROW: f64 = 1e-9;
/// Share of the way to the next limit that is taken [-].
pub(super) const STEP_SHARE: f64 = 0.995;
/// Distance from limits at the start, as a share of the largest impulse or of the width [-].
pub(super) const INSIDE: f64 = 0.1;
/// Balance, as a share of that at the start, from which the slip is as good as known [-].
pub(super) const ENOUGH: f64 = 1e-9;
/// Iterations that bring the balance below this share of the best so far count as nearer [-]; so many that do not are
/// the last: rounding errors turn the slip of what sticks. They are counted once products have come down to a share of
/// those at the start [-], since balance waits for them before.
pub(super) const SLIP_GAIN: f64 = 0.7;
pub(super) const SLIP_PATIENCE: usize = 5;
pub(super) const SLIP_NEAR: f64 = 1e-4;
/// The last iteration, so that there are some to end with.
pub(super) const SLIP_ITERATIONS: usize = 45;
/// What is left of the velocities along normals that the slip of a change asks for, as a share of the balance that there
/// is and of themselves [-]: less is not worth a direction.
pub(super) const LEFT_OF_BALANCE: f64 = 0.1;
pub(super) const LEFT: f64 = 1e-2;
/// Directions at most.
pub(super) const DIRECTIONS: usize = 24;
