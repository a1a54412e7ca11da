//! Fibres of constant second Piola-Kirchhoff stress, as benchmarks of cardiac mechanics take active stress.

use super::constants::material_constants;
use super::fibre::{FibreEnergy, PlainFibre};
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "piola_muscle",
    aliases: &["piola"],
    doc: "Piola muscle: fibres whose second Piola-Kirchhoff stress does not depend on their stretch: J sigma = smax a λ² f⊗f; W = smax a (λ² - 1) / 2.",
    source: "Land2015",
    constants: PiolaMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "piola_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    PiolaMuscleConstants {
        /// Second Piola-Kirchhoff stress of fibres that are fully active
        max_stress: f64 = 3e4, 3e4, "Pa", NOT_NEGATIVE;
    }
    |c| vec![c.max_stress]
}

/// The law.
pub type PiolaMuscle<T> = PlainFibre<PiolaMuscleEnergy<T>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct PiolaMuscleEnergy<T: Real> {
    max_stress: T,
}

impl<T: Real> FibreEnergy<T> for PiolaMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { max_stress: lit(packed[0]) }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        self.max_stress * activation * (stretch - T::one()) * (stretch + T::one()) * lit(0.5)
    }

    #[inline(always)]
    fn tension(&self, stretch: T, activation: T) -> [T; 2] {
        let tension = self.max_stress * activation * stretch * stretch;
        [tension, tension + tension]
    }
}
