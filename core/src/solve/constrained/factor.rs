//! The matrix of an iteration, and its corrections.

use crate::constraint::Placement;
use crate::linalg::{BlockMatrix, add_block};
use crate::mixed::{MixedOutcome, REGULARIZATION};
use crate::solve::constrained::Constrained;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::fitted::{add_moment_stiffness, set_moments, spread};
use crate::solve::constrained::geometric::{for_each_curvature, for_each_lever};
use crate::solve::constrained::iterate::Trial;
use crate::solve::constrained::linear_problem::{Request, prepare, solve_problem};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::substep::{Matrix, Substep};
use crate::solve::constrained::unilateral::correction::{correct_with, turn_back};
use crate::solve::constrained::work::FittedLoads;
use crate::solve::equations::Work;
use crate::solve::failure::Failure;
use crate::system::{Multibody, State};
use crate::{Mat3, Vec3};

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
    own.parts.mixing.begin();
    own.parts.mixed.matrix_changed();
    if substep.matrix == Matrix::Unsymmetric {
        set_rows_at_the_end(&mut own.parts, context.multibody);
    }
    let touching = own.contacts.as_mut().filter(|rows| rows.set.count() > 0);
    // Many unilateral rows are factored with the others.
    if touching.as_ref().is_some_and(|rows| rows.is_sparse()) {
        return Ok(());
    }
    prepare(&mut own.parts, matrix, touching.map(|rows| &mut **rows), Request::of(substep))
}

/// Vectors of the reduced rows at the end of the step: with these in its second line the matrix is the derivative of the
/// equations, which leads through singular positions of mechanisms where the symmetric one does not
/// (docs/theory/rigid.md).
fn set_rows_at_the_end(parts: &mut Parts, multibody: &Multibody) {
    let mut full = vec![Vec3::zeros(); parts.trial.coefficients.len()];
    let Parts { trial, start, linear, reduction, .. } = parts;
    let end =
        Placement { q: &trial.q, turns: &trial.bodies.turns, coordinates: &start.coordinates };
    let mut reader = multibody.joints.rows.at(end);
    for row in 0..multibody.joints.rows.count() {
        reader.coefficients(row, &mut full[reduction.entries(row)]);
    }
    linear.end_values.resize(trial.reduced.len(), Vec3::zeros());
    reduction.rows.reduce(&reduction.attachments, &full, &mut linear.end_values);
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
    let Parts { trial, terms, start, reduction, fitted: FittedLoads { moments, .. }, .. } = parts;
    let mut put = |row: u32, column: u32, block: Mat3| {
        let slot = pattern.slot(row, column).expect("rows of a constraint are coupled");
        terms.push((slot, [row, column], block));
    };
    let mut add = |row: u32, column: u32, block: Mat3| {
        spread(&reduction.attachments, [row, column], &block, &mut put);
    };
    add_inertia(multibody, trial, (&reduction.masses, moments, h), &mut add);
    let half_way = (&trial.mean_q[..], &trial.bodies.mean_turns[..]);
    for_each_lever(multibody, half_way, &work.b, &mut |rotation, block| {
        add(rotation, rotation, block * (-0.5 * h));
    });
    let (q, turns) = half_way;
    let mean = Placement { q, turns, coordinates: &start.coordinates };
    for_each_curvature(multibody, mean, &trial.impulses, &mut |i, j, block| {
        add(i, j, block * (-0.5 * h));
    });
    for (slot, _, block) in terms.iter() {
        add_block(matrix.values_mut(), *slot as usize, block);
    }
}

/// Adds the inertia of fitted bodies, with what moments on them resist, and that of all rotations half way.
fn add_inertia(
    multibody: &Multibody,
    trial: &Trial,
    (masses, moments, h): (&[Vec3], &[Vec3], f64),
    add: &mut dyn FnMut(u32, u32, Mat3),
) {
    for (k, fitted_body) in multibody.attachments.fitted.iter().enumerate() {
        let row = multibody.bodies[fitted_body.body as usize].row;
        add(row, row, Mat3::identity() * masses[row as usize].x);
        let turning = multibody.turning(k, &trial.mean_q);
        add_moment_stiffness(multibody, (k, &turning), &(moments[k] * (-0.5 * h)), add);
    }
    for (k, body) in multibody.bodies.iter().enumerate() {
        let rotation = body.row + 1;
        let half = &trial.bodies.half[k];
        add(rotation, rotation, half * body.inertia.rotational() * half.transpose());
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
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        let inert = multibody.joints.inertia[row] / (w * h);
        let scale = w + soft.compliance * (soft.damping + inert) / h;
        parts.linear.compliance[row] = soft.compliance / (w * h * h * scale);
        if (substep.matrix == Matrix::Nearest) || soft.compliance != 0.0 {
            continue;
        }
        for entry in rows.entries(row) {
            let (block, push) = (rows.blocks()[entry] as usize, parts.trial.reduced[entry]);
            let diagonal = matrix.block(pattern.diagonal(block)).diagonal();
            for axis in (0..3).filter(|&axis| !parts.reduction.fixed[block][axis]) {
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
) -> Result<MixedOutcome, Failure> {
    let StepContext { multibody, .. } = context;
    let h = substep.h;
    for (right, residual) in
        own.parts.linear.right.iter_mut().zip(&own.parts.trial.balance.residual)
    {
        *right = -residual;
    }
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        let scale = soft.scale(substep.of_row(multibody.joints.inertia[row]));
        own.parts.linear.row_right[row] = -own.parts.trial.balance.row_residual[row] / (h * scale);
    }
    let touching = own.contacts.as_mut().filter(|rows| rows.set.count() > 0);
    let outcome = if let Some(rows) = touching {
        correct_with(&mut own.parts, context, matrix, (work, state), substep, rows)?
    } else {
        let outcome = solve_problem(&mut own.parts, matrix, None, Request::of(substep))?;
        turn_back(&mut own.parts, multibody);
        let Parts { mixing, linear, .. } = &mut own.parts;
        mixing.mix(&mut linear.step, &mut linear.row_step);
        outcome
    };
    for (row, (y, step)) in own.parts.trial.y.iter_mut().zip(&own.parts.linear.step).enumerate() {
        for axis in (0..3).filter(|&axis| !own.parts.reduction.fixed[row][axis]) {
            y[axis] += step[axis];
        }
    }
    let impulses = own.parts.trial.impulses.iter_mut().zip(&own.parts.linear.row_step);
    impulses.for_each(|(impulse, step)| *impulse += step);
    Ok(outcome)
}
