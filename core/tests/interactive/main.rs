//! Interactive dynamics: formulas, graphs of blocks, constrained motion, first and second order, optimization, troids.

mod applications;
mod building;
mod connectors;
#[path = "../../../examples/interactive/drawing.rs"]
mod drawing;
mod drawings;
mod formulas;
mod graphs;
mod live;
mod mechanics;
mod models;
mod optimization;
mod orders;
mod random;
mod troids;
mod worlds;
