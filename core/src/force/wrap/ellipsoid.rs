//! The shortest path over an ellipsoid. Newton's method begins with paths in planes through both ends: seen with the
//! ellipsoid stretched to a unit sphere, each is two tangents and an arc of a circle, on one side of the line. Their
//! lengths have a few minima over the angle of the plane; the shortest of the geodesics beside these is the path.

use std::f64::consts::TAU;

use super::Vec3;
use super::geodesic::Arc;
use super::path_errors::{Bend, PathState, improve};
use super::strand::Obstacle;
use super::surface::Surface;

/// Planes that are looked at. Minima are as far apart as the narrow sides of an ellipsoid.
const PLANES: usize = 24;

/// Halvings of the angle between planes beside a minimum: a path in a plane is no geodesic, so that more help nothing.
const REFINEMENTS: usize = 5;

/// Points of the rule of midpoints for lengths of arcs: lengths of guesses, not of paths.
const ARC_POINTS: usize = 12;

/// Largest path error [-] that a path in a plane is improved from.
const FOLLOWED: f64 = 0.9;

/// Ends outside an ellipsoid, with the sphere in view.
struct Stretched {
    radii: Vec3,
    /// Ends of the path where the ellipsoid is the unit sphere.
    ends: [Vec3; 2],
    /// Along the line there, and two directions across.
    along: Vec3,
    across: [Vec3; 2],
}

/// A path in a plane, stretched back.
struct Planar {
    arc: Arc,
    /// Length with both tangents [m].
    length: f64,
}

pub(super) fn wrap(radii: Vec3, from: &Vec3, to: &Vec3) -> Option<Arc> {
    let view = Stretched::new(radii, [from, to])?;
    let step = TAU / PLANES as f64;
    let lengths: [f64; PLANES] = std::array::from_fn(|k| view.planar(step * k as f64).length);
    let is_least = |k: &usize| {
        let [before, after] = [PLANES - 1, 1].map(|by| lengths[(k + by) % PLANES]);
        lengths[*k] < before && lengths[*k] <= after
    };
    let minima = (0..PLANES).filter(is_least);
    let paths = minima.filter_map(|k| {
        let guess = view.planar(view.refined(step * k as f64, step)).arc;
        view.path([*from, *to], guess)
    });
    paths.min_by(|a, b| a.length.total_cmp(&b.length)).map(|it| it.arc)
}

impl Stretched {
    /// `None` where the line is free.
    fn new(radii: Vec3, ends: [&Vec3; 2]) -> Option<Self> {
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
        let side = self.across[0] * angle.cos() + self.across[1] * angle.sin();
        let normal = self.along.cross(&side);
        // The section of the sphere, and the ends seen from its centre: along, and to the side.
        let height = self.ends[0].dot(&normal);
        let radius = (1.0 - height * height).max(0.0).sqrt();
        let seen = self.ends.map(|p| [p.dot(&self.along), p.dot(&side)]);
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
        let part = (b - a) / ARC_POINTS as f64;
        let speed =
            |k: usize| tangent(a + part * (k as f64 + 0.5)).component_mul(&self.radii).norm();
        let length = (0..ARC_POINTS).map(speed).sum::<f64>() * part * radius;
        let [p, q] = self.ends.map(|p| p.component_mul(&self.radii));
        let direction = tangent(a).component_mul(&self.radii).normalize();
        Planar {
            arc: Arc { start: point(a), direction, length },
            length: (point(a) - p).norm() + length + (q - point(b)).norm(),
        }
    }

    /// The angle of the least length near another.
    fn refined(&self, mut angle: f64, mut step: f64) -> f64 {
        let mut least = self.planar(angle).length;
        for _ in 0..REFINEMENTS {
            step *= 0.5;
            for beside in [angle - step, angle + step] {
                let length = self.planar(beside).length;
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
        let obstacle = [Obstacle { surface, pose: nalgebra::Isometry3::identity() }];
        let start = surface.project(&arc.start);
        let direction = surface.darboux(start, &arc.direction).tangent;
        let mut bends = [Bend { obstacle: 0, arc: Arc { start, direction, ..arc } }];
        improve(ends, &mut bends, &obstacle, FOLLOWED)?;
        let arc = bends[0].arc;
        let straights = PathState::new(ends, &bends, &obstacle).straights;
        let length = straights[0].length + arc.length + straights[1].length;
        (arc.length >= 0.0).then_some(Planar { arc, length })
    }
}
