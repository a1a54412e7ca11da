//! Accelerations of a state under its forces and constraint rows, for rules that sum them and for equilibria:
//! G a = -(dG/dt) u.

use crate::Vec3;
use crate::constraint::Placement;
use crate::dynamics::{advanced, gyroscopic_torque, world_inertia};
use crate::force::VelocityTerms;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::driven::Order;
use crate::solve::constrained::fitted::{add_fitted_inertia, set_bias};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{place_on_rows, set_masses, solve_factored};
use crate::solve::constrained::tuning::LOOK;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::system::{LoadCase, MechSystem, Motion, Multibody, State};

/// `parts.linear.step` = accelerations, `parts.linear.row_step` = forces of the rows, `step` [s] after the memory
/// of the state. Accelerations of prescribed scalars are in `work.b`.
pub(in crate::solve) fn accelerations(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    at: (LoadCase, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    begin_accelerations(equations, context, parts, state, at)?;
    for body in &multibody.bodies {
        let rotation = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        parts.linear.right[rotation] += gyroscopic_torque(&inertia, &state.u[rotation]);
    }
    set_masses(parts, context, &mut equations.matrix, state);
    set_changes_of_rows(parts, multibody, state);
    parts.add_demand(multibody, Order::Acceleration);
    add_soft_rows(parts, multibody, state);
    take_prescribed(parts, system, &equations.work.b);
    solve_factored(parts, &equations.matrix)?;
    add_forces_of_soft_rows(parts, multibody);
    Ok(())
}

/// Rows at a state, and `parts.linear.right` = forces there, those on attached points handed to their masters.
pub(super) fn begin_accelerations(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (load, step): (LoadCase, f64),
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    place_on_rows(parts, multibody, state);
    if !multibody.attachments.fitted.is_empty() || parts.reduction.rows_on_attached {
        set_bias(parts, multibody, state);
        place_on_rows(parts, multibody, state);
    }
    equations.eval_forces(system, load, Motion::of(state, step), VelocityTerms::Included)?;
    parts.linear.right.copy_from_slice(&equations.work.f);
    add_fitted_inertia(parts, multibody, state);
    parts.reduction.attachments.reduce_force(&mut parts.linear.right);
    Ok(())
}

/// `parts.linear.step` = accelerations of what is prescribed, zero elsewhere.
pub(super) fn take_prescribed(parts: &mut Parts, system: &dyn MechSystem, accelerations: &[Vec3]) {
    parts.linear.step.fill(Vec3::zeros());
    for (row, fixed) in system.fixed().iter().enumerate() {
        for axis in (0..3).filter(|&axis| fixed[axis]) {
            parts.linear.step[row][axis] = accelerations[row][axis];
        }
    }
}

/// Adds the forces of springs and dampers to those of compliant rows.
pub(super) fn add_forces_of_soft_rows(parts: &mut Parts, multibody: &Multibody) {
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        if soft.compliance != 0.0 {
            parts.linear.row_step[row] += parts.trial.soft_forces[row];
        }
    }
}

/// Adds the forces of springs and dampers of compliant rows, which ask for nothing themselves; one with an inertia remains,
/// as a rigid one that yields by its acceleration.
pub(super) fn add_soft_rows(parts: &mut Parts, multibody: &Multibody, state: &State) {
    let Parts { trial, linear, reduction, driven, .. } = parts;
    let pattern = reduction.rows.pattern();
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        linear.compliance[row] = 0.0;
        if soft.compliance == 0.0 {
            continue;
        }
        let entries = pattern.entries(row);
        let blocks = &pattern.blocks()[entries.clone()];
        let pushes = &mut trial.reduced[entries];
        let rate: f64 =
            blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
        let rate = rate - driven.rates[row][Order::Rate as usize];
        let force = -trial.values[row] / soft.compliance - soft.damping * rate;
        for (&block, push) in blocks.iter().zip(&*pushes) {
            linear.right[block as usize] += push * force;
        }
        trial.soft_forces[row] = force;
        let inertia = multibody.joints.inertia[row];
        if inertia > 0.0 {
            linear.compliance[row] = 1.0 / inertia;
            continue;
        }
        pushes.fill(Vec3::zeros());
        (linear.compliance[row], linear.row_right[row]) = (1.0, 0.0);
    }
}

/// `parts.linear.row_right` = -(dG/dt) u by central differences along the motion, and less what attached points bring
/// along.
pub(super) fn set_changes_of_rows(parts: &mut Parts, multibody: &Multibody, state: &State) {
    parts.linear.row_right.fill(0.0);
    parts.add_bias_of_rows(multibody);
    for side in [1.0, -1.0] {
        let step = side * LOOK;
        for (q, (now, u)) in parts.trial.q.iter_mut().zip(state.q.iter().zip(&state.u)) {
            *q = now + u * step;
        }
        for (turn, body) in parts.trial.bodies.mean_turns.iter_mut().zip(&multibody.bodies) {
            let angular_velocity = state.u[body.row as usize + 1];
            let turned = advanced(&body.orientation(&state.q), &(angular_velocity * step));
            *turn = turned.to_rotation_matrix().into_inner();
        }
        add_rates(parts, multibody, state, -side / (2.0 * LOOK));
    }
}

/// Adds `factor` times the rates of the rows at the placement of the trial.
fn add_rates(parts: &mut Parts, multibody: &Multibody, state: &State, factor: f64) {
    let at = Placement {
        q: &parts.trial.q,
        turns: &parts.trial.bodies.mean_turns,
        coordinates: &state.coordinates,
    };
    let mut reader = multibody.joints.rows.at(at);
    for row in 0..multibody.joints.rows.count() {
        let entries =
            parts.reduction.offsets[row] as usize..parts.reduction.offsets[row + 1] as usize;
        let pushes = &mut parts.trial.coefficients[entries];
        reader.coefficients(row, pushes);
        let blocks = &multibody.joints.rows.lists()[row];
        let rate: f64 =
            blocks.iter().zip(&*pushes).map(|(&b, g)| g.dot(&state.u[b as usize])).sum();
        parts.linear.row_right[row] += factor * rate;
    }
}
