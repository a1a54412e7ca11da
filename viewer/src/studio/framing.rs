//! Framing: a camera placed so that all of a model is seen, with its grid and beside the bar of its
//! colours.

use sinew::Vec3;
use sinew::snapshot::{Quantity, Snapshot};

use super::margins::COLUMN;
use crate::View;
use crate::geometry::{bounds_of, drawn_points, exaggerated};
use crate::render::{BAR_WIDTH, grid_corners};
use crate::scene_view::PictureStyle;

/// Moves the camera of a view, in the direction that it has, to where all of the model and its grid are in a
/// picture of this size [pixel]; nothing lies behind the bar of the colours or the titles of parts.
pub fn fit_view(view: &mut View, snapshot: &Snapshot, size: [u32; 2]) {
    let drawn = exaggerated(snapshot, &view.options);
    let [low, high] = bounds_of(&drawn);
    let of_box = |k: usize| Vec3::from_fn(|axis, _| [low, high][k >> axis & 1][axis]);
    // In print a model fills its picture; elsewhere its box does, which a model that moves leaves less often.
    let mut corners = match view.options.style {
        PictureStyle::Publication => drawn_points(&drawn),
        PictureStyle::Plain => Vec::new(),
    };
    if corners.is_empty() {
        corners = (0..8).map(of_box).collect();
    }
    if view.options.grid {
        corners.extend(grid_corners([low, high], &view.camera));
    }
    let barred = view.options.color_bar && snapshot.field.quantity != Quantity::None;
    let bar = if barred { (BAR_WIDTH * view.options.pixel_scale) as u32 } else { 0 };
    // In a picture that is hardly wider than the bar, the model lies behind it.
    let bar = bar.min(size[0] / 3);
    let columns = if view.options.labels { (2.0 * COLUMN * size[0] as f32) as u32 } else { 0 };
    let width = (size[0] - bar).saturating_sub(columns).max(1);
    view.camera.fit_points(&corners, [width, size[1]]);
    view.camera.pan([-0.5 * f64::from(bar), 0.0], size);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use sinew::snapshot::{Field, Scene};

    #[test]
    fn the_model_its_grid_and_the_bar_are_beside_each_other() {
        let scene = Scene { bounds: [[-0.1, -0.05, -0.2], [0.1, 0.05, 0.2]], ..Scene::default() };
        let field = Field { quantity: Quantity::Speed, ..Field::default() };
        let snapshot = Snapshot { scene: Arc::new(scene), field, ..Snapshot::default() };
        for size in [[1280, 800], [800, 600], [500, 1000]] {
            let mut view = View::default();
            fit_view(&mut view, &snapshot, size);
            let bounds = bounds_of(&snapshot);
            let mut corners = grid_corners(bounds, &view.camera).to_vec();
            corners.extend(bounds);
            for corner in corners {
                let ([x, y], _) = view.camera.project(corner, size).unwrap();
                let right = f64::from(size[0]) - f64::from(BAR_WIDTH);
                assert!((0.0..right).contains(&x), "{x} of {right} in {size:?}");
                assert!((0.0..f64::from(size[1])).contains(&y), "{y} in {size:?}");
            }
        }
    }
}
