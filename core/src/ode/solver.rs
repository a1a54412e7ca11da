//! The stepper of variable step: trial, control, projection, dense output.

use super::adams::Adams;
use super::control::{StepControl, error_norm, first_step};
use super::error::OdeError;
use super::problem::OdeSystem;
use super::radau::Radau;
use super::runge_kutta::RungeKutta;
use super::settings::{Method, OdeSettings};
use super::tableau::{DORMAND_PRINCE, FEHLBERG};

/// Shortest step over the size of the time: below it time stands still.
const STANDSTILL: f64 = 16.0 * f64::EPSILON;
/// Ratio of a step to one that could not be evaluated.
const RETREAT: f64 = 0.25;

/// Work of an integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OdeStatistics {
    /// Accepted steps.
    pub accepted: usize,
    /// Refused steps.
    pub refused: usize,
    /// Evaluations of the rates, those of Jacobians by differences among them.
    pub evaluations: usize,
    /// Jacobians.
    pub jacobians: usize,
    /// Factorizations.
    pub factorizations: usize,
    /// Starts anew, the first among them.
    pub starts: usize,
}

/// A rule with what it keeps from step to step.
#[derive(Debug)]
enum Rule {
    Pair(RungeKutta, StepControl),
    Adams(Box<Adams>),
    Radau(Box<Radau>),
}

/// Integrates one system step by step; allocates nothing after [`Self::new`].
#[derive(Debug)]
pub struct OdeSolver {
    settings: OdeSettings,
    rule: Rule,
    /// Start and end of the last step [s].
    interval: [f64; 2],
    /// Step to try next [s].
    next: f64,
    y: Vec<f64>,
    rates: Vec<f64>,
    end: Vec<f64>,
    end_rates: Vec<f64>,
    work: Vec<f64>,
    statistics: OdeStatistics,
}

impl OdeSolver {
    /// A solver of systems of `size` values.
    ///
    /// # Errors
    /// [`OdeError::Setting`] and [`OdeError::Size`] of settings that have no meaning.
    pub fn new<E>(settings: OdeSettings, size: usize) -> Result<Self, OdeError<E>> {
        settings.check(size)?;
        let rule = match settings.method {
            Method::RungeKuttaFehlberg => {
                Rule::Pair(RungeKutta::new(&FEHLBERG, size), StepControl::new(5.0))
            }
            Method::DormandPrince => {
                Rule::Pair(RungeKutta::new(&DORMAND_PRINCE, size), StepControl::new(5.0))
            }
            Method::Adams => Rule::Adams(Box::new(Adams::new(size))),
            Method::Radau => Rule::Radau(Box::new(Radau::new(size, &settings.tolerance))),
        };
        let zeros = || vec![0.0; size];
        Ok(Self {
            settings,
            rule,
            interval: [0.0; 2],
            next: 0.0,
            y: zeros(),
            rates: zeros(),
            end: zeros(),
            end_rates: zeros(),
            work: zeros(),
            statistics: OdeStatistics::default(),
        })
    }

    /// Settings.
    pub fn settings(&self) -> &OdeSettings {
        &self.settings
    }

    /// Longest step from here on [s].
    pub fn set_max_step(&mut self, max_step: f64) {
        self.settings.max_step = max_step;
    }

    /// Time at the end of the last step [s].
    pub fn time(&self) -> f64 {
        self.interval[1]
    }

    /// Start and end of the last step [s].
    pub fn interval(&self) -> [f64; 2] {
        self.interval
    }

    /// Values at the end of the last step.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// Rates there.
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }

    /// Order of the rule now.
    pub fn order(&self) -> usize {
        match &self.rule {
            Rule::Pair(..) | Rule::Radau(_) => 5,
            Rule::Adams(adams) => adams.order + 1,
        }
    }

    /// Work so far.
    pub fn statistics(&self) -> OdeStatistics {
        let mut statistics = self.statistics;
        if let Rule::Radau(radau) = &self.rule {
            statistics.evaluations += radau.evaluations;
            statistics.jacobians += radau.jacobians;
            statistics.factorizations += radau.factorizations;
        }
        statistics
    }

    /// Starts at values `y`.
    ///
    /// # Errors
    /// [`OdeError::Size`], [`OdeError::System`], [`OdeError::NotFinite`].
    pub fn start<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
        y: &[f64],
    ) -> Result<(), OdeError<S::Error>> {
        if y.len() != self.y.len() {
            return Err(OdeError::Size { got: y.len(), wanted: self.y.len() });
        }
        self.y.copy_from_slice(y);
        self.interval = [time; 2];
        self.evaluate_start(system, time)?;
        let Self { settings, end, end_rates, .. } = self;
        let order = if settings.method == Method::Adams { 2 } else { 5 };
        let longest = settings.max_step;
        let first = match settings.first_step {
            Some(step) => step.min(longest),
            None => {
                self.statistics.evaluations += 1;
                let at = (time, &self.y[..], &self.rates[..]);
                first_step(system, at, &settings.tolerance, (order, longest), [end, end_rates])
                    .map_err(|source| OdeError::System { time, source })?
            }
        };
        self.next = first;
        self.statistics.starts += 1;
        match &mut self.rule {
            Rule::Pair(pair, control) => {
                *control = StepControl::new(5.0);
                pair.accept(0.0, (&self.y, &self.rates), (&self.y, &self.rates));
            }
            Rule::Adams(adams) => adams.start(&self.rates),
            Rule::Radau(radau) => radau.start(),
        }
        Ok(())
    }

    fn evaluate_start<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
    ) -> Result<(), OdeError<S::Error>> {
        self.statistics.evaluations += 1;
        system
            .rates(time, &self.y, &mut self.rates)
            .map_err(|source| OdeError::System { time, source })?;
        match self.y.iter().zip(&self.rates).position(|(y, f)| !(y.is_finite() && f.is_finite())) {
            Some(component) => Err(OdeError::NotFinite { time, component }),
            None => Ok(()),
        }
    }

    /// Takes one step, of the length that the control chooses, no further than `limit` [s].
    ///
    /// # Errors
    /// [`OdeError`]; the values are then those before the step.
    pub fn step<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<(), OdeError<S::Error>> {
        let time = self.interval[1];
        let mut wanted = self.next;
        loop {
            let h = self.length(wanted, limit);
            if h <= STANDSTILL * time.abs() || h < f64::MIN_POSITIVE {
                return Err(OdeError::StepTooShort { time, step: h });
            }
            let tried = self.attempt(system, (time, h));
            let (accepted, next) = match tried {
                Ok((true, next)) => match self.take(system, (time, h), next) {
                    Ok(()) => return Ok(()),
                    Err(error) => (Err(error), RETREAT * h),
                },
                Ok((false, next)) => (Ok(()), next),
                Err(error) => (Err(error), RETREAT * h),
            };
            self.statistics.refused += 1;
            if let Err(source) = accepted {
                self.refuse();
                let short = next <= STANDSTILL * time.abs().max(1e-3);
                if short || !system.may_pass(&source) {
                    return Err(OdeError::System { time, source });
                }
            }
            wanted = if next.is_finite() { next } else { RETREAT * h };
        }
    }

    /// Length of a step that ends at the limit rather than just before it.
    fn length(&self, wanted: f64, limit: f64) -> f64 {
        let time = self.interval[1];
        let h = wanted.min(self.settings.max_step);
        if time + 1.01 * h >= limit { limit - time } else { h }
    }

    /// Tries a step; whether its error is small, and the step to try next.
    fn attempt<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
    ) -> Result<(bool, f64), S::Error> {
        let Self { settings, rule, y, rates, end, work, statistics, .. } = self;
        let tolerance = &settings.tolerance;
        match rule {
            Rule::Pair(pair, control) => {
                statistics.evaluations +=
                    pair.attempt(system, (time, h), (y, rates), (end, work))?;
                let error = error_norm(work, y, end, tolerance);
                if !error.is_finite() {
                    control.refuse();
                    return Ok((false, RETREAT * h));
                }
                Ok((error <= 1.0, h * control.ratio(error)))
            }
            Rule::Adams(adams) => {
                statistics.evaluations += 1;
                let (accepted, next) =
                    adams.attempt(system, (time, h), y, (end, work), tolerance)?;
                Ok((accepted, if next.is_finite() { next } else { RETREAT * h }))
            }
            Rule::Radau(radau) => {
                let trial = radau.attempt(system, (time, h), (y, rates), end)?;
                Ok((trial.accepted, trial.next))
            }
        }
    }

    /// Takes the step that was tried.
    fn take<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        (time, h): (f64, f64),
        next: f64,
    ) -> Result<(), S::Error> {
        let moved = system.project(time + h, &mut self.end)?;
        let known = match &self.rule {
            Rule::Pair(pair, _) if !moved => pair.end_rates(),
            Rule::Pair(..) | Rule::Adams(_) | Rule::Radau(_) => None,
        };
        match known {
            Some(rates) => self.end_rates.copy_from_slice(rates),
            None => {
                self.statistics.evaluations += 1;
                system.rates(time + h, &self.end, &mut self.end_rates)?;
            }
        }
        let start = (&self.y[..], &self.rates[..]);
        let end = (&self.end[..], &self.end_rates[..]);
        self.next = match &mut self.rule {
            Rule::Pair(pair, _) => {
                pair.accept(h, start, end);
                next
            }
            Rule::Adams(adams) => adams.accept(h, end, &self.settings.tolerance),
            Rule::Radau(radau) => {
                radau.accept(h, end.0);
                next
            }
        };
        std::mem::swap(&mut self.y, &mut self.end);
        std::mem::swap(&mut self.rates, &mut self.end_rates);
        self.interval = [time, time + h];
        self.statistics.accepted += 1;
        Ok(())
    }

    fn refuse(&mut self) {
        match &mut self.rule {
            Rule::Pair(_, control) => control.refuse(),
            Rule::Adams(_) => {}
            Rule::Radau(radau) => radau.refuse(),
        }
    }

    /// Values at a time of the last step, by its polynomial.
    ///
    /// # Errors
    /// [`OdeError::System`] where a rule evaluates the system once more for its polynomial.
    pub fn interpolate<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        time: f64,
        y: &mut [f64],
    ) -> Result<(), OdeError<S::Error>> {
        let [start, end] = self.interval;
        let h = end - start;
        if time == end || h == 0.0 {
            y.copy_from_slice(&self.y);
            return Ok(());
        }
        match &mut self.rule {
            Rule::Pair(pair, _) => {
                let done = pair.complete(system, (start, h));
                let done = done.map_err(|source| OdeError::System { time: start, source })?;
                self.statistics.evaluations += done;
                pair.evaluate((time - start) / h, y);
            }
            Rule::Adams(adams) => adams.evaluate(time - end, y),
            Rule::Radau(radau) => radau.evaluate((time - end) / h, y),
        }
        Ok(())
    }

    /// Takes steps up to `end` [s] and ends there.
    ///
    /// # Errors
    /// As [`Self::step`], and [`OdeError::TooManySteps`].
    pub fn integrate<S: OdeSystem + ?Sized>(
        &mut self,
        system: &mut S,
        end: f64,
    ) -> Result<(), OdeError<S::Error>> {
        let (limit, before) = (self.settings.max_steps, self.statistics);
        while self.time() < end {
            let taken = self.statistics.accepted + self.statistics.refused;
            if taken - before.accepted - before.refused >= limit {
                return Err(OdeError::TooManySteps { time: self.time(), limit });
            }
            self.step(system, end)?;
        }
        Ok(())
    }
}
