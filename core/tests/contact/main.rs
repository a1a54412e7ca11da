//! Contact geometry: gaps against closed forms and against supports, symmetry, identity, degenerate
//! placements, the broad phase, refusals.

mod balls;
mod capsules;
mod cylinders;
mod identity;
mod invariance;
mod meshes;
mod near;
mod planes;
mod random;
mod refused;
mod robust;
mod scenes;
mod series;
mod stacks;
