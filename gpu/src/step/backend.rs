//! The backend that keeps the state of a model on a device and steps it there.

use std::sync::Arc;

use sinew::backend::{Backend, Description, KernelTime, Precision};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State, StepError, StepStats};
use sinew_shaders::program::Program;
use sinew_shaders::source::Precision as Width;

use super::instance::PendingRead;
use super::plan::Options;
use super::resident::Resident;
use super::submission::Dispatches;
use crate::{Executor, Gpu, GpuError, IterationCounts, on_device, on_twins};

/// A model whose state stays on a device.
///
/// Between two steps the state crosses the bus only when it is asked for: a step writes some ten
/// numbers and reads some twenty.
pub struct GpuBackend {
    name: String,
    gpu: Option<Gpu>,
    /// The one instance.
    resident: Resident,
    /// A read under way.
    read: Option<PendingRead>,
}

impl GpuBackend {
    /// Puts a model on a device.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] names the parts of model or settings that the device does not have
    /// yet, [`GpuError::TooLarge`] what does not fit.
    pub fn new(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let options = Options::of_device(gpu);
        let mut backend =
            Self::with_executor(&options, system, settings, |program| on_device(gpu, program))?;
        let adapter = gpu.adapter();
        backend.name = format!("{} ({})", adapter.name, adapter.backend);
        backend.gpu = Some(gpu.clone());
        Ok(backend)
    }

    /// The same on the twins of the kernels: slow, and on every machine.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on_twins(
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        Self::with_executor(options, system, settings, |program| Ok(on_twins(program)))
    }

    fn with_executor(
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
        make: impl FnOnce(Program) -> Result<Box<dyn Executor>, GpuError>,
    ) -> Result<Self, GpuError> {
        let resident = Resident::new(options, &[system], settings, make)?;
        Ok(Self { name: "twins of the kernels".to_owned(), gpu: None, resident, read: None })
    }

    /// Iterations recorded and made since the start.
    pub fn iteration_counts(&self) -> IterationCounts {
        self.resident.instances[0].solving.forecast.counts()
    }

    /// Times that the preconditioner was made anew since the start.
    pub fn renewals(&self) -> u64 {
        self.resident.instances[0].solving.renewal.count()
    }

    /// Calls of kernels in each part of a step.
    pub fn dispatches(&self) -> Dispatches {
        let lists = &self.resident.instances[0].plan.lists;
        Dispatches::of(self.resident.executor.program(), lists)
    }
}

/// Precision of forces and residuals by the width of reals.
pub(super) fn precision_of(width: Width) -> Precision {
    match width {
        Width::Double => Precision::F64,
        Width::Single => Precision::F32,
    }
}

impl Backend for GpuBackend {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn precision(&self) -> Precision {
        precision_of(self.resident.width())
    }

    fn description(&self) -> Description {
        self.resident.instances[0].plan.description
    }

    fn system(&self) -> &CompiledModel {
        &self.resident.instances[0].system
    }

    fn time(&self) -> f64 {
        self.resident.instances[0].time()
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        self.resident.step(&[0], h).remove(0)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        self.resident.read_state(0, state)
    }

    fn start_read(&mut self) -> Result<(), StepError> {
        let read = self.resident.request_state(0)?;
        self.read.replace(read).map_or(Ok(()), |dropped| self.resident.drop_read(0, &dropped))
    }

    fn finish_read(&mut self, state: &mut State) -> Result<bool, StepError> {
        let Some(read) = self.read.take() else { return Ok(false) };
        self.resident.fetch_state(0, read, state).map(|()| true)
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.resident.write_state(0, state);
        Ok(())
    }

    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        self.resident.update_system(0, change)
    }

    fn forget(&mut self) {
        self.resident.forget(0);
    }

    fn set_profiling(&mut self, on: bool) {
        self.resident.set_profiling(on);
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.resident.kernel_times()
    }

    fn copy_bandwidth(&mut self) -> Option<f64> {
        self.gpu.as_ref()?.copy_bandwidth().ok()
    }
}
