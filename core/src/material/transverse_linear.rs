//! Linear elasticity that is the same in all directions across the fibres.

use nalgebra::Matrix6;

use super::anisotropic_linear::{AnisotropicLinear, StrainFrame, pack, unfit};
use super::constants::material_constants;
use super::{Axes, LawKind};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "transverse_linear",
    aliases: &["transverse", "transversely_isotropic"],
    doc: "Linear elasticity that is the same in all directions across the fibres: W = 1/2 e:D:e, e the strain of the linear or of the corotated law, D from engineering constants.",
    source: "Hughes2000",
    constants: TransverseLinearConstants::LIST,
    needs_positive_volume: false,
    axes: Axes::Fibre,
    muscle: false,
    kernel: "anisotropic_linear",
    volume: None,
};

material_constants! {
    /// Constants of the transverse linear law. A ratio of two axes is the contraction along the
    /// second over the stretch along the first, under tension along the first.
    TransverseLinearConstants {
        /// Young's modulus along the fibres
        youngs_modulus_along: f64 = 5e5, 9e4, "Pa", POSITIVE;
        /// Young's modulus across the fibres
        youngs_modulus_across: f64 = 5e5, 5e4, "Pa", POSITIVE;
        /// Poisson's ratio along to across
        poissons_ratio_along: f64 = 0.33, 0.35, "-", FINITE;
        /// Poisson's ratio of two directions across
        poissons_ratio_across: f64 = 0.33, 0.25, "-", FINITE;
        /// Shear modulus of planes that hold the fibres
        shear_modulus_along: f64 = 187969.92481203007, 2.5e4, "Pa", POSITIVE;
        /// Frame that strain is measured in
        frame: StrainFrame = StrainFrame::Corotated, StrainFrame::Corotated, "-", FINITE;
    }
    |c| pack(&c.stiffness(), c.frame),
    together |c| unfit(&c.stiffness())
}

/// The law.
pub type TransverseLinear<T> = AnisotropicLinear<T>;

impl TransverseLinearConstants {
    /// D [Pa], the first axis along the fibres; not finite where nothing has that compliance.
    pub fn stiffness(&self) -> Matrix6<f64> {
        let (along, across) = (1.0 / self.youngs_modulus_along, 1.0 / self.youngs_modulus_across);
        let (ratio, plane) = (self.poissons_ratio_along, self.poissons_ratio_across);
        let (shear, flat) = (1.0 / self.shear_modulus_along, 2.0 * (1.0 + plane) * across);
        let mut compliance =
            Matrix6::from_diagonal(&[along, across, across, shear, flat, shear].into());
        for (r, c, value) in
            [(0, 1, -ratio * along), (0, 2, -ratio * along), (1, 2, -plane * across)]
        {
            (compliance[(r, c)], compliance[(c, r)]) = (value, value);
        }
        compliance.try_inverse().unwrap_or_else(|| Matrix6::repeat(f64::NAN))
    }
}
