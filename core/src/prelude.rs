//! The items that most programs use, in one line: `use sinew::prelude::*;`.

pub use crate::component::{ComponentType, Handle};
pub use crate::constraint::{JointKind, Pose};
pub use crate::contact::ColliderShape;
pub use crate::dynamics::SpatialInertia;
pub use crate::fem::{ElementKind, VolumeMesh};
pub use crate::geometry::SurfaceMesh;
pub use crate::material::{Isotropic, MaterialSpec};
pub use crate::model::{
    Attachment, AxialSpring, Collider, CollisionBehavior, Dirichlet, Edit, FemModel, FrameMarker,
    FrameSite, Inertia, Joint, LinearAxial, Master, Model, MultiPointSpring, MuscleBundle,
    MuscleExciter, Particle, PointLoad, PointRef, RigidBody, Schedule,
};
pub use crate::property::Value;
pub use crate::schedule::{Scheduler, SchedulerSettings, Simulation};
pub use crate::solve::{MechSystemSolver, SolverSettings};
pub use crate::state::State;
pub use crate::{Mat3, Vec3};
