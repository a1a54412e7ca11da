//! Choice of a constitutive law by name, with constants that agree at small strain.

use sinew::material::{Isotropic, MaterialSpec, MooneyRivlinConstants};

use crate::{ParamError, Params, Range};

/// The law of a built-in model (`mat=`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// `linear`: small-strain linear elasticity.
    Linear,
    /// `corot`: corotated linear elasticity.
    Corotated,
    /// `stvk`: St. Venant-Kirchhoff.
    StVenantKirchhoff,
    /// `neohook`: compressible neo-Hookean.
    NeoHookean,
    /// `mr`: Mooney-Rivlin.
    MooneyRivlin,
}

impl Law {
    /// The names of `mat=`.
    pub const NAMES: &'static [(&'static str, Self)] = &[
        ("linear", Self::Linear),
        ("corot", Self::Corotated),
        ("stvk", Self::StVenantKirchhoff),
        ("neohook", Self::NeoHookean),
        ("mr", Self::MooneyRivlin),
    ];

    /// The law with its constants; `isotropic` serves all but Mooney-Rivlin.
    pub fn spec(self, isotropic: Isotropic, mooney: MooneyRivlinConstants) -> MaterialSpec {
        match self {
            Self::Linear => MaterialSpec::Linear(isotropic),
            Self::Corotated => MaterialSpec::Corotated(isotropic),
            Self::StVenantKirchhoff => MaterialSpec::StVenantKirchhoff(isotropic),
            Self::NeoHookean => MaterialSpec::NeoHookean(isotropic),
            Self::MooneyRivlin => MaterialSpec::MooneyRivlin(mooney),
        }
    }
}

/// Mooney-Rivlin constants with the small-strain response of `isotropic`: c10 = mu / 2,
/// bulk modulus = E / (3 (1 - 2 nu)), the others 0 (at small strain mu = 2 (c10 + c01)).
pub fn mooney_rivlin_of(isotropic: Isotropic) -> MooneyRivlinConstants {
    let Isotropic { youngs_modulus: e, poissons_ratio: nu } = isotropic;
    MooneyRivlinConstants {
        c10: e / (4.0 * (1.0 + nu)),
        c01: 0.0,
        c11: 0.0,
        c20: 0.0,
        c02: 0.0,
        bulk_modulus: e / (3.0 * (1.0 - 2.0 * nu)),
    }
}

/// Isotropic constants with the small-strain response of `mooney`: mu = 2 (c10 + c01),
/// E = 9 K mu / (3 K + mu), nu = (3 K - 2 mu) / (2 (3 K + mu)).
pub fn isotropic_of(mooney: MooneyRivlinConstants) -> Isotropic {
    let mu = 2.0 * (mooney.c10 + mooney.c01);
    let k = mooney.bulk_modulus;
    Isotropic {
        youngs_modulus: 9.0 * k * mu / (3.0 * k + mu),
        poissons_ratio: (3.0 * k - 2.0 * mu) / (2.0 * (3.0 * k + mu)),
    }
}

/// Reads `E` and `nu`; both laws' constants default to `default`.
pub(crate) fn read_isotropic(
    params: &mut Params,
    default: Isotropic,
) -> Result<Isotropic, ParamError> {
    Ok(Isotropic {
        youngs_modulus: params.f64("E", default.youngs_modulus, Range::POSITIVE)?,
        poissons_ratio: params.f64("nu", default.poissons_ratio, Range::POISSON)?,
    })
}
