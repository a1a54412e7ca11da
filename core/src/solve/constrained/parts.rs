//! A step as a whole, or in parts where its equations are not solved at once.

use super::{Constrained, Matrix, Piece};
use crate::constraint::Placement;
use crate::force::{JacobianScale, VelocityTerms};
use crate::solve::settings::Integrator;
use crate::solve::solver::{Failure, ImplicitRule, MechSystemSolver};
use crate::system::{LoadCase, MechSystem, Motion, Multibody, State};

/// Halvings of a step after which that is done.
const LENIENT_HALVINGS: usize = 2;
/// A step that does not converge is made in 2, 4, ... parts, this many times twice as many.
pub(super) const HALVINGS: usize = 8;

impl Failure {
    /// Whether a shorter step may succeed.
    pub(super) fn may_pass(&self) -> bool {
        let passing = matches!(self, Self::NotConverged { .. } | Self::Linear(_));
        passing || matches!(self, Self::Complementarity(_) | Self::Penetration { .. })
    }
}

impl MechSystemSolver {
    /// One step; in 2, 4, ... parts where its equations are not solved, then with parts of backward Euler
    /// where need be.
    pub(in super::super) fn step_constrained(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        state: &mut State,
        h: f64,
        integrator: Integrator,
    ) -> Result<(), Failure> {
        let mut own = self.constrained.take().expect("it was made for such a system");
        let done = self.step_in_parts((system, multibody), &mut own, state, h, integrator);
        let result = done.and_then(|()| match integrator {
            Integrator::Static(_) => own.check_static(multibody, state, h),
            _ => self.stabilize((system, multibody), &mut own, state, h),
        });
        own.count_contacts(state, &mut self.stats);
        self.constrained = Some(own);
        result
    }

    pub(super) fn step_in_parts(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        h: f64,
        integrator: Integrator,
    ) -> Result<(), Failure> {
        self.start_on_rows((system, multibody), own, state)?;
        match integrator {
            Integrator::Static(settings) => {
                let settings = (h, settings);
                return self.constrained_equilibrium((system, multibody), own, state, settings);
            }
            Integrator::RungeKutta4 => {
                return self.runge_kutta_in_parts((system, multibody), own, state, h);
            }
            _ => {}
        }
        let whole = Piece::whole(integrator, h, self.settings().friction);
        let nearest = Piece { matrix: Matrix::Nearest, ..whole };
        if own.conflicting && self.try_piece((system, multibody), own, state, nearest).is_ok() {
            self.stats.substeps = 1;
            return own.ensure_met(multibody);
        }
        own.conflicting = false;
        let done = self.try_parts((system, multibody), own, state, whole);
        if done.as_ref().is_err_and(Failure::may_pass)
            && self.try_piece((system, multibody), own, state, nearest).is_ok()
        {
            (own.conflicting, self.stats.substeps) = (true, 1);
            return own.ensure_met(multibody);
        }
        done
    }

    /// Keeps the start of the step, and brings a state without multipliers onto the rows.
    pub(super) fn start_on_rows(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
    ) -> Result<(), Failure> {
        let count = multibody.rows.count();
        own.start.keep(state, count);
        if !own.start.had_multipliers {
            self.project((system, multibody), own, state)?;
            self.enter_ranges((system, multibody), own, state)?;
            own.ensure_met(multibody)?;
            state.multipliers.resize(count, 0.0);
            state.multipliers.fill(0.0);
        }
        own.start.whole_q.copy_from_slice(&state.q);
        own.start.whole_u.copy_from_slice(&state.u);
        self.stats.substeps = 1;
        Ok(())
    }

    /// The whole step, else in 2, 4, ... parts. A part that fails may be made by backward Euler.
    pub(super) fn try_parts(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        whole: Piece,
    ) -> Result<(), Failure> {
        let mut done = Ok(());
        for halving in 0..=HALVINGS {
            let parts = 1 << halving;
            let h = whole.h / f64::from(parts);
            for part in 0..parts {
                let lenient = halving >= LENIENT_HALVINGS;
                let piece = Piece { offset: f64::from(part) * h, h, lenient, ..whole };
                done = self.try_piece((system, multibody), own, state, piece);
                if done.as_ref().is_err_and(Failure::may_pass) {
                    let other = Piece { matrix: Matrix::Unsymmetric, ..piece };
                    done = self.try_piece((system, multibody), own, state, other);
                }
                if done.as_ref().is_err_and(Failure::may_pass)
                    && halving > 0
                    && whole.weight() < 1.0
                {
                    let rule = ImplicitRule { end_weight: 1.0 };
                    let damped = Piece { rule, ..piece };
                    done = self.try_piece((system, multibody), own, state, damped);
                }
                if done.is_err() {
                    break;
                }
            }
            match &done {
                Ok(()) => {
                    self.stats.substeps = parts as usize;
                    return Ok(());
                }
                Err(error) if !error.may_pass() => return done,
                Err(_) => own.go_back(state),
            }
        }
        done
    }

    /// One part of a step; the state is as it was if it fails.
    pub(super) fn try_piece(
        &mut self,
        (system, multibody): (&dyn MechSystem, &Multibody),
        own: &mut Constrained,
        state: &mut State,
        piece: Piece,
    ) -> Result<(), Failure> {
        let Piece { offset, h, .. } = piece;
        let w = piece.weight();
        self.work.q0.copy_from_slice(&state.q);
        self.work.u0.copy_from_slice(&state.u);
        let load = LoadCase::at(state.time + offset + w * h);
        let motion = Motion::of(state, offset + w * h);
        let (terms, scale) = match piece.explicit {
            true => (VelocityTerms::Included, JacobianScale { position: 0.0, velocity: 0.0 }),
            false => (VelocityTerms::Excluded, piece.rule.jacobian_scale(h)),
        };
        self.eval_forces(system, load, motion, terms)?;
        self.assemble(system, load, motion, (1.0, scale))?;
        own.kkt.begin(&self.settings, piece.is_fine());
        own.begin((system, multibody), &mut self.work, state, piece);
        own.move_trial(multibody, &self.work, h);
        own.reduce((system, multibody), &mut self.matrix);
        own.weigh(multibody, &self.matrix, &self.work, piece);
        self.iterate((system, multibody), own, state, piece)?;
        if let Some(newton) = piece.newton {
            self.relinearize((system, multibody), own, state, (piece, newton))?;
        }
        if w < 1.0 && own.unilateral.as_ref().is_some_and(|rows| rows.impact(h)) {
            // What is struck under a rule that keeps energy would fly back.
            let rule = ImplicitRule { end_weight: 1.0 };
            return self.try_piece((system, multibody), own, state, Piece { rule, ..piece });
        }
        own.finish((system, multibody), &self.work, state, piece);
        if let Some(rows) = &mut own.unilateral {
            rows.count_into(piece.friction, &mut self.stats);
            let at = Placement {
                q: &state.q,
                turns: &own.trial.turns,
                coordinates: &own.start.coordinates,
            };
            if let Some((depth, pair)) = rows.beyond_limit(multibody, at, (&state.u, h)) {
                state.q.copy_from_slice(&self.work.q0);
                state.u.copy_from_slice(&self.work.u0);
                return Err(Failure::Penetration { depth, pair });
            }
        }
        Ok(())
    }
}
