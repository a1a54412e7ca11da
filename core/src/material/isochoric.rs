//! Laws W(F) = W̄(F̄) + U(J) with F̄ = J^(-1/3) F: the functions that such a law gives, and stress
//! and tangent that follow from them for all such laws. Holzapfel, Nonlinear Solid Mechanics,
//! sections 6.4 and 6.6.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::bulk::Bulk;
use super::voigt::{self, deviator};
use super::{Deformation, Material, Unpack, to_voigt};
use crate::{Real, lit};

/// Arguments of isochoric energies, with all digits at small strain.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<T: Real> {
    pub(super) d: Deformation<T>,
    /// J - 1.
    pub(super) volume_change: T,
    /// J^(-2/3) - 1.
    pub(super) shrink: T,
    /// b - I, not isochoric.
    pub(super) left: Matrix3<T>,
}

impl<T: Real> Kinematics<T> {
    #[inline(always)]
    pub(super) fn new(d: &Deformation<T>) -> Self {
        let volume_change = d.volume_change();
        let shrink = (volume_change.ln_1p() * lit(-2.0 / 3.0)).exp_m1();
        Self { d: *d, volume_change, shrink, left: d.left_strain() }
    }

    /// J^(-2/3).
    #[inline(always)]
    pub(super) fn isochoric(&self) -> T {
        T::one() + self.shrink
    }

    /// b̄.
    #[inline(always)]
    pub(super) fn left_tensor(&self) -> Matrix3<T> {
        (self.left + Matrix3::identity()) * self.isochoric()
    }

    /// a = Ī1 - 3 and b = Ī2 - 3.
    ///
    /// With t = tr b / 3 and D = dev b / t, det b = J² = t³ (1 - q), q = D:D/2 - det D. So
    /// Ī1 = 3 (1 - q)^(-1/3) and Ī2 = 3 (1 - p) (1 - q)^(-2/3), p = D:D/6: both differ from 3 by
    /// squares of the strain, and here nothing of first order is subtracted.
    #[inline(always)]
    pub(super) fn invariants(&self) -> [T; 2] {
        let third = lit::<T>(1.0 / 3.0);
        let t = T::one() + self.left.trace() * third;
        let dev = deviator(&self.left) / t;
        let squares = dev.norm_squared();
        let q = lit::<T>(0.5) * squares - dev.determinant();
        let p = squares * lit(1.0 / 6.0);
        let log = (-q).ln_1p() * third;
        let a = lit::<T>(3.0) * (-log).exp_m1();
        [a, lit::<T>(3.0) * ((-log - log).exp_m1() * (T::one() - p) - p)]
    }

    /// ā·b̄ - a0·b0 of the images ā, b̄ = F̄ a0, F̄ b0 of two directions at rest.
    #[inline(always)]
    pub(super) fn change_along(&self, a0: &Vector3<T>, b0: &Vector3<T>) -> T {
        let strain = a0.dot(&(self.d.green_strain() * b0)) * lit(2.0);
        strain * self.isochoric() + self.shrink * a0.dot(b0)
    }

    /// F̄ a0 of a direction at rest.
    #[inline(always)]
    pub(super) fn image(&self, a0: &Vector3<T>) -> Vector3<T> {
        self.d.f * a0 * self.isochoric().sqrt()
    }
}

/// J sigma̅ of an isochoric energy: F̄ S̅ F̄ᵀ, before its deviator is taken.
#[derive(Clone, Copy, Debug)]
pub struct Fictitious<T: Real> {
    /// The same up to a multiple of the identity, without differences of large numbers.
    pub(super) shape: Matrix3<T>,
    /// Its trace.
    pub(super) trace: T,
}

/// An isochoric energy with a bulk potential.
pub trait IsochoricLaw<T: Real>: Copy + Send + Sync {
    /// From packed constants.
    fn unpack(packed: &[f64]) -> Self;

    /// Its volumetric part U(J).
    fn bulk(&self) -> Bulk<T>;

    /// W̄ [J/m³].
    fn energy(&self, k: &Kinematics<T>) -> T;

    /// J sigma̅ [Pa].
    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T>;

    /// J c̅ [Pa], the push-forward of 4 d²W̄/dC̄² by F̄; only its deviatoric part counts.
    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T>;
}

/// The whole law of an isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct Decoupled<L>(L);

impl<T: Real, L: IsochoricLaw<T>> Unpack<T> for Decoupled<L> {
    fn unpack(packed: &[f64]) -> Self {
        Self(L::unpack(packed))
    }
}

impl<T: Real, L: IsochoricLaw<T>> Material<T> for Decoupled<L> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let k = Kinematics::new(d);
        self.0.energy(&k) + self.0.bulk().energy(k.volume_change)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let k = Kinematics::new(d);
        let (pressure, _) = self.0.bulk().pressures(k.volume_change);
        deviator(&self.0.stress(&k).shape) / d.j + Matrix3::from_diagonal_element(pressure)
    }

    /// Bulk part (p + J U'') I⊗I - 2p 𝕀; isochoric part
    /// P:c̄:P + 2/3 tr(sigma̅) (𝕀 - I⊗I/3) - 2/3 (I⊗dev sigma̅ + dev sigma̅⊗I), P the projector.
    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let (two, third) = (lit::<T>(2.0), lit::<T>(1.0 / 3.0));
        let k = Kinematics::new(d);
        let (pressure, stiffness) = self.0.bulk().pressures(k.volume_change);
        let fictitious = self.0.stress(&k);
        let dev = deviator(&fictitious.shape) / d.j;
        let trace = fictitious.trace / d.j;
        let unit = to_voigt(&Matrix3::identity());
        let side = to_voigt(&dev) * unit.transpose() * (two * third);
        let mu = trace * third - pressure;
        let lambda = stiffness - trace * third * two * third;
        let tangent = voigt::projected(&self.0.modulus(&k)) / d.j - side - side.transpose()
            + voigt::isotropic(lambda, mu);
        (dev + Matrix3::from_diagonal_element(pressure), tangent)
    }
}

/// An isochoric energy of a = Ī1 - 3 and b = Ī2 - 3 alone.
pub trait InvariantEnergy<T: Real>: Copy + Send + Sync {
    /// From packed constants.
    fn unpack(packed: &[f64]) -> Self;

    /// Its volumetric part U(J).
    fn bulk(&self) -> Bulk<T>;

    /// W̄(a, b) [J/m³].
    fn energy(&self, invariants: [T; 2]) -> T;

    /// Derivatives by a and b [Pa].
    fn slopes(&self, invariants: [T; 2]) -> [T; 2];

    /// Second derivatives aa, ab, bb [Pa].
    fn curvatures(&self, invariants: [T; 2]) -> [T; 3];
}

/// The isochoric law of an energy of the invariants.
#[derive(Clone, Copy, Debug)]
pub struct ByInvariants<L>(L);

impl<T: Real, L: InvariantEnergy<T>> IsochoricLaw<T> for ByInvariants<L> {
    fn unpack(packed: &[f64]) -> Self {
        Self(L::unpack(packed))
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.0.bulk()
    }

    #[inline(always)]
    fn energy(&self, k: &Kinematics<T>) -> T {
        self.0.energy(k.invariants())
    }

    /// 2 [(W1 + Ī1 W2) b̄ - W2 b̄²], from b - I.
    #[inline(always)]
    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T> {
        let two = lit::<T>(2.0);
        let invariants = k.invariants();
        let [w1, w2] = self.0.slopes(invariants);
        let i1 = invariants[0] + lit(3.0);
        let i2 = invariants[1] + lit(3.0);
        let scale = k.isochoric();
        let linear = (w1 + w2 * i1) * scale;
        let square = w2 * scale * scale;
        let sum = k.left * (linear - square - square) - k.left * k.left * square;
        // tr b̄² = Ī1² - 2 Ī2.
        Fictitious { shape: sum * two, trace: (w1 * i1 + w2 * (i2 + i2)) * two }
    }

    /// 4 [(W11 + W2) b̄⊗b̄ + W12 (b̄⊗g + g⊗b̄) + W22 g⊗g - W2/2 b̄⊙b̄], g = Ī1 b̄ - b̄².
    #[inline]
    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T> {
        let invariants = k.invariants();
        let [_, w2] = self.0.slopes(invariants);
        let [w11, w12, w22] = self.0.curvatures(invariants);
        let b = k.left_tensor();
        let dev_b = to_voigt(&deviator(&b));
        let dev_g = to_voigt(&deviator(&(b * (invariants[0] + lit(3.0)) - b * b)));
        let mixed = dev_b * dev_g.transpose();
        let sum = dev_b * dev_b.transpose() * (w11 + w2)
            + (mixed + mixed.transpose()) * w12
            + dev_g * dev_g.transpose() * w22
            - voigt::double_product(&b) * (w2 * lit(0.5));
        sum * lit::<T>(4.0)
    }
}
