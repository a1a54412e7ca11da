//! Choice of the backend of a run: by `--backend`, or by size and device, with its reason.

use std::sync::Arc;

use serde::Serialize;
use sinew::backend::{Backend, CpuBackend};
use sinew::schedule::MakeBackend;
use sinew::solve::{ImplicitMode, Integrator, LinearSolver, SolverSettings};
use sinew::system::{CompiledModel, MechSystem};

use super::device::{self, DeviceError, Gpu, GpuError, Placed};
use super::forecast::Forecast;
use super::machine::Machine;
use crate::exit::CliError;
use crate::numbers::grouped;
use crate::options::{BackendArg, DeviceArgs};

/// Nodes from which `auto` takes a device: an H200 took 1.4 to 7.8 ms for steps of beams and a tongue of 1,041 to 1,225
/// nodes, 16 cores beside it 4.6 to 10 ms. Much fewer cost either the time of starting kernels or threads.
const DEVICE_FROM_NODES: usize = 1_000;

/// Parts of the rows of a model, one of which springs, shells and the like may touch for `auto` to take a device: the CPU computes
/// their forces. With a ninth an H200 took a fifteenth of the time of 16 cores.
const BORDER_SHARE: usize = 8;

/// Reason for which a run with input probes stays on the CPU: their values would be copied to a
/// device in every step.
const INPUTS: &str = "--input, which no device takes";

/// Kind of backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The processor.
    Cpu,
    /// A device that keeps the state.
    Gpu,
}

impl Kind {
    /// Its name in results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }

    /// The name of the processor or of the device.
    pub(crate) fn device(self, backend: &dyn Backend) -> String {
        match self {
            Self::Cpu => Machine::this().cpu,
            Self::Gpu => backend.name(),
        }
    }
}

/// Backend chosen for a run.
pub(crate) struct Chosen {
    /// It.
    pub(crate) backend: Box<dyn Backend>,
    /// Its kind.
    pub(crate) kind: Kind,
    /// Reason of `auto` for its choice.
    pub(crate) why: Option<String>,
}

impl Chosen {
    /// The processor.
    ///
    /// # Errors
    /// A model that the solver asked for cannot be set up for.
    pub(crate) fn cpu(
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, CliError> {
        let backend = Box::new(CpuBackend::new(system, settings)?);
        Ok(Self { backend, kind: Kind::Cpu, why: None })
    }

    /// The device, for a model that it takes: wholly, or with a stated part left to the CPU.
    ///
    /// # Errors
    /// A model or settings that the device does not take.
    pub(crate) fn on_device(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let Placed { backend, missing } = Placed::new(gpu, system, settings)?;
        let why = (!missing.is_empty()).then(|| {
            let missing = missing.join(", ");
            format!("the device only solves, forces and matrices are the CPU's: it lacks {missing}")
        });
        Ok(Self { backend, kind: Kind::Gpu, why })
    }

    /// The device, for a model that it takes wholly.
    ///
    /// # Errors
    /// A model or settings that the device does not take, or not wholly.
    fn wholly_on_device(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let Placed { backend, .. } = Placed::whole(gpu, system, settings)?;
        Ok(Self { backend, kind: Kind::Gpu, why: None })
    }

    /// Backend that `args` ask for, or that `auto` takes for so many nodes; `fed`: inputs are set
    /// in every step.
    ///
    /// # Errors
    /// `--backend gpu` or `--device` without a device that will do; a solver that cannot be set up.
    pub(crate) fn of(
        args: &DeviceArgs,
        (settings, nodes): (&SolverSettings, usize),
        fed: bool,
        system: &Arc<CompiledModel>,
    ) -> Result<Self, CliError> {
        let cpu = || Self::cpu(system.clone(), *settings);
        match args.backend {
            BackendArg::Cpu => cpu(),
            BackendArg::Gpu => {
                let open = || {
                    let gpu = Gpu::open(&device::choice(args.device.as_deref()))?;
                    Self::on_device(&gpu, system.clone(), *settings)
                };
                let chosen = open().map_err(DeviceError)?;
                let why = chosen.why.or_else(|| border_of(system).map(|(_, why)| why));
                Ok(Self { why, ..chosen })
            }
            BackendArg::Auto => match automatic(args, (settings, nodes), fed, system)? {
                Automatic::Device(chosen) => Ok(chosen),
                Automatic::Cpu(why) => Ok(Self { why: Some(why), ..cpu()? }),
            },
        }
    }

    /// The name of what computes.
    pub(crate) fn device(&self) -> String {
        self.kind.device(&*self.backend)
    }
}

/// Result of `auto`.
enum Automatic {
    Device(Chosen),
    /// The CPU, and why.
    Cpu(String),
}

/// A device if there is one that takes the model, and the model is worth it.
fn automatic(
    args: &DeviceArgs,
    (settings, nodes): (&SolverSettings, usize),
    fed: bool,
    system: &Arc<CompiledModel>,
) -> Result<Automatic, CliError> {
    let wished = args.device.is_some();
    let forecast = (system.multibody().is_some() && !wished)
        .then(|| Forecast::of_coupled(nodes, rayon::current_num_threads()));
    let fed = fed.then(|| INPUTS.to_owned());
    let of_size = fed.or_else(|| reason_for_cpu(settings, nodes, wished));
    let border = || border_of(system).filter(|(wide, _)| *wide && !wished).map(|(_, why)| why);
    let slow = || forecast.filter(|it| !it.favours_device()).map(|it| it.to_string());
    if let Some(why) = of_size.or_else(border).or_else(slow) {
        return Ok(Automatic::Cpu(why));
    }
    let gpu = match Gpu::open(&device::choice(args.device.as_deref())) {
        Ok(gpu) => gpu,
        // A device by name that is not there is a slip; that there is none at all is not.
        Err(source) if wished => return Err(DeviceError(source).into()),
        Err(error) => return Ok(Automatic::Cpu(device::short_reason(&error))),
    };
    // On one server steps with a device that only solves took between less than half of the time and all of it from 7,000 nodes
    // on, and three times as long at 1,000.
    let place = if wished { Chosen::on_device } else { Chosen::wholly_on_device };
    match place(&gpu, system.clone(), *settings) {
        Ok(chosen) => {
            let mut why = format!("{} nodes on {}", grouped(nodes), gpu.adapter().name);
            if let Some(forecast) = forecast {
                why = format!("{why}, {forecast}");
            }
            let why = chosen.why.or(Some(why));
            Ok(Automatic::Device(Chosen { why, ..chosen }))
        }
        Err(error) => Ok(Automatic::Cpu(device::short_reason(&error))),
    }
}

/// True if forces that the CPU computes beside a device touch much of a model, and what to say of them; `None` where it computes none.
fn border_of(system: &CompiledModel) -> Option<(bool, String)> {
    let (touched, rows) = (system.device_view().border()?.rows().len(), system.block_count());
    let [touched_rows, all] = [touched, rows].map(grouped);
    let why =
        format!("springs, shells and the like, at {touched_rows} of {all} nodes, are the CPU's");
    Some((BORDER_SHARE * touched > rows, why))
}

/// Reason for the CPU without a look at the devices.
fn reason_for_cpu(settings: &SolverSettings, nodes: usize, wished: bool) -> Option<String> {
    match settings.integrator {
        Integrator::Static(_) => return Some("--integrator static".to_owned()),
        Integrator::RungeKutta4 => return Some("--integrator runge-kutta-4".to_owned()),
        Integrator::Variable(_) => return Some("an integrator of variable step".to_owned()),
        Integrator::Midpoint(_) => return Some("--integrator midpoint".to_owned()),
        Integrator::BackwardEuler(ImplicitMode::Newton(_))
        | Integrator::Trapezoidal(ImplicitMode::Newton(_)) => return Some("--newton".to_owned()),
        Integrator::BackwardEuler(ImplicitMode::Linearized)
        | Integrator::Trapezoidal(ImplicitMode::Linearized)
        | Integrator::SymplecticEuler => {}
    }
    match settings.linear_solver {
        LinearSolver::Direct => return Some("--solver direct".to_owned()),
        LinearSolver::Hybrid => return Some("--solver hybrid".to_owned()),
        LinearSolver::Auto | LinearSolver::ConjugateGradients => {}
    }
    (nodes < DEVICE_FROM_NODES && !wished)
        .then(|| format!("{} nodes, fewer than {}", grouped(nodes), grouped(DEVICE_FROM_NODES)))
}

/// Makes backends on the CPU.
pub(crate) fn on_cpu(settings: SolverSettings) -> MakeBackend {
    Box::new(move |system| {
        CpuBackend::new(system, settings).map(|backend| Box::new(backend) as Box<dyn Backend>)
    })
}

#[cfg(test)]
mod tests {
    use sinew::solve::{NewtonSettings, StaticSettings};

    use super::*;

    #[test]
    fn small_models_and_what_no_device_has_stay_on_the_cpu_for_a_stated_reason() {
        let of = |integrator, linear_solver| SolverSettings {
            integrator,
            linear_solver,
            ..SolverSettings::default()
        };
        let newton = ImplicitMode::Newton(NewtonSettings::default());
        let (step, auto) = (Integrator::default(), LinearSolver::Auto);
        for (settings, nodes, wished, expected) in [
            (of(step, auto), 999, false, Some("999 nodes, fewer than 1,000")),
            (of(step, auto), 999, true, None),
            (of(step, auto), 1_000, false, None),
            (of(step, LinearSolver::ConjugateGradients), 1_000, false, None),
            (of(step, LinearSolver::Direct), 1_000, true, Some("--solver direct")),
            (of(step, LinearSolver::Hybrid), 1_000, true, Some("--solver hybrid")),
            (of(Integrator::Trapezoidal(newton), auto), 1_000, true, Some("--newton")),
            (
                of(Integrator::Static(StaticSettings::default()), auto),
                1_000,
                true,
                Some("--integrator static"),
            ),
            (of(Integrator::SymplecticEuler, auto), 1_000, false, None),
        ] {
            assert_eq!(reason_for_cpu(&settings, nodes, wished).as_deref(), expected);
        }
    }
}
