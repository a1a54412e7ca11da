//! Settings of the search for excitations.

use super::InverseError;
use crate::solve::ResponseAccuracy;

/// Velocity that a target is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrackingRule {
    /// That of the desired motion, and what closes the distance to it in `time` [s]: v* = v_d + (x_d - x) / time. With the
    /// length of the step the motion is met at its end.
    Chase {
        /// Chase time [s], positive.
        time: f64,
    },
    /// That of now, and h (kp (x_d - x) + kd (v_d - v)).
    ProportionalDerivative {
        /// Gain of distances \[1/s²\].
        kp: f64,
        /// Gain of differences of velocities \[1/s\].
        kd: f64,
    },
}

/// Contacts and ends of ranges that push in a step whose excitations are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactSets {
    /// Those that push with the excitations of now.
    Kept,
    /// Those that the excitations which are found bring: others are tried where the ones of now would not push any more, or
    /// targets are missed.
    #[default]
    Chosen,
}

/// Weights of the terms of the program, and the rule of targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackingSettings {
    /// Velocity that targets are asked for.
    pub rule: TrackingRule,
    /// Weight of squared excitations [-], over the squared response of the targets to the strongest
    /// one: it decides between excitations that move the targets alike.
    pub regularization: f64,
    /// Weight of squared changes of excitations in a step [-], over the same.
    pub damping: f64,
    /// Weight of amounts of excitations [-], over the same: their sum, which leaves few excitations above none where squares
    /// leave many small ones.
    pub sparsity: f64,
    /// Exactness of the responses of steps.
    pub accuracy: ResponseAccuracy,
    /// Contacts that push.
    pub contacts: ContactSets,
    /// Linearizations of a step, at most: each about the excitations that the one before found.
    pub iterations: usize,
    /// Change of an excitation in an iteration [-] above which there is another: what is left then is of the order of its
    /// square.
    pub tolerance: f64,
}

impl Default for TrackingSettings {
    /// A chase time of 10 ms and weights as in ArtiSynth, one linearization a step.
    fn default() -> Self {
        Self {
            rule: TrackingRule::Chase { time: 0.01 },
            regularization: 1e-4,
            damping: 1e-5,
            sparsity: 0.0,
            accuracy: ResponseAccuracy::Factor,
            contacts: ContactSets::Chosen,
            iterations: 1,
            tolerance: 0.02,
        }
    }
}

impl TrackingSettings {
    /// Checks ranges.
    ///
    /// # Errors
    /// [`InverseError::Number`].
    pub fn check(&self) -> Result<(), InverseError> {
        let not_negative = |name, value: f64| match value.is_finite() && value >= 0.0 {
            true => Ok(()),
            false => Err(InverseError::Number { name, must: "finite and >= 0", value }),
        };
        not_negative("regularization", self.regularization)?;
        not_negative("damping", self.damping)?;
        not_negative("sparsity", self.sparsity)?;
        not_negative("tolerance", self.tolerance)?;
        if self.iterations == 0 {
            let (name, must) = ("iterations", "1 or more");
            return Err(InverseError::Number { name, must, value: 0.0 });
        }
        match self.rule {
            TrackingRule::Chase { time } if time.is_finite() && time > 0.0 => Ok(()),
            TrackingRule::Chase { time } => {
                let (name, must) = ("chase time", "finite and > 0");
                Err(InverseError::Number { name, must, value: time })
            }
            TrackingRule::ProportionalDerivative { kp, kd } => {
                not_negative("kp", kp)?;
                not_negative("kd", kd)
            }
        }
    }
}
