//! Bodies that follow points, in a step: what of the matrix stands in rows of theirs goes to the rows of
//! their masters, and moments on them resist motions of these.

use crate::solve::constrained::StepContext;
use nalgebra::UnitQuaternion;

use super::Constrained;
use super::runge_kutta::LOOK;
use crate::attachment::{Attachments, Turning};
use crate::dynamics::{advanced, gyroscopic_torque, turn_between, world_inertia};
use crate::linalg::BlockMatrix;
use crate::solve::equations::Work;
use crate::system::{Multibody, State, Weight};
use crate::{Mat3, Vec3};

/// Hands a block of rows that may be slaves to their masters.
pub(super) fn spread(
    reduction: &Attachments,
    [row, column]: [u32; 2],
    block: &Mat3,
    put: &mut dyn FnMut(u32, u32, Mat3),
) {
    let (itself, row, column) = ([Mat3::identity()], [row], [column]);
    let (rows, left) = reduction.masters_of(row[0]).unwrap_or((&row, &itself));
    let (columns, right) = reduction.masters_of(column[0]).unwrap_or((&column, &itself));
    for (&i, left) in rows.iter().zip(left) {
        let half = left.tr_mul(block);
        for (&j, right) in columns.iter().zip(right) {
            put(i, j, half * right);
        }
    }
}

/// Hands what motions of its masters change of the forces that a moment [N m] on carried body number `k` exerts
/// on them to `add`.
pub(super) fn add_moment_stiffness(
    multibody: &Multibody,
    (k, turning): (usize, &Turning),
    moment: &Vec3,
    add: &mut dyn FnMut(u32, u32, Mat3),
) {
    let spin = multibody.carried[k].spin as usize;
    let rules = &multibody.weights[multibody.followers.weights(spin)];
    let masters = multibody.followers.masters(spin);
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

impl Constrained {
    /// Reduces what is linear. The inertia of carried bodies is taken out of it: it acts at the mean of the step.
    pub(super) fn reduce(&mut self, context: StepContext, matrix: &mut BlockMatrix) {
        let StepContext { system, multibody } = context;
        self.reduction.reduce(matrix);
        self.terms.clear();
        let (pattern, Self { terms, reduction, .. }) = (system.pattern(), self);
        for carried in &multibody.carried {
            let row = multibody.bodies[carried.body as usize].row;
            let mass = Mat3::identity() * system.masses()[row as usize];
            spread(reduction, [row, row], &mass, &mut |i, j, block| {
                let slot = pattern.slot(i, j).expect("masters of one slave are coupled");
                terms.push((slot, [i, j], block));
            });
        }
    }

    /// Moments on carried bodies, with those of what is fixed to them, of the right side and the impulses of the
    /// rows.
    pub(super) fn set_moments(&mut self, multibody: &Multibody, work: &Work) {
        if multibody.carried.is_empty() {
            return;
        }
        self.handed.copy_from_slice(&work.b);
        for carried in &multibody.carried {
            let row = multibody.bodies[carried.body as usize].row as usize;
            let momentum = self.trial.y[row] * self.masses[row].x;
            self.handed[row] -= momentum;
        }
        let impulses = std::mem::take(&mut self.trial.impulses);
        self.hand_down(multibody, &impulses);
        self.trial.impulses = impulses;
    }

    /// Forces that carried bodies exert on their masters because weights change with the motion, and the
    /// gyroscopic torques on them, into `self.right`.
    pub(super) fn add_carried_inertia(&mut self, multibody: &Multibody, state: &State) {
        for body in multibody.carried.iter().map(|carried| carried.body as usize) {
            let (rows, row) = (&multibody.bodies[body], multibody.bodies[body].row as usize);
            let inertia = world_inertia(&rows.inertia, &rows.orientation(&state.q));
            self.right[row + 1] += gyroscopic_torque(&inertia, &state.u[row + 1]);
            self.right[row] -= self.bias[row] * self.masses[row].x;
            self.right[row + 1] -= inertia * self.bias[row + 1];
        }
    }

    /// Accelerations of followers whose masters go on evenly, (dP/dt) u, by central differences along the
    /// motion, into `self.bias`. Leaves the weights of another place.
    pub(super) fn set_bias(&mut self, multibody: &Multibody, state: &State) {
        let Self { trial, reduction, bias, handed, .. } = self;
        bias.fill(Vec3::zeros());
        for side in [1.0, -1.0] {
            let step = side * LOOK;
            for (q, (now, u)) in trial.q.iter_mut().zip(state.q.iter().zip(&state.u)) {
                *q = now + u * step;
            }
            for (turn, body) in trial.turns.iter_mut().zip(&multibody.bodies) {
                let spin = body.row as usize + 1;
                let turned = advanced(&body.orientation(&state.q), &(state.u[spin] * step));
                trial.q[spin] = turn_between(&UnitQuaternion::identity(), &turned);
                *turn = turned.to_rotation_matrix().into_inner();
            }
            multibody.place_followers(&mut trial.turns, &mut trial.q);
            multibody.update_rates(&trial.q, &mut trial.rates);
            multibody.update_weights(&trial.turns, &trial.rates, &mut trial.weights);
            reduction.update_weights(&trial.weights);
            handed.copy_from_slice(&state.u);
            reduction.expand_velocity(handed);
            let share = side / (2.0 * LOOK);
            bias.iter_mut().zip(&*handed).for_each(|(bias, u)| *bias += u * share);
        }
    }

    /// Adds what rows push with to `self.handed`, and hands all of it from followers to masters; moments on
    /// carried bodies on the way.
    pub(super) fn hand_down(&mut self, multibody: &Multibody, multipliers: &[f64]) {
        let Self { handed, moments, trial, reduction, offsets, .. } = self;
        for (row, multiplier) in multipliers.iter().enumerate() {
            let pushes = &trial.coefficients[offsets[row] as usize..offsets[row + 1] as usize];
            for (&block, push) in multibody.rows.lists()[row].iter().zip(pushes) {
                handed[block as usize] += push * *multiplier;
            }
        }
        for &k in reduction.order().iter().rev() {
            let k = k as usize;
            let force = handed[multibody.followers.slaves()[k] as usize];
            let range = multibody.followers.weights(k);
            if let Some(Weight::Gradient(carried, _)) = multibody.weights.get(range.start) {
                moments[*carried as usize] = force;
            }
            for (&master, weight) in
                multibody.followers.masters(k).iter().zip(&trial.weights[range])
            {
                handed[master as usize] += weight.tr_mul(&force);
            }
        }
    }
}
