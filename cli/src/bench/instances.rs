//! Several instances of a model that step at once, as one backend that is timed.

use std::sync::Arc;

use rayon::prelude::*;
use sinew::backend::{Backend, CpuBackend, Description, KernelTime, Precision};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State, StepError, StepStats};

use crate::compute::device::{Gpu, GpuBatch, GpuError};
use crate::compute::{Chosen, Kind};
use crate::exit::CliError;

/// Instances of one model.
struct Instances {
    system: Arc<CompiledModel>,
    count: usize,
    time: f64,
    on: Stepped,
}

/// The backends that step them.
enum Stepped {
    Cpu(Vec<CpuBackend>),
    Gpu(Box<GpuBatch>),
}

/// Instances on the threads of the processor.
///
/// # Errors
/// A model that the solver asked for cannot be set up for.
pub(super) fn on_cpu(
    system: &Arc<CompiledModel>,
    settings: SolverSettings,
    count: usize,
) -> Result<Chosen, CliError> {
    let each = (0..count).map(|_| CpuBackend::new(system.clone(), settings));
    let each = each.collect::<Result<Vec<_>, _>>()?;
    Ok(chosen(system, count, Stepped::Cpu(each), Kind::Cpu))
}

/// Instances on a device.
///
/// # Errors
/// A model or settings of which the device does not take every part.
pub(super) fn on_device(
    gpu: &Gpu,
    system: &Arc<CompiledModel>,
    settings: SolverSettings,
    count: usize,
) -> Result<Chosen, GpuError> {
    let batch = GpuBatch::new(gpu, system, count, settings)?;
    Ok(chosen(system, count, Stepped::Gpu(Box::new(batch)), Kind::Gpu))
}

fn chosen(system: &Arc<CompiledModel>, count: usize, on: Stepped, kind: Kind) -> Chosen {
    let time = system.initial_state().time;
    let backend = Box::new(Instances { system: system.clone(), count, time, on });
    Chosen { backend, kind, why: None }
}

impl Backend for Instances {
    fn name(&self) -> String {
        match &self.on {
            Stepped::Cpu(each) => each.iter().map(CpuBackend::name).next().unwrap_or_default(),
            Stepped::Gpu(batch) => batch.name().to_owned(),
        }
    }

    fn precision(&self) -> Precision {
        match &self.on {
            Stepped::Cpu(_) => Precision::F64,
            Stepped::Gpu(batch) => batch.precision(),
        }
    }

    fn description(&self) -> Description {
        match &self.on {
            Stepped::Cpu(each) => each[0].description(),
            Stepped::Gpu(batch) => batch.description(),
        }
    }

    fn system(&self) -> &CompiledModel {
        &self.system
    }

    fn time(&self) -> f64 {
        self.time
    }

    /// A step of all of them; of iterations the mean, of residuals the largest, of bytes the sum.
    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        let stepped = match &mut self.on {
            Stepped::Cpu(each) => each.par_iter_mut().map(|it| it.step(h)).collect(),
            Stepped::Gpu(batch) => batch.step(h),
        };
        let all = stepped.into_iter().collect::<Result<Vec<StepStats>, _>>()?;
        self.time += h;
        let mut stats = all[0];
        stats.cg_iterations = all.iter().map(|it| it.cg_iterations).sum::<usize>() / self.count;
        stats.residual = all.iter().map(|it| it.residual).fold(0.0, f64::max);
        stats.bytes_up = all.iter().map(|it| it.bytes_up).sum();
        stats.bytes_down = all.iter().map(|it| it.bytes_down).sum();
        Ok(stats)
    }

    /// The state of the first.
    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        match &mut self.on {
            Stepped::Cpu(each) => each[0].read_state(state),
            Stepped::Gpu(batch) => batch.read_state(0, state),
        }
    }

    /// All go on from `state`.
    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.time = state.time;
        match &mut self.on {
            Stepped::Cpu(each) => each.iter_mut().try_for_each(|it| it.write_state(state)),
            Stepped::Gpu(batch) => {
                (0..self.count).for_each(|instance| batch.write_state(instance, state));
                Ok(())
            }
        }
    }

    fn forget(&mut self) {
        if let Stepped::Cpu(each) = &mut self.on {
            each.iter_mut().for_each(CpuBackend::forget);
        }
    }

    fn set_profiling(&mut self, on: bool) {
        if let Stepped::Gpu(batch) = &self.on {
            batch.set_profiling(on);
        }
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        match &self.on {
            Stepped::Cpu(_) => Vec::new(),
            Stepped::Gpu(batch) => batch.kernel_times(),
        }
    }
}
