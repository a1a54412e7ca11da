//! Spheres and cylinders that a string passes on the side of a point, or, where that point is inside, through the
//! ring that they are: the side sites of MuJoCo. All in the plane across a cylinder, or of a sphere's centre and
//! both ends.

use std::f64::consts::TAU;

use super::Vec3;
use super::contact::{any_across, tangent_angle};
use super::geodesic::Arc;
use super::surface::{Round, Sided};

/// Two dimensions of a path: axes of its plane, and both ends in polar coordinates.
struct Plane {
    axes: [Vec3; 2],
    ends: [[f64; 2]; 2],
    distances: [f64; 2],
    angles: [f64; 2],
}

/// Tangents to a circle that a path one way round it has.
struct Way {
    /// 1 anticlockwise, -1 clockwise.
    sign: f64,
    /// Angles of the tangent points [rad].
    tangents: [f64; 2],
    /// Angle between them [rad].
    angle: f64,
}

impl Sided {
    /// The arc between two points outside; of no length where the path only touches the ring from inside.
    pub(super) fn wrap(&self, ends: [&Vec3; 2]) -> Option<Arc> {
        let plane = self.plane(ends);
        if self.side.norm() < self.radius {
            let touched = plane.inside(self.radius)?;
            return Some(self.arc(
                &plane,
                ends,
                &Way { sign: 1.0, tangents: [touched; 2], angle: 0.0 },
            ));
        }
        let side = [0, 1].map(|k| self.side.dot(&plane.axes[k]));
        let size = side[0].hypot(side[1]);
        let side = if size > 0.0 { side.map(|x| x / size) } else { [1.0, 0.0] };
        let way = plane.way(self.radius, side)?;
        Some(self.arc(&plane, ends, &way))
    }

    fn plane(&self, [from, to]: [&Vec3; 2]) -> Plane {
        let axes = match self.round {
            Round::Cylinder => [Vec3::x(), Vec3::y()],
            Round::Sphere => {
                let normal = from.cross(to).try_normalize(0.0).unwrap_or_else(|| any_across(from));
                let first = from.normalize();
                [first, normal.cross(&first)]
            }
        };
        let ends = [from, to].map(|p| [p.dot(&axes[0]), p.dot(&axes[1])]);
        let (distances, angles) = (ends.map(|[x, y]| x.hypot(y)), ends.map(|[x, y]| y.atan2(x)));
        Plane { axes, ends, distances, angles }
    }

    fn arc(&self, plane: &Plane, [from, to]: [&Vec3; 2], way: &Way) -> Arc {
        let (sin, cos) = way.tangents[0].sin_cos();
        let [x, y] = plane.axes;
        let around = (y * cos - x * sin) * way.sign;
        let start = (x * cos + y * sin) * self.radius;
        let length = self.radius * way.angle;
        match self.round {
            Round::Sphere => Arc { start, direction: around, length, end: None },
            Round::Cylinder => {
                let straight = |k: usize| {
                    let (sin, cos) = way.tangents[k].sin_cos();
                    let [x, y] = plane.ends[k];
                    (x - self.radius * cos).hypot(y - self.radius * sin)
                };
                let (before, after) = (straight(0), straight(1));
                // Height for a unit of length seen along the axis: the path unrolls to a straight line.
                let slope = (to.z - from.z) / (before + length + after);
                let stretch = 1.0f64.hypot(slope);
                let start = Vec3::new(start.x, start.y, from.z + slope * before);
                let direction = (around + Vec3::z() * slope) / stretch;
                Arc { start, direction, length: length * stretch, end: None }
            }
        }
    }
}

impl Plane {
    /// The point of the line between the ends that is next to the centre [m].
    fn nearest(&self) -> [f64; 2] {
        let [[ax, ay], [bx, by]] = self.ends;
        let (dx, dy) = (bx - ax, by - ay);
        let size = dx * dx + dy * dy;
        let share = if size > 0.0 { (-(dx * ax + dy * ay) / size).clamp(0.0, 1.0) } else { 0.0 };
        [ax + share * dx, ay + share * dy]
    }

    /// The way round the circle on a side; `None` where the line passes there by itself.
    fn way(&self, radius: f64, side: [f64; 2]) -> Option<Way> {
        let [x, y] = self.nearest();
        if x.hypot(y) > radius && !self.is_behind(side) {
            return None;
        }
        let ways = [1.0, -1.0].map(|sign| {
            let [first, last] = self.distances.map(|distance| tangent_angle(radius, distance));
            let tangents = [self.angles[0] + sign * first, self.angles[1] - sign * last];
            let angle = (sign * (tangents[1] - tangents[0])).rem_euclid(TAU);
            Way { sign, tangents, angle }
        });
        let [anticlockwise, clockwise] = ways;
        let suits = |way: &Way| {
            let [a, b] = way.tangents;
            let (x, y) = (a.cos() + b.cos(), a.sin() + b.sin());
            let size = x.hypot(y);
            (x * side[0] + y * side[1]) / if size > 0.0 { size } else { 1.0 }
        };
        let free = [&anticlockwise, &clockwise].map(|way| !self.crosses(way, radius));
        match free {
            [true, true] if suits(&anticlockwise) >= suits(&clockwise) => Some(anticlockwise),
            [_, true] => Some(clockwise),
            [true, false] => Some(anticlockwise),
            [false, false] => None,
        }
    }

    /// True if the line between the ends crosses the ray that points from the centre away from a side.
    fn is_behind(&self, [x, y]: [f64; 2]) -> bool {
        let [[ax, ay], [bx, by]] = self.ends;
        let det = ax * by - ay * bx;
        let shares = [y * bx - x * by, x * ay - y * ax];
        det != 0.0 && shares.iter().all(|share| share * det.signum() >= 0.0)
    }

    /// True if the two tangents of a way cross each other.
    fn crosses(&self, way: &Way, radius: f64) -> bool {
        let touched = way.tangents.map(|angle| [radius * angle.cos(), radius * angle.sin()]);
        let to = |k: usize| [0, 1].map(|i| touched[k][i] - self.ends[k][i]);
        let ([ax, ay], [bx, by]) = (to(0), to(1));
        let det = by * ax - bx * ay;
        if det.abs() < 1e-15 {
            return false;
        }
        let apart = [0, 1].map(|i| self.ends[0][i] - self.ends[1][i]);
        let a = (bx * apart[1] - by * apart[0]) / det;
        let b = (ax * apart[1] - ay * apart[0]) / det;
        (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
    }

    /// Angle of the point where the shortest path through the disc touches its edge [rad]; `None` where the line
    /// passes through. Both straight parts make the same angle with the radius there.
    fn inside(&self, radius: f64) -> Option<f64> {
        let [x, y] = self.nearest();
        if x.hypot(y) <= radius {
            return None;
        }
        let between = (self.angles[1] - self.angles[0] + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
        // Slope of the length by the angle from the first end: it rises from below zero to above it.
        let slope = |angle: f64| {
            let part = |distance: f64, apart: f64| {
                let across = (distance * distance + radius * radius
                    - 2.0 * distance * radius * apart.cos())
                .max(0.0);
                distance * radius * apart.sin() / across.sqrt().max(f64::MIN_POSITIVE)
            };
            part(self.distances[0], angle) - part(self.distances[1], between.abs() - angle)
        };
        let (mut low, mut high) = (0.0, between.abs());
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if slope(middle) < 0.0 { low = middle } else { high = middle }
        }
        Some(self.angles[0] + (0.5 * (low + high)).copysign(between))
    }
}

/// Halvings that bring an angle to its last digit.
const BISECTIONS: usize = 54;
