//! Health of a device, which may be lost. Drivers report its loss and other failures from
//! callbacks; they are kept here and asked for at every call.

use std::sync::{Arc, Mutex, PoisonError};

use crate::GpuError;

/// The first failure of a device, shared with its callbacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Health(Arc<Mutex<Option<String>>>);

impl Health {
    /// Listens to `device`.
    pub(crate) fn watch(device: &wgpu::Device) -> Self {
        let health = Self::default();
        let lost = health.clone();
        device.set_device_lost_callback(move |reason, message| {
            lost.record(format!("{reason:?}: {message}"));
        });
        let failed = health.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            failed.record(error.to_string());
        }));
        health
    }

    /// Keeps `detail` when it is the first.
    pub(crate) fn record(&self, detail: String) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(detail);
    }

    /// # Errors
    /// [`GpuError::Lost`] when something was recorded.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*first {
            None => Ok(()),
            Some(detail) => Err(GpuError::Lost { detail: detail.clone() }),
        }
    }
}
