//! Probe files and checkpoints.
