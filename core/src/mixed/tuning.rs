//! The tuned constants of mixed problems in one table: each with its meaning, its unit and, where there is one, the
//! measurement behind it.

/// Compliance of a row in the matrix, as a share of its response to its own impulse [-]: redundant rows, bilateral or
/// unilateral, then have a solution, and iterations remove the errors that it leaves. 1e-12 is too little for Bricard's
/// linkage, 1e-5 too much for 100 links (docs/theory/rigid.md).
pub(crate) const REGULARIZATION: f64 = 1e-8;

/// Relative residual of responses to impulses [-], which are derivatives of a search.
pub(crate) const RESPONSE_TOLERANCE: f64 = 1e-8;

// Active sets: dense, condensed, sparse.

/// Iterations of the limits of friction in one iteration of the step, at most, and their change that is left [-].
pub(super) const LIMIT_ITERATIONS: usize = 8;
pub(super) const LIMIT_TOLERANCE: f64 = 1e-10;
/// Solutions of one complementarity problem: the second leaves 1e-16 of what is added to the diagonal.
pub(super) const PASSES: usize = 2;
/// Iterations of the dense method, at most.
pub(super) const DENSE_ITERATIONS: usize = 6;
/// Block rows touched, as a share of all, above which the condensed method is not taken: [1/n].
pub(super) const CONDENSED_SHARE: usize = 6;
/// Block rows touched at most: the inverse of their square takes its cube.
pub(super) const CONDENSED_BLOCKS: usize = 600;
/// Rows at most, for the same reason.
pub(super) const CONDENSED_ROWS: usize = 1800;
/// Rows above which the sparse method is taken: the dense one takes a back-solve for each, and the cube of
/// their number.
pub(crate) const MANY: usize = 96;
/// Pivots without fewer wrong rows, after which the sets are found by descent.
pub(super) const PATIENCE: usize = 5;
/// Iterations in which limits of friction follow the impulses along the normals: they converge in the first or, in some
/// heaps, not at all. The next step goes on from there.
pub(super) const FOLLOWED_ITERATIONS: usize = 3;
/// Pivots of one iteration through which limits of friction follow.
pub(super) const LIMIT_PIVOTS: usize = 12;
/// Iterations with an interior point method after which impulses stay, so that momenta can be balanced: each leaves some
/// 3 % of their error.
pub(super) const KEPT: usize = 6;
/// Iterations that leave more than this share of the error [-], and how many are the last: the first may still be that of
/// momenta which are not balanced yet.
pub(super) const GAIN: f64 = 0.5;
pub(super) const STUCK: usize = 2;
/// Solutions of one iteration, at most.
pub(super) const MAX_PIVOTS: usize = 40;
/// A velocity or impulse below this share of the largest is no reason for a pivot [-].
pub(super) const SLACK: f64 = 1e-10;

/// Unilateral rows of several block rows that conjugate gradients take into their projection, at most: each takes a
/// cycle of multigrid.
pub(crate) const PROJECTED_ROWS: usize = 48;
/// Share of the touched block rows that may change before a hierarchy is made anew [-] (a trial with 30 to 2,000 rows:
/// 1.0 to 1.4 times the iterations without contacts).
pub(super) const REFRESH: f64 = 0.05;

// Interior point method.

/// Iterations at most, whatever the number of rows.
pub(super) const INTERIOR_ITERATIONS: usize = 60;
/// Shares of the responses of rows to themselves that are added to their matrix, one after the other until it has a
/// Cholesky factor [-]: rounding errors leave it indefinite where rows are redundant. What is so beyond is no rounding.
pub(super) const RAISES: [f64; 4] = [0.0, 1e-7, 1e-5, 1e-3];
/// Complementarity that is left, as a share of that at the start [-].
pub(super) const INTERIOR_TOLERANCE: f64 = 1e-12;
/// The tolerance where rounding errors leave no more.
pub(super) const INTERIOR_COARSE_TOLERANCE: f64 = 1e-8;
/// Difference of velocities from their multipliers that is left, as a share of that at the start [-].
pub(super) const BALANCE: f64 = 1e-9;
/// Products are not aimed below this share of the unbalanced rest, as shares of the starts [-]: multipliers that
/// vanish before the balance is reached would keep it from being reached.
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
/// Share of the distance to the next limit that is taken [-].
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
/// Tolerance of the velocities along normals that the slip of a change asks for, as a share of the
/// unbalanced momentum and of themselves [-]: less is not worth a direction.
pub(super) const LEFT_OF_BALANCE: f64 = 0.1;
pub(super) const LEFT: f64 = 1e-2;
/// Directions at most.
pub(super) const DIRECTIONS: usize = 24;
