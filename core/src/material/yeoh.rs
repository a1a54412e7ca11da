//! Yeoh's cubic law of the first invariant (Yeoh1993).

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{ByInvariants, Decoupled, InvariantEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "yeoh",
    aliases: &["cubic_hyperelastic"],
    doc: "Yeoh, cubic in the first invariant: W = C1 a + C2 a² + C3 a³ + U(J), a = Ī1 - 3.",
    source: "Yeoh1993",
    constants: YeohConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "yeoh",
    volume: Some(VolumeEnergy::Chosen(3)),
};

material_constants! {
    /// Constants of the Yeoh law.
    YeohConstants {
        /// Factor of the first invariant, a
        c1: f64 = 1.5e5, 9e3, "Pa", POSITIVE;
        /// Factor of a²
        c2: f64 = 0.0, 2e3, "Pa", FINITE;
        /// Factor of a³
        c3: f64 = 0.0, 5e2, "Pa", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| vec![c.c1, c.c2, c.c3, c.bulk_modulus, c.bulk_potential.pack()]
}

/// The law.
pub type Yeoh<T> = Decoupled<ByInvariants<YeohEnergy<T>>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct YeohEnergy<T: Real> {
    c1: T,
    c2: T,
    c3: T,
    bulk: Bulk<T>,
}

impl<T: Real> InvariantEnergy<T> for YeohEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [c1, c2, c3] = std::array::from_fn(|k| lit(packed[k]));
        Self { c1, c2, c3, bulk: Bulk::unpack(packed[3], packed[4]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, [a, _]: [T; 2]) -> T {
        a * (self.c1 + a * (self.c2 + a * self.c3))
    }

    #[inline(always)]
    fn slopes(&self, [a, _]: [T; 2]) -> [T; 2] {
        [self.c1 + a * (self.c2 + self.c2 + a * self.c3 * lit(3.0)), T::zero()]
    }

    #[inline(always)]
    fn curvatures(&self, [a, _]: [T; 2]) -> [T; 3] {
        [self.c2 + self.c2 + a * self.c3 * lit(6.0), T::zero(), T::zero()]
    }
}
