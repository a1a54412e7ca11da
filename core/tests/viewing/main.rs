//! Snapshots of a running model, and the thread that it runs in.

mod building;
mod fields;
mod pictures;
mod repainting;
mod scenes;
mod sessions;
mod threads;
