//! Pictures of a running model as arrays, without a window.

use std::path::Path;

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::prelude::*;
use sinew::schedule::Scheduler;
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew_viewer::{Camera, SavedView, View, fit_view, letter_scale, picture};

use crate::errors::{SinewError, raise};

/// Draws a picture: from a direction such as `iso`, with a view as its file has it.
pub(crate) fn render<'py>(
    py: Python<'py>,
    scheduler: &mut Scheduler,
    size: [u32; 2],
    [camera, view]: [&str; 2],
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let refused = |why: String| SinewError::new_err(why);
    let saved = SavedView::from_json(view, Path::new("view"));
    let saved = saved.map_err(|error| refused(error.to_string()))?;
    let wanted = Wanted { quantity: saved.color_by, ..Wanted::default() };
    let (mut snapshot, steps) = (Snapshot::default(), scheduler.steps());
    let simulation = scheduler.simulation_mut();
    raise(Capture::new().capture(simulation, steps, &wanted, &mut snapshot))?;
    let mut view = View { options: saved.options, ..View::default() };
    view.options.pixel_scale = letter_scale(size);
    match (saved.camera, Camera::direction(camera)) {
        (Some(saved), _) => view.camera = saved,
        (None, Some(direction)) => {
            view.camera = Camera::seen_from(direction);
            fit_view(&mut view, &snapshot, size);
        }
        (None, None) => {
            let why = format!("there is no camera '{camera}': take iso, +x, -x, +y, -y, +z or -z");
            return Err(refused(why));
        }
    }
    let image = py.detach(|| picture(&snapshot, &view, size));
    let image = image.map_err(|error| refused(error.to_string()))?;
    let [width, height] = size.map(|side| side as usize);
    let bytes = image.pixels.as_flattened().to_vec();
    let shaped = Array3::from_shape_vec((height, width, 4), bytes);
    Ok(shaped.map_err(|error| refused(error.to_string()))?.into_pyarray(py))
}
