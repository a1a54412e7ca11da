//! Painting of worlds: images, outlines of objects, marks of blocks, constraints and behaviours.

use egui::{
    Color32, ColorImage, FontId, Painter, Pos2, Rect, Shape, Stroke, TextureHandle, TextureOptions,
    Ui, Vec2, pos2, vec2,
};
use sinew::interactive::{
    GrayImage, Mark, MarkKind, ObjectOutline, PartId, PartList, ShownImage, Slot, WorldSnapshot,
};

use super::meet::Listed;
use super::near::{Near, Seen};
use super::projection::Projection;
use crate::app::plane::NAIL;
use crate::panels::curve_color;

/// Colours of springs, of motors and forces, and of what the mouse pulls and clicks.
const SPRING: Color32 = Color32::from_rgb(22, 163, 74);
const MOTOR: Color32 = Color32::from_rgb(147, 51, 234);
const MOUSE: Color32 = Color32::from_rgb(234, 88, 12);
/// Colour of what a click may be taken for.
const LIT: Color32 = Color32::from_rgb(250, 204, 21);
/// Windings of a spring, and half its width [point].
const WINDINGS: usize = 8;
const SPRING_WIDTH: f32 = 5.0;
/// Lengths of arrows of forces and directions [point].
const FORCE: f32 = 42.0;
const DIRECTION: f32 = 26.0;

/// Textures of the images of a world.
#[derive(Default)]
pub(super) struct Images {
    /// The frame that is shown, and its texture, of each image.
    shown: Vec<(usize, TextureHandle)>,
}

/// All of a world.
pub(super) fn world(ui: &Ui, seen: Seen, snapshot: &WorldSnapshot, images: &mut Images) {
    let painter = ui.painter().with_clip_rect(seen.plane.rect);
    painter.rect_filled(seen.plane.rect, 0.0, ui.visuals().extreme_bg_color);
    if seen.projection == Projection::Xy {
        images.paint(&painter, seen, snapshot);
    }
    seen.plane.paint_grid(ui, &painter);
    let is_below = |mark: &&Mark| matches!(mark.kind, MarkKind::Path | MarkKind::Measure);
    let weak = ui.visuals().weak_text_color();
    snapshot.marks.iter().filter(is_below).for_each(|it| mark(&painter, seen, it, weak));
    for (nth, outline) in snapshot.outlines.iter().enumerate() {
        object(&painter, seen, outline, curve_color(nth));
    }
    let strong = ui.visuals().strong_text_color();
    let above = snapshot.marks.iter().filter(|it| !is_below(it));
    above.for_each(|it| mark(&painter, seen, it, strong));
    if let Some(drag) = snapshot.drag {
        let [from, to] = drag.map(|at| seen.at(at));
        painter.line_segment([from, to], (2.0, MOUSE));
        painter.circle_filled(from, 4.0, MOUSE);
        painter.circle_stroke(to, 5.0, (2.0, MOUSE));
    }
    if snapshot.world == 0 || snapshot.outlines.iter().all(|it| it.lines.is_empty()) {
        let text = match snapshot.world {
            0 => "open a world, a file NAME.world.toml, or begin a new one",
            _ if snapshot.blocks.is_empty() => "an empty world: add parts from the list",
            _ => "no part of this world has a place: pull on the outputs in the list",
        };
        let galley = painter.layout(
            text.to_owned(),
            FontId::proportional(14.0),
            weak,
            seen.plane.rect.width() - 20.0,
        );
        let corner = seen.plane.rect.center() - galley.size() * 0.5;
        painter.galley(corner, galley, weak);
    }
}

/// The point under the pointer, with the name of its object.
pub(super) fn near(ui: &Ui, seen: Seen, near: &Near) {
    let painter = ui.painter().with_clip_rect(seen.plane.rect);
    let (at, ink) = (seen.at(near.place), ui.visuals().strong_text_color());
    painter.circle_stroke(at, 6.0, (1.5, ink));
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(near.point.object.clone(), font, ink);
    // Beside the point, on the side where there is room.
    let room = seen.plane.rect.shrink(4.0);
    let right = at + vec2(9.0, -9.0 - galley.size().y);
    let x = right.x.min(room.right() - galley.size().x).max(room.left());
    painter.galley(pos2(x, right.y.max(room.top())), galley, ink);
}

/// Parts that a click may be taken for.
pub(super) fn lit(
    ui: &Ui,
    seen: Seen,
    snapshot: &WorldSnapshot,
    (slot, listed): (Slot, &Listed<'_>),
) {
    let painter = ui.painter().with_clip_rect(seen.plane.rect);
    for outline in &snapshot.outlines {
        if listed.takes_object(slot, &outline.object) {
            for line in &outline.lines {
                strong_line(&painter, points(seen, line.iter().map(|it| it.place)), LIT);
            }
        }
    }
    for mark in snapshot.marks.iter().filter(|mark| listed.takes_mark(slot, mark)) {
        strong_line(&painter, points(seen, mark.points.iter().copied()), LIT);
    }
}

/// The part that is selected.
pub(super) fn selected(ui: &Ui, seen: Seen, snapshot: &WorldSnapshot, part: Option<&PartId>) {
    let Some(part) = part else { return };
    let painter = ui.painter().with_clip_rect(seen.plane.rect);
    let color = ui.visuals().selection.bg_fill;
    let is_object = part.list == PartList::Object;
    for outline in snapshot.outlines.iter().filter(|it| is_object && it.object == part.name) {
        for line in &outline.lines {
            strong_line(&painter, points(seen, line.iter().map(|it| it.place)), color);
        }
    }
    for mark in snapshot.marks.iter().filter(|mark| mark.part == *part) {
        strong_line(&painter, points(seen, mark.points.iter().copied()), color);
    }
}

/// The clicks so far for the part that is added, and a line from the last one to the pointer.
pub(super) fn clicks(ui: &Ui, seen: Seen, places: &[[f64; 3]], pointer: Option<Pos2>) {
    let painter = ui.painter().with_clip_rect(seen.plane.rect);
    let clicked = points(seen, places.iter().copied());
    for &at in &clicked {
        painter.circle_filled(at, 4.0, MOUSE);
    }
    if let (Some(&last), Some(pointer)) = (clicked.last(), pointer) {
        painter.extend(Shape::dashed_line(&[last, pointer], Stroke::new(1.5, MOUSE), 4.0, 4.0));
    }
}

/// A broad line through which what is below it is seen; a ring around a single point.
fn strong_line(painter: &Painter, line: Vec<Pos2>, color: Color32) {
    let stroke = Stroke::new(6.0, color.gamma_multiply(0.45));
    match line[..] {
        [] => {}
        [at] => drop(painter.circle_stroke(at, 8.0, stroke)),
        _ => drop(painter.add(Shape::line(line, stroke))),
    }
}

fn points(seen: Seen, places: impl Iterator<Item = [f64; 3]>) -> Vec<Pos2> {
    let finite = places.filter(|place| place.iter().all(|x| x.is_finite()));
    finite.map(|place| seen.at(place)).collect()
}

fn object(painter: &Painter, seen: Seen, outline: &ObjectOutline, color: Color32) {
    for (nth, line) in outline.lines.iter().enumerate() {
        let line = points(seen, line.iter().map(|it| it.place));
        match line[..] {
            [] => {}
            [at] => drop(painter.circle_filled(at, 5.0, color)),
            _ => {
                // The border is strong, what is within it is fine.
                let width = if nth == 0 || !outline.is_filled { 2.0 } else { 0.8 };
                if nth == 0 && outline.is_filled {
                    let fill = color.gamma_multiply(0.2);
                    painter.add(Shape::convex_polygon(line.clone(), fill, Stroke::NONE));
                }
                painter.add(Shape::line(line, Stroke::new(width, color)));
            }
        }
    }
}

fn mark(painter: &Painter, seen: Seen, mark: &Mark, ink: Color32) {
    let line = points(seen, mark.points.iter().copied());
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return };
    match mark.kind {
        MarkKind::Point => drop(painter.circle_stroke(first, 3.0, (1.2, ink))),
        MarkKind::Direction => arrow(painter, [first, last], (DIRECTION, 1.2, ink)),
        MarkKind::Measure | MarkKind::Path => {
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.2, ink), 5.0, 4.0));
        }
        MarkKind::Nail => {
            painter.line_segment([first, last], (1.5, NAIL));
            painter.circle_filled(last, 3.0, NAIL);
            cross(painter, first, NAIL);
        }
        MarkKind::Joint => {
            painter.line_segment([first, last], (1.5, NAIL));
            painter.circle_stroke(first + (last - first) * 0.5, 5.0, (1.5, NAIL));
        }
        MarkKind::Guide => {
            let corners = [vec2(0.0, -6.0), vec2(6.0, 0.0), vec2(0.0, 6.0), vec2(-6.0, 0.0)];
            let corners = corners.map(|off| first + off).to_vec();
            painter.add(Shape::closed_line(corners, Stroke::new(1.5, NAIL)));
        }
        MarkKind::Spring => spring(painter, [first, last]),
        MarkKind::Pull => {
            let line = Shape::dashed_line(&[first, last], Stroke::new(1.2, SPRING), 3.0, 3.0);
            painter.extend(line);
            cross(painter, last, SPRING);
        }
        MarkKind::Motor => motor(painter, first),
        MarkKind::Force => arrow(painter, [first, last], (FORCE, 2.0, MOTOR)),
        MarkKind::Bending => {
            painter.add(Shape::line(line, Stroke::new(3.0, SPRING.gamma_multiply(0.25))));
        }
    }
}

fn cross(painter: &Painter, at: Pos2, color: Color32) {
    for off in [vec2(5.0, 5.0), vec2(5.0, -5.0)] {
        painter.line_segment([at - off, at + off], (1.5, color));
    }
}

/// An arrow of a length that is seen, whatever its numbers are.
fn arrow(painter: &Painter, [from, to]: [Pos2; 2], (length, width, color): (f32, f32, Color32)) {
    let along = (to - from).normalized() * length;
    if along != Vec2::ZERO && along.is_finite() {
        painter.arrow(from, along, Stroke::new(width, color));
    }
}

/// A zigzag; short springs have a smaller one.
fn spring(painter: &Painter, [from, to]: [Pos2; 2]) {
    let along = to - from;
    let across = along.normalized().rot90() * SPRING_WIDTH.min(0.15 * along.length());
    let turn = |k: usize| {
        let part = 0.15 + 0.7 * k as f32 / WINDINGS as f32;
        let side = match k {
            0 | WINDINGS => 0.0,
            _ if k.is_multiple_of(2) => 1.0,
            _ => -1.0,
        };
        from + along * part + across * side
    };
    let line: Vec<Pos2> =
        std::iter::once(from).chain((0..=WINDINGS).map(turn)).chain(std::iter::once(to)).collect();
    painter.add(Shape::line(line, Stroke::new(1.5, SPRING)));
}

/// Three quarters of a circle with a head.
fn motor(painter: &Painter, center: Pos2) {
    const RADIUS: f32 = 13.0;
    let at = |angle: f32| center + vec2(angle.cos(), -angle.sin()) * RADIUS;
    let end = 1.5 * std::f32::consts::PI;
    let line: Vec<Pos2> = (0..=24).map(|k| at(end * k as f32 / 24.0)).collect();
    painter.add(Shape::line(line, Stroke::new(2.0, MOTOR)));
    painter.arrow(at(end), vec2(7.0, 0.0), Stroke::new(2.0, MOTOR));
}

impl Images {
    fn paint(&mut self, painter: &Painter, seen: Seen, snapshot: &WorldSnapshot) {
        for (k, image) in snapshot.images.iter().enumerate() {
            let Some(frame) = frame_at(image, snapshot.status.time) else { continue };
            let texture = |gray: &GrayImage| {
                let options = TextureOptions::LINEAR;
                painter.ctx().load_texture(&image.name, picture_of(gray), options)
            };
            match self.shown.get_mut(k) {
                Some((shown, _)) if *shown == frame => {}
                Some(shown) => *shown = (frame, texture(&image.frames[frame])),
                None => self.shown.push((frame, texture(&image.frames[frame]))),
            }
            let Some((_, texture)) = self.shown.get(k) else { continue };
            let [width, height] = image.frames[frame].size().map(|side| side as f64 - 0.5);
            let corners = [[-0.5, height, 0.0], [width, -0.5, 0.0]].map(|corner| seen.at(corner));
            let rect = Rect::from_min_max(corners[0], corners[1]);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
    }
}

/// The image of a sequence that is nearest to a time [s].
fn frame_at(image: &ShownImage, time: f64) -> Option<usize> {
    let last = image.frames.len().checked_sub(1)?;
    Some((time / image.period).round().clamp(0.0, last as f64) as usize)
}

/// Gray values from 0 to 1, the last row first: y goes upwards.
fn picture_of(image: &GrayImage) -> ColorImage {
    let [width, height] = image.size();
    let rows = (0..height as isize).rev();
    let pixels = rows.flat_map(|y| (0..width as isize).map(move |x| image.pixel(x, y)));
    let bytes: Vec<u8> = pixels.map(|it| (255.0 * it.clamp(0.0, 1.0)).round() as u8).collect();
    ColorImage::from_gray([width, height], &bytes)
}
