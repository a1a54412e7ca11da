//! Five-constant Mooney-Rivlin law over the isochoric invariants a = Ī1 - 3, b = Ī2 - 3:
//! W = C10 a + C01 b + C11 ab + C20 a² + C02 b² + kappa/2 (J - 1)².
//! Stress and tangent: Holzapfel, Nonlinear Solid Mechanics, sections 6.4 and 6.6.

use nalgebra::{Matrix3, Matrix6};

use super::voigt::{self, deviator};
use super::{Deformation, Material, MooneyRivlinConstants, to_voigt};
use crate::{Real, lit};

/// The five-constant Mooney-Rivlin law.
#[derive(Clone, Copy, Debug)]
pub struct MooneyRivlin<T: Real> {
    c10: T,
    c01: T,
    c11: T,
    c20: T,
    c02: T,
    kappa: T,
}

/// What energy, stress and tangent share at one point.
struct Invariants<T: Real> {
    /// J - 1.
    volume_change: T,
    /// J^(-2/3).
    isochoric: T,
    /// Ī1 - 3.
    a: T,
    /// Ī2 - 3.
    b: T,
    /// b - I (left Cauchy-Green tensor, not isochoric).
    left: Matrix3<T>,
}

impl<T: Real> Invariants<T> {
    /// With t = tr b / 3 and D = dev b, det b = J² = t³ (1 - q), q = D:D/(2t²) - det D/t³. So
    /// Ī1 = 3 (1 - q)^(-1/3) and Ī2 = 3 (1 - p) (1 - q)^(-2/3), p = D:D/(6t²): both differ from 3
    /// by squares of the strain, and here nothing of first order is subtracted.
    #[inline(always)]
    fn new(d: &Deformation<T>) -> Self {
        let third = lit::<T>(1.0 / 3.0);
        let (left, volume_change) = (d.left_strain(), d.volume_change());
        let t = T::one() + left.trace() * third;
        let dev = deviator(&left) / t;
        let squares = dev.norm_squared();
        let q = lit::<T>(0.5) * squares - dev.determinant();
        let p = squares * lit(1.0 / 6.0);
        let log = (-q).ln_1p() * third;
        let a = lit::<T>(3.0) * (-log).exp_m1();
        let b = lit::<T>(3.0) * ((-log - log).exp_m1() * (T::one() - p) - p);
        let isochoric = (volume_change.ln_1p() * lit(-2.0 / 3.0)).exp();
        Self { volume_change, isochoric, a, b, left }
    }
}

impl<T: Real> MooneyRivlin<T> {
    /// From the constants of the law.
    pub fn new(c: &MooneyRivlinConstants) -> Self {
        Self {
            c10: lit(c.c10),
            c01: lit(c.c01),
            c11: lit(c.c11),
            c20: lit(c.c20),
            c02: lit(c.c02),
            kappa: lit(c.bulk_modulus),
        }
    }

    /// Derivatives of W by a and b.
    #[inline(always)]
    fn slopes(&self, i: &Invariants<T>) -> [T; 2] {
        let two = lit::<T>(2.0);
        [
            self.c10 + self.c11 * i.b + two * self.c20 * i.a,
            self.c01 + self.c11 * i.a + two * self.c02 * i.b,
        ]
    }

    /// Deviator of the Cauchy stress: 2/J dev[(W1 + Ī1 W2) b̄ - W2 b̄²], from b - I.
    #[inline(always)]
    fn stress_deviator(&self, d: &Deformation<T>, i: &Invariants<T>) -> Matrix3<T> {
        let [w1, w2] = self.slopes(i);
        let linear = (w1 + w2 * (i.a + lit(3.0))) * i.isochoric;
        let square = w2 * i.isochoric * i.isochoric;
        let sum = i.left * (linear - square - square) - i.left * i.left * square;
        deviator(&sum) * (lit::<T>(2.0) / d.j)
    }

    #[inline(always)]
    fn stress_with(&self, d: &Deformation<T>, i: &Invariants<T>) -> Matrix3<T> {
        let pressure = self.kappa * i.volume_change;
        self.stress_deviator(d, i) + Matrix3::from_diagonal_element(pressure)
    }

    /// Tangent: bulk part (p + J kappa) I⊗I - 2p 𝕀; isochoric part
    /// P:c̄:P + 2/3 tr(sigma̅) (𝕀 - I⊗I/3) - 2/3 (I⊗dev sigma + dev sigma⊗I) with the projector P and
    /// c̄ = 4/J [(W11 + W2) b̄⊗b̄ + W12 (b̄⊗g + g⊗b̄) + W22 g⊗g - W2/2 b̄⊙b̄], g = Ī1 b̄ - b̄².
    #[inline]
    fn tangent(&self, d: &Deformation<T>, i: &Invariants<T>) -> Matrix6<T> {
        let (one, two, third) = (T::one(), lit::<T>(2.0), lit::<T>(1.0 / 3.0));
        let [w1, w2] = self.slopes(i);
        let i1 = i.a + lit(3.0);
        let b = (i.left + Matrix3::identity()) * i.isochoric;
        let squared = b * b;
        let unit = to_voigt(&Matrix3::identity());
        let dev_b = to_voigt(&deviator(&b));
        let dev_g = to_voigt(&deviator(&(b * i1 - squared)));
        let mixed = dev_b * dev_g.transpose();
        let mut c = dev_b * dev_b.transpose() * (two * self.c20 + w2)
            + (mixed + mixed.transpose()) * self.c11
            + dev_g * dev_g.transpose() * (two * self.c02);
        // P:(b̄⊙b̄/2):P = b̄⊙b̄/2 - (b̄²⊗I + I⊗b̄²)/3 + tr(b̄²)/9 I⊗I
        let shift = to_voigt(&squared) - unit * (squared.trace() * third * lit(0.5));
        let outer = shift * unit.transpose() * third;
        c -= (voigt::double_product(&b) * lit::<T>(0.5) - outer - outer.transpose()) * w2;
        c *= lit::<T>(4.0) / d.j;

        let stress_trace = ((w1 + i1 * w2) * i1 - w2 * squared.trace()) * two / d.j;
        let side = to_voigt(&self.stress_deviator(d, i)) * unit.transpose() * (two * third);
        c -= side + side.transpose();
        // 2/3 tr 𝕀 - 2/9 tr I⊗I of the isochoric part, and the bulk part.
        let pressure = self.kappa * i.volume_change;
        let mu = stress_trace * third - pressure;
        let lambda =
            pressure + self.kappa * (one + i.volume_change) - stress_trace * third * two * third;
        c + voigt::isotropic(lambda, mu)
    }
}

impl<T: Real> Material<T> for MooneyRivlin<T> {
    const NEEDS_POSITIVE_VOLUME: bool = true;

    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let i = Invariants::new(d);
        let (a, b, v) = (i.a, i.b, i.volume_change);
        self.c10 * a
            + self.c01 * b
            + self.c11 * a * b
            + self.c20 * a * a
            + self.c02 * b * b
            + lit::<T>(0.5) * self.kappa * v * v
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        self.stress_with(d, &Invariants::new(d))
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let i = Invariants::new(d);
        (self.stress_with(d, &i), self.tangent(d, &i))
    }
}
