//! The eight-chain law of Arruda and Boyce by the series of its inverse Langevin function
//! (ArrudaBoyce1993).

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{ByInvariants, Decoupled, InvariantEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::axial::choice;
use crate::{Real, lit};

/// Factors of the powers of Ī1.
const SERIES: [f64; 5] = [0.5, 1.0 / 20.0, 11.0 / 1050.0, 19.0 / 7000.0, 519.0 / 673_750.0];

choice! {
    /// Number of terms of the series of the inverse Langevin function.
    ChainSeries {
        /// Four, as in ArtiSynth 3.9, where the fifth is lost in a division of whole numbers.
        Four = "four",
        /// Five, as published.
        Five = "five",
    }
}

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "arruda_boyce",
    aliases: &["eight_chain"],
    doc: "Arruda-Boyce: W = mu Σ c_i / N^(i-1) (Ī1^i - 3^i) + U(J), c = 1/2, 1/20, 11/1050, 19/7000, 519/673750, N the square of the locking stretch. ArtiSynth has four of the terms.",
    source: "ArrudaBoyce1993",
    constants: ArrudaBoyceConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "arruda_boyce",
    volume: Some(VolumeEnergy::Chosen(3)),
};

material_constants! {
    /// Constants of the Arruda-Boyce law.
    ArrudaBoyceConstants {
        /// Modulus mu of the chains
        modulus: f64 = 1e3, 1.2e4, "Pa", POSITIVE;
        /// Stretch at which chains are straight, the square root of N
        locking_stretch: f64 = 2.0, 1.8, "-", POSITIVE;
        /// Number of terms of the series
        series: ChainSeries = ChainSeries::Four, ChainSeries::Five, "-", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| {
        let weight = 1.0 / (c.locking_stretch * c.locking_stretch);
        let fifth = if c.series == ChainSeries::Five { 1.0 } else { 0.0 };
        vec![c.modulus, weight, fifth, c.bulk_modulus, c.bulk_potential.pack()]
    }
}

/// The law.
pub type ArrudaBoyce<T> = Decoupled<ByInvariants<ArrudaBoyceEnergy<T>>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct ArrudaBoyceEnergy<T: Real> {
    /// mu c_i / N^(i-1).
    factors: [T; 5],
    bulk: Bulk<T>,
}

impl<T: Real> InvariantEnergy<T> for ArrudaBoyceEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let factor = |k: usize| packed[0] * SERIES[k] * packed[1].powi(k as i32);
        let last = factor(4) * packed[2];
        let factors = [factor(0), factor(1), factor(2), factor(3), last].map(lit);
        Self { factors, bulk: Bulk::unpack(packed[3], packed[4]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, [a, _]: [T; 2]) -> T {
        // Ī1^i - 3^i from that of i - 1, without differences of large numbers.
        let i1 = a + lit(3.0);
        let (mut sum, mut power, mut three) = (T::zero(), a, lit::<T>(3.0));
        for factor in self.factors {
            sum += factor * power;
            power = power * i1 + three * a;
            three *= lit(3.0);
        }
        sum
    }

    #[inline(always)]
    fn slopes(&self, [a, _]: [T; 2]) -> [T; 2] {
        let i1 = a + lit(3.0);
        let (mut sum, mut power) = (T::zero(), T::one());
        for (factor, i) in self.factors.iter().zip(1..) {
            sum += *factor * power * lit(f64::from(i));
            power *= i1;
        }
        [sum, T::zero()]
    }

    #[inline(always)]
    fn curvatures(&self, [a, _]: [T; 2]) -> [T; 3] {
        let i1 = a + lit(3.0);
        let (mut sum, mut power) = (T::zero(), T::one());
        for (factor, i) in self.factors.iter().zip(1..).skip(1) {
            sum += *factor * power * lit(f64::from(i * (i - 1)));
            power *= i1;
        }
        [sum, T::zero(), T::zero()]
    }
}
