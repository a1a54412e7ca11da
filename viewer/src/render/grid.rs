//! The grid behind or below a model, with round numbers.

use sinew::Vec3;

use super::gather::with_alpha;
use super::labels::{Anchor, Label};
use super::layout::Mark;
use crate::color::{prefixed, round_step, ticks};
use crate::scene_view::Background;
use crate::{Camera, Slice, SliceKind};

/// A grid in a plane across one axis of the world.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The axis across it, and where on that [m].
    across: (usize, f64),
    /// The axes along it.
    along: [usize; 2],
    /// Coordinates of its first lines, along each axis [m].
    low: [f64; 2],
    /// Number of cells, along each axis.
    cells: [usize; 2],
    /// Width of a cell [m].
    step: f64,
}

/// The horizon counts as seen from the side above this slope: lines of a flatter floor run together.
const FLAT: f64 = 0.2;

impl Grid {
    /// The grid behind a box [m], as a camera sees it; `None` for a box without extent.
    pub(crate) fn new(bounds: [Vec3; 2], camera: &Camera) -> Option<Self> {
        let [low, high] = bounds;
        let widest = (high - low).max();
        if !(widest > 0.0 && widest.is_finite()) {
            return None;
        }
        let back = camera.back();
        let across = match () {
            () if back.z.abs() > FLAT => 2,
            () if back.x.abs() > back.y.abs() => 0,
            () => 1,
        };
        let along = [[1, 2], [0, 2], [0, 1]][across];
        let step = round_step(widest / 8.0);
        let first = along.map(|k| (low[k] / step).floor());
        let last = along.map(|k| (high[k] / step).ceil());
        Some(Self {
            across: (across, if back[across] > 0.0 { low[across] } else { high[across] }),
            along,
            low: first.map(|k| k * step),
            cells: [0, 1].map(|k| (last[k] - first[k]).max(1.0) as usize),
            step,
        })
    }

    fn point(&self, u: f64, v: f64) -> Vec3 {
        let mut point = Vec3::zeros();
        point[self.across.0] = self.across.1;
        point[self.along[0]] = self.low[0] + u * self.step;
        point[self.along[1]] = self.low[1] + v * self.step;
        point
    }

    /// Its corners, in order around it [m].
    pub(crate) fn corners(&self) -> [Vec3; 4] {
        let [u, v] = self.cells.map(|n| n as f64);
        [self.point(0.0, 0.0), self.point(u, 0.0), self.point(u, v), self.point(0.0, v)]
    }

    /// The plane of the grid, as one that cuts.
    pub(crate) fn slice(&self, camera: &Camera) -> Slice {
        let mut normal = Vec3::zeros();
        normal[self.across.0] = camera.back()[self.across.0].signum();
        Slice { origin: self.point(0.0, 0.0), normal, kind: SliceKind::Clip }
    }

    /// Adds its lines, relative to an origin.
    pub(crate) fn add_marks(&self, origin: Vec3, background: Background, marks: &mut Vec<Mark>) {
        let [u, v] = self.cells.map(|n| n as f64);
        let lines = (0..=self.cells[0]).map(|k| ([k as f64, 0.0], [k as f64, v], 0, k));
        let others = (0..=self.cells[1]).map(|k| ([0.0, k as f64], [u, k as f64], 1, k));
        for (a, b, axis, k) in lines.chain(others) {
            let value = self.low[axis] / self.step + k as f64;
            let zero = value.abs() < 1e-6;
            let color = with_alpha(ink(background), if zero { 0.6 } else { 0.25 });
            let end = |[u, v]: [f64; 2], w: f32| {
                let p = (self.point(u, v) - origin).map(|x| x as f32);
                [p.x, p.y, p.z, w]
            };
            marks.push(Mark { a: end(a, 1.0), b: end(b, 3.0), color });
        }
    }

    /// Numbers along the two edges that lie lowest in the picture or nearest to its side, and the unit.
    pub(crate) fn labels(&self, camera: &Camera, size: [u32; 2], color: [f32; 3]) -> Vec<Label> {
        let [u, v] = self.cells.map(|n| n as f64);
        let far =
            (0..2).map(|k| self.low[k].abs().max((self.low[k] + self.step * [u, v][k]).abs()));
        let unit = prefixed(far.fold(0.0, f64::max), "m");
        let label = |(text, at, height): (String, Vec3, f32)| {
            let (pixel, depth) = camera.project(at, size)?;
            let (pixel, anchor) = (pixel.map(|x| x as f32), Anchor::Center);
            let (plate, depth) = (Some(color), Some(depth));
            Some(Label { text, pixel, anchor, height, color, plate, depth })
        };
        let texts = (0..2).flat_map(|axis| self.texts(axis, camera, size, &unit));
        texts.filter_map(label).collect()
    }

    /// Texts along one edge, in a unit that is so many metres: text, place [m], height of the
    /// letters.
    fn texts(
        &self,
        axis: usize,
        camera: &Camera,
        size: [u32; 2],
        (scale, unit): &(f64, String),
    ) -> Vec<(String, Vec3, f32)> {
        let cells = self.cells.map(|n| n as f64);
        let opposite = cells[1 - axis];
        let place = |k: f64, side: f64| {
            if axis == 0 { self.point(k, side) } else { self.point(side, k) }
        };
        let height = |side: f64| {
            let middle = place(0.5 * cells[axis], side);
            camera.project(middle, size).map_or(f64::MIN, |(p, _)| p[1])
        };
        let side = if height(0.0) >= height(opposite) { 0.0 } else { opposite };
        let away = if side == 0.0 { -1.0 } else { 1.0 };
        let outward = side + 0.35 * away;
        let span = [self.low[axis], self.low[axis] + self.step * cells[axis]];
        // At most ten numbers an edge.
        let numbers = ticks(span, self.cells[axis].min(10), *scale).into_iter().map(|tick| {
            let k = (tick.value - self.low[axis]) / self.step;
            (tick.text, place(k, outward), 11.0)
        });
        let name = format!("{} [{unit}]", ["x", "y", "z"][self.along[axis]]);
        let title = (name, place(0.5 * cells[axis], outward + 0.7 * away), 12.0);
        numbers.chain([title]).collect()
    }
}

/// Colour of what is written on a background.
pub(crate) fn ink(background: Background) -> [f32; 3] {
    match background {
        Background::Dark => [0.82; 3],
        Background::Light | Background::White | Background::Transparent => [0.22; 3],
    }
}
