//! Surfaces from mesh files.

use std::path::{Path, PathBuf};

use sinew::geometry::{GeometryError, SurfaceMesh};
use sinew::io::{ReadError, ReadOptions, read_surface};

use crate::units::Length;

/// Errors of a file with a surface.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SurfaceFileError {
    #[error(transparent)]
    Unread(#[from] ReadError),
    #[error("{}: {error}", .path.display())]
    NoSurface { path: PathBuf, error: GeometryError },
}

/// The surface in a file of any format that is read.
///
/// # Errors
/// A file that cannot be read, or has no surface.
pub(crate) fn read(path: &Path, unit: Length) -> Result<SurfaceMesh, SurfaceFileError> {
    let mut file = read_surface(path, &ReadOptions::default())?;
    let factor = unit.factor();
    file.surface.points.iter_mut().flat_map(|p| p.iter_mut()).for_each(|x| *x = factor.apply(*x));
    let no_surface = |error| SurfaceFileError::NoSurface { path: path.to_owned(), error };
    file.surface.mesh().map_err(no_surface)
}
