//! Errors of derivatives of steps.

use crate::linalg::FactorError;
use crate::property::PropertyError;
use crate::system::{CompileError, StepError};

/// Faults of the equations of a step that leave it without derivative.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SingularFault {
    /// The matrix of inner scalars.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// The matrix of bodies and constraint rows.
    #[error("joints and bodies leave a motion that nothing resists; fix it, or give it a mass")]
    Border,
    /// A matrix whose symmetric part says too little of it.
    #[error("its matrix is too far from symmetric; a shorter step makes it more so")]
    FarFromSymmetric,
}

/// Errors of derivatives of steps and trajectories.
#[derive(Debug, thiserror::Error)]
pub enum AdjointError {
    /// A step of the trajectory, or its equations beside it.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A parameter that is not there, or does not take a number.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A model that does not compile with a parameter changed.
    #[error("the model does not compile with '{path}' = {value}: {error}")]
    Parameter {
        /// Path of the parameter.
        path: String,
        /// Value tried.
        value: f64,
        /// The reason.
        error: Box<CompileError>,
    },
    /// A parameter that changes which points are coupled.
    #[error("'{0}' changes the structure of the model: derivatives are by numbers alone")]
    Structure(String),
    /// A rule whose equations are not those of its steps.
    #[error(
        "derivatives of steps are those of backward Euler and of the trapezoidal rule, solved by Newton's \
         method; the rule is {0}: take `implicit = newton`, or --newton"
    )]
    Integrator(String),
    /// A contact that has no derivative.
    #[error(
        "in the step that ends at t = {time} s something {fault}: the step has no derivative, take another step length \
         or start"
    )]
    Touching {
        /// Time at the end of the step [s].
        time: f64,
        /// The reason.
        fault: &'static str,
    },
    /// A part of a step that has no derivative yet.
    #[error("steps are not differentiated through {0}")]
    Unsupported(String),
    /// Rows that contradict each other, or a matrix without inverse.
    #[error("the equations of the step that ends at t = {time} s have no derivative: {fault}")]
    Singular {
        /// Time at the end of the step [s].
        time: f64,
        /// The reason.
        fault: SingularFault,
    },
    /// A record that ends before the first step.
    #[error(
        "the data ends at {end} s, before the first step of {step} s does: take a smaller step"
    )]
    Short {
        /// Last time of the data [s].
        end: f64,
        /// Length of a step [s].
        step: f64,
    },
    /// A state or a cotangent of another size, or a number that is none.
    #[error("{what} must have {expected} numbers, got {found}")]
    Length {
        /// The array.
        what: &'static str,
        /// Entries there must be.
        expected: usize,
        /// Entries given.
        found: usize,
    },
}
