//! A problem with bounds as one without: x >= 0, y = A x + b >= 0, with a further variable for each
//! variable that has two bounds. Variables without bounds stay as they are.

use super::Place;
use super::scaled::Scaled;

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
    /// The variable that says upper - lower - x >= 0.
    twin: Vec<u32>,
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
            if self.twin[i] != NONE {
                let twin = self.twin[i] as usize;
                self.matrix[stride * i + twin] = 1.0;
                self.matrix[stride * twin + i] = -1.0;
                self.b[twin] = problem.upper[i] - problem.lower[i];
            }
        }
    }

    fn update_variables(&mut self, problem: &Scaled) {
        self.sign.clear();
        self.origin.clear();
        self.twin.clear();
        self.free.clear();
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
            self.twin.push(if two { next } else { NONE });
            next += u32::from(two);
            self.sign.push(sign);
            self.origin.push(origin);
            self.free.push(problem.is_free(i));
        }
        self.free.resize(next as usize, false);
    }

    /// Which of x are positive where z has these places.
    pub(super) fn update_basic(&self, places: &[Place], basic: &mut Vec<bool>) {
        basic.clear();
        basic.resize(self.len(), false);
        for (i, &place) in places.iter().enumerate() {
            let twin = self.twin[i];
            let at_upper = place == Place::Upper && twin != NONE;
            basic[i] = self.free[i] || ((place == Place::Basic || at_upper) && self.sign[i] != 0.0);
            if at_upper {
                basic[twin as usize] = true;
            }
        }
    }

    /// The places of z where these x are positive.
    pub(super) fn write_places(&self, basic: &[bool], places: &mut [Place]) {
        for (i, place) in places.iter_mut().enumerate() {
            let at_twin = self.twin[i] != NONE && basic[self.twin[i] as usize];
            *place = match (basic[i], at_twin) {
                (true, true) => Place::Upper,
                (true, false) => Place::Basic,
                _ if self.sign[i] < 0.0 => Place::Upper,
                _ => Place::Lower,
            };
        }
    }

    /// z from x, within its bounds.
    pub(super) fn write_z(&self, problem: &Scaled, x: &[f64], z: &mut [f64]) {
        for (i, z) in z.iter_mut().enumerate() {
            *z = problem.clamp(i, self.origin[i] + self.sign[i] * x[i]);
        }
    }

    /// The direction of z for one of x.
    pub(super) fn direction(&self, i: usize, dx: f64) -> f64 {
        self.sign[i] * dx
    }
}
