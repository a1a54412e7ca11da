//! Bulk potentials U(J) of laws with an isochoric part, which resist changes of volume.

use crate::axial::choice;
use crate::{Real, lit};

choice! {
    /// The energy of a change of volume, kappa the bulk modulus.
    BulkPotential {
        /// kappa/2 (J - 1)².
        Quadratic = "quadratic",
        /// kappa/2 (ln J)².
        Logarithmic = "logarithmic",
    }
}

/// A bulk potential with its modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bulk<T: Real> {
    modulus: T,
    logarithmic: bool,
}

impl<T: Real> Bulk<T> {
    /// From two packed numbers: modulus [Pa], and 1 where the potential is logarithmic.
    pub fn unpack(modulus: f64, logarithmic: f64) -> Self {
        Self { modulus: lit(modulus), logarithmic: logarithmic != 0.0 }
    }

    /// The same potential with another modulus [Pa].
    pub fn with_modulus(self, modulus: T) -> Self {
        Self { modulus, ..self }
    }

    /// Modulus kappa [Pa].
    pub fn modulus(&self) -> T {
        self.modulus
    }

    /// U at the change of volume J - 1 [J/m³].
    #[inline(always)]
    pub fn energy(&self, change: T) -> T {
        let strain = if self.logarithmic { change.ln_1p() } else { change };
        lit::<T>(0.5) * self.modulus * strain * strain
    }

    /// p = U' and p + J U''.
    #[inline(always)]
    pub(super) fn pressures(&self, change: T) -> (T, T) {
        let j = T::one() + change;
        if self.logarithmic {
            (self.modulus * change.ln_1p() / j, self.modulus / j)
        } else {
            let p = self.modulus * change;
            (p, p + self.modulus * j)
        }
    }

    /// U' and U'' at the change of volume J - 1 [Pa].
    #[inline(always)]
    pub fn slopes(&self, change: T) -> (T, T) {
        let (p, sum) = self.pressures(change);
        (p, (sum - p) / (T::one() + change))
    }
}

impl Bulk<f64> {
    /// As kernels take it: modulus [Pa], and 1 where the potential is logarithmic.
    pub fn packed(&self) -> [f64; 2] {
        [self.modulus, f64::from(u8::from(self.logarithmic))]
    }
}

impl BulkPotential {
    /// As kernels take it.
    pub(super) fn pack(self) -> f64 {
        match self {
            Self::Quadratic => 0.0,
            Self::Logarithmic => 1.0,
        }
    }
}
