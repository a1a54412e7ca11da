//! Picking: the item under the pointer, found on the processor from the snapshot that is drawn.

mod classes;
mod nearest;
mod solid;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::schedule::DragPoint;
use sinew::snapshot::{Shape, Snapshot};

use crate::View;
use crate::cuts::Cuts;
use crate::geometry::{exaggerated, placed};
use nearest::Search;
pub(crate) use solid::Solids;

pub use classes::{PickClass, PickClasses};

/// Distance within which a click meets a line or a point, beyond its own width [pixel].
const REACH: f64 = 4.0;

/// Component under a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the item in the scene.
    pub item: usize,
    /// The component that was hit.
    pub owner: ComponentId,
    /// Point of it that can be pulled.
    pub grabbed: DragPoint,
    /// Point that is hit, world [m].
    pub point: Vec3,
    /// From the beginning of the line of sight [m].
    pub distance: f64,
    /// Triangle of its surface that is hit; none of points, lines and sections.
    pub triangle: Option<u32>,
}

/// Component that is seen at a pixel; points and lines are taken before the surface they lie on.
pub fn pick(snapshot: &Snapshot, view: &View, size: [u32; 2], pixel: [f64; 2]) -> Option<Hit> {
    let snapshot = &*exaggerated(snapshot, &view.options);
    let mut search = Search::new(snapshot, view, size, pixel);
    let options = &view.options;
    for (place, item) in snapshot.scene.items.iter().enumerate() {
        if !item.style.visible {
            continue;
        }
        match &item.shape {
            Shape::Rigid { .. } | Shape::Tissue { .. } => search.surface(place, item),
            Shape::Points(points) if options.points => search.points(place, item, points),
            Shape::Lines(lines) if options.lines => search.line(place, item, lines),
            Shape::Frame { frame, axes } => {
                let shown = if axes.is_empty() { options.frames } else { options.joints };
                if shown {
                    search.frame(place, item, *frame);
                }
            }
            Shape::Points(_) | Shape::Lines(_) | Shape::Fibres { .. } => {}
        }
    }
    search.best
}

/// Components of these classes of which something visible lies within a rectangle of the picture, in the order of the
/// scene. A shape of a body is the body.
pub fn pick_box(
    snapshot: &Snapshot,
    view: &View,
    size: [u32; 2],
    corners: [[f64; 2]; 2],
    classes: PickClasses,
) -> Vec<ComponentId> {
    let snapshot = &*exaggerated(snapshot, &view.options);
    let low = [0, 1].map(|k| corners[0][k].min(corners[1][k]));
    let high = [0, 1].map(|k| corners[0][k].max(corners[1][k]));
    let origin = snapshot.scene.origin;
    let cuts = Cuts::of(&view.options, origin);
    let is_in = |point: [f32; 3]| {
        let point = Vec3::from(point.map(f64::from));
        if cuts.is_cut(point) {
            return false;
        }
        let world = origin + point;
        let seen = view.camera.project(world, size);
        seen.is_some_and(|(p, _)| (0..2).all(|k| (low[k]..=high[k]).contains(&p[k])))
    };
    let solids = Solids::of(&snapshot.scene);
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for item in snapshot.scene.items.iter().filter(|item| item.style.visible) {
        let owner = solids.of_item(item);
        let wanted = classes.has(PickClass::of(owner.kind(), item)) && !known.contains(&owner);
        if wanted && touches(&item.shape, snapshot, view, &is_in) {
            known.insert(owner);
            found.push(owner);
        }
    }
    found
}

/// True if a point of a shape that is shown meets a condition.
fn touches(
    shape: &Shape,
    snapshot: &Snapshot,
    view: &View,
    is_in: &dyn Fn([f32; 3]) -> bool,
) -> bool {
    let options = &view.options;
    let any = |points: &[u32]| {
        points.iter().filter_map(|&p| snapshot.points.get(p as usize)).any(|&p| is_in(p))
    };
    match shape {
        Shape::Tissue { nodes, .. } => any(nodes),
        Shape::Points(points) => options.points && any(points),
        Shape::Lines(lines) => options.lines && any(&lines.points),
        Shape::Fibres { .. } => false,
        Shape::Rigid { frame, vertices, .. } => {
            let frame = snapshot.frames.get(*frame as usize);
            frame.is_some_and(|frame| vertices.iter().any(|&v| is_in(placed(frame, v))))
        }
        Shape::Frame { frame, axes } => {
            let shown = if axes.is_empty() { options.frames } else { options.joints };
            let frame = snapshot.frames.get(*frame as usize);
            shown && frame.is_some_and(|frame| is_in(frame.position))
        }
    }
}
