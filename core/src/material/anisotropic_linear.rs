//! Linear elasticity with any moduli along the axes of the material: sigma = D : e, in the frame of the
//! rest shape or in one that turns with the element. The laws with fewer constants are this one too.

use nalgebra::{Matrix3, Matrix6};

use super::constants::{Unfit, material_constants};
use super::{
    Axes, Deformation, LawFrame, LawKind, Material, Unpack, from_voigt, polar_rotation, to_voigt,
    voigt,
};
use crate::axial::choice;
use crate::{Real, lit};

/// The law without its constants.
pub(super) const KIND: LawKind = LawKind {
    name: "anisotropic_linear",
    aliases: &["anisotropic"],
    doc: "Linear elasticity with 21 moduli along the axes of the material: W = 1/2 e·D e, e the strain of the linear or of the corotated law in the order xx, yy, zz, xy, yz, xz (indices 1 to 6 of D), x along the fibres, y along the sheets; shears count twice, e4 = 2 exy.",
    source: "Hughes2000",
    constants: AnisotropicLinearConstants::LIST,
    needs_positive_volume: false,
    axes: Axes::All,
    muscle: false,
    kernel: "anisotropic_linear",
    volume: None,
};

choice! {
    /// The frame that a linear law measures strain in.
    StrainFrame {
        /// That of the rest shape: for small rotations.
        Fixed = "fixed",
        /// That of the element as it turns: for large rotations.
        Corotated = "corotated",
    }
}

material_constants! {
    /// Constants of the anisotropic linear law: components of D in the order xx, yy, zz, xy, yz, xz, the
    /// first axis along the fibres, of the upper triangle.
    AnisotropicLinearConstants {
        /// Component 11 of the stiffness
        d11: f64 = 740822.6448474126, 9e4, "Pa", POSITIVE;
        /// Component 12 of the stiffness
        d12: f64 = 364882.7952233525, 2.5e4, "Pa", FINITE;
        /// Component 13 of the stiffness
        d13: f64 = 364882.7952233525, 2.5e4, "Pa", FINITE;
        /// Component 14 of the stiffness
        d14: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 15 of the stiffness
        d15: f64 = 0.0, -2e3, "Pa", FINITE;
        /// Component 16 of the stiffness
        d16: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 22 of the stiffness
        d22: f64 = 740822.6448474126, 7e4, "Pa", POSITIVE;
        /// Component 23 of the stiffness
        d23: f64 = 364882.7952233525, 2.5e4, "Pa", FINITE;
        /// Component 24 of the stiffness
        d24: f64 = 0.0, -2e3, "Pa", FINITE;
        /// Component 25 of the stiffness
        d25: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 26 of the stiffness
        d26: f64 = 0.0, -2e3, "Pa", FINITE;
        /// Component 33 of the stiffness
        d33: f64 = 740822.6448474126, 6e4, "Pa", POSITIVE;
        /// Component 34 of the stiffness
        d34: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 35 of the stiffness
        d35: f64 = 0.0, -2e3, "Pa", FINITE;
        /// Component 36 of the stiffness
        d36: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 44 of the stiffness
        d44: f64 = 187969.92481203007, 2e4, "Pa", POSITIVE;
        /// Component 45 of the stiffness
        d45: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 46 of the stiffness
        d46: f64 = 0.0, -2e3, "Pa", FINITE;
        /// Component 55 of the stiffness
        d55: f64 = 187969.92481203007, 1.5e4, "Pa", POSITIVE;
        /// Component 56 of the stiffness
        d56: f64 = 0.0, 1e3, "Pa", FINITE;
        /// Component 66 of the stiffness
        d66: f64 = 187969.92481203007, 1.8e4, "Pa", POSITIVE;
        /// Frame that strain is measured in
        frame: StrainFrame = StrainFrame::Corotated, StrainFrame::Corotated, "-", FINITE;
    }
    |c| pack(&c.stiffness(), c.frame),
    together |c| unfit(&c.stiffness())
}

impl AnisotropicLinearConstants {
    /// D [Pa].
    pub fn stiffness(&self) -> Matrix6<f64> {
        let upper = [
            self.d11, self.d12, self.d13, self.d14, self.d15, self.d16, self.d22, self.d23,
            self.d24, self.d25, self.d26, self.d33, self.d34, self.d35, self.d36, self.d44,
            self.d45, self.d46, self.d55, self.d56, self.d66,
        ];
        symmetric(&upper)
    }
}

/// The symmetric matrix with this upper triangle, row by row.
fn symmetric<T: Real>(upper: &[T]) -> Matrix6<T> {
    Matrix6::from_fn(|r, c| {
        let (low, high) = (r.min(c), r.max(c));
        upper[low * (11 - low) / 2 + high]
    })
}

/// The upper triangle of D, and 1 where the frame turns.
pub(super) fn pack(stiffness: &Matrix6<f64>, frame: StrainFrame) -> Vec<f64> {
    let places = (0..6).flat_map(|r| (r..6).map(move |c| (r, c)));
    let turns = if frame == StrainFrame::Corotated { 1.0 } else { 0.0 };
    places.map(|place| stiffness[place]).chain([turns]).collect()
}

/// The fault of a stiffness that does not resist every strain.
pub(super) fn unfit(stiffness: &Matrix6<f64>) -> Option<Unfit> {
    let finite = stiffness.iter().all(|x| x.is_finite());
    let least = if finite { stiffness.symmetric_eigenvalues().min() } else { f64::NAN };
    Unfit::unless_positive(
        "the smallest eigenvalue of the stiffness",
        least,
        "positive [Pa]: else some strain is not resisted",
    )
}

/// The anisotropic linear law. Its stress stands for the Cauchy stress without division by J, and the
/// tangent leaves out the derivative of the rotation, as those of the isotropic laws.
#[derive(Clone, Copy, Debug)]
pub struct AnisotropicLinear<T: Real> {
    stiffness: Matrix6<T>,
    turns: bool,
}

impl<T: Real> Unpack<T> for AnisotropicLinear<T> {
    fn unpack(packed: &[f64]) -> Self {
        let upper: [T; 21] = std::array::from_fn(|k| lit(packed[k]));
        Self { stiffness: symmetric(&upper), turns: packed[21] != 0.0 }
    }
}

impl<T: Real> AnisotropicLinear<T> {
    /// D : e with the axes of the material as given.
    #[inline(always)]
    fn response(&self, e: &Matrix3<T>, axes: &Matrix3<T>) -> Matrix3<T> {
        let mut local = to_voigt(&(axes.transpose() * e * axes));
        local.fixed_rows_mut::<3>(3).scale_mut(lit(2.0));
        axes * from_voigt(&(self.stiffness * local)) * axes.transpose()
    }

    /// Rotation, and strain in its frame (see `corotated.rs`).
    #[inline(always)]
    fn rotation_and_strain(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix3<T>) {
        let half = lit::<T>(0.5);
        if !self.turns {
            return (Matrix3::identity(), (d.h + d.h.transpose()) * half);
        }
        let r = polar_rotation(&d.f);
        let u = r.transpose() * d.f;
        let e = (u + u.transpose()) * half - Matrix3::identity();
        (r, d.green_strain() - e * e * half)
    }
}

impl<T: Real> Material<T> for AnisotropicLinear<T> {
    fn frame(&self) -> LawFrame {
        if self.turns { LawFrame::Element } else { LawFrame::Rest }
    }

    #[inline]
    fn energy(&self, d: &Deformation<T>) -> T {
        let (_, e) = self.rotation_and_strain(d);
        self.response(&e, &d.axes).dot(&e) * lit(0.5)
    }

    #[inline]
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T> {
        let (r, e) = self.rotation_and_strain(d);
        r * self.response(&e, &d.axes) * r.transpose()
    }

    #[inline]
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let (r, e) = self.rotation_and_strain(d);
        let axes = r * d.axes;
        let tangent = voigt::of_map(|strain| self.response(strain, &axes));
        (r * self.response(&e, &d.axes) * r.transpose(), tangent)
    }

    fn unturned(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        let strain = (d.h + d.h.transpose()) * lit::<T>(0.5);
        let tangent = voigt::of_map(|strain| self.response(strain, &d.axes));
        (self.response(&strain, &d.axes), tangent)
    }
}
