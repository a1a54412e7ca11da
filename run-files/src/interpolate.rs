//! Values between rows of a table: cubics with given slopes, slopes of parabolas, natural splines
//! (deBoor2001, chapter IV). Nothing here knows files.

/// The cubic through `a` and `b` with slopes `da` and `db` [1/s] at the ends of an interval of length `h`
/// [s], at `share` of it [-].
pub fn hermite(share: f64, h: f64, [a, b]: [f64; 2], [da, db]: [f64; 2]) -> f64 {
    let (s, r) = (share, 1.0 - share);
    a * r * r * (1.0 + 2.0 * s) + b * s * s * (1.0 + 2.0 * r) + h * s * r * (da * r - db * s)
}

/// Slope [1/s] at the middle of three points of the parabola through them; the intervals between them
/// are `h` [s] long.
pub fn parabola_slope(h: [f64; 2], values: [f64; 3]) -> f64 {
    let rise = [(values[1] - values[0]) / h[0], (values[2] - values[1]) / h[1]];
    (rise[0] * h[1] + rise[1] * h[0]) / (h[0] + h[1])
}

/// Slopes [1/s] of the natural cubic spline through `values` at rising `times` [s]: the second derivative
/// is zero at both ends.
pub fn spline_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let count = times.len();
    if count < 2 {
        return vec![0.0; count];
    }
    let h = |k: usize| times[k + 1] - times[k];
    let rise = |k: usize| (values[k + 1] - values[k]) / h(k);
    // Rows l m(k-1) + d m(k) + u m(k+1) = r, by elimination from the top.
    let mut upper = vec![0.0; count];
    let mut slopes = vec![0.0; count];
    upper[0] = 0.5;
    slopes[0] = 1.5 * rise(0);
    for k in 1..count {
        let (lower, diagonal, above, right) = if k + 1 < count {
            let (left, next) = (1.0 / h(k - 1), 1.0 / h(k));
            let right = 3.0 * (rise(k - 1) * left + rise(k) * next);
            (left, 2.0 * (left + next), next, right)
        } else {
            (1.0, 2.0, 0.0, 3.0 * rise(k - 1))
        };
        let pivot = diagonal - lower * upper[k - 1];
        upper[k] = above / pivot;
        slopes[k] = (right - lower * slopes[k - 1]) / pivot;
    }
    for k in (0..count - 1).rev() {
        slopes[k] -= upper[k] * slopes[k + 1];
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times that are not even.
    const TIMES: [f64; 6] = [0.0, 0.3, 0.5, 1.1, 1.2, 2.0];

    fn at(times: &[f64], values: &[f64], slopes: &[f64], t: f64) -> f64 {
        let k = times.partition_point(|x| *x <= t).clamp(1, times.len() - 1) - 1;
        let h = times[k + 1] - times[k];
        hermite((t - times[k]) / h, h, [values[k], values[k + 1]], [slopes[k], slopes[k + 1]])
    }

    #[test]
    fn a_cubic_with_its_own_slopes_is_itself() {
        let f = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t;
        let df = |t: f64| -2.0 + t + 9.0 * t * t;
        let (a, h) = (0.3, 0.7);
        for share in [0.0, 0.2, 0.5, 0.9, 1.0] {
            let value = hermite(share, h, [f(a), f(a + h)], [df(a), df(a + h)]);
            assert!((value - f(a + share * h)).abs() < 1e-14, "{value} at {share}");
        }
    }

    #[test]
    fn slopes_of_a_parabola_are_its_own() {
        let f = |t: f64| 2.0 - t + 3.0 * t * t;
        let slope = parabola_slope([0.2, 0.7], [f(-0.2), f(0.0), f(0.7)]);
        assert!((slope + 1.0).abs() < 1e-14, "{slope}");
    }

    #[test]
    fn a_natural_spline_bends_evenly_and_not_at_its_ends() {
        let values = TIMES.map(|t: f64| (3.0 * t).sin());
        let slopes = spline_slopes(&TIMES, &values);
        let f = |t: f64| at(&TIMES, &values, &slopes, t);
        // Second differences on both sides of each row, whose error is of first order in the step.
        let step = 1e-5;
        let bend = |t: f64| (f(t + step) - 2.0 * f(t) + f(t - step)) / (step * step);
        for k in 1..TIMES.len() - 1 {
            let [before, after] = [bend(TIMES[k] - step), bend(TIMES[k] + step)];
            assert!((before - after).abs() < 2e-2 * before.abs().max(1.0), "{before} {after}");
        }
        let ends = [bend(TIMES[0] + step), bend(TIMES[5] - step)];
        assert!(ends.iter().all(|x| x.abs() < 2e-2), "{ends:?}");
        for (t, value) in TIMES.iter().zip(values) {
            assert!((f(*t) - value).abs() < 1e-15, "at {t}");
        }
    }

    #[test]
    fn splines_of_a_line_and_of_few_points_are_lines() {
        assert_eq!(spline_slopes(&[1.0], &[3.0]), [0.0]);
        let slopes = spline_slopes(&TIMES, &TIMES.map(|t| 2.0 * t - 1.0));
        assert!(slopes.iter().all(|slope| (slope - 2.0).abs() < 1e-13), "{slopes:?}");
        let slopes = spline_slopes(&[0.0, 0.5], &[1.0, 2.0]);
        assert!(slopes.iter().all(|slope| (slope - 2.0).abs() < 1e-14), "{slopes:?}");
    }
}
