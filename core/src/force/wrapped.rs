//! Lines that wrap over surfaces on bodies: from rows of a system to strands, and derivatives back to rows. The
//! geometry: `wrap/`.

use nalgebra::UnitQuaternion;

pub(crate) use super::wrap::MOST_BENDS;
use super::wrap::{Derivatives, Obstacle, Strand, Surface};
use crate::property::Pose;
use crate::{Mat3, Vec3};

/// Most rows of a line that wraps: points, and two rows a surface. Its gradient takes no memory in a step.
pub(crate) const MOST_ROWS: usize = 64;

/// A surface, and what it is fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrapSite {
    pub(crate) surface: Surface,
    /// First row of its body; `None` is the ground.
    pub(crate) row: Option<u32>,
    /// Its frame: in the axes of the body, from its centre of mass; on the ground in the world [m].
    pub(crate) frame: Pose,
}

/// Surfaces that a line wraps over.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wraps {
    /// Surfaces of each segment, one segment after another.
    sites: Vec<WrapSite>,
    /// For each of them, where the row of its body is among the rows of the line; the next is its rotation.
    places: Vec<Option<u32>>,
    /// First surface of each segment, and the end of all.
    starts: Vec<u32>,
}

impl Wraps {
    /// Surfaces of each segment in turn, and the rows of a line with these points: those of the bodies are added.
    pub(crate) fn new(segments: &[Vec<WrapSite>], rows: &mut Vec<u32>) -> Self {
        let mut wraps = Self { starts: vec![0], ..Self::default() };
        let point_count = rows.len();
        for segment in segments {
            for site in segment {
                let place = site.row.map(|row| {
                    let known = rows[point_count..].iter().position(|&it| it == row);
                    known.map(|k| k + point_count).unwrap_or_else(|| {
                        rows.extend([row, row + 1]);
                        rows.len() - 2
                    }) as u32
                });
                wraps.sites.push(*site);
                wraps.places.push(place);
            }
            wraps.starts.push(wraps.sites.len() as u32);
        }
        wraps
    }

    fn range(&self, segment: usize) -> std::ops::Range<usize> {
        self.starts[segment] as usize..self.starts[segment + 1] as usize
    }
}

impl WrapSite {
    /// Its pose, and the centre of mass of its body [m].
    fn place(&self, q: &[Vec3]) -> (Obstacle, Vec3) {
        let (mut pose, mut center) = (self.frame, Vec3::zeros());
        if let Some(row) = self.row.map(|row| row as usize) {
            let turn = UnitQuaternion::new(q[row + 1]);
            center = q[row];
            pose.rotation = turn * pose.rotation;
            pose.translation.vector = center + turn * pose.translation.vector;
        }
        (Obstacle { surface: self.surface, pose }, center)
    }
}

/// A line over its surfaces at the positions of all rows.
pub(super) struct WrappedPath<'a> {
    wraps: &'a Wraps,
    rows: &'a [u32],
    q: &'a [Vec3],
    length: f64,
    gradient: [Vec3; MOST_ROWS],
}

/// One segment of it.
struct Segment {
    strand: Strand,
    obstacles: [Obstacle; MOST_BENDS],
    centers: [Vec3; MOST_BENDS],
    count: usize,
}

impl<'a> WrappedPath<'a> {
    /// # Panics
    /// When there are more rows than [`MOST_ROWS`].
    pub(super) fn new(wraps: &'a Wraps, rows: &'a [u32], q: &'a [Vec3]) -> Self {
        let zero = [Vec3::zeros(); MOST_ROWS];
        let mut path = Self { wraps, rows, q, length: 0.0, gradient: zero };
        for s in 0..path.segment_count() {
            let segment = path.segment(s);
            path.length += segment.strand.length();
            let derivatives = segment.derivatives();
            let gradient = derivatives.gradient();
            for (motion, by) in gradient.iter().enumerate().take(derivatives.count()) {
                if let Some(place) = path.place(s, &segment, motion) {
                    path.gradient[place] += by;
                }
            }
        }
        path
    }

    fn segment_count(&self) -> usize {
        self.wraps.starts.len() - 1
    }

    fn segment(&self, s: usize) -> Segment {
        let points = [s, s + 1].map(|k| self.q[self.rows[k] as usize]);
        let nothing = Obstacle { surface: Surface::Sphere { radius: 1.0 }, pose: Pose::identity() };
        let (mut obstacles, mut centers) = ([nothing; MOST_BENDS], [Vec3::zeros(); MOST_BENDS]);
        let sites = &self.wraps.sites[self.wraps.range(s)];
        for (k, site) in sites.iter().take(MOST_BENDS).enumerate() {
            (obstacles[k], centers[k]) = site.place(self.q);
        }
        let count = sites.len().min(MOST_BENDS);
        let strand = Strand::between(points, &obstacles[..count]);
        Segment { strand, obstacles, centers, count }
    }

    /// Place of a motion of a segment among the rows of the line; `None` on the ground.
    fn place(&self, s: usize, segment: &Segment, motion: usize) -> Option<usize> {
        match motion.checked_sub(2) {
            None => Some(s + motion),
            Some(past) => {
                let site = segment.strand.touched().nth(past / 2)?;
                let row = self.wraps.places[self.wraps.range(s)][site]?;
                Some(row as usize + past % 2)
            }
        }
    }

    pub(super) fn length(&self) -> f64 {
        self.length
    }

    /// dl/dq of row `k` of the line.
    pub(super) fn gradient(&self, k: usize) -> Vec3 {
        self.gradient[k]
    }

    /// Rate of the length [m/s] at the velocities `u` of all rows.
    pub(super) fn rate(&self, u: &[Vec3]) -> f64 {
        let pairs = self.rows.iter().zip(&self.gradient);
        pairs.map(|(&row, by)| by.dot(&u[row as usize])).sum()
    }

    /// Hands d²l/dq² to `add`, part by part: two places among the rows of the line, and a block between them.
    pub(super) fn for_each_curvature(&self, mut add: impl FnMut(usize, usize, &Mat3)) {
        for s in 0..self.segment_count() {
            let segment = self.segment(s);
            let derivatives = segment.derivatives();
            let hessian = derivatives.hessian();
            let place = |motion: usize| self.place(s, &segment, motion);
            for i in 0..derivatives.count() {
                let Some(row) = place(i) else { continue };
                for j in 0..derivatives.count() {
                    if let Some(column) = place(j) {
                        add(row, column, hessian.block(i, j));
                    }
                }
            }
        }
    }

    /// The line as a polyline, `count` points to each part that can be curved [m]: the same number wherever it touches.
    pub(super) fn polyline(&self, count: usize, mut visit: impl FnMut(Vec3)) {
        for s in 0..self.segment_count() {
            visit(self.q[self.rows[s] as usize]);
            let segment = self.segment(s);
            let obstacles = &segment.obstacles[..segment.count];
            let room: usize = obstacles.iter().map(|it| Obstacle::bend_count(&it.surface)).sum();
            let mut last = self.q[self.rows[s] as usize];
            let mut given = 0;
            for point in segment.strand.curve(obstacles, count.max(2) - 1) {
                visit(point);
                (last, given) = (point, given + 1);
            }
            (given..room * count.max(2)).for_each(|_| visit(last));
        }
        visit(self.q[self.rows[self.segment_count()] as usize]);
    }
}

impl Segment {
    fn derivatives(&self) -> Derivatives<'_> {
        Derivatives::new(&self.strand, |obstacle| self.centers[obstacle])
    }
}
