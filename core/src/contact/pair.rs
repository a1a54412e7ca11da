//! Input of a detector beside shapes: colliders on frames, sets of free points, pairs; and the
//! contacts of these.

use super::{Shape, Surface};
use crate::Vec3;
use crate::constraint::Pose;

/// Nearer to an end of an edge, or to a corner of a face, than this share of it, the vertex there tells.
pub(super) const END: f64 = 1e-6;

/// A shape on a moving frame or on the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// Its shape.
    pub shape: Shape,
    /// Index of the frame that carries it, [`Collider::GROUND`] for none.
    pub frame: u32,
    /// Pose of the shape in that frame, in the world for the ground.
    pub pose: Pose,
}

impl Collider {
    /// The frame of colliders that do not move.
    pub const GROUND: u32 = u32::MAX;
}

/// Free points, each a ball: particles, nodes on the surface of a tissue.
#[derive(Debug, Clone, PartialEq)]
pub struct PointSet {
    /// Rows of the array of positions.
    pub rows: Vec<u32>,
    /// Radius of each point [m]; may be zero.
    pub radius: f64,
    /// Surface between the points: corners and edges of colliders touch it where points leave them through. May be empty.
    pub surface: Surface,
}

impl PointSet {
    /// Points of a radius [m] without a surface.
    pub fn new(rows: Vec<u32>, radius: f64) -> Self {
        Self { rows, radius, surface: Surface::default() }
    }
}

/// One side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    /// Index of a collider.
    Collider(u32),
    /// Index of a point set.
    Points(u32),
    /// Index of the surface of a tissue; twice the same is one that touches itself.
    Surface(u32),
}

/// Two members that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Member that is pushed along the normal.
    pub a: Member,
    /// Member that is pushed against the normal.
    pub b: Member,
    /// Gaps up to this are reported [m].
    pub margin: f64,
    /// Distance at which two surfaces of tissues touch [m]: half of it belongs to each. They never come nearer than
    /// an eighth of it. Other members touch at none; of those with the surface of a point set it is twice the overlap that is
    /// left as it is.
    pub thickness: f64,
}

/// Settings of the search for contacts of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct PairSearch {
    /// True if `Detector::crossing` is asked about it after the motion. Where ends are known, it has no contacts beyond its
    /// margin but of what meets on these ways.
    pub is_guarded: bool,
    /// True if a point or a ball between faces of a mesh has a contact with each of them, not with the nearest alone.
    pub is_between: bool,
    /// True if normals and distances of meshes and of surfaces of tissues are those of smooth surfaces through their corners.
    pub is_smooth: bool,
    /// Most contacts of two colliders of which one at least is a mesh; `None` for all that are found.
    pub most: Option<usize>,
}

/// A contact: two points, one of each member, that touch or nearly do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// Index of the pair.
    pub pair: u32,
    /// Key of the touching features, the same in the next call, whichever of the members is A.
    /// Unique within a pair.
    pub key: u64,
    /// Index into [`PointSet::rows`] where a point of a set touches, else `u32::MAX`.
    pub a: u32,
    /// On the surface of A, in the world [m].
    pub point_a: Vec3,
    /// On the surface of B, in the world [m].
    pub point_b: Vec3,
    /// Unit vector from B into A in the world: A is pushed along it.
    pub normal: Vec3,
    /// (point_a - point_b) . normal [m]; negative where the members overlap.
    pub gap: f64,
    /// The points of surfaces that it is of; `None` for other members.
    pub stencil: Option<Stencil>,
}

/// The points of a contact of surfaces. Of two: a vertex and the corners of a face, or the ends of two edges; of one and a
/// collider: the corners of a face or the ends of an edge, then others of no weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stencil {
    /// Rows of the array of positions.
    pub rows: [u32; 4],
    /// Their weights, which add up to 1 over the points of A and to -1 over those of B [-]: the sum of weights
    /// times velocities is the velocity of A against B, but for the part of a collider.
    pub weights: [f64; 4],
}

impl Stencil {
    /// Rows of the vertices of A and of B that touch: one where a vertex is over a face, both where it is over a vertex,
    /// none where edges are across each other.
    pub fn vertices(&self) -> [Option<u32>; 2] {
        [1.0, -1.0].map(|sign| {
            let place = self.weights.iter().position(|weight| weight * sign > 1.0 - END);
            place.map(|place| self.rows[place])
        })
    }
}
