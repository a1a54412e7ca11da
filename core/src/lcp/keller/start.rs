//! Where Keller's pivoting starts, and what its end is checked and corrected with.

use super::{Keller, tolerance};
use crate::lcp::basis::dependent;
use crate::lcp::scaled::Scaled;
use crate::lcp::Place;

/// The value that a variable has while it is not basic, and the place that names it.
pub(in crate::lcp) fn rest(problem: &Scaled, i: usize, place: Place) -> (Place, f64) {
    let (lower, upper) = (problem.lower[i], problem.upper[i]);
    let at_upper = upper.is_finite() && (place == Place::Upper || !lower.is_finite());
    match (at_upper, lower.is_finite()) {
        (true, _) => (Place::Upper, upper),
        (false, true) => (Place::Lower, lower),
        (false, false) => (Place::Lower, 0.0),
    }
}

impl Keller {
    /// Takes the places, makes basic what was basic and what has no bounds, and holds at their bounds
    /// those that do not keep to them.
    pub(super) fn start(&mut self, places: &[Place]) {
        let n = self.scaled.len();
        (self.pivots, self.zero_steps) = (0, 0);
        for values in [&mut self.z, &mut self.w, &mut self.before] {
            values.clear();
            values.resize(n, 0.0);
        }
        self.direction.clear();
        self.direction.reserve(n);
        self.certificate.reserve(n);
        self.ignored.clear();
        self.ignored.resize(n, false);
        self.places.clear();
        self.places.extend_from_slice(places);
        self.basis.reset(n);
        for i in 0..n {
            let wanted = self.places[i] == Place::Basic || self.scaled.is_free(i);
            if !(wanted && self.scaled.lower[i] < self.scaled.upper[i] && self.try_append(i)) {
                (self.places[i], self.z[i]) = rest(&self.scaled, i, self.places[i]);
            }
        }
        self.settle();
    }

    /// Makes a variable basic, unless its row depends on the basic ones.
    fn try_append(&mut self, i: usize) -> bool {
        let schur = self.basis.calc_schur(&self.scaled, i);
        let fits = schur > dependent(self.scaled.len());
        if fits {
            self.basis.append(i, schur);
            self.places[i] = Place::Basic;
        }
        fits
    }

    /// Solves for the basic variables, and holds those out of bounds at their bounds, until all are
    /// within. Each round leaves fewer basic.
    pub(super) fn settle(&mut self) {
        loop {
            // The second pass corrects the rounding of the first.
            (0..2).for_each(|_| self.correct_basic());
            self.size = self.scaled.size(&self.z);
            self.tolerance = tolerance(self.scaled.len()) * self.size;
            if !self.hold_outside() {
                break;
            }
        }
        self.scaled.calc_w(&self.z, &mut self.w);
    }

    fn correct_basic(&mut self) {
        self.scaled.calc_w(&self.z, &mut self.w);
        self.direction.clear();
        self.direction.extend(self.basis.order().map(|i| -self.w[i]));
        self.basis.solve(&mut self.direction);
        for (i, d) in self.basis.order().zip(&self.direction) {
            self.z[i] += d;
        }
    }

    /// Whether there were basic variables out of bounds: they are now held there.
    fn hold_outside(&mut self) -> bool {
        let mut found = false;
        for i in 0..self.scaled.len() {
            let nearest = self.scaled.clamp(i, self.z[i]);
            if !self.basis.contains(i) || nearest == self.z[i] {
                continue;
            }
            let off = (nearest - self.z[i]).abs();
            self.z[i] = nearest;
            if off > self.tolerance {
                self.hold(i);
                found = true;
            }
        }
        found
    }

    /// Takes a variable out of the basis and puts it on the bound that is nearer.
    pub(super) fn hold(&mut self, i: usize) {
        let (lower, upper) = (self.scaled.lower[i], self.scaled.upper[i]);
        let at_upper = (upper - self.z[i]).abs() < (self.z[i] - lower).abs();
        (self.places[i], self.z[i]) =
            if at_upper { (Place::Upper, upper) } else { (Place::Lower, lower) };
        self.basis.remove(i);
    }

    /// Solves anew for the basic variables and says whether all conditions hold with these.
    pub(super) fn polish(&mut self) -> bool {
        let before = self.basis.len();
        self.settle();
        before == self.basis.len() && self.most_violated().is_none()
    }

    /// Keeps the direction in which the driven variable moved without end.
    pub(super) fn certify(&mut self, driven: usize) {
        self.certificate.resize(self.scaled.len(), 0.0);
        let sign = if self.w[driven] < 0.0 { 1.0 } else { -1.0 };
        self.certificate[driven] = sign * self.scaled.scale[driven];
        for (i, d) in self.basis.order().zip(&self.direction) {
            self.certificate[i] = d * self.scaled.scale[i];
        }
    }
}
