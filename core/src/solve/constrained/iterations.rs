//! The iterations of a substep: back-solves with one factor until momenta are balanced and rows met.

use std::time::Instant;

use crate::mixed::{ConeMethod, Solved};
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
/// Iterations until momenta are balanced and rows satisfied.
pub(in crate::solve) fn iterate(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &State,
    substep: Substep,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    let mut factored = false;
    let mut stalled = 0;
    let mut settled = false;
    let mut linear = Solved::default();
    let touching = own.contacts.as_ref().is_some_and(|rows| rows.set.count() > 0);
    let patient = touching || substep.matrix != Matrix::Symmetric;
    let most = if patient { MAX_ITERATIONS } else { SYMMETRIC_ITERATIONS };
    let mut tolerances = [substep.momentum_tolerance(), POSITION_TOLERANCE, POSITION_TOLERANCE];
    if touching {
        tolerances[0] = tolerances[0].min(TOUCHING_MOMENTUM_TOLERANCE);
    }
    let mut further = substep.further_iterations(multibody);
    for _ in 0..most {
        equations.go_on()?;
        let before = errors(own);
        let met = |i: usize| before[i] < tolerances[i];
        let touches = met(2) && (before[2] < FINE_CONTACT_TOLERANCE || settled);
        let balanced = met(0) || linear.nothing_left;
        let solved = balanced && touches && (met(1) || stalled >= CONFLICTS);
        if solved && (before[0] < further.tolerance || further.iterations == 0) {
            return Ok(());
        }
        if !factored {
            let start = Instant::now();
            let before = own.parts.mixed.factorizations();
            factor_iterate(own, context, &mut equations.matrix, &equations.work, substep)?;
            equations.stats.phases.factor += start.elapsed();
            equations.stats.factorizations += own.parts.mixed.factorizations() - before;
            equations.stats.matrix_blocks = equations.matrix.pattern().block_count();
            factored = true;
        }
        let start = Instant::now();
        let known = (&equations.work, state);
        let correction = correct_iterate(own, context, &equations.matrix, known, substep)?;
        equations.stats.cg_iterations += correction.iterations;
        equations.stats.factorizations += correction.factorizations;
        equations.stats.factor_nnz = own.parts.mixed.saddle().factor_nnz();
        equations.stats.linear_solves += 1;
        move_trial(&mut own.parts, multibody, &equations.work, substep.h);
        update_residual(own, multibody, &equations.matrix, &equations.work, substep);
        equations.stats.phases.solve += start.elapsed();
        let after = errors(own);
        match correction.method {
            ConeMethod::Kept => tolerances[2] = TOUCHING_TOLERANCES[2],
            ConeMethod::InteriorPoint => tolerances[2] = INTERIOR_CONTACT_TOLERANCE,
            ConeMethod::None
            | ConeMethod::Dense
            | ConeMethod::Condensed
            | ConeMethod::Elimination
            | ConeMethod::ActiveSets => {}
        }
        settled = before[2] > 0.0 && before[2] < tolerances[2] && after[2] > 0.5 * before[2];
        // Written so that an error that is not a number is slow too.
        let slow = |i: usize| !(after[i] < tolerances[i] || after[i] < CONTRACTION * before[i]);
        linear = correction.linear;
        let slow_balance = if linear.iterates { linear.slow } else { slow(0) };
        if slow_balance || slow(1) {
            factored = false;
        }
        if solved {
            let gains = after[0] < further.contraction * before[0];
            further.iterations = if gains { further.iterations - 1 } else { 0 };
        }
        stalled = if (substep.matrix == Matrix::Nearest) && correction.conflict && slow(1) {
            stalled + 1
        } else {
            0
        };
    }
    let errors = errors(own);
    let [momenta, met, near] = [0, 1, 2].map(|i| errors[i] < TOUCHING_TOLERANCES[i]);
    if touching && momenta && met && (near || substep.lenient) {
        return Ok(());
    }
    let (method, iterations) = ("the iterations of a constrained step", most);
    let (residual, tolerance) =
        (own.parts.trial.balance.momentum_error, substep.momentum_tolerance());
    Err(Failure::NotConverged { method, iterations, residual, tolerance })
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
