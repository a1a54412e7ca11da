//! Painting of curves: lines, nails, the point under the pointer.

use egui::{Align2, Color32, FontId, Painter, Shape, Stroke, Ui, vec2};
use sinew::interactive::{CurveKind, Drawing, DrawingBoard, DrawnCurve, NearPoint};

use crate::app::plane::{NAIL, Plane};
use crate::panels::curve_color;

/// All curves and nails; the point that is near, and the one that the nail took first.
pub(super) fn board(
    ui: &Ui,
    plane: Plane,
    board: &DrawingBoard,
    near: Option<&NearPoint>,
    first: Option<&NearPoint>,
) {
    let painter = ui.painter().with_clip_rect(plane.rect);
    painter.rect_filled(plane.rect, 0.0, ui.visuals().extreme_bg_color);
    plane.paint_grid(ui, &painter);
    for (at, curve) in board.drawing().curves.iter().enumerate() {
        let is_near = near.is_some_and(|near| near.point.curve == curve.name);
        line(&painter, plane, &board.points(at), if is_near { 3.5 } else { 2.0 }, curve_color(at));
    }
    for nail in &board.drawing().nails {
        if let Some(place) = board.place_of(&nail.point) {
            let at = plane.to_screen(place);
            painter.circle_filled(at, 4.0, NAIL);
            if nail.at.is_some() {
                painter.circle_stroke(at, 7.0, (1.5, NAIL));
            }
        }
    }
    if let Some(first) = first {
        painter.circle_stroke(plane.to_screen(first.place), 6.0, (2.0, NAIL));
    }
    if let Some(near) = near {
        let (at, ink) = (plane.to_screen(near.place), ui.visuals().strong_text_color());
        painter.circle_stroke(at, 5.0, (1.5, ink));
        let font = FontId::proportional(11.0);
        let corner = at + vec2(8.0, -8.0);
        painter.text(corner, Align2::LEFT_BOTTOM, &near.point.curve, font, ink);
    }
    if board.drawing().curves.is_empty() {
        let (text, font) = ("choose a curve and drag here", FontId::proportional(14.0));
        let ink = ui.visuals().weak_text_color();
        painter.text(plane.rect.center(), Align2::CENTER_CENTER, text, font, ink);
    }
}

/// A curve that is being drawn.
pub(super) fn draft(ui: &Ui, plane: Plane, kind: CurveKind, [from, to]: [[f64; 2]; 2]) {
    let curve = DrawnCurve::new("draft", kind, kind.drawn(from, to));
    let drawing = Drawing { curves: vec![curve], nails: Vec::new() };
    let painter = ui.painter().with_clip_rect(plane.rect);
    if let Ok(board) = DrawingBoard::new(drawing) {
        line(&painter, plane, &board.points(0), 1.5, ui.visuals().weak_text_color());
    }
}

fn line(painter: &Painter, plane: Plane, points: &[[f64; 2]], width: f32, color: Color32) {
    let finite = points.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let places = finite.map(|&at| plane.to_screen(at)).collect();
    painter.add(Shape::line(places, Stroke::new(width, color)));
}
