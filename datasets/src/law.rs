//! Choice of a constitutive law by name, with constants that agree at small strain.

pub use sinew::material::Law;
use sinew::material::{BulkPotential, Isotropic, MaterialSpec, MooneyRivlinConstants};

use crate::{ParamError, Params, Range};

/// The law with its constants: `mooney` for Mooney-Rivlin, and what is as stiff as `isotropic` at small
/// strain for the others.
pub fn spec_of(law: Law, isotropic: Isotropic, mooney: MooneyRivlinConstants) -> MaterialSpec {
    match law.spec() {
        MaterialSpec::MooneyRivlin(_) => MaterialSpec::MooneyRivlin(mooney),
        other => other.as_stiff_as(isotropic),
    }
}

/// Reads the law of a tissue by any of its names.
///
/// # Errors
/// A name that no law of a tissue has.
pub fn read_law(params: &mut Params, key: &'static str, default: Law) -> Result<Law, ParamError> {
    let of_tissue = |law: &Law| !law.kind().muscle;
    match params.get(key).and_then(Law::from_name).filter(of_tissue) {
        Some(law) => Ok(law),
        None => {
            let laws = Law::ALL.into_iter().filter(of_tissue);
            let named: Vec<(&str, Law)> = laws.map(|law| (law.kind().name, law)).collect();
            params.choice(key, default, &named)
        }
    }
}

/// Mooney-Rivlin constants with the small-strain response of `isotropic`: c10 = mu / 2,
/// bulk modulus = lambda + 2/3 mu, the others 0 (at small strain mu = 2 (c10 + c01)).
pub fn mooney_rivlin_of(isotropic: Isotropic) -> MooneyRivlinConstants {
    let (lambda, mu) = isotropic.lame();
    MooneyRivlinConstants {
        c10: 0.5 * mu,
        c01: 0.0,
        c11: 0.0,
        c20: 0.0,
        c02: 0.0,
        bulk_modulus: lambda + 2.0 / 3.0 * mu,
        bulk_potential: BulkPotential::Quadratic,
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
