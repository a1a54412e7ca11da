//! Number of files that a law, an element, a joint and a contact shape touch, counted by their
//! names; and CONTRIBUTING, whose recipes say the same numbers, as the page of invariants does.

use std::collections::BTreeSet;

use crate::source::{Token, files, root};

/// Folders that a new part may have to be made known in. Generators of models and readers of model files name the
/// parts that they build from, and none else.
const PACKAGES: [&str; 8] = [
    "core/src",
    "mesh/src",
    "linalg/src",
    "shaders/src",
    "gpu/src",
    "viewer/src",
    "cli/src",
    "run-files/src",
];

/// Sources, tests left out, whose code has one of these words.
fn naming(words: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for package in PACKAGES {
        for (place, file) in files(package) {
            let is_named = |token: &Token| words.iter().any(|word| token.is(word));
            if file.tokens.iter().any(is_named) {
                found.insert(format!("{package}/{place}"));
            }
        }
    }
    found
}

fn set<const N: usize>(places: [&str; N]) -> BTreeSet<String> {
    places.map(str::to_owned).into()
}

/// The first words of the recipe for a thing: "**A joint**: two files" are the number and its noun.
fn recipe(thing: &str) -> String {
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the page is there");
    let begin = format!("**{thing}**: ");
    let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no recipe for '{thing}'"));
    rest.split_whitespace().take(2).collect::<Vec<_>>().join(" ").replace(['.', ',', ':'], "")
}

#[test]
fn a_law_touches_four_files() {
    let law = naming(&["Guccione"]);
    let places =
        ["core/src/material/guccione.rs", "core/src/material/mod.rs", "shaders/src/law.rs"];
    assert_eq!(law, set(places));
    assert!(root().join("shaders/wgsl/law/guccione.wgsl").is_file(), "its text for devices");
    assert_eq!(recipe("A material"), "four files");
}

#[test]
fn an_element_touches_four_files_and_its_linear_counterpart_names_it() {
    let mut element = naming(&["Wedge15"]);
    assert!(element.remove("mesh/src/element/wedge6.rs"), "the kind with the same corners");
    assert!(element.remove("core/src/backend/conformance/mod.rs"), "cases of the suite");
    let places = [
        "core/src/fem/volume_rule.rs",
        "mesh/src/element/mod.rs",
        "mesh/src/element/wedge15.rs",
        "mesh/src/io/element_codes.rs",
    ];
    assert_eq!(element, set(places));
    assert_eq!(recipe("An element"), "four files");
}

#[test]
fn a_joint_touches_two_files() {
    let joint = naming(&["SlottedHinge", "slotted_hinge"]);
    let places = ["core/src/constraint/kind.rs", "core/src/constraint/kinds/hinge.rs"];
    assert_eq!(joint, set(places));
    assert_eq!(recipe("A joint"), "two files");
}

#[test]
fn a_contact_shape_touches_three_files() {
    let shape = naming(&["Capsule", "to_capsule"]);
    let places =
        ["core/src/contact/point.rs", "core/src/contact/shape.rs", "core/src/snapshot/solids.rs"];
    assert_eq!(shape, set(places));
    assert_eq!(recipe("A contact shape"), "three files");
}

#[test]
fn the_page_of_invariants_has_the_numbers_of_the_recipes() {
    let page = std::fs::read_to_string(root().join("docs/reference/invariants.md"));
    let page = page.expect("the page is there");
    let number = |thing: &str| recipe(thing).split(' ').next().unwrap_or_default().to_owned();
    let row = format!(
        "a law touches {} files, an element {}, a joint {}, a contact shape {} |",
        number("A material"),
        number("An element"),
        number("A joint"),
        number("A contact shape"),
    );
    assert!(page.contains(&row), "no row '{row}'");
}

#[test]
fn a_subcommand_touches_two_files_beside_its_own_folder() {
    let command = naming(&["Inspect", "InspectArgs"]);
    let beside: Vec<_> =
        command.iter().filter(|place| !place.starts_with("cli/src/inspect/")).collect();
    assert!(beside.len() == 2 && beside.contains(&&"cli/src/main.rs".to_owned()), "{beside:?}");
    assert_eq!(recipe("A subcommand"), "two files");
}
