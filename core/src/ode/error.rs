//! Errors of the integration of an initial value problem.

use std::convert::Infallible;

/// Failure of an integration; `E` is that of the function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OdeError<E> {
    /// The function failed, however short the step was made.
    #[error("at t = {time}: {source}")]
    System {
        /// Time at the start of the step [s].
        time: f64,
        /// Its error.
        source: E,
    },
    /// A setting that has no meaning.
    #[error("`{name}` must be {wanted}, got {got}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// Allowed values.
        wanted: &'static str,
        /// Value given.
        got: f64,
    },
    /// Values of another number than the function has.
    #[error("the start has {got} values, the function has {wanted}")]
    Size {
        /// Values given.
        got: usize,
        /// Values of the function.
        wanted: usize,
    },
    /// A step became so short that time stands still.
    #[error(
        "at t = {time} the step shrank to {step:.3e}: the solution has a singularity or a jump there, or the tolerance cannot be met; raise it, or take a stiff rule (radau)"
    )]
    StepTooShort {
        /// Time [s].
        time: f64,
        /// The step [s].
        step: f64,
    },
    /// More steps than the settings allow.
    #[error(
        "at t = {time} the limit of {limit} steps was reached: raise `max_steps` or the tolerance, or take a stiff rule (radau)"
    )]
    TooManySteps {
        /// Time [s].
        time: f64,
        /// The limit.
        limit: usize,
    },
    /// A value that is not finite, however short the step was made.
    #[error("at t = {time} value {component} is not finite")]
    NotFinite {
        /// Time [s].
        time: f64,
        /// Its place.
        component: usize,
    },
    /// Events without end at one time: switching back and forth, or impacts that accumulate.
    #[error(
        "at t = {time} switching function {switch} was zero {count} times without time going on: events accumulate (Zeno) or switch back and forth; let its reaction end in a state that stays"
    )]
    Chattering {
        /// Time [s].
        time: f64,
        /// Its number.
        switch: usize,
        /// Times that it was zero.
        count: usize,
    },
}

impl<E> OdeError<E> {
    /// The error of the function, or else that of the integration.
    ///
    /// # Errors
    /// The same without errors of the function.
    pub fn of_system(self) -> Result<E, OdeError<Infallible>> {
        Err(match self {
            Self::System { source, .. } => return Ok(source),
            Self::Setting { name, wanted, got } => OdeError::Setting { name, wanted, got },
            Self::Size { got, wanted } => OdeError::Size { got, wanted },
            Self::StepTooShort { time, step } => OdeError::StepTooShort { time, step },
            Self::TooManySteps { time, limit } => OdeError::TooManySteps { time, limit },
            Self::NotFinite { time, component } => OdeError::NotFinite { time, component },
            Self::Chattering { time, switch, count } => {
                OdeError::Chattering { time, switch, count }
            }
        })
    }
}
