//! Surfaces from mesh files.

use std::path::Path;

use sinew::geometry::SurfaceMesh;

use crate::source::read_text;
use crate::units::Length;

/// The surface in a file.
///
/// # Errors
/// A file that is none, in a sentence.
pub(crate) fn read(path: &Path, unit: Length) -> Result<SurfaceMesh, String> {
    let text = read_text(path)?;
    let scale = unit.factor().apply(1.0);
    sinew_datasets::obj::read_obj(&text, scale)
        .map_err(|error| format!("{}: {error}", path.display()))
}
