//! Constitutive laws of soft tissue: energy -> Cauchy stress -> spatial tangent, at a point. One file
//! and one line of the list below a law; what the laws are called and take is in `docs/reference/materials.md`,
//! which is printed from them. Voigt order: xx, yy, zz, xy, yz, xz, full tensor components (no factor
//! 2 in the tangent).

use nalgebra::{Matrix3, Matrix6};

use crate::{Real, lit};

mod active_strain_muscle;
mod anisotropic_linear;
mod arruda_boyce;
mod blemker_muscle;
mod bulk;
mod constant_muscle;
mod constants;
mod corotated;
mod exponential;
mod fibre;
mod fung_orthotropic;
mod generic_muscle;
mod guccione;
mod hill_muscle;
mod holzapfel_gasser_ogden;
mod holzapfel_ogden;
mod isochoric;
mod isochoric_neo_hookean;
mod isotropic;
mod kernel;
mod law;
mod linear;
mod mooney_rivlin;
mod neo_hookean;
mod ogden;
mod orthotropic_linear;
mod page;
mod piola_muscle;
mod polar;
mod prony;
mod simple_muscle;
mod spec;
mod st_venant_kirchhoff;
mod stable_neo_hookean;
mod structure;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_reference;
mod transverse_linear;
mod user;
mod veronda_westmann;
mod voigt;
mod yeoh;

pub use active_strain_muscle::{ActiveStrainMuscle, ActiveStrainMuscleConstants};
pub use anisotropic_linear::{AnisotropicLinear, AnisotropicLinearConstants, StrainFrame};
pub use arruda_boyce::{ArrudaBoyce, ArrudaBoyceConstants, ChainSeries};
pub use blemker_muscle::{BlemkerMuscle, BlemkerMuscleConstants};
pub use bulk::{Bulk, BulkPotential};
pub use constant_muscle::{ConstantMuscle, ConstantMuscleConstants};
pub use constants::{Constant, Value};
pub use corotated::Corotated;
pub use fibre::{FibreEnergy, IsochoricFibre, PlainFibre};
pub use fung_orthotropic::{FungOrthotropic, FungOrthotropicConstants};
pub use generic_muscle::{GenericMuscle, GenericMuscleConstants};
pub use guccione::{Guccione, GuccioneConstants};
pub use hill_muscle::{HillMuscle, HillMuscleConstants};
pub use holzapfel_gasser_ogden::{HolzapfelGasserOgden, HolzapfelGasserOgdenConstants};
pub use holzapfel_ogden::{HolzapfelOgden, HolzapfelOgdenConstants};
pub use isochoric::{
    ByInvariants, Decoupled, Fictitious, InvariantEnergy, IsochoricLaw, Kinematics,
};
pub use isochoric_neo_hookean::{IsochoricNeoHookean, IsochoricNeoHookeanConstants};
pub use isotropic::Isotropic;
pub use kernel::KernelPoint;
pub use linear::Linear;
pub use mooney_rivlin::{MooneyRivlin, MooneyRivlinConstants};
pub use neo_hookean::NeoHookean;
pub use ogden::{Ogden, OgdenConstants};
pub use orthotropic_linear::{OrthotropicLinear, OrthotropicLinearConstants};
pub use page::page;
pub use piola_muscle::{PiolaMuscle, PiolaMuscleConstants};
pub use polar::polar_rotation;
pub use prony::{MOST_TERMS, PronyLaw, PronySeries, PronyStress, PronyTerm};
pub(crate) use prony::{StepWeights, present_weights};
pub use simple_muscle::{SimpleMuscle, SimpleMuscleConstants};
pub use spec::{Axes, LawKind, MaterialError, VolumeEnergy};
pub use st_venant_kirchhoff::StVenantKirchhoff;
pub use stable_neo_hookean::StableNeoHookean;
pub use transverse_linear::{TransverseLinear, TransverseLinearConstants};
pub use user::{Stretch, UserEnergy, UserLaw};
pub use veronda_westmann::{VerondaWestmann, VerondaWestmannConstants};
pub use voigt::{VOIGT, from_voigt, isotropic as voigt_isotropic, to_voigt};
pub use yeoh::{Yeoh, YeohConstants};

law::material_laws! {
    linear: Linear(Isotropic),
    corotated: Corotated(Isotropic),
    st_venant_kirchhoff: StVenantKirchhoff(Isotropic),
    neo_hookean: NeoHookean(Isotropic),
    mooney_rivlin: MooneyRivlin(MooneyRivlinConstants),
    isochoric_neo_hookean: IsochoricNeoHookean(IsochoricNeoHookeanConstants),
    stable_neo_hookean: StableNeoHookean(Isotropic),
    yeoh: Yeoh(YeohConstants),
    arruda_boyce: ArrudaBoyce(ArrudaBoyceConstants),
    veronda_westmann: VerondaWestmann(VerondaWestmannConstants),
    anisotropic_linear: AnisotropicLinear(AnisotropicLinearConstants),
    transverse_linear: TransverseLinear(TransverseLinearConstants),
    orthotropic_linear: OrthotropicLinear(OrthotropicLinearConstants),
    ogden: Ogden(OgdenConstants),
    fung_orthotropic: FungOrthotropic(FungOrthotropicConstants),
    guccione: Guccione(GuccioneConstants),
    holzapfel_gasser_ogden: HolzapfelGasserOgden(HolzapfelGasserOgdenConstants),
    holzapfel_ogden: HolzapfelOgden(HolzapfelOgdenConstants),
    simple_muscle: SimpleMuscle(SimpleMuscleConstants),
    constant_muscle: ConstantMuscle(ConstantMuscleConstants),
    piola_muscle: PiolaMuscle(PiolaMuscleConstants),
    generic_muscle: GenericMuscle(GenericMuscleConstants),
    blemker_muscle: BlemkerMuscle(BlemkerMuscleConstants),
    hill_muscle: HillMuscle(HillMuscleConstants),
    active_strain_muscle: ActiveStrainMuscle(ActiveStrainMuscleConstants),
}

/// Input of a law: the deformation of one point, built from the displacement gradient `H = F - I`
/// so that small strains keep their digits in f32, and the axes and activation of the tissue there.
#[derive(Clone, Copy, Debug)]
pub struct Deformation<T: Real> {
    /// Displacement gradient H [-], row = component, column = reference direction.
    pub h: Matrix3<T>,
    /// Deformation gradient F = I + H [-].
    pub f: Matrix3<T>,
    /// Volume ratio J = det F [-].
    pub j: T,
    /// Axes of the material at rest, columns: fibres along the first, sheets along the second.
    pub axes: Matrix3<T>,
    /// Activation of its fibres [-], 0 to 1.
    pub activation: T,
}

impl<T: Real> Deformation<T> {
    /// From the displacement gradient; axes are those of space, and nothing is active.
    #[inline(always)]
    pub fn new(h: Matrix3<T>) -> Self {
        let f = h + Matrix3::identity();
        Self { h, f, j: f.determinant(), axes: Matrix3::identity(), activation: T::zero() }
    }

    /// The same in a tissue with other axes, columns of a rotation.
    #[inline(always)]
    pub fn with_axes(self, axes: Matrix3<T>) -> Self {
        Self { axes, ..self }
    }

    /// The same with fibres that are active.
    #[inline(always)]
    pub fn with_activation(self, activation: T) -> Self {
        Self { activation, ..self }
    }

    /// Green-Lagrange strain E = (H + Hᵀ + HᵀH) / 2 [-].
    #[inline(always)]
    pub fn green_strain(&self) -> Matrix3<T> {
        (self.h + self.h.transpose() + self.h.transpose() * self.h) * lit::<T>(0.5)
    }

    /// J - 1 - tr H = (tr² H - tr H²) / 2 + det H [-].
    #[inline(always)]
    pub fn volume_change_beyond_trace(&self) -> T {
        let h = &self.h;
        let xy = h.m11 * h.m22 - h.m12 * h.m21;
        let yz = h.m22 * h.m33 - h.m23 * h.m32;
        let xz = h.m11 * h.m33 - h.m13 * h.m31;
        xy + yz + xz + h.determinant()
    }

    /// J - 1 [-], with all digits at small strain.
    #[inline(always)]
    pub fn volume_change(&self) -> T {
        self.h.trace() + self.volume_change_beyond_trace()
    }

    /// b - I = H + Hᵀ + HHᵀ [-], twice the left counterpart of the Green-Lagrange strain.
    #[inline(always)]
    pub fn left_strain(&self) -> Matrix3<T> {
        self.h + self.h.transpose() + self.h * self.h.transpose()
    }
}

/// The frame that a law measures strain in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawFrame {
    /// That of the rest shape: linear laws, for small rotations.
    Rest,
    /// That of the element as it turns: linear laws, for small strains.
    Element,
    /// That of the point: finite strain.
    Point,
}

/// A constitutive law at one point.
pub trait Material<T: Real>: Copy + Send + Sync {
    /// The frame that it measures strain in.
    fn frame(&self) -> LawFrame {
        LawFrame::Point
    }

    /// Strain energy per reference volume W [J/m³].
    fn energy(&self, d: &Deformation<T>) -> T;

    /// Cauchy stress [Pa].
    fn stress(&self, d: &Deformation<T>) -> Matrix3<T>;

    /// Cauchy stress [Pa] and spatial tangent [Pa], the latter with both minor symmetries.
    fn stress_and_tangent(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>);

    /// Stress and tangent [Pa] as seen in the frame of the law, where `d` is seen in that frame too.
    fn unturned(&self, d: &Deformation<T>) -> (Matrix3<T>, Matrix6<T>) {
        self.stress_and_tangent(d)
    }
}

/// A law from the numbers that it computes with, in the order in which kernels take them.
pub(crate) trait Unpack<T: Real>: Material<T> {
    /// From packed constants.
    fn unpack(packed: &[f64]) -> Self;
}
