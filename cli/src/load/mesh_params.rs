//! The parameters of a model that comes as a mesh file: material, density, damping, supports.

use sinew::io::LengthUnit;
use sinew::material::{Isotropic, MaterialSpec, MooneyRivlinConstants};
use sinew_datasets::law::{Law, mooney_rivlin_of, read_law, spec_of};
use sinew_datasets::{ParamError, ParamInfo, Params, Range};

use super::clamp::Clamp;
use super::source::SourceError;

/// Parameters of a mesh file. The material defaults are those of the built-in beam.
pub(crate) const MESH_PARAMS: &[ParamInfo] = &[
    ParamInfo {
        key: "unit",
        default: "m",
        unit: "-",
        doc: "unit of length of the file: m, cm, mm, ..",
    },
    ParamInfo {
        key: "clamp",
        default: "lowest 5 %",
        unit: "unit of the file",
        doc: "nodes that are fixed: none, or z<0.05, or x>1 and y<=2",
    },
    ParamInfo { key: "density", default: "1000", unit: "kg/m³", doc: "mass density, above 0" },
    ParamInfo {
        key: "material",
        default: "corot",
        unit: "-",
        doc: "linear, corot, stvk, neohook, mr, or another law of docs/reference/materials.md",
    },
    ParamInfo { key: "E", default: "5e5", unit: "Pa", doc: "Young's modulus, above 0" },
    ParamInfo { key: "nu", default: "0.33", unit: "-", doc: "Poisson's ratio, in (-1, 0.5]" },
    ParamInfo {
        key: "C10",
        default: "of E, nu",
        unit: "Pa",
        doc: "Mooney-Rivlin: factor of the first invariant",
    },
    ParamInfo {
        key: "C01",
        default: "0",
        unit: "Pa",
        doc: "Mooney-Rivlin: factor of the second invariant",
    },
    ParamInfo {
        key: "K",
        default: "of E, nu",
        unit: "Pa",
        doc: "Mooney-Rivlin: bulk modulus, above 0",
    },
    ParamInfo { key: "alpha", default: "2", unit: "1/s", doc: "Rayleigh damping by mass" },
    ParamInfo { key: "beta", default: "0.01", unit: "s", doc: "Rayleigh damping by stiffness" },
    ParamInfo { key: "g", default: "9.8", unit: "m/s²", doc: "gravity, along -z" },
];

/// The parameters, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MeshParams {
    /// Unit of length of the file, where it is given.
    pub(crate) unit: Option<LengthUnit>,
    /// Selection of the fixed nodes.
    pub(crate) clamp: Clamp,
    /// Mass density [kg/m³].
    pub(crate) density: f64,
    /// Material of the whole mesh.
    pub(crate) material: MaterialSpec,
    /// Rayleigh damping by mass [1/s].
    pub(crate) mass_damping: f64,
    /// Rayleigh damping by stiffness [s].
    pub(crate) stiffness_damping: f64,
    /// Acceleration of free fall along -z [m/s²].
    pub(crate) gravity: f64,
}

impl MeshParams {
    /// Reads `params`.
    ///
    /// # Errors
    /// A value out of its range, an unknown key, a clamp that is no condition.
    pub(crate) fn read(mut params: Params) -> Result<Self, SourceError> {
        let read = Self {
            unit: read_unit(&mut params)?,
            clamp: match params.get("clamp") {
                Some(text) => unquoted(text).parse()?,
                None => Clamp::default(),
            },
            density: params.f64("density", 1000.0, Range::POSITIVE)?,
            material: read_material(&mut params)?,
            mass_damping: params.f64("alpha", 2.0, Range::NOT_NEGATIVE)?,
            stiffness_damping: params.f64("beta", 0.01, Range::NOT_NEGATIVE)?,
            gravity: params.f64("g", 9.8, Range::ANY)?,
        };
        params.finish()?;
        Ok(read)
    }
}

/// `text` without quotes around it, which a script that bypasses the shell leaves in place.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

fn read_unit(params: &mut Params) -> Result<Option<LengthUnit>, ParamError> {
    let Some(name) = params.get("unit") else { return Ok(None) };
    LengthUnit::from_name(name).map(Some).ok_or_else(|| ParamError::Value {
        key: "unit".to_owned(),
        value: name.to_owned(),
        allowed: "a unit of length such as m, cm, mm".to_owned(),
    })
}

/// The material. Every constant is checked, also those that the law does not use.
fn read_material(params: &mut Params) -> Result<MaterialSpec, ParamError> {
    let law = read_law(params, "material", Law::Corotated)?;
    let isotropic = Isotropic {
        youngs_modulus: params.f64("E", 5e5, Range::POSITIVE)?,
        poissons_ratio: params.f64("nu", 0.33, Range::POISSON)?,
    };
    let equivalent = mooney_rivlin_of(isotropic);
    let mooney_rivlin = MooneyRivlinConstants {
        c10: params.f64("C10", equivalent.c10, Range::ANY)?,
        c01: params.f64("C01", equivalent.c01, Range::ANY)?,
        bulk_modulus: params.f64("K", equivalent.bulk_modulus, Range::POSITIVE)?,
        ..equivalent
    };
    Ok(spec_of(law, isotropic, mooney_rivlin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[&str]) -> Result<MeshParams, SourceError> {
        MeshParams::read(Params::parse(pairs).unwrap())
    }

    #[test]
    fn the_defaults_are_those_of_the_listing() {
        let written = MESH_PARAMS.iter().filter(|p| !p.default.contains(' '));
        let all: Vec<_> = written.map(|p| format!("{}={}", p.key, p.default)).collect();
        // A unit that is not said is the one of the listing, and told apart from it.
        assert_eq!(read(&[]).unwrap().unit, None);
        let unsaid = MeshParams { unit: Some(LengthUnit::default()), ..read(&[]).unwrap() };
        assert_eq!(MeshParams::read(Params::parse(&all).unwrap()).unwrap(), unsaid);
    }

    #[test]
    fn every_listed_parameter_is_read() {
        for info in MESH_PARAMS {
            let message = read(&[&format!("{}=?", info.key)]).expect_err(info.key).to_string();
            assert!(!message.contains("unknown parameter"), "{}: {message}", info.key);
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_its_key_and_value() {
        for bad in [
            "density=0",
            "density=-5",
            "nu=0.6",
            "nu=-1",
            "nu=nan",
            "E=0",
            "E=soft",
            "K=0",
            "alpha=-1",
            "beta=-0.1",
            "material=jelly",
            "unit=furlong",
            "clamp=z=1",
            "densty=1",
        ] {
            let message = read(&[bad]).expect_err(bad).to_string();
            let (key, value) = bad.split_once('=').unwrap();
            assert!(message.contains(key), "{bad}: {message}");
            assert!(key == "densty" || message.contains(value), "{bad}: {message}");
        }
    }

    #[test]
    fn a_clamp_may_come_in_quotes() {
        assert_eq!(read(&["clamp=\"z<1\""]).unwrap().clamp, "z<1".parse().unwrap());
    }
}
