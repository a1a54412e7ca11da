//! The grid behind or below a model, and grids that were placed, with round numbers.

use sinew::Vec3;
use sinew::snapshot::Snapshot;

use super::colors::{ink, with_alpha};
use super::label::{Anchor, Label};
use super::layout::Mark;
use crate::color::{prefixed, round_step, ticks};
use crate::geometry::bounds_of;
use crate::scene_view::Background;
use crate::{Camera, Slice, SliceKind, View};

/// A grid in a plane: the one behind the model, or one that was placed.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The place whose coordinates along it are zero [m].
    origin: Vec3,
    /// Unit vector across it.
    normal: Vec3,
    /// Unit vectors along it, and the names of coordinates along them.
    along: [(Vec3, &'static str); 2],
    /// Coordinates of its first lines, along each axis [m].
    low: [f64; 2],
    /// Number of cells, along each axis.
    cells: [usize; 2],
    /// Width of a cell [m].
    step: f64,
}

/// The horizon counts as seen from the side above this slope: lines of a flatter floor run together.
const FLAT: f64 = 0.2;
/// Sine of the angle within which a direction is an axis of the world.
const ALIGNED: f64 = 1e-6;

/// The grids that a view shows: those of its planes, and one behind the model.
pub(crate) fn grids_of(snapshot: &Snapshot, view: &View) -> Vec<Grid> {
    let bounds = bounds_of(snapshot);
    let planes = view.options.slices().filter(|slice| slice.kind == SliceKind::Grid);
    let mut grids: Vec<Grid> = planes.filter_map(|slice| Grid::in_plane(bounds, slice)).collect();
    if view.options.grid {
        grids.extend(Grid::new(bounds, &view.camera));
    }
    grids
}

impl Grid {
    /// The grid behind a box [m], as a camera sees it; `None` for a box without extent.
    pub(crate) fn new(bounds: [Vec3; 2], camera: &Camera) -> Option<Self> {
        let [low, high] = bounds;
        let back = camera.back();
        let across = match () {
            () if back.z.abs() > FLAT => 2,
            () if back.x.abs() > back.y.abs() => 0,
            () => 1,
        };
        let mut normal = Vec3::zeros();
        normal[across] = back[across].signum();
        let mut origin = Vec3::zeros();
        origin[across] = if back[across] > 0.0 { low[across] } else { high[across] };
        Self::across(bounds, origin, normal)
    }

    /// The grid of a plane, as large as a box [m] seen along its normal.
    pub(crate) fn in_plane(bounds: [Vec3; 2], plane: &Slice) -> Option<Self> {
        let normal = plane.normal.try_normalize(1e-300)?;
        Self::across(bounds, plane.origin, normal)
    }

    /// The grid through a place, across a unit vector. Where that is an axis of the world, coordinates are those of the
    /// world; else they begin at the place.
    fn across([low, high]: [Vec3; 2], place: Vec3, normal: Vec3) -> Option<Self> {
        let widest = (high - low).max();
        if !(widest > 0.0 && widest.is_finite()) {
            return None;
        }
        let k = normal.iamax();
        let axis = |k: usize| Vec3::ith(k, 1.0);
        let is_aligned = normal.cross(&axis(k)).norm() < ALIGNED;
        let (origin, along) = if is_aligned {
            let [u, v] = [[1, 2], [0, 2], [0, 1]][k];
            let names = ["x", "y", "z"];
            (axis(k) * place[k], [(axis(u), names[u]), (axis(v), names[v])])
        } else {
            // The first one is level.
            let level = Vec3::z().cross(&normal).try_normalize(ALIGNED).unwrap_or_else(Vec3::x);
            (place, [(level, "u"), (normal.cross(&level), "v")])
        };
        let step = round_step(widest / 8.0);
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let spans = along.map(|(axis, _)| {
            let (middle, reach) = (axis.dot(&(middle - origin)), axis.abs().dot(&half));
            [((middle - reach) / step).floor(), ((middle + reach) / step).ceil()]
        });
        let low = spans.map(|[first, _]| first * step);
        let cells = spans.map(|[first, last]| (last - first).max(1.0) as usize);
        Some(Self { origin, normal, along, low, cells, step })
    }

    fn point(&self, u: f64, v: f64) -> Vec3 {
        let [(first, _), (second, _)] = self.along;
        let [a, b] = [self.low[0] + u * self.step, self.low[1] + v * self.step];
        self.origin + first * a + second * b
    }

    /// Its corners, in order around it [m].
    pub(crate) fn corners(&self) -> [Vec3; 4] {
        let [u, v] = self.cells.map(|n| n as f64);
        [self.point(0.0, 0.0), self.point(u, 0.0), self.point(u, v), self.point(0.0, v)]
    }

    /// The plane of the grid, as one that cuts.
    pub(crate) fn slice(&self) -> Slice {
        Slice { origin: self.point(0.0, 0.0), normal: self.normal, kind: SliceKind::Clip }
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
        let name = format!("{} [{unit}]", self.along[axis].1);
        let title = (name, place(0.5 * cells[axis], outward + 0.7 * away), 12.0);
        numbers.chain([title]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placed_grid_covers_the_box_in_its_plane_and_tells_coordinates_of_the_world() {
        let bounds = [Vec3::new(-0.3, 0.0, 0.0), Vec3::new(0.3, 1.0, 0.2)];
        let slice = |origin, normal| Slice { origin, normal, kind: SliceKind::Grid };
        let level = slice(Vec3::new(7.0, 7.0, 0.15), Vec3::z() * -3.0);
        let grid = Grid::in_plane(bounds, &level).unwrap();
        let [low, _, high, _] = grid.corners();
        assert!((low - Vec3::new(-0.4, 0.0, 0.15)).norm() < 1e-12, "{low}");
        assert!((high - Vec3::new(0.4, 1.0, 0.15)).norm() < 1e-12, "{high}");
        assert_eq!(grid.along.map(|(_, name)| name), ["x", "y"]);
        let slanted = slice(Vec3::new(0.0, 0.5, 0.1), Vec3::new(1.0, 1.0, 0.0));
        let grid = Grid::in_plane(bounds, &slanted).unwrap();
        let normal = slanted.normal.normalize();
        for corner in grid.corners() {
            assert!(normal.dot(&(corner - slanted.origin)).abs() < 1e-12, "{corner}");
        }
        // The box reaches (0.3 + 0.5) / 2^½ to each side of its middle along the level line, and 0.1 up and down.
        let reach = grid.cells.map(|n| n as f64 * grid.step);
        assert!(-grid.low[0] >= 0.8 / 2f64.sqrt() && grid.low[1] <= -0.1, "{:?}", grid.low);
        assert!(reach[0] >= 1.6 / 2f64.sqrt() && reach[0] < 1.6 / 2f64.sqrt() + 2.0 * grid.step);
        assert_eq!(grid.along.map(|(_, name)| name), ["u", "v"]);
        let none = slice(Vec3::zeros(), Vec3::zeros());
        assert!(Grid::in_plane(bounds, &none).is_none());
    }
}
