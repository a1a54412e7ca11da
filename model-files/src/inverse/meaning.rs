//! From the section to targets, excitations, settings and terms of the library.

use sinew::inverse::{
    ExcitationTerms, InverseError, LinearConstraint, LinearTerm, MotionTarget, TrackedExcitation,
    TrackingController, TrackingRule, TrackingSettings,
};
use sinew::model::{Model, Schedule};
use sinew::schedule::Signal;
use sinew::solve::SolverSettings;

use super::{ExcitationShare, Inverse};

/// A path of the section that names nothing there.
#[derive(Debug, thiserror::Error)]
pub enum InverseFault {
    /// A weight of no target.
    #[error("'{path}' has a weight and is no target: the file follows {known}")]
    NoTarget {
        /// The path as given.
        path: String,
        /// The targets.
        known: String,
    },
    /// A bound or a term of what is not excited.
    #[error("'{path}' is not excited: the excitations are {known}")]
    NoExcitation {
        /// The path as given.
        path: String,
        /// The excitations.
        known: String,
    },
    /// A component without an excitation.
    #[error(transparent)]
    Library(#[from] InverseError),
}

impl Inverse {
    /// Rule and weights, the library's own where none are given.
    pub fn settings(&self) -> TrackingSettings {
        let default = TrackingSettings::default();
        let rule = match (self.chase_time, self.kp, self.kd) {
            (Some(time), ..) => TrackingRule::Chase { time },
            (None, Some(kp), Some(kd)) => TrackingRule::ProportionalDerivative { kp, kd },
            _ => default.rule,
        };
        TrackingSettings {
            rule,
            regularization: self.regularization.unwrap_or(default.regularization),
            damping: self.damping.unwrap_or(default.damping),
            sparsity: self.sparsity.unwrap_or(default.sparsity),
            iterations: self.iterations.map_or(default.iterations, |it| it as usize),
            tolerance: self.tolerance.unwrap_or(default.tolerance),
            ..default
        }
    }

    /// The excitations with their bounds and weights: those of all muscles where none are named.
    ///
    /// # Errors
    /// [`InverseFault`].
    pub fn excitations(&self, model: &Model) -> Result<Vec<TrackedExcitation>, InverseFault> {
        let mut found = match self.excite.is_empty() {
            true => TrackedExcitation::muscles(model),
            false => Vec::new(),
        };
        for word in &self.excite {
            match word.as_str() {
                "muscles" => found.extend(TrackedExcitation::muscles(model)),
                "exciters" => found.extend(TrackedExcitation::exciters(model)),
                path => found.push(TrackedExcitation::at(model, path)?),
            }
        }
        let known = Known::of(model, &found);
        for bounds in &self.bounds {
            let own = &mut found[known.number(&bounds.of)?];
            own.lower = bounds.lower.unwrap_or(own.lower);
            own.upper = bounds.upper.unwrap_or(own.upper);
            own.weight = bounds.weight.unwrap_or(own.weight);
        }
        Ok(found)
    }

    /// The controller of a model that has targets follow `desired`, their numbers in a row over time, and the excitations that
    /// it finds. The targets get their weights.
    ///
    /// # Errors
    /// [`InverseFault`].
    pub fn controller(
        &self,
        model: &Model,
        (targets, desired): (&mut Vec<MotionTarget>, Box<dyn Signal>),
        solver: SolverSettings,
    ) -> Result<(TrackingController, Vec<TrackedExcitation>), InverseFault> {
        self.set_weights(targets, model)?;
        let excitations = self.excitations(model)?;
        let terms = self.terms(model, &excitations)?;
        let (following, found) = ((targets.clone(), desired), excitations.clone());
        let settings = (self.settings(), solver);
        let mut controller = TrackingController::new(model, following, found, settings)?;
        controller = controller.with_terms(terms)?;
        if let Some(factors) = self.factors(targets, model) {
            controller = controller.with_factors(factors);
        }
        Ok((controller, excitations))
    }

    /// Factors of the weights of targets over time, one a target; `None` where there are none.
    fn factors(&self, targets: &[MotionTarget], model: &Model) -> Option<Box<dyn Signal>> {
        let mut courses = vec![Schedule::default(); targets.len()];
        let known: Vec<String> = targets.iter().map(|target| target.path(model)).collect();
        for weight in self.weights.iter().filter(|it| !it.factors.is_empty()) {
            let at = known.iter().position(|it| it == weight.target.trim());
            courses[at?] = Schedule::Table(weight.factors.clone());
        }
        let is_table = |it: &Schedule| matches!(it, Schedule::Table(_));
        if !courses.iter().any(is_table) {
            return None;
        }
        Some(Box::new(move |time: f64, values: &mut [f64]| {
            values.iter_mut().zip(&courses).for_each(|(value, course)| *value = course.at(time));
        }))
    }

    /// Gives targets their weights and those of their directions.
    ///
    /// # Errors
    /// [`InverseFault::NoTarget`].
    pub fn set_weights(
        &self,
        targets: &mut [MotionTarget],
        model: &Model,
    ) -> Result<(), InverseFault> {
        let known: Vec<String> = targets.iter().map(|target| target.path(model)).collect();
        for weight in &self.weights {
            let path = weight.target.trim();
            let absent =
                || InverseFault::NoTarget { path: path.to_owned(), known: known.join(", ") };
            let at = known.iter().position(|it| it == path).ok_or_else(absent)?;
            targets[at].weight = weight.weight.unwrap_or(targets[at].weight);
            targets[at].directions = weight.directions.unwrap_or(targets[at].directions);
        }
        Ok(())
    }

    /// Terms and conditions of excitations.
    ///
    /// # Errors
    /// [`InverseFault::NoExcitation`].
    pub fn terms(
        &self,
        model: &Model,
        excitations: &[TrackedExcitation],
    ) -> Result<ExcitationTerms, InverseFault> {
        let known = Known::of(model, excitations);
        let mut terms = ExcitationTerms::default();
        for ratio in &self.ratios {
            let (of, to) = (known.number(&ratio.of)?, known.number(&ratio.to)?);
            let count = excitations.len();
            terms.constraints.push(LinearConstraint::proportional(count, of, (ratio.ratio, to)));
        }
        for synergy in &self.synergies {
            terms.synergies.push(known.coefficients(synergy)?);
        }
        for sum in &self.sums {
            let coefficients = known.coefficients(&sum.shares)?;
            if let (Some(target), Some(weight)) = (sum.target, sum.weight) {
                let coefficients = coefficients.clone();
                terms.sums.push(LinearTerm { coefficients, target, weight });
            }
            if sum.lower.is_some() || sum.upper.is_some() {
                let lower = sum.lower.unwrap_or(f64::NEG_INFINITY);
                let upper = sum.upper.unwrap_or(f64::INFINITY);
                terms.constraints.push(LinearConstraint { coefficients, lower, upper });
            }
        }
        Ok(terms)
    }
}

/// Paths of the excitations, in their order.
struct Known(Vec<String>);

impl Known {
    fn of(model: &Model, excitations: &[TrackedExcitation]) -> Self {
        Self(excitations.iter().map(|it| model.path(it.component)).collect())
    }

    /// Number of the excitation of a component, or of the property there.
    fn number(&self, path: &str) -> Result<usize, InverseFault> {
        let own = path.trim();
        let own = own.strip_suffix(":excitation").unwrap_or(own);
        let absent =
            || InverseFault::NoExcitation { path: path.to_owned(), known: self.0.join(", ") };
        self.0.iter().position(|it| it == own).ok_or_else(absent)
    }

    /// A factor for each excitation.
    fn coefficients(&self, shares: &[ExcitationShare]) -> Result<Vec<f64>, InverseFault> {
        let mut coefficients = vec![0.0; self.0.len()];
        for share in shares {
            coefficients[self.number(&share.of)?] += share.factor;
        }
        Ok(coefficients)
    }
}
