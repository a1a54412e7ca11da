//! Tissues that touch tissues, and themselves.

mod across;
mod adhesion;
mod automatic;
mod detection;
mod fold;
mod hertz;
mod pressure;
mod scene;
#[path = "../touch/scenes.rs"]
#[allow(dead_code)]
mod scenes;
mod sheets;
mod stacks;
mod thin;
mod ties;
