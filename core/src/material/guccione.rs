//! The law of passive myocardium by Guccione, McCulloch and Waldman (Guccione1991).

use nalgebra::{Matrix3, Matrix6};

use super::bulk::Bulk;
use super::constants::material_constants;
use super::exponential::Exponential;
use super::{Axes, BulkPotential, Deformation, LawKind, Material, Unpack, VolumeEnergy, voigt};
use crate::Real;

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "guccione",
    aliases: &[],
    doc: "Guccione, for myocardium: W = C/2 (exp Q - 1) + U(J), Q = bf E11² + bt (E22² + E33² + 2 E23²) + 2 bfs (E12² + E13²), E the Green-Lagrange strain along the axes of the material, fibres first.",
    source: "Guccione1991",
    constants: GuccioneConstants::LIST,
    needs_positive_volume: true,
    axes: Axes::All,
    muscle: false,
    kernel: "guccione",
    volume: Some(VolumeEnergy::Chosen(10)),
};

material_constants! {
    /// Constants of Guccione's law.
    GuccioneConstants {
        /// Factor C of the exponential
        c: f64 = 2000.0, 2000.0, "Pa", POSITIVE;
        /// Exponent along the fibres
        bf: f64 = 8.0, 8.0, "-", NOT_NEGATIVE;
        /// Exponent across the fibres
        bt: f64 = 2.0, 2.0, "-", NOT_NEGATIVE;
        /// Exponent of shear along the fibres
        bfs: f64 = 4.0, 4.0, "-", NOT_NEGATIVE;
        /// Bulk modulus kappa
        bulk_modulus: f64 = 1e6, 4e4, "Pa", POSITIVE;
        /// Energy of a change of volume
        bulk_potential: BulkPotential = BulkPotential::Quadratic, BulkPotential::Quadratic, "-", FINITE;
    }
    |c| vec![
        c.c, c.bf, c.bt, c.bt, 0.0, 0.0, 0.0, 2.0 * c.bfs, 2.0 * c.bt, 2.0 * c.bfs,
        c.bulk_modulus, c.bulk_potential.pack(),
    ]
}

/// The law.
#[derive(Clone, Copy, Debug)]
pub struct Guccione<T: Real> {
    exponential: Exponential<T>,
    bulk: Bulk<T>,
}

impl<T: Real> Unpack<T> for Guccione<T> {
    fn unpack(packed: &[f64]) -> Self {
        Self {
            exponential: Exponential::unpack(packed),
            bulk: Bulk::unpack(packed[10], packed[11]),
        }
    }
}

/// Strain along the axes of the material.
#[inline(always)]
fn strain<T: Real>(d: &Deformation<T>) -> Matrix3<T> {
    d.axes.transpose() * d.green_strain() * d.axes
}

impl<T: Real> Material<T> for Guccione<T> {
    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        self.exponential.energy(&strain(d)) + self.bulk.energy(d.volume_change())
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let (pressure, _) = self.bulk.pressures(d.volume_change());
        let f = d.f * d.axes;
        voigt::pushed(&f, &self.exponential.stress(&strain(d))) / d.j
            + Matrix3::from_diagonal_element(pressure)
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let (pressure, stiffness) = self.bulk.pressures(d.volume_change());
        let tangent = self.exponential.modulus(&strain(d), &(d.f * d.axes)) / d.j
            + voigt::isotropic(stiffness, -pressure);
        (self.stress(d), tangent)
    }
}
