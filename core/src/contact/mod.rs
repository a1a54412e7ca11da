//! Stand-in until the room is merged.
#![allow(missing_docs)]
use crate::Vec3;
use crate::constraint::Pose;
pub const GROUND: u32 = u32::MAX;
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull;
impl ConvexHull {
    pub fn new(_: &[Vec3]) -> Result<Self, ContactError> {
        Ok(Self)
    }
}
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    HalfSpace,
    Sphere { radius: f64 },
    Capsule { radius: f64, half_length: f64 },
    Cylinder { radius: f64, half_length: f64 },
    Box { half_extents: Vec3 },
    Convex(ConvexHull),
    Points { points: Vec<Vec3>, radius: f64 },
}
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    pub shape: Shape,
    pub frame: u32,
    pub pose: Pose,
}
impl Collider {
    pub const GROUND: u32 = u32::MAX;
}
#[derive(Clone, Debug, PartialEq)]
pub struct PointSet {
    pub rows: Vec<u32>,
    pub radius: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    Collider(u32),
    Points(u32),
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub a: Member,
    pub b: Member,
    pub margin: f64,
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    pub pair: u32,
    pub key: u64,
    pub a: u32,
    pub point_a: Vec3,
    pub point_b: Vec3,
    pub normal: Vec3,
    pub gap: f64,
}
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ContactError(String);
pub struct Detector;
impl Detector {
    pub fn new(_: Vec<Collider>, _: Vec<PointSet>, _: Vec<Pair>) -> Result<Self, ContactError> {
        Ok(Self)
    }
    pub fn detect(&mut self, _: &[Pose], _: &[Vec3], out: &mut Vec<ContactPoint>) {
        out.clear();
    }
    pub fn forget(&mut self) {}
}
