//! Files of probes read, written and used in runs; checkpoints.

mod attached;
mod checkpoints;
mod faults;
mod live;
mod reading;
mod replay;
mod sampling;
mod writing;
