//! Errors in targets, excitations and settings of inverse control, and in solutions.

use crate::property::PropertyError;

/// Errors of inverse control.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InverseError {
    /// A property that is not there.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A property that is no motion.
    #[error(
        "'{0}' cannot be followed: name the position of a particle, marker, node or body, the \
         orientation of a body, or the value of a coordinate of a joint"
    )]
    Target(String),
    /// A component that excites nothing.
    #[error(
        "'{0}' has no excitation: name a muscle, a spring, a bundle of a tissue, an exciter or an \
         actuator"
    )]
    Excitation(String),
    /// A target or an excitation that takes no part in the simulation.
    #[error("'{0}' is not simulated: enable it, and what it belongs to")]
    NotSimulated(String),
    /// A state that cannot be read.
    #[error("{0}")]
    State(String),
    /// No targets, or no excitations.
    #[error("there are no {0}: give at least one")]
    Nothing(&'static str),
    /// A number out of range.
    #[error("`{name}` must be {must}, got {value}")]
    Number {
        /// Name of the setting.
        name: &'static str,
        /// Range of permitted values.
        must: &'static str,
        /// Given value.
        value: f64,
    },
    /// A rule of steps whose derivatives are not known.
    #[error(
        "excitations are found for steps of backward Euler, linearized; the rule is {0}: take \
         --integrator backward-euler without --newton"
    )]
    Integrator(String),
    /// The quadratic program was not solved.
    #[error("the excitations at t = {time} s were not found: {detail}")]
    Program {
        /// Time at the start of the step [s].
        time: f64,
        /// Outcome of the solver.
        detail: String,
    },
}
