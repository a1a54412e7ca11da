//! Neo-Hookean with the change of volume apart (Holzapfel2000, section 6.5).

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{ByInvariants, Decoupled, InvariantEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "neohook_isochoric",
    aliases: &["isochoric_neo_hookean", "incompressible_neo_hookean", "incomp_neo_hookean"],
    doc: "Neo-Hookean with the change of volume apart: W = G/2 a + U(J), a = Ī1 - 3.",
    source: "Holzapfel2000",
    constants: IsochoricNeoHookeanConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "isochoric_neo_hookean",
    volume: Some(VolumeEnergy::Chosen(1)),
};

material_constants! {
    /// Constants of the isochoric neo-Hookean law.
    IsochoricNeoHookeanConstants {
        /// Shear modulus G
        shear_modulus: f64 = 1.5e5, 1.8e4, "Pa", POSITIVE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| vec![c.shear_modulus, c.bulk_modulus, c.bulk_potential.pack()]
}

/// The law.
pub type IsochoricNeoHookean<T> = Decoupled<ByInvariants<IsochoricNeoHookeanEnergy<T>>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct IsochoricNeoHookeanEnergy<T: Real> {
    half_modulus: T,
    bulk: Bulk<T>,
}

impl<T: Real> InvariantEnergy<T> for IsochoricNeoHookeanEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { half_modulus: lit(0.5 * packed[0]), bulk: Bulk::unpack(packed[1], packed[2]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, [a, _]: [T; 2]) -> T {
        self.half_modulus * a
    }

    #[inline(always)]
    fn slopes(&self, _: [T; 2]) -> [T; 2] {
        [self.half_modulus, T::zero()]
    }

    #[inline(always)]
    fn curvatures(&self, _: [T; 2]) -> [T; 3] {
        [T::zero(); 3]
    }
}
