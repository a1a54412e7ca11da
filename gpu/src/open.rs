//! Executors of backends, in the precision of their program and with the twins of element kernels.

use sinew_shaders::program::Program;
use sinew_shaders::source::Precision;

use crate::elements::Twins;
use crate::{Executor, Gpu, GpuError, TwinExecutor, open_executor};

/// On a device.
///
/// # Errors
/// As [`open_executor`].
pub(crate) fn on_device(gpu: &Gpu, program: Program) -> Result<Box<dyn Executor>, GpuError> {
    match program.precision {
        Precision::Single => open_executor::<f32>(gpu, program, || Box::new(Twins)),
        Precision::Double => open_executor::<f64>(gpu, program, || Box::new(Twins)),
    }
}

/// On the twins of the kernels.
pub(crate) fn on_twins(program: Program) -> Box<dyn Executor> {
    match program.precision {
        Precision::Single => Box::new(TwinExecutor::<f32>::new(program, Box::new(Twins))),
        Precision::Double => Box::new(TwinExecutor::<f64>::new(program, Box::new(Twins))),
    }
}
