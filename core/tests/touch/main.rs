//! Steps of systems whose parts touch each other.

mod boxes;
mod builtins;
mod heap;
mod heap_scene;
mod modes;
mod scenes;
