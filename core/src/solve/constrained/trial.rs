//! One iterate of a step: from mean velocities and impulses to the end state, and to what is left of
//! the equations.

use crate::solve::constrained::StepContext;
use nalgebra::UnitQuaternion;

use super::{Constrained, Piece, Start, Trial};
use crate::attachment::Turning;
use crate::constraint::Placement;
use crate::dynamics::{SpatialInertia, advanced_by_cayley, cayley_turn, skew, turn_between};
use crate::linalg::BlockMatrix;
use crate::solve::equations::Work;
use crate::system::{LoadCase, MechSystem, Multibody, State};
use crate::{Mat3, Vec3};

/// Accelerations that are taken for rest [m/s²].
const REST: f64 = 1e-9;

impl Constrained {
    /// The right side, and the first iterate: velocities as they are, of what is led as it must be, and of
    /// bodies that nothing holds as they will fall and spin.
    pub(super) fn begin(
        &mut self,
        context: StepContext,
        work: &mut Work,
        state: &State,
        piece: Piece,
    ) {
        let StepContext { system, multibody } = context;
        let (h, w) = (piece.h, piece.weight());
        for (row, b) in work.b.iter_mut().enumerate() {
            *b = work.u0[row] * system.masses()[row] + work.f[row] * (w * h);
        }
        for (k, body) in multibody.bodies.iter().enumerate() {
            self.start.orientations[k] = body.orientation(&work.q0);
            self.start.turns[k] = self.start.orientations[k].to_rotation_matrix().into_inner();
        }
        self.begin_unilateral(multibody, work, state, piece);
        let Self { start, trial, free, .. } = self;
        for (k, turning) in start.turnings.iter_mut().enumerate() {
            *turning = multibody.turning(k, &work.q0);
        }
        let at = Placement { q: &work.q0, turns: &start.turns, coordinates: &start.coordinates };
        for (row, value) in start.values.iter_mut().enumerate() {
            *value = multibody.rows.value(row, at);
        }
        trial.y.copy_from_slice(&work.u0);
        for (k, (body, turn)) in multibody.bodies.iter().zip(&start.turns).enumerate() {
            let spin = body.row as usize + 1;
            if free[k] {
                // The weight of its end is a half.
                work.b[spin] *= 0.5 / w;
                let before = turn.tr_mul(&work.u0[spin]);
                trial.y[spin] = turn * free_spin(&body.inertia, &before, h);
            }
        }
        self.lead(system, work, state.time + piece.offset + h, h);
        for (row, body) in multibody.bodies.iter().enumerate() {
            let spin = body.row as usize + 1;
            if self.held[spin] == [true; 3] {
                let target = UnitQuaternion::new(work.start[spin]);
                self.trial.y[spin] = cayley_turn(&self.start.orientations[row], &target) / h;
            }
        }
        let multipliers = state.multipliers.iter().zip(&mut self.trial.impulses);
        multipliers.for_each(|(force, impulse)| *impulse = force * (w * h));
    }

    /// Sets held velocities to those that lead to their places at `time`.
    fn lead(&mut self, system: &dyn MechSystem, work: &mut Work, time: f64, h: f64) {
        work.start.copy_from_slice(&work.q0);
        system.prescribe(LoadCase::at(time), &mut work.start);
        for (row, held) in system.held().iter().enumerate() {
            for axis in (0..3).filter(|&axis| held[axis]) {
                self.trial.y[row][axis] = (work.start[row][axis] - work.q0[row][axis]) / h;
            }
        }
    }

    /// Positions and rows of the iterate.
    pub(super) fn move_trial(&mut self, multibody: &Multibody, work: &Work, h: f64) {
        let Self { start, trial, reduction, rows, offsets, .. } = self;
        for (k, body) in multibody.bodies.iter().enumerate() {
            let turn = trial.y[body.row as usize + 1] * h;
            trial.orientations[k] = advanced_by_cayley(&start.orientations[k], &turn);
            trial.turns[k] = trial.orientations[k].to_rotation_matrix().into_inner();
        }
        for (q, (q0, y)) in trial.q.iter_mut().zip(work.q0.iter().zip(&trial.y)) {
            *q = q0 + y * h;
        }
        for (k, body) in multibody.bodies.iter().enumerate() {
            let turn = turn_between(&UnitQuaternion::identity(), &trial.orientations[k]);
            trial.q[body.row as usize + 1] = turn;
        }
        multibody.place_followers(&mut trial.turns, &mut trial.q);
        for (k, carried) in multibody.carried.iter().enumerate() {
            let body = carried.body as usize;
            trial.orientations[body] = multibody.bodies[body].orientation(&trial.q);
            trial.turnings[k] = multibody.turning(k, &trial.q);
            trial.rates[k] = Turning::mean_rates(&start.turnings[k], &trial.turnings[k]);
        }
        for k in 0..multibody.bodies.len() {
            trial.mean_turns[k] = (start.turns[k] + trial.turns[k]) * 0.5;
            trial.half[k] = half_way(&start.orientations[k], &trial.orientations[k]);
        }
        multibody.update_weights(&trial.mean_turns, &trial.rates, &mut trial.weights);
        reduction.update_weights(&trial.weights);
        reduction.expand_velocity(&mut trial.y);
        for (mean, (q0, q)) in trial.mean_q.iter_mut().zip(work.q0.iter().zip(&trial.q)) {
            *mean = (q0 + q) * 0.5;
        }
        let coordinates = &start.coordinates;
        let end = Placement { q: &trial.q, turns: &trial.turns, coordinates };
        let mean = Placement { q: &trial.mean_q, turns: &trial.mean_turns, coordinates };
        for (row, value) in trial.values.iter_mut().enumerate() {
            *value = multibody.rows.value(row, end);
            let entries = offsets[row] as usize..offsets[row + 1] as usize;
            let coefficients = &mut trial.coefficients[entries];
            multibody.rows.coefficients(row, mean, coefficients);
            let rate = (*value - start.values[row]) / h;
            multibody.rows.meet(row, mean, (&trial.y, rate, h), coefficients);
        }
        rows.reduce(reduction, &trial.coefficients, &mut trial.reduced);
    }

    /// What the iterate leaves of the equations. All momentum rows are multiplied by the weight of the end.
    pub(super) fn weigh(
        &mut self,
        multibody: &Multibody,
        matrix: &BlockMatrix,
        work: &Work,
        piece: Piece,
    ) {
        let Self { start, trial, reduction, rows, terms, masses, free, .. } = self;
        trial.force.copy_from_slice(&work.b);
        for carried in &multibody.carried {
            let body = carried.body as usize;
            let center = multibody.bodies[body].row as usize;
            let momentum = trial.y[center] * masses[center].x;
            trial.force[center] -= momentum;
            let weight = piece.spin_weight(free[body]);
            let spins = spins_of(multibody, body, (start, trial), work, weight);
            trial.force[center + 1] -= (spins[1] - spins[0]) * piece.weight();
        }
        reduction.reduce_force(&mut trial.force);
        matrix.mul(&trial.y, &mut trial.residual);
        for (_, [row, column], block) in terms.iter() {
            trial.residual[*row as usize] -= block * trial.y[*column as usize];
        }
        for (residual, force) in trial.residual.iter_mut().zip(&trial.force) {
            *residual -= force;
        }
        let mut scale = f64::MIN_POSITIVE;
        for (k, body) in multibody.bodies.iter().enumerate() {
            let spin = body.row as usize + 1;
            let weight = piece.spin_weight(free[k]);
            let spins = spins_of(multibody, k, (start, trial), work, weight);
            trial.residual[spin] += (spins[1] - spins[0]) * weight;
            scale = scale.max(spins[0].norm() / self.lengths[spin]);
        }
        let pattern = rows.pattern();
        for (row, &impulse) in trial.impulses.iter().enumerate() {
            for entry in pattern.entries(row) {
                let (block, push) =
                    (pattern.blocks()[entry] as usize, trial.reduced[entry] * impulse);
                trial.residual[block] -= push;
                scale = scale.max(push.norm() / self.lengths[block]);
            }
        }
        if let Some(rows) = &mut self.unilateral {
            rows.push(&mut trial.residual, &self.lengths, &mut scale);
            rows.measure(&trial.y, piece.h);
        }
        self.measure(multibody, scale, piece);
        self.set_row_residuals(multibody, piece);
    }

    /// The largest errors; then turns the angular ones into the frame half way, where the matrix is
    /// symmetric up to second order in the turn.
    fn measure(&mut self, multibody: &Multibody, mut scale: f64, piece: Piece) {
        let Self { trial, held, lengths, masses, .. } = self;
        let mut largest = 0f64;
        for (row, residual) in trial.residual.iter_mut().enumerate() {
            for axis in (0..3).filter(|&axis| held[row][axis]) {
                residual[axis] = 0.0;
            }
            let size = residual.norm() / lengths[row];
            // A maximum that keeps what is not a number.
            largest = if size <= largest { largest } else { size };
            let rest = masses[row].x / lengths[row] * (REST * piece.h);
            scale = scale.max(trial.force[row].norm() / lengths[row]).max(rest);
            // Where all was at rest, what is led sets it in motion.
            if !held[row].contains(&true) {
                scale = scale.max(masses[row].x * trial.y[row].norm() / lengths[row]);
            }
        }
        trial.momentum_error = largest / scale;
        for (k, body) in multibody.bodies.iter().enumerate() {
            let residual = &mut trial.residual[body.row as usize + 1];
            // The mean of two rotations is singular for half a turn only.
            let inverse = trial.mean_turns[k].try_inverse().unwrap_or_else(Mat3::identity);
            *residual = trial.half[k] * (inverse * *residual);
        }
    }

    /// Errors of the rows: of rigid ones their values at the end, of soft ones those of the rule.
    fn set_row_residuals(&mut self, multibody: &Multibody, piece: Piece) {
        let Self { trial, start, .. } = self;
        let (h, w) = (piece.h, piece.weight());
        let mut largest = 0f64;
        for (row, soft) in multibody.softness.iter().enumerate() {
            let (before, after) = (start.values[row], trial.values[row]);
            let error = if soft.compliance == 0.0 {
                after
            } else {
                (1.0 - w) * before
                    + w * after
                    + soft.compliance * soft.damping * (after - before) / h
                    + soft.compliance * trial.impulses[row] / (w * h)
            };
            trial.row_residual[row] = error;
            largest = if error.abs() <= largest { largest } else { error.abs() };
        }
        trial.position_error = largest;
    }

    /// Velocities at the end of the step, by the mean ones.
    pub(super) fn set_end_velocities(&mut self, multibody: &Multibody, work: &Work, piece: Piece) {
        let Self { start, trial, end_u, free, .. } = self;
        for (u, (u0, y)) in end_u.iter_mut().zip(work.u0.iter().zip(&trial.y)) {
            *u = u0 + (y - u0) / piece.weight();
        }
        for (k, body) in multibody.bodies.iter().enumerate() {
            let spin = body.row as usize + 1;
            let weight = piece.spin_weight(free[k]);
            let after = body_spin(&start.turns[k], &work.u0[spin], &trial.y[spin], weight);
            end_u[spin] = trial.turns[k] * after;
        }
    }

    /// Writes the end of the step into `state`.
    pub(super) fn finish(
        &mut self,
        context: StepContext,
        work: &Work,
        state: &mut State,
        piece: Piece,
    ) {
        let StepContext { system, multibody } = context;
        self.set_end_velocities(multibody, work, piece);
        let Self { trial, reduction, end_u, .. } = self;
        let (h, w) = (piece.h, piece.weight());
        state.q.copy_from_slice(&trial.q);
        state.u.copy_from_slice(end_u);
        // What is led is where it is led to, without the rounding of a velocity.
        if system.prescribe(LoadCase::at(state.time + piece.offset + h), &mut state.q) {
            multibody.update_turns(&state.q, &mut trial.turns);
            multibody.place_followers(&mut trial.turns, &mut state.q);
        }
        multibody.update_rates(&state.q, &mut trial.rates);
        multibody.update_weights(&trial.turns, &trial.rates, &mut trial.weights);
        reduction.update_weights(&trial.weights);
        reduction.expand_velocity(&mut state.u);
        multibody.keep_carried(end_u, &trial.weights, &mut state.u);
        let impulses = trial.impulses.iter().zip(&mut state.multipliers);
        impulses.for_each(|(impulse, force)| *force = impulse / (w * h));
        if let Some(rows) = &self.unilateral {
            rows.write_forces(multibody, state, w * h);
        }
    }
}

/// Angular momentum of body number `k` about its centre at the start and at the end [kg m²/s].
fn spins_of(
    multibody: &Multibody,
    k: usize,
    (start, trial): (&Start, &Trial),
    work: &Work,
    weight: f64,
) -> [Vec3; 2] {
    let body = &multibody.bodies[k];
    let spin = body.row as usize + 1;
    let before = start.turns[k].tr_mul(&work.u0[spin]);
    let after = body_spin(&start.turns[k], &work.u0[spin], &trial.y[spin], weight);
    let rotational = body.inertia.rotational();
    [start.turns[k] * (rotational * before), trial.turns[k] * (rotational * after)]
}

/// Angular velocity at the end of a step in body axes, by the mean one `y` in the axes of the world: its
/// components in body axes are what the rule extrapolates.
fn body_spin(start: &Mat3, before: &Vec3, y: &Vec3, weight: f64) -> Vec3 {
    start.tr_mul(&(before + (y - before) / weight))
}

fn half_way(a: &UnitQuaternion<f64>, b: &UnitQuaternion<f64>) -> Mat3 {
    let b = if a.coords.dot(&b.coords) < 0.0 { -b.into_inner() } else { b.into_inner() };
    UnitQuaternion::new_normalize(a.into_inner() + b).to_rotation_matrix().into_inner()
}

/// Mean angular velocity W of a free step from `before`, both in body axes, at weight 1/2: the root of
/// 2 J (W - W0) + h W x J W (Austin1993), by Newton's method.
fn free_spin(inertia: &SpatialInertia, before: &Vec3, h: f64) -> Vec3 {
    let j = inertia.rotational();
    let mut mean = *before;
    for _ in 0..20 {
        let residual = j * (mean - before) * 2.0 + mean.cross(&(j * mean)) * h;
        let derivative = j * 2.0 + (skew(&mean) * j - skew(&(j * mean))) * h;
        let change = derivative.lu().solve(&residual).unwrap_or_else(Vec3::zeros);
        mean -= change;
        if change.norm() <= 1e-16 * mean.norm() {
            break;
        }
    }
    mean
}
