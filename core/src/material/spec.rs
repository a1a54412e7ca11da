//! Kind of a law without its constants, and a law by its names: constants, checks.

use super::bulk::Bulk;
use super::constants::{Constant, Unfit};
use super::{AnyLaw, Deformation, Isotropic, Law, Material, MaterialSpec, Value};
use crate::Mat3;
use crate::component::spelling::same_word;

/// A law without its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawKind {
    /// Its name in files and reports.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The law in words, with its energy.
    pub doc: &'static str,
    /// Key in `docs/reference/references.md`.
    pub source: &'static str,
    /// Its constants.
    pub constants: &'static [Constant],
    /// True if it is undefined for J <= 0: an inverted point is then an error of the step.
    pub needs_positive_volume: bool,
    /// Axes of the tissue that it depends on.
    pub axes: Axes,
    /// True for the stress of fibres of a muscle beside the law of their tissue: it resists nothing
    /// but their stretch, and can be active.
    pub muscle: bool,
    /// Name of the text in `shaders/wgsl/law` that computes it on a device.
    pub kernel: &'static str,
    /// The part of its energy that is of the volume alone; `None` where it has none apart.
    pub volume: Option<VolumeEnergy>,
}

/// The part of a law's energy that is of the volume alone, with the place of its modulus among the numbers that kernels
/// take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolumeEnergy {
    /// modulus/2 tr² e of a linear law.
    Trace(usize),
    /// modulus/2 (J - 1)².
    Quadratic(usize),
    /// modulus/2 (ln J)².
    Logarithmic(usize),
    /// That of the bulk potential, which stands after its modulus.
    Chosen(usize),
}

impl VolumeEnergy {
    /// Place of its modulus.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Trace(k) | Self::Quadratic(k) | Self::Logarithmic(k) | Self::Chosen(k) => k,
        }
    }
}

/// Axes of the tissue that a law depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// None: it is isotropic.
    None,
    /// The direction of the fibres; the law does nothing but pull along them or resist their stretch,
    /// or has a matrix that is the same in all directions across them.
    Fibre,
    /// Fibres, sheets and the normal of both.
    All,
}

impl LawKind {
    /// Description of the constant of that name.
    pub fn constant(&self, name: &str) -> Option<&'static Constant> {
        self.constants.iter().find(|constant| constant.name == name)
    }

    /// True if the law goes by that name; hyphens and blanks count as underscores, capitals as small.
    pub fn is_called(&self, name: &str) -> bool {
        std::iter::once(&self.name).chain(self.aliases).any(|known| same_word(known, name))
    }
}

impl Law {
    /// The law of that name or alias, if there is one; see [`LawKind::is_called`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.kind().is_called(name))
    }
}

impl MaterialSpec {
    /// Name of the law, one of [`Self::NAMES`].
    pub fn name(&self) -> &'static str {
        self.kind().name
    }

    /// The law of that [name](Self::name) or alias with default constants, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Law::from_name(name).map(Law::spec)
    }

    /// The law with all moduli scaled alike, so that at rest it has the shear modulus of the isotropic
    /// constants, and their bulk modulus where that is a constant of its own; laws with a Young's
    /// modulus and a Poisson's ratio take these.
    pub fn as_stiff_as(self, isotropic: Isotropic) -> Self {
        let mut spec = self;
        let young = Value::Number(isotropic.youngs_modulus);
        if spec.put("youngs_modulus", young) {
            spec.put("poissons_ratio", Value::Number(isotropic.poissons_ratio));
            return spec;
        }
        let (lambda, mu) = isotropic.lame();
        let (_, rest) = self.law::<f64>().stress_and_tangent(&Deformation::new(Mat3::zeros()));
        for constant in self.kind().constants.iter().filter(|constant| constant.unit == "Pa") {
            if let Some(Value::Number(value)) = self.get(constant.name) {
                spec.put(constant.name, Value::Number(value * (mu / rest[(3, 3)])));
            }
        }
        spec.put("bulk_modulus", Value::Number(lambda + 2.0 / 3.0 * mu));
        spec
    }

    /// Value of the constant of that name, if the law has one.
    pub fn get(&self, constant: &str) -> Option<Value> {
        self.set().get(constant)
    }

    /// Replaces the constant of that name, whatever its range; `false` where the law has none of that
    /// name, or one that is a word instead of a number or the other way round.
    pub fn put(&mut self, constant: &str, value: Value) -> bool {
        self.set_mut().set(constant, value)
    }

    /// Stress along a strain of 1 at rest [Pa], the largest over the axes of the material: with the
    /// density it gives the wave speed and so the stable explicit step.
    pub fn wave_modulus(&self) -> f64 {
        let (_, c) = self.law::<f64>().stress_and_tangent(&Deformation::new(Mat3::zeros()));
        c[(0, 0)].max(c[(1, 1)]).max(c[(2, 2)])
    }

    /// Young's modulus at rest [Pa], the harmonic mean over the axes of the material: 3 / (S11 + S22 + S33), S the inverse of
    /// the tangent; `None` where that has none.
    pub fn youngs_modulus(&self) -> Option<f64> {
        let (_, c) = self.law::<f64>().stress_and_tangent(&Deformation::new(Mat3::zeros()));
        let s = c.try_inverse()?;
        let modulus = 3.0 / (s[(0, 0)] + s[(1, 1)] + s[(2, 2)]);
        (modulus.is_finite() && modulus > 0.0).then_some(modulus)
    }

    /// The part of its energy that is of the volume alone; `None` where it has none apart. That of a linear law is a
    /// function of the trace of its strain in place of J - 1.
    pub fn bulk(&self) -> Option<Bulk<f64>> {
        let (volume, packed) = (self.kind().volume?, self.set().pack());
        let modulus = packed[volume.place()];
        Some(match volume {
            VolumeEnergy::Trace(_) | VolumeEnergy::Quadratic(_) => Bulk::unpack(modulus, 0.0),
            VolumeEnergy::Logarithmic(_) => Bulk::unpack(modulus, 1.0),
            VolumeEnergy::Chosen(place) => Bulk::unpack(modulus, packed[place + 1]),
        })
    }

    /// The law without its part of the volume alone.
    pub fn without_bulk(&self) -> AnyLaw<f64> {
        let packed = self.packed_without_bulk();
        if let Self::User(law) = self {
            return AnyLaw::User(law.with_packed(&packed));
        }
        AnyLaw::of_kernel(self.kind().kernel, &packed).unwrap_or_else(|| self.law())
    }

    /// Modulus of the part of the volume alone over the least shear modulus at rest [-]; `None` where it has no such
    /// part.
    pub fn bulk_over_shear(&self) -> Option<f64> {
        Some(self.bulk()?.modulus() / self.shear_modulus())
    }

    /// Least shear modulus at rest [Pa].
    pub fn shear_modulus(&self) -> f64 {
        let (_, c) = self.without_bulk().stress_and_tangent(&Deformation::new(Mat3::zeros()));
        c[(3, 3)].min(c[(4, 4)]).min(c[(5, 5)])
    }

    /// Checks that the constants describe a material that resists deformation.
    ///
    /// # Errors
    /// [`MaterialError`] names the first constant that is not finite or out of its range.
    pub fn check(&self) -> Result<(), MaterialError> {
        let (law, set) = (self.name(), self.set());
        for constant in set.list() {
            let Some(Value::Number(value)) = set.get(constant.name) else { continue };
            if !constant.range.contains(value) {
                let unit = if constant.unit == "-" {
                    String::new()
                } else {
                    format!(" [{}]", constant.unit)
                };
                let range = format!("{}{unit}", constant.range);
                return Err(MaterialError { law, parameter: constant.name, value, range });
            }
        }
        match set.check_together() {
            Some(Unfit { parameter, value, must }) => {
                Err(MaterialError { law, parameter, value, range: must.to_owned() })
            }
            None => Ok(()),
        }
    }
}

/// A constant of a material that describes nothing physical.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("material {law}: {parameter} is {value}, it must be {range}")]
pub struct MaterialError {
    /// Name of the law, one of [`MaterialSpec::NAMES`].
    pub law: &'static str,
    /// The constant.
    pub parameter: &'static str,
    /// Its value.
    pub value: f64,
    /// Values that are allowed.
    pub range: String,
}
