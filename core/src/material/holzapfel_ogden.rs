//! Passive myocardium with fibres and sheets (HolzapfelOgden2009), over isochoric invariants.

use super::bulk::Bulk;
use super::constants::material_constants;
use super::isochoric::{Decoupled, Kinematics};
use super::structure::{ByTerms, Structure, Term, TermEnergy};
use super::{Axes, BulkPotential, LawKind, VolumeEnergy};
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "holzapfel_ogden",
    aliases: &["holzapfel_ogden_2009"],
    doc: "Holzapfel-Ogden, for myocardium: W = a/(2b) (exp(b (Ī1 - 3)) - 1) + Σ_f,s a_i/(2 b_i) (exp(b_i <Ī4i - 1>²) - 1) + a_fs/(2 b_fs) (exp(b_fs Ī8²) - 1) + U(J), Ī8 = f·C̄ s.",
    source: "HolzapfelOgden2009",
    constants: HolzapfelOgdenConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::All,
    muscle: false,
    kernel: "holzapfel_ogden",
    volume: Some(VolumeEnergy::Chosen(8)),
};

material_constants! {
    /// Constants of the Holzapfel-Ogden law; defaults are those of shear tests on pig myocardium.
    HolzapfelOgdenConstants {
        /// Stiffness of the matrix
        a: f64 = 59.0, 5900.0, "Pa", POSITIVE;
        /// Exponent of the matrix
        b: f64 = 8.023, 3.0, "-", POSITIVE;
        /// Stiffness of the fibres
        a_f: f64 = 18472.0, 18472.0, "Pa", NOT_NEGATIVE;
        /// Exponent of the fibres
        b_f: f64 = 16.026, 6.0, "-", POSITIVE;
        /// Stiffness of the sheets
        a_s: f64 = 2481.0, 2481.0, "Pa", NOT_NEGATIVE;
        /// Exponent of the sheets
        b_s: f64 = 11.12, 5.0, "-", POSITIVE;
        /// Stiffness of shear between fibres and sheets
        a_fs: f64 = 216.0, 2160.0, "Pa", NOT_NEGATIVE;
        /// Exponent of shear between fibres and sheets
        b_fs: f64 = 11.436, 4.0, "-", POSITIVE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e6, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| {
        let bulk = [c.bulk_modulus, c.bulk_potential.pack()];
        [&[c.a, c.b, c.a_f, c.b_f, c.a_s, c.b_s, c.a_fs, c.b_fs][..], &bulk].concat()
    }
}

/// The law.
pub type HolzapfelOgden<T> = Decoupled<ByTerms<HolzapfelOgdenEnergy<T>, 4>>;

/// Its isochoric energy.
#[derive(Clone, Copy, Debug)]
pub struct HolzapfelOgdenEnergy<T: Real> {
    stiffness: [T; 4],
    exponents: [T; 4],
    bulk: Bulk<T>,
}

impl<T: Real> TermEnergy<T, 4> for HolzapfelOgdenEnergy<T> {
    fn unpack(packed: &[f64]) -> Self {
        let stiffness = [0, 2, 4, 6].map(|k| lit(packed[k]));
        let exponents = [1, 3, 5, 7].map(|k| lit(packed[k]));
        Self { stiffness, exponents, bulk: Bulk::unpack(packed[8], packed[9]) }
    }

    #[inline(always)]
    fn bulk(&self) -> Bulk<T> {
        self.bulk
    }

    #[inline(always)]
    fn terms(&self, k: &Kinematics<T>) -> [(Term<T>, Structure<T>); 4] {
        let ([a, a_f, a_s, a_fs], [b, b_f, b_s, b_fs]) = (self.stiffness, self.exponents);
        let (f, s) = (k.d.axes.column(0).into_owned(), k.d.axes.column(1).into_owned());
        [
            (Term::exponential(a, b, k.invariants()[0]), Structure::isotropic(k)),
            (Term::tension_only(a_f, b_f, k.change_along(&f, &f)), Structure::fibre(k, &f)),
            (Term::tension_only(a_s, b_s, k.change_along(&s, &s)), Structure::fibre(k, &s)),
            (
                Term::square_exponential(a_fs, b_fs, k.change_along(&f, &s)),
                Structure::pair(k, &f, &s),
            ),
        ]
    }
}
