//! Isochoric energies that are sums of functions of one invariant each, W̄ = Σ w(q): the share of a
//! term in stress and tangent, with H the image F̄ (dq/dC̄) F̄ᵀ of its structure tensor.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::bulk::Bulk;
use super::isochoric::{Fictitious, IsochoricLaw, Kinematics};
use super::{to_voigt, voigt};
use crate::{Real, lit};

/// A function of an invariant at a point: value, slope, curvature.
#[derive(Clone, Copy, Debug)]
pub struct Term<T: Real> {
    pub(super) energy: T,
    pub(super) slope: T,
    pub(super) curvature: T,
}

impl<T: Real> Term<T> {
    /// k1/(2 k2) (exp(k2 q²) - 1).
    #[inline(always)]
    pub(super) fn square_exponential(k1: T, k2: T, q: T) -> Self {
        let square = k2 * q * q;
        let stiff = k1 * square.exp();
        Self {
            energy: k1 / (k2 + k2) * square.exp_m1(),
            slope: stiff * q,
            curvature: stiff * (T::one() + square + square),
        }
    }

    /// The same of fibres that bear no compression.
    #[inline(always)]
    pub(super) fn tension_only(k1: T, k2: T, q: T) -> Self {
        if q > T::zero() { Self::square_exponential(k1, k2, q) } else { Self::none() }
    }

    /// a/(2 b) (exp(b q) - 1).
    #[inline(always)]
    pub(super) fn exponential(a: T, b: T, q: T) -> Self {
        let half = lit::<T>(0.5);
        let stiff = a * (b * q).exp();
        Self {
            energy: a / (b + b) * (b * q).exp_m1(),
            slope: stiff * half,
            curvature: stiff * b * half,
        }
    }

    /// k q.
    #[inline(always)]
    pub(super) fn linear(k: T, q: T) -> Self {
        Self { energy: k * q, slope: k, curvature: T::zero() }
    }

    /// Nothing.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { energy: T::zero(), slope: T::zero(), curvature: T::zero() }
    }
}

/// A structure tensor in space: the same up to a multiple of the identity, without differences of
/// large numbers, and its trace.
#[derive(Clone, Copy, Debug)]
pub struct Structure<T: Real> {
    pub(super) shape: Matrix3<T>,
    pub(super) trace: T,
}

impl<T: Real> Structure<T> {
    /// b̄, of the invariant Ī1.
    #[inline(always)]
    pub(super) fn isotropic(k: &Kinematics<T>) -> Self {
        let scale = k.isochoric();
        Self { shape: k.left * scale, trace: (k.left.trace() + lit(3.0)) * scale }
    }

    /// ā⊗ā, of the square of a stretch.
    #[inline(always)]
    pub(super) fn fibre(k: &Kinematics<T>, a0: &Vector3<T>) -> Self {
        let a = k.image(a0);
        Self { shape: a * a.transpose(), trace: a.norm_squared() }
    }

    /// (ā⊗b̄ + b̄⊗ā)/2, of the angle between two directions.
    #[inline(always)]
    pub(super) fn pair(k: &Kinematics<T>, a0: &Vector3<T>, b0: &Vector3<T>) -> Self {
        let (a, b) = (k.image(a0), k.image(b0));
        let shape = (a * b.transpose() + b * a.transpose()) * lit::<T>(0.5);
        Self { shape, trace: a.dot(&b) }
    }

    /// x times this.
    #[inline(always)]
    pub(super) fn scaled(&self, x: T) -> Self {
        Self { shape: self.shape * x, trace: self.trace * x }
    }

    /// x times this and y times the other.
    #[inline(always)]
    pub(super) fn mixed(&self, x: T, other: &Self, y: T) -> Self {
        let shape = self.shape * x + other.shape * y;
        Self { shape, trace: self.trace * x + other.trace * y }
    }
}

/// An isochoric energy that is a sum of N functions of one invariant each.
pub trait TermEnergy<T: Real, const N: usize>: Copy + Send + Sync {
    /// From packed constants.
    fn unpack(packed: &[f64]) -> Self;

    /// Its volumetric part U(J).
    fn bulk(&self) -> Bulk<T>;

    /// Each function with the structure tensor of its invariant.
    fn terms(&self, k: &Kinematics<T>) -> [(Term<T>, Structure<T>); N];
}

/// The isochoric law of a sum of terms.
#[derive(Clone, Copy, Debug)]
pub struct ByTerms<L, const N: usize>(L);

impl<T: Real, L: TermEnergy<T, N>, const N: usize> IsochoricLaw<T> for ByTerms<L, N> {
    fn unpack(packed: &[f64]) -> Self {
        Self(L::unpack(packed))
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.0.bulk()
    }

    #[inline(always)]
    fn energy(&self, k: &Kinematics<T>) -> T {
        self.0.terms(k).iter().fold(T::zero(), |sum, (term, _)| sum + term.energy)
    }

    /// J sigma̅ = Σ 2 w' H.
    #[inline(always)]
    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T> {
        let mut sum = Fictitious { shape: Matrix3::zeros(), trace: T::zero() };
        for (term, structure) in &self.0.terms(k) {
            let slope = term.slope + term.slope;
            sum.shape += structure.shape * slope;
            sum.trace += structure.trace * slope;
        }
        sum
    }

    /// J c̅ = Σ 4 w'' H⊗H, of which the deviators alone count.
    #[inline]
    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T> {
        let mut sum = Matrix6::zeros();
        for (term, structure) in &self.0.terms(k) {
            let h = to_voigt(&voigt::deviator(&structure.shape));
            sum += h * h.transpose() * (term.curvature * lit(4.0));
        }
        sum
    }
}
