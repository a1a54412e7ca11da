//! Stands for the devices of `sinew-gpu` until they step models: it finds adapters as that crate
//! will, and then says that a step on them is not there yet.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use sinew::backend::{Backend, Description, Precision};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State, StepError, StepStats};
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
#[allow(dead_code, reason = "some are found by a device that steps")]
pub(crate) enum GpuError {
    /// None at all.
    #[error("no graphics adapter was found")]
    NoAdapter,
    /// None that was meant.
    #[error("there is no device '{asked}'; there are: {}", .found.join(", "))]
    NoSuchDevice {
        /// What was meant.
        asked: String,
        /// What there is.
        found: Vec<String>,
    },
    /// None but software, which was not asked for.
    #[error("the only adapters compute on the CPU: {}; ask by --device software", .found.join(", "))]
    SoftwareOnly {
        /// What there is.
        found: Vec<String>,
    },
    /// Something does not fit.
    #[error("{what} takes {bytes} bytes, and the device allows {limit}")]
    TooLarge {
        /// What it is.
        what: String,
        /// What it takes [bytes].
        bytes: u64,
        /// What there is [bytes].
        limit: u64,
    },
    /// Parts of the model or of the settings.
    #[error("the device does not have: {}", .parts.join(", "))]
    Unsupported {
        /// Their names.
        parts: Vec<String>,
    },
    /// A variable of the environment has no meaning.
    #[error("{name}={value} is not understood: {wanted}")]
    Setting {
        /// Name of the variable.
        name: &'static str,
        /// What it holds.
        value: String,
        /// What it may hold.
        wanted: &'static str,
    },
    /// The device does not answer.
    #[error("the device is lost: {detail}")]
    Lost {
        /// What the driver said.
        detail: String,
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
        let found: Vec<String> = adapters.iter().map(|a| a.name.clone()).collect();
        let named = |part: &str| {
            let has = |a: &&AdapterSummary| a.name.to_lowercase().contains(part);
            adapters.iter().find(has)
        };
        let (adapter, asked) = match choice {
            DeviceChoice::Best if found.is_empty() => return Err(GpuError::NoAdapter),
            DeviceChoice::Best => {
                let best = adapters.iter().find(|a| !a.software);
                return best.cloned().map(Self).ok_or(GpuError::SoftwareOnly { found });
            }
            DeviceChoice::Index(index) => (adapters.get(*index), index.to_string()),
            DeviceChoice::Software => (adapters.iter().find(|a| a.software), "software".into()),
            DeviceChoice::Name(name) => (named(&name.to_lowercase()), name.clone()),
        };
        adapter.cloned().map(Self).ok_or(GpuError::NoSuchDevice { asked, found })
    }

    /// What it is.
    pub(crate) fn adapter(&self) -> &AdapterSummary {
        &self.0
    }
}

/// The backend of a device: there is none.
pub(crate) enum GpuBackend {}

impl GpuBackend {
    /// Puts a model on a device.
    ///
    /// # Errors
    /// Always, so far.
    pub(crate) fn new(
        _gpu: &Gpu,
        _system: Arc<CompiledModel>,
        _settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        Err(GpuError::Unsupported { parts: vec!["steps of models, so far".to_owned()] })
    }
}

impl Backend for GpuBackend {
    fn name(&self) -> String {
        match *self {}
    }

    fn precision(&self) -> Precision {
        match *self {}
    }

    fn description(&self) -> Description {
        match *self {}
    }

    fn system(&self) -> &CompiledModel {
        match *self {}
    }

    fn time(&self) -> f64 {
        match *self {}
    }

    fn step(&mut self, _h: f64) -> Result<StepStats, StepError> {
        match *self {}
    }

    fn read_state(&mut self, _state: &mut State) -> Result<(), StepError> {
        match *self {}
    }

    fn write_state(&mut self, _state: &State) -> Result<(), StepError> {
        match *self {}
    }

    fn forget(&mut self) {
        match *self {}
    }
}
