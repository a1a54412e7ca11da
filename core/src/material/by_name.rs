//! Constants of a law by name, for properties.

use super::MaterialSpec;

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
    match law {
        MaterialSpec::Linear(c)
        | MaterialSpec::Corotated(c)
        | MaterialSpec::StVenantKirchhoff(c)
        | MaterialSpec::NeoHookean(c) => match name {
            "youngs_modulus" => Some(&mut c.youngs_modulus),
            "poissons_ratio" => Some(&mut c.poissons_ratio),
            _ => None,
        },
        MaterialSpec::MooneyRivlin(c) => match name {
            "c10" => Some(&mut c.c10),
            "c01" => Some(&mut c.c01),
            "c11" => Some(&mut c.c11),
            "c20" => Some(&mut c.c20),
            "c02" => Some(&mut c.c02),
            "bulk_modulus" => Some(&mut c.bulk_modulus),
            _ => None,
        },
    }
}
