//! The shortest path over a torus: on the side of the tube that the straight line passes on, followed from the thin
//! tube that it just touches to the whole one; and where it passes near the ring, on the other side too.

use super::Vec3;
use super::contact::wrap_cylinder;
use super::geodesic::Arc;
use super::path_errors::{Bend, PathState, improve};
use super::strand::Obstacle;
use super::surface::{ON_SURFACE, Surface, Turn, from_ring};

/// Parts of a line that are searched for places where it is nearest to the ring.
const PARTS: usize = 64;

/// Halvings of such a part: to the last bit of the place.
const HALVINGS: usize = 52;

/// The thinnest tube that is begun with, in the whole one.
const THINNEST: f64 = 1e-3;

/// A line this near to the ring, in radii of the tube, is taken round both sides. Beyond, the far side is longer.
const BOTH_SIDES: f64 = 0.5;

/// The tube grows by this factor at most at once, and by this less one at least.
const GROWTH: [f64; 2] = [2.0, 0.01];

/// Largest path error [-] of a path that is followed as the tube grows.
const FOLLOWED: f64 = 0.25;

/// Largest path error [-] of a path over a cylinder in place of the tube.
const GUESSED: f64 = 0.9;

/// Nodes of a polyline that is begun with where nothing else leads to a path, and sweeps over them.
const NODES: usize = 48;
const RELAXATIONS: usize = 300;

/// Over-relaxation of these sweeps: that of a string on a line with so many nodes.
const OVER_RELAXATION: f64 = 1.88;

/// A torus between two points outside.
struct Passage<'a> {
    ring: f64,
    tube: f64,
    ends: [&'a Vec3; 2],
}

/// `touching` says which ends lie on the tube since the path bends round it there already.
pub(super) fn wrap(
    [ring, tube]: [f64; 2],
    [from, to]: [&Vec3; 2],
    touching: [bool; 2],
) -> Option<Arc> {
    let line = Line { from: *from, along: to - from, ring };
    let at = line.first_inside(tube * (1.0 - ON_SURFACE), touching)?;
    let passage = Passage { ring, tube, ends: [from, to] };
    let near = passage.near_side(&line, at);
    let is_central = line.away(at).norm() < BOTH_SIDES * tube;
    let far = if is_central { passage.far_side(&line, at) } else { None };
    let length = |arc: &Arc| passage.length(*arc);
    let shortest = near.into_iter().chain(far).min_by(|a, b| length(a).total_cmp(&length(b)));
    shortest.or_else(|| passage.relaxed())
}

/// The path through the hole: on the inner side of the tube where the line is nearest to the ring.
pub(super) fn wrap_through([ring, tube]: [f64; 2], [from, to]: [&Vec3; 2]) -> Option<Arc> {
    let line = Line { from: *from, along: to - from, ring };
    let at = line.nearest_of_all()?;
    let passage = Passage { ring, tube, ends: [from, to] };
    let (away, outward) = (line.away(at), from_ring(&line.point(at), ring).0);
    if away.dot(&outward) > 0.0 {
        return passage.far_side(&line, at);
    }
    let in_the_way = away.norm() < tube * (1.0 - ON_SURFACE);
    in_the_way.then(|| passage.near_side(&line, at))?
}

impl Passage<'_> {
    /// The path on the side of the tube that the line passes on.
    fn near_side(&self, line: &Line, at: f64) -> Option<Arc> {
        let (point, away) = (line.point(at), line.away(at));
        let direction = line.along.normalize();
        let depth = away.norm();
        let thickness = depth.max(THINNEST * self.tube);
        // The sides are as good as each other for a line through the ring itself.
        let outward = away.try_normalize(0.0).unwrap_or_else(|| {
            let to_axis = -from_ring(&point, self.ring).0;
            let across = |v: Vec3| (v - direction * direction.dot(&v)).try_normalize(1e-3);
            across(to_axis).or_else(|| across(Vec3::z())).unwrap_or_else(Vec3::z)
        });
        let mut arc =
            Arc { start: point - away + outward * thickness, direction, length: 0.0, end: None };
        if depth < thickness {
            arc = self.over(arc, thickness, FOLLOWED)?;
        }
        self.follow(arc, thickness)
    }

    /// The path on the other side: begun round a straight tube along the ring.
    fn far_side(&self, line: &Line, at: f64) -> Option<Arc> {
        let (outward, away) = from_ring(&line.point(at), self.ring);
        let center = line.point(at) - away;
        let along = Vec3::new(-outward.y, outward.x, 0.0);
        // Axes of the straight tube: outward, across, along the ring.
        let axes = [outward, along.cross(&outward), along];
        let seen = |p: &Vec3| Vec3::from_fn(|k, _| axes[k].dot(&(p - center)));
        let back = |v: &Vec3| axes[0] * v.x + axes[1] * v.y + axes[2] * v.z;
        let ends = self.ends.map(seen);
        let ahead = ends[0].xy().perp(&ends[1].xy());
        let turn = if ahead < 0.0 { Turn::Positive } else { Turn::Negative };
        let thickness = BOTH_SIDES * self.tube;
        let arc = wrap_cylinder(thickness, turn, [&ends[0], &ends[1]])?;
        let start = center + back(&arc.start);
        let arc = Arc { start, direction: back(&arc.direction), ..arc };
        self.follow(self.over(arc, thickness, GUESSED)?, thickness)
    }

    /// A path over the tube at a thickness, followed to the whole of it.
    fn follow(&self, mut arc: Arc, mut thickness: f64) -> Option<Arc> {
        let mut factor = GROWTH[0];
        while thickness < self.tube && factor - 1.0 >= GROWTH[1] {
            let next = f64::min(thickness * factor, self.tube);
            let longer = Arc { length: arc.length * (next / thickness), ..arc };
            match self.over(longer, next, FOLLOWED) {
                Some(better) => (arc, thickness) = (better, next),
                None => factor = 1.0 + 0.5 * (factor - 1.0),
            }
        }
        (thickness == self.tube && arc.length >= 0.0).then_some(arc)
    }

    /// The path beside a polyline that is shortened node by node: where paths slide far along the ring as the tube
    /// grows.
    fn relaxed(&self) -> Option<Arc> {
        let surface = Surface::Torus { ring: self.ring, tube: self.tube };
        let [from, to] = self.ends;
        let mut nodes: [Vec3; NODES] =
            std::array::from_fn(|k| from + (to - from) * (k as f64 / (NODES - 1) as f64));
        let is_inside = |p: &Vec3| from_ring(p, self.ring).1.norm() < self.tube;
        for _ in 0..RELAXATIONS {
            for k in 1..NODES - 1 {
                let middle = (nodes[k - 1] + nodes[k + 1]) * 0.5;
                let p = nodes[k] + (middle - nodes[k]) * OVER_RELAXATION;
                nodes[k] = if is_inside(&p) { surface.project(&p) } else { p };
            }
        }
        let touches = |p: &Vec3| from_ring(p, self.ring).1.norm() < self.tube * (1.0 + 1e-6);
        let first = (1..NODES - 1).find(|&k| touches(&nodes[k]))?;
        let last = (first..NODES - 1).take_while(|&k| touches(&nodes[k])).last()?;
        let length = (first..last).map(|k| (nodes[k + 1] - nodes[k]).norm()).sum();
        let direction = (nodes[first + 1] - nodes[first - 1]).normalize();
        let guess = Arc { start: nodes[first], direction, length, end: None };
        self.over(guess, self.tube, GUESSED).filter(|arc| arc.length >= 0.0)
    }

    fn obstacle(&self, tube: f64) -> Obstacle {
        let surface = Surface::Torus { ring: self.ring, tube };
        Obstacle { surface, pose: nalgebra::Isometry3::identity(), side: None }
    }

    /// The path beside a guess, where the tube has a thickness.
    fn over(&self, guess: Arc, thickness: f64, followed: f64) -> Option<Arc> {
        let obstacle = self.obstacle(thickness);
        let start = obstacle.surface.project(&guess.start);
        let direction = obstacle.surface.darboux(start, &guess.direction).tangent;
        let mut bends = [Bend { obstacle: 0, arc: Arc { start, direction, ..guess } }];
        improve(self.ends.map(|p| *p), &mut bends, &[obstacle], followed)?;
        Some(bends[0].arc)
    }

    /// Length of the whole path [m].
    fn length(&self, arc: Arc) -> f64 {
        let bends = [Bend { obstacle: 0, arc }];
        let path = PathState::new(self.ends.map(|p| *p), &bends, &[self.obstacle(self.tube)]);
        path.straights[0].length + arc.length + path.straights[1].length
    }
}

/// A straight line beside a circle about z.
struct Line {
    from: Vec3,
    along: Vec3,
    ring: f64,
}

impl Line {
    fn point(&self, at: f64) -> Vec3 {
        self.from + self.along * at
    }

    /// Its point, seen from the nearest point of the circle [m].
    fn away(&self, at: f64) -> Vec3 {
        from_ring(&self.point(at), self.ring).1
    }

    /// Half the derivative of the square of the distance from the circle.
    fn receding(&self, at: f64) -> f64 {
        self.away(at).dot(&self.along)
    }

    /// Share of the segment, 0 to 1, nearest to the circle the first time that it is nearer than `tube` there; not beside ends
    /// that are `touching`.
    fn first_inside(&self, tube: f64, touching: [bool; 2]) -> Option<f64> {
        let on_ring = |at: f64| self.point(at) - self.away(at);
        let ends = [0.0, 1.0].map(on_ring);
        let is_known = |at: &f64| {
            let near = |k: usize| touching[k] && (on_ring(*at) - ends[k]).norm() < 2.0 * tube;
            near(0) || near(1)
        };
        let [first, last] = self.span(self.ring + tube)?;
        let place = |k: usize| first + (last - first) * k as f64 / PARTS as f64;
        let parts = (0..PARTS).map(|k| [place(k), place(k + 1)]);
        parts
            .filter(|&[a, b]| self.receding(a) < 0.0 && self.receding(b) >= 0.0)
            .map(|part| self.nearest(part))
            .find(|at| self.away(*at).norm() < tube && !is_known(at))
    }

    /// Share of the segment where it is nearest to the circle; none where that is an end.
    fn nearest_of_all(&self) -> Option<f64> {
        let place = |k: usize| k as f64 / PARTS as f64;
        let parts = (0..PARTS).map(|k| [place(k), place(k + 1)]);
        let near = parts
            .filter(|&[a, b]| self.receding(a) < 0.0 && self.receding(b) >= 0.0)
            .map(|part| self.nearest(part));
        near.min_by(|a, b| self.away(*a).norm().total_cmp(&self.away(*b).norm()))
    }

    /// The part of it that is within a radius of the origin.
    fn span(&self, radius: f64) -> Option<[f64; 2]> {
        let square = self.along.norm_squared();
        let (middle, rest) =
            (-self.from.dot(&self.along) / square, self.from.norm_squared() - radius * radius);
        let half = (middle * middle - rest / square).sqrt();
        let [first, last] = [(middle - half).max(0.0), (middle + half).min(1.0)];
        (first < last).then_some([first, last])
    }

    fn nearest(&self, [mut a, mut b]: [f64; 2]) -> f64 {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (a + b);
            let side = if self.receding(middle) < 0.0 { &mut a } else { &mut b };
            *side = middle;
        }
        b
    }
}
