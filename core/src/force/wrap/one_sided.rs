//! Arcs over cylinders and spheres on one side, where the other way may be shorter.

use super::Vec3;
use super::contact::{wrap_cylinder, wrap_sphere};
use super::geodesic::Arc;
use super::side::Side;
use super::surface::{Surface, Turn};

impl Side {
    /// The arc over a cylinder on this side.
    pub(super) fn wrap_cylinder(&self, radius: f64, ends: [&Vec3; 2]) -> Option<Arc> {
        let turn = if self.turns_positive(radius, ends) { Turn::Positive } else { Turn::Negative };
        wrap_cylinder(radius, turn, ends)
    }

    /// True if the path is to turn anticlockwise: that whose tangent points are on this side, those of the first
    /// end looked at first; and where none is, that with the longer arc.
    fn turns_positive(&self, radius: f64, [from, to]: [&Vec3; 2]) -> bool {
        let tangents = |p: &Vec3| {
            let angle = (radius / p.xy().norm()).min(1.0).acos();
            let middle = p.y.atan2(p.x);
            [1.0, -1.0].map(|sign| {
                let (sin, cos) = (middle + sign * angle).sin_cos();
                Vec3::new(cos, sin, p.z / radius)
            })
        };
        // Ahead of the first end and behind the second in an anticlockwise path; then the others.
        let ([ahead, back], [beyond, before]) = (tangents(from), tangents(to));
        match [&ahead, &back].map(|p| self.has(p)) {
            [true, true] => !self.has(&beyond),
            [true, false] => true,
            [false, true] => false,
            [false, false] if self.has(&beyond) => false,
            [false, false] if self.has(&before) => true,
            [false, false] => ahead.xy().dot(&before.xy()) < back.xy().dot(&beyond.xy()),
        }
    }

    /// The arc over a sphere on this side, where the line passes through it: in the plane of its ends and the centre, the
    /// long way where its tangents lead to this side, as in OpenSim.
    pub(super) fn wrap_sphere(&self, radius: f64, [from, to]: [&Vec3; 2]) -> Option<Arc> {
        let short = wrap_sphere(radius, from, to)?;
        if self.has(from) && self.has(to) {
            return Some(short);
        }
        let leads_here = |arc: &Arc| {
            let end = arc.end(&Surface::Sphere { radius }).frame.point;
            self.height(&(arc.start - from + end - to)) >= 0.0
        };
        let long = long_way(radius, [from, to], &short).filter(leads_here);
        Some(long.unwrap_or(short))
    }
}

/// The arc of the other sense in the plane of a short one.
fn long_way(radius: f64, [from, to]: [&Vec3; 2], short: &Arc) -> Option<Arc> {
    let normal = -short.start.cross(&short.direction).try_normalize(0.0)?;
    let tangent_angle = |p: &Vec3| (radius / p.norm()).min(1.0).acos();
    let between = from.cross(to).norm().atan2(from.dot(to));
    let first = tangent_angle(from);
    let angle = std::f64::consts::TAU - between - first - tangent_angle(to);
    let radial = from.normalize();
    let ahead = normal.cross(&radial);
    let (sin, cos) = first.sin_cos();
    let (outward, direction) = (radial * cos + ahead * sin, ahead * cos - radial * sin);
    (angle > 0.0).then_some(Arc {
        start: outward * radius,
        direction,
        length: radius * angle,
        end: None,
    })
}
