//! Batches on a device, where the package is built with the feature `gpu`.

use pyo3::PyResult;
use sinew::model::Model;
use sinew::schedule::{Batch, SchedulerSettings};
use sinew::solve::SolverSettings;

use crate::errors::SimulationError;

/// So many instances of a model on the device that `device` names as `sinew run --device` does.
#[cfg(feature = "gpu")]
pub(crate) fn on_device(
    (model, count): (&Model, usize),
    (solver, steps): (SolverSettings, SchedulerSettings),
    device: &str,
) -> PyResult<Batch> {
    use std::sync::Arc;

    use sinew::schedule::SimulationError as Halted;
    use sinew_gpu::{DeviceSelection, Gpu, GpuBatch};

    use crate::errors::raise;

    let refused = |error: sinew_gpu::GpuError| SimulationError::new_err(error.to_string());
    let choice: DeviceSelection = match device.parse() {
        Ok(choice) => choice,
        Err(never) => match never {},
    };
    let gpu = Gpu::open(&choice).map_err(refused)?;
    let system = Arc::new(raise(model.compile().map_err(Halted::from))?);
    let instances = GpuBatch::new(&gpu, &system, count, solver).map_err(refused)?;
    raise(Batch::together(model, instances.together(), steps))
}

/// Without the feature.
#[cfg(not(feature = "gpu"))]
pub(crate) fn on_device(
    _: (&Model, usize),
    _: (SolverSettings, SchedulerSettings),
    device: &str,
) -> PyResult<Batch> {
    Err(SimulationError::new_err(format!(
        "no device '{device}': this package was built without devices; install it with \
         pip install ./python --config-settings=build-args=\"--features gpu\""
    )))
}
