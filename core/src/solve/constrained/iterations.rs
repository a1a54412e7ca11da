//! The iterations of a substep: back-solves with one factor until momenta are balanced and rows met.

use std::time::Instant;

use crate::linalg::kkt::{KktError, Unknown};
use crate::mixed::{ConeMethod, MixedOutcome, Solved};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::factor::{correct_iterate, factor_iterate};
use crate::solve::constrained::residual::update_residual;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::trial::move_trial;
use crate::solve::constrained::tuning::{
    CONFLICTS, CONTRACTION, FINE_CONTACT_TOLERANCE, INTERIOR_CONTACT_TOLERANCE, MAX_ITERATIONS,
    POSITION_TOLERANCE, SYMMETRIC_ITERATIONS, TOUCHING_MOMENTUM_TOLERANCE, TOUCHING_TOLERANCES,
};
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};

/// Iterations beyond what a step needs, of one back-solve each, so that sums over many steps are kept.
struct Further {
    /// Tolerance of the momentum error [-].
    tolerance: f64,
    /// At most.
    iterations: usize,
    /// One that leaves more than this share of the error is the last [-].
    contraction: f64,
}

/// None.
const NO_MORE: Further = Further { tolerance: f64::INFINITY, iterations: 0, contraction: 0.0 };
/// Over 500 steps 1e-9 leaves 1e-8 of the angular momentum of a linkage, and 1e-12 leaves 1e-11.
const FINE: Further = Further { tolerance: 1e-12, iterations: 3, contraction: 0.1 };
/// With bodies that follow points of such a linkage 1e-12 leaves 2e-10, and 1e-13 leaves 1e-11; their weights
/// change with the motion, and iterations converge more slowly.
const FINER: Further = Further { tolerance: 1e-13, iterations: 8, contraction: 0.5 };

/// Aims of the iterations of a substep, and how near they are.
struct Progress {
    /// Iterations at most.
    most: usize,
    /// Errors that are left: of momenta, rows and unilateral rows.
    tolerances: [f64; 3],
    further: Further,
    /// True with contacts or ends of ranges near.
    touching: bool,
    /// True if the factor serves for the next iteration.
    factored: bool,
    /// True before the first correction with the factor of a linearization. It meets what other excitations change, and leaves errors of
    /// second order in rows that were met: they say nothing of the factor.
    goes_on: bool,
    /// Iterations in a row whose rows contradict each other and come no nearer.
    stalled: usize,
    /// True if unilateral rows are within their tolerance and come no nearer.
    settled: bool,
    /// Outcome of the last linear solution.
    linear: Solved,
}

/// Iterations until momenta are balanced and rows satisfied.
pub(in crate::solve) fn iterate(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let mut progress = Progress::of(own, context.multibody, substep);
    for _ in 0..progress.most {
        equations.go_on()?;
        let before = errors(own);
        let solved = progress.is_solved(before);
        if solved && progress.is_fine(before) {
            return Ok(());
        }
        if !progress.factored {
            factor(equations, context, own, substep)?;
            progress.factored = true;
        }
        let correction = correct(equations, context, own, state, substep)?;
        progress.judge(&correction, [before, errors(own)], substep);
        if solved {
            progress.count_further(before[0], errors(own)[0]);
        }
    }
    progress.accept(own, substep)
}

/// Factors the matrix of the iterate, or prepares what solves with it.
fn factor(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    substep: Substep,
) -> Result<(), Failure> {
    let start = Instant::now();
    let before = own.parts.mixed.factorizations();
    factor_iterate(own, context, &mut equations.matrix, &equations.work, substep)?;
    let stats = &mut equations.stats;
    stats.phases.factor += start.elapsed();
    stats.factorizations += own.parts.mixed.factorizations() - before;
    stats.matrix_blocks = equations.matrix.pattern().block_count();
    Ok(())
}

/// Solves for a correction of the iterate, and moves the trial state and its residual by it.
fn correct(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<MixedOutcome, Failure> {
    let start = Instant::now();
    let known = (&equations.work, state);
    let correction = correct_iterate(own, context, &equations.matrix, known, substep)?;
    move_trial(&mut own.parts, context.multibody, &equations.work, substep.h);
    update_residual(own, context.multibody, &equations.matrix, &equations.work, substep);
    let stats = &mut equations.stats;
    stats.cg_iterations += correction.iterations;
    stats.factorizations += correction.factorizations;
    stats.factor_nnz = own.parts.mixed.saddle().factor_nnz();
    stats.linear_solves += 1;
    stats.phases.solve += start.elapsed();
    Ok(correction)
}

impl Progress {
    fn of(own: &Constrained, multibody: &Multibody, substep: Substep) -> Self {
        let touching = own.contacts.as_ref().is_some_and(|rows| rows.set.count() > 0);
        let patient = touching || substep.is_exact() || substep.matrix != Matrix::Symmetric;
        let mut momenta = substep.momentum_tolerance();
        if touching {
            momenta = momenta.min(TOUCHING_MOMENTUM_TOLERANCE);
        }
        Self {
            most: if patient { MAX_ITERATIONS } else { SYMMETRIC_ITERATIONS },
            tolerances: [momenta, POSITION_TOLERANCE, POSITION_TOLERANCE],
            further: match own.parts.keeps_factor {
                // What the factor leaves of other excitations is not to be read as a share of them.
                true => FINE,
                false => substep.further_iterations(multibody),
            },
            touching,
            factored: own.parts.keeps_factor,
            goes_on: own.parts.keeps_factor,
            stalled: 0,
            settled: false,
            linear: Solved::default(),
        }
    }

    /// True if these errors are within their tolerances, or come no nearer to them.
    fn is_solved(&self, errors: [f64; 3]) -> bool {
        let met = |i: usize| errors[i] < self.tolerances[i];
        let balanced = met(0) || (self.linear.nothing_left && errors[0].is_finite());
        let touches = met(2) && (errors[2] < FINE_CONTACT_TOLERANCE || self.settled);
        balanced && touches && (met(1) || self.stalled >= CONFLICTS)
    }

    /// True if no further iterations are asked for.
    fn is_fine(&self, errors: [f64; 3]) -> bool {
        errors[0] < self.further.tolerance || self.further.iterations == 0
    }

    /// Learns from a correction and from the errors before and after it.
    fn judge(&mut self, correction: &MixedOutcome, errors: [[f64; 3]; 2], substep: Substep) {
        let [before, after] = errors;
        match correction.method {
            ConeMethod::Kept => self.tolerances[2] = TOUCHING_TOLERANCES[2],
            ConeMethod::InteriorPoint => self.tolerances[2] = INTERIOR_CONTACT_TOLERANCE,
            ConeMethod::None
            | ConeMethod::Dense
            | ConeMethod::Condensed
            | ConeMethod::Elimination
            | ConeMethod::ActiveSets => {}
        }
        let tolerances = self.tolerances;
        self.settled = before[2] > 0.0 && before[2] < tolerances[2] && after[2] > 0.5 * before[2];
        // Written so that an error that is not a number is slow too.
        let slow = |i: usize| !(after[i] < tolerances[i] || after[i] < CONTRACTION * before[i]);
        self.linear = correction.linear;
        let slow_balance = if self.linear.iterates { self.linear.slow } else { slow(0) };
        let goes_on = std::mem::take(&mut self.goes_on);
        if (slow_balance || slow(1)) && !goes_on {
            self.factored = false;
        }
        let conflict = substep.matrix == Matrix::Nearest && correction.conflict && slow(1);
        self.stalled = if conflict { self.stalled + 1 } else { 0 };
    }

    /// Counts an iteration beyond what was needed, which left this of the momentum error.
    fn count_further(&mut self, before: f64, after: f64) {
        let gains = after < self.further.contraction * before;
        self.further.iterations = if gains { self.further.iterations - 1 } else { 0 };
    }

    /// Takes the last iterate for a solution where contacts do not settle and it is near enough.
    fn accept(&self, own: &Constrained, substep: Substep) -> Result<(), Failure> {
        let errors = errors(own);
        if substep.is_exact() && self.is_solved(errors) {
            // Only what was asked for beyond the tolerances is missing. Other steps are made in parts.
            return Ok(());
        }
        let [momenta, met, near] = [0, 1, 2].map(|i| errors[i] < TOUCHING_TOLERANCES[i]);
        if self.touching && momenta && met && (near || substep.lenient) {
            return Ok(());
        }
        if !errors[0].is_finite() {
            let residual = own.parts.trial.balance.residual.iter().map(|r| r.amax());
            let worst = residual.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let row = worst.map_or(0, |(row, _)| row);
            return Err(KktError::NotFinite(Unknown::Velocity { row, axis: 0 }).into());
        }
        let over = |i: usize| errors[i] / self.tolerances[i];
        let worst = (1..3).fold(0, |worst, i| if over(i) > over(worst) { i } else { worst });
        let method =
            ["the balance of momenta", "the rows of joints", "the rows of contacts"][worst];
        let (residual, tolerance) = (errors[worst], self.tolerances[worst]);
        Err(Failure::NotConverged { method, iterations: self.most, residual, tolerance })
    }
}

impl Substep {
    fn further_iterations(&self, multibody: &Multibody) -> Further {
        let has_fitted = !multibody.attachments.fitted.is_empty();
        match self.weight() < 1.0 {
            true if has_fitted || self.midpoint => FINER,
            true => FINE,
            false if self.is_exact() => FINER,
            false if has_fitted => FINE,
            false => NO_MORE,
        }
    }
}

/// Errors of the iterate: of momenta, rows and unilateral rows.
fn errors(own: &Constrained) -> [f64; 3] {
    let unilateral = own.contacts.as_ref().map_or(0.0, |rows| rows.status.error);
    [own.parts.trial.balance.momentum_error, own.parts.trial.balance.position_error, unilateral]
}
