//! Twins of wgsl/solve.
pub mod add_correction;
pub mod cg_direction;
pub mod cg_product;
pub mod cg_rz;
pub mod cg_start;
pub mod cg_update;
pub mod solve_begin;
pub mod solve_scale;
