//! The scheduler: ways back in time, failed steps, events, probes.

mod events;
mod failures;
mod instruments;
mod probes;
mod readings;
mod receptors;
mod replay;
mod scenes;
