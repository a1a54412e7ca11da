//! The machine that a run happens on, for the records: timings mean little without it.

use serde::Serialize;

/// Processor and system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Machine {
    /// Name of the processor; its architecture where the system does not tell the name.
    pub(crate) cpu: String,
    /// Cores that this process may use.
    pub(crate) cores: usize,
    /// Operating system.
    pub(crate) os: &'static str,
    /// Instruction set.
    pub(crate) arch: &'static str,
}

impl Machine {
    /// This machine.
    pub(crate) fn this() -> Self {
        let arch = std::env::consts::ARCH;
        Self {
            cpu: cpu_name().unwrap_or_else(|| arch.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS,
            arch,
        }
    }
}

/// The name of the processor: on Linux from /proc, on Windows from the environment.
fn cpu_name() -> Option<String> {
    match std::fs::read_to_string("/proc/cpuinfo") {
        Ok(text) => value_of(&text, "model name").map(str::to_owned),
        Err(_) => std::env::var("PROCESSOR_IDENTIFIER").ok(),
    }
}

/// Most memory that this process has held so far [MB, 10⁶ bytes]; `None` where /proc is missing.
pub(crate) fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes: f64 = value_of(&status, "VmHWM")?.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}

/// The value of the first line `key : value`.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_exact_key() {
        let text = "VmPeak:\t  9 kB\nVmHWM:\t    1234 kB\nmodel name\t: Some CPU @ 2 GHz: fast\n";
        assert_eq!(value_of(text, "VmHWM"), Some("1234 kB"));
        assert_eq!(value_of(text, "model name"), Some("Some CPU @ 2 GHz: fast"));
        assert_eq!(value_of(text, "Vm"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_peak_covers_what_is_allocated_now() {
        let allocated = vec![1u8; 30_000_000];
        let peak = peak_memory().unwrap();
        assert!(peak > allocated.iter().map(|&b| f64::from(b)).sum::<f64>() / 1e6, "{peak} MB");
    }
}
