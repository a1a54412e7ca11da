//! Complementarity problems of each algorithm over the number of variables, definite and of low rank;
//! pivots are printed beside. The throughput counts variables.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sinew::lcp::{ActiveSetStatus, Dantzig, Keller, Lcp, LcpSolver, Lemke, Murty};
use sinew_benches::quick;

/// Numbers of variables. Some million multiplications a pivot at the last.
const SIZES: [usize; 4] = [100, 300, 1000, 2000];

/// M = A A^T / n + shift I with A of n x rank, and q, all from one linear congruence.
fn problem(n: usize, rank: usize, shift: f64) -> (Vec<f64>, Vec<f64>) {
    let mut state = 9u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / 2f64.powi(52) - 1.0
    };
    let a: Vec<f64> = (0..n * rank).map(|_| random()).collect();
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let pairs = a[rank * i..rank * (i + 1)].iter().zip(&a[rank * j..rank * (j + 1)]);
            let product = pairs.map(|(a, b)| a * b).sum::<f64>() / n as f64;
            matrix[n * i + j] = product;
            matrix[n * j + i] = product;
        }
        matrix[n * i + i] += shift;
    }
    // In the range of M where it is singular, so that there is a solution.
    let x: Vec<f64> = (0..n).map(|_| random()).collect();
    let row = |row: &[f64]| row.iter().zip(&x).map(|(m, x)| m * x).sum();
    let q = matrix.chunks(n).map(row).collect();
    (matrix, q)
}

fn lcp(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lcp");
    group.sample_size(10);
    let sizes = if quick() { &SIZES[..1] } else { &SIZES };
    for &n in sizes {
        let (lower, upper) = (vec![0.0; n], vec![f64::INFINITY; n]);
        for (kind, rank, shift) in [("definite", n, 0.1), ("rank n4", n / 4, 0.0)] {
            let (matrix, q) = problem(n, rank, shift);
            let problem = Lcp { matrix: &matrix, q: &q, lower: &lower, upper: &upper };
            let (mut statuses, mut z) = (vec![ActiveSetStatus::Lower; n], vec![0.0; n]);
            let solvers: [&mut dyn LcpSolver; 4] = [
                &mut Keller::default(),
                &mut Dantzig::default(),
                &mut Lemke::default(),
                &mut Murty::default(),
            ];
            group.throughput(Throughput::Elements(n as u64));
            for solver in solvers {
                statuses.fill(ActiveSetStatus::Lower);
                let outcome = solver.solve(&problem, &mut statuses, &mut z);
                println!("{} {kind} {n}: {outcome}", solver.name());
                if outcome.solved().is_none() {
                    continue;
                }
                group.bench_function(
                    BenchmarkId::new(format!("{} {kind}", solver.name()), n),
                    |b| {
                        b.iter(|| {
                            statuses.fill(ActiveSetStatus::Lower);
                            solver.solve(&problem, &mut statuses, &mut z)
                        });
                    },
                );
            }
        }
    }
    group.finish();
}

criterion_group!(benches, lcp);
criterion_main!(benches);
