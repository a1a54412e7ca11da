//! The point of an object that is near the pointer.

use egui::Pos2;
use sinew::interactive::{Mark, ObjectOutline, ObjectPoint, WorldPoint, WorldSnapshot};

use super::projection::Projection;
use crate::app::plane::{Plane, REACH};

/// A plane with the projection onto it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) plane: Plane,
    pub(super) projection: Projection,
}

/// A point of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Near {
    /// The point.
    pub(super) point: WorldPoint,
    /// Its place.
    pub(super) place: [f64; 3],
}

impl Seen {
    /// The place in the window of a place in space.
    pub(super) fn at(self, place: [f64; 3]) -> Pos2 {
        self.plane.to_screen(self.projection.seen(place))
    }
}

/// The point nearest to the pointer of all outlines, or one of an area below it.
pub(super) fn near(snapshot: &WorldSnapshot, seen: Seen, at: Pos2) -> Option<Near> {
    near_of(snapshot, seen, at, |_| true)
}

/// The same of some outlines.
pub(super) fn near_of(
    snapshot: &WorldSnapshot,
    seen: Seen,
    at: Pos2,
    is_wanted: impl Fn(&ObjectOutline) -> bool,
) -> Option<Near> {
    let mut best: Option<(f32, &ObjectOutline, ObjectPoint)> = None;
    let wanted = || snapshot.outlines.iter().filter(|outline| is_wanted(outline));
    for outline in wanted() {
        for line in &outline.lines {
            if let Some((distance, point)) = nearest_of(line, seen, at)
                && best.as_ref().is_none_or(|(least, ..)| distance < *least)
            {
                best = Some((distance, outline, point));
            }
        }
    }
    let on_line = best.filter(|(distance, ..)| *distance <= REACH);
    let found = on_line.map(|(_, outline, point)| (outline, point)).or_else(|| {
        let inside = |outline: &&ObjectOutline| outline.is_filled;
        let areas = wanted().filter(inside);
        areas.filter_map(|it| Some((it, inside_of(it.lines.first()?, seen, at)?))).next_back()
    });
    found.map(|(outline, ObjectPoint { place, coordinates })| {
        let point =
            WorldPoint { object: outline.object.clone(), coordinates: coordinates.to_vec() };
        Near { point, place }
    })
}

/// The nearest one of some marks, with its distance [point].
pub(super) fn nearest_mark(
    snapshot: &WorldSnapshot,
    seen: Seen,
    at: Pos2,
    is_wanted: impl Fn(&Mark) -> bool,
) -> Option<(f32, &Mark)> {
    let wanted = snapshot.marks.iter().filter(|mark| is_wanted(mark));
    let distance = |mark: &'_ Mark| {
        let point = |&place: &[f64; 3]| ObjectPoint { place, coordinates: [0.0; 3] };
        let line: Vec<ObjectPoint> = mark.points.iter().map(point).collect();
        nearest_of(&line, seen, at).map(|(distance, _)| distance)
    };
    let near = wanted.filter_map(|mark| Some((distance(mark)?, mark)));
    near.min_by(|(a, _), (b, _)| a.total_cmp(b))
}

/// The nearest point of a line, with its distance [point].
fn nearest_of(line: &[ObjectPoint], seen: Seen, at: Pos2) -> Option<(f32, ObjectPoint)> {
    let mut best: Option<(f32, ObjectPoint)> = None;
    let last = line.last()?;
    let ends = line.iter().skip(1).chain(std::iter::once(last));
    for (from, to) in line.iter().zip(ends) {
        let [a, b] = [from, to].map(|it| seen.at(it.place));
        let (along, length) = (b - a, (b - a).length_sq());
        let part = if length > 0.0 { (along.dot(at - a) / length).clamp(0.0, 1.0) } else { 0.0 };
        let distance = (a + along * part - at).length();
        if distance.is_finite() && best.as_ref().is_none_or(|(least, _)| distance < *least) {
            best = Some((distance, between([*from, *to], f64::from(part))));
        }
    }
    best
}

fn between([from, to]: [ObjectPoint; 2], part: f64) -> ObjectPoint {
    let mix = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|k| a[k] + part * (b[k] - a[k]));
    ObjectPoint {
        place: mix(from.place, to.place),
        coordinates: mix(from.coordinates, to.coordinates),
    }
}

/// The point of an area below the pointer, by three points of its border, which is convex and moves affinely.
fn inside_of(border: &[ObjectPoint], seen: Seen, at: Pos2) -> Option<ObjectPoint> {
    let corners: Vec<Pos2> = border.iter().map(|it| seen.at(it.place)).collect();
    let sides = corners.iter().zip(corners.iter().skip(1));
    let side = |(a, b): (&Pos2, &Pos2)| {
        let (along, to) = (*b - *a, at - *a);
        along.x * to.y - along.y * to.x
    };
    let (mut left, mut right) = (false, false);
    for turn in sides.map(side) {
        left |= turn < 0.0;
        right |= turn > 0.0;
    }
    if left && right || corners.len() < 4 {
        return None;
    }
    let picks = [0, (corners.len() - 1) / 3, 2 * (corners.len() - 1) / 3];
    let [p, q, r] = picks.map(|k| corners[k]);
    let (u, v, w) = (q - p, r - p, at - p);
    let area = u.x * v.y - u.y * v.x;
    let part = [(w.x * v.y - w.y * v.x) / area, (u.x * w.y - u.y * w.x) / area].map(f64::from);
    let mix = |of: fn(&ObjectPoint) -> [f64; 3]| {
        let [a, b, c] = picks.map(|k| of(&border[k]));
        std::array::from_fn(|k| a[k] + part[0] * (b[k] - a[k]) + part[1] * (c[k] - a[k]))
    };
    let point = ObjectPoint { place: mix(|it| it.place), coordinates: mix(|it| it.coordinates) };
    point.place.iter().all(|x| x.is_finite()).then_some(point)
}
