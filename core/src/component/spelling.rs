//! Names that were meant.

use strsim::levenshtein;

/// A noun with its article; the plural `paths` has none.
pub(crate) fn with_article(noun: &str) -> String {
    match noun.chars().next() {
        _ if noun == "paths" => noun.to_owned(),
        Some('a' | 'e' | 'i' | 'o' | 'A' | 'E' | 'I' | 'O') => format!("an {noun}"),
        _ => format!("a {noun}"),
    }
}

/// Names of one quantity, its own first: of properties and laws, of textbooks, of parameters, of other programs. Where one of
/// them is known, the others are taken for it.
pub const SYNONYMS: [&[&str]; 15] = [
    &["youngs_modulus", "young_modulus", "E"],
    &["poissons_ratio", "poisson_ratio", "nu"],
    &["bulk_modulus", "K"],
    &["c10", "C10"],
    &["c01", "C01"],
    &["density", "rho"],
    &["friction", "mu", "friction_coefficient", "coefficient_of_friction"],
    &["restitution", "coefficient_of_restitution"],
    &["mass_damping", "alpha", "rayleigh_mass"],
    &["stiffness_damping", "beta", "rayleigh_stiffness"],
    &["gravity", "g"],
    &["material", "mat"],
    &["inertia", "rotational_inertia", "inertia_tensor"],
    &["center_of_mass", "centre_of_mass", "com", "mass_center"],
    &["kind", "type"],
];

/// Words of other programs and of textbooks beside the name that is nearest to them here. Their values may be of another form, so
/// that the name is suggested and not taken. Case, hyphens and underscores do not count.
pub const RELATED: [(&str, &[&str]); 64] = [
    // Components.
    ("rigid_body", &["body", "bone", "link"]),
    ("fem_model", &["tissue", "fem", "fem_model_3d", "solid", "soft_body", "deformable"]),
    ("frame_marker", &["marker", "site", "landmark"]),
    ("axial_spring", &["spring", "axial_muscle", "spring_damper"]),
    (
        "multi_point_spring",
        &["muscle", "tendon", "path_actuator", "ligament", "multi_point_muscle"],
    ),
    ("collider", &["contact_geometry", "geom", "collision_shape"]),
    ("collision_behavior", &["contact", "collision", "contact_pair", "contact_force"]),
    ("muscle_exciter", &["exciter", "excitation_group"]),
    ("point_load", &["load", "nodal_load", "external_force"]),
    ("attachment", &["weld", "attach", "tie"]),
    ("coordinate_actuator", &["actuator", "motor"]),
    ("wrap_surface", &["wrap", "wrap_object", "wrappable"]),
    ("custom_joint", &["spatial_transform"]),
    ("support", &["boundary_condition", "bc", "dirichlet", "fixed_nodes"]),
    ("region", &["subdomain", "part", "material_region"]),
    // Bodies and their places.
    ("pose", &["frame", "transform", "orientation", "rotation", "quaternion", "quat", "euler"]),
    ("position", &["translation", "xyz", "origin"]),
    ("velocity", &["linear_velocity", "speed"]),
    ("angular_velocity", &["omega", "rotational_velocity"]),
    ("dynamic", &["fixed", "static", "kinematic", "is_static", "is_fixed", "movable"]),
    ("inertia", &["moment_of_inertia", "moments_of_inertia", "diaginertia", "fullinertia"]),
    ("mesh", &["geometry", "surface_mesh", "mesh_file", "elements", "nodes"]),
    ("shape", &["geometry", "primitive"]),
    ("location", &["position", "offset"]),
    ("body", &["parent_frame", "parent_body", "socket_parent_frame"]),
    ("half_extents", &["size", "extents", "half_size", "dimensions"]),
    ("half_length", &["length", "height"]),
    ("frame_damping", &["linear_damping", "translational_damping"]),
    ("rotary_damping", &["angular_damping", "rotational_damping"]),
    // Joints.
    ("kind", &["joint_type", "type_name"]),
    ("body_c", &["child", "child_body", "child_frame", "body_a", "body1", "body_1"]),
    ("body_d", &["parent", "parent_body", "parent_frame", "body_b", "body2", "body_2"]),
    ("frame_c", &["location_in_child", "orientation_in_child", "tca"]),
    ("frame_d", &["location_in_parent", "orientation_in_parent", "tdb"]),
    ("axis", &["direction", "axis_of_rotation"]),
    ("coordinate", &["range", "limits", "limit", "coordinates", "dof"]),
    ("lower", &["min", "minimum", "lower_limit"]),
    ("upper", &["max", "maximum", "upper_limit"]),
    // Springs and muscles.
    ("first", &["start", "point_a", "point1", "origin", "from"]),
    ("second", &["end", "point_b", "point2", "insertion", "to"]),
    ("points", &["path", "geometry_path", "via_points", "path_points"]),
    ("rest_length", &["resting_length", "natural_length", "free_length", "l0"]),
    ("excitation", &["activation", "control"]),
    ("max_force", &["maximum_force", "fmax", "f_max", "optimal_force"]),
    ("max_isometric_force", &["f0", "fmax", "isometric_force"]),
    ("optimal_fibre_length", &["optimal_fiber_length", "lopt", "l_opt"]),
    ("pennation", &["pennation_angle", "pennation_angle_at_optimal"]),
    ("targets", &["muscles", "actuators"]),
    // Tissues and contact.
    ("material", &["constitutive_model", "constitutive_law", "material_model"]),
    ("fibres", &["fibers", "fiber_direction", "fibre_direction", "mat_axis"]),
    ("prony_series", &["viscoelastic", "prony", "relaxation"]),
    ("incompressible", &["incompressibility", "element_formulation"]),
    ("compliance", &["contact_stiffness", "penalty", "stiffness"]),
    ("a", &["first", "primary", "geom1", "body_a"]),
    ("b", &["second", "secondary", "geom2", "body_b"]),
    ("adhesion", &["work_of_adhesion", "surface_energy"]),
    ("force", &["magnitude", "load"]),
    // Runs.
    ("step", &["dt", "time_step", "timestep", "h", "step_size", "max_step"]),
    ("time", &["duration", "end_time", "stop_time", "final_time", "t_end"]),
    ("integrator", &["solver", "method", "scheme", "time_integration"]),
    ("conjugate_gradients", &["jacobi", "pcg", "iterative"]),
    ("direct", &["pardiso", "lu", "cholesky", "umfpack", "mumps"]),
    ("every", &["interval", "update_interval", "sample_time", "sampling_interval"]),
    ("properties", &["property", "attribute", "quantity"]),
];

/// True if both are names of one thing.
pub fn same_meaning(a: &str, b: &str) -> bool {
    a == b || SYNONYMS.iter().any(|names| names.contains(&a) && names.contains(&b))
}

/// True if `given` is the word `known`, whatever its case, with hyphens or blanks for underscores.
pub(crate) fn same_word(known: &str, given: &str) -> bool {
    let plain = |byte: u8| match byte {
        b'-' | b' ' => b'_',
        _ => byte.to_ascii_lowercase(),
    };
    known.bytes().map(plain).eq(given.bytes().map(plain))
}

/// The one of these words that `given` is, whatever its case, with hyphens or blanks for underscores.
pub fn word_meant(words: &[&'static str], given: &str) -> Option<&'static str> {
    words.iter().copied().find(|known| same_word(known, given))
}

/// The one of `known` that `name` means: itself, or else a name of the same thing.
pub fn meant<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    known
        .clone()
        .find(|it| *it == name)
        .or_else(|| known.into_iter().find(|it| same_meaning(it, name)))
}

/// True if `given` is a word that [`RELATED`] has beside `known`, or another name of it.
fn is_related(known: &str, given: &str) -> bool {
    let letters = |word: &str| -> String {
        word.chars().filter(|c| !"_- ".contains(*c)).flat_map(char::to_lowercase).collect()
    };
    let given = letters(given);
    let is_given = |words: &[&str]| words.iter().any(|word| letters(word) == given);
    RELATED.iter().any(|(own, words)| *own == known && is_given(words))
        || SYNONYMS.iter().any(|names| names[0] == known && is_given(&names[1..]))
}

/// Up to three of `names` that `name` may stand for, the nearest first: those that other programs call so, then those
/// that are spelled most like it whatever the case. What differs in more than a third of its letters (2 at least), or in all
/// of them, was not a slip, unless `name` is a part of it.
pub fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let given = name;
    let name = name.to_lowercase();
    let part = |known: &str| name.len() >= 3 && known.contains(&name);
    let slip =
        |d: usize, known: &str| d <= (known.len() / 3).max(2) && d < name.len().max(known.len());
    let distance = |known: &str| match is_related(known, given) {
        true => Some(0),
        false => {
            let d = levenshtein(&name, &known.to_lowercase());
            (slip(d, known) || part(known)).then_some(d + 1)
        }
    };
    let mut near: Vec<(usize, &str)> = names
        .filter(|known| !known.is_empty())
        .filter_map(|known| Some((distance(known)?, known)))
        .collect();
    near.sort_by_key(|(d, _)| *d);
    near.iter().take(3).map(|(_, known)| (*known).to_owned()).collect()
}

/// " (did you mean 'a' or 'b'?)", or nothing.
pub fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!(" (did you mean '{}'?)", names.join("' or '")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_a_letter_is_found_and_a_foreign_name_is_not() {
        let names = ["axial_springs", "particles", "fem_models", "mass_damping"];
        let near = |name| similar(name, names.into_iter());
        assert_eq!(near("axial_sprigns"), ["axial_springs"]);
        assert_eq!(near("damping"), ["mass_damping"]);
        assert_eq!(near("Particels"), ["particles"]);
        assert!(near("muscles").is_empty());
        assert!(similar("nu", ["c1", "c2"].into_iter()).is_empty());
    }

    #[test]
    fn words_of_other_programs_are_answered_with_the_name_here_and_once_only() {
        for (own, words) in RELATED {
            for word in words {
                let near = similar(word, [own, "poissons_ratio"].into_iter());
                assert_eq!(near.first().map(String::as_str), Some(own), "{word}: {near:?}");
                assert!(!same_meaning(own, word), "{word} is taken for {own} already");
            }
        }
        for names in SYNONYMS {
            for word in &names[1..] {
                assert_eq!(similar(word, [names[0]].into_iter()), [names[0]], "{word}");
                let others = SYNONYMS.iter().filter(|it| it.contains(word)).count();
                assert_eq!(others, 1, "{word} is a name of one thing");
            }
        }
        assert_eq!(similar("timeStep", ["step", "steps"].into_iter())[0], "step");
    }

    #[test]
    fn a_quantity_is_known_by_all_of_its_names_and_first_by_its_own() {
        let constants = ["youngs_modulus", "poissons_ratio", "K", "bulk_modulus"];
        let meant = |name| meant(name, constants.into_iter());
        assert_eq!(meant("E"), Some("youngs_modulus"));
        assert_eq!(meant("bulk_modulus"), Some("bulk_modulus"));
        assert_eq!(meant("rho"), None);
        assert_eq!(super::meant("type", ["kind"].into_iter()), Some("kind"));
        assert!(same_word("neo_hookean", "Neo-Hookean") && !same_word("neo_hookean", "neohookean"));
    }
}
