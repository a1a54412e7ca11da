//! What a caller lists: shapes, the colliders that carry them, sets of free points, pairs.

use super::{ContactError, ConvexHull};
use crate::Vec3;
use crate::constraint::Pose;

/// A solid that can be touched, in a frame of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Everything at z <= 0.
    HalfSpace,
    /// A ball about the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// All within the radius of a segment along z, centred on the origin.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half the length of the segment [m].
        half_length: f64,
    },
    /// A cylinder along z with flat ends, centred on the origin.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half the distance of the ends [m].
        half_length: f64,
    },
    /// A box along the axes, centred on the origin.
    Box {
        /// Half the lengths of the edges [m].
        half_extents: Vec3,
    },
    /// The convex hull of points.
    Convex(ConvexHull),
    /// Points that move as one, each a ball: the vertices of a mesh.
    Points {
        /// Centres [m].
        points: Vec<Vec3>,
        /// Radius of each [m]; may be zero.
        radius: f64,
    },
}

impl Shape {
    /// Distance of its furthest point from its origin [m]; zero for a half-space, which has none.
    pub fn radius(&self) -> f64 {
        let furthest = |points: &[Vec3]| points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        match self {
            Self::HalfSpace => 0.0,
            Self::Sphere { radius } => *radius,
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Box { half_extents } => half_extents.norm(),
            Self::Convex(hull) => furthest(hull.corners()),
            Self::Points { points, radius } => furthest(points) + radius,
        }
    }

    /// The name of its kind, as errors give it.
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::HalfSpace => "half-space",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Box { .. } => "box",
            Shape::Convex(_) => "convex hull",
            Shape::Points { .. } => "cloud of points",
        }
    }

    /// Which of a pair comes first in the narrow phase: clouds before solids, half-spaces last.
    pub(super) fn rank(&self) -> u32 {
        match self {
            Shape::Points { .. } => 0,
            Shape::Sphere { .. } => 1,
            Shape::Capsule { .. } => 2,
            Shape::Cylinder { .. } => 3,
            Shape::Box { .. } => 4,
            Shape::Convex(_) => 5,
            Shape::HalfSpace => 6,
        }
    }

    /// What all its points are inflated by [m]: the radius of spheres, capsules and clouds.
    pub(super) fn roundness(&self) -> f64 {
        match *self {
            Shape::Sphere { radius }
            | Shape::Capsule { radius, .. }
            | Shape::Points { radius, .. } => radius,
            _ => 0.0,
        }
    }

    /// Refuses sizes that are not positive and finite.
    pub(super) fn check(&self, collider: usize) -> Result<(), ContactError> {
        let kind = self.kind();
        let size = |what, value: f64| {
            let fits = value > 0.0 && value.is_finite();
            fits.then_some(()).ok_or(ContactError::Size { collider, kind, what, value })
        };
        match self {
            Shape::HalfSpace | Shape::Convex(_) => Ok(()),
            Shape::Sphere { radius } => size("radius", *radius),
            Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
                size("radius", *radius).and(size("half length", *half_length))
            }
            Shape::Box { half_extents } => {
                half_extents.iter().try_for_each(|half| size("half extent", *half))
            }
            Shape::Points { points, radius } => check_cloud(points, *radius, collider, kind),
        }
    }
}

fn check_cloud(
    points: &[Vec3],
    radius: f64,
    collider: usize,
    kind: &'static str,
) -> Result<(), ContactError> {
    if points.is_empty() {
        return Err(ContactError::NoPoints { what: "collider", index: collider });
    }
    if let Some(point) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(ContactError::PointNotFinite { collider, point });
    }
    if !(radius >= 0.0 && radius.is_finite()) {
        return Err(ContactError::Size { collider, kind, what: "radius", value: radius });
    }
    Ok(())
}

/// A shape on a moving frame or on the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// What can be touched.
    pub shape: Shape,
    /// Index of the frame that carries it, [`Collider::GROUND`] for none.
    pub frame: u32,
    /// Pose of the shape in that frame, in the world for the ground.
    pub pose: Pose,
}

impl Collider {
    /// The frame of what does not move.
    pub const GROUND: u32 = u32::MAX;
}

/// Free points, each a ball: particles, nodes on the surface of a tissue.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSet {
    /// Rows of the array of positions.
    pub rows: Vec<u32>,
    /// Radius of each point [m]; may be zero.
    pub radius: f64,
}

/// One side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    /// Index of a collider.
    Collider(u32),
    /// Index of a point set.
    Points(u32),
}

/// Two members that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Who is pushed along the normal.
    pub a: Member,
    /// Who is pushed against it.
    pub b: Member,
    /// Gaps up to this are reported [m].
    pub margin: f64,
}

/// Where two members touch, or nearly do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// Index of the pair.
    pub pair: u32,
    /// What touches: the same features have the same key in the next call, whichever of the
    /// members is A. Unique within a pair.
    pub key: u64,
    /// Index into [`PointSet::rows`] where a member of the pair is a point set, else `u32::MAX`.
    pub a: u32,
    /// On the surface of A, in the world [m].
    pub point_a: Vec3,
    /// On the surface of B, in the world [m].
    pub point_b: Vec3,
    /// Unit vector from B into A in the world: A is pushed along it.
    pub normal: Vec3,
    /// (point_a - point_b) . normal [m]; negative where the members overlap.
    pub gap: f64,
}
