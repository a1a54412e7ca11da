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
            | Self::Short { .. }
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
}

impl Failure for FitArgError {
    fn exit(&self) -> Exit {
        match self {
            Self::Bounds(_) => Exit::Usage,
        }
    }
}
