//! Motions of joints as data: turns about three axes and ways along three axes, each a function of coordinates, and
//! the functions of poses that follow from them (docs/reference/joints.md).

mod angles;
mod chart;
mod error;
mod function;
mod inverse;
mod joint_motion;
mod motion_law;
mod natural_spline;
mod rotations;
mod spline;
mod text;
mod transform;

pub use error::{FunctionError, MotionError};
pub use function::Function;
pub use joint_motion::JointMotion;
pub use motion_law::{MotionLaw, MotionVariable};
pub use natural_spline::NaturalSpline;
pub use spline::Spline;
pub use transform::{FrameVelocity, SpatialAxis, SpatialTransform, turn};
