//! The view of a picture: that of `--view`, with the values of other options in its place.

use std::sync::Arc;

use sinew::snapshot::Snapshot;
use sinew_viewer::{
    NO_FIBRES, PictureStyle, Projection, SavedView, View, ViewOptions, has_fibres, letter_scale,
};

use super::args::RenderArgs;
use super::camera::place_camera;
use super::output::RenderError;
use crate::titles::titles;

/// The view that options ask for, of a snapshot.
///
/// # Errors
/// Those of [`place_camera`].
pub(super) fn view_of(
    args: &RenderArgs,
    saved: &SavedView,
    snapshot: &Snapshot,
) -> Result<View, RenderError> {
    let options = match args.style.map(|it| it.style()) {
        Some(PictureStyle::Publication) => options(args, &saved.options.clone().for_publication()),
        Some(style) => ViewOptions { style, ..options(args, &saved.options) },
        None => options(args, &saved.options),
    };
    if options.fibres && !has_fibres(snapshot) {
        tracing::warn!("{NO_FIBRES}");
    }
    let mut view = View { options, ..View::default() };
    match (&args.camera, &saved.camera) {
        (None, Some(saved)) => view.camera = saved.clone(),
        (given, _) => {
            let given = given.as_deref().unwrap_or("iso");
            place_camera(given, args.orthographic, &mut view, (snapshot, args.size.0))?;
        }
    }
    if args.orthographic {
        view.camera.projection = Projection::Orthographic;
    }
    Ok(view)
}

fn options(args: &RenderArgs, saved: &ViewOptions) -> ViewOptions {
    ViewOptions {
        outlines: saved.outlines || args.outlines,
        labels: saved.labels || args.labels,
        titles: Arc::new(titles()),
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
        range: args.range.map_or(saved.range, |range| range.0),
        log_colors: saved.log_colors || args.log,
        pixel_scale: letter_scale(args.size.0),
        ..saved.clone()
    }
}
