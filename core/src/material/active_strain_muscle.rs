//! Muscle that shortens its shape without stress: active strain (Cherubini2008, AmbrosiPezzuto2012), over isochoric
//! invariants.

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{Decoupled, Kinematics};
use super::structure::{ByTerms, Structure, Term, TermEnergy};
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "active_strain_muscle",
    aliases: &["active_strain"],
    doc: "Muscle by active strain: W(F Fa⁻¹) of a neo-Hookean matrix with fibres that bear no compression, Fa = la f⊗f + (I - f⊗f)/√la, la = 1 - shortening a: W = G/2 (la Ī1 + (la⁻² - la) Ī4 - 3) + k1/(2 k2) (exp(k2 <E>²) - 1), E = Ī4/la² - 1, <E> = max(E, 0). It is beside the law of the tissue; where that is soft, free fibres shorten to la.",
    source: "AmbrosiPezzuto2012",
    constants: ActiveStrainMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "active_strain_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    ActiveStrainMuscleConstants {
        /// Shear modulus G of what shortens
        shear_modulus: f64 = 1e4, 1e4, "Pa", NOT_NEGATIVE;
        /// Stiffness k1 of its fibres
        k1: f64 = 2e4, 2e4, "Pa", NOT_NEGATIVE;
        /// Exponent k2 of its fibres
        k2: f64 = 1.0, 1.0, "-", POSITIVE;
        /// Share of their length by which free fibres shorten that are fully active
        shortening: f64 = 0.3, 0.3, "-", PART;
    }
    |c| vec![c.shear_modulus, c.k1, c.k2, c.shortening]
}

/// The law.
pub type ActiveStrainMuscle<T> = Decoupled<ByTerms<ActiveStrainMuscleEnergy<T>, 3>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct ActiveStrainMuscleEnergy<T: Real> {
    half_modulus: T,
    k1: T,
    k2: T,
    shortening: T,
}

impl<T: Real> TermEnergy<T, 3> for ActiveStrainMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let [g, k1, k2, shortening] = std::array::from_fn(|k| lit(packed[k]));
        Self { half_modulus: g * lit(0.5), k1, k2, shortening }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        Bulk::unpack(0.0, 0.0)
    }

    #[inline(always)]
    fn terms(&self, k: &Kinematics<T>) -> [(Term<T>, Structure<T>); 3] {
        // la and la⁻².
        let stretch = T::one() - self.shortening * k.d.activation;
        let square = T::one() / (stretch * stretch);
        let direction = k.d.axes.column(0).into_owned();
        let change = k.change_along(&direction, &direction);
        let (matrix, fibre) = (Structure::isotropic(k), Structure::fibre(k, &direction));
        let strain = change * square + (square - T::one());
        let mut ground = Term::linear(self.half_modulus * stretch, k.invariants()[0]);
        // That of the shape at rest.
        ground.energy += self.half_modulus * (stretch + stretch + square - lit(3.0));
        [
            (ground, matrix),
            (Term::linear(self.half_modulus * (square - stretch), change), fibre),
            (Term::tension_only(self.k1, self.k2, strain), fibre.scaled(square)),
        ]
    }
}
