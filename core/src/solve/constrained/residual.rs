//! Residual of an iterate: balance of momenta, errors of the rows, errors of contacts and ranges.

use crate::constraint::RowMotion;
use crate::linalg::BlockMatrix;
use crate::solve::constrained::Constrained;
use crate::solve::constrained::iterate::Trial;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::start::StartState;
use crate::solve::constrained::substep::Substep;
use crate::solve::constrained::tuning::{MOST_MOMENTUM, REST, USUAL_SPEED};
use crate::solve::equations::Work;
use crate::system::Multibody;
use crate::{Mat3, Vec3};

/// Residual of the iterate. All momentum rows are multiplied by the weight of the end.
pub(in crate::solve) fn update_residual(
    own: &mut Constrained,
    multibody: &Multibody,
    matrix: &BlockMatrix,
    work: &Work,
    substep: Substep,
) {
    set_impulses(&mut own.parts, multibody, work, substep);
    let Parts { trial, terms, reduction, .. } = &mut own.parts;
    matrix.mul_free(&trial.y, &reduction.fixed, &mut trial.balance.residual);
    for (_, [row, column], block) in terms.iter() {
        trial.balance.residual[*row as usize] -= block * trial.y[*column as usize];
    }
    for (residual, force) in trial.balance.residual.iter_mut().zip(&trial.balance.force) {
        *residual -= force;
    }
    let turned = add_rotations(&mut own.parts, multibody, work, substep);
    let mut scale = turned.max(subtract_rows(&mut own.parts));
    if let Some(rows) = &mut own.contacts {
        let Parts { trial, reduction, mixed, .. } = &mut own.parts;
        rows.set.push(&mut trial.balance.residual, &reduction.lengths, &mut scale);
        rows.measure(mixed, &trial.y, substep.h);
    }
    measure_balance(&mut own.parts, multibody, scale, substep);
    set_row_residuals(&mut own.parts, multibody, substep);
}

/// Momenta at the start with the impulses of forces, but for what fitted bodies change of theirs, handed to masters.
fn set_impulses(parts: &mut Parts, multibody: &Multibody, work: &Work, substep: Substep) {
    let Parts { start, trial, free, reduction: Reduction { attachments, masses, .. }, .. } = parts;
    trial.balance.force.copy_from_slice(&work.b);
    for fitted_body in &multibody.attachments.fitted {
        let body = fitted_body.body as usize;
        let center = multibody.bodies[body].row as usize;
        let momentum = trial.y[center] * masses[center].x;
        trial.balance.force[center] -= momentum;
        let weight = substep.rotation_weight(free[body]);
        let momenta = angular_momenta(multibody, body, (start, trial), work, weight);
        trial.balance.force[center + 1] -= (momenta[1] - momenta[0]) * substep.weight();
    }
    attachments.reduce_force(&mut trial.balance.force);
}

/// Adds changes of angular momentum to the residual; the largest one at the start, over the length of its body [N s].
fn add_rotations(parts: &mut Parts, multibody: &Multibody, work: &Work, substep: Substep) -> f64 {
    let Parts { start, trial, free, reduction: Reduction { lengths, .. }, .. } = parts;
    let mut largest = f64::MIN_POSITIVE;
    for (k, body) in multibody.bodies.iter().enumerate() {
        let rotation = body.row as usize + 1;
        let weight = substep.rotation_weight(free[k]);
        let momenta = angular_momenta(multibody, k, (start, trial), work, weight);
        trial.balance.residual[rotation] += (momenta[1] - momenta[0]) * weight;
        largest = largest.max(momenta[0].norm() / lengths[rotation]);
    }
    largest
}

/// Subtracts the impulses of the bilateral rows from the residual; the largest of them [N s].
fn subtract_rows(parts: &mut Parts) -> f64 {
    let Parts { trial, reduction: Reduction { rows, lengths, .. }, .. } = parts;
    let pattern = rows.pattern();
    let mut largest = 0f64;
    for (row, &impulse) in trial.impulses.iter().enumerate() {
        for entry in pattern.entries(row) {
            let (block, push) = (pattern.blocks()[entry] as usize, trial.reduced[entry] * impulse);
            trial.balance.residual[block] -= push;
            largest = largest.max(push.norm() / lengths[block]);
        }
    }
    largest
}

/// The largest errors; then turns the angular ones into the frame half way, where the matrix is
/// symmetric up to second order in the turn.
fn measure_balance(parts: &mut Parts, multibody: &Multibody, mut scale: f64, substep: Substep) {
    let Parts { trial, reduction: Reduction { fixed, lengths, masses, .. }, .. } = parts;
    let (mut largest, mut fastest, mut usual) = (0f64, 0f64, 0f64);
    for (row, residual) in trial.balance.residual.iter_mut().enumerate() {
        for axis in (0..3).filter(|&axis| fixed[row][axis]) {
            residual[axis] = 0.0;
        }
        let size = residual.norm() / lengths[row];
        // A maximum that keeps what is not a number.
        largest = if size <= largest { largest } else { size };
        let rest = masses[row].x / lengths[row] * (REST * substep.h);
        let [force, mass] =
            [trial.balance.force[row].norm(), masses[row].x].map(|x| x / lengths[row]);
        usual = usual.max(force).max(mass * USUAL_SPEED);
        scale = scale.max(force).max(rest);
        // Where all was at rest, what is prescribed sets it in motion.
        if !fixed[row].contains(&true) {
            fastest = fastest.max(mass * trial.y[row].norm());
        }
    }
    scale = scale.max(fastest);
    trial.balance.momentum_scale = scale;
    // An iterate that diverged would be measured by itself.
    let diverged = fastest > MOST_MOMENTUM * usual;
    trial.balance.momentum_error = if diverged { f64::INFINITY } else { largest / scale };
    for (k, body) in multibody.bodies.iter().enumerate() {
        let residual = &mut trial.balance.residual[body.row as usize + 1];
        // The mean of two rotations is singular for half a turn only.
        let inverse = trial.bodies.mean_turns[k].try_inverse().unwrap_or_else(Mat3::identity);
        *residual = trial.bodies.half[k] * (inverse * *residual);
    }
}

/// Errors of the rows: of rigid ones their values at the end, of soft ones those of the rule.
fn set_row_residuals(parts: &mut Parts, multibody: &Multibody, substep: Substep) {
    let Parts { trial, start, driven, .. } = parts;
    let mut largest = 0f64;
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        let step = substep.of_row(multibody.joints.inertia[row]);
        let motion = RowMotion {
            before: start.values[row] + driven.drift[row],
            after: trial.values[row],
            rate: start.rates[row],
            impulse: trial.impulses[row],
        };
        let error = soft.error(step, motion);
        trial.balance.row_residual[row] = error;
        let size = soft.size_of_error(step, error);
        largest = if size <= largest { largest } else { size };
    }
    trial.balance.position_error = largest;
}

/// Angular momentum of body number `k` about its centre at the start and at the end [kg m²/s].
fn angular_momenta(
    multibody: &Multibody,
    k: usize,
    (start, trial): (&StartState, &Trial),
    work: &Work,
    weight: f64,
) -> [Vec3; 2] {
    let body = &multibody.bodies[k];
    let rotation = body.row as usize + 1;
    let before = start.turns[k].tr_mul(&work.u0[rotation]);
    let after =
        body_angular_velocity(&start.turns[k], &work.u0[rotation], &trial.y[rotation], weight);
    let rotational = body.inertia.rotational();
    [start.turns[k] * (rotational * before), trial.bodies.turns[k] * (rotational * after)]
}

/// Angular velocity at the end of a step in body axes, by the mean one `y` in the axes of the world: its
/// components in body axes are what the rule extrapolates.
pub(super) fn body_angular_velocity(start: &Mat3, before: &Vec3, y: &Vec3, weight: f64) -> Vec3 {
    start.tr_mul(&(before + (y - before) / weight))
}
