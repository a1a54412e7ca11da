//! The device of tests.

use std::sync::OnceLock;

use crate::error::INSTALL;
use crate::{DeviceSelection, Gpu, GpuError, GpuOptions};

/// The device that tests run on, opened once in a process: the software adapter, or the one that
/// `SINEW_TEST_DEVICE` chooses. Tests of a device do not pass where there is none.
///
/// # Panics
/// When it cannot be opened; the message says what to install.
pub fn test_device() -> &'static Gpu {
    static DEVICE: OnceLock<Gpu> = OnceLock::new();
    DEVICE.get_or_init(|| open_test_device(&GpuOptions::default()))
}

/// The same device, with at most two workgroups in a row of a grid: what kernels see of the second row
/// on where models are large.
///
/// # Panics
/// As [`test_device`].
pub fn folded_test_device() -> &'static Gpu {
    static DEVICE: OnceLock<Gpu> = OnceLock::new();
    let options = GpuOptions { grid_width: Some(2), ..Default::default() };
    DEVICE.get_or_init(|| open_test_device(&options))
}

/// The same device opened anew, to be used in another way than other tests do.
///
/// # Panics
/// As [`test_device`].
pub fn open_test_device(options: &GpuOptions) -> Gpu {
    // Metal has no software adapter.
    let usual = if cfg!(target_os = "macos") { "best" } else { "software" };
    let asked = std::env::var("SINEW_TEST_DEVICE").unwrap_or_else(|_| usual.to_owned());
    let choice: DeviceSelection = asked.parse().unwrap_or_default();
    Gpu::open_with(&choice, options).unwrap_or_else(|error| match error {
        GpuError::NoAdapter | GpuError::NoSuchDevice { .. }
            if choice == DeviceSelection::Software =>
        {
            panic!("tests of the GPU need a software adapter; run: {INSTALL}")
        }
        error => panic!("the device '{asked}' of the tests: {error}"),
    })
}
