//! The devices that step models: the one module that says where they come from.

use crate::exit::{Exit, Failure};

pub(crate) use super::adapters::listing;
pub(crate) use sinew_gpu::{DeviceSelection, Gpu, GpuBatch, GpuError, Placed};

/// `--backend gpu`, or `--device`, and no device that will do.
#[derive(Debug, thiserror::Error)]
#[error("{}", advised(.0))]
pub(crate) struct DeviceError(pub(crate) GpuError);

impl Failure for DeviceError {
    fn exit(&self) -> Exit {
        exit_of(&self.0)
    }
}

/// Figures of a device, as keys of a line of JSON.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct SurveyFigures {
    /// A call that waits for the one before [us].
    dispatch_us: f64,
    /// Encoding and submitting a call, on the host [us].
    encode_us: f64,
    /// A load whose place the one before gives [us].
    load_us: f64,
    /// A sum of three reals over a workgroup [us].
    sum_us: f64,
    /// Bytes that a copy reads and writes [GB/s].
    copy_gb_s: f64,
    /// Arithmetic in 32 bits [Gflop/s].
    f32_gflop_s: f64,
    /// Arithmetic in 64 bits [Gflop/s]; null where there is none.
    f64_gflop_s: Option<f64>,
}

/// Measures a device.
///
/// # Errors
/// A device that does not answer.
pub(crate) fn survey(gpu: &Gpu) -> Result<SurveyFigures, GpuError> {
    let found = gpu.survey()?;
    Ok(SurveyFigures {
        dispatch_us: 1e6 * found.dispatch,
        encode_us: 1e6 * found.encoding,
        load_us: 1e6 * found.load,
        sum_us: 1e6 * found.sum,
        copy_gb_s: 1e-9 * found.copy,
        f32_gflop_s: 1e-9 * found.single,
        f64_gflop_s: found.double.map(|rate| 1e-9 * rate),
    })
}

/// The environment variable that names a device.
const VARIABLE: &str = "SINEW_DEVICE";

/// The device that the option names, or else the environment, or else the best.
pub(crate) fn choice(option: Option<&str>) -> DeviceSelection {
    let variable = || std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
    let name = option.map(str::to_owned).or_else(variable);
    name.map_or(DeviceSelection::Best, |name| match name.parse() {
        Ok(choice) => choice,
        Err(never) => match never {},
    })
}

/// The exit code of a refusal: what is not there is a matter of the command line, what the device
/// cannot do a matter of the model.
fn exit_of(error: &GpuError) -> Exit {
    match error {
        GpuError::NoAdapter
        | GpuError::NoSuchDevice { .. }
        | GpuError::SoftwareOnly { .. }
        | GpuError::Setting { .. } => Exit::Usage,
        GpuError::Unsupported { .. } | GpuError::TooLarge { .. } => Exit::Input,
        _ => Exit::System,
    }
}

/// A refusal with what to do about it.
fn advised(error: &GpuError) -> String {
    const ADVICE: &str = "--backend cpu";
    let text = error.to_string();
    if text.contains(ADVICE) { text } else { format!("{text}; or compute with {ADVICE}") }
}

/// Reason of `auto` against a device, in a few words.
pub(crate) fn short_reason(error: &GpuError) -> String {
    match error {
        GpuError::NoAdapter => "no adapter".to_owned(),
        GpuError::SoftwareOnly { .. } => "no adapter but software".to_owned(),
        GpuError::Unsupported { parts } => {
            format!("model or settings have what the device does not have: {}", parts.join(", "))
        }
        GpuError::TooLarge { what, .. } => format!("{what} is too large for the device"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_says_what_to_do_instead_and_has_a_short_form() {
        let parts = vec!["springs".to_owned()];
        let what = "the matrix".to_owned();
        let refusals = [
            (GpuError::NoAdapter, Exit::Usage, "no adapter"),
            (GpuError::SoftwareOnly { found: Vec::new() }, Exit::Usage, "no adapter but software"),
            (GpuError::Unsupported { parts }, Exit::Input, "springs"),
            (GpuError::TooLarge { what, bytes: 2, limit: 1 }, Exit::Input, "too large"),
            (GpuError::Lost { detail: "it fell".to_owned() }, Exit::System, "it fell"),
        ];
        for (error, exit, short) in refusals {
            assert_eq!(exit_of(&error), exit, "{error}");
            assert_eq!(advised(&error).matches("--backend cpu").count(), 1, "{error}");
            assert!(short_reason(&error).contains(short), "{error}");
        }
    }
}
