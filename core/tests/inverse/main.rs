//! Inverse control: responses of steps to excitations, excitations that are found again from the motion that they made,
//! what is refused.

mod contacts;
mod food;
mod jaw;
mod models;
mod refused;
mod response;
// The models of the tests of bodies, of which not all are used here.
#[allow(dead_code)]
#[path = "../bodies/scenes.rs"]
mod scenes;
mod sensors;
mod tongue;
mod twins;
