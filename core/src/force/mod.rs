//! Force effectors: batches of one kind of force that add themselves to the right side and to the
//! matrix of a step. Tissues are effectors too; they live in `fem/`.

mod actuators;
mod conditions;
mod coordinate_springs;
mod custom;
mod drives;
mod effector;
mod excited;
mod frame_springs;
mod inertial_drag;
mod lines;
mod loads;
mod pull;
mod springs;
mod surface_loads;
mod view;
mod wrap;
mod wrapped;

pub(crate) use actuators::{Actuator, Actuators};
pub(crate) use conditions::PointCondition;
pub use coordinate_springs::{CoordinateSpring, CoordinateStops};
pub(crate) use coordinate_springs::{CoordinateSprings, SprungCoordinate};
pub(crate) use custom::CustomPointForce;
pub use custom::{ForceLaw, PointMotion};
pub(crate) use drives::Drives;
pub use effector::{
    Fault, ForceEffector, ForceNumber, JacobianScale, Kinematics, MemorySlopes, Part, RowPartition,
    VelocityTerms,
};
pub use excited::{ExcitationSource, ExcitedStep};
pub(crate) use frame_springs::{Bushing, FrameSide, FrameSprings};
pub(crate) use inertial_drag::{BodyDrag, InertialDrag};
pub(crate) use loads::{BodyForces, Drag, PointForces};
pub(crate) use pull::Pull;
pub(crate) use springs::{LineRows, Springs};
pub(crate) use surface_loads::{SurfaceLoads, SurfacePressure};
pub use view::{
    BundleBatch, BundleDrive, BundlePart, EffectorView, ElementPressures, NodeVolume, Relaxation,
    TissueBatch, TissueMuscles, TissuePressures,
};
pub(crate) use wrap::{Round, Sections, Side, Sided, Surface, Top, Turn};
pub(crate) use wrapped::{MOST_BENDS, MOST_ROWS, Spanned, WrapSite, Wraps};

#[cfg(test)]
mod tests;
