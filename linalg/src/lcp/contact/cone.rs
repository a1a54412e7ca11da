//! Polygons in Coulomb's cone as a complementarity problem without bounds on friction
//! (StewartTrinkle1996, AnitescuPotra1997): an impulse for each corner of the polygon, and a variable
//! for the speed of sliding, which says mu z_n - sum of the corners >= 0.

use std::f64::consts::FRAC_PI_4;

use super::{
    ActiveSetStatus, Bound, ContactOutcome, ContactProblem, ContactSolver, FrictionModel, Lcp,
    LcpSolver, Outcome,
};

/// A variable as a combination of at most two rows; the speed of sliding has none.
type Terms = [(u32, f64); 2];

/// The reduced problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Cone {
    terms: Vec<Terms>,
    /// For each variable the speed that belongs to it, or its own number.
    speed: Vec<u32>,
    /// The variable of each row that has one of its own.
    variable: Vec<u32>,
    matrix: Vec<f64>,
    q: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    statuses: Vec<ActiveSetStatus>,
    x: Vec<f64>,
}

impl Cone {
    fn update(&mut self, problem: &ContactProblem) {
        for list in [&mut self.lower, &mut self.upper] {
            list.clear();
        }
        self.terms.clear();
        self.speed.clear();
        self.variable.clear();
        for bound in problem.bounds {
            let row = self.variable.len() as u32;
            self.variable.push(self.terms.len() as u32);
            let (lower, upper) = match *bound {
                Bound::Unilateral => (0.0, f64::INFINITY),
                Bound::Bilateral => (f64::NEG_INFINITY, f64::INFINITY),
                Bound::Range { lower, upper } => (lower, upper),
                Bound::Friction { partner, .. } => {
                    if partner.is_none_or(|p| p > row as usize) {
                        self.push_polygon(row, partner, problem.model);
                    }
                    continue;
                }
            };
            self.push([(row, 1.0), (row, 0.0)], self.terms.len() as u32, (lower, upper));
        }
        self.fill(problem);
    }

    fn push(&mut self, terms: Terms, speed: u32, bounds: (f64, f64)) {
        self.terms.push(terms);
        self.speed.push(speed);
        self.lower.push(bounds.0);
        self.upper.push(bounds.1);
    }

    /// The corners of a contact's polygon, and its speed after them.
    fn push_polygon(&mut self, row: u32, partner: Option<usize>, model: FrictionModel) {
        let corners: u32 = match (partner, model) {
            (None, _) => 2,
            (_, FrictionModel::Cone8) => 8,
            _ => 4,
        };
        let speed = self.terms.len() as u32 + corners;
        for k in 0..corners {
            let angle = FRAC_PI_4 * f64::from(8 / corners * k);
            let (sin, cos) = angle.sin_cos();
            // Corners on the rows themselves are exact.
            let exact = |v: f64| if v.abs() < 1e-9 { 0.0 } else { v };
            let second = partner.map_or(row, |p| p as u32);
            self.push([(row, exact(cos)), (second, exact(sin))], speed, (0.0, f64::INFINITY));
        }
        self.push([(row, 0.0); 2], speed, (0.0, f64::INFINITY));
    }

    fn fill(&mut self, problem: &ContactProblem) {
        let (n, size) = (problem.q.len(), self.terms.len());
        let product = |a: Terms, b: Terms| -> f64 {
            let pairs = a.into_iter().flat_map(|a| b.map(|b| (a, b)));
            pairs
                .filter(|((_, a), (_, b))| *a != 0.0 && *b != 0.0)
                .map(|((i, a), (j, b))| a * b * problem.matrix[n * i as usize + j as usize])
                .sum()
        };
        self.matrix.clear();
        for &a in &self.terms {
            self.matrix.extend(self.terms.iter().map(|&b| product(a, b)));
        }
        self.q.clear();
        let along =
            |terms: &Terms| terms.map(|(i, a)| a * problem.q[i as usize]).iter().sum::<f64>();
        self.q.extend(self.terms.iter().map(along));
        for a in 0..size {
            let speed = self.speed[a] as usize;
            if speed != a {
                self.matrix[size * a + speed] = 1.0;
                self.matrix[size * speed + a] = -1.0;
            }
        }
        for (row, bound) in problem.bounds.iter().enumerate() {
            let Bound::Friction { normal, coefficient, partner } = *bound else { continue };
            if partner.is_none_or(|p| p > row) {
                let speed = self.speed[self.variable[row] as usize] as usize;
                self.matrix[size * speed + self.variable[normal] as usize] = coefficient;
            }
        }
        self.statuses.clear();
        self.statuses.resize(size, ActiveSetStatus::Lower);
        self.x.clear();
        self.x.resize(size, 0.0);
    }

    /// Impulses and places of the rows.
    fn write(&self, problem: &ContactProblem, statuses: &mut [ActiveSetStatus], z: &mut [f64]) {
        z.fill(0.0);
        for (terms, x) in self.terms.iter().zip(&self.x) {
            terms.iter().for_each(|&(row, weight)| z[row as usize] += weight * x);
        }
        for (row, place) in statuses.iter_mut().enumerate() {
            let (own, first) = match problem.bounds[row] {
                Bound::Friction { partner, .. } => (None, partner.map_or(row, |p| p.min(row))),
                _ => (Some(self.variable[row] as usize), row),
            };
            let slides = || {
                let speed = self.speed[self.variable[first] as usize] as usize;
                self.statuses[speed] == ActiveSetStatus::Basic && z[row] != 0.0
            };
            *place = match own {
                Some(variable) => self.statuses[variable],
                None if !slides() => ActiveSetStatus::Basic,
                None if z[row] > 0.0 => ActiveSetStatus::Upper,
                None => ActiveSetStatus::Lower,
            };
        }
    }
}

impl ContactSolver {
    pub(super) fn solve_cone(
        &mut self,
        problem: &ContactProblem,
        statuses: &mut [ActiveSetStatus],
        z: &mut [f64],
    ) -> ContactOutcome {
        self.cone.update(problem);
        let Cone { matrix, q, lower, upper, statuses: own, x, .. } = &mut self.cone;
        let outcome = self.lemke.solve(&Lcp { matrix, q, lower, upper }, own, x);
        let Outcome::Solved { residual, pivots } = outcome else {
            return ContactOutcome::Failed(outcome);
        };
        self.cone.write(problem, statuses, z);
        ContactOutcome::Solved { residual, model: problem.model, iterations: 1, pivots }
    }
}
