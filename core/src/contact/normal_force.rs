//! Force along the normal of one contact by its overlap and its rate, and the mean of it over a step that brings no energy
//! (docs/theory/unilateral.md, "Laws").

use std::f64::consts::PI;

/// A change of the overlap below this share of it is taken at its middle [-]: the quotient of energies would be a
/// small difference of large numbers, and the middle is off by 1/24 of the square of this.
const NEAR: f64 = 1e-4;
/// Overlap below which a law is its own tangent there [m]: a power has none that resists at zero.
const TOUCH: f64 = 1e-9;
/// Least resistance of a row [N s/m]: of a force that hardly changes with the velocity.
const LEAST: f64 = 1e-12;
/// Share of the thickness of a layer at which its logarithm goes on in a straight line [-]: a hundred times as stiff there.
const FULL: f64 = 0.99;

/// Force f(d) (1 + c d') of a contact by its overlap d [m]; none where that is negative, and it never pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalForce {
    curve: Curve,
    /// c [s/m].
    dissipation: f64,
}

/// Elastic force by the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Curve {
    /// k d^n: k [N/m^n] and n.
    Power(f64, f64),
    /// A pressure in proportion to the overlap under a ball that is pressed into a plane [Pa/m], by its radius [m].
    Cap(f64, f64),
    /// -k h ln(1 - d / h) of a layer, by its stiffness k [N/m] at no overlap and its thickness h [m].
    Layer(f64, f64),
}

impl NormalForce {
    /// The force `stiffness` d^`exponent`, with a dissipation [s/m].
    pub fn power(stiffness: f64, exponent: f64, dissipation: f64) -> Self {
        Self { curve: Curve::Power(stiffness, exponent), dissipation }
    }

    /// The force of the part of a ball of this radius [m] that is below a plane, by its volume times a foundation
    /// [Pa/m], with a dissipation [s/m]. Beyond a half ball it goes on in a straight line.
    pub fn cap(foundation: f64, radius: f64, dissipation: f64) -> Self {
        Self { curve: Curve::Cap(foundation, radius), dissipation }
    }

    /// The force -k h ln(1 - d / h) of a layer of the thickness h [m], whose stiffness is k [N/m] at no overlap, with a
    /// dissipation [s/m]. Beyond 0.99 h it goes on in a straight line.
    pub fn layer(stiffness: f64, thickness: f64, dissipation: f64) -> Self {
        Self { curve: Curve::Layer(stiffness, thickness), dissipation }
    }

    /// Energy [J] at an overlap [m].
    pub fn energy(&self, d: f64) -> f64 {
        if d <= 0.0 {
            return 0.0;
        }
        match self.curve {
            Curve::Power(k, n) => k * d.powf(n + 1.0) / (n + 1.0),
            Curve::Cap(k, r) => {
                let e = d.min(r);
                let beyond = d - e;
                let (force, slope) = (self.force(e), PI * k * r * r);
                PI * k * e * e * e * (r / 3.0 - e / 12.0) + beyond * (force + 0.5 * slope * beyond)
            }
            Curve::Layer(k, h) => {
                let x = (d / h).min(FULL);
                let beyond = d - x * h;
                let (force, slope) = (self.force(x * h), k / (1.0 - x));
                k * h * h * strain_energy(x) + beyond * (force + 0.5 * slope * beyond)
            }
        }
    }

    /// Elastic force [N] at an overlap [m].
    pub fn force(&self, d: f64) -> f64 {
        if d <= 0.0 {
            return 0.0;
        }
        match self.curve {
            Curve::Power(k, n) => k * d.powf(n),
            Curve::Cap(k, r) => {
                let e = d.min(r);
                PI * k * (e * e * (r - e / 3.0) + r * r * (d - e))
            }
            Curve::Layer(k, h) => {
                let x = (d / h).min(FULL);
                k * (-h * (-x).ln_1p() + (d - x * h) / (1.0 - x))
            }
        }
    }

    /// Stiffness [N/m] at an overlap [m].
    pub fn stiffness(&self, d: f64) -> f64 {
        if d <= 0.0 {
            return 0.0;
        }
        match self.curve {
            Curve::Power(k, n) => k * n * d.powf(n - 1.0),
            Curve::Cap(k, r) => PI * k * if d < r { d * (2.0 * r - d) } else { r * r },
            Curve::Layer(k, h) => k / (1.0 - (d / h).min(FULL)),
        }
    }

    /// Mean force [N] over a step of `h` [s] in which two things part at the mean velocity `v` [m/s] from an overlap `d0`
    /// [m], and its derivative by `v` [N s/m]; `w` is the weight of the end, from 1/2, which keeps energy, to 1, which is the
    /// force of the end.
    pub fn mean_over_step(&self, d0: f64, v: f64, (h, w): (f64, f64)) -> (f64, f64) {
        let d1 = d0 - h * v;
        let (mean, slope) = self.mean_between(d0, d1);
        let (even, end) = (2.0 - 2.0 * w, 2.0 * w - 1.0);
        let force = even * mean + end * self.force(d1);
        let stiffness = even * slope + end * self.stiffness(d1);
        let damped = 1.0 - self.dissipation * v;
        match damped > 0.0 {
            true => (force * damped, -h * stiffness * damped - self.dissipation * force),
            false => (0.0, 0.0),
        }
    }

    /// The force whose work from one overlap to another [m] is the change of energy, and its derivative by the latter.
    fn mean_between(&self, d0: f64, d1: f64) -> (f64, f64) {
        let change = d1 - d0;
        if change.abs() <= NEAR * d0.abs().max(d1.abs()) {
            let middle = 0.5 * (d0 + d1);
            return (self.force(middle), 0.5 * self.stiffness(middle));
        }
        let mean = (self.energy(d1) - self.energy(d0)) / change;
        (mean, (self.force(d1) - mean) / change)
    }

    /// Tangent of the mean force over a step at the mean velocity `v` [m/s], as a row: the velocity at which it vanishes
    /// [m/s], and the velocity per impulse times the weight of the end [1/kg]. Where there is no force it is the
    /// tangent at the nearest velocity at which there is.
    pub fn tangent(&self, d0: f64, v: f64, (h, w): (f64, f64)) -> (f64, f64) {
        let mut near = v;
        if d0 <= TOUCH || w >= 1.0 {
            near = near.min((d0 - TOUCH) / h);
        }
        if self.dissipation > 0.0 {
            near = near.min((1.0 - 1e-9) / self.dissipation);
        }
        let (force, slope) = self.mean_over_step(d0, near, (h, w));
        let slope = slope.min(-LEAST);
        (near - force / slope, -1.0 / (w * h * slope))
    }
}

/// Integral of -ln(1 - x) from 0: (1 - x) ln(1 - x) + x, by its series where that is a difference of large numbers.
fn strain_energy(x: f64) -> f64 {
    if x > 1e-2 {
        return (1.0 - x) * (-x).ln_1p() + x;
    }
    // x² / 2 + x³ / 6 + .. + xⁿ / (n (n - 1)).
    x * x * (2..=9).rev().fold(0.0, |sum, n| sum * x + 1.0 / f64::from(n * (n - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [fn() -> NormalForce; 4] = [
        || NormalForce::power(3e6, 1.5, 0.7),
        || NormalForce::power(2e4, 1.0, 0.0),
        || NormalForce::cap(5e8, 0.04, 0.3),
        || NormalForce::layer(3e4, 0.041, 0.2),
    ];

    #[test]
    fn forces_are_the_derivatives_of_energies_and_stiffnesses_those_of_forces() {
        for law in LAWS.map(|law| law()) {
            for d in [-1e-3, 1e-4, 3e-3, 0.039, 0.041, 0.06] {
                let e = 1e-6 * f64::abs(d);
                let force = (law.energy(d + e) - law.energy(d - e)) / (2.0 * e);
                let slope = (law.force(d + e) - law.force(d - e)) / (2.0 * e);
                assert!((force - law.force(d)).abs() <= 1e-7 * law.force(d), "{law:?} at {d}");
                let stiffness = law.stiffness(d);
                assert!((slope - stiffness).abs() <= 1e-7 * stiffness, "{law:?} at {d}: {slope}");
            }
        }
    }

    #[test]
    fn the_mean_force_of_a_step_has_its_derivative_and_keeps_energy_at_the_weight_of_a_half() {
        let h = 1e-3;
        for law in LAWS.map(|law| law()) {
            for (d0, v) in [(-1e-3, -3.0), (2e-3, -1.0), (2e-3, 0.5), (3e-3, 1e-5), (1e-3, 1.2)] {
                for w in [0.5, 0.7, 1.0] {
                    let (force, slope) = law.mean_over_step(d0, v, (h, w));
                    let e = 1e-6 * f64::abs(v);
                    let [above, below] = [v + e, v - e].map(|v| law.mean_over_step(d0, v, (h, w)));
                    let found = (above.0 - below.0) / (2.0 * e);
                    // The change of a force between overlaps that hardly differ has few digits.
                    let most = 1e-5 * slope.abs() + 1e-9 * force / e;
                    assert!((found - slope).abs() <= most, "{law:?} {d0} {v} {w}: {found} {slope}");
                }
                let elastic = NormalForce { dissipation: 0.0, ..law };
                let (force, _) = elastic.mean_over_step(d0, v, (h, 0.5));
                let work = force * -h * v;
                let change = elastic.energy(d0 - h * v) - elastic.energy(d0);
                assert!((work - change).abs() <= 1e-8 * change.abs(), "{law:?}: {work} {change}");
            }
        }
    }

    #[test]
    fn the_energy_of_a_layer_is_smooth_where_its_series_ends() {
        let [below, above] = [0.99999e-2, 1.00001e-2].map(strain_energy);
        // Central: -ln(1 - x) at 0.01 times the change.
        let expected = -(-1e-2f64).ln_1p() * 2e-7;
        assert!(((above - below) / expected - 1.0).abs() < 1e-8, "{below} {above}");
    }

    #[test]
    fn a_ball_in_a_plane_is_pushed_by_the_volume_below_it() {
        let law = NormalForce::cap(2e7, 0.03, 0.0);
        // Of slices across the normal.
        let (d, count) = (0.01, 20_000);
        let slice = |k: u32| {
            let z = (f64::from(k) + 0.5) * d / f64::from(count);
            PI * (0.03f64.powi(2) - (0.03 - z).powi(2)) * d / f64::from(count)
        };
        let volume: f64 = (0..count).map(slice).sum();
        assert!((law.force(d) / (2e7 * volume) - 1.0).abs() < 1e-8);
    }
}
