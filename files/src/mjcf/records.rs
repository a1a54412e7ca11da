//! Contents of a document before there is a model of it: bodies, joints, geoms, sites.

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::dynamics::SpatialInertia;
use sinew::model::JointCoordinate;

use super::view::View;
use sinew::constraint::spatial::FrameVelocity;

/// Kind of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointType {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl JointType {
    /// Numbers in `qpos` and in `qvel`.
    pub(super) fn counts(self) -> [usize; 2] {
        match self {
            Self::Hinge | Self::Slide => [1, 1],
            Self::Ball => [4, 3],
            Self::Free => [7, 6],
        }
    }

    /// True for one with a coordinate.
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Self::Hinge | Self::Slide)
    }
}

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct Joint<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) kind: JointType,
    /// Anchor and axis of length 1 in the frame of the body.
    pub(super) anchor: Vec3,
    pub(super) axis: Vec3,
    /// Kept range [m or rad].
    pub(super) range: Option<[f64; 2]>,
    /// Coordinate in the pose of the file [m or rad].
    pub(super) reference: f64,
    pub(super) spring: Spring,
    /// Coordinate [m or rad] and its rate at the start.
    pub(super) value: f64,
    pub(super) rate: f64,
    /// Rotation of a ball at the start, and its angular velocity in axes of the body [rad/s].
    pub(super) turn: UnitQuaternion<f64>,
    pub(super) angular_velocity: Vec3,
    /// First numbers in `qpos` and `qvel`.
    pub(super) places: [usize; 2],
    /// Coordinate of the model.
    pub(super) coordinate: Option<JointCoordinate>,
}

/// Passive forces of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spring {
    /// [N/m or N m/rad]
    pub(super) stiffness: f64,
    /// Coordinate without force [m or rad].
    pub(super) rest: f64,
    /// [N s/m or N m s/rad]
    pub(super) damping: f64,
    /// [kg or kg m²]
    pub(super) armature: f64,
}

/// A body; the first is the world.
#[derive(Clone, Debug)]
pub(super) struct Body<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) parent: usize,
    /// In its parent at the reference coordinates [m].
    pub(super) pose: Pose,
    /// Given or of geoms; `None` without mass.
    pub(super) inertia: Option<SpatialInertia>,
    pub(super) joints: Vec<Joint<'d>>,
    pub(super) geoms: Vec<usize>,
    /// Body that it is one with: the first above it that moves against its parent; 0 is the world.
    pub(super) welded: usize,
    /// Pose and velocity of its origin at the start, in the world.
    pub(super) placed: Pose,
    pub(super) motion: FrameVelocity,
}

/// Solid of a geom with its sizes [m].
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Solid {
    Plane,
    Sphere(f64),
    /// Radius, and half the length.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    /// Half axes.
    Ellipsoid(Vec3),
    /// Half edges.
    Box(Vec3),
    /// Name of the asset.
    Mesh(String),
    /// A kind that has no solid here.
    Other(String),
}

/// A geom.
#[derive(Clone, Debug)]
pub(super) struct Geom<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) body: usize,
    pub(super) solid: Solid,
    /// In its body [m].
    pub(super) pose: Pose,
    pub(super) group: f64,
    /// Bits of what it touches with, and of what it is touched by.
    pub(super) bits: [u32; 2],
    pub(super) friction: f64,
    pub(super) dimensions: f64,
    pub(super) priority: f64,
}

/// A site.
#[derive(Clone, Debug)]
pub(super) struct Site<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) body: usize,
    /// In its body [m].
    pub(super) pose: Pose,
}
