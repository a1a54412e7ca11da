//! The solids that colliders can be, and their sizes as properties.

use nalgebra::UnitQuaternion;
use serde::{Deserialize, Serialize};

use crate::Vec3;
use crate::property::{PropertyType, PropertyValue, Put, Refusal, Value};

/// The solid of a collider, in the collider's frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColliderShape {
    /// Everything below the plane z = 0.
    HalfSpace,
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// All points within a distance of a segment along z.
    Capsule {
        /// That distance [m].
        radius: f64,
        /// Half the length of the segment [m].
        half_length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half its length [m].
        half_length: f64,
    },
    /// A box along the axes.
    Box {
        /// Half its edges [m].
        half_extents: Vec3,
    },
    /// The convex hull of the surface of the body.
    Hull,
    /// The vertices of the surface of the body, each a small ball.
    Vertices {
        /// Radius of the balls [m]; may be zero.
        radius: f64,
    },
}

/// Radius, half length and half edges of a shape that was not given them [m].
pub(super) const DEFAULT_SIZE: f64 = 0.01;

const NAMES: [&str; 7] = ["half_space", "sphere", "capsule", "cylinder", "box", "hull", "vertices"];

/// The name of a shape, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeName(pub(super) &'static str);

impl PropertyValue for ShapeName {
    const TYPE: PropertyType = PropertyType::Choice(&NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.word_of(&NAMES).map(Self)
    }
}

impl ShapeName {
    pub(super) fn of(shape: &ColliderShape) -> Self {
        Self(match shape {
            ColliderShape::HalfSpace => "half_space",
            ColliderShape::Sphere { .. } => "sphere",
            ColliderShape::Capsule { .. } => "capsule",
            ColliderShape::Cylinder { .. } => "cylinder",
            ColliderShape::Box { .. } => "box",
            ColliderShape::Hull => "hull",
            ColliderShape::Vertices { .. } => "vertices",
        })
    }

    pub(super) fn put(self, shape: &mut ColliderShape) -> Put {
        if Self::of(shape) == self {
            return Ok(());
        }
        let radius = shape.radius().filter(|&radius| radius > 0.0).unwrap_or(DEFAULT_SIZE);
        let half_length = shape.half_length().unwrap_or(DEFAULT_SIZE);
        *shape = match self.0 {
            "half_space" => ColliderShape::HalfSpace,
            "sphere" => ColliderShape::Sphere { radius },
            "capsule" => ColliderShape::Capsule { radius, half_length },
            "cylinder" => ColliderShape::Cylinder { radius, half_length },
            "box" => ColliderShape::Box { half_extents: Vec3::repeat(DEFAULT_SIZE) },
            "hull" => ColliderShape::Hull,
            _ => ColliderShape::Vertices { radius: 0.0 },
        };
        Ok(())
    }
}

/// Puts a number where there is a place for it.
pub(super) fn put<T>(place: Option<&mut T>, new: T) -> Put {
    *place.ok_or(Refusal::Absent)? = new;
    Ok(())
}

impl ColliderShape {
    pub(super) fn radius(mut self) -> Option<f64> {
        self.radius_mut().copied()
    }

    pub(super) fn radius_mut(&mut self) -> Option<&mut f64> {
        match self {
            Self::Sphere { radius }
            | Self::Capsule { radius, .. }
            | Self::Cylinder { radius, .. }
            | Self::Vertices { radius } => Some(radius),
            Self::HalfSpace | Self::Box { .. } | Self::Hull => None,
        }
    }

    pub(super) fn half_length(mut self) -> Option<f64> {
        self.half_length_mut().copied()
    }

    pub(super) fn half_length_mut(&mut self) -> Option<&mut f64> {
        match self {
            Self::Capsule { half_length, .. } | Self::Cylinder { half_length, .. } => {
                Some(half_length)
            }
            _ => None,
        }
    }

    pub(super) fn half_extents(mut self) -> Option<Vec3> {
        self.half_extents_mut().copied()
    }

    pub(super) fn half_extents_mut(&mut self) -> Option<&mut Vec3> {
        match self {
            Self::Box { half_extents } => Some(half_extents),
            _ => None,
        }
    }

    /// Half the box around it along the axes of the world, turned so [m]; `None` where it has no end, or
    /// is that of a surface.
    pub(crate) fn reach(&self, turn: &UnitQuaternion<f64>) -> Option<Vec3> {
        let turn = turn.to_rotation_matrix().into_inner();
        let along = turn.column(2).abs();
        match *self {
            Self::Sphere { radius } => Some(Vec3::repeat(radius)),
            Self::Capsule { radius, half_length } => {
                Some(along * half_length + Vec3::repeat(radius))
            }
            Self::Cylinder { radius, half_length } => {
                let across = along.map(|a| (1.0 - a * a).max(0.0).sqrt());
                Some(along * half_length + across * radius)
            }
            Self::Box { half_extents } => Some(turn.abs() * half_extents),
            Self::HalfSpace | Self::Hull | Self::Vertices { .. } => None,
        }
    }

    /// Whether it is made of the surface of its body.
    pub(super) fn is_of_surface(&self) -> bool {
        matches!(self, Self::Hull | Self::Vertices { .. })
    }

    /// The same larger by a factor [-].
    pub(super) fn scaled(mut self, scale: f64) -> Self {
        self.radius_mut().into_iter().for_each(|radius| *radius *= scale);
        self.half_length_mut().into_iter().for_each(|half_length| *half_length *= scale);
        self.half_extents_mut().into_iter().for_each(|half_extents| *half_extents *= scale);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_around_a_turned_shape_holds_it_and_is_touched_by_it() {
        let (radius, half_length) = (0.2, 0.5);
        let turn = UnitQuaternion::new(Vec3::new(0.4, 1.0, -0.3));
        // Points of the surfaces, dense enough to come within 1e-3 of the ends.
        let ring = |k: u32| (f64::from(k) * std::f64::consts::TAU / 720.0).sin_cos();
        let corners =
            (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { 0.5 } else { -0.5 }));
        let rim = (0..720).map(ring).flat_map(|(y, x)| {
            [1.0, -1.0].map(|end| Vec3::new(radius * x, radius * y, end * half_length))
        });
        let ball = (0..720 * 360).map(|k| {
            let ((y, x), (s, c)) = (ring(k % 720), ring(k / 720));
            Vec3::new(s * x, s * y, c) * radius + Vec3::z() * (half_length * c.signum())
        });
        let half_extents = Vec3::repeat(0.5);
        for (shape, points) in [
            (ColliderShape::Box { half_extents }, corners.collect::<Vec<_>>()),
            (ColliderShape::Cylinder { radius, half_length }, rim.collect()),
            (ColliderShape::Capsule { radius, half_length }, ball.collect()),
        ] {
            let reach = shape.reach(&turn).unwrap();
            let most = points.iter().fold(Vec3::zeros(), |most, p| most.sup(&(turn * p).abs()));
            let short = reach - most;
            assert!(short.min() > -1e-15 && short.max() < 1e-3, "{shape:?}: {reach} {most}");
        }
        assert_eq!(ColliderShape::HalfSpace.reach(&turn), None);
    }
}
