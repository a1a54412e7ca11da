//! Meshes and their files: one binary, so that what it stands on is linked once.

mod bad_files;
mod damaged_files;
mod filling;
mod mesh_files;
mod mesh_writing;
mod overlap;
mod real_data;
mod round_trips;
mod signed_distance;
mod surface_data;
mod surface_files;
mod ties;
