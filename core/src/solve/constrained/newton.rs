//! The rules themselves in place of their linearization: forces of the end are evaluated at the end, and the
//! rounds repeated about it until momenta are balanced with these.

use super::{Constrained, Piece};
use crate::force::VelocityTerms;
use crate::linalg::BLOCK;
use crate::solve::settings::NewtonSettings;
use crate::solve::solver::{Failure, MechSystemSolver};
use crate::system::{LoadCase, MechSystem, Motion, Multibody, State};

impl MechSystemSolver {
    /// Goes on from the linearized solution; `state` is that of the start.
    pub(super) fn relinearize(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &State,
        (piece, newton): (Piece, NewtonSettings),
    ) -> Result<(), Failure> {
        let (h, w) = (piece.h, piece.weight());
        let time = state.time + piece.offset;
        let start = Motion { step: piece.offset, ..Motion::of(state, h) };
        self.eval_forces(system, LoadCase::at(time), start, VelocityTerms::Included)?;
        self.work.f0.copy_from_slice(&self.work.f);
        let mut error = f64::INFINITY;
        for _ in 0..newton.max_iterations {
            own.set_end_velocities(multibody, &self.work, piece);
            let (q, u) = (&own.trial.q, &own.end_u);
            let start = Motion::of(state, piece.offset + h);
            let motion = Motion { q, u, ..start };
            let load = LoadCase::at(time + h);
            self.eval_forces(system, load, motion, VelocityTerms::Included)?;
            self.assemble(system, load, motion, (0.0, piece.rule.jacobian_scale(h)))?;
            self.matrix.mul(&own.trial.y, &mut self.work.b);
            let masses = system.masses();
            for (row, b) in self.work.b.iter_mut().enumerate() {
                let force = self.work.f0[row] * (1.0 - w) + self.work.f[row] * w;
                *b += self.work.u0[row] * masses[row] + force * (w * h);
                let block = BLOCK * system.pattern().diagonal(row);
                for axis in 0..3 {
                    self.matrix.values_mut()[block + 4 * axis] += masses[row];
                }
            }
            for (body, _) in multibody.bodies.iter().zip(&own.free).filter(|(_, free)| **free) {
                self.work.b[body.row as usize + 1] *= 0.5 / w;
            }
            own.reduce((system, multibody), &mut self.matrix);
            own.weigh(multibody, &self.matrix, &self.work, piece);
            error = own.trial.momentum_error;
            if error < newton.tolerance.max(piece.momentum_goal()) {
                return Ok(());
            }
            self.iterate((system, multibody), own, state, piece)?;
        }
        let (iterations, tolerance) = (newton.max_iterations, newton.tolerance);
        let method = "Newton's method";
        Err(Failure::NotConverged { method, iterations, residual: error, tolerance })
    }
}
