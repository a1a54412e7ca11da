//! Lines that wrap over surfaces on bodies, or go through points that come and go: from rows of a system to strands,
//! and derivatives back to rows. The geometry: `wrap/`.

use nalgebra::UnitQuaternion;

use super::conditions::PointCondition;
pub(crate) use super::wrap::MOST_BENDS;
use super::wrap::{Derivatives, Obstacle, Side, Strand, Surface, Touch};
use crate::property::Pose;
use crate::{Mat3, Vec3};

/// Most rows of a line that wraps: points, and two rows a surface. Its gradient takes no memory in a step.
pub(crate) const MOST_ROWS: usize = 64;

/// A surface, and what it is fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrapSite {
    pub(crate) surface: Surface,
    /// The half of it that lines go round; either where there is none.
    pub(crate) side: Option<Side>,
    /// First row of its body; `None` is the ground.
    pub(crate) row: Option<u32>,
    /// Its frame: in the axes of the body, from its centre of mass; on the ground in the world [m].
    pub(crate) frame: Pose,
}

/// A surface that can bend a line between two of its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spanned {
    pub(crate) site: WrapSite,
    /// First and last point.
    pub(crate) points: [u32; 2],
}

/// Surfaces that a line wraps over, and points that it leaves out.
#[derive(Clone, Default)]
pub(crate) struct Wraps {
    sites: Vec<Spanned>,
    /// For each surface, where the row of its body is among the rows of the line; the next is its rotation.
    places: Vec<Option<u32>>,
    point_count: usize,
    conditions: Vec<PointCondition>,
    /// True if surfaces are met in the order of the straight line, false if in the order in which they are listed.
    sorted: bool,
}

impl Wraps {
    /// Surfaces, and the rows of a line with these points: those of the bodies are added.
    pub(crate) fn new(sites: Vec<Spanned>, rows: &mut Vec<u32>) -> Self {
        let point_count = rows.len();
        let mut place = |row: u32| {
            let known = rows[point_count..].iter().position(|&it| it == row);
            known.map(|k| k + point_count).unwrap_or_else(|| {
                rows.extend([row, row + 1]);
                rows.len() - 2
            }) as u32
        };
        let places = sites.iter().map(|it| it.site.row.map(&mut place)).collect();
        Self { sites, places, point_count, conditions: Vec::new(), sorted: false }
    }

    /// The same with points that are left out at some values of coordinates.
    pub(crate) fn with_conditions(self, conditions: Vec<PointCondition>) -> Self {
        Self { conditions, ..self }
    }

    /// True if a surface bends one segment of the line alone.
    fn bends_one(&self, site: usize) -> bool {
        let WrapSite { surface, side, .. } = self.sites[site].site;
        self.sorted || side.is_some() || matches!(surface, Surface::Sections(_))
    }

    /// The same with surfaces in the order in which straight lines are nearest to them, each of which bends one segment.
    pub(crate) fn sorted(self, sorted: bool) -> Self {
        Self { sorted, ..self }
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
        (Obstacle { surface: self.surface, pose, side: self.side }, center)
    }
}

/// A line over its surfaces at the positions of all rows.
pub(super) struct WrappedPath<'a> {
    wraps: &'a Wraps,
    rows: &'a [u32],
    q: &'a [Vec3],
    length: f64,
    gradient: [Vec3; MOST_ROWS],
    /// Points that it goes through.
    through: [u8; MOST_ROWS],
    through_count: usize,
    /// For each surface that bends one segment alone the one that it can bend.
    bent: [u8; MOST_ROWS],
    /// True for segments that something bends.
    curved: [bool; MOST_ROWS],
}

/// Surfaces without a segment that they bend.
const NOWHERE: u8 = u8::MAX;

/// One segment of it.
struct Segment {
    strand: Strand,
    obstacles: [Obstacle; MOST_BENDS],
    centers: [Vec3; MOST_BENDS],
    /// Numbers of the surfaces.
    sites: [usize; MOST_BENDS],
    count: usize,
}

impl<'a> WrappedPath<'a> {
    /// # Panics
    /// When there are more rows than [`MOST_ROWS`].
    pub(super) fn new(wraps: &'a Wraps, rows: &'a [u32], q: &'a [Vec3]) -> Self {
        let (gradient, nowhere) = ([Vec3::zeros(); MOST_ROWS], [NOWHERE; MOST_ROWS]);
        let (mut through, mut through_count) = ([0; MOST_ROWS], 0);
        for place in 0..wraps.point_count {
            let own = wraps.conditions.iter().filter(|it| it.point as usize == place);
            if own.into_iter().all(|it| it.holds(q)) {
                through[through_count] = place as u8;
                through_count += 1;
            }
        }
        let (length, bent) = (0.0, nowhere);
        let curved = [false; MOST_ROWS];
        let mut path =
            Self { wraps, rows, q, length, gradient, through, through_count, bent, curved };
        path.choose_segments();
        for s in 0..path.segment_count() {
            let Some(segment) = path.segment(s) else {
                path.add_straight(s);
                continue;
            };
            path.curved[s] = segment.strand.touched().next().is_some();
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
        self.through_count.saturating_sub(1)
    }

    /// Places of the ends of a segment among the points.
    fn ends(&self, s: usize) -> [usize; 2] {
        [s, s + 1].map(|k| usize::from(self.through[k]))
    }

    /// True if a surface may bend a segment.
    fn spans(&self, site: usize, s: usize) -> bool {
        let ([from, to], [first, last]) = (self.ends(s), self.wraps.sites[site].points);
        first as usize <= from && to <= last as usize
    }

    /// Surfaces with a side, ellipsoids with sections, and all in the order in which they are met, bend one segment: the first that goes through them, or else the one that they make longer
    /// by the least (Seth2018).
    fn choose_segments(&mut self) {
        for site in 0..self.wraps.sites.len().min(MOST_ROWS) {
            if !self.wraps.bends_one(site) {
                continue;
            }
            let obstacle = self.wraps.sites[site].site.place(self.q).0;
            let (mut bent, mut least) = (NOWHERE, f64::INFINITY);
            for s in (0..self.segment_count()).filter(|&s| self.spans(site, s)) {
                let points = self.ends(s).map(|k| self.q[self.rows[k] as usize]);
                match obstacle.touch(points) {
                    Touch::Free => continue,
                    Touch::Through => {
                        bent = s as u8;
                        break;
                    }
                    Touch::Behind(longer) if longer < least => {
                        (bent, least) = (s as u8, longer);
                    }
                    Touch::Behind(_) => continue,
                }
            }
            self.bent[site] = bent;
        }
    }

    /// A segment as a straight line.
    fn straight(&self, s: usize) -> super::lines::Segment {
        let [from, to] = self.ends(s).map(|k| &self.q[self.rows[k] as usize]);
        super::lines::Segment::between(from, to)
    }

    fn add_straight(&mut self, s: usize) {
        let (straight, [from, to]) = (self.straight(s), self.ends(s));
        self.length += straight.length;
        self.gradient[from] -= straight.direction;
        self.gradient[to] += straight.direction;
    }

    /// A segment over its surfaces; `None` where it plainly passes all of them.
    fn segment(&self, s: usize) -> Option<Segment> {
        let points = self.ends(s).map(|k| self.q[self.rows[k] as usize]);
        let nothing = Obstacle {
            surface: Surface::Sphere { radius: 1.0 },
            pose: Pose::identity(),
            side: None,
        };
        let (mut obstacles, mut centers) = ([nothing; MOST_BENDS], [Vec3::zeros(); MOST_BENDS]);
        let (mut sites, mut count) = ([0; MOST_BENDS], 0);
        let mut nearest = [0.0; MOST_BENDS];
        for (k, Spanned { site, .. }) in self.wraps.sites.iter().enumerate() {
            let chosen = !self.wraps.bends_one(k) || usize::from(self.bent[k]) == s;
            if !chosen || !self.spans(k, s) || count == MOST_BENDS {
                continue;
            }
            let (obstacle, center) = site.place(self.q);
            let along = if self.wraps.sorted { obstacle.nearest(points) } else { 0.0 };
            let mut at = count;
            while at > 0 && nearest[at - 1] > along {
                (obstacles[at], centers[at]) = (obstacles[at - 1], centers[at - 1]);
                (sites[at], nearest[at]) = (sites[at - 1], nearest[at - 1]);
                at -= 1;
            }
            (obstacles[at], centers[at], sites[at], nearest[at]) = (obstacle, center, k, along);
            count += 1;
        }
        if obstacles[..count].iter().all(|obstacle| obstacle.is_clear_of(points)) {
            return None;
        }
        let strand = Strand::ranked(points, &obstacles[..count], &sites[..count]);
        Some(Segment { strand, obstacles, centers, sites, count })
    }

    /// Place of a motion of a segment among the rows of the line; `None` on the ground.
    fn place(&self, s: usize, segment: &Segment, motion: usize) -> Option<usize> {
        match motion.checked_sub(2) {
            None => Some(self.ends(s)[motion]),
            Some(past) => {
                let site = segment.strand.touched().nth(past / 2)?;
                let row = self.wraps.places[segment.sites[site]]?;
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
            let segment = if self.curved[s] { self.segment(s) } else { None };
            let Some(segment) = segment else {
                let Some(block) = self.straight(s).lateral(1.0) else { continue };
                let [from, to] = self.ends(s);
                add(from, from, &block);
                add(to, to, &block);
                add(from, to, &-block);
                add(to, from, &-block);
                continue;
            };
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

    /// Hands the rotations of its bodies to `visit`: their places among the rows of the line, and dl/dq of these.
    pub(super) fn for_each_moment(&self, mut visit: impl FnMut(usize, Vec3)) {
        let turns = (self.wraps.point_count + 1..self.rows.len()).step_by(2);
        turns.for_each(|place| visit(place, self.gradient[place]));
    }

    /// The line as a polyline, `count` points to each part that can be curved [m]: the same number wherever it touches.
    pub(super) fn polyline(&self, count: usize, mut visit: impl FnMut(Vec3)) {
        let count = count.max(2);
        let room = |it: &Spanned| {
            let bends = Obstacle::bend_count(&it.site.surface);
            bends * (it.points[1] - it.points[0]) as usize * count
        };
        let all = self.wraps.point_count + self.wraps.sites.iter().map(room).sum::<usize>();
        let (mut given, mut last) = (0, Vec3::zeros());
        let mut put = |point: Vec3| {
            visit(point);
            (given, last) = (given + 1, point);
        };
        let end = |k: usize| self.q[self.rows[usize::from(self.through[k])] as usize];
        for s in 0..self.segment_count() {
            put(end(s));
            let Some(segment) = self.segment(s) else { continue };
            segment.strand.curve(&segment.obstacles[..segment.count], count - 1).for_each(&mut put);
        }
        if self.through_count > 0 {
            put(end(self.through_count - 1));
        }
        (given..all).for_each(|_| visit(last));
    }
}

impl Segment {
    fn derivatives(&self) -> Derivatives<'_> {
        Derivatives::new(&self.strand, |obstacle| self.centers[obstacle])
    }
}
