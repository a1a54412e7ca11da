//! Contact of a system: shapes on bodies and sets of points, the pairs of them that are looked at,
//! and a behaviour for each pair. Their points of contact are found by `contact`.

use std::collections::BTreeMap;

use crate::contact::{Collider, ContactLaw, Pair, PointAreas, PointSet, PressureSurface, Surface};

/// Behaviour of a pair where it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBehavior {
    /// Friction, rebound and compliance.
    pub law: ContactLaw,
    /// Overlap that is left as it is [m].
    pub tolerance: f64,
    /// Overlap at which a step is made in parts [m].
    pub limit: f64,
}

/// Everything that may touch. The frame of a collider is the number of its body.
#[derive(Clone, Debug, Default)]
pub struct ContactSetup {
    /// Shapes.
    pub colliders: Vec<Collider>,
    /// Sets of points.
    pub points: Vec<PointSet>,
    /// Surfaces of tissues that touch surfaces.
    pub surfaces: Vec<Surface>,
    /// Pairs that are looked at.
    pub pairs: Vec<Pair>,
    /// Behaviour of each pair.
    pub behaviors: Vec<ContactBehavior>,
    /// Paths of both members of each pair, for messages.
    pub names: Vec<[String; 2]>,
    /// Places of the tissues of both members of each pair; `None` for other members.
    pub tissues: Vec<[Option<u32>; 2]>,
    /// Surfaces of the tissues that touch anything, by their places: pressures are spread over them.
    pub pressure_surfaces: BTreeMap<u32, PressureSurface>,
    /// Areas of the clouds of vertices that elastic foundations act on, by the numbers of their colliders.
    pub point_areas: BTreeMap<u32, PointAreas>,
}
