//! Harness of the benches: names, sampling, and the parts left out when they are only tried.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode};
use std::time::Duration;

/// True if the benches are only tried, each once (`cargo bench -- --test`, or built as a test):
/// then the scenes of more than some 1,500 nodes are left out, unless `SINEW_BENCH_ALL` is 1.
pub fn quick() -> bool {
    let all = std::env::var("SINEW_BENCH_ALL").is_ok_and(|value| value == "1");
    let tried =
        !std::env::args().any(|a| a == "--bench") || std::env::args().any(|a| a == "--test");
    tried && !all
}

/// A group with few samples in little time: a direct step of 19,000 nodes takes seconds, and
/// criterion takes at least ten samples of one.
pub fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(1500));
    group
}

/// Label of a measurement with its number of threads: figures on one and on more stand side by side.
pub fn label(function: impl Into<String>) -> BenchmarkId {
    let threads = rayon::current_num_threads();
    BenchmarkId::new(function, format!("threads={threads}"))
}
