//! Linear elasticity with three planes of symmetry.

use nalgebra::Matrix6;

use super::anisotropic_linear::{AnisotropicLinear, StrainFrame, pack, unfit};
use super::constants::material_constants;
use super::{Axes, LawKind};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "orthotropic_linear",
    aliases: &["orthotropic"],
    doc: "Linear elasticity with three planes of symmetry: W = 1/2 e:D:e, e the strain of the linear or of the corotated law, D from engineering constants.",
    source: "Hughes2000",
    constants: OrthotropicLinearConstants::LIST,
    needs_positive_volume: false,
    axes: Axes::All,
    muscle: false,
    kernel: "anisotropic_linear",
    volume: None,
};

material_constants! {
    /// Constants of the orthotropic linear law. A ratio of two axes is the contraction along the
    /// second over the stretch along the first, under tension along the first.
    OrthotropicLinearConstants {
        /// Young's modulus along axis 1
        youngs_modulus_1: f64 = 5e5, 9e4, "Pa", POSITIVE;
        /// Young's modulus along axis 2
        youngs_modulus_2: f64 = 5e5, 6e4, "Pa", POSITIVE;
        /// Young's modulus along axis 3
        youngs_modulus_3: f64 = 5e5, 4e4, "Pa", POSITIVE;
        /// Poisson's ratio of axes 1 and 2
        poissons_ratio_12: f64 = 0.33, 0.35, "-", FINITE;
        /// Poisson's ratio of axes 2 and 3
        poissons_ratio_23: f64 = 0.33, 0.3, "-", FINITE;
        /// Poisson's ratio of axes 1 and 3
        poissons_ratio_13: f64 = 0.33, 0.25, "-", FINITE;
        /// Shear modulus of axes 1 and 2
        shear_modulus_12: f64 = 187969.92481203007, 2.5e4, "Pa", POSITIVE;
        /// Shear modulus of axes 2 and 3
        shear_modulus_23: f64 = 187969.92481203007, 2e4, "Pa", POSITIVE;
        /// Shear modulus of axes 1 and 3
        shear_modulus_13: f64 = 187969.92481203007, 1.5e4, "Pa", POSITIVE;
        /// Frame that strain is measured in
        frame: StrainFrame = StrainFrame::Corotated, StrainFrame::Corotated, "-", FINITE;
    }
    |c| pack(&c.stiffness(), c.frame),
    together |c| unfit(&c.stiffness())
}

/// The law.
pub type OrthotropicLinear<T> = AnisotropicLinear<T>;

impl OrthotropicLinearConstants {
    /// D [Pa], the first axis along the fibres; not finite where nothing has that compliance.
    pub fn stiffness(&self) -> Matrix6<f64> {
        let [e1, e2, e3] = [self.youngs_modulus_1, self.youngs_modulus_2, self.youngs_modulus_3];
        let shears = [self.shear_modulus_12, self.shear_modulus_23, self.shear_modulus_13];
        let [xy, yz, xz] = shears.map(|shear| 1.0 / shear);
        let mut compliance =
            Matrix6::from_diagonal(&[1.0 / e1, 1.0 / e2, 1.0 / e3, xy, yz, xz].into());
        let ratios = [
            (0, 1, self.poissons_ratio_12 / e1),
            (1, 2, self.poissons_ratio_23 / e2),
            (0, 2, self.poissons_ratio_13 / e1),
        ];
        for (r, c, ratio) in ratios {
            (compliance[(r, c)], compliance[(c, r)]) = (-ratio, -ratio);
        }
        compliance.try_inverse().unwrap_or_else(|| Matrix6::repeat(f64::NAN))
    }
}
