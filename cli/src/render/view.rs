//! The view of a picture: that of `--view`, with what other options say in its place.

use sinew::snapshot::Snapshot;
use sinew_viewer::{Projection, SavedView, View, ViewOptions, exaggerated};

use super::RenderArgs;
use super::camera::camera;
use super::output::RenderError;

/// The view that options ask for, of a snapshot.
///
/// # Errors
/// Those of [`camera`].
pub(super) fn view_of(
    args: &RenderArgs,
    saved: &SavedView,
    snapshot: &Snapshot,
) -> Result<View, RenderError> {
    let options = options(args, &saved.options);
    let mut camera = match (&args.camera, &saved.camera) {
        (None, Some(saved)) => saved.clone(),
        (given, _) => {
            let given = given.as_deref().unwrap_or("iso");
            camera(given, args.orthographic, &exaggerated(snapshot, &options), args.size.0)?
        }
    };
    if args.orthographic {
        camera.projection = Projection::Orthographic;
    }
    Ok(View { camera, options })
}

fn options(args: &RenderArgs, saved: &ViewOptions) -> ViewOptions {
    ViewOptions {
        background: args.background.map_or(saved.background, |it| it.background()),
        grid: saved.grid && !args.no_grid,
        axes: saved.axes && !args.no_axes,
        slice: args.cut.map(|cut| cut.slice(args.section)).or(saved.slice),
        shrink: args.shrink.unwrap_or(saved.shrink),
        exaggeration: args.exaggerate.unwrap_or(saved.exaggeration),
        opacity: args.opacity.unwrap_or(saved.opacity),
        wireframe: saved.wireframe || args.wireframe,
        edges: saved.edges || args.edges,
        nodes: saved.nodes || args.nodes,
        fibres: saved.fibres || args.fibres,
        frames: saved.frames || args.frame_axes,
        joints: saved.joints || args.joints,
        contacts: saved.contacts || args.contacts,
        color_map: args.color_map.map_or(saved.color_map, |it| it.color_map()),
        range: args.range.map(|range| range.0).or(saved.range),
        // Letters and lines as large as on a display of 900 lines.
        pixel_scale: (args.size.0[1] as f32 / 900.0).max(0.6),
        ..saved.clone()
    }
}
