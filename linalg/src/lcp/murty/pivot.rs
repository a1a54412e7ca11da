//! Exchanges in blocks: by the factor of the basic block where the matrix is symmetric, else by a
//! tableau.

use super::Murty;
use crate::lcp::ActiveSetStatus;
use crate::lcp::symmetric::rest;

/// A removal costs about three times what a row of a new factor does: from this part of the
/// rows on, the factor is made anew.
const ANEW: usize = 3;

/// Smallest pivot of a tableau.
const PIVOT: f64 = 1e-9;

impl Murty {
    /// The basis of the places; what cannot be basic is put to its bound.
    pub(super) fn make_basis(&mut self) {
        if !self.scaled.symmetric {
            self.general.start(&self.scaled, &self.statuses);
            self.statuses.copy_from_slice(&self.general.statuses);
            return;
        }
        self.basis.reset(self.scaled.len());
        for i in 0..self.statuses.len() {
            if self.statuses[i] == ActiveSetStatus::Basic && !self.try_append(i) {
                (self.statuses[i], _) = rest(&self.scaled, i, ActiveSetStatus::Lower);
            }
        }
        for i in 0..self.statuses.len() {
            if self.statuses[i] != ActiveSetStatus::Basic {
                (self.statuses[i], _) = rest(&self.scaled, i, self.statuses[i]);
            }
        }
    }

    fn try_append(&mut self, i: usize) -> bool {
        let fits = self.basis.try_append(&self.scaled, i);
        if fits {
            self.statuses[i] = ActiveSetStatus::Basic;
        }
        fits
    }

    /// z and w of the places.
    pub(super) fn evaluate(&mut self) {
        for i in 0..self.statuses.len() {
            if self.statuses[i] != ActiveSetStatus::Basic {
                self.z[i] = rest(&self.scaled, i, self.statuses[i]).1;
            }
        }
        if !self.scaled.symmetric {
            self.general.z.copy_from_slice(&self.z);
            self.general.refine(&self.scaled);
            self.z.copy_from_slice(&self.general.z);
            self.w.copy_from_slice(&self.general.w);
            return;
        }
        for _ in 0..2 {
            self.scaled.calc_w(&self.z, &mut self.w);
            self.right.clear();
            self.right.extend(self.basis.order().map(|i| -self.w[i]));
            self.basis.solve(&mut self.right);
            for (i, d) in self.basis.order().zip(&self.right) {
                self.z[i] += d;
            }
        }
        self.scaled.calc_w(&self.z, &mut self.w);
    }

    /// Moves what is wrong to its other place; how many could be moved.
    pub(super) fn pivot_wrong(&mut self) -> usize {
        let wrong = std::mem::take(&mut self.wrong);
        let basic = |i: &&u32| self.statuses[**i as usize] == ActiveSetStatus::Basic;
        let gone = wrong.iter().filter(basic).count();
        let anew = self.scaled.symmetric && ANEW * gone > self.basis.len();
        let mut changed = gone;
        for &i in &wrong {
            if self.statuses[i as usize] == ActiveSetStatus::Basic {
                self.hold(i as usize, !anew);
            } else {
                self.kept.push(i);
            }
        }
        if anew {
            self.renew();
        }
        for k in 0..self.kept.len() {
            changed += usize::from(self.enter(self.kept[k] as usize));
        }
        self.kept.clear();
        self.wrong = wrong;
        changed
    }

    /// Puts a basic variable to the bound that it is beyond.
    fn hold(&mut self, i: usize, update: bool) {
        let above = self.z[i] > self.scaled.upper[i];
        self.statuses[i] = if above { ActiveSetStatus::Upper } else { ActiveSetStatus::Lower };
        if !self.scaled.symmetric {
            self.general.pivot_at(i);
            self.general.statuses[i] = self.statuses[i];
        } else if update {
            self.basis.remove(i);
        }
    }

    fn enter(&mut self, i: usize) -> bool {
        if self.scaled.symmetric {
            return self.try_append(i);
        }
        let fits = self.general.diagonal(i).abs() > PIVOT;
        if fits {
            self.general.pivot_at(i);
            self.statuses[i] = ActiveSetStatus::Basic;
        }
        fits
    }

    /// Makes the factor of what is basic anew, without what may have come to depend.
    fn renew(&mut self) {
        self.basis.reset(self.scaled.len());
        for i in 0..self.statuses.len() {
            if self.statuses[i] == ActiveSetStatus::Basic && !self.try_append(i) {
                (self.statuses[i], _) = rest(&self.scaled, i, ActiveSetStatus::Lower);
            }
        }
    }
}
