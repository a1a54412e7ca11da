//! Sides of surfaces: paths that go round one half of a surface only, whichever way is shorter (Delp1995, SIMM;
//! Seth2018). A line that passes an endless surface on its other side is brought back round it.

use super::Vec3;
use super::surface::Surface;

/// The half of a surface where a coordinate of its frame has a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    /// Number of the coordinate: 0, 1, 2 for x, y, z.
    pub(crate) axis: usize,
    /// True for the half where it is negative.
    pub(crate) negative: bool,
}

/// Meeting of a straight line with a surface that has a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meeting {
    /// It is free.
    Free,
    /// It passes through the surface.
    Through,
    /// It passes on the other side.
    Behind,
}

impl Side {
    /// Coordinate [m] of a point, positive on this side.
    pub(super) fn height(&self, p: &Vec3) -> f64 {
        if self.negative { -p[self.axis] } else { p[self.axis] }
    }

    /// True if a point is on this side; ends of strings on its border count as on the positive half.
    pub(super) fn has(&self, p: &Vec3) -> bool {
        (p[self.axis] < 0.0) == self.negative
    }

    /// The meeting of the line between two points outside with a surface.
    pub(super) fn meeting(&self, surface: &Surface, [from, to]: [&Vec3; 2]) -> Meeting {
        let through = |near: &Nearest, inside: bool| inside && near.at > 0.0 && near.at < 1.0;
        match *surface {
            Surface::Cylinder { radius, .. } => {
                let near = Nearest::to_axis(from, to);
                if through(&near, near.point.xy().norm() < radius) {
                    return Meeting::Through;
                }
                let sides = [from, to].map(|p| self.has(p));
                match sides {
                    [false, false] => Meeting::Behind,
                    [true, true] => Meeting::Free,
                    _ if self.has(&near.point) => Meeting::Free,
                    _ => Meeting::Behind,
                }
            }
            Surface::Sphere { radius } => {
                let near = Nearest::to_center(from, to);
                let inside = through(&near, near.point.norm() < radius);
                if inside { Meeting::Through } else { Meeting::Free }
            }
            Surface::Ellipsoid { radii } => {
                let scaled = [from, to].map(|p| p.component_div(&radii));
                let near = Nearest::to_center(&scaled[0], &scaled[1]);
                let inside = through(&near, near.point.norm() < 1.0);
                if inside { Meeting::Through } else { Meeting::Free }
            }
            // Paths go through the hole of a ring.
            Surface::Torus { .. } => Meeting::Through,
            Surface::Sided(it) => self.meeting(&it.plain(), [from, to]),
            Surface::Sections(it) => self.meeting(&it.plain(), [from, to]),
        }
    }
}

/// The point of a line nearest to an axis or a centre.
struct Nearest {
    /// Share of the way from the first point to the second.
    at: f64,
    point: Vec3,
}

impl Nearest {
    /// To the z axis.
    fn to_axis(from: &Vec3, to: &Vec3) -> Self {
        let (start, along) = (from.xy(), (to - from).xy());
        Self::at(from, to, -start.dot(&along) / along.norm_squared())
    }

    fn to_center(from: &Vec3, to: &Vec3) -> Self {
        let along = to - from;
        Self::at(from, to, -from.dot(&along) / along.norm_squared())
    }

    fn at(from: &Vec3, to: &Vec3, at: f64) -> Self {
        let at = if at.is_finite() { at } else { 0.0 };
        Self { at, point: from + (to - from) * at }
    }
}

impl Surface {
    /// Share of the way between two points, in the frame of the surface, where the line is nearest to its middle.
    pub(super) fn nearest(&self, [from, to]: [&Vec3; 2]) -> f64 {
        match *self {
            Self::Cylinder { .. } => Nearest::to_axis(from, to).at,
            Self::Sided(it) => it.plain().nearest([from, to]),
            Self::Sections(it) => it.plain().nearest([from, to]),
            Self::Sphere { .. } | Self::Torus { .. } => Nearest::to_center(from, to).at,
            Self::Ellipsoid { radii } => {
                let scaled = [from, to].map(|p| p.component_div(&radii));
                Nearest::to_center(&scaled[0], &scaled[1]).at
            }
        }
    }
}
