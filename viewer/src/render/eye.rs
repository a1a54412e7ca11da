//! A camera and what it sees, as uniforms.

use sinew::Vec3;
use sinew::snapshot::Snapshot;

use super::grid::grids_of;
use super::layout::Globals;
use crate::camera::Lens;
use crate::cuts::Cuts;
use crate::geometry::{length, minus, relative_bounds};
use crate::scene_view::MOST_PLANES;
use crate::{Camera, Projection, View};

/// Radius within which neighbours darken a place, over the extent of the model.
const OCCLUSION_RADIUS: f32 = 0.05;

/// Uniforms of a camera and of what it sees: a picture, or a shadow map, whose camera is the light.
pub(super) fn seen_by(
    camera: &Camera,
    snapshot: &Snapshot,
    view: &View,
    size: [u32; 2],
) -> Globals {
    let origin = snapshot.scene.origin;
    let bounds = relative_bounds(snapshot);
    let extent = length(minus(bounds[1], bounds[0]));
    let bounds = with_grids(bounds, snapshot, view);
    let lens = Lens::new(camera, size, origin, bounds);
    let perspective = f32::from(u8::from(camera.projection == Projection::Perspective));
    let cuts = Cuts::of(&view.options, origin);
    let mut planes = [[0.0; 4]; MOST_PLANES];
    for (place, (normal, d)) in planes.iter_mut().zip(&cuts.planes) {
        *place = narrow(*normal, *d as f32);
    }
    let [near, far] = lens.depths.map(|x| x as f32);
    Globals {
        view_projection: lens.view_projection.cast::<f32>().into(),
        right: narrow(camera.right(), 0.0),
        up: narrow(camera.up(), 0.0),
        back: narrow(camera.back(), perspective),
        eye: narrow(camera.eye() - origin, 0.0),
        viewport: [size[0] as f32, size[1] as f32, lens.half[0] as f32, lens.half[1] as f32],
        depths: [near, far, OCCLUSION_RADIUS * extent.max(1e-12), 0.0],
        planes,
        flags: [cuts.planes.len().min(MOST_PLANES) as u32, 0, 0, 0],
        ..Globals::default()
    }
}

/// A vector in single precision, with a fourth number.
pub(super) fn narrow(v: Vec3, w: f32) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w]
}

/// A box with the grids of a picture in it, both relative to the origin of the scene [m].
fn with_grids(bounds: [[f32; 3]; 2], snapshot: &Snapshot, view: &View) -> [[f32; 3]; 2] {
    let grids = grids_of(snapshot, view).into_iter().flat_map(|grid| grid.corners());
    let corners = grids.map(|corner| corner - snapshot.scene.origin);
    corners.fold(bounds, |[low, high], corner| {
        let place = |k: usize| corner[k] as f32;
        [
            std::array::from_fn(|k| low[k].min(place(k))),
            std::array::from_fn(|k| high[k].max(place(k))),
        ]
    })
}
