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

    /// Rows that the shape of a line depends on beside its own.
    pub(super) fn further_rows(&self) -> impl Iterator<Item = u32> {
        self.conditions.iter().flat_map(|it| it.coordinate.rows()).flatten()
    }

    /// The same with surfaces in the order in which straight lines are nearest to them.
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
    shape: Shape<'a>,
}

/// The shape of a line: kept from an evaluation before, or made now.
#[expect(clippy::large_enum_variant, reason = "a box would take memory in every step")]
enum Shape<'a> {
    Kept(&'a PathShape),
    New(PathShape),
}

/// Length of a line and its derivative, and which segments something bends.
pub(super) struct PathShape {
    length: f64,
    gradient: [Vec3; MOST_ROWS],
    /// Points that it goes through.
    through: [u8; MOST_ROWS],
    through_count: usize,
    /// For each surface with a side the one segment that it can bend.
    bent: [u8; MOST_ROWS],
    /// True for segments that something bends.
    curved: [bool; MOST_ROWS],
    /// Those, where they are kept, with their numbers.
    segments: Vec<(usize, Segment)>,
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

impl std::ops::Deref for Shape<'_> {
    type Target = PathShape;

    fn deref(&self) -> &PathShape {
        match self {
            Self::Kept(shape) => shape,
            Self::New(shape) => shape,
        }
    }
}

impl PathShape {
    /// Memory for a line whose curved segments are kept.
    pub(super) fn keeping(wraps: &Wraps) -> Self {
        let most = wraps.point_count.saturating_sub(1);
        let room = |it: &Spanned| (it.points[1].saturating_sub(it.points[0])) as usize;
        let room = wraps.sites.iter().map(room).sum::<usize>().min(most);
        Self { segments: Vec::with_capacity(room), ..Self::empty() }
    }

    fn empty() -> Self {
        Self {
            length: 0.0,
            gradient: [Vec3::zeros(); MOST_ROWS],
            through: [0; MOST_ROWS],
            through_count: 0,
            bent: [NOWHERE; MOST_ROWS],
            curved: [false; MOST_ROWS],
            segments: Vec::new(),
        }
    }

    /// The shape at the positions `q` of all rows; curved segments are kept where there is room for them.
    pub(super) fn update(&mut self, wraps: &Wraps, rows: &[u32], q: &[Vec3]) {
        self.length = 0.0;
        self.gradient[..rows.len()].fill(Vec3::zeros());
        self.through_count = 0;
        self.segments.clear();
        for place in 0..wraps.point_count {
            let own = wraps.conditions.iter().filter(|it| it.point as usize == place);
            if own.into_iter().all(|it| it.holds(q)) {
                self.through[self.through_count] = place as u8;
                self.through_count += 1;
            }
        }
        let line = Line { wraps, rows, q };
        line.choose_segments(self);
        for s in 0..self.segment_count() {
            let ends = self.ends(s);
            let Some(segment) = line.segment(self, s) else {
                self.curved[s] = false;
                self.add_straight(&line.straight(ends), ends);
                continue;
            };
            self.curved[s] = segment.strand.touched().next().is_some();
            self.length += segment.strand.length();
            let derivatives = segment.derivatives();
            let gradient = derivatives.gradient();
            for (motion, by) in gradient.iter().enumerate().take(derivatives.count()) {
                if let Some(place) = line.place(ends, &segment, motion) {
                    self.gradient[place] += by;
                }
            }
            if self.curved[s] && self.segments.len() < self.segments.capacity() {
                self.segments.push((s, segment));
            }
        }
    }

    fn add_straight(&mut self, straight: &super::lines::Segment, [from, to]: [usize; 2]) {
        self.length += straight.length;
        self.gradient[from] -= straight.direction;
        self.gradient[to] += straight.direction;
    }

    fn segment_count(&self) -> usize {
        self.through_count.saturating_sub(1)
    }

    /// Places of the ends of a segment among the points.
    fn ends(&self, s: usize) -> [usize; 2] {
        [s, s + 1].map(|k| usize::from(self.through[k]))
    }
}

/// A line, and the positions of all rows.
#[derive(Clone, Copy)]
struct Line<'a> {
    wraps: &'a Wraps,
    rows: &'a [u32],
    q: &'a [Vec3],
}

impl Line<'_> {
    fn point(&self, place: usize) -> Vec3 {
        self.q[self.rows[place] as usize]
    }

    /// True if a surface may bend a segment between two places.
    fn spans(&self, site: usize, [from, to]: [usize; 2]) -> bool {
        let [first, last] = self.wraps.sites[site].points;
        first as usize <= from && to <= last as usize
    }

    /// Surfaces with a side bend one segment: the first that goes through them, or else the one that they make longer
    /// by the least (Seth2018).
    fn choose_segments(&self, shape: &mut PathShape) {
        for site in 0..self.wraps.sites.len().min(MOST_ROWS) {
            if self.wraps.sites[site].site.side.is_none() {
                continue;
            }
            let obstacle = self.wraps.sites[site].site.place(self.q).0;
            let (mut bent, mut least) = (NOWHERE, f64::INFINITY);
            for s in (0..shape.segment_count()).filter(|&s| self.spans(site, shape.ends(s))) {
                match obstacle.touch(shape.ends(s).map(|k| self.point(k))) {
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
            shape.bent[site] = bent;
        }
    }

    /// A segment between two places as a straight line.
    fn straight(&self, ends: [usize; 2]) -> super::lines::Segment {
        let [from, to] = ends.map(|k| self.point(k));
        super::lines::Segment::between(&from, &to)
    }

    /// A segment over its surfaces; `None` where it plainly passes all of them.
    fn segment(&self, shape: &PathShape, s: usize) -> Option<Segment> {
        let ends = shape.ends(s);
        let points = ends.map(|k| self.point(k));
        let nothing = Obstacle {
            surface: Surface::Sphere { radius: 1.0 },
            pose: Pose::identity(),
            side: None,
        };
        let (mut obstacles, mut centers) = ([nothing; MOST_BENDS], [Vec3::zeros(); MOST_BENDS]);
        let (mut sites, mut count) = ([0; MOST_BENDS], 0);
        let mut nearest = [0.0; MOST_BENDS];
        for (k, Spanned { site, .. }) in self.wraps.sites.iter().enumerate() {
            let chosen = site.side.is_none() || usize::from(shape.bent[k]) == s;
            if !chosen || !self.spans(k, ends) || count == MOST_BENDS {
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
        let strand = Strand::between(points, &obstacles[..count]);
        Some(Segment { strand, obstacles, centers, sites, count })
    }

    /// Place of a motion of a segment among the rows of the line; `None` on the ground.
    fn place(&self, ends: [usize; 2], segment: &Segment, motion: usize) -> Option<usize> {
        match motion.checked_sub(2) {
            None => Some(ends[motion]),
            Some(past) => {
                let site = segment.strand.touched().nth(past / 2)?;
                let row = self.wraps.places[segment.sites[site]]?;
                Some(row as usize + past % 2)
            }
        }
    }
}

impl<'a> WrappedPath<'a> {
    /// By a shape that was made for these positions.
    pub(super) fn kept(
        (wraps, rows, q): (&'a Wraps, &'a [u32], &'a [Vec3]),
        shape: &'a PathShape,
    ) -> Self {
        Self { wraps, rows, q, shape: Shape::Kept(shape) }
    }

    /// # Panics
    /// When there are more rows than [`MOST_ROWS`].
    pub(super) fn new(wraps: &'a Wraps, rows: &'a [u32], q: &'a [Vec3]) -> Self {
        let mut shape = PathShape::empty();
        shape.update(wraps, rows, q);
        Self { wraps, rows, q, shape: Shape::New(shape) }
    }

    fn line(&self) -> Line<'a> {
        Line { wraps: self.wraps, rows: self.rows, q: self.q }
    }

    pub(super) fn length(&self) -> f64 {
        self.shape.length
    }

    /// dl/dq of row `k` of the line.
    pub(super) fn gradient(&self, k: usize) -> Vec3 {
        self.shape.gradient[k]
    }

    /// Rate of the length [m/s] at the velocities `u` of all rows.
    pub(super) fn rate(&self, u: &[Vec3]) -> f64 {
        let pairs = self.rows.iter().zip(&self.shape.gradient);
        pairs.map(|(&row, by)| by.dot(&u[row as usize])).sum()
    }

    /// Hands d²l/dq² to `add`, part by part: two places among the rows of the line, and a block between them.
    pub(super) fn for_each_curvature(&self, mut add: impl FnMut(usize, usize, &Mat3)) {
        let line = self.line();
        for s in 0..self.shape.segment_count() {
            let ends = self.shape.ends(s);
            let mut add_segment = |segment: &Segment| {
                let place = |motion: usize| line.place(ends, segment, motion);
                segment.derivatives().for_each_second(|i, j, block| {
                    if let (Some(row), Some(column)) = (place(i), place(j)) {
                        add(row, column, block);
                    }
                });
            };
            let kept = self.shape.segments.iter().find(|(number, _)| *number == s);
            match kept {
                Some((_, segment)) => add_segment(segment),
                None if self.shape.curved[s] => {
                    line.segment(&self.shape, s).iter().for_each(add_segment);
                }
                None => line.straight(ends).add_curvature(ends, &mut add),
            }
        }
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
        let (line, shape) = (self.line(), &self.shape);
        for s in 0..shape.segment_count() {
            put(line.point(shape.ends(s)[0]));
            let Some(segment) = line.segment(shape, s) else { continue };
            segment.strand.curve(&segment.obstacles[..segment.count], count - 1).for_each(&mut put);
        }
        if let Some(end) = shape.through_count.checked_sub(1) {
            put(line.point(usize::from(shape.through[end])));
        }
        (given..all).for_each(|_| visit(last));
    }
}

impl Segment {
    fn derivatives(&self) -> Derivatives<'_> {
        Derivatives::new(&self.strand, |obstacle| self.centers[obstacle])
    }
}
