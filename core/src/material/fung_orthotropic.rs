//! Fung's orthotropic exponential law over the isochoric strain (Fung1993), with ArtiSynth's constants.

use nalgebra::{Matrix3, Matrix6};

use super::bulk::Bulk;
use super::constants::material_constants;
use super::exponential::Exponential;
use super::isochoric::{Decoupled, Fictitious, IsochoricLaw, Kinematics};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy, voigt};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "fung_orthotropic",
    aliases: &["fung"],
    doc: "Fung, orthotropic: W = C/2 (exp Q - 1) + U(J), Q = 1/C Σ_a (2 mu_a (E²)_aa + Σ_b lambda_ab E_aa E_bb), E = (C̄ - I)/2 along the axes of the material.",
    source: "Fung1993",
    constants: FungOrthotropicConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::All,
    muscle: false,
    kernel: "fung_orthotropic",
    volume: Some(VolumeEnergy::Chosen(10)),
};

material_constants! {
    /// Constants of Fung's orthotropic law.
    FungOrthotropicConstants {
        /// Factor C of the exponential
        c: f64 = 1500.0, 1500.0, "Pa", POSITIVE;
        /// Modulus mu of axis 1
        mu_1: f64 = 1000.0, 1000.0, "Pa", NOT_NEGATIVE;
        /// Modulus mu of axis 2
        mu_2: f64 = 1000.0, 1200.0, "Pa", NOT_NEGATIVE;
        /// Modulus mu of axis 3
        mu_3: f64 = 1000.0, 900.0, "Pa", NOT_NEGATIVE;
        /// Modulus lambda of axis 1
        lambda_11: f64 = 2000.0, 2000.0, "Pa", FINITE;
        /// Modulus lambda of axis 2
        lambda_22: f64 = 2000.0, 2100.0, "Pa", FINITE;
        /// Modulus lambda of axis 3
        lambda_33: f64 = 2000.0, 1900.0, "Pa", FINITE;
        /// Modulus lambda of axes 1 and 2
        lambda_12: f64 = 2000.0, 1500.0, "Pa", FINITE;
        /// Modulus lambda of axes 2 and 3
        lambda_23: f64 = 2000.0, 1600.0, "Pa", FINITE;
        /// Modulus lambda of axes 1 and 3
        lambda_13: f64 = 2000.0, 1300.0, "Pa", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| {
        let (mu, k) = ([c.mu_1, c.mu_2, c.mu_3].map(|mu| 2.0 * mu / c.c), 1.0 / c.c);
        let diagonal = [c.lambda_11, c.lambda_22, c.lambda_33];
        let a = [0, 1, 2].map(|i| diagonal[i] * k + mu[i]);
        let across = [c.lambda_12 * k, c.lambda_23 * k, c.lambda_13 * k];
        let shear = [mu[0] + mu[1], mu[1] + mu[2], mu[0] + mu[2]];
        let bulk = [c.bulk_modulus, c.bulk_potential.pack()];
        [&[c.c][..], &a, &across, &shear, &bulk].concat()
    }
}

/// The law.
pub type FungOrthotropic<T> = Decoupled<FungEnergy<T>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct FungEnergy<T: Real> {
    exponential: Exponential<T>,
    bulk: Bulk<T>,
}

/// Isochoric strain along the axes of the material.
#[inline(always)]
fn strain<T: Real>(k: &Kinematics<T>) -> Matrix3<T> {
    let spherical = Matrix3::from_diagonal_element(k.shrink * lit(0.5));
    k.d.axes.transpose() * (k.d.green_strain() * k.isochoric() + spherical) * k.d.axes
}

impl<T: Real> IsochoricLaw<T> for FungEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self {
            exponential: Exponential::unpack(packed),
            bulk: Bulk::unpack(packed[10], packed[11]),
        }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn energy(&self, k: &Kinematics<T>) -> T {
        self.exponential.energy(&strain(k))
    }

    #[inline(always)]
    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T> {
        let f = k.d.f * k.d.axes;
        let shape = voigt::pushed(&f, &self.exponential.stress(&strain(k))) * k.isochoric();
        Fictitious { shape, trace: shape.trace() }
    }

    #[inline]
    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T> {
        let scale = k.isochoric();
        self.exponential.modulus(&strain(k), &(k.d.f * k.d.axes)) * (scale * scale)
    }
}
