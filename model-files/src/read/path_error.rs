//! Errors of paths in the sections of a file.

use sinew::component::PathError as NotFound;
use sinew::property::PropertyError;
use sinew_run_files::ProbeError;

/// Errors of a path of a component or a property, or of a formula of them.
#[derive(Debug, thiserror::Error)]
pub(super) enum PathError {
    #[error("'{0}' names no property: add ':' and its name")]
    NoProperty(String),
    #[error(transparent)]
    NotFound(#[from] NotFound),
    #[error(transparent)]
    Property(#[from] PropertyError),
    #[error(transparent)]
    Formula(#[from] ProbeError),
}
