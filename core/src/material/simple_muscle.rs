//! Fibres whose Kirchhoff stress is the activation times a constant (Lloyd2012).

use super::constants::material_constants;
use super::fibre::{FibreEnergy, PlainFibre};
use super::{Axes, LawKind};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "simple_muscle",
    aliases: &["simple"],
    doc: "Simple muscle: fibres whose tension over the area at rest, times their stretch, is activation times maximum stress: J sigma = smax a f⊗f, f the unit vector along the fibre; W = smax a ln λ.",
    source: "Lloyd2012",
    constants: SimpleMuscleConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::Fibre,
    muscle: true,
    kernel: "simple_muscle",
    volume: None,
};

material_constants! {
    /// Constants of the law.
    SimpleMuscleConstants {
        /// Stress of fibres that are fully active, at their optimal stretch
        max_stress: f64 = 3e4, 3e4, "Pa", NOT_NEGATIVE;
    }
    |c| vec![c.max_stress]
}

/// The law.
pub type SimpleMuscle<T> = PlainFibre<SimpleMuscleEnergy<T>>;

/// Energy of its fibres.
#[derive(Clone, Copy, Debug)]
pub struct SimpleMuscleEnergy<T: Real> {
    max_stress: T,
}

impl<T: Real> FibreEnergy<T> for SimpleMuscleEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self { max_stress: lit(packed[0]) }
    }

    #[inline(always)]
    fn energy(&self, stretch: T, activation: T) -> T {
        self.max_stress * activation * stretch.ln()
    }

    #[inline(always)]
    fn tension(&self, _: T, activation: T) -> [T; 2] {
        [self.max_stress * activation, T::zero()]
    }
}
