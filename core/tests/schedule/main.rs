//! The scheduler: ways back in time, failed steps, events, probes.

mod events;
mod failures;
mod probes;
mod readings;
mod replay;
mod scenes;
