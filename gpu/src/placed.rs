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
        let missing = match Self::whole(gpu, system.clone(), settings) {
            Err(GpuError::Unsupported { parts }) if !takes_factor(&settings) => parts,
            placed => return placed,
        };
        let backend = AssistedBackend::new(gpu, system, settings)?;
        Ok(Self { backend: Box::new(backend), missing })
    }

    /// Puts all of a model on a device.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] where the device lacks parts of the model or 64-bit arithmetic, [`GpuError::TooLarge`].
    pub fn whole(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let lacks = |part: &str| Err(GpuError::Unsupported { parts: vec![part.to_owned()] });
        if takes_factor(&settings) {
            return lacks("sparse factorization");
        }
        match gpu.precision() {
            Precision::Double => {
                let backend = GpuBackend::new(gpu, system, settings)?;
                Ok(Self { backend: Box::new(backend), missing: Vec::new() })
            }
            Precision::Single => lacks("64-bit arithmetic"),
        }
    }
}

/// True if systems are to be solved by a factor.
fn takes_factor(settings: &SolverSettings) -> bool {
    matches!(settings.linear_solver, LinearSolver::Direct | LinearSolver::Hybrid)
}
