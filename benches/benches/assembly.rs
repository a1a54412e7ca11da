//! Forces and the matrix of a step, for all sizes of the beams.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::system::MechSystem;
use sinew_benches::{StepSystem, grid_scenes, group, label};

fn assembly(criterion: &mut Criterion) {
    let mut group = group(criterion, "assembly");
    for scene in grid_scenes() {
        let mut step = StepSystem::new(&scene);
        group.throughput(Throughput::Elements(step.system.pattern().block_count() as u64));
        group.bench_function(label(format!("{} matrix", scene.name)), |b| {
            b.iter(|| step.assemble());
        });
        group.throughput(Throughput::Elements(step.system.block_count() as u64));
        group.bench_function(label(format!("{} forces", scene.name)), |b| {
            b.iter(|| step.eval_forces());
        });
    }
    group.finish();
}

criterion_group!(benches, assembly);
criterion_main!(benches);
