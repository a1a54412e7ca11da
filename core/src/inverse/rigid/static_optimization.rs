//! Static optimization: activations of muscles whose moments are those of a motion, of all that are the cheapest by a sum
//! of powers (CrowninshieldBrand1981).

use nalgebra::DMatrix;

use crate::inverse::InverseError;
use crate::lcp::{ActiveSetStatus, QuadraticProgram, QuadraticSolver};

/// Minimize the sum of a_i^p with R a = τ, 0 <= a <= 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticOptimization {
    /// Power p, 2 to 10.
    pub power: f64,
}

impl Default for StaticOptimization {
    fn default() -> Self {
        Self { power: 2.0 }
    }
}

/// Activations, and what they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StaticSolution {
    /// Activations [-].
    pub activations: Vec<f64>,
    /// Moments that no activations give beside these, one a coordinate [N], [N m]; zeros where all are met.
    pub missing: Vec<f64>,
}

/// Weight of a missing moment as large as the largest of one muscle, over that of a full activation [-].
const MISSING: f64 = 1e7;
/// Largest power: activations of some loads are exact to 1e-6 with 10, and wrong by up to 0.4 with 30, as curvatures about small activations
/// are lost.
const MOST_POWER: f64 = 10.0;
/// Most iterations for powers other than 2.
const ITERATIONS: usize = 100;
/// Change of activations at which these end [-].
const SETTLED: f64 = 1e-12;
/// Least curvature of a power about no activation, over that at a full one [-].
const CURVATURE: f64 = 1e-8;

impl StaticOptimization {
    /// Activations for the moments `loads` of the coordinates, by the moment that each muscle has about each at an activation
    /// of 1, one column a muscle. Where there are none, those that come nearest, and what is missing.
    ///
    /// # Errors
    /// [`InverseError::Number`] for a power below 2 or above 10, or moments that are no numbers; [`InverseError::Coefficients`] for lists
    /// of other lengths; [`InverseError::Program`] where the program is not solved.
    pub fn solve(
        &self,
        moments: &DMatrix<f64>,
        loads: &[f64],
    ) -> Result<StaticSolution, InverseError> {
        if !(2.0..=MOST_POWER).contains(&self.power) {
            let (name, must) = ("power", "2 to 10");
            return Err(InverseError::Number { name, must, value: self.power });
        }
        if moments.nrows() != loads.len() {
            return Err(InverseError::Coefficients {
                found: moments.nrows(),
                expected: loads.len(),
            });
        }
        let numbers = moments.iter().chain(loads);
        if let Some(&value) = numbers.into_iter().find(|it| !it.is_finite()) {
            return Err(InverseError::Number { name: "moment", must: "finite", value });
        }
        let hard = self.minimize(&Program::new(moments, loads, false));
        let found = match hard {
            Some(found) => found,
            None => self.minimize(&Program::new(moments, loads, true)).ok_or_else(|| {
                let detail = "static optimization does not settle".to_owned();
                InverseError::Program { time: 0.0, detail }
            })?,
        };
        let activations = found[..moments.ncols()].to_vec();
        let missing = match found.len() > activations.len() {
            false => vec![0.0; loads.len()],
            true => {
                let given = |row: usize| {
                    moments.row(row).iter().zip(&activations).map(|(r, a)| r * a).sum::<f64>()
                };
                loads.iter().enumerate().map(|(row, load)| load - given(row)).collect()
            }
        };
        Ok(StaticSolution { activations, missing })
    }

    /// The same for muscles by their moments at 1 N, `arms`, and their tensions without activation and at a full one [N],
    /// between which tensions are linear: what tensions without activation do about the coordinates is counted.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn share(
        &self,
        arms: &DMatrix<f64>,
        tensions: &[[f64; 2]],
        loads: &[f64],
    ) -> Result<StaticSolution, InverseError> {
        let (found, expected) = (tensions.len(), arms.ncols());
        if found != expected || arms.nrows() != loads.len() {
            return Err(InverseError::Coefficients { found, expected });
        }
        let (mut moments, mut left) = (arms.clone(), loads.to_vec());
        for (k, [low, high]) in tensions.iter().enumerate() {
            let arms = arms.column(k);
            left.iter_mut().zip(arms.iter()).for_each(|(left, arm)| *left -= arm * low);
            moments.column_mut(k).scale_mut(high - low);
        }
        self.solve(&moments, &left)
    }

    /// The activations, and missing moments behind them where the program has such; `None` where it has no solution.
    fn minimize(&self, program: &Program) -> Option<Vec<f64>> {
        let (p, count) = (self.power, program.muscles);
        let mut x = program.solve(&vec![2.0; count], &vec![0.0; count])?;
        if p == 2.0 {
            return Some(x);
        }
        let cost = |x: &[f64]| {
            x[..count].iter().map(|a| a.max(0.0).powf(p)).sum::<f64>() + program.missing_cost(x)
        };
        for _ in 0..ITERATIONS {
            let bend = |a: &f64| p * (p - 1.0) * a.max(0.0).powf(p - 2.0).max(CURVATURE);
            let hessian: Vec<f64> = x[..count].iter().map(bend).collect();
            let slope = |(a, bend): (&f64, &f64)| p * a.max(0.0).powf(p - 1.0) - bend * a;
            let gradient: Vec<f64> = x[..count].iter().zip(&hessian).map(slope).collect();
            let next = program.solve(&hessian, &gradient)?;
            let way = x.iter().zip(&next).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max);
            let before = cost(&x);
            let mut share = 1.0;
            let at = |share: f64| -> Vec<f64> {
                x.iter().zip(&next).map(|(a, b)| a + share * (b - a)).collect()
            };
            while share > 1e-6 && cost(&at(share)) > before {
                share *= 0.5;
            }
            x = at(share);
            if way * share < SETTLED || share <= 1e-6 {
                break;
            }
        }
        Some(x)
    }
}

/// The quadratic program about some activations.
struct Program {
    muscles: usize,
    /// Scale of missing moments, one a coordinate; none where all must be met.
    scales: Vec<f64>,
    rows: Vec<f64>,
    loads: Vec<f64>,
}

impl Program {
    /// Rows are divided by the largest moment in them.
    fn new(moments: &DMatrix<f64>, loads: &[f64], may_miss: bool) -> Self {
        let muscles = moments.ncols();
        let scale = |row: usize| {
            let most = moments.row(row).amax();
            if most > 0.0 { most } else { 1.0 }
        };
        let scales: Vec<f64> = (0..loads.len()).map(scale).collect();
        let mut rows = Vec::new();
        for (row, scale) in scales.iter().enumerate() {
            rows.extend(moments.row(row).iter().map(|moment| moment / scale));
            if may_miss {
                rows.extend((0..loads.len()).map(|other| f64::from(u8::from(other == row))));
            }
        }
        let loads = loads.iter().zip(&scales).map(|(load, scale)| load / scale).collect();
        Self { muscles, scales: if may_miss { scales } else { Vec::new() }, rows, loads }
    }

    /// Cost of missing moments.
    fn missing_cost(&self, x: &[f64]) -> f64 {
        x[self.muscles..].iter().map(|it| 0.5 * MISSING * it * it).sum()
    }

    /// The least of x.(H x / 2 + c) with the moments met.
    fn solve(&self, diagonal: &[f64], gradient: &[f64]) -> Option<Vec<f64>> {
        let (extra, rows) = (self.scales.len(), self.loads.len());
        let size = self.muscles + extra;
        let mut hessian = vec![0.0; size * size];
        for k in 0..size {
            hessian[k * size + k] = if k < self.muscles { diagonal[k] } else { MISSING };
        }
        let mut gradient = gradient.to_vec();
        gradient.resize(size, 0.0);
        let bound = |muscle: f64, other: f64| -> Vec<f64> {
            (0..size).map(|k| if k < self.muscles { muscle } else { other }).collect()
        };
        let mut statuses = vec![ActiveSetStatus::Lower; size + rows];
        statuses[self.muscles..].fill(ActiveSetStatus::Basic);
        let (mut x, mut y) = (vec![0.0; size], vec![0.0; rows]);
        let program = QuadraticProgram {
            hessian: &hessian,
            gradient: &gradient,
            lower: &bound(0.0, f64::NEG_INFINITY),
            upper: &bound(1.0, f64::INFINITY),
            rows: &self.rows,
            row_lower: &self.loads,
            row_upper: &self.loads,
        };
        let outcome = QuadraticSolver::default().solve(&program, &mut statuses, &mut x, &mut y);
        outcome.solved().map(|_| x)
    }
}
