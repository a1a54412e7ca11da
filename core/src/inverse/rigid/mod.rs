//! Inverse problems of rigid multibody models at one instant: places of bodies from markers, moments of joints from a
//! motion, forces of muscles that give these (docs/theory/inverse.md). Nothing here takes a step.

mod dynamics;
mod frames;
mod lines;
mod markers;
mod rows;
mod static_optimization;

pub use dynamics::{ExternalForce, InverseDynamics, JointMotion};
pub use frames::{JointMoments, MarkedMotion, MuscleShares, MuscleSharing};
pub use lines::{MuscleMoments, MuscleTensions};
pub use markers::{InverseKinematics, Marker};
pub use static_optimization::{StaticOptimization, StaticSolution};
