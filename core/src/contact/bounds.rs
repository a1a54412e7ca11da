//! Axis-aligned boxes around shapes and point sets.

use crate::{Mat3, Vec3};

/// A box along the axes of some frame. Without limits for a half-space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Bounds {
    /// Around points, or what contains nothing if there are none.
    pub(super) fn around(points: impl Iterator<Item = Vec3>) -> Self {
        let empty =
            Bounds { low: Vec3::repeat(f64::INFINITY), high: Vec3::repeat(f64::NEG_INFINITY) };
        points
            .fold(empty, |bounds, p| Bounds { low: bounds.low.inf(&p), high: bounds.high.sup(&p) })
    }

    /// With a border all around [m].
    pub(super) fn grown(mut self, border: f64) -> Self {
        self.low.add_scalar_mut(-border);
        self.high.add_scalar_mut(border);
        self
    }

    fn half(&self) -> Vec3 {
        (self.high - self.low) / 2.0
    }

    /// The middle [m].
    pub(super) fn middle(&self) -> Vec3 {
        (self.high + self.low) / 2.0
    }

    /// Half of the diagonal [m].
    pub(super) fn radius(&self) -> f64 {
        self.half().norm()
    }

    /// Around the box after a rotation and a shift.
    pub(super) fn placed(&self, turn: &Mat3, shift: &Vec3) -> Self {
        let (middle, half) = (turn * self.middle() + shift, turn.abs() * self.half());
        Bounds { low: middle - half, high: middle + half }
    }

    /// True if two boxes are within `margin` [m] of each other along every axis; false for what is
    /// not finite.
    pub(super) fn near(&self, other: &Bounds, margin: f64) -> bool {
        (0..3)
            .all(|k| self.low[k] <= other.high[k] + margin && other.low[k] <= self.high[k] + margin)
    }

    /// True if a point is within `margin` [m] of the box along every axis.
    pub(super) fn near_point(&self, p: &Vec3, margin: f64) -> bool {
        (0..3).all(|k| p[k] >= self.low[k] - margin && p[k] <= self.high[k] + margin)
    }
}
