//! The rules themselves in place of their linearization: forces of the end, or of the mean of start and end,
//! are evaluated there, and the rounds repeated about it until momenta are balanced with these.

use nalgebra::UnitQuaternion;

use super::{Constrained, Piece};
use crate::Vec3;
use crate::dynamics::turn_between;
use crate::force::VelocityTerms;
use crate::linalg::BLOCK;
use crate::solve::settings::NewtonSettings;
use crate::solve::solver::{Failure, MechSystemSolver};
use crate::system::{INSTANT, LoadCase, MechSystem, Motion, Multibody, State};

/// Momentum error to which the midpoint rule is solved where Newton's method still gains a digit [-]: what is
/// left is what angular momentum loses.
const FINE_GOAL: f64 = 1e-13;
/// An iteration that leaves more than this share of an error below its goal is the last [-].
const FINE_CONTRACTION: f64 = 0.1;

impl MechSystemSolver {
    /// Goes on from the linearized solution; `state` is that of the start.
    pub(super) fn relinearize(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &State,
        (piece, newton): (Piece, NewtonSettings),
    ) -> Result<(), Failure> {
        let time = state.time + piece.offset;
        if !piece.forces_at_mean() {
            let start = Motion::of(state, piece.offset.max(INSTANT));
            self.eval_forces(system, LoadCase::at(time), start, VelocityTerms::Included)?;
            self.work.f0.copy_from_slice(&self.work.f);
        }
        let goal = newton.tolerance.max(piece.momentum_goal());
        let (mut error, mut before) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..newton.max_iterations {
            self.linearize_about((system, multibody), own, state, piece)?;
            own.reduce((system, multibody), &mut self.matrix);
            own.weigh(multibody, &self.matrix, &self.work, piece);
            error = own.trial.momentum_error;
            let fine = error < FINE_GOAL || error > FINE_CONTRACTION * before;
            if error < goal && (fine || !piece.forces_at_mean()) {
                return Ok(());
            }
            before = error;
            self.iterate((system, multibody), own, state, piece)?;
        }
        let (iterations, tolerance) = (newton.max_iterations, newton.tolerance);
        let method = "Newton's method";
        Err(Failure::NotConverged { method, iterations, residual: error, tolerance })
    }

    /// Matrix and right side by forces and derivatives of the iterate.
    fn linearize_about(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &State,
        piece: Piece,
    ) -> Result<(), Failure> {
        let (h, w) = (piece.h, piece.weight());
        own.set_end_velocities(multibody, &self.work, piece);
        // The share of the step after which forces are evaluated, and the weight that they have.
        let (share, weight) = if piece.forces_at_mean() { (w, 1.0) } else { (1.0, w) };
        let (q, u) = match piece.forces_at_mean() {
            true => own.mean_motion(multibody),
            false => (&own.trial.q[..], &own.end_u[..]),
        };
        let motion = Motion { q, u, ..Motion::of(state, piece.offset + share * h) };
        let load = LoadCase::at(state.time + piece.offset + share * h);
        self.eval_forces(system, load, motion, VelocityTerms::Included)?;
        self.assemble(system, load, motion, (0.0, piece.rule.jacobian_scale(h)))?;
        self.matrix.mul(&own.trial.y, &mut self.work.b);
        let masses = system.masses();
        for (row, b) in self.work.b.iter_mut().enumerate() {
            let force = self.work.f0[row] * (1.0 - weight) + self.work.f[row] * weight;
            *b += self.work.u0[row] * masses[row] + force * (w * h);
            let block = BLOCK * system.pattern().diagonal(row);
            for axis in 0..3 {
                self.matrix.values_mut()[block + 4 * axis] += masses[row];
            }
        }
        for (body, _) in multibody.bodies.iter().zip(&own.free).filter(|(_, free)| **free) {
            self.work.b[body.row as usize + 1] *= 0.5 / w;
        }
        Ok(())
    }
}

impl Constrained {
    /// Means of positions and velocities, bodies turned half way.
    fn mean_motion(&mut self, multibody: &Multibody) -> (&[Vec3], &[Vec3]) {
        let Self { start, trial, .. } = self;
        for (k, body) in multibody.bodies.iter().enumerate() {
            let turn = turn_between(&start.orientations[k], &trial.orientations[k]);
            let half = UnitQuaternion::new(turn * 0.5) * start.orientations[k];
            trial.mean_q[body.row as usize + 1] = turn_between(&UnitQuaternion::identity(), &half);
        }
        (&trial.mean_q, &trial.y)
    }
}
