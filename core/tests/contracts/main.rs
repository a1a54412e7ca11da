//! Promises of the core, over the lists of elements and laws and for the solver as a whole: one
//! module a promise. Allocation is counted in a binary of its own, tests/allocation.

mod compile_errors;
mod conservation;
mod derivatives;
mod determinism;
mod ends;
mod energy_guard;
mod fields;
mod fixture;
mod integrators;
mod invariance;
mod linear_solvers;
mod muscles;
mod parts;
mod rest_states;
mod shells;
mod statics;
mod surface_loads;
mod toy;
mod user_laws;
mod views;
mod viscoelastic;
mod volume;
