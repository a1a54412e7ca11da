//! Equilibrium of systems with bodies, attached points and rows: Newton's method on the rows, with multiples of
//! the masses where nothing else resists a motion.

use crate::constraint::Placement;
use crate::dynamics::world_inertia;
use crate::force::JacobianScale;
use crate::linalg::kkt::{KktError, KktSystem};
use crate::linalg::{BlockMatrix, Definiteness, add_block, dot};
use crate::solve::constrained::acceleration::accelerations;
use crate::solve::constrained::context::StepContext;
use crate::solve::constrained::fitted::{add_moment_stiffness, distribute, push_by_rows, spread};
use crate::solve::constrained::geometric::{for_each_curvature, for_each_lever};
use crate::solve::constrained::parts::Parts;
use crate::solve::constrained::project::{displace_by, place_on_rows, project_positions};
use crate::solve::constrained::reduction::Reduction;
use crate::solve::constrained::tuning::{MOMENTUM_TOLERANCE, POSITION_TOLERANCE};
use crate::solve::constrained::work::LinearStep;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::linear::LinearError;
use crate::solve::settings::StaticSettings;
use crate::system::{LoadCase, Motion, Multibody, State};
use crate::{Mat3, Vec3};

/// K alone.
const STIFFNESS: JacobianScale = JacobianScale { position: 1.0, velocity: 0.0 };
/// Multiples of the masses that are added to an indefinite stiffness [1/s²]: the first, and the last.
const SHIFTS: [f64; 2] = [1e-2, 1e12];
/// A body turns by no more than this in one iteration [rad].
const LARGEST_TURN: f64 = 0.3;
/// Halvings of a step that goes too far.
const MAX_HALVINGS: usize = 8;
/// A step is taken when the work of what is left is down to this part of that at the start.
const SEARCH_TOLERANCE: f64 = 0.5;

/// Equilibrium under the loads at `state.time + h`; velocities become zero.
pub(in crate::solve) fn constrained_equilibrium(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (h, settings): (f64, StaticSettings),
) -> Result<(), Failure> {
    let StepContext { system, .. } = context;
    state.u.fill(Vec3::zeros());
    let increments = settings.increments.max(1);
    for k in 1..=increments {
        let factor = k as f64 / increments as f64;
        let load = LoadCase { time: state.time + h, factor };
        system.prescribe(load, &mut state.q);
        balance(equations, context, parts, state, (load, settings))?;
    }
    state.u.fill(Vec3::zeros());
    Ok(())
}

/// Newton's method on the rows: after each update positions are projected onto them. What is to vanish is
/// the acceleration that forces would give the system from rest under its rows.
fn balance(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (load, settings): (LoadCase, StaticSettings),
) -> Result<(), Failure> {
    let newton = settings.newton;
    out_of_rest(equations, context, parts, state, load)?;
    let mut shift = 0.0;
    for _ in 0..newton.max_iterations {
        let tolerance = newton.tolerance.max(MOMENTUM_TOLERANCE);
        if parts.trial.balance.momentum_error < tolerance
            && parts.trial.balance.position_error < POSITION_TOLERANCE
        {
            return Ok(());
        }
        shift = static_step(equations, context, parts, state, (load, shift))?;
        static_search(equations, context, parts, state, load)?;
        shift = if shift > SHIFTS[0] { shift / 100.0 } else { 0.0 };
    }
    Err(Failure::of_newton(newton, parts.trial.balance.momentum_error))
}

/// Projects `state` onto the rows; forces of the rows into its multipliers, and what is left of the
/// balance into `parts.trial.balance.residual`.
fn out_of_rest(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    load: LoadCase,
) -> Result<(), Failure> {
    state.u.fill(Vec3::zeros());
    place_on_rows(parts, context.multibody, state);
    project_positions(equations, context, parts, state)?;
    equations.work.b.fill(Vec3::zeros());
    accelerations(equations, context, parts, state, (load, 0.0))?;
    state.multipliers.copy_from_slice(&parts.linear.row_step);
    measure_rest(parts, context, state);
    Ok(())
}

/// Residual and errors of a state at rest: momenta that its accelerations would give it, and displacements of rigid rows.
fn measure_rest(parts: &mut Parts, context: StepContext, state: &State) {
    let StepContext { system, multibody } = context;
    let most_of_rows = most_of_soft_rows(parts, multibody);
    let Parts {
        trial,
        reduction: Reduction { fixed, lengths, masses, .. },
        linear: LinearStep { step, right, .. },
        ..
    } = parts;
    for (row, residual) in trial.balance.residual.iter_mut().enumerate() {
        *residual = step[row] * system.masses()[row];
    }
    for body in &multibody.bodies {
        let rotation = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        trial.balance.residual[rotation] = inertia * step[rotation];
    }
    let (mut largest, mut scale) = (0f64, most_of_rows.max(f64::MIN_POSITIVE));
    for (row, residual) in trial.balance.residual.iter_mut().enumerate() {
        (0..3).filter(|&axis| fixed[row][axis]).for_each(|axis| residual[axis] = 0.0);
        let rest = masses[row].x / lengths[row] * 1e-9;
        scale = scale.max(right[row].norm() / lengths[row]).max(rest);
        largest = largest.max(residual.norm() / lengths[row]);
    }
    trial.balance.momentum_error = largest / scale;
    let rigid = multibody.joints.compliance.iter().zip(&trial.values);
    let rigid = rigid.filter(|(soft, _)| soft.compliance == 0.0);
    trial.balance.position_error = rigid.map(|(_, value)| value.abs()).fold(0.0, f64::max);
}

/// Largest force of a compliant row on something that moves, over its length [N], [N m]: what is left of all forces vanishes at
/// an equilibrium, where contents of surfaces may be all that loads a tissue.
fn most_of_soft_rows(parts: &Parts, multibody: &Multibody) -> f64 {
    let Parts { trial, reduction: Reduction { fixed, lengths, offsets, .. }, .. } = parts;
    let mut most = 0f64;
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        if soft.compliance == 0.0 {
            continue;
        }
        let pushes = &trial.coefficients[offsets[row] as usize..offsets[row + 1] as usize];
        for (&block, push) in multibody.joints.rows.lists()[row].iter().zip(pushes) {
            let block = block as usize;
            let moving = Vec3::from_fn(|axis, _| if fixed[block][axis] { 0.0 } else { push[axis] });
            most = most.max((moving * trial.soft_forces[row]).norm() / lengths[block]);
        }
    }
    most
}

/// `work.x` = an update of the positions; the shift that it took [1/s²].
fn static_step(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    (load, mut shift): (LoadCase, f64),
) -> Result<f64, Failure> {
    let StepContext { system, multibody } = context;
    place_on_rows(parts, multibody, state);
    set_sides(parts, multibody, &equations.work.f);
    loop {
        let motion = Motion::at(&state.q, &state.u);
        equations.assemble_whole(system, load, motion, (shift, STIFFNESS))?;
        parts.reduction.attachments.reduce(&mut equations.matrix);
        add_geometric(parts, context, (&mut equations.matrix, &equations.work.f), state, shift);
        let solved = solve_update(equations, parts);
        if matches!(solved, Ok(true)) {
            limit_turns(parts, multibody);
            equations.work.x.copy_from_slice(&parts.linear.step);
            return Ok(shift);
        }
        if shift >= SHIFTS[1] {
            solved?;
            return Err(Failure::Linear(LinearError::Singular(
                "nothing resists some motion of the bodies: hold them, or take a dynamic step"
                    .into(),
            )));
        }
        shift = (10.0 * shift).max(SHIFTS[0]);
    }
}

/// Right sides of an update: forces handed to masters, and what takes the rows back.
fn set_sides(parts: &mut Parts, multibody: &Multibody, forces: &[Vec3]) {
    let Parts { linear, reduction, trial, .. } = parts;
    linear.right.copy_from_slice(forces);
    reduction.attachments.reduce_force(&mut linear.right);
    for (row, soft) in multibody.joints.compliance.iter().enumerate() {
        (linear.compliance[row], linear.row_right[row]) = (soft.compliance, -trial.values[row]);
    }
}

/// Solves for an update with the matrix as it is; `false` where it is not positive definite, or has no solution.
fn solve_update(equations: &mut Equations, parts: &mut Parts) -> Result<bool, KktError> {
    let Parts { trial, linear, mixed, .. } = parts;
    let kkt = KktSystem { s: &equations.matrix, g: &trial.reduced, r: &linear.compliance };
    let factored = mixed.saddle_mut().factor(kkt);
    equations.stats.factorizations += 1;
    if factored? != Definiteness::Positive {
        return Ok(false);
    }
    linear.step.fill(Vec3::zeros());
    let sides = (&linear.right[..], &linear.row_right[..]);
    let solved = mixed.saddle_mut().solve(kkt, sides, (&mut linear.step, &mut linear.row_step));
    equations.stats.linear_solves += 1;
    Ok(solved.is_ok())
}

/// Moves the state along `work.x`, halved where the work of what is left of the balance says that this is
/// too far (Crisfield1991).
fn static_search(
    equations: &mut Equations,
    context: StepContext,
    parts: &mut Parts,
    state: &mut State,
    load: LoadCase,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    equations.work.q0.copy_from_slice(&state.q);
    let work_at_start = dot(&parts.trial.balance.residual, &equations.work.x);
    let mut share = 1.0;
    for halving in 0..=MAX_HALVINGS {
        state.q.copy_from_slice(&equations.work.q0);
        parts.linear.step.copy_from_slice(&equations.work.x);
        displace_by(parts, multibody, state, share);
        let outcome = out_of_rest(equations, context, parts, state, load);
        let last = halving == MAX_HALVINGS;
        match outcome {
            Err(error) if last => return Err(error),
            Err(_) => {}
            Ok(()) => {
                let work = dot(&parts.trial.balance.residual, &equations.work.x);
                if last || work > 0.0 || work.abs() <= SEARCH_TOLERANCE * work_at_start.abs() {
                    return Ok(());
                }
            }
        }
        share *= 0.5;
    }
    Ok(())
}

/// Adds what levers and rows resist under their forces, and the inertia of rotations times `shift`.
fn add_geometric(
    parts: &mut Parts,
    context: StepContext,
    (matrix, forces): (&mut BlockMatrix, &[Vec3]),
    state: &State,
    shift: f64,
) {
    let StepContext { system, multibody } = context;
    set_static_moments(parts, multibody, (forces, &state.multipliers));
    let Parts { trial, reduction: Reduction { attachments, .. }, fitted, .. } = parts;
    let pattern = system.pattern();
    let mut put = |i: u32, j: u32, block: Mat3| {
        let slot = pattern.slot(i, j).expect("rows of a constraint are coupled");
        add_block(matrix.values_mut(), slot as usize, &block);
    };
    let mut add = |i: u32, j: u32, block: Mat3| spread(attachments, [i, j], &block, &mut put);
    for (k, moment) in fitted.moments.iter().enumerate() {
        add_moment_stiffness(multibody, (k, &multibody.turning(k, &state.q)), &-moment, &mut add);
    }
    let turns = &trial.bodies.turns[..];
    for_each_lever(multibody, (&state.q, turns), forces, &mut |rotation, block| {
        add(rotation, rotation, -block);
    });
    for body in &multibody.bodies {
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        add(body.row + 1, body.row + 1, inertia * shift);
    }
    let at = Placement { q: &state.q, turns, coordinates: &state.coordinates };
    for_each_curvature(multibody, at, &state.multipliers, &mut |i, j, block| add(i, j, -block));
}

/// Moments that fitted bodies pass on, of `forces` and of those of the rows.
fn set_static_moments(
    parts: &mut Parts,
    multibody: &Multibody,
    (forces, multipliers): (&[Vec3], &[f64]),
) {
    if multibody.attachments.fitted.is_empty() {
        return;
    }
    parts.fitted.passed_on.copy_from_slice(forces);
    let Parts { trial, reduction, fitted, .. } = &mut *parts;
    let vectors = (&*reduction, &trial.coefficients[..]);
    push_by_rows(&mut fitted.passed_on, vectors, multibody, multipliers);
    distribute(parts, multibody);
}

/// Shortens the step where a body would turn too far.
fn limit_turns(parts: &mut Parts, multibody: &Multibody) {
    let turn = |body: &crate::system::BodyRows| parts.linear.step[body.row as usize + 1].norm();
    let largest = multibody.bodies.iter().map(turn).fold(0.0, f64::max);
    if largest > LARGEST_TURN {
        parts.linear.step.iter_mut().for_each(|step| *step *= LARGEST_TURN / largest);
    }
}
