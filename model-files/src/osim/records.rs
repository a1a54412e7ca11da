//! Contents of a document, before there is a model of it: bodies, frames, joints, coordinates, couplers.

use std::collections::BTreeMap;

use sinew::component::Handle;
use sinew::constraint::spatial::{FrameVelocity, Function, SpatialTransform};
use sinew::constraint::{EllipsoidShape, JointKind, Pose};
use sinew::model::{Collider, JointCoordinate, WrapSurface};
use sinew::{Mat3, Vec3};

use super::xml::Element;
use crate::built_in::{BuiltIn, built_in};
use crate::tree::Span;

/// A body of the file.
#[derive(Clone, Debug)]
pub(super) struct Body<'d> {
    pub(super) name: String,
    pub(super) at: &'d Element,
    /// Mass [kg]; zero for a body that is part of another.
    pub(super) mass: f64,
    /// In its frame [m].
    pub(super) centre: Vec3,
    /// About the centre of mass [kg m²].
    pub(super) rotational: Mat3,
    /// Place at the start: none before it is known.
    pub(super) placed: Option<Placed>,
    /// The frame of a body without mass that is welded to another, in that.
    pub(super) part_of: Option<Frame>,
}

/// Pose and velocity of a body at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Body to world [m].
    pub(super) pose: Pose,
    /// Of its origin, world axes.
    pub(super) motion: FrameVelocity,
    /// True if welds alone are between it and the ground.
    pub(super) fixed: bool,
}

/// Base that a frame is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    /// The ground.
    Ground,
    /// The body of that number.
    Body(usize),
}

/// A frame on a body or the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) base: Base,
    /// In its base [m].
    pub(super) pose: Pose,
}

impl Frame {
    /// The frame of a base itself.
    pub(super) fn of(base: Base) -> Self {
        Self { base, pose: Pose::identity() }
    }

    /// A frame that is at a pose in this one.
    pub(super) fn with(&self, pose: &Pose) -> Self {
        Self { base: self.base, pose: self.pose * pose }
    }
}

/// Frames by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames<'d> {
    /// Numbers of bodies.
    pub(super) bodies: BTreeMap<String, usize>,
    /// Frames with an offset, by the element that they stand in, and by name alone.
    pub(super) offsets: BTreeMap<(String, String), &'d Element>,
}

/// A coordinate.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    pub(super) name: String,
    pub(super) span: Span,
    /// At the start [m or rad].
    pub(super) value: f64,
    /// Rate at the start [m/s or rad/s].
    pub(super) rate: f64,
    pub(super) range: Option<[f64; 2]>,
    pub(super) locked: bool,
}

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct JointRecord<'d> {
    pub(super) name: String,
    pub(super) at: &'d Element,
    /// Frame that the motion is seen from, and the one that moves.
    pub(super) d: Frame,
    pub(super) c: Frame,
    /// True if D is the child's.
    pub(super) reversed: bool,
    /// Turns and ways; of a joint on an ellipsoid its turns alone.
    pub(super) transform: SpatialTransform,
    /// The surface that the origin of C slides on.
    pub(super) ellipsoid: Option<EllipsoidShape>,
    pub(super) coordinates: Vec<Coordinate>,
}

impl JointRecord<'_> {
    /// True if nothing moves.
    pub(super) fn is_weld(&self) -> bool {
        self.coordinates.is_empty()
    }

    pub(super) fn parent(&self) -> &Frame {
        if self.reversed { &self.c } else { &self.d }
    }

    pub(super) fn child(&self) -> &Frame {
        if self.reversed { &self.d } else { &self.c }
    }

    /// The built-in kind that it is, if it is one.
    pub(super) fn built_in(&self) -> Option<BuiltIn> {
        let here = Pose::identity();
        match self.ellipsoid {
            Some(shape) => {
                let kind = JointKind::Ellipsoid3d(shape);
                Some(BuiltIn { kind, in_d: here, in_c: here })
            }
            None => built_in(&self.transform, self.coordinates.len()),
        }
    }

    /// Pose of C in D at the start.
    pub(super) fn pose(&self) -> Pose {
        let q = self.values();
        match self.ellipsoid {
            Some(shape) => JointKind::Ellipsoid3d(shape).pose(&q),
            None => self.transform.pose(&q),
        }
    }

    /// Velocity of C at the start, seen from D.
    pub(super) fn motion(&self) -> FrameVelocity {
        let (q, rates) = (self.values(), self.rates());
        let motion = self.transform.motion(&q, &rates);
        let Some(EllipsoidShape { semi_axes: [a, b, c], .. }) = self.ellipsoid else {
            return motion;
        };
        let ([s1, c1], [s2, c2]) = ([q[0].sin(), q[0].cos()], [q[1].sin(), q[1].cos()]);
        let [u, v] = [rates[0], rates[1]];
        let velocity = Vec3::new(
            a * c2 * v,
            b * (s1 * s2 * v - c1 * c2 * u),
            -c * (s1 * c2 * u + c1 * s2 * v),
        );
        FrameVelocity { velocity, ..motion }
    }

    pub(super) fn values(&self) -> Vec<f64> {
        self.coordinates.iter().map(|it| it.value).collect()
    }

    pub(super) fn rates(&self) -> Vec<f64> {
        self.coordinates.iter().map(|it| it.rate).collect()
    }
}

/// A coordinate that follows others.
#[derive(Clone, Debug)]
pub(super) struct Coupler {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) dependent: String,
    pub(super) of: Vec<String>,
    pub(super) function: Function,
    pub(super) factor: f64,
}

impl Coupler {
    /// Coefficients of 1, x, x², ... for each of its coordinates, the first with the constant.
    pub(super) fn polynomials(&self) -> Option<Vec<Vec<f64>>> {
        if let [_] = self.of[..] {
            return Some(vec![self.function.coefficients()?]);
        }
        let Function::Linear(factors, constant) = &self.function else { return None };
        let one = |(k, factor): (usize, &f64)| vec![if k == 0 { *constant } else { 0.0 }, *factor];
        Some(factors.iter().enumerate().map(one).collect())
    }
}

/// Coordinates of the model by their names in the file.
pub(super) type Coordinates = BTreeMap<String, JointCoordinate>;

/// Surfaces by the names of wrap objects.
pub(super) type Surfaces = BTreeMap<String, Handle<WrapSurface>>;

/// Colliders by the names of contact geometries.
pub(super) type Colliders = BTreeMap<String, Handle<Collider>>;
