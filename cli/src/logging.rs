//! Diagnostics for developers: `tracing` to stderr, at the level of the variable `SINEW_LOG`.

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::exit::{CliError, Exit, Failure};

/// The environment variable that holds the level.
const VARIABLE: &str = "SINEW_LOG";

/// A level of the log that does not exist.
#[derive(Debug, thiserror::Error)]
#[error("SINEW_LOG={name}: expected off, error, warn, info, debug or trace")]
pub(crate) struct LevelError {
    name: String,
}

impl Failure for LevelError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Starts the log at the level of `SINEW_LOG`, `warn` when it is not set.
///
/// # Errors
/// A level that does not exist.
pub(crate) fn start() -> Result<(), CliError> {
    let level = match std::env::var(VARIABLE) {
        Ok(name) if !name.is_empty() => name.parse().map_err(|_| LevelError { name })?,
        _ => LevelFilter::WARN,
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .with_max_level(level)
        .finish()
        .with(targets(level))
        .init();
    Ok(())
}

/// Targets of diagnostics at a level. Windows warn of settings and screens that a display does not
/// tell of, which is of use to nobody but who looks for more.
fn targets(level: LevelFilter) -> Targets {
    let of_windows = if level > LevelFilter::WARN { level } else { level.min(LevelFilter::ERROR) };
    Targets::new().with_default(level).with_target("winit", of_windows)
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn windows_tell_of_errors_alone_unless_more_is_asked_for() {
        let tells = |level, target: &str, of| targets(level).would_enable(target, &of);
        let backend = "winit::platform_impl::linux::x11::util::randr";
        assert!(!tells(LevelFilter::WARN, backend, Level::WARN));
        assert!(tells(LevelFilter::WARN, backend, Level::ERROR));
        assert!(tells(LevelFilter::WARN, "sinew", Level::WARN));
        assert!(tells(LevelFilter::INFO, backend, Level::WARN));
        assert!(!tells(LevelFilter::OFF, backend, Level::ERROR));
    }
}
