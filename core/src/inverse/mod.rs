//! Inverse control: excitations that make a model follow motions (Stavness2012; docs/theory/inverse.md). Before each step
//! the response of its end to every excitation is found by back-solves with the factor of the step
//! ([`MechSystemSolver::respond`](crate::solve::MechSystemSolver::respond)), and a bounded quadratic program picks the
//! excitations. Files of targets and results: the command `sinew inverse`.

mod controller;
mod error;
mod excitation;
mod force_target;
mod iteration;
mod program;
pub mod rigid;
mod row_model;
mod sensor_target;
mod set_search;
mod settings;
mod shown;
mod steering;
mod surface_target;
mod target;
mod target_rows;
mod terms;
mod tracked_step;
mod variables;
mod work;

pub use controller::{TrackingController, TrackingLog, TrackingRecord};
pub use error::InverseError;
pub use excitation::TrackedExcitation;
pub use settings::{ContactSets, TrackingRule, TrackingSettings};
pub use shown::{RefusedTracking, ShownTracking};
pub use steering::{SharedSteering, TrackingSteering};
pub(crate) use target::PlacedTarget;
pub use target::{MotionTarget, TargetKind};
pub use terms::{ExcitationTerms, LinearConstraint, LinearTerm};
pub use tracked_step::TrackedStep;
