//! Fibres that pull with a constant force.

use super::constants::material_constants;
use super::fibre::{FibreEnergy, PlainFibre};
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "constant_muscle",
    aliases: &["constant"],
    doc: "Constant muscle: fibres whose force does not depend on their stretch: J sigma = smax a λ f⊗f; W = smax a (λ - 1).",
    source: "Lloyd2012",
    constants: ConstantMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "constant_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    ConstantMuscleConstants {
        /// Stress of fibres that are fully active, at their optimal stretch
        max_stress: f64 = 3e4, 3e4, "Pa", NOT_NEGATIVE;
    }
    |c| vec![c.max_stress]
}

/// The law.
pub type ConstantMuscle<T> = PlainFibre<ConstantMuscleEnergy<T>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct ConstantMuscleEnergy<T: Real> {
    max_stress: T,
}

impl<T: Real> FibreEnergy<T> for ConstantMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { max_stress: lit(packed[0]) }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        self.max_stress * activation * (stretch - T::one())
    }

    #[inline(always)]
    fn tension(&self, stretch: T, activation: T) -> [T; 2] {
        let tension = self.max_stress * activation * stretch;
        [tension, tension]
    }
}
