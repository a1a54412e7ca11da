//! `sinew bench`: the same steps on the CPU and on a device, over sizes, timed.

mod args;
mod copy;
mod instances;
mod measure;
mod scenes;
mod survey;
mod table;

use std::sync::Arc;

use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;

use crate::compute::device::{self, Gpu};
use crate::compute::{Chosen, DeviceError, Kind};
use crate::console::{self, StdoutError};
use crate::exit::{CliError, Exit, SystemError};
use crate::load::Prepared;

pub(crate) use args::BenchArgs;
use args::ComparedArg;
use measure::{Figures, Subject};

/// Times the steps that `args` ask for, on their number of threads.
///
/// # Errors
/// A scene that cannot be made, a device that was asked for and is not there, a step that fails.
pub(crate) fn run(args: &BenchArgs) -> Result<Exit, CliError> {
    let threads = usize::from(args.threads.unwrap_or(0)); // 0: as many as there are cores
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(SystemError::from)?;
    pool.install(|| match args.survey {
        true => survey::run(args),
        false => run_scene(args, &|| device(args)),
    })
}

/// The backends that are compared.
struct Compared {
    gpu: Option<Gpu>,
    kinds: Vec<Kind>,
    /// Bandwidth of copies on the processor [bytes/s]; 0 where it is not compared.
    cpu_copy: f64,
}

impl Compared {
    /// Those that are asked for and there.
    fn of(args: &BenchArgs, gpu: Option<Gpu>) -> Self {
        let cpu = args.compare.is_empty() || args.compare.contains(&ComparedArg::Cpu);
        let kinds = [(cpu, Kind::Cpu), (gpu.is_some(), Kind::Gpu)];
        let kinds = kinds.into_iter().filter(|(is_there, _)| *is_there).map(|(_, kind)| kind);
        let cpu_copy = if cpu { copy::bandwidth() } else { 0.0 };
        Self { kinds: kinds.collect(), gpu, cpu_copy }
    }
}

/// Times one scene in all its sizes, on the threads of this pool, and on a device if there is one, which is opened when
/// there is something to step.
fn run_scene(
    args: &BenchArgs,
    open: &dyn Fn() -> Result<Option<Gpu>, CliError>,
) -> Result<Exit, CliError> {
    let mut compared = None;
    for scene in scenes::of(args)? {
        let (prepared, compiled) = Prepared::of(&scene.model, &scene.edits)?;
        let Compared { gpu, kinds, cpu_copy } = match &mut compared {
            Some(compared) => compared,
            None => {
                let opened = compared.insert(Compared::of(args, open()?));
                print(args, &table::heading())?;
                opened
            }
        };
        let subject = Subject {
            name: named(&scene.name, args.instances),
            nodes: prepared.node_count(),
            elements: prepared.element_count(),
            instances: args.instances,
        };
        for &kind in &*kinds {
            let make = || make(args, gpu.as_ref(), kind, compiled.clone());
            match measure::measure(&subject, make, args.steps, *cpu_copy) {
                Ok(figures) => show(args, &figures)?,
                // Other sizes and backends may do.
                Err(error) if error.is::<DeviceError>() => {
                    console::complain(&format!("{}: {error}", subject.name));
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Exit::Done)
}

/// The device to compare with: `None` where none is wanted, or none is there and none was asked for.
fn device(args: &BenchArgs) -> Result<Option<Gpu>, CliError> {
    let asked = args.compare.contains(&ComparedArg::Gpu);
    if !asked && !args.compare.is_empty() {
        return Ok(None);
    }
    match Gpu::open(&device::choice(args.device.as_deref())) {
        Ok(gpu) => Ok(Some(gpu)),
        Err(source) if asked || args.device.is_some() => Err(DeviceError(source).into()),
        Err(error) => {
            console::complain(&format!("{}: CPU alone", device::short_reason(&error)));
            Ok(None)
        }
    }
}

fn make(
    args: &BenchArgs,
    gpu: Option<&Gpu>,
    kind: Kind,
    system: Arc<CompiledModel>,
) -> Result<Chosen, CliError> {
    let mut settings =
        SolverSettings { preconditioner: args.preconditioner.value(), ..SolverSettings::default() };
    if let Some(tolerance) = args.tolerance {
        settings.cg_tolerance = tolerance;
    }
    let count = usize::from(args.instances);
    match gpu {
        Some(gpu) if kind == Kind::Gpu => {
            let made = match count {
                1 => Chosen::on_device(gpu, system, settings),
                _ => instances::on_device(gpu, &system, settings, count),
            };
            Ok(made.map_err(DeviceError)?)
        }
        _ => {
            settings.linear_solver = args.solver.value();
            match count {
                1 => Chosen::cpu(system, settings),
                _ => instances::on_cpu(&system, settings, count),
            }
        }
    }
}

/// The name of a scene of so many instances.
fn named(scene: &str, instances: u16) -> String {
    match instances {
        1 => scene.to_owned(),
        count => format!("{scene} x {count}"),
    }
}

/// A row of the table, and a line of JSON where that is asked for.
fn show(args: &BenchArgs, figures: &Figures) -> Result<(), StdoutError> {
    print(args, &table::row(figures))?;
    if args.json {
        let line = serde_json::to_string(figures).expect("figures have string keys only");
        console::print(&format!("{line}\n"))?;
    }
    Ok(())
}

/// The table goes to stdout, or to stderr beside lines of JSON.
fn print(args: &BenchArgs, text: &str) -> Result<(), StdoutError> {
    if args.json {
        console::complain(text);
        return Ok(());
    }
    console::print(&format!("{text}\n"))
}
