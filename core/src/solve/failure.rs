//! Failures inside a step, and the errors that a user reads.

use super::linear::LinearError;
use super::settings::NewtonSettings;
use crate::contact::ContactError;
use crate::force::Fault;
use crate::lcp::ContactOutcome;
use crate::linalg::kkt::{KktError, Unknown};
use crate::mixed::MixedError;
use crate::system::{MechSystem, State, StepError};

/// A failure inside a step, before it has a time and a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    Fault(Fault),
    Linear(LinearError),
    EnergyGained {
        place: String,
        gain: f64,
        largest: f64,
    },
    NotFinite {
        row: usize,
    },
    NotConverged {
        method: &'static str,
        iterations: usize,
        residual: f64,
        tolerance: f64,
    },
    Complementarity(ContactOutcome),
    Penetration {
        depth: f64,
        pair: u32,
    },
    Crossing {
        pair: u32,
    },
    StaticContact {
        name: String,
        depth: f64,
    },
    /// With the pair of a contact that may be in the way.
    Unmet {
        name: String,
        error: f64,
        pair: Option<u32>,
    },
    Contact(ContactError),
    Unsupported {
        rule: &'static str,
        part: String,
    },
    StepControl(String),
    /// A step [s] beside its tolerance, and its error over that.
    Inexact {
        step: f64,
        error: f64,
    },
    Stopped,
}

impl Failure {
    /// Newton's method after its last iteration, with the relative residual that it left [-].
    pub(super) fn of_newton(newton: NewtonSettings, residual: f64) -> Self {
        let (iterations, tolerance) = (newton.max_iterations, newton.tolerance);
        Self::NotConverged { method: "Newton's method", iterations, residual, tolerance }
    }
}

impl From<KktError> for Failure {
    fn from(error: KktError) -> Self {
        Self::Linear(LinearError::Saddle(error))
    }
}

impl From<MixedError> for Failure {
    fn from(error: MixedError) -> Self {
        match error {
            MixedError::Singular(detail) => Self::Linear(LinearError::Singular(detail)),
            MixedError::Saddle(error) => error.into(),
            MixedError::Stopped => Self::Stopped,
            MixedError::Indefinite { .. } => Self::Linear(LinearError::Singular(error.to_string())),
            MixedError::Device(detail) => Self::Linear(LinearError::Device(detail)),
            MixedError::Cones(outcome) => Self::Complementarity(outcome),
            MixedError::NotConverged { method, iterations, residual, tolerance } => {
                Self::NotConverged { method, iterations, residual, tolerance }
            }
            MixedError::Length { .. }
            | MixedError::Friction { .. }
            | MixedError::BlockRow { .. } => unreachable!("rows of a step fit its solver: {error}"),
        }
    }
}

impl From<ContactError> for Failure {
    fn from(error: ContactError) -> Self {
        Self::Contact(error)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<LinearError> for Failure {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl Failure {
    /// The error of a step that began at `time` [s], with the names that `system` has.
    pub(super) fn name(self, system: &dyn MechSystem, time: f64) -> StepError {
        match self {
            Self::Fault(fault) => StepError::of_fault(fault, time),
            Self::Linear(LinearError::Singular(detail)) => StepError::Singular { detail, time },
            Self::Linear(LinearError::Saddle(error)) => {
                StepError::Singular { detail: named_saddle(&error, system), time }
            }
            Self::Linear(LinearError::NotConverged { iterations, residual, tolerance }) => {
                let method = "conjugate gradients";
                StepError::NotConverged { method, iterations, residual, tolerance, time }
            }
            Self::Linear(LinearError::Device(detail)) => StepError::Device { detail, time },
            Self::EnergyGained { place, gain, largest } => {
                StepError::EnergyGained { place, gain, largest, time }
            }
            Self::NotFinite { row } => StepError::NotFinite { point: system.describe(row), time },
            Self::NotConverged { method, iterations, residual, tolerance } => {
                StepError::NotConverged { method, iterations, residual, tolerance, time }
            }
            Self::Complementarity(outcome) => {
                StepError::Complementarity { detail: outcome.to_string(), time }
            }
            Self::Stopped => StepError::Stopped { time },
            Self::Unsupported { rule, part } => StepError::Unsupported { rule, part },
            Self::StepControl(detail) => StepError::StepControl { detail, time },
            Self::Inexact { step, error } => {
                StepError::StepControl { detail: inexact(step, error), time }
            }
            Self::Contact(error) => StepError::Contact { detail: error.to_string(), time },
            Self::Unmet { name, error, pair } => {
                StepError::Unmet { name, error, against: against(system, pair), time }
            }
            Self::StaticContact { name, depth } => StepError::StaticContact { name, depth, time },
            Self::Penetration { depth, pair } => {
                StepError::Penetration { pair: pair_name(system, pair), depth, time }
            }
            Self::Crossing { pair } => StepError::Crossing { pair: pair_name(system, pair), time },
        }
    }
}

/// A step [s] beside its tolerance, with its error over that.
fn inexact(step: f64, error: f64) -> String {
    format!(
        "while something touches, steps of runge-kutta-4 of {step:.1e} s are off by {error:.1e} times the tolerance: raise it, \
         or take backward-euler"
    )
}

/// Possible contradictions of a row that is not met, beside the pair of a contact.
fn against(system: &dyn MechSystem, pair: Option<u32>) -> String {
    let contact = pair.map(|pair| format!("the contact of {}, or ", pair_name(system, pair)));
    contact.unwrap_or_default() + "other joints or ranges"
}

/// The error of a saddle point, its unknown by what it belongs to.
fn named_saddle(error: &KktError, system: &dyn MechSystem) -> String {
    let unknown = match error {
        KktError::Singular(unknown) | KktError::NotFinite(unknown) => *unknown,
        KktError::NotConverged { worst, .. } => *worst,
        KktError::Offsets { .. }
        | KktError::BlockRow { .. }
        | KktError::Compliance { .. }
        | KktError::OutOfMemory { .. } => return error.to_string(),
    };
    let name = match unknown {
        Unknown::Velocity { row, .. } => format!("the motion of {}", system.describe(row)),
        Unknown::Multiplier { row } => {
            let names = system.multibody().map_or(&[][..], |it| &it.joints.names);
            let name = names.get(row).map_or("a contact or a range", String::as_str);
            format!("the force of {name}")
        }
    };
    error.to_string().replace(&unknown.to_string(), &name)
}

/// The two of a pair that may touch.
fn pair_name(system: &dyn MechSystem, pair: u32) -> String {
    let names = system.multibody().map(|multibody| &multibody.contacts.names);
    names
        .and_then(|names| names.get(pair as usize))
        .map(|it| it.join(" against "))
        .unwrap_or_default()
}

/// Refuses a state with numbers that are none.
pub(super) fn check_finite(state: &State) -> Result<(), Failure> {
    let finite = |v: &crate::Vec3| v.iter().all(|c| c.is_finite());
    match state.q.iter().zip(&state.u).position(|(q, u)| !finite(q) || !finite(u)) {
        None => Ok(()),
        Some(row) => Err(Failure::NotFinite { row }),
    }
}
