//! The matrix of an iteration, and its corrections.

use crate::Mat3;
use crate::constraint::{Placement, lever_stiffness};
use crate::linalg::kkt::{KktError, KktSystem};
use crate::linalg::{BlockMatrix, add_block};
use crate::solve::constrained::carried::{add_moment_stiffness, set_moments, spread};
use crate::solve::constrained::saddle::Solved;
use crate::solve::constrained::tuning::REGULARIZATION;
use crate::solve::constrained::unilateral::dense::{correct_with, turn_back};
use crate::solve::constrained::unsymmetric::{factor_unsymmetric, solve_unsymmetric};
use crate::solve::constrained::{
    CarriedLoads, Constrained, Matrix, Parts, Reduction, StepContext, Substep,
};
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{State, Weight};

/// What one correction of the iterate found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Correction {
    /// Whether rows contradict each other.
    pub(super) conflict: bool,
    /// How the linear system was solved.
    pub(super) linear: Solved,
}

/// Factors the matrix at the iterate: what is linear, inertia of rotation, and the curvature of rows
/// and levers under their impulses.
pub(in crate::solve) fn factor_iterate(
    own: &mut Constrained,
    context: StepContext,
    matrix: &mut BlockMatrix,
    work: &Work,
    substep: Substep,
) -> Result<(), Failure> {
    update_terms(&mut own.parts, context, matrix, work, substep.h);
    set_compliances(&mut own.parts, context, matrix, substep);
    own.parts.mixing.forget();
    if let Some(rows) = &mut own.contacts {
        rows.dense.current = false;
        rows.step.status.matrices += 1;
    }
    if substep.matrix == Matrix::Unsymmetric {
        return factor_unsymmetric(&mut own.parts, context, matrix);
    }
    // Many unilateral rows are factored with the others.
    let later = own.contacts.as_ref().is_some_and(|rows| rows.is_sparse());
    if !later {
        let system =
            KktSystem { s: matrix, g: &own.parts.trial.reduced, r: &own.parts.linear.compliance };
        let touches = own.contacts.as_ref().is_some_and(|rows| rows.step.set.count() > 0);
        if touches || substep.matrix == Matrix::Nearest {
            own.parts.saddle.factor(system)?;
        } else {
            own.parts.saddle.prepare(system, &own.parts.trial.mean_q)?;
        }
    }
    Ok(())
}

/// Brings the terms of the matrix that are not linear up to the iterate.
fn update_terms(
    parts: &mut Parts,
    context: StepContext,
    matrix: &mut BlockMatrix,
    work: &Work,
    h: f64,
) {
    let StepContext { system, multibody } = context;
    for (slot, _, block) in parts.terms.drain(..) {
        add_block(matrix.values_mut(), slot as usize, &-block);
    }
    set_moments(parts, multibody, work);
    let pattern = system.pattern();
    let Parts {
        trial,
        terms,
        start,
        reduction: Reduction { attachments, masses, .. },
        carried: CarriedLoads { moments, .. },
        ..
    } = parts;
    let mut put = |row: u32, column: u32, block: Mat3| {
        let slot = pattern.slot(row, column).expect("rows of a constraint are coupled");
        terms.push((slot, [row, column], block));
    };
    let mut add = |row: u32, column: u32, block: Mat3| {
        spread(attachments, [row, column], &block, &mut put);
    };
    for (k, carried) in multibody.carried.iter().enumerate() {
        let row = multibody.bodies[carried.body as usize].row;
        add(row, row, Mat3::identity() * masses[row as usize].x);
        let turning = multibody.turning(k, &trial.mean_q);
        add_moment_stiffness(multibody, (k, &turning), &(moments[k] * (-0.5 * h)), &mut add);
    }
    for (k, body) in multibody.bodies.iter().enumerate() {
        let rotation = body.row + 1;
        let half = &trial.bodies.half[k];
        add(rotation, rotation, half * body.inertia.rotational() * half.transpose());
    }
    for (k, &slave) in multibody.followers.slaves().iter().enumerate() {
        for rule in &multibody.weights[multibody.followers.weights(k)] {
            if let Weight::Turned(body, arm) = rule {
                let rotation = multibody.bodies[*body as usize].row + 1;
                let arm = trial.bodies.mean_turns[*body as usize] * arm;
                let block = lever_stiffness(&arm, &work.b[slave as usize]);
                add(rotation, rotation, block * (-0.5 * h));
            }
        }
    }
    let coordinates = &start.coordinates;
    let mean = Placement { q: &trial.mean_q, turns: &trial.bodies.mean_turns, coordinates };
    for (row, &impulse) in trial.impulses.iter().enumerate().filter(|(_, l)| **l != 0.0) {
        multibody.rows.curvature(row, mean, &mut |i, j, block| {
            if !multibody.is_following_point(i) && !multibody.is_following_point(j) {
                add(i, j, block * (-0.5 * h * impulse));
            }
        });
    }
    for (slot, _, block) in terms.iter() {
        add_block(matrix.values_mut(), *slot as usize, block);
    }
}

/// Compliances as the matrix has them. Rigid rows have a little, so that redundant ones can be factored;
/// the iterations remove what it lets through. Without it a combination of rows that is redundant but for
/// the errors of the iterate would ask for whatever removes these.
fn set_compliances(
    parts: &mut Parts,
    context: StepContext,
    matrix: &BlockMatrix,
    substep: Substep,
) {
    let StepContext { system, multibody } = context;
    let (h, w) = (substep.h, substep.weight());
    let (pattern, rows) = (system.pattern(), parts.reduction.rows.pattern());
    for (row, soft) in multibody.softness.iter().enumerate() {
        let scale = w + soft.compliance * soft.damping / h;
        parts.linear.compliance[row] = soft.compliance / (w * h * h * scale);
        if (substep.matrix == Matrix::Nearest) || soft.compliance != 0.0 {
            continue;
        }
        for entry in rows.entries(row) {
            let (block, push) = (rows.blocks()[entry] as usize, parts.trial.reduced[entry]);
            let diagonal = matrix.block(pattern.diagonal(block)).diagonal();
            for axis in (0..3).filter(|&axis| !parts.reduction.held[block][axis]) {
                let resistance = diagonal[axis].abs().max(parts.reduction.masses[block][axis]);
                parts.linear.compliance[row] += REGULARIZATION * push[axis].powi(2) / resistance;
            }
        }
    }
}

/// One back-solve, mixed with those before, added to the iterate; where unilateral rows are near, with the
/// impulses that satisfy them, unmixed.
pub(in crate::solve) fn correct_iterate(
    own: &mut Constrained,
    context: StepContext,
    matrix: &BlockMatrix,
    (work, state): (&Work, &State),
    substep: Substep,
) -> Result<Correction, Failure> {
    let StepContext { multibody, .. } = context;
    let (h, w) = (substep.h, substep.weight());
    for (right, residual) in
        own.parts.linear.right.iter_mut().zip(&own.parts.trial.balance.residual)
    {
        *right = -residual;
    }
    for (row, soft) in multibody.softness.iter().enumerate() {
        let rigid = soft.compliance == 0.0;
        let scale = if rigid { 1.0 } else { w + soft.compliance * soft.damping / h };
        own.parts.linear.row_right[row] = -own.parts.trial.balance.row_residual[row] / (h * scale);
    }
    let touching = own.contacts.as_mut().filter(|rows| rows.step.set.count() > 0);
    let correction = if let Some(rows) = touching {
        let known = (work, state);
        let conflict = correct_with(&mut own.parts, context, matrix, known, substep, rows)?;
        Correction { conflict, ..Correction::default() }
    } else {
        let correction = back_solve(&mut own.parts, matrix, substep)?;
        turn_back(&mut own.parts, multibody);
        own.parts.mixing.mix(
            (&mut own.parts.linear.step, &mut own.parts.linear.row_step),
            &own.parts.reduction.masses,
        );
        correction
    };
    for (row, (y, step)) in own.parts.trial.y.iter_mut().zip(&own.parts.linear.step).enumerate() {
        for axis in (0..3).filter(|&axis| !own.parts.reduction.held[row][axis]) {
            y[axis] += step[axis];
        }
    }
    let impulses = own.parts.trial.impulses.iter_mut().zip(&own.parts.linear.row_step);
    impulses.for_each(|(impulse, step)| *impulse += step);
    Ok(correction)
}

/// `parts.linear.step` and `parts.linear.row_step` from `parts.linear.right` and `parts.linear.row_right`, in the frame half way.
pub(in crate::solve) fn back_solve(
    parts: &mut Parts,
    matrix: &BlockMatrix,
    substep: Substep,
) -> Result<Correction, KktError> {
    parts.linear.step.fill(crate::Vec3::zeros());
    let sides = (&parts.linear.right[..], &parts.linear.row_right[..]);
    let solution = (&mut parts.linear.step[..], &mut parts.linear.row_step[..]);
    let mut correction = Correction::default();
    let system = KktSystem { s: matrix, g: &parts.trial.reduced, r: &parts.linear.compliance };
    match substep.matrix {
        // Backward Euler damps far more than what one back-solve leaves.
        Matrix::Symmetric if substep.weight() == 1.0 || parts.saddle.iterates() => {
            correction.linear = parts.saddle.solve_once(system, sides, solution)?;
        }
        Matrix::Symmetric => {
            parts.saddle.solve(system, sides, solution)?;
        }
        Matrix::Unsymmetric => solve_unsymmetric(parts),
        Matrix::Nearest => {
            let report = parts.saddle.solve(system, sides, solution)?;
            correction.conflict = report.conflict.is_some();
        }
    }
    Ok(correction)
}
