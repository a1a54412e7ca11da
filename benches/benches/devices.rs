//! A step of the beams on the CPU and on a device, side by side, by the same trait. The device is that
//! of SINEW_DEVICE, or the best; a software adapter runs only when it is asked for so. Without one, a
//! line says it and the CPU's figures stand alone.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::backend::{Backend, CpuBackend};
use sinew::solve::{LinearSolver, SolverSettings};
use sinew_benches::{STEP, Scene, grid_scenes, group, label};
use sinew_datasets::beam::beam;
use sinew_gpu::{DeviceSelection, Gpu, GpuBackend};

/// Steps after which a beam falls anew: 0.2 s.
const STEPS_OF_A_FALL: usize = 20;

/// A backend that falls again and again.
struct Falling {
    backend: Box<dyn Backend>,
    taken: usize,
}

impl Falling {
    fn new(scene: &Scene, gpu: Option<&Gpu>) -> Self {
        let model = beam(&scene.beam).expect("the counts of a scene are in range");
        let system = Arc::new(model.compile().expect("a beam compiles"));
        let linear_solver = LinearSolver::ConjugateGradients;
        let settings = SolverSettings { linear_solver, ..SolverSettings::default() };
        let backend: Box<dyn Backend> = match gpu {
            Some(gpu) => Box::new(GpuBackend::new(gpu, system, settings).expect("a beam fits")),
            None => Box::new(CpuBackend::new(system, settings).expect("a beam has a solver")),
        };
        let mut falling = Self { backend, taken: 0 };
        falling.advance();
        falling
    }

    fn advance(&mut self) {
        if self.taken == STEPS_OF_A_FALL {
            let start = self.backend.system().initial_state();
            self.backend.write_state(&start).expect("the device answers");
            self.taken = 0;
        }
        self.taken += 1;
        self.backend.step(STEP).expect("a beam steps");
    }
}

fn device() -> Option<Gpu> {
    let name = std::env::var("SINEW_DEVICE").unwrap_or_default();
    let choice: DeviceSelection = name.parse().unwrap_or_default();
    match Gpu::open(&choice) {
        Ok(gpu) => {
            println!("device: {}", gpu.adapter().name);
            Some(gpu)
        }
        Err(error) => {
            println!("no device is measured: {error}");
            None
        }
    }
}

fn step(criterion: &mut Criterion) {
    let gpu = device();
    let mut group = group(criterion, "backend");
    for scene in grid_scenes() {
        for (name, gpu) in [("cpu", None), ("device", gpu.as_ref())] {
            if name == "device" && gpu.is_none() {
                continue;
            }
            // Made when the filter lets it run, and once.
            let mut falling = None;
            group.bench_function(label(format!("{} {name}", scene.name)), |b| {
                let falling = falling.get_or_insert_with(|| Falling::new(&scene, gpu));
                b.iter(|| falling.advance());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, step);
criterion_main!(benches);
