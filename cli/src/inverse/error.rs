//! Errors of `sinew inverse`.

use sinew::inverse::InverseError;
use sinew_model_files::InverseFault;

use crate::exit::{Exit, Failure};

/// Settings of inverse control, targets and excitations of a model.
impl Failure for InverseError {
    fn exit(&self) -> Exit {
        Exit::Input
    }
}

/// Weights and terms of what the model or the file of targets does not have.
impl Failure for InverseFault {
    fn exit(&self) -> Exit {
        match self {
            Self::NoTarget { .. } | Self::NoExcitation { .. } => Exit::Usage,
            Self::Library(error) => error.exit(),
        }
    }
}

/// Options without a meaning.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InverseArgError {
    /// A weight that is none.
    #[error(
        "--weight '{0}': expected PATH=W or PATH.x=W, W a number of at least 0, or PATH=T:W,T:W,.. with rising times T"
    )]
    Weight(String),
    /// A ratio that is none.
    #[error("--ratio '{0}': expected PATH=K*PATH, K a number")]
    Ratio(String),
    /// No targets at all.
    #[error(
        "nothing to follow: give --targets FILE, or `targets` in the section [inverse] of the model file; \
         --kinematics and --dynamics ask for joints"
    )]
    NoTargets,
    /// Options that do not go with those of the model file.
    #[error("{key} {rule}")]
    Settings {
        /// The setting.
        key: &'static str,
        /// The rule that it breaks.
        rule: &'static str,
    },
}

impl Failure for InverseArgError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
