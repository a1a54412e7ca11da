//! Numeric factorization of the matrix of a step, and the solution with the factor. The throughput
//! counts stored scalars of the factor.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::linalg::SparseCholesky;
use sinew::system::MechSystem;
use sinew_benches::{StepSystem, all_scenes, group, label};

fn factorization(criterion: &mut Criterion) {
    let mut group = group(criterion, "factorization");
    for scene in all_scenes() {
        let StepSystem { system, matrix, rhs, .. } = StepSystem::new(&scene);
        let mut cholesky = SparseCholesky::new(system.pattern(), system.fixed()).expect("it fits");
        group.throughput(Throughput::Elements(cholesky.factor_nnz() as u64));
        group.bench_function(label(format!("{} factor", scene.name)), |b| {
            b.iter(|| cholesky.factor(&matrix).expect("positive definite"));
        });
        // The filter may have passed the factorization by.
        cholesky.factor(&matrix).expect("positive definite");
        let mut x = rhs.clone();
        group.bench_function(label(format!("{} solve", scene.name)), |b| {
            b.iter(|| cholesky.solve(&rhs, &mut x));
        });
    }
    group.finish();
}

criterion_group!(benches, factorization);
criterion_main!(benches);
