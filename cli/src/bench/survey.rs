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
    for scene in SCENES {
        let (scene, compare) = (scene.to_owned(), compare.clone());
        let args = BenchArgs { scene, compare, json: true, ..args.clone() };
        super::run_scene(&args, &|| Ok(Some(gpu.clone())))?;
    }
    Ok(Exit::Done)
}
