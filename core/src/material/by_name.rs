//! Constants of the laws as data: one list, from which their properties come. A new law is its
//! constants here.

use super::MaterialSpec;
use crate::property::Range;

/// A constant of one law or several.
pub(crate) struct Constant {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) range: Range,
    /// That of the laws' defaults.
    pub(crate) default: f64,
    pub(crate) doc: &'static str,
    place: fn(&mut MaterialSpec) -> Option<&mut f64>,
}

/// `"name" = default, "unit", RANGE, "doc", Law | Law => field;`, a line a constant.
macro_rules! constants {
    ($($name:literal = $default:expr, $unit:literal, $range:ident, $doc:literal,
       $($law:ident)|+ => $field:ident;)+) => {
        &[$(Constant {
            name: $name,
            unit: $unit,
            range: Range::$range,
            default: $default,
            doc: $doc,
            place: |law| match law {
                $(MaterialSpec::$law(c))|+ => Some(&mut c.$field),
                _ => None,
            },
        }),+]
    };
}

/// Every constant of every law.
pub(crate) static CONSTANTS: &[Constant] = constants! {
    "youngs_modulus" = 5e5, "Pa", POSITIVE, "Young's modulus of an isotropic law", Linear | Corotated | StVenantKirchhoff | NeoHookean => youngs_modulus;
    "poissons_ratio" = 0.33, "-", POISSON, "Poisson's ratio of an isotropic law", Linear | Corotated | StVenantKirchhoff | NeoHookean => poissons_ratio;
    "c10" = 1.5e5, "Pa", FINITE, "Mooney-Rivlin: factor of the first invariant", MooneyRivlin => c10;
    "c01" = 0.0, "Pa", FINITE, "Mooney-Rivlin: factor of the second invariant", MooneyRivlin => c01;
    "c11" = 0.0, "Pa", FINITE, "Mooney-Rivlin: factor of the product of both", MooneyRivlin => c11;
    "c20" = 0.0, "Pa", FINITE, "Mooney-Rivlin: factor of the first, squared", MooneyRivlin => c20;
    "c02" = 0.0, "Pa", FINITE, "Mooney-Rivlin: factor of the second, squared", MooneyRivlin => c02;
    "bulk_modulus" = 1e5, "Pa", POSITIVE, "Mooney-Rivlin: bulk modulus", MooneyRivlin => bulk_modulus;
};

/// The constant `name`, where the law has one of that name.
pub(crate) fn material_constant(law: &MaterialSpec, name: &str) -> Option<f64> {
    let mut copy = *law;
    place(&mut copy, name).map(|x| *x)
}

/// Sets the constant `name`; `false` where the law has none of that name.
pub(crate) fn set_material_constant(law: &mut MaterialSpec, name: &str, value: f64) -> bool {
    place(law, name).map(|x| *x = value).is_some()
}

fn place<'m>(law: &'m mut MaterialSpec, name: &str) -> Option<&'m mut f64> {
    let constant = CONSTANTS.iter().find(|constant| constant.name == name)?;
    (constant.place)(law)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_of_every_law_is_in_the_list_with_its_default() {
        for name in MaterialSpec::NAMES {
            let law = MaterialSpec::from_name(name).unwrap();
            let fields = match serde_json::to_value(law).unwrap() {
                serde_json::Value::Object(fields) => fields,
                other => panic!("{other}"),
            };
            let mut count = 0;
            for constant in CONSTANTS {
                let Some(value) = material_constant(&law, constant.name) else { continue };
                assert_eq!(value, constant.default, "{name}: {}", constant.name);
                assert_eq!(fields[constant.name].as_f64(), Some(value));
                count += 1;
            }
            // One field more: the tag.
            assert_eq!(count + 1, fields.len(), "{name}: {fields:?}");
        }
    }
}
