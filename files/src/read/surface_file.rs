//! Surfaces from mesh files.

use std::path::Path;

use sinew::geometry::SurfaceMesh;
use sinew::io::{ReadOptions, read_surface};

use crate::units::Length;

/// The surface in a file of any format that is read.
///
/// # Errors
/// A file that is none, in a sentence.
pub(crate) fn read(path: &Path, unit: Length) -> Result<SurfaceMesh, String> {
    let mut file = read_surface(path, &ReadOptions::default()).map_err(|e| e.to_string())?;
    let factor = unit.factor();
    file.surface.points.iter_mut().flat_map(|p| p.iter_mut()).for_each(|x| *x = factor.apply(*x));
    file.surface.mesh().map_err(|error| format!("{}: {error}", path.display()))
}
