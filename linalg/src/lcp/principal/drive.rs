//! One violated variable driven to where it may be, by its complement (CottlePangStone1992,
//! alg. 4.3.2).

use super::{Principal, TwoByTwo};
use crate::lcp::ActiveSetStatus;
use crate::lcp::scaled::Scaled;
use crate::lcp::vector::largest;

/// Rates below this part of the largest do not block: they are rounding.
const STILL: f64 = 1e-11;

/// A pivot on the diagonal must be this large, beside a diagonal near 1, or 2 x 2 is taken instead.
/// Smaller ones are what rounding leaves of zero after many pivots.
const PIVOT: f64 = 1e-9;

/// Outcome of driving a variable.
pub(super) enum Drive {
    Done,
    /// Nothing stops it.
    Ray,
    /// Too many pivots, or one that is needed is not allowed.
    Stuck,
}

/// Outcome of a blocking variable that leaves the basis.
enum Leave {
    Single,
    Double,
    Over(Drive),
}

#[derive(Clone, Copy, PartialEq)]
enum Stop {
    /// The violated variable is where it belongs.
    Target,
    /// The driving z is at its other bound.
    OwnBound,
    /// The basic variable of this index meets a limit.
    Basic(usize),
    Nothing,
}

impl Principal {
    /// Drives the basic variable of s by its complement. After a 2 x 2 pivot the two have changed
    /// roles: the violated one is the complement, and moves by itself.
    pub(super) fn drive(&mut self, problem: &Scaled, s: usize) -> Drive {
        let mut gap = self.gap(problem, s);
        let sign = gap.signum();
        let mut released = false;
        loop {
            self.pivots += 1;
            if self.is_exhausted() {
                return Drive::Stuck;
            }
            self.tableau.read_column(self.column_of[s] as usize, &mut self.column);
            let rate = if released { 1.0 } else { self.column[self.row_of[s] as usize] };
            let (step, stop) = self.first_stop(problem, (s, sign, released), gap.abs() / rate);
            if stop == Stop::Nothing {
                return Drive::Ray;
            }
            self.advance(s, sign * step);
            gap -= sign * step * rate;
            match stop {
                Stop::Target | Stop::OwnBound => {
                    self.finish(problem, (s, sign, released), stop);
                    return Drive::Done;
                }
                Stop::Basic(r) => match self.leave(problem, (r, s)) {
                    Leave::Single => {}
                    Leave::Double => released = !released,
                    Leave::Over(end) => return end,
                },
                Stop::Nothing => {}
            }
        }
    }

    /// The basic variable of r, which met a limit, leaves the basis: by a pivot on the diagonal, by one
    /// of 2 x 2, or where neither is to be had, not at all.
    fn leave(&mut self, problem: &Scaled, (r, s): (usize, usize)) -> Leave {
        let own = self.diagonal(r);
        let possible = own.abs() > PIVOT;
        self.rest_at_limit(problem, r);
        if r == s {
            self.pivot_at(s);
            return Leave::Over(Drive::Done);
        }
        if possible {
            self.pivot_at(r);
            return Leave::Single;
        }
        if self.allowed == TwoByTwo::Allowed {
            self.pivot_two(r, s);
            return Leave::Double;
        }
        if !self.basic[s] {
            return Leave::Over(Drive::Stuck);
        }
        self.hold(problem, s);
        Leave::Over(Drive::Done)
    }

    /// Puts a basic z that is out of bounds, from rounding or a start that did not fit, on its bound
    /// at once. What was satisfied may not be any more.
    fn hold(&mut self, problem: &Scaled, s: usize) {
        self.rest_at_limit(problem, s);
        self.pivot_at(s);
        self.refine(problem);
    }

    /// The exchange of two indices at once, each by the other's column.
    fn pivot_two(&mut self, r: usize, s: usize) {
        self.pivot_pair(r, s);
        self.pivot_pair(s, r);
        self.row_of.swap(r, s);
        self.column_of.swap(r, s);
        for i in [r, s] {
            self.basic[i] = !self.basic[i];
            if self.basic[i] {
                self.statuses[i] = ActiveSetStatus::Basic;
            }
        }
    }

    /// Moves the complement of s, and the basic variables with it.
    fn advance(&mut self, s: usize, step: f64) {
        for i in 0..self.z.len() {
            let change = step * self.column[self.row_of[i] as usize];
            if self.basic[i] {
                self.z[i] += change;
            } else {
                self.w[i] += change;
            }
        }
        if self.basic[s] {
            self.w[s] += step;
        } else {
            self.z[s] += step;
        }
        let moved = step.abs() * largest(&self.column).max(1.0);
        self.zero_steps = if moved <= self.tolerance { self.zero_steps + 1 } else { 0 };
    }

    /// The variable is where it belongs: gives it its value to the last bit, and its place.
    fn finish(&mut self, problem: &Scaled, driven: (usize, f64, bool), stop: Stop) {
        let (s, sign, released) = driven;
        if stop == Stop::OwnBound {
            (self.statuses[s], self.z[s]) = bound(problem, s, sign > 0.0);
        } else if released && self.basic[s] {
            self.w[s] = 0.0;
        } else if released {
            let rising = self.z[s] > 0.5 * (problem.lower[s] + problem.upper[s]);
            (self.statuses[s], self.z[s]) = bound(problem, s, rising);
        } else {
            self.rest_at_limit(problem, s);
            self.pivot_at(s);
        }
    }

    /// The basic variable of r takes the value of the limit that it met.
    fn rest_at_limit(&mut self, problem: &Scaled, r: usize) {
        if self.basic[r] {
            let (lower, upper) = (problem.lower[r], problem.upper[r]);
            let at_upper = (upper - self.z[r]).abs() < (self.z[r] - lower).abs();
            (self.statuses[r], self.z[r]) = bound(problem, r, at_upper);
        } else {
            self.w[r] = 0.0;
        }
    }

    /// First stop of a step, and its length; `own` is the step to the target. Of variables that
    /// meet their limits together within the tolerance, the one that moves most is taken.
    fn first_stop(&self, problem: &Scaled, driven: (usize, f64, bool), own: f64) -> (f64, Stop) {
        let (s, sign, released) = driven;
        let most = largest(&self.column).max(1.0);
        let blocking = || {
            let rate = |i: usize| sign * self.column[self.row_of[i] as usize];
            (0..self.z.len())
                .filter(move |&i| (released || i != s) && rate(i).abs() > STILL * most)
                .map(move |i| (i, rate(i), self.room(problem, i, rate(i))))
                .filter(|(.., room)| room.is_finite())
        };
        let relaxed = |(_, d, room): (usize, f64, f64)| (room + self.tolerance) / d.abs();
        let limit = blocking().map(relaxed).fold(f64::INFINITY, f64::min);
        let mut best = (0.0, f64::INFINITY, Stop::Nothing);
        for (i, d, room) in blocking().filter(|(_, d, room)| room / d.abs() <= limit) {
            let better =
                if self.breaks_ties() { best.2 == Stop::Nothing } else { d.abs() > best.0 };
            if better {
                best = (d.abs(), room / d.abs(), Stop::Basic(i));
            }
        }
        let depends = !released && self.column[self.row_of[s] as usize] <= STILL * most;
        let own = if depends { f64::INFINITY } else { own };
        let bound = self.own_room(problem, s, sign, released);
        let first = own.min(bound);
        if first == f64::INFINITY || best.1 < first {
            return (best.1, best.2);
        }
        (first, if own <= bound { Stop::Target } else { Stop::OwnBound })
    }

    /// Distance of a driving z from its other bound; infinite for a driving w.
    fn own_room(&self, problem: &Scaled, s: usize, sign: f64, released: bool) -> f64 {
        if released || self.basic[s] {
            return f64::INFINITY;
        }
        let bound = if sign > 0.0 { problem.upper[s] } else { problem.lower[s] };
        (bound - self.z[s]).abs()
    }

    /// Distance that the basic variable of i may move in the direction of d. One that is violated
    /// already does not block.
    fn room(&self, problem: &Scaled, i: usize, d: f64) -> f64 {
        let (value, (lower, upper)) = (self.value(i), self.limits(problem, i));
        if value < lower - self.tolerance || value > upper + self.tolerance {
            return f64::INFINITY;
        }
        let bound = if d > 0.0 { upper } else { lower };
        ((bound - value) * d.signum()).max(0.0)
    }
}

/// A bound and its place.
fn bound(problem: &Scaled, i: usize, upper: bool) -> (ActiveSetStatus, f64) {
    if upper {
        (ActiveSetStatus::Upper, problem.upper[i])
    } else {
        (ActiveSetStatus::Lower, problem.lower[i])
    }
}
