//! Lines through two points or more: length, rate, and the derivatives of the length by the points.
//! No forces.

use super::wrapped::{WrappedPath, Wraps};
use crate::{Mat3, Vec3};

/// Rows of many lines, one line after another: those of its points, then those of bodies that it wraps over.
#[derive(Clone)]
pub(super) struct Lines {
    starts: Vec<u32>,
    rows: Vec<u32>,
    wraps: Vec<Option<Wraps>>,
}

/// Rows of one line, what it wraps over and which points it leaves out.
#[derive(Clone, Default)]
pub(crate) struct LineRows {
    pub(crate) rows: Vec<u32>,
    pub(crate) wraps: Option<Wraps>,
}

/// A line at the positions of its rows.
#[expect(clippy::large_enum_variant, reason = "a box would take memory in every step")]
pub(super) enum LinePath<'a> {
    /// Straight from point to point.
    Straight(Path<'a>),
    /// Over surfaces.
    Wrapped(WrappedPath<'a>),
}

impl Lines {
    pub(super) fn new(lines: impl IntoIterator<Item = LineRows>) -> Self {
        let (mut starts, mut rows, mut wraps) = (vec![0], Vec::new(), Vec::new());
        for line in lines {
            rows.extend_from_slice(&line.rows);
            starts.push(rows.len() as u32);
            wraps.push(line.wraps);
        }
        Self { starts, rows, wraps }
    }

    /// A line at the positions `q` of all rows.
    pub(super) fn line_path<'a>(&'a self, line: usize, q: &'a [Vec3]) -> LinePath<'a> {
        let rows = self.points(line);
        match &self.wraps[line] {
            None => LinePath::Straight(Path::new(rows, q)),
            Some(wraps) => LinePath::Wrapped(WrappedPath::new(wraps, rows, q)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows of a line: its points in order, then bodies.
    pub(super) fn points(&self, line: usize) -> &[u32] {
        &self.rows[self.starts[line] as usize..self.starts[line + 1] as usize]
    }

    /// True if a line wraps over surfaces.
    pub(super) fn wraps(&self, line: usize) -> bool {
        self.wraps[line].is_some()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|line| self.points(line))
    }
}

impl LinePath<'_> {
    pub(super) fn length(&self) -> f64 {
        match self {
            Self::Straight(path) => path.length(),
            Self::Wrapped(path) => path.length(),
        }
    }

    /// Rate of the length [m/s] at the velocities `u` of all rows.
    pub(super) fn rate(&self, u: &[Vec3]) -> f64 {
        match self {
            Self::Straight(path) => path.rate(u),
            Self::Wrapped(path) => path.rate(u),
        }
    }

    /// dl/dq of row `k` of the line.
    pub(super) fn gradient(&self, k: usize) -> Vec3 {
        match self {
            Self::Straight(path) => path.gradient(k),
            Self::Wrapped(path) => path.gradient(k),
        }
    }
}

/// A straight piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// From its first point to its second; zero for a segment of length zero, which has none.
    pub(super) direction: Vec3,
    /// Its length [m].
    pub(super) length: f64,
}

impl Segment {
    pub(super) fn between(from: &Vec3, to: &Vec3) -> Self {
        match nalgebra::Unit::try_new_and_get(to - from, 0.0) {
            None => Self { direction: Vec3::zeros(), length: 0.0 },
            Some((direction, length)) => Self { direction: direction.into_inner(), length },
        }
    }

    /// (I - n n^T) times a factor over its length; none where it has no direction.
    pub(super) fn lateral(&self, factor: f64) -> Option<Mat3> {
        let across = || Mat3::identity() - self.direction * self.direction.transpose();
        (self.length > 0.0).then(|| across() * (factor / self.length))
    }
}

/// Segments of a line that are kept; those after them are computed anew whenever they are asked
/// for, so that no line takes memory in a step.
const KEPT: usize = 8;

/// The segments of one line at the positions of its points.
pub(super) struct Path<'a> {
    points: &'a [u32],
    q: &'a [Vec3],
    first: [Segment; KEPT],
}

impl<'a> Path<'a> {
    pub(super) fn new(points: &'a [u32], q: &'a [Vec3]) -> Self {
        let first = [Segment { direction: Vec3::zeros(), length: 0.0 }; KEPT];
        let mut path = Self { points, q, first };
        for s in 0..path.segment_count().min(KEPT) {
            path.first[s] = path.calc_segment(s);
        }
        path
    }

    pub(super) fn segment_count(&self) -> usize {
        self.points.len() - 1
    }

    fn calc_segment(&self, s: usize) -> Segment {
        let [from, to] = [s, s + 1].map(|k| &self.q[self.points[k] as usize]);
        Segment::between(from, to)
    }

    pub(super) fn segment(&self, s: usize) -> Segment {
        self.first.get(s).copied().unwrap_or_else(|| self.calc_segment(s))
    }

    pub(super) fn length(&self) -> f64 {
        (0..self.segment_count()).map(|s| self.segment(s).length).sum()
    }

    /// Rate of the length [m/s] at the velocities `u` of all rows.
    pub(super) fn rate(&self, u: &[Vec3]) -> f64 {
        let rate = |s: usize| {
            let [from, to] = [s, s + 1].map(|k| u[self.points[k] as usize]);
            self.segment(s).direction.dot(&(to - from))
        };
        (0..self.segment_count()).map(rate).sum()
    }

    /// dl/dq of point `k`: the direction of the segment before it less that of the one after it.
    pub(super) fn gradient(&self, k: usize) -> Vec3 {
        let before = k.checked_sub(1).map_or_else(Vec3::zeros, |s| self.segment(s).direction);
        let after = (k < self.segment_count()).then(|| self.segment(k).direction);
        before - after.unwrap_or_else(Vec3::zeros)
    }

    /// `factor` d²l/dq² by points `i` and `j`: that of the segments that have both.
    pub(super) fn hessian(&self, i: usize, j: usize, factor: f64) -> Mat3 {
        let segment = |s: usize| (s < self.segment_count()).then(|| self.segment(s));
        let lateral = |s: Option<Segment>| s.and_then(|s| s.lateral(factor)).unwrap_or_default();
        if i == j {
            lateral(i.checked_sub(1).and_then(segment)) + lateral(segment(i))
        } else if i.abs_diff(j) == 1 {
            -lateral(segment(i.min(j)))
        } else {
            Mat3::zeros()
        }
    }
}
