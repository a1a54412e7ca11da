//! The camera that `--camera` names.

use std::path::Path;

use sinew::Vec3;
use sinew::snapshot::Snapshot;
use sinew_viewer::{Camera, Projection, bounds_of};

use super::args::numbers;
use super::output::RenderError;

/// The camera that a text names, for a picture of this size [pixel] of a snapshot.
///
/// # Errors
/// A text that names none, a file that cannot be read or holds none.
pub(super) fn camera(
    text: &str,
    orthographic: bool,
    snapshot: &Snapshot,
    size: [u32; 2],
) -> Result<Camera, RenderError> {
    let mut camera = match Camera::direction(text) {
        Some(direction) => Camera::seen_from(direction),
        None => placed(text)?,
    };
    if orthographic {
        camera.projection = Projection::Orthographic;
    }
    if Camera::direction(text).is_some() {
        camera.fit(bounds_of(snapshot), size);
    }
    Ok(camera)
}

/// A camera by its places, or from a file.
fn placed(text: &str) -> Result<Camera, RenderError> {
    let place = |text: &str| numbers::<3>(text).map(Vec3::from);
    if let Some((eye, target)) = text.split_once(':')
        && let (Some(eye), Some(target)) = (place(eye), place(target))
        && eye != target
    {
        return Ok(Camera::between(eye, target));
    }
    let path = Path::new(text);
    let refused = |why: String| RenderError::Camera { text: text.to_owned(), why };
    if !path.is_file() {
        return Err(refused("there is no such file".to_owned()));
    }
    let read = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    serde_json::from_str(&read).map_err(|error| refused(error.to_string()))
}
