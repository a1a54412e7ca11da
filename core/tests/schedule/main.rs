//! The scheduler: ways back in time, failed steps, events, probes.

mod batch;
mod custom_joints;
mod events;
mod failures;
mod instruments;
mod linked;
mod orders;
mod prescribed;
mod probes;
mod readings;
mod receptors;
mod registered;
mod replay;
mod scenes;
