//! The exponential law of skin by Veronda and Westmann (VerondaWestmann1970).

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{ByInvariants, Decoupled, InvariantEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "veronda_westmann",
    aliases: &["veronda"],
    doc: "Veronda-Westmann: W = C1 (exp(C2 a) - 1) - C1 C2/2 b + U(J), a = Ī1 - 3, b = Ī2 - 3.",
    source: "VerondaWestmann1970",
    constants: VerondaWestmannConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "veronda_westmann",
    volume: Some(VolumeEnergy::Chosen(2)),
};

material_constants! {
    /// Constants of the Veronda-Westmann law.
    VerondaWestmannConstants {
        /// Factor of the exponential
        c1: f64 = 1e3, 2e3, "Pa", POSITIVE;
        /// Exponent of the first invariant
        c2: f64 = 10.0, 5.0, "-", POSITIVE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| vec![c.c1, c.c2, c.bulk_modulus, c.bulk_potential.pack()]
}

/// The law.
pub type VerondaWestmann<T> = Decoupled<ByInvariants<VerondaWestmannEnergy<T>>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct VerondaWestmannEnergy<T: Real> {
    c1: T,
    c2: T,
    bulk: Bulk<T>,
}

impl<T: Real> InvariantEnergy<T> for VerondaWestmannEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { c1: lit(packed[0]), c2: lit(packed[1]), bulk: Bulk::unpack(packed[2], packed[3]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, [a, b]: [T; 2]) -> T {
        self.c1 * ((self.c2 * a).exp_m1() - self.c2 * b * lit(0.5))
    }

    #[inline(always)]
    fn slopes(&self, [a, _]: [T; 2]) -> [T; 2] {
        let modulus = self.c1 * self.c2;
        [modulus * (self.c2 * a).exp(), -modulus * lit(0.5)]
    }

    #[inline(always)]
    fn curvatures(&self, [a, _]: [T; 2]) -> [T; 3] {
        [self.c1 * self.c2 * self.c2 * (self.c2 * a).exp(), T::zero(), T::zero()]
    }
}
