//! Twins of wgsl/step.
pub mod advance;
pub mod explicit_velocity;
pub mod external_loads;
pub mod gather_rows;
pub mod held_part;
pub mod lead_positions;
pub mod lead_velocities;
pub mod residual_rows;
pub mod row_sums;
pub mod shift_velocity;
