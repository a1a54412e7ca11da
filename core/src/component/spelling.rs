//! Names that were meant.

/// Levenshtein distance without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Up to three of `names` that are spelled most like `name`, the nearest first. What differs in more
/// than a third of its letters (2 at least) was not a slip, unless `name` is a part of it.
pub fn similar<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let part = |known: &str| name.len() >= 3 && known.contains(name);
    let mut near: Vec<(usize, &str)> = names
        .filter(|known| !known.is_empty())
        .map(|known| (distance(name, known), known))
        .filter(|(d, known)| *d <= (known.len() / 3).max(2) || part(known))
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
        assert!(near("muscles").is_empty());
    }
}
