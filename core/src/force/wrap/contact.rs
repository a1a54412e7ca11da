//! The path over one obstacle between two points, in the frame of the obstacle: closed forms on spheres and cylinders.

use super::geodesic::Arc;
use super::side::{Meeting, Side};
use super::surface::{Surface, Turn};
use super::{Vec3, ellipsoid, torus};

impl Surface {
    /// The arc of the shortest path between two points over this surface; `None` where the straight line is free, and
    /// where a point is inside. `touching` says which ends are those of an arc on the same surface.
    pub(super) fn wrap(&self, [from, to]: [&Vec3; 2], touching: [bool; 2]) -> Option<Arc> {
        if self.contains(from) || self.contains(to) {
            return None;
        }
        match *self {
            Self::Sphere { radius } => wrap_sphere(radius, from, to),
            Self::Sided(it) => it.wrap([from, to]),
            Self::Cylinder { radius, half_length, turn } => {
                wrap_cylinder(radius, turn, [from, to])?.within(half_length)
            }
            Self::Ellipsoid { radii } => ellipsoid::wrap(radii, [from, to], None),
            Self::Sections(it) => it.wrap([from, to], None),
            Self::Torus { ring, tube } => torus::wrap([ring, tube], [from, to], touching),
        }
    }

    /// The same on one side of the surface; of a torus through its hole.
    pub(super) fn wrap_on(&self, side: Side, [from, to]: [&Vec3; 2]) -> Option<Arc> {
        let inside = self.contains(from) || self.contains(to);
        if inside || side.meeting(self, [from, to]) == Meeting::Free {
            return None;
        }
        match *self {
            Self::Sphere { radius } => side.wrap_sphere(radius, [from, to]),
            Self::Cylinder { radius, half_length, .. } => {
                side.wrap_cylinder(radius, [from, to])?.within(half_length)
            }
            Self::Ellipsoid { radii } => ellipsoid::wrap(radii, [from, to], Some(side)),
            Self::Sections(it) => it.wrap([from, to], Some(side)),
            Self::Torus { ring, tube } => torus::wrap_through([ring, tube], [from, to]),
            Self::Sided(it) => it.plain().wrap_on(side, [from, to]),
        }
    }
}

impl Arc {
    /// None where both its ends are beyond those of a cylinder of half a length [m], at one end of it or at two (Seth2018).
    fn within(self, half_length: f64) -> Option<Self> {
        let end = self.start.z + self.length * self.direction.z;
        (self.start.z.abs().min(end.abs()) <= half_length).then_some(self)
    }
}

/// Angle between the directions to a point at distance `d` and to the tangent point of a circle: acos(r / d), without
/// its loss of digits near the circle.
pub(super) fn tangent_angle(radius: f64, distance: f64) -> f64 {
    tangent_length(radius, distance).atan2(radius)
}

fn tangent_length(radius: f64, distance: f64) -> f64 {
    ((distance - radius) * (distance + radius)).max(0.0).sqrt()
}

/// On the circle in the plane of the centre and both points.
pub(super) fn wrap_sphere(radius: f64, from: &Vec3, to: &Vec3) -> Option<Arc> {
    let [p, q] = [from, to].map(Vec3::norm);
    let normal = from.cross(to);
    let between = normal.norm().atan2(from.dot(to));
    let first = tangent_angle(radius, p);
    let angle = between - first - tangent_angle(radius, q);
    if angle <= 0.0 {
        return None;
    }
    // Points and centre in one line have no plane; any is as good.
    let normal = normal.try_normalize(0.0).unwrap_or_else(|| any_across(from));
    let radial = from / p;
    let (sin, cos) = first.sin_cos();
    let ahead = normal.cross(&radial);
    let outward = radial * cos + ahead * sin;
    let direction = ahead * cos - radial * sin;
    Some(Arc { start: outward * radius, direction, length: radius * angle, end: None })
}

pub(super) fn any_across(v: &Vec3) -> Vec3 {
    let axis = if v.x.abs() < 0.6 * v.norm() { Vec3::x() } else { Vec3::y() };
    v.cross(&axis).normalize()
}

/// On the helix that unrolls to a straight line.
pub(super) fn wrap_cylinder(radius: f64, turn: Turn, [from, to]: [&Vec3; 2]) -> Option<Arc> {
    let [p, q] = [from, to].map(|v| v.xy().norm());
    let cross = from.x * to.y - from.y * to.x;
    let ahead = cross.atan2(from.x * to.x + from.y * to.y);
    let sign = match turn {
        Turn::Shortest => 1f64.copysign(ahead),
        Turn::Positive => 1.0,
        Turn::Negative => -1.0,
    };
    let between =
        if sign * ahead < 0.0 { std::f64::consts::TAU + sign * ahead } else { ahead.abs() };
    let first = tangent_angle(radius, p);
    let angle = between - first - tangent_angle(radius, q);
    if angle <= 0.0 {
        return None;
    }
    let [before, after] = [p, q].map(|distance| tangent_length(radius, distance));
    // Height for a unit of length seen along the axis.
    let slope = (to.z - from.z) / (before + radius * angle + after);
    let (sin, cos) = (from.y.atan2(from.x) + sign * first).sin_cos();
    let stretch = 1.0f64.hypot(slope);
    Some(Arc {
        start: Vec3::new(radius * cos, radius * sin, from.z + slope * before),
        direction: Vec3::new(-sign * sin, sign * cos, slope) / stretch,
        length: radius * angle * stretch,
        end: None,
    })
}
