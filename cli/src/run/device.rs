//! The devices that step models: the one module that says where they come from.

use crate::args::RunArgs;
use crate::exit::Exit;

pub(crate) use super::no_device::{DeviceChoice, Gpu, GpuBackend, GpuError};

/// The environment variable that names a device.
const VARIABLE: &str = "SINEW_DEVICE";

/// The device that the option names, or else the environment, or else the best.
pub(crate) fn choice(option: Option<&str>) -> DeviceChoice {
    let variable = || std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
    let name = option.map(str::to_owned).or_else(variable);
    name.map_or(DeviceChoice::Best, |name| match name.parse() {
        Ok(choice) => choice,
        Err(never) => match never {},
    })
}

/// Whether the command line itself names a device: a wish for one, where the environment is not.
pub(crate) fn is_wished(args: &RunArgs) -> bool {
    args.device.is_some()
}

/// The exit code of a refusal: what is not there is a matter of the command line, what the device
/// cannot do a matter of the model.
pub(crate) fn exit_of(error: &GpuError) -> Exit {
    match error {
        GpuError::NoAdapter | GpuError::NoSuchDevice { .. } => Exit::Usage,
        GpuError::Unsupported { .. } => Exit::Input,
    }
}
