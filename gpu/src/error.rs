//! Errors of devices, with advice.

/// Errors of a device that cannot be used, or not any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver offers an adapter.
    #[error(
        "no graphics adapter was found: install a Vulkan driver and loader (for tests, a software \
         one: {INSTALL}), or compute with --backend cpu"
    )]
    NoAdapter,
    /// None of the adapters is the one that was asked for.
    #[error("there is no device '{asked}'; there are {}", listed(.found))]
    NoSuchDevice {
        /// The device that was asked for.
        asked: String,
        /// Names of the adapters, in order of their numbers.
        found: Vec<String>,
    },
    /// All adapters compute on the CPU, and none of them was asked for.
    #[error(
        "the only adapters compute on the CPU: {}; the CPU path is faster (--backend cpu), or ask \
         for one by --device software", listed(.found)
    )]
    SoftwareOnly {
        /// Names of the adapters, in order of their numbers.
        found: Vec<String>,
    },
    /// Something does not fit into the device.
    #[error(
        "{what} takes {}, and the device allows {}: a model of {} % of this size fits; use a \
         coarser mesh, another device (--device), or --backend cpu",
        size(*.bytes), size(*.limit), percent(*.bytes, *.limit)
    )]
    TooLarge {
        /// Name of the buffer.
        what: String,
        /// Bytes that it takes.
        bytes: u64,
        /// Bytes that there are.
        limit: u64,
    },
    /// The model or the settings have parts that the device does not have.
    #[error("the device does not have: {}; compute with --backend cpu", .parts.join(", "))]
    Unsupported {
        /// Missing features.
        parts: Vec<String>,
    },
    /// A variable of the environment has no meaning.
    #[error("{name}={value} is not understood: {wanted}")]
    Setting {
        /// Name of the variable.
        name: &'static str,
        /// Value of the variable.
        value: String,
        /// Values that it may have.
        wanted: &'static str,
    },
    /// The device does not answer any more, or a driver refused what it had accepted before.
    #[error(
        "the device is lost: {detail}; what was read from it last is still good: open it again, or \
         go on with --backend cpu"
    )]
    Lost {
        /// Message of the driver.
        detail: String,
    },
    /// The driver does not take a kernel: a mistake in the kernel or in the driver.
    #[error(
        "the driver refuses the kernel '{kernel}': {detail}; report it with the driver's version \
         (sinew devices), and compute with --backend cpu"
    )]
    Shader {
        /// Name of the kernel.
        kernel: &'static str,
        /// Message of the compiler.
        detail: String,
    },
}

impl GpuError {
    /// Something of `bytes` where only `limit` are allowed.
    pub(crate) fn too_large(what: impl Into<String>, bytes: u64, limit: u64) -> Self {
        Self::TooLarge { what: what.into(), bytes, limit }
    }
}

/// The command that installs Mesa's software Vulkan on Debian and Ubuntu.
pub const INSTALL: &str = "sudo apt-get install mesa-vulkan-drivers libvulkan1";

/// "0: A; 1: B".
fn listed(names: &[String]) -> String {
    let numbered: Vec<_> =
        names.iter().enumerate().map(|(k, name)| format!("{k}: {name}")).collect();
    numbered.join("; ")
}

/// A number of bytes as one reads it.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(unit > 0);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// `limit` in percent of `bytes`, rounded down.
fn percent(bytes: u64, limit: u64) -> u64 {
    (100.0 * limit as f64 / bytes.max(1) as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_says_which_model_fits() {
        let error =
            GpuError::TooLarge { what: "the matrix".into(), bytes: 3 << 30, limit: 2 << 30 };
        let text = error.to_string();
        assert!(text.contains("the matrix takes 3.0 GiB"), "{text}");
        assert!(text.contains("allows 2.0 GiB: a model of 66 % of this size fits"), "{text}");
    }

    #[test]
    fn an_unknown_device_is_answered_with_those_that_there_are() {
        let found = vec!["A100".to_owned(), "llvmpipe".to_owned()];
        let text = GpuError::NoSuchDevice { asked: "radeon".into(), found }.to_string();
        assert_eq!(text, "there is no device 'radeon'; there are 0: A100; 1: llvmpipe");
    }
}
