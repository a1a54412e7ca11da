//! Errors of `sinew inverse`.

use sinew::inverse::InverseError;

use crate::exit::{Exit, Failure};

/// Settings of inverse control, targets and excitations of a model.
impl Failure for InverseError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Options that do not fit the file of targets.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InverseArgError {
    /// A weight that is none.
    #[error("--weight '{0}': expected PATH=W, W a number of at least 0")]
    Weight(String),
    /// A ratio that is none.
    #[error("--ratio '{0}': expected PATH=K*PATH, K a number")]
    Ratio(String),
    /// A ratio of what is not excited.
    #[error("--ratio '{path}': the excitations are {known}")]
    NoExcitation {
        /// The path as given.
        path: String,
        /// The excitations.
        known: String,
    },
    /// A weight of no target.
    #[error("--weight '{path}': the file follows {known}")]
    NoTarget {
        /// The path as given.
        path: String,
        /// The targets.
        known: String,
    },
}

impl Failure for InverseArgError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
