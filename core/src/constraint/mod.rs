//! Kinematics of joints and point constraints: poses, coordinates, errors, rows of G with their
//! derivatives. Pure functions of poses and velocities; the model tree, the system of rows and its
//! solution are elsewhere. Conventions are ArtiSynth's (Lloyd2012), see docs/reference/joints.md.
//!
//! A joint acts between frame C, fixed on body A, and frame D, fixed on body B or the ground. T_CD
//! is the pose of C seen from D; at zero coordinates C and D coincide (but for the ellipsoid
//! joints). Every kind gives its errors and coordinates as functions of T_CD over a [`Scalar`];
//! rows and stiffness are their exact derivatives, by [`Jet`].

mod all_rows;
mod bending;
mod closed_surface;
mod compliant_row;
mod coordinate;
mod half_way;
mod jet;
mod joint;
mod joint_functions;
mod joint_law;
mod joint_numbers;
mod joint_rows;
mod joint_sample;
mod keyframe_interpolation;
mod kind;
mod kinds;
mod law;
mod law_rows;
mod lids;
mod mirror;
mod path_curve;
mod placed_joint;
mod plane_chain;
mod point;
mod products;
mod reading;
mod relative;
mod row_reader;
mod rows;
mod scalar;
mod slope;
pub mod spatial;
mod stiffness;
#[cfg(test)]
mod tests;
mod unilateral;
mod volume_law;
mod volume_rows;

pub use all_rows::ConstraintRows;
pub(crate) use all_rows::StepOfRows;
pub use closed_surface::{ClosedSurface, SurfaceFault};
pub(crate) use compliant_row::{POSITION_TOLERANCE, RowMotion, RowStep};
pub use coordinate::{
    Compliance, CoordinateKeyframe, CoordinateSettings, CoordinateSpec, Quantity, Range,
};
pub use jet::Jet;
pub use joint::{JointError, JointSettings};
pub use joint_functions::{
    CustomJointError, ErrorFunction, JetFunction, JointFunctions, PoseFunction,
};
pub use joint_law::JointLaw;
pub use joint_numbers::JointNumber;
pub use joint_rows::{JointRows, JointTerm};
pub use keyframe_interpolation::KeyframeInterpolation;
pub(crate) use kind::JointParameters;
pub use kind::{EllipsoidNormal, EllipsoidShape, JointKind, Skew};
pub use law::{ConstraintInput, ConstraintLaw, RowSheet, SlopeError, check_slopes};
pub use law_rows::{LawRows, PlacedLaw, SeenBody};
pub use path_curve::{PathCurve, PathPolynomial};
pub use placed_joint::PlacedJoint;
pub use plane_chain::PlaneChain;
pub use point::{PointConstraint, PointMotion, PointRow};
pub use products::{Placement, ProductRows, Site, SiteBase, lever_stiffness};
pub use reading::CoordinateReading;
pub use relative::RelativePose;
pub use row_reader::RowReader;
pub use rows::{FrameMotion, JointRow, Wrench, calc_relative_pose};
pub use scalar::{SINGULAR, Scalar};
pub use stiffness::StiffnessBlocks;
pub(crate) use unilateral::{OVERLAP_SLACK, RANGE_NEAR, RANGE_TOLERANCE};
pub use unilateral::{UnilateralRows, UnilateralSettings};
pub use volume_law::{Contents, VolumeLaw};
pub use volume_rows::VolumeRows;

/// A pose of one frame in another [m], f64: rotation, then translation.
pub type Pose = nalgebra::Isometry3<f64>;
