//! Limits of the machine, and the share of them that Sinew uses, measured in turns within one run:
//! the bandwidth of memory against a product with the matrix of a step, the rate of a dense matrix
//! product against the factorization. The best of all iterations counts. The figures are printed
//! and written for peers/table.py.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use serde_json::json;
use sinew::linalg::SparseCholesky;
use sinew::system::MechSystem;
use sinew_benches::{Kind, Size, StepSystem, product_bytes, quick, scene};

/// Rows that a thread takes at a time: far more than the cost of handing them out.
const CHUNK: usize = 1 << 15;

/// A thing that is timed.
struct Case<'a> {
    name: &'static str,
    /// Bytes or operations of one call.
    amount: f64,
    /// Unit of `amount`, to be multiplied by 1e9.
    unit: &'static str,
    /// The case that it cannot be faster than.
    floor: Option<&'static str>,
    call: Box<dyn FnMut() + 'a>,
}

fn main() {
    // A list of tests is asked for by test runners; there are none here.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let (big, small) = if quick() { (Size::K1, Size::K1) } else { (Size::K19, Size::K5) };
    let (length, order, iterations) =
        if quick() { (1 << 18, 64, 1) } else { (20_000_000, 1024, 10) };
    let mut cases = memory_cases(length);
    cases.push(dense_case(order));
    cases.push(product_case(StepSystem::new(&scene(Kind::Hex, big))));
    cases.push(factor_case(StepSystem::new(&scene(Kind::Hex, small))));
    let mut best = vec![f64::INFINITY; cases.len()];
    for _ in 0..iterations {
        for (case, best) in cases.iter_mut().zip(&mut best) {
            let start = Instant::now();
            (case.call)();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let rates: Vec<f64> = cases.iter().zip(best).map(|(c, best)| c.amount / best / 1e9).collect();
    report(&cases, &rates);
}

/// Copy and triad over `length` scalars.
fn memory_cases<'a>(length: usize) -> Vec<Case<'a>> {
    let (b, c) = (vec![1.0; length], vec![2.0; length]);
    let mut a: Vec<f64> = vec![0.0; length];
    let (source, mut target) = (vec![1.0; length], vec![0.0; length]);
    let copy = move || {
        let chunks = target.par_chunks_mut(CHUNK).zip(source.par_chunks(CHUNK));
        chunks.for_each(|(target, source)| target.copy_from_slice(source));
        black_box(&mut target);
    };
    let triad = move || {
        (a.par_chunks_mut(CHUNK), b.par_chunks(CHUNK), c.par_chunks(CHUNK))
            .into_par_iter()
            .for_each(|(a, b, c)| {
                for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                    *a = b + 3.0 * c;
                }
            });
        black_box(&mut a);
    };
    let bytes = 8.0 * length as f64;
    vec![
        Case { name: "copy", amount: 2.0 * bytes, unit: "GB/s", floor: None, call: Box::new(copy) },
        Case {
            name: "triad",
            amount: 3.0 * bytes,
            unit: "GB/s",
            floor: None,
            call: Box::new(triad),
        },
    ]
}

/// A product of dense square matrices.
fn dense_case<'a>(order: usize) -> Case<'a> {
    let a = Mat::from_fn(order, order, |i, j| ((i + 2 * j) % 7) as f64);
    let b = a.clone();
    let mut c = Mat::<f64>::zeros(order, order);
    let par = match rayon::current_num_threads() {
        1 => Par::Seq,
        threads => Par::rayon(threads),
    };
    let call = move || {
        matmul(c.as_mut(), Accum::Replace, a.as_ref(), b.as_ref(), 1.0, par);
        black_box(&mut c);
    };
    let amount = 2.0 * (order as f64).powi(3);
    Case { name: "dense product", amount, unit: "Gflop/s", floor: None, call: Box::new(call) }
}

/// A product with the matrix of a step.
fn product_case<'a>(step: StepSystem) -> Case<'a> {
    let amount = product_bytes(step.system.pattern()) as f64;
    let mut y = step.rhs.clone();
    let call = move || {
        step.matrix.mul(&step.rhs, &mut y);
        black_box(&mut y);
    };
    Case {
        name: "sparse product",
        amount,
        unit: "GB/s",
        floor: Some("triad"),
        call: Box::new(call),
    }
}

/// The factorization of the matrix of a step.
fn factor_case<'a>(step: StepSystem) -> Case<'a> {
    let fixed = step.system.fixed();
    let mut cholesky = SparseCholesky::new(step.system.pattern(), fixed).expect("it fits");
    let amount = cholesky.factor_flops();
    let call = move || {
        cholesky.factor(&step.matrix).expect("positive definite");
    };
    Case {
        name: "factorization",
        amount,
        unit: "Gflop/s",
        floor: Some("dense product"),
        call: Box::new(call),
    }
}

/// Prints all rates with their ratios, and writes them unless the bench was only tried.
fn report(cases: &[Case], rates: &[f64]) {
    let threads = rayon::current_num_threads();
    println!("floors, {threads} threads");
    let mut rows = Vec::new();
    for (case, &rate) in cases.iter().zip(rates) {
        let floor = cases.iter().position(|c| Some(c.name) == case.floor).map(|i| rates[i]);
        let share = floor.map(|floor| rate / floor);
        let relative = share.map_or(String::new(), |share| {
            format!("  {share:.2} of {}", case.floor.unwrap_or_default())
        });
        println!("{:16} {rate:8.2} {}{relative}", case.name, case.unit);
        rows.push(json!({
            "name": case.name, "rate": rate, "unit": case.unit, "floor": case.floor, "share": share,
        }));
    }
    if !quick() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("floors_{threads}.json"));
        let text = json!({ "threads": threads, "rows": rows }).to_string();
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("{}: {error}", path.display());
        }
    }
}
