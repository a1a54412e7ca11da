//! The piecewise linear form of Millard's curves, with the optimal length of the fibre from that of
//! its sarcomeres (ArtiSynth's `MasoudMillardLAM`).

use super::super::constants::law_constants;
use super::super::{AxialInput, Past, Range, Tension, TensionLaw};

law_constants! {
    /// Muscle of piecewise linear curves: F = f (a c(n) + p q(n)) + d dl/dt; n = (l - l0 (1 - r cos
    /// phi)) / lo, lo = l0 r 2.8 / s: c and q are Millard's curves by 6 and 4 points, q going on
    /// beyond the last.
    MasoudMillardLam = "masoud_millard_lam", Active, "Millard2013" {
        /// Maximum force f.
        max_force: f64 = 1.0, "N", Range::NonNegative;
        /// Factor p of the passive curve.
        passive_fraction: f64 = 0.0, "-", Range::NonNegative;
        /// Damping d.
        damping: f64 = 0.0, "N s/m", Range::NonNegative;
        /// Length r of the fibre at rest as a part of the rest length of the line.
        fibre_ratio: f64 = 1.0, "-", Range::Within(1e-3, 1.0);
        /// Length s of a sarcomere at rest; 2.8 um is optimal.
        sarcomere_length: f64 = 1.8, "um", Range::Positive;
        /// Pennation phi.
        pennation: f64 = 0.0, "rad", Range::Within(0.0, 1.5);
    }
}

/// Length of a sarcomere of the greatest force [um].
const OPTIMAL_SARCOMERE: f64 = 2.8;

const ACTIVE: [[f64; 2]; 6] = [
    [0.4441, 0.0],
    [0.587_05, 0.405_224],
    [0.7083, 0.7802],
    [0.9524, 1.0],
    [1.056, 1.0],
    [1.8123, 0.0],
];

const PASSIVE: [[f64; 2]; 4] = [[1.0, 0.0], [1.207, 0.053_03], [1.398, 0.2603], [1.7, 1.0]];

/// Slope of the passive curve beyond its last point.
const PASSIVE_SLOPE: f64 = (1.0 - 0.350_054) / (1.7 - 1.472_52);

/// Value and slope of a polygon; zero before it, and beyond it on with a slope.
fn polygon(points: &[[f64; 2]], beyond: f64, x: f64) -> [f64; 2] {
    let [last_x, last_y] = points[points.len() - 1];
    if x >= last_x {
        return [last_y + beyond * (x - last_x), beyond];
    }
    let Some(k) = points.windows(2).position(|p| x >= p[0][0] && x < p[1][0]) else {
        return [0.0, 0.0];
    };
    let ([x0, y0], [x1, y1]) = (points[k], points[k + 1]);
    let slope = (y1 - y0) / (x1 - x0);
    [y0 + slope * (x - x0), slope]
}

impl TensionLaw for MasoudMillardLam {
    fn tension(&self, input: &AxialInput, _past: &Past<'_>) -> Tension {
        let rest = input.rest_length;
        let optimal = rest * self.fibre_ratio * OPTIMAL_SARCOMERE / self.sarcomere_length;
        let damper = Tension {
            force: self.damping * input.rate,
            by_rate: self.damping,
            ..Tension::default()
        };
        if optimal <= 0.0 {
            return damper;
        }
        let fibre = input.length - rest * (1.0 - self.fibre_ratio * self.pennation.cos());
        let n = fibre / optimal;
        let [c, c_slope] = polygon(&ACTIVE, 0.0, n);
        let [q, q_slope] = polygon(&PASSIVE, PASSIVE_SLOPE, n);
        let (f, a, p) = (self.max_force, input.excitation, self.passive_fraction);
        Tension {
            force: f * (a * c + p * q) + damper.force,
            by_length: f * (a * c_slope + p * q_slope) / optimal,
            by_rate: self.damping,
            by_excitation: f * c,
        }
    }
}
