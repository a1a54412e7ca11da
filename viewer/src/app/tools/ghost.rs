//! The ghost of what a gizmo is about to move: its edges, where the drag leads.

use egui::{Rect, Stroke, Ui, vec2};
use sinew::component::ComponentId;
use sinew::snapshot::{Item, Shape, Snapshot};
use sinew::{Mat3, Vec3};

use super::super::reach::Reach;
use super::gizmo_draw::LIT;
use crate::geometry::placed;
use crate::pick::Solids;
use crate::render::Selected;

/// Lines of a ghost at most: of finer surfaces every so many edges are drawn.
const MOST_LINES: usize = 3000;

/// Draws what is selected where a map x -> L x + t [m] takes it.
pub(super) fn draw(ui: &Ui, rect: Rect, reach: &Reach<'_>, (linear, shift): (Mat3, Vec3)) {
    let painter = ui.painter().with_clip_rect(rect);
    let (origin, scale) = (reach.snapshot.scene.origin, ui.pixels_per_point());
    let seen = |point: [f32; 3]| {
        let moved = linear * (origin + Vec3::from(point.map(f64::from))) + shift;
        let [x, y] = reach.seen(moved)?;
        Some(rect.min + vec2(x as f32, y as f32) / scale)
    };
    let Ghost { lines, points } = Ghost::of(reach.snapshot, reach.selection.ids());
    let stroke = Stroke::new(1.0, LIT.gamma_multiply(0.7));
    for ends in lines.iter().step_by(lines.len().div_ceil(MOST_LINES).max(1)) {
        if let [Some(a), Some(b)] = ends.map(seen) {
            painter.line_segment([a, b], stroke);
        }
    }
    let step = points.len().div_ceil(MOST_LINES).max(1);
    for at in points.iter().step_by(step).filter_map(|&point| seen(point)) {
        painter.circle_stroke(at, 4.0, stroke);
    }
}

/// Lines and points of components, relative to the origin of the scene [m].
#[derive(Default)]
struct Ghost {
    lines: Vec<[[f32; 3]; 2]>,
    points: Vec<[f32; 3]>,
}

impl Ghost {
    /// Of components, of those below them, and of the shapes of bodies.
    fn of(snapshot: &Snapshot, ids: &[ComponentId]) -> Self {
        let scene = &snapshot.scene;
        let (selected, solids) = (Selected::of(scene, ids), Solids::of(scene));
        let mut ghost = Self::default();
        for (place, item) in scene.items.iter().enumerate() {
            let is_meant = selected.has(place) || ids.contains(&solids.of_item(item));
            if is_meant && item.style.visible {
                ghost.add(snapshot, item);
            }
        }
        ghost
    }

    fn add(&mut self, snapshot: &Snapshot, item: &Item) {
        let at = |p: u32| snapshot.points.get(p as usize).copied();
        let pair = |[a, b]: [u32; 2]| Some([at(a)?, at(b)?]);
        match &item.shape {
            Shape::Tissue { edges, .. } => {
                self.lines.extend(edges.iter().copied().filter_map(pair))
            }
            Shape::Lines(lines) => {
                let ends = lines.points.windows(2).map(|ends| [ends[0], ends[1]]);
                self.lines.extend(ends.filter_map(pair));
            }
            Shape::Points(points) => self.points.extend(points.iter().copied().filter_map(at)),
            Shape::Rigid { frame, vertices, triangles } => {
                let Some(frame) = snapshot.frames.get(*frame as usize) else { return };
                let vertex = |v: u32| Some(placed(frame, *vertices.get(v as usize)?));
                let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
                // Each edge once: the triangle beside goes through it the other way.
                let sides = sides.filter(|[a, b]| a < b);
                self.lines.extend(sides.filter_map(|[a, b]| Some([vertex(a)?, vertex(b)?])));
            }
            Shape::Frame { frame, .. } => {
                self.points.extend(snapshot.frames.get(*frame as usize).map(|it| it.position));
            }
            Shape::Fibres { .. } => {}
        }
    }
}
