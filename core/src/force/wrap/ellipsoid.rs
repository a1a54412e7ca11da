//! The shortest path over an ellipsoid. Newton's method begins with paths in planes through both ends: seen with the
//! ellipsoid stretched to a unit sphere, each is two tangents and an arc of a circle, on one side of the line. Their
//! lengths have a few minima over the angle of the plane; the shortest of the geodesics beside these is the path.

use std::f64::consts::TAU;

use super::Vec3;
use super::geodesic::Arc;
use super::path_errors::{Bend, PathState, improve};
use super::side::Side;
use super::strand::Obstacle;
use super::surface::Surface;

/// Planes that are looked at. Minima are as far apart as the narrow sides of an ellipsoid.
const PLANES: usize = 24;

/// Halvings of the angle between planes beside a minimum: a path in a plane is no geodesic, so that more help nothing.
const REFINEMENTS: usize = 5;

/// Parts of arcs whose lengths are those of guesses, not of paths, by two points each.
const ARC_PARTS: usize = 6;

/// Distance of Gauss's two points from the middle of an interval of length 1: 1 / sqrt(12).
const GAUSS: f64 = 0.288_675_134_594_812_9;

/// Largest path error [-] that a path in a plane is improved from.
const FOLLOWED: f64 = 0.9;

/// Ends outside an ellipsoid, with the sphere in view.
pub(super) struct Stretched {
    radii: Vec3,
    /// Ends of the path where the ellipsoid is the unit sphere.
    ends: [Vec3; 2],
    /// Along the line there, and two directions across.
    along: Vec3,
    across: [Vec3; 2],
}

/// A path in a plane, stretched back.
pub(super) struct Planar {
    pub(super) arc: Arc,
    /// Length with both tangents [m].
    length: f64,
}

/// The path between two points; on a side, if there is one, wherever one is found there.
pub(super) fn wrap(radii: Vec3, [from, to]: [&Vec3; 2], side: Option<Side>) -> Option<Arc> {
    let view = Stretched::new(radii, [from, to])?;
    let step = TAU / PLANES as f64;
    let lengths: [f64; PLANES] = std::array::from_fn(|k| view.planar(step * k as f64).length);
    let beside = |k: usize, by: usize| lengths[(k + by) % PLANES];
    let is_least = |k: &usize| lengths[*k] < beside(*k, PLANES - 1) && lengths[*k] <= beside(*k, 1);
    let path = |k: usize, sign: f64| {
        let guess = view.planar(view.refined(step * k as f64, step, sign)).arc;
        view.path([*from, *to], guess)
    };
    let shortest = |paths: &mut dyn Iterator<Item = Planar>| {
        paths.min_by(|a, b| a.length.total_cmp(&b.length)).map(|it| it.arc)
    };
    let minima = || (0..PLANES).filter(is_least).filter_map(|k| path(k, 1.0));
    let Some(side) = side else { return shortest(&mut minima()) };
    let on_side = |it: &Planar| side.has(&it.arc.middle(&Surface::Ellipsoid { radii }));
    // The long way round is a geodesic too: the longest of the planes.
    let is_most = |k: &usize| lengths[*k] > beside(*k, PLANES - 1) && lengths[*k] >= beside(*k, 1);
    let maxima = || (0..PLANES).filter(is_most).filter_map(|k| path(k, -1.0));
    let found = shortest(&mut minima().filter(on_side));
    let found = found.or_else(|| shortest(&mut maxima().filter(on_side)));
    found.or_else(|| shortest(&mut minima()))
}

impl Stretched {
    /// `None` where the line is free.
    pub(super) fn new(radii: Vec3, ends: [&Vec3; 2]) -> Option<Self> {
        let ends = ends.map(|p| p.component_div(&radii));
        let along = (ends[1] - ends[0]).try_normalize(0.0)?;
        let place = [-1.0, 1.0].map(|sign| ends[usize::from(sign > 0.0)].dot(&along) * sign);
        let offset = ends[0] - along * ends[0].dot(&along);
        if place[0] <= 0.0 || place[1] <= 0.0 || offset.norm_squared() >= 1.0 {
            return None;
        }
        let axis = Vec3::from_fn(|k, _| if k == along.iamin() { 1.0 } else { 0.0 });
        let first = along.cross(&axis).normalize();
        Some(Self { radii, ends, along, across: [first, along.cross(&first)] })
    }

    /// The taut path in the plane at an angle [rad], on its side of the line.
    fn planar(&self, angle: f64) -> Planar {
        self.section(&(self.across[0] * angle.cos() + self.across[1] * angle.sin()), ARC_PARTS)
    }

    /// Unit vector across the line, on the side of a point of the sphere; `None` for a point of the line.
    pub(super) fn side_of(&self, point: &Vec3) -> Option<Vec3> {
        let from = point - self.ends[0];
        (from - self.along * from.dot(&self.along)).try_normalize(0.0)
    }

    /// The same on a side across the line, its length by a number of parts.
    pub(super) fn section(&self, side: &Vec3, part_count: usize) -> Planar {
        let normal = self.along.cross(side);
        // The section of the sphere, and the ends seen from its centre: along, and to the side.
        let height = self.ends[0].dot(&normal);
        let radius = (1.0 - height * height).max(0.0).sqrt();
        let seen = self.ends.map(|p| [p.dot(&self.along), p.dot(side)]);
        // Angles of the tangent points from the side towards the line's direction.
        let [a, b] = [0, 1].map(|k| {
            let [x, y] = seen[k];
            let tangent = ((x * x + y * y - radius * radius).max(0.0).sqrt()).atan2(radius);
            let sign = if k == 0 { 1.0 } else { -1.0 };
            x.atan2(y) + sign * tangent
        });
        let radial = |t: f64| side * t.cos() + self.along * t.sin();
        let tangent = |t: f64| self.along * t.cos() - side * t.sin();
        let point = |t: f64| (normal * height + radial(t) * radius).component_mul(&self.radii);
        let part = (b - a) / part_count as f64;
        let speed = |t: f64| tangent(t).component_mul(&self.radii).norm();
        let pair = |k: usize| {
            let middle = a + part * (k as f64 + 0.5);
            speed(middle - part * GAUSS) + speed(middle + part * GAUSS)
        };
        let length = (0..part_count).map(pair).sum::<f64>() * (0.5 * part * radius);
        let [p, q] = self.ends.map(|p| p.component_mul(&self.radii));
        let direction = tangent(a).component_mul(&self.radii).normalize();
        Planar {
            arc: Arc { start: point(a), direction, length, end: Some(point(b)) },
            length: (point(a) - p).norm() + length + (q - point(b)).norm(),
        }
    }

    /// The angle of the least length near another; of the largest where `sign` is -1.
    fn refined(&self, mut angle: f64, mut step: f64, sign: f64) -> f64 {
        let mut least = self.planar(angle).length * sign;
        for _ in 0..REFINEMENTS {
            step *= 0.5;
            for beside in [angle - step, angle + step] {
                let length = self.planar(beside).length * sign;
                if length < least {
                    (angle, least) = (beside, length);
                }
            }
        }
        angle
    }

    /// The path beside a guess.
    fn path(&self, ends: [Vec3; 2], arc: Arc) -> Option<Planar> {
        let surface = Surface::Ellipsoid { radii: self.radii };
        let obstacle = [Obstacle { surface, pose: nalgebra::Isometry3::identity(), side: None }];
        let start = surface.project(&arc.start);
        let direction = surface.darboux(start, &arc.direction).tangent;
        let mut bends = [Bend { obstacle: 0, arc: Arc { start, direction, end: None, ..arc } }];
        improve(ends, &mut bends, &obstacle, FOLLOWED)?;
        let arc = bends[0].arc;
        let straights = PathState::new(ends, &bends, &obstacle).straights;
        let length = straights[0].length + arc.length + straights[1].length;
        (arc.length >= 0.0).then_some(Planar { arc, length })
    }
}
