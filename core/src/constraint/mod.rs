//! Kinematics of joints and point constraints: poses, coordinates, errors, rows of G with their
//! derivatives. Pure functions of poses and velocities; the model tree, the system of rows and its
//! solution are elsewhere. Conventions are ArtiSynth's (Lloyd2012), see docs/joints.md.
//!
//! A joint acts between frame C, fixed on body A, and frame D, fixed on body B or the ground. T_CD
//! is the pose of C seen from D; at zero coordinates C and D coincide (but for the ellipsoid
//! joints). Every kind gives its errors and coordinates as functions of T_CD over a [`Scalar`];
//! rows and stiffness are their exact derivatives, by [`Jet`].

mod coordinate;
mod custom;
mod jet;
mod joint;
mod kind;
mod kinds;
mod point;
mod products;
mod relative;
mod rows;
mod scalar;
mod stiffness;
mod unilateral;
#[cfg(test)]
mod tests;

pub use coordinate::{CoordinateSettings, CoordinateSpec, Quantity, Range, Softness};
pub use custom::{CustomJoint, CustomJointError, JetFunction, PoseFunction};
pub use jet::Jet;
pub use joint::{JointError, JointSettings};
pub use kind::{EllipsoidNormal, EllipsoidShape, JointKind, Skew};
pub use point::{PointConstraint, PointMotion, PointRow};
pub use products::{Carrier, Placement, ProductRows, Site, lever_stiffness};
pub use relative::RelativePose;
pub use rows::{FrameMotion, JointRow, Wrench, calc_relative_pose};
pub use scalar::{SINGULAR, Scalar};
pub use stiffness::StiffnessBlocks;
pub use unilateral::{UnilateralRows, UnilateralSettings};

/// A pose of one frame in another [m], f64: rotation, then translation.
pub type Pose = nalgebra::Isometry3<f64>;
