//! Errors of `sinew fit`.

use sinew::adjoint::AdjointError;

use crate::exit::{Exit, Failure};

/// Derivatives of steps, and what they are by.
impl Failure for AdjointError {
    fn exit(&self) -> Exit {
        match self {
            Self::Step(_) | Self::Touching { .. } | Self::Singular { .. } => Exit::Step,
            Self::Property(_)
            | Self::Parameter { .. }
            | Self::Structure(_)
            | Self::Integrator(_)
            | Self::Unsupported(_)
            | Self::Length { .. } => Exit::Input,
        }
    }
}

/// Options that are none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FitArgError {
    /// Bounds that are none.
    #[error("--parameters '{0}': expected PATH or PATH=LOWER..UPPER, LOWER below UPPER")]
    Bounds(String),
    /// A record that ends before the first step.
    #[error(
        "the data ends at {end} s, before the first step of {step} s does: take a smaller --step"
    )]
    Short {
        /// Last time of the data [s].
        end: f64,
        /// Length of a step [s].
        step: f64,
    },
}

impl Failure for FitArgError {
    fn exit(&self) -> Exit {
        match self {
            Self::Bounds(_) => Exit::Usage,
            Self::Short { .. } => Exit::Input,
        }
    }
}
