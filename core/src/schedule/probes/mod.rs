//! Probes of a scheduler: made of the components of its model as they are edited while it runs, and what a timeline shows of
//! them.

mod edit;
mod follow;
mod kept;
mod lists;
mod run;
mod track;

pub use edit::{PlannedProbeEdit, ProbeEdit};
pub(super) use follow::FollowedProbes;
pub(super) use kept::KeptRows;
pub use lists::{ProbeLists, ProbeRun, ProbeSource};
pub use track::{ProbeCurve, ProbeTrack};
