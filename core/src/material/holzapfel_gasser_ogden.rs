//! Arterial layers with two families of dispersed fibres (GasserOgdenHolzapfel2006).

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{Decoupled, Kinematics};
use super::structure::{ByTerms, Structure, Term, TermEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "hgo",
    aliases: &["holzapfel_gasser_ogden", "gasser_ogden_holzapfel"],
    doc: "Holzapfel-Gasser-Ogden, two families of fibres at an angle to either side of the fibre axis, in the plane of the sheets: W = c/2 (Ī1 - 3) + Σ k1/(2 k2) (exp(k2 <E>²) - 1) + U(J), E = kappa (Ī1 - 3) + (1 - 3 kappa)(Ī4 - 1), <E> = max(E, 0).",
    source: "GasserOgdenHolzapfel2006",
    constants: HolzapfelGasserOgdenConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::All,
    muscle: false,
    kernel: "holzapfel_gasser_ogden",
    volume: Some(VolumeEnergy::Chosen(6)),
};

material_constants! {
    /// Constants of the Holzapfel-Gasser-Ogden law.
    HolzapfelGasserOgdenConstants {
        /// Shear modulus c of the matrix
        shear_modulus: f64 = 1.5e4, 1.5e4, "Pa", POSITIVE;
        /// Stiffness k1 of the fibres
        k1: f64 = 5e4, 5e4, "Pa", NOT_NEGATIVE;
        /// Exponent k2 of the fibres
        k2: f64 = 2.0, 2.0, "-", POSITIVE;
        /// Dispersion kappa: 0 of parallel fibres, 1/3 of fibres in all directions
        dispersion: f64 = 0.1, 0.1, "-", DISPERSION;
        /// Angle of the families to the fibre axis
        angle: f64 = 0.7, 0.7, "rad", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 5e6, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| {
        let (sin, cos) = c.angle.sin_cos();
        let bulk = [c.bulk_modulus, c.bulk_potential.pack()];
        [&[c.shear_modulus, c.k1, c.k2, c.dispersion, cos, sin][..], &bulk].concat()
    }
}

/// The law.
pub type HolzapfelGasserOgden<T> = Decoupled<ByTerms<HolzapfelGasserOgdenEnergy<T>, 3>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct HolzapfelGasserOgdenEnergy<T: Real> {
    c: T,
    k1: T,
    k2: T,
    dispersion: T,
    cos: T,
    sin: T,
    bulk: Bulk<T>,
}

impl<T: Real> TermEnergy<T, 3> for HolzapfelGasserOgdenEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [c, k1, k2, dispersion, cos, sin] = std::array::from_fn(|k| lit(packed[k]));
        Self { c, k1, k2, dispersion, cos, sin, bulk: Bulk::unpack(packed[6], packed[7]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn terms(&self, k: &Kinematics<T>) -> [(Term<T>, Structure<T>); 3] {
        let [a, _] = k.invariants();
        let matrix = Structure::isotropic(k);
        let along = T::one() - self.dispersion * lit(3.0);
        let family = |sin: T| {
            let direction = k.d.axes.column(0) * self.cos + k.d.axes.column(1) * sin;
            let strain = self.dispersion * a + along * k.change_along(&direction, &direction);
            let fibre = Structure::fibre(k, &direction);
            let structure = matrix.mixed(self.dispersion, &fibre, along);
            (Term::tension_only(self.k1, self.k2, strain), structure)
        };
        let ground = Term::linear(self.c * lit(0.5), a);
        [(ground, matrix), family(self.sin), family(-self.sin)]
    }
}
