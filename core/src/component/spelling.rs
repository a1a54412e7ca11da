//! Names that were meant.

use strsim::levenshtein;

/// Names of one quantity: of properties and laws, of textbooks, of parameters. Where one of them is known, the others are
/// taken for it.
const SYNONYMS: [&[&str]; 11] = [
    &["youngs_modulus", "young_modulus", "E"],
    &["poissons_ratio", "poisson_ratio", "nu"],
    &["bulk_modulus", "K"],
    &["c10", "C10"],
    &["c01", "C01"],
    &["density", "rho"],
    &["friction", "mu"],
    &["mass_damping", "alpha"],
    &["stiffness_damping", "beta"],
    &["gravity", "g"],
    &["material", "mat"],
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

/// Up to three of `names` that are spelled most like `name` whatever the case, the nearest first. What differs in more
/// than a third of its letters (2 at least), or in all of them, was not a slip, unless `name` is a part of it.
pub fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let name = name.to_lowercase();
    let part = |known: &str| name.len() >= 3 && known.contains(&name);
    let slip =
        |d: usize, known: &str| d <= (known.len() / 3).max(2) && d < name.len().max(known.len());
    let mut near: Vec<(usize, &str)> = names
        .filter(|known| !known.is_empty())
        .map(|known| (levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(d, known)| slip(*d, known) || part(known))
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
    fn a_quantity_is_known_by_all_of_its_names_and_first_by_its_own() {
        let constants = ["youngs_modulus", "poissons_ratio", "K", "bulk_modulus"];
        let meant = |name| meant(name, constants.into_iter());
        assert_eq!(meant("E"), Some("youngs_modulus"));
        assert_eq!(meant("bulk_modulus"), Some("bulk_modulus"));
        assert_eq!(meant("rho"), None);
        assert!(same_word("neo_hookean", "Neo-Hookean") && !same_word("neo_hookean", "neohookean"));
    }
}
