//! Products of dense vectors, written so that they run on vector registers.

/// a . b, in eight partial sums.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// y += factor x.
pub(super) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// y += the sum of four factors times four vectors of the length of y: one pass over y instead of four.
pub(super) fn add_four(y: &mut [f64], factors: [f64; 4], x: [&[f64]; 4]) {
    let n = y.len();
    let [a, b, c, d] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] += (factors[0] * a[i] + factors[1] * b[i]) + (factors[2] * c[i] + factors[3] * d[i]);
    }
}

/// The largest magnitude; NaN if there is one.
pub(super) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, v| if v.is_nan() { f64::NAN } else { most.max(v.abs()) })
}
