//! A problem with bounds as one without: x >= 0, y = A x + b >= 0, with a further variable for each
//! variable that has two bounds. Variables without bounds stay as they are, or are the difference of two
//! where they cannot be solved for by themselves.

use super::ActiveSetStatus;
use super::scaled::Scaled;

/// A variable without bounds and with a smaller diagonal than this is split in two.
const NO_DIAGONAL: f64 = 1e-6;

/// No further variable.
const NONE: u32 = u32::MAX;

/// x = (z - lower), or (upper - z) without a lower bound; for two bounds upper - lower - x >= 0 has a
/// multiplier of its own (CottlePangStone1992, sec. 1.2).
#[derive(Clone, Debug, Default)]
pub(super) struct Standard {
    /// Rows of A, each one entry longer than there are variables; that entry is zero.
    pub(super) matrix: Vec<f64>,
    pub(super) b: Vec<f64>,
    /// dz / dx: 1, or -1 where z is counted from its upper bound; 0 where the bounds leave no room.
    sign: Vec<f64>,
    origin: Vec<f64>,
    /// The variable that says upper - lower - x >= 0, or that is subtracted.
    twin: Vec<u32>,
    /// True if the twin is subtracted.
    split: Vec<bool>,
    pub(super) free: Vec<bool>,
}

impl Standard {
    /// Number of variables x.
    pub(super) fn len(&self) -> usize {
        self.b.len()
    }

    pub(super) fn update(&mut self, problem: &Scaled) {
        let n = problem.len();
        self.update_variables(problem);
        let extra = self.twin.iter().filter(|&&t| t != NONE).count();
        let stride = n + extra + 1;
        self.matrix.clear();
        self.matrix.resize((n + extra) * stride, 0.0);
        self.b.clear();
        self.b.resize(n + extra, 0.0);
        for i in 0..n {
            let row = problem.row(i);
            let origin: f64 = row.iter().zip(&self.origin).map(|(m, o)| m * o).sum();
            self.b[i] = self.sign[i] * (problem.q[i] + origin);
            let out = &mut self.matrix[stride * i..stride * i + n];
            for ((out, m), sign) in out.iter_mut().zip(row).zip(&self.sign) {
                *out = self.sign[i] * m * sign;
            }
            if self.split[i] {
                continue;
            }
            if self.twin[i] != NONE {
                let twin = self.twin[i] as usize;
                self.matrix[stride * i + twin] = 1.0;
                self.matrix[stride * twin + i] = -1.0;
                self.b[twin] = problem.upper[i] - problem.lower[i];
            }
        }
        for i in 0..n {
            if self.split[i] {
                self.fill_split(i, stride);
            }
        }
    }

    /// The row and column of the subtracted part of a variable.
    fn fill_split(&mut self, i: usize, stride: usize) {
        let twin = self.twin[i] as usize;
        for row in self.matrix.chunks_exact_mut(stride) {
            row[twin] = -row[i];
        }
        for j in 0..stride {
            self.matrix[stride * twin + j] = -self.matrix[stride * i + j];
        }
        self.b[twin] = -self.b[i];
    }

    fn update_variables(&mut self, problem: &Scaled) {
        self.sign.clear();
        self.origin.clear();
        self.twin.clear();
        self.free.clear();
        self.split.clear();
        let mut next = problem.len() as u32;
        for i in 0..problem.len() {
            let (lower, upper) = (problem.lower[i], problem.upper[i]);
            let (sign, origin) = match (lower.is_finite(), upper.is_finite()) {
                (true, _) if lower == upper => (0.0, lower),
                (true, _) => (1.0, lower),
                (false, true) => (-1.0, upper),
                (false, false) => (1.0, 0.0),
            };
            let two = lower.is_finite() && upper.is_finite() && lower < upper;
            let split = problem.is_free(i) && problem.entry(i, i) < NO_DIAGONAL;
            self.twin.push(if two || split { next } else { NONE });
            next += u32::from(two || split);
            self.split.push(split);
            self.sign.push(sign);
            self.origin.push(origin);
            self.free.push(problem.is_free(i) && !split);
        }
        self.free.resize(next as usize, false);
    }

    /// True for those x that are positive where z has these places.
    pub(super) fn update_basic(&self, statuses: &[ActiveSetStatus], basic: &mut Vec<bool>) {
        basic.clear();
        basic.resize(self.len(), false);
        for (i, &place) in statuses.iter().enumerate() {
            let twin = self.twin[i];
            let at_upper = place == ActiveSetStatus::Upper && twin != NONE && !self.split[i];
            basic[i] = self.free[i]
                || ((place == ActiveSetStatus::Basic || at_upper) && self.sign[i] != 0.0);
            if at_upper {
                basic[twin as usize] = true;
            }
        }
    }

    /// The places of z where these x are positive.
    pub(super) fn write_statuses(&self, basic: &[bool], statuses: &mut [ActiveSetStatus]) {
        for (i, place) in statuses.iter_mut().enumerate() {
            let at_twin = self.twin[i] != NONE && basic[self.twin[i] as usize];
            *place = match (basic[i], at_twin) {
                (_, true) if self.split[i] => ActiveSetStatus::Basic,
                (true, true) => ActiveSetStatus::Upper,
                (true, false) => ActiveSetStatus::Basic,
                _ if self.sign[i] < 0.0 => ActiveSetStatus::Upper,
                _ => ActiveSetStatus::Lower,
            };
        }
    }

    /// z from x, within its bounds.
    pub(super) fn write_z(&self, problem: &Scaled, x: &[f64], z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            let subtracted = if self.split[i] { x[self.twin[i] as usize] } else { 0.0 };
            *z = problem.clamp(i, self.origin[i] + self.sign[i] * (x[i] - subtracted));
        }
    }

    /// Adds the direction of z for one of x, if it is one of the problem's.
    pub(super) fn add_direction(&self, i: usize, dx: f64, direction: &mut [f64]) {
        if i < direction.len() {
            direction[i] += self.sign[i] * dx;
        } else if let Some(own) = self.twin.iter().position(|&t| t as usize == i)
            && self.split[own]
        {
            direction[own] -= dx;
        }
    }
}
