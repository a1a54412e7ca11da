//! Farthest points along a direction, of polytopes and of cylinders.

use super::polytope::Solid;
use crate::Vec3;

/// A cylinder in some frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disk {
    pub(super) center: Vec3,
    /// Its x, y and z: the last is the axis.
    pub(super) axes: [Vec3; 3],
    pub(super) radius: f64,
    pub(super) half_length: f64,
}

impl Disk {
    /// Centre of an end, 0 below or 1 above.
    fn end_center(&self, end: u32) -> Vec3 {
        self.center + self.axes[2] * (self.half_length * [-1.0, 1.0][end as usize])
    }

    /// Point k of n around the rim of an end, fixed on the cylinder.
    pub(super) fn rim(&self, end: u32, k: u32, n: u32) -> Vec3 {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(n)).sin_cos();
        self.end_center(end) + (self.axes[0] * cos + self.axes[1] * sin) * self.radius
    }

    /// The farthest point of the rim of an end; along the axis, its first.
    pub(super) fn end_support(&self, end: u32, direction: &Vec3) -> Vec3 {
        let [x, y] = [self.axes[0].dot(direction), self.axes[1].dot(direction)];
        let length = x.hypot(y);
        let radial = if length > 0.0 {
            (self.axes[0] * x + self.axes[1] * y) / length
        } else {
            self.axes[0]
        };
        self.end_center(end) + radial * self.radius
    }
}

/// A convex solid without its rounding.
#[derive(Debug, Clone, Copy)]
pub(super) enum Core<'a> {
    /// Flat faces, or a segment.
    Flat(Solid<'a>),
    /// A cylinder.
    Disk(Disk),
}

impl Core<'_> {
    /// The farthest point along a direction.
    pub(super) fn support(&self, direction: &Vec3) -> Vec3 {
        match self {
            Core::Flat(solid) => solid.support(direction),
            Core::Disk(disk) => {
                disk.end_support(u32::from(disk.axes[2].dot(direction) >= 0.0), direction)
            }
        }
    }
}

/// The width of the slab between two solids across a unit normal from B into A [m]: its greatest
/// value over all normals is their distance, or minus the depth of their overlap (Ericson2005, 9.3).
pub(super) fn separation(a: &Core<'_>, b: &Core<'_>, normal: &Vec3) -> f64 {
    (a.support(&-normal) - b.support(normal)).dot(normal)
}
