//! Stands for `device.rs` in a command that was built without the feature `gpu`: no device is ever there.

use std::sync::Arc;

use sinew::backend::Backend;
use sinew::solve::SolverSettings;
use sinew::system::CompiledModel;
use thiserror::Error;

use crate::exit::{Exit, Failure};

/// Errors of devices, of which there are none.
#[derive(Clone, Copy, Debug, Error)]
pub(crate) enum GpuError {
    /// The feature is missing.
    #[error(
        "this `sinew` was built without devices: build it with `--features gpu`, or compute with --backend cpu"
    )]
    NotBuilt,
}

/// `--backend gpu`, or `--device`, where there is no device.
#[derive(Debug, Error)]
#[error(transparent)]
pub(crate) struct DeviceError(#[from] pub(crate) GpuError);

impl Failure for DeviceError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

/// Device that is asked for; none can be had.
pub(crate) struct DeviceSelection;

/// A device. There is none.
pub(crate) enum Gpu {}

impl Gpu {
    /// # Errors
    /// Always.
    pub(crate) fn open(_: &DeviceSelection) -> Result<Self, GpuError> {
        Err(GpuError::NotBuilt)
    }

    /// Properties of the device.
    pub(crate) fn adapter(&self) -> &Adapter {
        match *self {}
    }
}

/// Figures of a device.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) enum SurveyFigures {}

/// Measures a device.
///
/// # Errors
/// Never: there is none.
pub(crate) fn survey(gpu: &Gpu) -> Result<SurveyFigures, GpuError> {
    match *gpu {}
}

/// Properties of a device.
pub(crate) struct Adapter {
    /// Its name.
    pub(crate) name: String,
    /// True if it computes on the processor.
    pub(crate) software: bool,
}

/// A model on a device.
pub(crate) struct Placed {
    /// Backend that steps it.
    pub(crate) backend: Box<dyn Backend>,
    /// Parts that the CPU computes for it.
    pub(crate) missing: Vec<String>,
}

impl Placed {
    /// # Errors
    /// Never: there is no device to place a model on.
    pub(crate) fn new(
        gpu: &Gpu,
        _: Arc<CompiledModel>,
        _: SolverSettings,
    ) -> Result<Self, GpuError> {
        match *gpu {}
    }

    /// # Errors
    /// Never: there is no device to place a model on.
    pub(crate) fn whole(
        gpu: &Gpu,
        _: Arc<CompiledModel>,
        _: SolverSettings,
    ) -> Result<Self, GpuError> {
        match *gpu {}
    }
}

/// The choice that cannot be met.
pub(crate) fn choice(_: Option<&str>) -> DeviceSelection {
    DeviceSelection
}

/// Reason of `auto` against a device, in a few words.
pub(crate) fn short_reason(error: &GpuError) -> String {
    match error {
        GpuError::NotBuilt => "built without devices".to_owned(),
    }
}

/// The lines of `sinew devices` on graphics adapters.
pub(crate) fn listing() -> String {
    "gpu  none: this `sinew` was built without the feature `gpu`\n".to_owned()
}
