//! Equilibrium of systems with bodies, followers and rows: Newton's method on the rows, with multiples of
//! the masses where nothing else resists a motion.

use super::carried::{add_moment_stiffness, spread};
use super::{Constrained, POSITION_GOAL};
use crate::constraint::{Placement, lever_stiffness};
use crate::dynamics::world_inertia;
use crate::force::JacobianScale;
use crate::linalg::kkt::KktSystem;
use crate::linalg::{Definiteness, add_block, dot};
use crate::solve::constrained::StepContext;
use crate::solve::constrained::project::project_positions;
use crate::solve::constrained::runge_kutta::accelerations;
use crate::solve::equations::Equations;
use crate::solve::failure::Failure;
use crate::solve::linear::LinearError;
use crate::solve::settings::StaticSettings;
use crate::system::{LoadCase, Motion, Multibody, State, Weight};
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
    own: &mut Constrained,
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
        balance(equations, context, own, state, (load, settings))?;
    }
    state.u.fill(Vec3::zeros());
    Ok(())
}

/// Newton's method on the rows: after each update positions are projected onto them. What is to vanish is
/// the acceleration that forces would give the system from rest under its rows.
fn balance(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (load, settings): (LoadCase, StaticSettings),
) -> Result<(), Failure> {
    let newton = settings.newton;
    out_of_rest(equations, context, own, state, load)?;
    let mut shift = 0.0;
    for _ in 0..newton.max_iterations {
        let goal = newton.tolerance.max(super::MOMENTUM_GOAL);
        if own.trial.momentum_error < goal && own.trial.position_error < POSITION_GOAL {
            return Ok(());
        }
        shift = static_step(equations, context, own, state, (load, shift))?;
        static_search(equations, context, own, state, load)?;
        shift = if shift > SHIFTS[0] { shift / 100.0 } else { 0.0 };
    }
    let (iterations, tolerance) = (newton.max_iterations, newton.tolerance);
    let residual = own.trial.momentum_error;
    Err(Failure::NotConverged { method: "Newton's method", iterations, residual, tolerance })
}

/// Projects `state` onto the rows; forces of the rows into its multipliers, and what is left of the
/// balance into `own.trial.residual`.
fn out_of_rest(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    load: LoadCase,
) -> Result<(), Failure> {
    let StepContext { system, multibody } = context;
    state.u.fill(Vec3::zeros());
    own.place(multibody, state);
    project_positions(equations, context, own, state)?;
    accelerations(equations, context, own, state, (load, 0.0))?;
    state.multipliers.copy_from_slice(&own.row_step);
    let Constrained { trial, held, lengths, masses, step, right, .. } = own;
    for (row, residual) in trial.residual.iter_mut().enumerate() {
        *residual = step[row] * system.masses()[row];
    }
    for body in &multibody.bodies {
        let spin = body.row as usize + 1;
        let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
        trial.residual[spin] = inertia * step[spin];
    }
    let (mut largest, mut scale) = (0f64, f64::MIN_POSITIVE);
    for (row, residual) in trial.residual.iter_mut().enumerate() {
        (0..3).filter(|&axis| held[row][axis]).for_each(|axis| residual[axis] = 0.0);
        let rest = masses[row].x / lengths[row] * 1e-9;
        scale = scale.max(right[row].norm() / lengths[row]).max(rest);
        largest = largest.max(residual.norm() / lengths[row]);
    }
    trial.momentum_error = largest / scale;
    let rigid = multibody.softness.iter().zip(&trial.values);
    let rigid = rigid.filter(|(soft, _)| soft.compliance == 0.0);
    trial.position_error = rigid.map(|(_, value)| value.abs()).fold(0.0, f64::max);
    Ok(())
}

/// `work.x` = an update of the positions; the shift that it took [1/s²].
fn static_step(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    (load, mut shift): (LoadCase, f64),
) -> Result<f64, Failure> {
    let StepContext { system, multibody } = context;
    own.place(multibody, state);
    own.right.copy_from_slice(&equations.work.f);
    own.reduction.reduce_force(&mut own.right);
    for (row, soft) in multibody.softness.iter().enumerate() {
        (own.give[row], own.row_right[row]) = (soft.compliance, -own.trial.values[row]);
    }
    loop {
        equations.assemble(system, load, Motion::at(&state.q, &state.u), (shift, STIFFNESS))?;
        own.reduction.reduce(&mut equations.matrix);
        own.add_geometric(context, (&mut equations.matrix, &equations.work.f), state, shift);
        let kkt = KktSystem { s: &equations.matrix, g: &own.trial.reduced, r: &own.give };
        let factored = own.kkt.factor(kkt);
        equations.stats.factorizations += 1;
        if matches!(factored, Ok(Definiteness::Positive)) {
            own.step.fill(Vec3::zeros());
            let sides = (&own.right[..], &own.row_right[..]);
            let solved = own.kkt.solve(kkt, sides, (&mut own.step, &mut own.row_step));
            equations.stats.linear_solves += 1;
            if solved.is_ok() {
                own.limit_turns(multibody);
                equations.work.x.copy_from_slice(&own.step);
                return Ok(shift);
            }
        }
        if shift >= SHIFTS[1] {
            factored?;
            return Err(Failure::Linear(LinearError::Singular(
                "nothing resists some motion of the bodies: hold them, or take a dynamic step"
                    .into(),
            )));
        }
        shift = (10.0 * shift).max(SHIFTS[0]);
    }
}

/// Moves the state along `work.x`, halved where the work of what is left of the balance says that this is
/// too far (Crisfield1991).
fn static_search(
    equations: &mut Equations,
    context: StepContext,
    own: &mut Constrained,
    state: &mut State,
    load: LoadCase,
) -> Result<(), Failure> {
    let StepContext { multibody, .. } = context;
    equations.work.q0.copy_from_slice(&state.q);
    let work_at_start = dot(&own.trial.residual, &equations.work.x);
    let mut share = 1.0;
    for halving in 0..=MAX_HALVINGS {
        state.q.copy_from_slice(&equations.work.q0);
        own.step.copy_from_slice(&equations.work.x);
        own.displace_by(multibody, state, share);
        let outcome = out_of_rest(equations, context, own, state, load);
        let last = halving == MAX_HALVINGS;
        match outcome {
            Err(error) if last => return Err(error),
            Err(_) => {}
            Ok(()) => {
                let work = dot(&own.trial.residual, &equations.work.x);
                if last || work > 0.0 || work.abs() <= SEARCH_TOLERANCE * work_at_start.abs() {
                    return Ok(());
                }
            }
        }
        share *= 0.5;
    }
    Ok(())
}

impl Constrained {
    /// Adds what levers and rows resist under their forces, and the inertia of rotations times `shift`.
    fn add_geometric(
        &mut self,
        context: StepContext,
        (matrix, forces): (&mut crate::linalg::BlockMatrix, &[Vec3]),
        state: &State,
        shift: f64,
    ) {
        let StepContext { system, multibody } = context;
        if !multibody.carried.is_empty() {
            self.handed.copy_from_slice(forces);
            self.hand_down(multibody, &state.multipliers);
        }
        let Self { trial, reduction, moments, .. } = self;
        let pattern = system.pattern();
        let mut put = |i: u32, j: u32, block: Mat3| {
            let slot = pattern.slot(i, j).expect("rows of a constraint are coupled");
            add_block(matrix.values_mut(), slot as usize, &block);
        };
        let mut add = |i: u32, j: u32, block: Mat3| spread(reduction, [i, j], &block, &mut put);
        for (k, moment) in moments.iter().enumerate() {
            add_moment_stiffness(
                multibody,
                (k, &multibody.turning(k, &state.q)),
                &-moment,
                &mut add,
            );
        }
        for (k, &slave) in multibody.followers.slaves().iter().enumerate() {
            for rule in &multibody.weights[multibody.followers.weights(k)] {
                if let Weight::Turned(body, arm) = rule {
                    let spin = multibody.bodies[*body as usize].row + 1;
                    let arm = trial.turns[*body as usize] * arm;
                    add(spin, spin, -lever_stiffness(&arm, &forces[slave as usize]));
                }
            }
        }
        for body in &multibody.bodies {
            let inertia = world_inertia(&body.inertia, &body.orientation(&state.q));
            add(body.row + 1, body.row + 1, inertia * shift);
        }
        let at = Placement { q: &state.q, turns: &trial.turns, coordinates: &state.coordinates };
        for (row, &force) in state.multipliers.iter().enumerate().filter(|(_, l)| **l != 0.0) {
            multibody.rows.curvature(row, at, &mut |i, j, block| {
                if !multibody.is_following_point(i) && !multibody.is_following_point(j) {
                    add(i, j, block * -force);
                }
            });
        }
    }

    /// Shortens the step where a body would turn too far.
    fn limit_turns(&mut self, multibody: &Multibody) {
        let turn = |body: &crate::system::BodyRows| self.step[body.row as usize + 1].norm();
        let largest = multibody.bodies.iter().map(turn).fold(0.0, f64::max);
        if largest > LARGEST_TURN {
            self.step.iter_mut().for_each(|step| *step *= LARGEST_TURN / largest);
        }
    }
}
