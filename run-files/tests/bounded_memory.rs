//! A table that is far larger than the memory that is taken for it, counted by the allocator. One test in
//! a binary of its own, so that nothing else allocates meanwhile.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew_run_files::attach::input_probe;
use sinew_run_files::spec::{InputProbeSpec, Interpolation};

/// Counts what is held, and the most of it.
struct Counting;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the allocator of the system, unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let allocated = ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(allocated, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Rows of the table; a gigabyte with SINEW_LARGE=1.
fn row_count() -> usize {
    if std::env::var("SINEW_LARGE").is_ok_and(|it| it == "1") { 16_000_000 } else { 600_000 }
}

/// Most memory for buffers, a few rows and a small model [bytes].
const ALLOWED: usize = 1 << 20;

fn write_table(path: &Path, rows: usize) -> u64 {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    writeln!(file, "time,a,b,c").unwrap();
    for k in 0..rows {
        let t = k as f64 / rows as f64;
        let s = t * 1.000_000_123_456_789;
        writeln!(file, "{t:.12},{s:.15},{:.15},{:.15}", s + 1.0, s + 2.0).unwrap();
    }
    file.flush().unwrap();
    std::fs::metadata(path).unwrap().len()
}

#[test]
fn a_table_is_fed_in_memory_that_does_not_grow_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("long.csv");
    let bytes = write_table(&path, row_count());
    assert!(bytes > 30 * ALLOWED as u64, "{bytes} bytes");
    let mut model = sinew::model::Model::new("m");
    model.add(sinew::model::Particle::new(1.0, sinew::Vec3::zeros()));
    let simulation = Simulation::new(model, Default::default()).unwrap();
    let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
    let before = ALLOCATED.load(Ordering::SeqCst);
    PEAK.store(before, Ordering::SeqCst);
    let spec = InputProbeSpec {
        name: "long".into(),
        properties: vec!["/models/m:gravity".into()],
        file: Some(path),
        interpolation: Some(Interpolation::Cubic),
        ..InputProbeSpec::default()
    };
    let probe = input_probe(&spec, scheduler.simulation().model(), Path::new(".")).unwrap();
    scheduler.add_input_probe(probe);
    scheduler.advance(1.0).unwrap();
    let taken = PEAK.load(Ordering::SeqCst) - before;
    assert!(taken < ALLOWED, "{taken} bytes for a table of {bytes}");
    let gravity = scheduler.simulation().model().property("/models/m:gravity").unwrap();
    let now = scheduler.simulation_mut().get(&gravity).unwrap();
    // The last row stands a row before the end.
    let near = now.numbers().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(near, "{now}");
}
