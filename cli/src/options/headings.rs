//! Headings that options stand under in the help.

/// Model, and changes of it.
pub(crate) const MODEL: &str = "Model";
/// Duration, and method of the steps.
pub(crate) const STEPS: &str = "Time steps and solvers";
/// Friction and overlaps.
pub(crate) const CONTACT: &str = "Contact";
/// Backend.
pub(crate) const DEVICE: &str = "Processor and device";
/// Probes, in and out.
pub(crate) const PROBES: &str = "Recording and feeding";
/// Files and reports.
pub(crate) const RESULTS: &str = "Results";
/// Rigid models at the instants of a file.
pub(crate) const RIGID: &str = "Rigid models without steps";
/// Targets, and the excitations that follow them.
pub(crate) const INVERSE: &str = "Targets and excitations";
