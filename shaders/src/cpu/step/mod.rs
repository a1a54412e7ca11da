//! Twins of wgsl/step.
pub mod advance;
pub mod border_matrix;
pub mod border_residual;
pub mod border_sums;
pub mod explicit_velocity;
pub mod external_loads;
pub mod fixed_part;
pub mod gather_border;
pub mod gather_rows;
pub mod left_stress;
pub mod prescribe_positions;
pub mod prescribe_velocities;
pub mod residual_rows;
pub mod row_sums;
pub mod shift_velocity;
