//! The five-constant Mooney-Rivlin law over a = Ī1 - 3, b = Ī2 - 3 (Holzapfel2000, section 6.5).

use super::bulk::Bulk;
use super::constants::{Unfit, material_constants};
use super::isochoric::{ByInvariants, Decoupled, InvariantEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "mr",
    aliases: &["mooney_rivlin"],
    doc: "Five-constant Mooney-Rivlin: W = C10 a + C01 b + C11 ab + C20 a² + C02 b² + U(J), a = Ī1 - 3, b = Ī2 - 3.",
    source: "Mooney1940",
    constants: MooneyRivlinConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "mooney_rivlin",
    volume: Some(VolumeEnergy::Chosen(5)),
};

material_constants! {
    /// Constants of the five-constant Mooney-Rivlin law.
    MooneyRivlinConstants {
        /// Factor of the first invariant, a
        c10: f64 = 1.5e5, 6e3, "Pa", FINITE;
        /// Factor of the second invariant, b
        c01: f64 = 0.0, 3e3, "Pa", FINITE;
        /// Factor of the product of both
        c11: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Factor of the first, squared
        c20: f64 = 0.0, 2e3, "Pa", FINITE;
        /// Factor of the second, squared
        c02: f64 = 0.0, 5e2, "Pa", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| vec![c.c10, c.c01, c.c11, c.c20, c.c02, c.bulk_modulus, c.bulk_potential.pack()],
    // Fits to measurements may have one of the two negative.
    together |c| Unfit::unless_positive(
        "c10 + c01",
        c.c10 + c.c01,
        "positive [Pa]: twice it is the shear modulus at rest",
    )
}

/// The law.
pub type MooneyRivlin<T> = Decoupled<ByInvariants<MooneyRivlinEnergy<T>>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct MooneyRivlinEnergy<T: Real> {
    c10: T,
    c01: T,
    c11: T,
    c20: T,
    c02: T,
    bulk: Bulk<T>,
}

impl<T: Real> InvariantEnergy<T> for MooneyRivlinEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [c10, c01, c11, c20, c02] = std::array::from_fn(|k| lit(packed[k]));
        Self { c10, c01, c11, c20, c02, bulk: Bulk::unpack(packed[5], packed[6]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, [a, b]: [T; 2]) -> T {
        self.c10 * a + self.c01 * b + self.c11 * a * b + self.c20 * a * a + self.c02 * b * b
    }

    #[inline(always)]
    fn slopes(&self, [a, b]: [T; 2]) -> [T; 2] {
        let two = lit::<T>(2.0);
        [self.c10 + self.c11 * b + two * self.c20 * a, self.c01 + self.c11 * a + two * self.c02 * b]
    }

    #[inline(always)]
    fn curvatures(&self, _: [T; 2]) -> [T; 3] {
        [self.c20 + self.c20, self.c11, self.c02 + self.c02]
    }
}

impl MooneyRivlinConstants {
    /// Shear modulus at rest, 2 (C10 + C01) [Pa].
    pub fn shear_modulus(&self) -> f64 {
        2.0 * (self.c10 + self.c01)
    }
}
