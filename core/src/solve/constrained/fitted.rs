//! Bodies that follow points, in a step: their rows of the matrix are added to the rows of their
//! masters, and moments on them resist motions of these.

use nalgebra::UnitQuaternion;

use crate::attachment::{Attachments, Turning};
use crate::dynamics::{advanced, gyroscopic_torque, turn_between, world_inertia};
use crate::linalg::BlockMatrix;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::tuning::LOOK;
use crate::solve::constrained::work::FittedLoads;
use crate::solve::equations::Work;
use crate::system::{Multibody, State, Weight};
use crate::{Mat3, Vec3};

/// Passes a block of rows that may be attached points to their masters.
pub(super) fn spread(
    attachments: &Attachments,
    [row, column]: [u32; 2],
    block: &Mat3,
    put: &mut dyn FnMut(u32, u32, Mat3),
) {
    let (itself, row, column) = ([Mat3::identity()], [row], [column]);
    let (rows, left) = attachments.masters_of(row[0]).unwrap_or((&row, &itself));
    let (columns, right) = attachments.masters_of(column[0]).unwrap_or((&column, &itself));
    for (&i, left) in rows.iter().zip(left) {
        let half = left.tr_mul(block);
        for (&j, right) in columns.iter().zip(right) {
            put(i, j, half * right);
        }
    }
}

/// Passes what motions of its masters change of the forces that a moment [N m] on fitted body number `k` exerts
/// on them to `add`.
pub(super) fn add_moment_stiffness(
    multibody: &Multibody,
    (k, turning): (usize, &Turning),
    moment: &Vec3,
    add: &mut dyn FnMut(u32, u32, Mat3),
) {
    let rotation = multibody.attachments.fitted[k].rotation as usize;
    let rules = &multibody.attachments.weights[multibody.attachments.list.weights(rotation)];
    let masters = multibody.attachments.list.masters(rotation);
    for (&i, left) in masters.iter().zip(rules) {
        for (&j, right) in masters.iter().zip(rules) {
            let (Weight::Gradient(_, g_i), Weight::Gradient(_, g_j)) = (left, right) else {
                continue;
            };
            let block = turning.force_derivative(moment, [g_i, g_j]);
            let mirror = turning.force_derivative(moment, [g_j, g_i]);
            add(i, j, (block + mirror.transpose()) * 0.5);
        }
    }
}

/// Reduces what is linear. The inertia of fitted bodies is taken out of it: it acts at the mean of the step.
pub(in crate::solve) fn reduce_matrix(
    parts: &mut Parts,
    context: StepContext,
    matrix: &mut BlockMatrix,
) {
    let StepContext { system, multibody } = context;
    parts.reduction.attachments.reduce(matrix);
    parts.terms.clear();
    let (pattern, Parts { terms, reduction: Reduction { attachments, .. }, .. }) =
        (system.pattern(), parts);
    for fitted_body in &multibody.attachments.fitted {
        let row = multibody.bodies[fitted_body.body as usize].row;
        let mass = Mat3::identity() * system.masses()[row as usize];
        spread(attachments, [row, row], &mass, &mut |i, j, block| {
            let slot = pattern.slot(i, j).expect("masters of one attached row are coupled");
            terms.push((slot, [i, j], block));
        });
    }
}

/// Moments on fitted bodies, with those of what is fixed to them, of the right side and the impulses of the
/// rows.
pub(in crate::solve) fn set_moments(parts: &mut Parts, multibody: &Multibody, work: &Work) {
    if multibody.attachments.fitted.is_empty() {
        return;
    }
    parts.fitted.passed_on.copy_from_slice(&work.b);
    for fitted_body in &multibody.attachments.fitted {
        let row = multibody.bodies[fitted_body.body as usize].row as usize;
        let momentum = parts.trial.y[row] * parts.reduction.masses[row].x;
        parts.fitted.passed_on[row] -= momentum;
    }
    let Parts { trial, reduction, fitted, .. } = parts;
    push_by_rows(
        &mut fitted.passed_on,
        (reduction, &trial.coefficients),
        multibody,
        &trial.impulses,
    );
    distribute(parts, multibody);
}

/// Forces that fitted bodies exert on their masters because weights change with the motion, and the
/// gyroscopic torques on them, into `parts.linear.right`.
pub(in crate::solve) fn add_fitted_inertia(
    parts: &mut Parts,
    multibody: &Multibody,
    state: &State,
) {
    for body in multibody.attachments.fitted.iter().map(|fitted_body| fitted_body.body as usize) {
        let (rows, row) = (&multibody.bodies[body], multibody.bodies[body].row as usize);
        let inertia = world_inertia(&rows.inertia, &rows.orientation(&state.q));
        parts.linear.right[row + 1] += gyroscopic_torque(&inertia, &state.u[row + 1]);
        parts.linear.right[row] -= parts.fitted.bias[row] * parts.reduction.masses[row].x;
        parts.linear.right[row + 1] -= inertia * parts.fitted.bias[row + 1];
    }
}

/// Accelerations of attached points whose masters go on evenly, (dP/dt) u, by central differences along the
/// motion, into `parts.fitted.bias`. Leaves the weights of another place.
pub(in crate::solve) fn set_bias(parts: &mut Parts, multibody: &Multibody, state: &State) {
    let Parts {
        trial,
        reduction: Reduction { attachments, .. },
        fitted: FittedLoads { bias, passed_on, .. },
        ..
    } = parts;
    bias.fill(Vec3::zeros());
    for side in [1.0, -1.0] {
        let step = side * LOOK;
        for (q, (now, u)) in trial.q.iter_mut().zip(state.q.iter().zip(&state.u)) {
            *q = now + u * step;
        }
        for (turn, body) in trial.bodies.turns.iter_mut().zip(&multibody.bodies) {
            let rotation = body.row as usize + 1;
            let turned = advanced(&body.orientation(&state.q), &(state.u[rotation] * step));
            trial.q[rotation] = turn_between(&UnitQuaternion::identity(), &turned);
            *turn = turned.to_rotation_matrix().into_inner();
        }
        multibody.place_attached(&mut trial.bodies.turns, &mut trial.q);
        multibody.update_rates(&trial.q, &mut trial.bodies.rates);
        multibody.update_weights(
            (&trial.q, &trial.bodies.turns),
            &trial.bodies.rates,
            &mut trial.weights,
        );
        attachments.update_weights(&trial.weights);
        passed_on.copy_from_slice(&state.u);
        attachments.expand_velocity(passed_on);
        let share = side / (2.0 * LOOK);
        bias.iter_mut().zip(&*passed_on).for_each(|(bias, u)| *bias += u * share);
    }
}

/// Adds the forces (or impulses) of the rows to `passed_on`, by their vectors.
pub(super) fn push_by_rows(
    passed_on: &mut [Vec3],
    (reduction, coefficients): (&Reduction, &[Vec3]),
    multibody: &Multibody,
    multipliers: &[f64],
) {
    for (row, multiplier) in multipliers.iter().enumerate() {
        let pushes = &coefficients[reduction.entries(row)];
        for (&block, push) in multibody.joints.rows.lists()[row].iter().zip(pushes) {
            passed_on[block as usize] += push * *multiplier;
        }
    }
}

/// Passes `fitted.passed_on` from attached points to masters; moments on fitted bodies on the way.
pub(super) fn distribute(parts: &mut Parts, multibody: &Multibody) {
    let Parts {
        trial,
        reduction: Reduction { attachments, .. },
        fitted: FittedLoads { passed_on, moments, .. },
        ..
    } = parts;
    for &k in attachments.order().iter().rev() {
        let k = k as usize;
        let force = passed_on[multibody.attachments.list.attached_rows()[k] as usize];
        let range = multibody.attachments.list.weights(k);
        if let Some(Weight::Gradient(fitted_body, _)) =
            multibody.attachments.weights.get(range.start)
        {
            moments[*fitted_body as usize] = force;
        }
        for (&master, weight) in
            multibody.attachments.list.masters(k).iter().zip(&trial.weights[range])
        {
            passed_on[master as usize] += weight.tr_mul(&force);
        }
    }
}
