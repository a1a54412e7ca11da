//! Force effectors: batches of one kind of force that add themselves to the right side and to the
//! matrix of a step. Tissues are effectors too; they live in `fem/`.

mod custom;
mod effector;
mod loads;
mod springs;
mod view;

pub(crate) use custom::CustomPointForce;
pub use effector::{
    Fault, ForceEffector, JacobianScale, Kinematics, Part, RowPartition, VelocityTerms,
};
pub(crate) use loads::{BodyForces, Drag, PointForces};
pub(crate) use springs::{Pull, Springs};
pub use view::{EffectorView, TissueBatch};
