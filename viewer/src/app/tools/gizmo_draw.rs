//! Drawing of gizmos over the picture.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, vec2};
use sinew::Vec3;

use super::super::reach::Reach;
use super::handles::is_seen;
use super::motion::{GizmoFrame, Handle, Motion};

/// Colour of what lights up, seen on light and dark.
pub(super) const LIT: Color32 = Color32::from_rgb(240, 140, 20);

/// Colours of the axes x, y, z, seen on light and dark.
const COLORS: [Color32; 3] = [
    Color32::from_rgb(220, 70, 60),
    Color32::from_rgb(70, 165, 70),
    Color32::from_rgb(70, 120, 230),
];

/// Draws handles; of one that is dragged, where it leads and its numbers.
pub(super) fn draw(
    ui: &Ui,
    rect: Rect,
    reach: &Reach<'_>,
    (motion, place): (Motion, &GizmoFrame),
    dragged: Option<(Handle, Vec3)>,
) {
    let painter = ui.painter().with_clip_rect(rect);
    let scale = ui.pixels_per_point();
    let seen = |point| {
        let [x, y] = reach.seen(point)?;
        Some(rect.min + vec2(x as f32, y as f32) / scale)
    };
    let handles = motion.handles().iter().filter(|handle| is_seen(place, **handle, reach));
    for &it in handles.rev() {
        let points: Option<Vec<_>> = place.handle(motion, it).into_iter().map(seen).collect();
        let is_dragged = dragged.is_some_and(|(handle, _)| handle == it);
        if let Some(points) = points {
            let color = if is_dragged { LIT } else { color_of(it) };
            draw_handle(&painter, (motion, it), points, color);
        }
    }
    let (Some(center), Some((handle, numbers))) = (seen(place.center), dragged) else { return };
    if motion == Motion::Move
        && let Some(to) = seen(place.center + place.axes * numbers)
    {
        painter.line_segment([center, to], Stroke::new(2.0, LIT));
        painter.circle_stroke(to, 7.0, Stroke::new(2.0, LIT));
    }
    let paper = ui.visuals().extreme_bg_color.gamma_multiply(0.85);
    label(&painter, center + vec2(12.0, -12.0), told(motion, handle, numbers), paper);
}

/// The numbers of a drag, with their axes.
fn told(motion: Motion, handle: Handle, numbers: Vec3) -> String {
    let (unit, _) = motion.unit();
    let is_told = |k: usize| match handle {
        Handle::Axis(axis) => k == axis,
        Handle::Plane(normal) => k != normal,
        Handle::Whole => true,
    };
    let axes = (0..3).filter(|&k| is_told(k));
    let each = axes.map(|k| format!("{}: {:.4} {unit}", ["x", "y", "z"][k], numbers[k]));
    each.collect::<Vec<_>>().join("  ")
}

fn color_of(handle: Handle) -> Color32 {
    match handle {
        Handle::Axis(k) | Handle::Plane(k) => COLORS[k],
        Handle::Whole => LIT,
    }
}

/// Draws a handle along its points.
fn draw_handle(
    painter: &Painter,
    (motion, handle): (Motion, Handle),
    points: Vec<Pos2>,
    color: Color32,
) {
    let end = points[points.len() - 1];
    match handle {
        Handle::Axis(_) => draw_axis(painter, motion, points, color),
        Handle::Plane(_) => {
            let fill = color.gamma_multiply(0.35);
            painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.5, color)));
        }
        Handle::Whole => {
            painter.circle_stroke(end, 6.0, Stroke::new(1.5, color));
            painter.circle_filled(end, 3.5, color);
        }
    }
}

/// Draws a line or a ring with the end that its motion has.
fn draw_axis(painter: &Painter, motion: Motion, points: Vec<Pos2>, color: Color32) {
    let end = points[points.len() - 1];
    let direction = end - points[0];
    painter.add(Shape::line(points, Stroke::new(2.5, color)));
    match motion {
        Motion::Move if direction.length() > 1.0 => {
            let along = direction.normalized() * 9.0;
            let across = vec2(-along.y, along.x) * 0.5;
            let corners = vec![end + along, end + across, end - across];
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        Motion::Scale => {
            painter.rect_filled(Rect::from_center_size(end, vec2(9.0, 9.0)), 1.0, color);
        }
        // Two triangles that face each other.
        Motion::Mirror if direction.length() > 1.0 => {
            let along = direction.normalized() * 8.0;
            let across = vec2(-along.y, along.x);
            for side in [-1.0, 1.0] {
                let base = end + along * (1.4 * side);
                let corners = vec![end + along * (0.2 * side), base + across, base - across];
                painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
            }
        }
        Motion::Move | Motion::Turn | Motion::Mirror => {}
    }
}

/// Writes a text whose lower left corner is at a place, on a plate.
fn label(painter: &Painter, at: Pos2, text: String, paper: Color32) {
    let galley = painter.layout_no_wrap(text, FontId::proportional(13.0), LIT);
    let words = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
    painter.rect_filled(words.expand(3.0), 2.0, paper);
    painter.galley(words.min, galley, LIT);
}
