//! Derivatives of trajectories and fits, forces and terms of inverse control, joint moments and static optimization.

mod active;
mod chains;
mod closed;
mod closed_surface;
mod driven;
mod fit;
mod gradients;
#[path = "../validation/hinge.rs"]
mod hinge;
mod kinks;
// The models of the tests of inverse control, of which not all are used here.
#[allow(dead_code)]
#[path = "../inverse/models.rs"]
mod models;
mod observed;
mod rigid;
#[allow(dead_code)]
#[path = "../bodies/scenes.rs"]
mod scenes;
mod shapes;
mod terms;
mod touching;
