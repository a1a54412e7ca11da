//! Laws that pull along fibres alone, W(λ) at a given activation: stress and tangent from W' and
//! W'' for fibres whose volume does not change with their stretch, and for others.

use nalgebra::{Matrix3, Matrix6};

use super::bulk::Bulk;
use super::isochoric::{Fictitious, IsochoricLaw, Kinematics};
use super::{Deformation, Material, Unpack, to_voigt};
use crate::{Real, lit};

/// The energy of a fibre by its stretch.
pub trait FibreEnergy<T: Real>: Copy + Send + Sync {
    /// From packed constants.
    fn unpack(packed: &[f64]) -> Self;

    /// W(λ) [J/m³], W(1) = 0.
    fn energy(&self, stretch: T, activation: T) -> T;

    /// λ W' and λ d(λ W')/dλ [Pa].
    fn tension(&self, stretch: T, activation: T) -> [T; 2];
}

/// W̄ = W(λ̄), λ̄ = J^(-1/3) |F a0|: such fibres do not change the pressure.
#[derive(Clone, Copy, Debug)]
pub struct IsochoricFibre<L>(L);

impl<T: Real, L: FibreEnergy<T>> IsochoricLaw<T> for IsochoricFibre<L> {
    fn unpack(packed: &[f64]) -> Self {
        Self(L::unpack(packed))
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        Bulk::unpack(0.0, 0.0)
    }

    #[inline(always)]
    fn energy(&self, k: &Kinematics<T>) -> T {
        self.0.energy(stretch(k), k.d.activation)
    }

    /// λ̄ W' a⊗a with the unit vector a.
    #[inline(always)]
    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T> {
        let image = k.d.f * k.d.axes.column(0);
        let [tension, _] = self.0.tension(stretch(k), k.d.activation);
        let shape = image * image.transpose() * (tension / image.norm_squared());
        Fictitious { shape, trace: tension }
    }

    /// (λ̄ d(λ̄ W')/dλ̄ - 2 λ̄ W') a⊗a⊗a⊗a.
    #[inline]
    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T> {
        along(&(k.d.f * k.d.axes.column(0)), self.0.tension(stretch(k), k.d.activation))
    }
}

/// λ̄, with all digits of λ̄ - 1.
#[inline(always)]
fn stretch<T: Real>(k: &Kinematics<T>) -> T {
    let a0 = k.d.axes.column(0).into_owned();
    (T::one() + k.change_along(&a0, &a0)).sqrt()
}

/// J times the modulus of a fibre with this image in space.
#[inline(always)]
fn along<T: Real>(image: &nalgebra::Vector3<T>, [tension, slope]: [T; 2]) -> Matrix6<T> {
    let a = to_voigt(&(image * image.transpose())) / image.norm_squared();
    a * a.transpose() * (slope - tension - tension)
}

/// W(λ), λ = |F a0|: fibres that pull along themselves and do nothing else.
#[derive(Clone, Copy, Debug)]
pub struct PlainFibre<L>(L);

/// λ, with all digits of λ - 1.
#[inline(always)]
fn plain_stretch<T: Real>(d: &Deformation<T>) -> T {
    let a0 = d.axes.column(0);
    (T::one() + a0.dot(&(d.green_strain() * a0)) * lit(2.0)).sqrt()
}

impl<T: Real, L: FibreEnergy<T>> Unpack<T> for PlainFibre<L> {
    fn unpack(packed: &[f64]) -> Self {
        Self(L::unpack(packed))
    }
}

impl<T: Real, L: FibreEnergy<T>> Material<T> for PlainFibre<L> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        self.0.energy(plain_stretch(d), d.activation)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let image = d.f * d.axes.column(0);
        let [tension, _] = self.0.tension(plain_stretch(d), d.activation);
        image * image.transpose() * (tension / (image.norm_squared() * d.j))
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let tension = self.0.tension(plain_stretch(d), d.activation);
        (self.stress(d), along(&(d.f * d.axes.column(0)), tension) / d.j)
    }
}

/// The passive force of crimped fibres over their modulus, by n = λ/λ0: P1 (exp(P2 (n - 1)) - 1) for
/// n > 1, from n = λmax/λ0 on a line (Blemker2005).
#[derive(Clone, Copy, Debug)]
pub(super) struct Crimp<T: Real> {
    p1: T,
    p2: T,
    /// λmax/λ0 - 1.
    straight: T,
    /// Slope of the line.
    line: T,
}

/// Slope by n of the passive force of crimped fibres where they become straight, from P1, P2 and n = λmax/λ0.
pub(super) fn crimp_slope([p1, p2]: [f64; 2], straight: f64) -> f64 {
    p1 * p2 * (p2 * (straight - 1.0)).exp()
}

impl<T: Real> Crimp<T> {
    /// From P1, P2, λmax/λ0 and the slope of the line.
    pub(super) fn new([p1, p2]: [f64; 2], straight: f64, line: f64) -> Self {
        Self { p1: lit(p1), p2: lit(p2), straight: lit(straight - 1.0), line: lit(line) }
    }

    /// λmax/λ0 - 1, where the line begins.
    pub(super) fn straight(&self) -> T {
        self.straight
    }

    /// Force and its slope by n, x = n - 1.
    #[inline(always)]
    pub(super) fn force(&self, x: T) -> [T; 2] {
        if x <= T::zero() {
            return [T::zero(); 2];
        }
        if x < self.straight {
            let stiff = (self.p2 * x).exp_m1();
            return [self.p1 * stiff, self.p1 * self.p2 * (T::one() + stiff)];
        }
        let bent = self.p1 * (self.p2 * self.straight).exp_m1();
        [bent + self.line * (x - self.straight), self.line]
    }

    /// Its integral by n from 1.
    #[inline(always)]
    pub(super) fn energy(&self, x: T) -> T {
        if x <= T::zero() {
            return T::zero();
        }
        let bent = |x: T| self.p1 * ((self.p2 * x).exp_m1() / self.p2 - x);
        if x < self.straight {
            return bent(x);
        }
        let rest = x - self.straight;
        let force = self.p1 * (self.p2 * self.straight).exp_m1();
        bent(self.straight) + force * rest + self.line * rest * rest * lit(0.5)
    }
}
