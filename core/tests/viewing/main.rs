//! Snapshots of a running model, and the thread that it runs in.

mod fields;
mod pictures;
mod scenes;
mod sessions;
mod threads;
