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
    /// Where its first lines are, along each [m].
    low: [f64; 2],
    /// How many cells, along each.
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
        let first = along.map(|k| (low[k] / step - 0.5).floor());
        let last = along.map(|k| (high[k] / step + 0.5).ceil());
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
        let (scale, unit) = prefixed(far.fold(0.0, f64::max), "m");
        let mut labels = Vec::new();
        for axis in 0..2 {
            let opposite = [v, u][axis];
            let place = |k: f64, side: f64| if axis == 0 { (k, side) } else { (side, k) };
            let height = |side: f64| {
                let (a, b) = place(0.5 * [u, v][axis], side);
                camera.project(self.point(a, b), size).map_or(f64::MIN, |(p, _)| p[1])
            };
            let side = if height(0.0) >= height(opposite) { 0.0 } else { opposite };
            let outward = if side == 0.0 { -0.35 } else { opposite + 0.35 };
            let count = self.cells[axis];
            let span = [self.low[axis], self.low[axis] + self.step * count as f64];
            // At most ten numbers an edge.
            let texts = ticks(span, count.min(10), scale);
            for tick in &texts {
                let k = (tick.value - self.low[axis]) / self.step;
                let (a, b) = place(k, outward);
                let Some((pixel, _)) = camera.project(self.point(a, b), size) else { continue };
                labels.push(Label::new(tick.text.clone(), pixel, Anchor::Center, 11.0, color));
            }
            let name = ["x", "y", "z"][self.along[axis]];
            let (a, b) = place(0.5 * [u, v][axis], outward + if side == 0.0 { -0.7 } else { 0.7 });
            if let Some((pixel, _)) = camera.project(self.point(a, b), size) {
                let text = format!("{name} [{unit}]");
                labels.push(Label::new(text, pixel, Anchor::Center, 12.0, color));
            }
        }
        labels
    }
}

/// Colour of what is written on a background.
pub(super) fn ink(background: Background) -> [f32; 3] {
    match background {
        Background::Dark => [0.82; 3],
        Background::Light | Background::White | Background::Transparent => [0.22; 3],
    }
}
