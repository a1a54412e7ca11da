//! A law with its constants as a model holds it: names, defaults, checks.

/// A law with its constants, as a model holds it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MaterialSpec {
    /// Small-strain linear elasticity.
    Linear(Isotropic),
    /// Linear elasticity in the frame that turns with the element (ArtiSynth's default).
    Corotated(Isotropic),
    /// St. Venant-Kirchhoff.
    StVenantKirchhoff(Isotropic),
    /// Compressible neo-Hookean, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)².
    NeoHookean(Isotropic),
    /// Five-constant Mooney-Rivlin with a quadratic bulk term.
    MooneyRivlin(MooneyRivlinConstants),
}

/// Constants of an isotropic law.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Isotropic {
    /// Young's modulus E [Pa].
    pub youngs_modulus: f64,
    /// Poisson's ratio nu [-], in (-1, 0.5).
    pub poissons_ratio: f64,
}

/// Constants of the five-constant Mooney-Rivlin law, all [Pa].
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MooneyRivlinConstants {
    /// Factor of (Ī1 - 3).
    pub c10: f64,
    /// Factor of (Ī2 - 3).
    pub c01: f64,
    /// Factor of (Ī1 - 3)(Ī2 - 3).
    pub c11: f64,
    /// Factor of (Ī1 - 3)².
    pub c20: f64,
    /// Factor of (Ī2 - 3)².
    pub c02: f64,
    /// Bulk modulus kappa of kappa/2 (J - 1)².
    pub bulk_modulus: f64,
}

impl MaterialSpec {
    /// Names of the laws in settings and reports, in the order of the variants.
    pub const NAMES: [&'static str; 5] = ["linear", "corot", "stvk", "neohook", "mr"];

    /// Name of the law, one of [`Self::NAMES`].
    pub fn name(&self) -> &'static str {
        let row = match self {
            Self::Linear(_) => 0,
            Self::Corotated(_) => 1,
            Self::StVenantKirchhoff(_) => 2,
            Self::NeoHookean(_) => 3,
            Self::MooneyRivlin(_) => 4,
        };
        Self::NAMES[row]
    }

    /// The law of that [name](Self::name) with default constants, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        let row = Self::NAMES.iter().position(|n| *n == name)?;
        let isotropic = Isotropic::default();
        Some(match row {
            0 => Self::Linear(isotropic),
            1 => Self::Corotated(isotropic),
            2 => Self::StVenantKirchhoff(isotropic),
            3 => Self::NeoHookean(isotropic),
            _ => Self::MooneyRivlin(MooneyRivlinConstants::default()),
        })
    }

    /// Modulus of longitudinal waves at rest, lambda + 2 mu [Pa]; with the density it gives the
    /// wave speed and so the stable explicit step.
    pub fn wave_modulus(&self) -> f64 {
        match self {
            Self::Linear(c)
            | Self::Corotated(c)
            | Self::StVenantKirchhoff(c)
            | Self::NeoHookean(c) => {
                let (lambda, mu) = c.lame();
                lambda + 2.0 * mu
            }
            Self::MooneyRivlin(c) => c.bulk_modulus + 4.0 / 3.0 * c.shear_modulus(),
        }
    }

    /// Checks that the constants describe a material that resists deformation.
    ///
    /// # Errors
    /// [`MaterialError`] names the first constant that is not finite or out of its range.
    pub fn check(&self) -> Result<(), MaterialError> {
        let law = self.name();
        match self {
            Self::Linear(c)
            | Self::Corotated(c)
            | Self::StVenantKirchhoff(c)
            | Self::NeoHookean(c) => c.check(law),
            Self::MooneyRivlin(c) => c.check(law),
        }
    }
}

impl Isotropic {
    /// Lamé's constants (lambda, mu) [Pa].
    pub fn lame(&self) -> (f64, f64) {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)))
    }

    fn check(&self, law: &'static str) -> Result<(), MaterialError> {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        let modulus = "must be positive [Pa]";
        ensure(e.is_finite() && e > 0.0, law, "Young's modulus", e, modulus)?;
        let ratio = "must lie between -1 and 0.5, both excluded";
        ensure(nu > -1.0 && nu < 0.5, law, "Poisson's ratio", nu, ratio)
    }
}

impl MooneyRivlinConstants {
    /// Shear modulus at rest, 2 (C10 + C01) [Pa].
    pub fn shear_modulus(&self) -> f64 {
        2.0 * (self.c10 + self.c01)
    }

    fn check(&self, law: &'static str) -> Result<(), MaterialError> {
        let constants = [
            ("C10", self.c10),
            ("C01", self.c01),
            ("C11", self.c11),
            ("C20", self.c20),
            ("C02", self.c02),
        ];
        for (name, value) in constants {
            ensure(value.is_finite(), law, name, value, "must be finite [Pa]")?;
        }
        // Fits to measurements may have one of the two negative.
        let sum = self.c10 + self.c01;
        let stiff = "must be positive [Pa]: twice it is the shear modulus at rest";
        ensure(sum.is_finite() && sum > 0.0, law, "C10 + C01", sum, stiff)?;
        let kappa = self.bulk_modulus;
        let bulk = "must be positive [Pa]";
        ensure(kappa.is_finite() && kappa > 0.0, law, "bulk modulus", kappa, bulk)
    }
}

impl Default for Isotropic {
    /// ArtiSynth's default: E = 500 kPa, nu = 0.33.
    fn default() -> Self {
        Self { youngs_modulus: 5e5, poissons_ratio: 0.33 }
    }
}

impl Default for MooneyRivlinConstants {
    /// ArtiSynth's default: C10 = 150 kPa, kappa = 100 kPa, the others zero.
    fn default() -> Self {
        Self { c10: 1.5e5, c01: 0.0, c11: 0.0, c20: 0.0, c02: 0.0, bulk_modulus: 1e5 }
    }
}

/// A constant of a material that describes nothing physical.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("material {law}: {parameter} is {value}, it {range}")]
pub struct MaterialError {
    /// Name of the law, one of [`MaterialSpec::NAMES`].
    pub law: &'static str,
    /// The constant.
    pub parameter: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub range: &'static str,
}

fn ensure(
    holds: bool,
    law: &'static str,
    parameter: &'static str,
    value: f64,
    range: &'static str,
) -> Result<(), MaterialError> {
    if holds { Ok(()) } else { Err(MaterialError { law, parameter, value, range }) }
}
