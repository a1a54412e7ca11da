//! Steps of systems whose parts touch each other.

mod adhesion;
mod bars;
mod between_nodes;
mod boxes;
mod builtins;
mod constants;
mod directions;
mod faces;
mod grooves;
mod heap;
mod heap_scene;
mod iterations;
mod laws;
mod many;
mod modes;
mod passing;
mod rebounds;
mod regions;
mod rolling;
mod scenes;
mod smooth;
#[path = "../surfaces/scene.rs"]
#[allow(dead_code)]
mod soft;
mod statics;
mod stiff;
mod stribeck;
