//! Stands for the devices of `sinew-gpu` until they step models: it finds adapters as that crate
//! will, and then says that a step on them is not there yet.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use sinew::backend::Backend;
use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;
use sinew_gpu::{AdapterSummary, list_adapters};

/// Which device to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeviceChoice {
    /// The best that is no software.
    Best,
    /// That number in the list.
    Index(usize),
    /// The first whose name has this part, whatever the case.
    Name(String),
    /// One that computes on the CPU.
    Software,
}

impl FromStr for DeviceChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match (text, text.parse()) {
            ("best", _) => Self::Best,
            ("software", _) => Self::Software,
            (_, Ok(index)) => Self::Index(index),
            (name, Err(_)) => Self::Name(name.to_owned()),
        })
    }
}

/// Why there is no device, or why it does not take a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum GpuError {
    /// None that is no software.
    #[error("no adapter")]
    NoAdapter,
    /// None that was meant.
    #[error("no device '{asked}'; there are: {found}")]
    NoSuchDevice {
        /// What was meant.
        asked: String,
        /// What there is.
        found: String,
    },
    /// Parts of the model or of the settings.
    #[error("the device does not have: {}", .parts.join(", "))]
    Unsupported {
        /// Their names.
        parts: Vec<String>,
    },
}

/// A device.
pub(crate) struct Gpu(AdapterSummary);

impl Gpu {
    /// Finds it.
    ///
    /// # Errors
    /// None found.
    pub(crate) fn open(choice: &DeviceChoice) -> Result<Self, GpuError> {
        let adapters = list_adapters();
        let named = |part: &str, a: &AdapterSummary| a.name.to_lowercase().contains(part);
        let (found, asked) = match choice {
            DeviceChoice::Best => {
                let best = adapters.iter().find(|a| !a.software);
                return best.cloned().map(Self).ok_or(GpuError::NoAdapter);
            }
            DeviceChoice::Index(index) => (adapters.get(*index), index.to_string()),
            DeviceChoice::Software => (adapters.iter().find(|a| a.software), "software".into()),
            DeviceChoice::Name(name) => {
                (adapters.iter().find(|a| named(&name.to_lowercase(), a)), name.clone())
            }
        };
        let names: Vec<&str> = adapters.iter().map(|a| a.name.as_str()).collect();
        let list = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        found.cloned().map(Self).ok_or(GpuError::NoSuchDevice { asked, found: list })
    }

    /// What it is.
    pub(crate) fn adapter(&self) -> &AdapterSummary {
        &self.0
    }
}

/// Makes the backend of a device.
pub(crate) struct GpuBackend;

impl GpuBackend {
    /// Puts a model on a device.
    ///
    /// # Errors
    /// Always, so far.
    #[allow(clippy::new_ret_no_self, reason = "the backend that it stands for is one")]
    pub(crate) fn new(
        _gpu: &Gpu,
        _system: Arc<CompiledModel>,
        _settings: SolverSettings,
    ) -> Result<Box<dyn Backend>, GpuError> {
        Err(GpuError::Unsupported { parts: vec!["steps of models, so far".to_owned()] })
    }
}
