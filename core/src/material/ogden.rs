//! Ogden's law of the principal stretches with up to six terms (Ogden1972), in the convention of
//! FEBio and ArtiSynth. Spectral form of stress and tangent: Holzapfel2000, section 6.6.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::bulk::Bulk;
use super::constants::{Unfit, material_constants};
use super::isochoric::{Decoupled, Fictitious, IsochoricLaw, Kinematics};
use super::polar::symmetric_eigen;
use super::{Axes, BulkPotential, LawKind, VolumeEnergy, voigt};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "ogden",
    aliases: &[],
    doc: "Ogden, up to six terms: W = Σ mu_n/alpha_n² (λ̄1^alpha_n + λ̄2^alpha_n + λ̄3^alpha_n - 3) + U(J), λ̄ the principal stretches over J^(1/3). Half the sum of mu_n is the shear modulus at rest.",
    source: "Ogden1972",
    constants: OgdenConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::None,
    muscle: false,
    kernel: "ogden",
    volume: Some(VolumeEnergy::Chosen(12)),
};

material_constants! {
    /// Constants of Ogden's law.
    OgdenConstants {
        /// Modulus mu of term 1; none where it is 0
        mu_1: f64 = 3e5, 1.2e4, "Pa", FINITE;
        /// Exponent alpha of term 1
        alpha_1: f64 = 2.0, 1.5, "-", FINITE;
        /// Modulus mu of term 2; none where it is 0
        mu_2: f64 = 0.0, 3e3, "Pa", FINITE;
        /// Exponent alpha of term 2
        alpha_2: f64 = 2.0, 5.0, "-", FINITE;
        /// Modulus mu of term 3; none where it is 0
        mu_3: f64 = 0.0, 2e3, "Pa", FINITE;
        /// Exponent alpha of term 3
        alpha_3: f64 = 2.0, -2.0, "-", FINITE;
        /// Modulus mu of term 4; none where it is 0
        mu_4: f64 = 0.0, 5e2, "Pa", FINITE;
        /// Exponent alpha of term 4
        alpha_4: f64 = 2.0, 3.0, "-", FINITE;
        /// Modulus mu of term 5; none where it is 0
        mu_5: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Exponent alpha of term 5
        alpha_5: f64 = 2.0, -4.0, "-", FINITE;
        /// Modulus mu of term 6; none where it is 0
        mu_6: f64 = 0.0, -1e3, "Pa", FINITE;
        /// Exponent alpha of term 6
        alpha_6: f64 = 2.0, 2.5, "-", FINITE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e5, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| {
        let terms = c.terms();
        let numbers = terms.iter().flat_map(|&[mu, alpha]| [mu, alpha]);
        numbers.chain([c.bulk_modulus, c.bulk_potential.pack()]).collect()
    },
    together |c| c.unfit()
}

impl OgdenConstants {
    /// mu [Pa] and alpha of each term.
    pub fn terms(&self) -> [[f64; 2]; 6] {
        [
            [self.mu_1, self.alpha_1],
            [self.mu_2, self.alpha_2],
            [self.mu_3, self.alpha_3],
            [self.mu_4, self.alpha_4],
            [self.mu_5, self.alpha_5],
            [self.mu_6, self.alpha_6],
        ]
    }

    fn unfit(&self) -> Option<Unfit> {
        if self.terms().iter().any(|&[mu, alpha]| mu != 0.0 && alpha == 0.0) {
            let must = "other than 0 where the term has a modulus";
            return Some(Unfit { parameter: "alpha", value: 0.0, must });
        }
        let sum: f64 = self.terms().iter().map(|&[mu, _]| mu).sum();
        Unfit::unless_positive(
            "the sum of mu",
            sum,
            "positive [Pa]: half of it is the shear modulus at rest",
        )
    }
}

/// The law.
pub type Ogden<T> = Decoupled<OgdenEnergy<T>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct OgdenEnergy<T: Real> {
    /// mu/alpha and alpha.
    terms: [[T; 2]; 6],
    bulk: Bulk<T>,
}

/// Logarithms of the isochoric principal stretches, and their directions as columns.
fn principal<T: Real>(k: &Kinematics<T>) -> (Vector3<T>, Matrix3<T>) {
    let (strains, directions) = symmetric_eigen(&k.left);
    let shift = k.volume_change.ln_1p() * lit(1.0 / 3.0);
    (strains.map(|x| x.ln_1p() * lit(0.5) - shift), directions)
}

/// exp(x) - 1 - x, for small x by its series.
fn exp_m2<T: Real>(x: T) -> T {
    if x.abs() > lit(0.5) {
        return x.exp_m1() - x;
    }
    // The term after x^15/15! is below 1e-17 of the sum.
    let series =
        (3..=15).rev().fold(T::one(), |sum, n| T::one() + sum * x * lit(1.0 / f64::from(n)));
    x * x * series * lit(0.5)
}

impl<T: Real> OgdenEnergy<T> {
    /// Σ mu/alpha (λ̄^alpha - 1) of a stretch: J times a principal stress, up to pressure.
    #[inline(always)]
    fn excess(&self, log: T) -> T {
        let term = |sum: T, &[c, alpha]: &[T; 2]| sum + c * (alpha * log).exp_m1();
        self.terms.iter().fold(T::zero(), term)
    }

    /// The part omitted from [`Self::excess`]: Σ mu/alpha.
    #[inline(always)]
    fn offset(&self) -> T {
        self.terms.iter().fold(T::zero(), |sum, term| sum + term[0])
    }

    /// Of two stretches: Σ mu/alpha λ̄j^alpha (r - 1), r = ((λ̄i/λ̄j)^alpha - 1) / ((λ̄i/λ̄j)² - 1), the
    /// divided difference of principal stresses; r is alpha/2 where they are equal.
    #[inline(always)]
    fn shear(&self, (log_i, log_j): (T, T)) -> T {
        let (gap, half) = (log_i - log_j, lit::<T>(0.5));
        let term = |sum: T, &[c, alpha]: &[T; 2]| {
            let ratio = if gap == T::zero() {
                alpha * half
            } else {
                (alpha * gap).exp_m1() / (gap + gap).exp_m1()
            };
            sum + c * (alpha * log_j).exp() * (ratio - T::one())
        };
        self.terms.iter().fold(T::zero(), term)
    }

    /// Σ mu/alpha (alpha - 2) λ̄^alpha.
    #[inline(always)]
    fn normal(&self, log: T) -> T {
        let term =
            |sum: T, &[c, alpha]: &[T; 2]| sum + c * (alpha - lit(2.0)) * (alpha * log).exp();
        self.terms.iter().fold(T::zero(), term)
    }
}

impl<T: Real> IsochoricLaw<T> for OgdenEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let term = |n: usize| {
            let [mu, alpha] = [packed[2 * n], packed[2 * n + 1]];
            [if mu == 0.0 { 0.0 } else { mu / alpha }, alpha].map(lit)
        };
        Self { terms: std::array::from_fn(term), bulk: Bulk::unpack(packed[12], packed[13]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    /// The logarithms sum to zero, so that they can be left out of the exponentials.
    fn energy(&self, k: &Kinematics<T>) -> T {
        let (logs, _) = principal(k);
        self.terms.iter().fold(T::zero(), |sum, &[c, alpha]| {
            if c == T::zero() {
                return sum;
            }
            sum + c / alpha * logs.map(|log| exp_m2(alpha * log)).sum()
        })
    }

    fn stress(&self, k: &Kinematics<T>) -> Fictitious<T> {
        let (logs, directions) = principal(k);
        let excess = logs.map(|log| self.excess(log));
        let shape = voigt::pushed(&directions, &Matrix3::from_diagonal(&excess));
        Fictitious { shape, trace: excess.sum() + self.offset() * lit(3.0) }
    }

    fn modulus(&self, k: &Kinematics<T>) -> Matrix6<T> {
        let (logs, directions) = principal(k);
        let factors = Matrix3::from_fn(|i, j| {
            if i == j {
                self.normal(logs[i])
            } else {
                // Of the smaller index, so that the tangent is symmetric to the last bit.
                let (i, j) = (i.min(j), i.max(j));
                self.shear((logs[i], logs[j])) * lit(2.0)
            }
        });
        voigt::of_map(|e| {
            let local = directions.transpose() * e * directions;
            voigt::pushed(&directions, &local.component_mul(&factors))
        })
    }
}
