//! Headings that options stand under in the help.

/// Which model, and what is changed of it.
pub(crate) const MODEL: &str = "Model";
/// How long, and how a step is taken.
pub(crate) const STEPS: &str = "Time steps and solvers";
/// Friction and overlaps.
pub(crate) const CONTACT: &str = "Contact";
/// What computes.
pub(crate) const DEVICE: &str = "Processor and device";
/// What goes in and out over time.
pub(crate) const PROBES: &str = "Recording and feeding";
/// What is written and printed.
pub(crate) const RESULTS: &str = "Results";
/// What is followed, and by what.
pub(crate) const INVERSE: &str = "Targets and excitations";
