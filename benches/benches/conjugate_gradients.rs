//! Conjugate gradients with block-Jacobi on the matrix of a step: one solution to 1e-8 from zero,
//! whose throughput counts iterations, and one product with the matrix, in bytes read and written.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::Vec3;
use sinew::linalg::{BlockJacobi, CgLimits, CgOutcome, CgWorkspace};
use sinew::system::MechSystem;
use sinew_benches::{StepSystem, all_scenes, group, label, product_bytes};

/// As a step asks for.
const LIMITS: CgLimits = CgLimits { tolerance: 1e-8, max_iterations: 20_000 };

fn conjugate_gradients(criterion: &mut Criterion) {
    let mut group = group(criterion, "conjugate_gradients");
    for scene in all_scenes() {
        let StepSystem { system, matrix, rhs, .. } = StepSystem::new(&scene);
        let mut jacobi = BlockJacobi::new(rhs.len());
        jacobi.update(&matrix, system.fixed());
        let mut workspace = CgWorkspace::new(rhs.len());
        let mut x = rhs.clone();
        let mut solve = || {
            x.fill(Vec3::zeros());
            let system = (&matrix, system.fixed());
            match workspace.solve(system, &mut jacobi, &rhs, &mut x, LIMITS) {
                CgOutcome::Converged { iterations, .. } => iterations,
                outcome => panic!("{}: {outcome:?}", scene.name),
            }
        };
        group.throughput(Throughput::Elements(solve() as u64));
        group.bench_function(label(format!("{} solve", scene.name)), |b| b.iter(&mut solve));
        let mut y = rhs.clone();
        group.throughput(Throughput::Bytes(product_bytes(system.pattern())));
        group.bench_function(label(format!("{} product", scene.name)), |b| {
            b.iter(|| matrix.mul(&rhs, &mut y));
        });
    }
    group.finish();
}

criterion_group!(benches, conjugate_gradients);
criterion_main!(benches);
