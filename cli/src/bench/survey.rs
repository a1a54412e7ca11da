//! `sinew bench --survey`: figures of a device, then every scene on it, as lines of JSON.

use serde::Serialize;

use super::BenchArgs;
use super::args::ComparedArg;
use crate::compute::DeviceError;
use crate::compute::device::{self, Gpu, SurveyFigures};
use crate::console;
use crate::exit::{CliError, Exit};

/// Scenes of a survey.
const SCENES: [&str; 4] = ["hex", "tet", "kuhn", "tongue"];

/// Cells across the beam that only hardware steps.
const LARGE: u16 = 32;
/// Instances of the tongue that only hardware steps at once.
const INSTANCES: u16 = 256;
/// The model with bodies that only hardware steps, and its parameters.
const COUPLED: (&str, [&str; 2]) = ("jaw-tongue-hyoid", ["resolution=2", "tongue=passive"]);

/// The first line. The fields are its keys, in this order.
#[derive(Clone, Debug, Serialize)]
struct Line {
    /// Name of the device.
    survey: String,
    #[serde(flatten)]
    figures: SurveyFigures,
}

/// Measures the device, then times every scene on what `--compare` names, the device without.
///
/// # Errors
/// No device, or one that does not answer; as without `--survey`.
pub(super) fn run(args: &BenchArgs) -> Result<Exit, CliError> {
    let gpu = Gpu::open(&device::choice(args.device.as_deref())).map_err(DeviceError)?;
    let survey = gpu.adapter().name.clone();
    let figures = device::survey(&gpu).map_err(DeviceError)?;
    let line = serde_json::to_string(&Line { survey, figures }).expect("string keys only");
    console::print(&format!("{line}\n"))?;
    let compare = match args.compare.as_slice() {
        [] => vec![ComparedArg::Gpu],
        compare => compare.to_vec(),
    };
    let args = BenchArgs { compare, json: true, ..args.clone() };
    let run = |args: &BenchArgs| super::run_scene(args, &|| Ok(Some(gpu.clone())));
    for scene in SCENES {
        run(&BenchArgs { scene: scene.to_owned(), ..args.clone() })?;
    }
    if !gpu.adapter().software {
        run(&BenchArgs { scene: "kuhn".to_owned(), sizes: vec![LARGE], ..args.clone() })?;
        run(&many(&args))?;
        run(&coupled(&args))?;
    }
    Ok(Exit::Done)
}

/// Instances of the smallest tongue.
fn many(args: &BenchArgs) -> BenchArgs {
    let (scene, sizes) = ("tongue".to_owned(), vec![0]);
    BenchArgs { scene, sizes, instances: INSTANCES, ..args.clone() }
}

/// The model with bodies.
fn coupled(args: &BenchArgs) -> BenchArgs {
    let (name, params) = COUPLED;
    let mut args = BenchArgs { scene: name.to_owned(), sizes: Vec::new(), ..args.clone() };
    args.edits.params.extend(params.map(str::to_owned));
    args
}
