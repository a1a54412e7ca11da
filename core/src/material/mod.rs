//! Constitutive laws of soft tissue: energy -> Cauchy stress -> spatial tangent, at a point.
//! One file a law, one variant in [`MaterialSpec`]. Voigt order: xx, yy, zz, xy, yz, xz, full
//! tensor components (no factor 2 in the tangent).

use nalgebra::{Matrix3, Matrix6};

use crate::{Real, lit};

/// What a law is evaluated at: the deformation of one point, built from the displacement gradient
/// `H = F - I` so that small strains keep their digits in f32.
#[derive(Clone, Copy, Debug)]
pub struct Deformation<T: Real> {
    /// Displacement gradient H [-], row = component, column = reference direction.
    pub h: Matrix3<T>,
    /// Deformation gradient F = I + H [-].
    pub f: Matrix3<T>,
    /// Volume ratio J = det F [-].
    pub j: T,
}

impl<T: Real> Deformation<T> {
    /// From the displacement gradient.
    #[inline(always)]
    pub fn new(h: Matrix3<T>) -> Self {
        let f = h + Matrix3::identity();
        Self { h, f, j: f.determinant() }
    }

    /// Green-Lagrange strain E = (H + Hᵀ + HᵀH) / 2 [-].
    #[inline(always)]
    pub fn green_strain(&self) -> Matrix3<T> {
        (self.h + self.h.transpose() + self.h.transpose() * self.h) * lit::<T>(0.5)
    }
}

/// A constitutive law at one point.
pub trait Material<T: Real>: Copy + Send + Sync {
    /// Whether the law is undefined for J <= 0 (an inverted point is then an error of the step).
    const NEEDS_POSITIVE_VOLUME: bool;

    /// Strain energy per reference volume W [J/m³].
    fn energy(&self, d: &Deformation<T>) -> T;

    /// Cauchy stress [Pa].
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T>;

    /// Cauchy stress [Pa] and spatial tangent [Pa], the latter with both minor symmetries.
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>);
}

/// A law with its constants, as a model holds it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MaterialSpec {
    /// Small-strain linear elasticity.
    Linear(Isotropic),
    /// Linear elasticity in the frame that turns with the element (ArtiSynth's default).
    Corotated(Isotropic),
    /// St. Venant-Kirchhoff.
    StVenantKirchhoff(Isotropic),
    /// Compressible neo-Hookean, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)².
    NeoHookean(Isotropic),
    /// Five-constant Mooney-Rivlin with a quadratic bulk term.
    MooneyRivlin(MooneyRivlinConstants),
}

/// Constants of an isotropic law.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Isotropic {
    /// Young's modulus E [Pa].
    pub youngs_modulus: f64,
    /// Poisson's ratio nu [-], in (-1, 0.5).
    pub poissons_ratio: f64,
}

/// Constants of the five-constant Mooney-Rivlin law, all [Pa].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MooneyRivlinConstants {
    /// Factor of (Ī1 - 3).
    pub c10: f64,
    /// Factor of (Ī2 - 3).
    pub c01: f64,
    /// Factor of (Ī1 - 3)(Ī2 - 3).
    pub c11: f64,
    /// Factor of (Ī1 - 3)².
    pub c20: f64,
    /// Factor of (Ī2 - 3)².
    pub c02: f64,
    /// Bulk modulus kappa of kappa/2 (J - 1)².
    pub bulk_modulus: f64,
}
