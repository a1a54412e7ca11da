//! Diagnostics for developers: `tracing` to stderr, at the level of the variable `SINEW_LOG`.

use tracing::level_filters::LevelFilter;

use crate::exit::{CliError, UsageError};

/// The environment variable that holds the level.
const VARIABLE: &str = "SINEW_LOG";

/// Starts the log at the level of `SINEW_LOG`, `warn` when it is not set.
///
/// # Errors
/// A level that does not exist.
pub(crate) fn start() -> Result<(), CliError> {
    let level = match std::env::var(VARIABLE) {
        Ok(name) if !name.is_empty() => name.parse().map_err(|_| UsageError::LogLevel { name })?,
        _ => LevelFilter::WARN,
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .with_max_level(level)
        .init();
    Ok(())
}
