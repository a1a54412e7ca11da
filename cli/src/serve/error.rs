//! Errors of `sinew serve`.

use crate::exit::{Exit, Failure};

/// Errors of `sinew serve`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    /// The address.
    #[error(
        "cannot listen at {address}: {why}; give another --listen HOST:PORT, with port 0 for any that is free"
    )]
    Listen {
        /// As given.
        address: String,
        /// Reason of the system.
        why: std::io::Error,
    },
    /// Nobody connected.
    #[error(
        "no controller connected to {address} within {timeout} s; start it, or raise --timeout"
    )]
    Nobody {
        /// Address.
        address: String,
        /// Time waited [s].
        timeout: f64,
    },
    /// The controller did not answer.
    #[error(
        "the controller did not answer at t = {time} s within {timeout} s; let it answer every line with one line, or raise --timeout"
    )]
    Silent {
        /// Simulated time [s].
        time: f64,
        /// Time waited [s].
        timeout: f64,
    },
    /// The connection broke.
    #[error(
        "the controller is gone at t = {time} s: {why}; to end a run let it answer {{\"stop\": true}}"
    )]
    Gone {
        /// Simulated time [s].
        time: f64,
        /// Reason of the system.
        why: String,
    },
    /// An answer that is none.
    #[error("the answer of the controller at t = {time} s is refused: {why}")]
    Answer {
        /// Simulated time [s].
        time: f64,
        /// Fault, and what to send.
        why: String,
    },
    /// An input that is no number.
    #[error("the input {0} is no single number; name properties of one number")]
    NoNumber(String),
    /// Nothing to send or to set.
    #[error("the model has no {what}; name properties by --{option} PATH:NAME,..")]
    Nothing {
        /// Sensors, or muscles and actuators.
        what: &'static str,
        /// The option.
        option: &'static str,
    },
    /// An interval that is not of whole steps.
    #[error(
        "--interval {interval} s is not a whole number of steps of {step} s; give a multiple of the step"
    )]
    Interval {
        /// As given [s].
        interval: f64,
        /// Time step [s].
        step: f64,
    },
}

impl Failure for ServeError {
    fn exit(&self) -> Exit {
        match self {
            Self::Interval { .. } => Exit::Usage,
            Self::Answer { .. } | Self::NoNumber(_) | Self::Nothing { .. } => Exit::Input,
            Self::Listen { .. } | Self::Nobody { .. } | Self::Silent { .. } | Self::Gone { .. } => {
                Exit::Output
            }
        }
    }
}
