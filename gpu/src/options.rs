//! Variables of the environment that concern an open device.

use std::path::PathBuf;

use sinew_shaders::source::Precision;

use crate::GpuError;

/// Settings of a device, whichever it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    /// Precision of `real`; without, f64 where the device computes in it.
    pub precision: Option<Precision>,
    /// Largest binding [bytes], to try models that are cut into parts; without, the limit of the
    /// device.
    pub max_binding: Option<u64>,
    /// Most workgroups in a row of a grid, to try kernels on grids of several rows; without, 65,535.
    pub grid_width: Option<u32>,
    /// True if no limit is asked for beyond those that WebGPU grants on every device, to try kernels within them.
    pub default_limits: bool,
    /// Folder for compiled kernels; without, none are kept.
    pub cache: Option<PathBuf>,
}

impl GpuOptions {
    /// From `SINEW_GPU_PRECISION` (`single`, `double`), `SINEW_GPU_MAX_BINDING` (bytes) and
    /// `SINEW_CACHE` (a folder; without it, `sinew` in the user's folder for caches).
    ///
    /// # Errors
    /// [`GpuError::Setting`] when one of the first two has another value.
    pub fn from_env() -> Result<Self, GpuError> {
        Self::from_variables(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, GpuError> {
        let read = |name, wanted, parse: &dyn Fn(&str) -> Option<u64>| match variable(name) {
            None => Ok(None),
            Some(value) => match parse(&value) {
                Some(parsed) => Ok(Some(parsed)),
                None => Err(GpuError::Setting { name, value, wanted }),
            },
        };
        let bytes = read("SINEW_GPU_MAX_BINDING", "bytes, at least 256", &|value| {
            value.parse().ok().filter(|&bytes| bytes >= 256)
        })?;
        let width = read("SINEW_GPU_PRECISION", "single or double", &|value| match value {
            "single" => Some(4),
            "double" => Some(8),
            _ => None,
        })?;
        let precision =
            width.map(|width| if width == 4 { Precision::Single } else { Precision::Double });
        let cache = cache_folder(variable);
        Ok(Self { precision, max_binding: bytes, cache, ..Self::default() })
    }
}

/// Folder for caches on this platform.
fn cache_folder(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    if let Some(folder) = variable("SINEW_CACHE") {
        return Some(folder.into());
    }
    let below =
        |name: &str, rest: &str| variable(name).map(|folder| PathBuf::from(folder).join(rest));
    if cfg!(target_os = "windows") {
        below("LOCALAPPDATA", "sinew/cache")
    } else if cfg!(target_os = "macos") {
        below("HOME", "Library/Caches/sinew")
    } else {
        below("XDG_CACHE_HOME", "sinew").or_else(|| below("HOME", ".cache/sinew"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variables: &[(&str, &str)]) -> Result<GpuOptions, GpuError> {
        let find = |name: &str| {
            variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        };
        GpuOptions::from_variables(find)
    }

    #[test]
    fn variables_set_precision_binding_and_folder() {
        let set = [
            ("SINEW_GPU_PRECISION", "single"),
            ("SINEW_GPU_MAX_BINDING", "4096"),
            ("SINEW_CACHE", "/somewhere"),
        ];
        let options = options(&set).expect("good values");
        assert_eq!(options.precision, Some(Precision::Single));
        assert_eq!(options.max_binding, Some(4096));
        assert_eq!(options.cache, Some("/somewhere".into()));
    }

    #[test]
    fn a_value_without_meaning_is_an_error_that_names_the_variable() {
        for (name, value) in [("SINEW_GPU_PRECISION", "half"), ("SINEW_GPU_MAX_BINDING", "2 GiB")] {
            let error = options(&[(name, value)]).expect_err("no such value").to_string();
            assert!(error.contains(&format!("{name}={value}")), "{error}");
        }
    }
}
