//! Size of the types that a step is made of: no type's methods are laid over many files, and none has many fields.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::files;

/// Rooms of the step.
const ROOMS: [&str; 3] = ["core/src/solve", "core/src/system", "core/src/mixed"];
/// Files that may hold methods of one type.
const MOST_FILES: usize = 3;
/// Fields of one struct of `solve/` and `mixed/`.
const MOST_FIELDS: usize = 15;

#[test]
fn no_type_of_a_step_has_methods_in_more_than_three_files() {
    for room in ROOMS {
        let files = files(room);
        let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (place, file) in &files {
            for name in file.types_with_methods() {
                places.entry(name).or_default().insert(place);
            }
        }
        assert!(places.len() > 10, "{room} has types: {places:?}");
        let wide: Vec<_> = places.iter().filter(|(_, files)| files.len() > MOST_FILES).collect();
        assert!(wide.is_empty(), "{room}: {wide:?}");
    }
}

#[test]
fn no_struct_of_a_step_has_more_than_fifteen_fields() {
    for room in ["core/src/solve", "core/src/mixed"] {
        let files = files(room);
        let mut largest = 0;
        for (place, file) in &files {
            for (name, count) in file.field_counts() {
                assert!(count <= MOST_FIELDS, "{room}/{place}: {name} has {count} fields");
                largest = largest.max(count);
            }
        }
        assert!(largest > 5, "structs of {room} were read: {largest}");
    }
}
