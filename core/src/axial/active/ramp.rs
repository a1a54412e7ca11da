//! Common parts of the simple muscles: a ramp from the optimal to the maximum length, the length of
//! the fibre where the tendon is a fixed part of the line, and the raised cosine.

use std::f64::consts::PI;

/// (l - lo) / (lm - lo), held at 0 below and 1 above, and its derivative.
pub(super) fn ramp(length: f64, optimal: f64, max: f64) -> [f64; 2] {
    if length <= optimal {
        [0.0, 0.0]
    } else if length >= max {
        [1.0, 0.0]
    } else {
        [(length - optimal) / (max - optimal), 1.0 / (max - optimal)]
    }
}

/// Length of the fibre over its optimal length, (l - lo t) / (lo (1 - t)), and its derivative. An
/// optimal length of zero, ArtiSynth's default, makes every fibre infinitely long.
pub(super) fn normalized(length: f64, optimal: f64, tendon_ratio: f64) -> [f64; 2] {
    let fibre = optimal * (1.0 - tendon_ratio);
    if fibre > 0.0 {
        [(length - optimal * tendon_ratio) / fibre, 1.0 / fibre]
    } else {
        [f64::INFINITY, 0.0]
    }
}

/// (1 + cos 2 pi n) / 2 and its derivative by n.
pub(super) fn raised_cosine(n: f64) -> [f64; 2] {
    [0.5 * (1.0 + (2.0 * PI * n).cos()), -PI * (2.0 * PI * n).sin()]
}
