//! The camera that `--camera` names.

use std::path::Path;

use sinew::Vec3;
use sinew::snapshot::Snapshot;
use sinew_viewer::{Camera, Projection, View, fit_view, read_text};

use super::args::numbers;
use super::output::RenderError;

/// Most bytes of a file with a camera: some hundred times what one has.
const LONGEST: u64 = 64 * 1024;

/// Puts the camera of a view where a text says, for a picture of a snapshot of this size [pixel].
///
/// # Errors
/// A text that names none, a file that cannot be read or holds none.
pub(super) fn place_camera(
    text: &str,
    orthographic: bool,
    view: &mut View,
    (snapshot, size): (&Snapshot, [u32; 2]),
) -> Result<(), RenderError> {
    view.camera = match Camera::direction(text) {
        Some(direction) => Camera::seen_from(direction),
        None => placed(text)?,
    };
    if orthographic {
        view.camera.projection = Projection::Orthographic;
    }
    if Camera::direction(text).is_some() {
        fit_view(view, snapshot, size);
    }
    Ok(())
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
    let read = read_text(path, LONGEST).map_err(|error| refused(error.to_string()))?;
    serde_json::from_str(&read).map_err(|error| refused(error.to_string()))
}
