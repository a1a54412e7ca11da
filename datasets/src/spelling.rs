//! Names that were meant: how unlike two spellings are, and the known name nearest to a given one.

/// Levenshtein distance without regard to case: insertions, deletions and changes of a letter from
/// `a` to `b`.
pub fn edit_distance(a: &str, b: &str) -> usize {
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

/// The one of `names` spelled most like `name`, when at most a third of its letters differ (2 at
/// least): what differs more was not a slip.
pub fn similar_name<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let distances = names.iter().map(|&known| (edit_distance(known, name), known));
    let (distance, known) = distances.min_by_key(|&(distance, _)| distance)?;
    (distance <= (known.len() / 3).max(2)).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_the_letters_to_change() {
        for (a, b, distance) in [("kitten", "sitting", 3), ("", "abc", 3), ("Beam", "beam", 0)] {
            assert_eq!(edit_distance(a, b), distance, "{a} -> {b}");
        }
    }

    #[test]
    fn a_misspelled_name_finds_its_model_and_a_foreign_one_none() {
        let names = ["tongue", "beam"];
        assert_eq!(similar_name("tounge", &names), Some("tongue"));
        assert_eq!(similar_name("Baem", &names), Some("beam"));
        assert_eq!(similar_name("femur", &names), None);
    }
}
