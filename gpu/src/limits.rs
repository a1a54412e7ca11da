//! Limits of a device, compared with a program before anything is made.

use sinew_shaders::program::{BufferId, Command, Program};
use sinew_shaders::source::Precision;
use sinew_shaders::table::grid_within;

use crate::{Gpu, GpuError};

/// Smallest buffer that is made [bytes]: bindings must not be empty.
pub(crate) const LEAST: u64 = 16;

/// Limits that a device grants: bytes, but for the last.
#[derive(Clone, Copy, Debug)]
struct Granted {
    binding: u64,
    buffer: u64,
    /// Workgroups in a row of a grid.
    width: u32,
}

/// # Errors
/// [`GpuError::TooLarge`] with the first buffer or call that the device cannot take,
/// [`GpuError::Unsupported`] when it lacks the arithmetic.
pub(crate) fn check(program: &Program, gpu: &Gpu) -> Result<(), GpuError> {
    if !gpu.has(program.precision) {
        debug_assert_eq!(program.precision, Precision::Double);
        let parts = vec![format!("64-bit arithmetic ({})", gpu.adapter().name)];
        return Err(GpuError::Unsupported { parts });
    }
    let granted = Granted {
        binding: gpu.max_binding(),
        buffer: gpu.adapter().max_buffer_size,
        width: gpu.grid_width(),
    };
    check_sizes(program, granted)
}

fn check_sizes(program: &Program, granted: Granted) -> Result<(), GpuError> {
    let mut bound = vec![false; program.buffers.len()];
    for command in program.lists.iter().flatten() {
        if let Command::Dispatch(dispatch) = command {
            for id in &dispatch.bindings {
                bound[id.0 as usize] = true;
            }
            if grid_within(dispatch.groups, granted.width).is_none() {
                let parts = vec![format!("so many workgroups ('{}')", dispatch.kernel.name)];
                return Err(GpuError::Unsupported { parts });
            }
        }
    }
    for (k, spec) in program.buffers.iter().enumerate() {
        let bytes = program.bytes(BufferId(k as u32));
        let limit = if bound[k] { granted.binding.min(granted.buffer) } else { granted.buffer };
        if bytes > limit {
            return Err(GpuError::TooLarge { what: spec.name.clone(), bytes, limit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_shaders::kernel::Scalar;
    use sinew_shaders::table::MAX_GROUPS_PER_DIMENSION;

    #[test]
    fn a_buffer_over_the_limit_is_named_with_its_size() {
        let mut program = Program::new(Precision::Double);
        program.add_zeros("small", Scalar::Word, 256);
        program.add_zeros("velocity", Scalar::Real, 129);
        let granted = Granted { binding: 1 << 30, buffer: 1024, width: MAX_GROUPS_PER_DIMENSION };
        let error = check_sizes(&program, granted).expect_err("129 * 8 bytes are too many");
        let expected = GpuError::TooLarge { what: "velocity".into(), bytes: 1032, limit: 1024 };
        assert_eq!(error, expected);
    }
}
