//! Files of probes read, written and used in runs; checkpoints.

mod attached;
mod checkpoints;
mod reading;
mod replay;
mod sampling;
mod writing;
