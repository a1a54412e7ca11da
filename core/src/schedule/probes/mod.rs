//! Probes of a scheduler as a list that is edited while it runs: what can be done to them, what a timeline shows of
//! them, and the order in which edits of probes and of the model are taken back.

mod edit;
mod kept;
mod lists;
mod run;
mod track;

pub use edit::{Interpolation, ProbeAt, ProbeEdit};
pub(super) use kept::KeptRows;
pub use lists::{ProbeLists, ProbeRun, ProbeSource, TakenOutput};
pub(super) use run::{EditOrder, ProbeDescriptions};
pub use track::{ProbeCurve, ProbeTrack};
