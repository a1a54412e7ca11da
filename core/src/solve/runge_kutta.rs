//! The classical Runge-Kutta rule of fourth order. Systems with bodies and rows: accelerations under the
//! rows at each stage, and positions and velocities projected onto them at the end.

use super::prescribed::Within;
use super::solver::{Failure, MechSystemSolver, Work};
use crate::Vec3;
use crate::force::VelocityTerms;
use crate::system::{LoadCase, MechSystem, Motion, State};

/// Time and weight of each stage.
pub(super) const STAGES: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

impl MechSystemSolver {
    /// One step without bodies and rows.
    pub(super) fn step_runge_kutta(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        h: f64,
    ) -> Result<(), Failure> {
        // Sums of stages: of velocities in `start`, of accelerations in `x`.
        self.work.start.fill(Vec3::zeros());
        self.work.x.fill(Vec3::zeros());
        self.work.b.fill(Vec3::zeros());
        self.work.memory.begin(state);
        for (k, (share, weight)) in STAGES.into_iter().enumerate() {
            if k > 0 {
                let work = &self.work;
                for (row, q) in state.q.iter_mut().enumerate() {
                    *q = work.q0[row] + state.u[row] * (share * h);
                }
                for (row, u) in state.u.iter_mut().enumerate() {
                    *u = work.u0[row] + work.b[row] * (share * h);
                }
                work.memory.stage(state, share * h);
                system.prescribe(LoadCase::at(state.time + share * h), &mut state.q);
            }
            let stage = Within { time: state.time, h, share };
            self.prescribe_velocities(system, state, stage);
            let load = LoadCase::at(state.time + share * h);
            self.eval_forces(system, load, Motion::now(state), VelocityTerms::Included)?;
            for (row, &mass) in system.masses().iter().enumerate() {
                // A held node without an element has no mass; it is led.
                let force = self.work.f[row];
                let acceleration = if mass > 0.0 { force / mass } else { Vec3::zeros() };
                self.work.b[row] = acceleration;
                self.work.x[row] += acceleration * (weight / 6.0);
                self.work.start[row] += state.u[row] * (weight / 6.0);
            }
            self.work.memory.add(system, state, (load.time, h), weight / 6.0);
        }
        let work = &mut self.work;
        for row in 0..state.q.len() {
            state.q[row] = work.q0[row] + work.start[row] * h;
            state.u[row] = work.u0[row] + work.x[row] * h;
        }
        work.memory.finish(state, h);
        let end = Within { time: state.time, h, share: 1.0 };
        self.prescribe_velocities(system, state, end);
        system.prescribe(LoadCase::at(state.time + h), &mut state.q);
        Ok(())
    }

    /// Velocities of prescribed scalars at a time within the step; their accelerations are in `work.b`.
    pub(super) fn prescribe_velocities(
        &mut self,
        system: &dyn MechSystem,
        state: &mut State,
        within: Within,
    ) {
        let Work { f, f0, b, .. } = &mut self.work;
        within.derivatives(system, [f, f0], (&mut state.u, b));
    }
}
