//! Placement of a model, given a device: wholly there, or with its forces on the CPU.

use std::sync::Arc;

use sinew::backend::Backend;
use sinew::solve::{LinearSolver, SolverSettings};
use sinew::system::CompiledModel;
use sinew_shaders::source::Precision;

use crate::{AssistedBackend, Gpu, GpuBackend, GpuError};

/// A model on a device.
pub struct Placed {
    /// Backend that steps it.
    pub backend: Box<dyn Backend>,
    /// Features that the device lacks, so that forces and matrices are computed on the CPU and the
    /// device solves the linear systems; empty where all is computed on the device.
    pub missing: Vec<String>,
}

impl Placed {
    /// Puts a model on a device, all of it if the device has all its parts and 64-bit arithmetic.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] when there is nothing for the device to do, [`GpuError::TooLarge`].
    pub fn new(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        if let LinearSolver::Direct | LinearSolver::Hybrid = settings.linear_solver {
            return Err(GpuError::Unsupported { parts: vec!["sparse factorization".to_owned()] });
        }
        let missing = match gpu.precision() {
            Precision::Double => match GpuBackend::new(gpu, system.clone(), settings) {
                Ok(backend) => return Ok(Self { backend: Box::new(backend), missing: Vec::new() }),
                Err(GpuError::Unsupported { parts }) => parts,
                Err(error) => return Err(error),
            },
            Precision::Single => vec!["64-bit arithmetic".to_owned()],
        };
        let backend = AssistedBackend::new(gpu, system, settings)?;
        Ok(Self { backend: Box::new(backend), missing })
    }
}
