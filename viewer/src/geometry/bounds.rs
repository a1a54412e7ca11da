//! The box around the items that are shown.

use sinew::Vec3;
use sinew::component::{ComponentId, Kind};
use sinew::snapshot::{Item, Shape, Snapshot};

use super::placed;

/// The box around all that is visible now, world [m]; that of the scene at its start where nothing is.
pub fn bounds_of(snapshot: &Snapshot) -> [Vec3; 2] {
    let origin = snapshot.scene.origin;
    relative_bounds(snapshot).map(|corner| origin + Vec3::from(corner.map(f64::from)))
}

/// The same, relative to the origin of the scene.
pub(crate) fn relative_bounds(snapshot: &Snapshot) -> [[f32; 3]; 2] {
    let mut bounds = NOTHING;
    for item in snapshot.scene.items.iter().filter(|item| item.style.visible && !is_ground(item)) {
        add_shape(&mut bounds, &item.shape, snapshot);
    }
    if holds_something(&bounds) { bounds } else { snapshot.scene.bounds }
}

/// Points of all that is visible now, world [m].
pub(crate) fn drawn_points(snapshot: &Snapshot) -> Vec<Vec3> {
    let origin = snapshot.scene.origin;
    let mut found = Vec::new();
    for item in snapshot.scene.items.iter().filter(|item| item.style.visible && !is_ground(item)) {
        visit(&item.shape, snapshot, &mut |p| {
            if p.iter().all(|x| x.is_finite()) {
                found.push(origin + Vec3::from(p.map(f64::from)));
            }
        });
    }
    found
}

/// The box around what is drawn of a component, world [m]; `None` where that is nothing.
pub(crate) fn bounds_of_component(snapshot: &Snapshot, id: ComponentId) -> Option<[Vec3; 2]> {
    let mut bounds = NOTHING;
    for item in snapshot.scene.items.iter().filter(|item| item.owner == id) {
        add_shape(&mut bounds, &item.shape, snapshot);
    }
    let origin = snapshot.scene.origin;
    let world = bounds.map(|corner| origin + Vec3::from(corner.map(f64::from)));
    holds_something(&bounds).then_some(world)
}

/// A box around no point.
const NOTHING: [[f32; 3]; 2] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

fn holds_something(bounds: &[[f32; 3]; 2]) -> bool {
    (0..3).all(|k| bounds[0][k].is_finite() && bounds[1][k] >= bounds[0][k])
}

/// True if it is a plate that stands for a half-space: it ends somewhere, and nobody looks for where.
fn is_ground(item: &Item) -> bool {
    let plate = matches!(&item.shape, Shape::Rigid { triangles, .. } if triangles.len() <= 2);
    plate && item.owner.kind() == Kind::Collider
}

fn add_shape(bounds: &mut [[f32; 3]; 2], shape: &Shape, snapshot: &Snapshot) {
    visit(shape, snapshot, &mut |p| add(bounds, p));
}

/// Visits the points of a shape, relative to the origin of the scene [m].
fn visit(shape: &Shape, snapshot: &Snapshot, visit: &mut dyn FnMut([f32; 3])) {
    let mut visit_points = |points: &[u32]| {
        points.iter().filter_map(|&p| snapshot.points.get(p as usize)).for_each(|&p| visit(p));
    };
    match shape {
        Shape::Tissue { nodes, .. } => visit_points(nodes),
        Shape::Points(points) => visit_points(points),
        Shape::Lines(lines) => visit_points(&lines.points),
        // They are within their tissue.
        Shape::Fibres { .. } => {}
        Shape::Rigid { frame, vertices, .. } => {
            if let Some(frame) = snapshot.frames.get(*frame as usize) {
                vertices.iter().for_each(|&v| visit(placed(frame, v)));
            }
        }
        Shape::Frame { frame, .. } => {
            if let Some(frame) = snapshot.frames.get(*frame as usize) {
                visit(frame.position);
            }
        }
    }
}

fn add(bounds: &mut [[f32; 3]; 2], point: [f32; 3]) {
    if point.iter().all(|x| x.is_finite()) {
        for k in 0..3 {
            bounds[0][k] = bounds[0][k].min(point[k]);
            bounds[1][k] = bounds[1][k].max(point[k]);
        }
    }
}
