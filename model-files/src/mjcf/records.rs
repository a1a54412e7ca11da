//! Contents of a document before there is a model of it: bodies, joints, geoms, sites, tendons, actuators.

use std::collections::BTreeMap;

use nalgebra::UnitQuaternion;
use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::Pose;
use sinew::constraint::spatial::FrameVelocity;
use sinew::dynamics::SpatialInertia;
use sinew::geometry::SurfaceMesh;
use sinew::model::{FrameMarker, JointCoordinate, WrapSurface, Wrapped};

use super::view::View;
use crate::diagnostic::Diagnostic;
use crate::tree::Span;

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

/// A joint that follows another, or stays.
#[derive(Clone, Debug)]
pub(super) struct Dependent {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) dependent: String,
    pub(super) by: Option<String>,
    /// Coefficients of 1, x, x², ... of the other coordinate x, for that of the dependent joint.
    pub(super) polynomial: Vec<f64>,
}

/// Path of a tendon through sites.
#[derive(Clone, Debug)]
pub(super) struct SpatialTendon<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) points: Vec<Handle<FrameMarker>>,
    pub(super) wraps: Vec<Wrapped>,
}

/// A sum of coordinates.
#[derive(Clone, Debug)]
pub(super) struct FixedTendon<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    /// Joints and their factors.
    pub(super) terms: Vec<(String, f64)>,
}

/// Tendons of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Tendons<'d> {
    pub(super) spatial: Vec<SpatialTendon<'d>>,
    pub(super) fixed: Vec<FixedTendon<'d>>,
    /// Names of those that are left out.
    pub(super) left_out: Vec<String>,
}

/// Surfaces by the numbers of geom and side site.
pub(super) type Surfaces = BTreeMap<(usize, Option<usize>), Handle<WrapSurface>>;

/// Transmission of an actuator.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Transmission {
    Joint(String),
    Tendon(String),
}

/// Laws of gain, bias and dynamics, by the words of the file.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub(super) gain: String,
    pub(super) bias: String,
    pub(super) dynamics: String,
    pub(super) gain_numbers: [f64; 10],
    pub(super) bias_numbers: [f64; 10],
    pub(super) dynamics_numbers: [f64; 10],
}

/// An actuator.
#[derive(Clone, Debug)]
pub(super) struct Actuator<'d> {
    pub(super) name: String,
    pub(super) view: View<'d>,
    pub(super) transmission: Transmission,
    pub(super) gear: f64,
    pub(super) law: Law,
    /// Range that its control is kept in.
    pub(super) control: Option<[f64; 2]>,
    /// Range of its length [m].
    pub(super) lengths: Option<[f64; 2]>,
}

impl Default for Law {
    fn default() -> Self {
        let mut one = [0.0; 10];
        one[0] = 1.0;
        let word = |word: &str| word.to_owned();
        Self {
            gain: word("fixed"),
            bias: word("none"),
            dynamics: word("none"),
            gain_numbers: one,
            bias_numbers: [0.0; 10],
            dynamics_numbers: one,
        }
    }
}

/// Meshes by name: their elements, and those that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct Meshes<'d> {
    pub(super) assets: BTreeMap<String, View<'d>>,
    pub(super) read: BTreeMap<String, Result<SurfaceMesh, Diagnostic>>,
}
