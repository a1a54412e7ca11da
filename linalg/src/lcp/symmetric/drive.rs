//! One variable driven from its bound until its w is zero: the inner loop.

use super::{Rule, Symmetric};
use crate::lcp::ActiveSetStatus;
use crate::lcp::basis::Schur;
use crate::lcp::scaled::Scaled;
use crate::lcp::vector::{add_scaled, largest};

/// Entries of a direction below this part of the largest do not block: they are rounding.
const STILL: f64 = 1e-11;

/// Least size of blocking entries where ties are broken by index, as a part of the largest.
const STURDY: f64 = 1e-7;

/// Outcome of driving a variable.
pub(super) enum Drive {
    /// Its w is zero, or it is at its other bound.
    Done,
    /// Nothing stops it.
    Ray,
    /// The matrix is not positive semidefinite.
    Indefinite,
    /// Too many pivots.
    Exhausted,
}

/// First stop of a driven variable.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stop {
    OwnW,
    OwnBound,
    Basic(usize),
    /// The w of this variable would turn wrong.
    W(usize),
    Nothing,
}

impl Symmetric {
    /// Drives variable s until its w is zero. Basic variables that come to a bound leave the basis on
    /// the way; where the row of s depends on the basic ones, s takes the place of the one that leaves
    /// in the same pivot, of 2 x 2, and its w is driven then.
    pub(super) fn drive(&mut self, problem: &Scaled, s: usize) -> Drive {
        let sign = if self.w[s] < 0.0 { 1.0 } else { -1.0 };
        self.before.copy_from_slice(&self.z);
        self.passive.fill(false);
        let end = loop {
            self.pivots += 1;
            if self.is_exhausted() {
                break Drive::Exhausted;
            }
            if self.basis.contains(s) {
                if self.drive_velocity(problem, s) {
                    break Drive::Done;
                }
            } else if let Some(end) = self.drive_impulse(problem, s, sign) {
                break end;
            }
        };
        if self.rule == Rule::Keller {
            self.update_w(problem, s);
        }
        end
    }

    /// Distance and kind of the first stop of z_s, driven with the sign `sign`.
    fn first_impulse_stop(
        &mut self,
        problem: &Scaled,
        (s, sign): (usize, f64),
        schur: f64,
        bound: f64,
    ) -> (f64, Stop) {
        self.basis.calc_direction(&mut self.direction);
        self.direction.iter_mut().for_each(|d| *d *= sign);
        let own = if schur == 0.0 { f64::INFINITY } else { self.w[s].abs() / schur };
        let first = self.first_stop(problem, 1.0, own, (bound - self.z[s]).abs());
        if self.rule != Rule::Dantzig {
            return first;
        }
        self.update_rates(problem, s, sign);
        self.first_w(problem, s, first)
    }

    /// Moves z_s until its w is zero or something else stops it, and pivots.
    fn drive_impulse(&mut self, problem: &Scaled, s: usize, sign: f64) -> Option<Drive> {
        let schur = match self.basis.calc_schur(problem, s) {
            Schur::Positive(schur) => schur,
            Schur::Dependent => 0.0,
            Schur::Indefinite => return Some(Drive::Indefinite),
        };
        let bound = if sign > 0.0 { problem.upper[s] } else { problem.lower[s] };
        let (step, stop) = self.first_impulse_stop(problem, (s, sign), schur, bound);
        if stop == Stop::Nothing {
            return Some(Drive::Ray);
        }
        self.advance(step, 1.0);
        self.z[s] += sign * step;
        self.w[s] += sign * step * schur;
        self.advance_w(s, step);
        match stop {
            Stop::W(i) => {
                self.admit(problem, i);
                return None;
            }
            Stop::OwnW => {
                self.basis.append(s, schur);
                self.statuses[s] = ActiveSetStatus::Basic;
                return Some(Drive::Done);
            }
            Stop::OwnBound => {
                self.statuses[s] =
                    if sign > 0.0 { ActiveSetStatus::Upper } else { ActiveSetStatus::Lower };
                self.z[s] = bound;
                return Some(Drive::Done);
            }
            Stop::Basic(r) => self.leave(problem, r),
            Stop::Nothing => {}
        }
        if schur == 0.0 && self.rule == Rule::Keller {
            self.pivot_at(problem, s);
        }
        None
    }

    /// The second half of a 2 x 2 pivot: s, whose row is now independent of the basic ones, joins them.
    fn pivot_at(&mut self, problem: &Scaled, s: usize) {
        if self.basis.try_append(problem, s) {
            self.statuses[s] = ActiveSetStatus::Basic;
        }
    }

    /// Moves w_s, s being basic already, to zero; whether it came there, or s left at a bound.
    fn drive_velocity(&mut self, problem: &Scaled, s: usize) -> bool {
        self.direction.clear();
        self.direction.resize(self.basis.len(), 0.0);
        let slot = self.basis.slot(s);
        self.direction[slot] = -self.w[s];
        self.basis.solve(&mut self.direction);
        let (step, stop) = self.first_stop(problem, 0.0, 1.0, f64::INFINITY);
        self.advance(step, 0.0);
        self.w[s] *= 1.0 - step;
        match stop {
            Stop::Basic(r) => {
                self.leave(problem, r);
                r == s
            }
            _ => true,
        }
    }

    /// Moves the basic variables; `speed` is that of the driven one beside them.
    fn advance(&mut self, step: f64, speed: f64) {
        for (i, d) in self.basis.order().zip(&self.direction) {
            self.z[i] += step * d;
        }
        let moved = step * largest(&self.direction).max(speed);
        self.zero_steps = if moved <= self.tolerance { self.zero_steps + 1 } else { 0 };
    }

    /// A basic variable comes to rest on the bound that it met.
    fn leave(&mut self, problem: &Scaled, r: usize) {
        let rising = self.direction[self.basis.slot(r)] > 0.0;
        (self.statuses[r], self.z[r]) = if rising {
            (ActiveSetStatus::Upper, problem.upper[r])
        } else {
            (ActiveSetStatus::Lower, problem.lower[r])
        };
        self.basis.remove(r);
    }

    /// First stop of a step along `direction`, and its length; `own` and `bound` are the steps that
    /// the driven variable, of this speed, itself allows. Of basic variables that come to their
    /// bounds together within the tolerance, the one that moves most is taken: its pivot is the
    /// safest.
    fn first_stop(&self, problem: &Scaled, speed: f64, own: f64, bound: f64) -> (f64, Stop) {
        let most = largest(&self.direction).max(speed);
        let blocking = || {
            let moving = self.direction.iter().enumerate().filter(|(_, d)| d.abs() > STILL * most);
            moving
                .map(|(slot, &d)| (self.basis.variable(slot), d, self.room(problem, slot, d)))
                .filter(|(.., room)| room.is_finite())
        };
        let relaxed = |(_, d, room): (usize, f64, f64)| (room + self.tolerance) / d.abs();
        let limit = blocking().map(relaxed).fold(f64::INFINITY, f64::min);
        let mut best = (0.0, f64::INFINITY, Stop::Nothing);
        for (r, d, room) in blocking().filter(|(_, d, room)| room / d.abs() <= limit) {
            let by_index = self.breaks_ties() && d.abs() > STURDY * most;
            let weight = if by_index { f64::INFINITY } else { d.abs() };
            let earlier = matches!(best.2, Stop::Basic(other) if r < other);
            if weight > best.0 || (by_index && best.0 == f64::INFINITY && earlier) {
                best = (weight, room / d.abs(), Stop::Basic(r));
            }
        }
        let first = own.min(bound);
        if first == f64::INFINITY || best.1 < first {
            return (best.1, best.2);
        }
        (first, if own <= bound { Stop::OwnW } else { Stop::OwnBound })
    }

    /// Distance of a basic variable from the bound that it moves to; not below zero.
    fn room(&self, problem: &Scaled, slot: usize, d: f64) -> f64 {
        let i = self.basis.variable(slot);
        let bound = if d > 0.0 { problem.upper[i] } else { problem.lower[i] };
        ((bound - self.z[i]) * d.signum()).max(0.0)
    }

    /// Adds to w what the change of z since `before` makes; that of the driven variable is known.
    fn update_w(&mut self, problem: &Scaled, s: usize) {
        let own = if self.basis.contains(s) { 0.0 } else { self.w[s] };
        for i in 0..problem.len() {
            let change = self.z[i] - self.before[i];
            if change != 0.0 {
                add_scaled(&mut self.w, change, problem.row(i));
            }
        }
        self.w[s] = own;
    }
}
