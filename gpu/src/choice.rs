//! Choice of an adapter. Decides from summaries alone and opens nothing.

use std::cmp::Reverse;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use crate::{AdapterKind, AdapterSummary, GpuError};

/// The device to compute on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceSelection {
    /// The fastest sort there is: a discrete GPU before an integrated one before any other. Never a
    /// software adapter.
    #[default]
    Best,
    /// The adapter of this number, as [`crate::list_adapters`] counts them.
    Index(usize),
    /// The best adapter whose name has this part; case does not matter.
    Name(String),
    /// The first adapter that computes on the CPU: for tests.
    Software,
}

impl FromStr for DeviceSelection {
    type Err = Infallible;

    /// `best` or nothing, a number, `software`, or a part of a name.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim();
        Ok(match text.to_lowercase().as_str() {
            "" | "best" => Self::Best,
            "software" => Self::Software,
            lower => lower.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Index),
        })
    }
}

impl fmt::Display for DeviceSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Best => f.write_str("best"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
            Self::Software => f.write_str("software"),
        }
    }
}

impl DeviceSelection {
    /// The place in `adapters` of the one that is meant.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`] when the list is empty, [`GpuError::NoSuchDevice`] when none is meant,
    /// [`GpuError::SoftwareOnly`] when only those would do that must be asked for.
    pub fn pick(&self, adapters: &[AdapterSummary]) -> Result<usize, GpuError> {
        if adapters.is_empty() {
            return Err(GpuError::NoAdapter);
        }
        let all = || 0..adapters.len();
        let best = |places: &mut dyn Iterator<Item = usize>| {
            places.min_by_key(|&k| (rank(adapters[k].kind), Reverse(has_f64(&adapters[k])), k))
        };
        let found = || adapters.iter().map(|adapter| adapter.name.clone()).collect();
        let picked = match self {
            Self::Best => {
                let hardware = best(&mut all().filter(|&k| !adapters[k].software));
                return hardware.ok_or_else(|| GpuError::SoftwareOnly { found: found() });
            }
            Self::Index(index) => (*index < adapters.len()).then_some(*index),
            Self::Name(part) => {
                let part = part.to_lowercase();
                best(&mut all().filter(|&k| adapters[k].name.to_lowercase().contains(&part)))
            }
            Self::Software => all().find(|&k| adapters[k].software),
        };
        picked.ok_or_else(|| GpuError::NoSuchDevice { asked: self.to_string(), found: found() })
    }
}

/// Lower is better.
fn rank(kind: AdapterKind) -> u32 {
    match kind {
        AdapterKind::Discrete => 0,
        AdapterKind::Integrated => 1,
        AdapterKind::Virtual | AdapterKind::Unknown => 2,
        AdapterKind::Software => 3,
    }
}

/// One device may be reached by several interfaces, of which only Vulkan has f64.
fn has_f64(adapter: &AdapterSummary) -> bool {
    adapter.features.iter().any(|feature| feature == "SHADER_F64")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, kind: AdapterKind, f64_too: bool) -> AdapterSummary {
        AdapterSummary {
            name: name.to_owned(),
            backend: "vulkan".to_owned(),
            kind,
            driver: String::new(),
            software: kind == AdapterKind::Software,
            max_storage_buffer_binding_size: 1 << 30,
            max_buffer_size: 1 << 30,
            features: f64_too.then(|| "SHADER_F64".to_owned()).into_iter().collect(),
        }
    }

    fn several() -> Vec<AdapterSummary> {
        vec![
            adapter("llvmpipe (LLVM 15)", AdapterKind::Software, true),
            adapter("Intel UHD", AdapterKind::Integrated, false),
            adapter("NVIDIA H100", AdapterKind::Discrete, false),
            adapter("NVIDIA H100", AdapterKind::Discrete, true),
        ]
    }

    fn choice(text: &str) -> DeviceSelection {
        text.parse().expect("every text is a choice")
    }

    #[test]
    fn the_best_is_discrete_and_has_f64() {
        assert_eq!(choice("best").pick(&several()), Ok(3));
        assert_eq!(choice("best").pick(&several()[..2]), Ok(1));
    }

    #[test]
    fn software_is_used_only_when_asked_for() {
        let software = &several()[..1];
        let refused = choice("").pick(software);
        assert!(matches!(refused, Err(GpuError::SoftwareOnly { .. })), "{refused:?}");
        for asked in ["software", "Software", "0", "LLVM"] {
            assert_eq!(choice(asked).pick(software), Ok(0), "{asked}");
        }
    }

    #[test]
    fn numbers_and_parts_of_names_mean_an_adapter() {
        assert_eq!(choice("1").pick(&several()), Ok(1));
        assert_eq!(choice(" intel ").pick(&several()), Ok(1));
        assert_eq!(choice("nvidia").pick(&several()), Ok(3));
    }

    #[test]
    fn what_is_not_there_is_an_error_with_what_is() {
        for asked in ["7", "radeon"] {
            let Err(GpuError::NoSuchDevice { asked: said, found }) = choice(asked).pick(&several())
            else {
                panic!("{asked} was found");
            };
            assert_eq!((said.as_str(), found.len()), (asked, 4));
        }
        assert_eq!(choice("best").pick(&[]), Err(GpuError::NoAdapter));
    }
}
