//! Polar decomposition of 3 x 3 matrices: the rotation nearest to F.
//! From the trace of the stretch where strains are moderate, by Newton iteration with scaling
//! (Higham, SIAM J. Sci. Stat. Comput. 7, 1986) where F is well away from singular, else by
//! one-sided Jacobi (which a determinant of either sign does not disturb).

use nalgebra::{Matrix3, Vector3};

use crate::{Real, lit};

/// det F / |F|³ from which the trace of the stretch is used; I has 0.19, stretches of 1, 1 and 3
/// have 0.08. No term of its formulas then cancels by more than a digit.
const MODERATE: f64 = 0.08;
/// Bounds of |F|² within which no product of it under- or overflows, in f32 either.
const IN_RANGE: std::ops::Range<f64> = 1e-6..1e6;
/// det F / |F|³ from which Newton is used; I has 0.19. The condition number of F is then below 1e3,
/// so that inverses by cofactors are good to 1e-13 and five or six steps suffice.
const WELL_AWAY: f64 = 1e-3;
/// Steps of Newton; scaled, it needs 6 at the worst condition, this is a bound against NaN.
const MAX_STEPS: usize = 12;
/// Sweeps of Jacobi; 3 x 3 matrices need 5 or fewer.
const MAX_SWEEPS: usize = 12;

/// The rotation R (det R = 1) of F = RU with U symmetric. For det F < 0 the smallest principal
/// stretch in U is the negative one; the zero matrix gives the identity. Finite `f` gives finite R.
#[inline]
pub fn polar_rotation<T: Real>(f: &Matrix3<T>) -> Matrix3<T> {
    if let Some(r) = from_trace_of_stretch(f) {
        return r;
    }
    let scale = f.amax();
    if scale.is_zero() {
        return Matrix3::identity();
    }
    // Scaled so that no product under- or overflows; R does not depend on it.
    let x = f / scale;
    let norm = x.norm();
    if x.determinant() > lit::<T>(WELL_AWAY) * norm * norm * norm { newton(x) } else { jacobi(x) }
}

/// R = ∂(tr U)/∂F, with t = tr U the largest root of g(t) = (t² - a)² - 8 d t - 4 b, where
/// a = |F|² = tr U², b = |cof F|² and d = det F; `None` unless strains are moderate. Newton's
/// iteration comes down to t from √(3a), which is above by the square of the strain.
#[inline(always)]
fn from_trace_of_stretch<T: Real>(f: &Matrix3<T>) -> Option<Matrix3<T>> {
    let cof = cofactors(f);
    let (a, b) = (f.norm_squared(), cof.norm_squared());
    let d = f.column(0).dot(&cof.column(0));
    let least = lit::<T>(MODERATE);
    let in_range = a > lit(IN_RANGE.start) && a < lit(IN_RANGE.end);
    if !(in_range && d > T::zero() && d * d > least * least * (a * a * a)) {
        return None;
    }
    let [two, four, eight] = [2.0, 4.0, 8.0].map(lit::<T>);
    let mut t = (lit::<T>(3.0) * a).sqrt();
    for _ in 0..MAX_STEPS {
        let w = t * t - a;
        let step = (w * w - eight * d * t - four * b) / (four * t * w - eight * d);
        t -= step;
        // The relative error after a step is at most about the square of that of the step.
        if step * step <= T::default_epsilon() * a {
            break;
        }
    }
    // Implicit derivative of g = 0; the denominator is 2 (s1 + s2) (s2 + s3) (s3 + s1).
    let w = t * t - a;
    let numerator = f * (w + two * a) + cof * (two * t) - f * (f.tr_mul(f)) * two;
    Some(numerator * (t * w - two * d).recip())
}

/// X ← (γ X + X⁻ᵀ / γ) / 2 with γ² = |X⁻¹| / |X| while far from a rotation.
#[inline]
fn newton<T: Real>(mut x: Matrix3<T>) -> Matrix3<T> {
    let half = lit::<T>(0.5);
    let mut far = true;
    for _ in 0..MAX_STEPS {
        let inverse = cofactors(&x) / x.determinant();
        let gamma = if far { (inverse.norm() / x.norm()).sqrt() } else { T::one() };
        let next = x * (gamma * half) + inverse * (half / gamma);
        let step = (next - x).amax();
        x = next;
        // The error after a step without scaling is half the square of the step.
        if !far && step * step <= T::default_epsilon() {
            break;
        }
        far = step > lit(0.1);
    }
    x
}

/// Matrix of cofactors: the inverse transposed times the determinant.
#[inline(always)]
fn cofactors<T: Real>(x: &Matrix3<T>) -> Matrix3<T> {
    let [a, b, c] = [0, 1, 2].map(|k| x.column(k).into_owned());
    Matrix3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// R from the two largest principal directions: X V = U Σ by rotations of column pairs, the third
/// column of both U and V from the cross product, so that both are proper.
#[cold]
fn jacobi<T: Real>(mut x: Matrix3<T>) -> Matrix3<T> {
    let mut v = Matrix3::identity();
    for _ in 0..MAX_SWEEPS {
        let turned = [(0, 1), (0, 2), (1, 2)].map(|(p, q)| orthogonalize(&mut x, &mut v, p, q));
        if turned == [false; 3] {
            break;
        }
    }
    let mut order = [0, 1, 2];
    let sizes = order.map(|k| x.column(k).norm());
    order.sort_by(|&i, &j| sizes[j].partial_cmp(&sizes[i]).unwrap_or(std::cmp::Ordering::Equal));
    let [first, second, _] = order;
    let (v1, v2) = (v.column(first).into_owned(), v.column(second).into_owned());
    let u1 = x.column(first) / sizes[first];
    let u2 = if sizes[second] > sizes[first] * T::default_epsilon() {
        reject(&x.column(second).into_owned(), &u1)
    } else {
        // Rank one: any direction across u1, v2 if that is not too near to u1.
        let across = if u1.dot(&v2).abs() < lit(0.8) { v2 } else { v1.cross(&v2) };
        reject(&across, &u1)
    };
    let u = Matrix3::from_columns(&[u1, u2, u1.cross(&u2)]);
    let v = Matrix3::from_columns(&[v1, v2, v1.cross(&v2)]);
    u * v.transpose()
}

/// The unit vector along the part of `a` across the unit vector `u`.
fn reject<T: Real>(a: &Vector3<T>, u: &Vector3<T>) -> Vector3<T> {
    (a - u * u.dot(a)).normalize()
}

/// Turns columns p, q of `x` and `v` so that those of `x` become orthogonal; false if they were.
fn orthogonalize<T: Real>(x: &mut Matrix3<T>, v: &mut Matrix3<T>, p: usize, q: usize) -> bool {
    let (a, b) = (x.column(p).into_owned(), x.column(q).into_owned());
    let (dot, size) = (a.dot(&b), a.norm() * b.norm());
    if dot.abs() <= T::default_epsilon() * size || dot.is_zero() {
        return false;
    }
    let zeta = (b.norm_squared() - a.norm_squared()) / (dot + dot);
    let tan = T::one().copysign(zeta) / (zeta.abs() + (zeta * zeta + T::one()).sqrt());
    let cos = T::one() / (tan * tan + T::one()).sqrt();
    let sin = cos * tan;
    for m in [x, v] {
        let (a, b) = (m.column(p).into_owned(), m.column(q).into_owned());
        m.set_column(p, &(a * cos - b * sin));
        m.set_column(q, &(a * sin + b * cos));
    }
    true
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi's method, which keeps the
/// digits of small eigenvalues and of directions that nearly have one in common.
pub(super) fn symmetric_eigen<T: Real>(m: &Matrix3<T>) -> (Vector3<T>, Matrix3<T>) {
    let (mut a, mut v) = (*m, Matrix3::identity());
    // 3 x 3 matrices need six sweeps or fewer; the bound is for NaN.
    for _ in 0..12 {
        let off = a.m12 * a.m12 + a.m13 * a.m13 + a.m23 * a.m23;
        if off == T::zero() {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[(p, q)] == T::zero() {
                continue;
            }
            let theta = (a[(q, q)] - a[(p, p)]) / (a[(p, q)] + a[(p, q)]);
            let tan = T::one().copysign(theta) / (theta.abs() + (theta * theta + T::one()).sqrt());
            let cos = T::one() / (tan * tan + T::one()).sqrt();
            let sin = tan * cos;
            let mut turn = Matrix3::identity();
            (turn[(p, p)], turn[(q, q)], turn[(p, q)], turn[(q, p)]) = (cos, cos, sin, -sin);
            a = turn.transpose() * a * turn;
            (a[(p, q)], a[(q, p)]) = (T::zero(), T::zero());
            v *= turn;
        }
    }
    (a.diagonal(), v)
}
