//! Numbers of a model from a recorded motion: bounded least squares by Levenberg's and Marquardt's steps on the
//! sensitivities of trajectories (NocedalWright2006, sec. 10.3), each a quadratic program within the bounds.

use nalgebra::{DMatrix, DVector};

use super::cotangent::StateVector;
use super::error::AdjointError;
use super::parameter::Parameter;
use super::trajectory::Trajectory;
use crate::Vec3;
use crate::inverse::{MotionTarget, PlacedTarget};
use crate::lcp::{ActiveSetStatus, Keller, Lcp, LcpSolver};
use crate::model::Model;
use crate::schedule::Signal;
use crate::system::{CompiledModel, State};

/// A number that is sought, with its bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct FitParameter {
    /// Path of the property, as of a [`Parameter`].
    pub path: String,
    /// Value to begin at.
    pub start: f64,
    /// Least value.
    pub lower: f64,
    /// Greatest value.
    pub upper: f64,
}

impl FitParameter {
    /// A number of a model, from a tenth of its value to ten times as much; of one that is zero from 0 to 1.
    ///
    /// # Errors
    /// [`AdjointError::Property`] where there is none.
    pub fn of(model: &Model, path: &str) -> Result<Self, AdjointError> {
        let start = Parameter::constant(model, path)?.values[0];
        let ends = [0.1 * start, 10.0 * start];
        let (lower, upper) = match start == 0.0 {
            true => (0.0, 1.0),
            false => (ends[0].min(ends[1]), ends[0].max(ends[1])),
        };
        Ok(Self { path: path.to_owned(), start, lower, upper })
    }
}

/// A search for numbers of a model.
pub struct Fit<'a> {
    /// Steps of the model.
    pub trajectory: Trajectory<'a>,
    /// Numbers that are sought.
    pub parameters: Vec<FitParameter>,
    /// Quantities that were recorded: points, origins and turns of bodies, coordinates.
    pub targets: Vec<MotionTarget>,
    /// Most iterations.
    pub iterations: usize,
}

/// One iteration, for those who watch.
#[derive(Clone, Debug, PartialEq)]
pub struct FitProgress {
    /// Number of the iteration, from 0 for the start.
    pub iteration: usize,
    /// Values.
    pub values: Vec<f64>,
    /// Root of the mean squared difference from what was recorded [m], [rad].
    pub error: f64,
}

/// Numbers found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitResult {
    /// Values.
    pub values: Vec<f64>,
    /// Standard error of each, by the differences that are left and the Hessian J^T J of the squares; infinite where the
    /// record does not tell it from the others.
    pub errors: Vec<f64>,
    /// True for those at a bound, whose errors are those that they would have without.
    pub at_bound: Vec<bool>,
    /// Root of the mean squared difference that is left [m], [rad].
    pub error: f64,
    /// Iterations made.
    pub iterations: usize,
    /// True if the last iteration changed nothing that matters.
    pub converged: bool,
}

/// Differences from the record and their derivatives.
struct Differences {
    residuals: Vec<f64>,
    /// One row a difference.
    slopes: Vec<Vec<f64>>,
}

/// Relative change of values at which the search ends [-].
const SETTLED: f64 = 1e-8;
/// First share of the diagonal that steps are damped by [-], and the most.
const DAMPING: f64 = 1e-3;
const MOST_DAMPING: f64 = 1e12;
/// Variance of a combination of values, over the least, beyond which the record says nothing of it [-].
const UNTOLD: f64 = 1e14;

impl Fit<'_> {
    /// Searches, with a line on each iteration to `progress`. `record` has the numbers of all targets in a row over time.
    ///
    /// # Errors
    /// [`AdjointError`]; [`AdjointError::Length`] where there are no more differences than numbers sought.
    pub fn run(
        &self,
        record: &mut dyn Signal,
        progress: &mut dyn FnMut(&FitProgress),
    ) -> Result<FitResult, AdjointError> {
        let mut values: Vec<f64> =
            self.parameters.iter().map(|it| it.start.clamp(it.lower, it.upper)).collect();
        let mut now = self.differences(&values, record)?;
        let (found, expected) = (now.residuals.len(), self.parameters.len() + 1);
        if found < expected {
            return Err(AdjointError::Length { what: "the record", expected, found });
        }
        let (mut damping, mut converged, mut iteration) = (DAMPING, false, 0);
        let tell = |iteration: usize, values: &[f64], of: &Differences| FitProgress {
            iteration,
            values: values.to_vec(),
            error: of.error(),
        };
        progress(&tell(0, &values, &now));
        while iteration < self.iterations && !converged {
            iteration += 1;
            match self.improved(&values, &now, (&mut damping, &mut *record))? {
                Some(better) => (values, now) = better,
                None => converged = true,
            }
            progress(&tell(iteration, &values, &now));
        }
        Ok(self.result(values, &now, (iteration, converged)))
    }

    /// Values that come nearer to the record, by a step that is damped until it does; `None` where no step that matters does.
    fn improved(
        &self,
        values: &[f64],
        now: &Differences,
        (damping, record): (&mut f64, &mut dyn Signal),
    ) -> Result<Option<(Vec<f64>, Differences)>, AdjointError> {
        loop {
            let next = self.stepped(values, now, *damping);
            let way = |(k, (a, b)): (usize, (&f64, &f64))| (a - b).abs() / self.scale(k);
            if values.iter().zip(&next).enumerate().map(way).fold(0.0, f64::max) < SETTLED {
                return Ok(None);
            }
            // Values that no step can be taken with are too far away.
            match self.differences(&next, &mut *record) {
                Ok(tried) if tried.error() < now.error() => {
                    *damping *= 0.1;
                    return Ok(Some((next, tried)));
                }
                Err(error) if *damping >= MOST_DAMPING => return Err(error),
                _ if *damping >= MOST_DAMPING => return Ok(None),
                _ => *damping *= 10.0,
            }
        }
    }

    /// Size of a parameter.
    fn scale(&self, k: usize) -> f64 {
        let FitParameter { start, lower, upper, .. } = self.parameters[k];
        match start == 0.0 {
            true => (upper - lower).abs().max(f64::MIN_POSITIVE),
            false => start.abs(),
        }
    }

    /// Hessian and gradient of half the squares, in scaled values.
    fn normal(&self, of: &Differences) -> (DMatrix<f64>, DVector<f64>) {
        let count = self.parameters.len();
        let (mut hessian, mut gradient) = (DMatrix::zeros(count, count), DVector::zeros(count));
        for (residual, slopes) in of.residuals.iter().zip(&of.slopes) {
            for i in 0..count {
                let slope = slopes[i] * self.scale(i);
                gradient[i] += slope * residual;
                for j in 0..count {
                    hessian[(i, j)] += slope * slopes[j] * self.scale(j);
                }
            }
        }
        (hessian, gradient)
    }

    /// The values of a damped step within the bounds.
    fn stepped(&self, values: &[f64], of: &Differences, damping: f64) -> Vec<f64> {
        let count = values.len();
        let (mut hessian, gradient) = self.normal(of);
        let largest = hessian.diagonal().amax().max(f64::MIN_POSITIVE);
        for k in 0..count {
            hessian[(k, k)] += damping * hessian[(k, k)].max(1e-12 * largest);
        }
        let bound = |of: fn(&FitParameter) -> f64| -> Vec<f64> {
            let room = |(k, it): (usize, &FitParameter)| (of(it) - values[k]) / self.scale(k);
            self.parameters.iter().enumerate().map(room).collect()
        };
        let (lower, upper) = (bound(|it| it.lower), bound(|it| it.upper));
        let (matrix, q) = (hessian.as_slice(), gradient.as_slice());
        let problem = Lcp { matrix, q, lower: &lower, upper: &upper };
        let (mut statuses, mut way) = (vec![ActiveSetStatus::Basic; count], vec![0.0; count]);
        let solved = Keller::default().solve(&problem, &mut statuses, &mut way).solved();
        let step = |(k, value): (usize, &f64)| {
            let FitParameter { lower, upper, .. } = self.parameters[k];
            (value + way[k] * self.scale(k)).clamp(lower, upper)
        };
        match solved {
            Some(_) => values.iter().enumerate().map(step).collect(),
            None => values.to_vec(),
        }
    }

    /// Differences of a trajectory with these values from the record.
    fn differences(
        &self,
        values: &[f64],
        record: &mut dyn Signal,
    ) -> Result<Differences, AdjointError> {
        let parameters: Vec<Parameter> = self
            .parameters
            .iter()
            .zip(values)
            .map(|(it, value)| Parameter { path: it.path.clone(), values: vec![*value] })
            .collect();
        let size = self.targets.iter().map(MotionTarget::size).sum();
        let mut desired = vec![0.0; size];
        let mut found = Differences { residuals: Vec::new(), slopes: Vec::new() };
        let mut failed = None;
        let mut visit = |step: usize, state: &State, of: &CompiledModel, by: &[StateVector]| {
            if step == 0 || failed.is_some() {
                return;
            }
            let span = [state.time - self.trajectory.step, state.time];
            match record.sample(span, &mut desired) {
                Ok(true) => failed = self.compare(of, &desired, (state, by), &mut found).err(),
                Ok(false) => {}
                Err(error) => {
                    failed = Some(AdjointError::Unsupported(format!("the record: {error}")));
                }
            }
        };
        self.trajectory.sensitivities(None, &parameters, &mut visit)?;
        match failed {
            Some(error) => Err(error),
            None => Ok(found),
        }
    }

    /// Adds the differences of a state from the desired numbers of all targets.
    fn compare(
        &self,
        compiled: &CompiledModel,
        desired: &[f64],
        at: (&State, &[StateVector]),
        found: &mut Differences,
    ) -> Result<(), AdjointError> {
        let (model, mut first) = (self.trajectory.model, 0);
        for target in &self.targets {
            let own = &desired[first..first + target.size()];
            first += target.size();
            let path = || format!("'{}'", target.path(model));
            if target.kind.is_reading() {
                let what = path() + ", a force or the reading of a sensor";
                return Err(AdjointError::Unsupported(what));
            }
            let placed = target.place(model, compiled);
            let placed = placed
                .ok_or_else(|| AdjointError::Unsupported(path() + ", which is not simulated"))?;
            found.add(target, &placed, own, at);
        }
        Ok(())
    }

    /// The result, with standard errors.
    fn result(&self, values: Vec<f64>, of: &Differences, end: (usize, bool)) -> FitResult {
        let (hessian, _) = self.normal(of);
        let (count, samples) = (values.len(), of.residuals.len());
        let squares: f64 = of.residuals.iter().map(|r| r * r).sum();
        let variance = squares / (samples - count) as f64;
        let eigen = hessian.symmetric_eigen();
        let least = eigen.eigenvalues.max() / UNTOLD;
        let error = |k: usize| {
            let part = |j: usize| match eigen.eigenvalues[j] > least {
                true => eigen.eigenvectors[(k, j)].powi(2) / eigen.eigenvalues[j],
                false if eigen.eigenvectors[(k, j)].abs() < 1e-6 => 0.0,
                false => f64::INFINITY,
            };
            (variance * (0..count).map(part).sum::<f64>()).sqrt() * self.scale(k)
        };
        let near = |k: usize| {
            let FitParameter { lower, upper, .. } = self.parameters[k];
            let room = (values[k] - lower).min(upper - values[k]);
            room <= SETTLED * self.scale(k)
        };
        FitResult {
            errors: (0..count).map(error).collect(),
            at_bound: (0..count).map(near).collect(),
            values,
            error: of.error(),
            iterations: end.0,
            converged: end.1,
        }
    }
}

impl Differences {
    /// Root of the mean square.
    fn error(&self) -> f64 {
        let squares: f64 = self.residuals.iter().map(|r| r * r).sum();
        (squares / self.residuals.len().max(1) as f64).sqrt()
    }

    /// Adds the differences of a target from its desired numbers.
    fn add(
        &mut self,
        target: &MotionTarget,
        placed: &PlacedTarget,
        desired: &[f64],
        (state, by): (&State, &[StateVector]),
    ) {
        let mut wanted = Vec3::zeros();
        desired.iter().enumerate().for_each(|(axis, value)| wanted[axis] = *value);
        let residual = placed.between(&wanted, &placed.place_in(state));
        let changes: Vec<Vec3> =
            by.iter().map(|by| placed.difference_by(&wanted, state, &by.q)).collect();
        for axis in 0..target.size() {
            let weight = (target.weight * target.directions[axis]).sqrt();
            if weight > 0.0 {
                self.residuals.push(weight * residual[axis]);
                self.slopes.push(changes.iter().map(|change| weight * change[axis]).collect());
            }
        }
    }
}
