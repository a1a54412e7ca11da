//! Names are made of the field's words: none has a word that a newcomer would have to be told, and some of these words
//! stand nowhere at all.
//! Docs, of items public or not, begin with the name of the thing.

use std::collections::BTreeSet;

use crate::source::{File, below, root};

/// Words that no name may have, and what to write. A word joins the list when the last name with it
/// is gone.
const WORDS: [(&str, &str); 25] = [
    ("carried", "attached or fitted"),
    ("deed", "command"),
    ("deeds", "commands"),
    ("exchanges", "pivots"),
    ("follower", "attached"),
    ("followers", "attached"),
    ("goal", "tolerance"),
    ("goals", "tolerances"),
    ("grip", "drag"),
    ("grips", "drags"),
    ("held", "fixed"),
    ("led", "prescribed"),
    ("obey", "apply"),
    ("obeys", "applies"),
    ("rounds", "iterations"),
    ("slave", "attached"),
    ("slaves", "attached"),
    ("softness", "compliance"),
    ("softnesses", "compliances"),
    ("spin", "angular velocity, angular momentum or rotation"),
    ("spins", "angular velocities or rotations"),
    ("spun", "turned"),
    ("weigh", "compute the residual, or multiply by the mass"),
    ("weighed", "times the mass, or scaled"),
    ("weighing", "times the mass, or scaled"),
];

/// Names that are no nouns of the field where they stand alone.
const ALONE: [(&str, &str); 6] = [
    ("Course", "the noun of what it is"),
    ("Piece", "Substep, or the noun of what it is"),
    ("Place", "the noun of what it is"),
    ("Places", "the noun of what it is"),
    ("carrier", "base"),
    ("give", "compliance"),
];

/// Words that stand nowhere: not in docs, comments, messages and pages either. The others of the lists are words of plain
/// English too.
const NOWHERE: [&str; 18] = [
    "deed",
    "deeds",
    "goal",
    "goals",
    "grip",
    "gripped",
    "grips",
    "obey",
    "obeyed",
    "obeys",
    "slave",
    "slaves",
    "softness",
    "softnesses",
    "spin",
    "spinning",
    "spins",
    "spun",
];

/// Files that may have them: this one, and the one that says what was renamed.
const WITH_OLD_WORDS: [&str; 2] = ["words.rs", "CHANGELOG.md"];

/// Names of other packages.
const FOREIGN: [&str; 1] = ["SpinButton"];

/// Words of a name: parted at underscores and before capitals.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if letter != '_' {
            words.last_mut().expect("a word was begun").extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

/// Names of a source with a word of the lists, and what to write: one line each.
fn found_in(file: &File) -> Vec<String> {
    let names: BTreeSet<&str> = file.names().filter(|name| !FOREIGN.contains(name)).collect();
    let mut found = Vec::new();
    for name in names {
        let of_name = words(name);
        let in_it = WORDS.iter().filter(|(word, _)| of_name.iter().any(|w| w == word));
        let alone = ALONE.iter().filter(|(word, _)| name == *word);
        found.extend(
            in_it.chain(alone).map(|(word, it)| format!("`{name}`: write {it} for {word}")),
        );
    }
    found
}

#[test]
fn names_are_made_of_the_words_of_the_field() {
    let files = below(&root(), ".rs");
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a source in UTF-8");
        let names = found_in(&File::whole(path, &text));
        found.extend(names.into_iter().map(|it| format!("{}: {it}", path.display())));
    }
    assert!(found.is_empty(), "{} names:\n{}", found.len(), found.join("\n"));
}

/// Words of a text that stand nowhere, each once.
fn old_words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let words = words.map(str::to_lowercase);
    words.filter(|word| NOWHERE.contains(&word.as_str())).collect()
}

#[test]
fn texts_have_none_of_the_old_words() {
    let mut found = Vec::new();
    let endings = [".rs", ".md", ".py", ".wgsl"];
    for path in endings.into_iter().flat_map(|ending| below(&root(), ending)) {
        let name = path.file_name().unwrap_or_default();
        if !WITH_OLD_WORDS.iter().any(|it| name == *it) {
            let text = std::fs::read_to_string(&path).expect("a text in UTF-8");
            found.extend(old_words(&text).iter().map(|word| format!("{}: {word}", path.display())));
        }
    }
    assert!(found.is_empty(), "{} words:\n{}", found.len(), found.join("\n"));
}

#[test]
fn an_old_word_is_found_in_any_text() {
    let text = "/// Deeds of a grip.\nfn f() { spin_loop(); } // \"obey\" and agrip";
    let found: Vec<String> = old_words(text).into_iter().collect();
    assert_eq!(found, ["deeds", "grip", "obey"]);
}

/// First words of docs that circle a thing in place of naming it: "What a step moves by" is the
/// mean velocity of the step.
const CIRCLING: [&str; 10] =
    ["What", "Whether", "Where", "How", "When", "Which", "Who", "Whom", "Whose", "Why"];

/// First lines of the docs of a text, of modules and of items public or not, that begin with a word
/// of the list.
fn circling(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = None;
    for line in text.lines().map(str::trim_start) {
        let marker = ["///", "//!"].into_iter().find(|marker| line.starts_with(marker));
        if let Some(marker) = marker.filter(|marker| before != Some(*marker)) {
            let opening = line[marker.len()..].trim_start();
            let first = opening.split(|letter: char| !letter.is_alphabetic()).next();
            found.extend(first.filter(|first| CIRCLING.contains(first)).map(|_| opening));
        }
        before = marker;
    }
    found
}

#[test]
fn docs_name_the_thing() {
    let mut found = Vec::new();
    for path in below(&root(), ".rs") {
        let text = std::fs::read_to_string(&path).expect("a source in UTF-8");
        found.extend(circling(&text).iter().map(|doc| format!("{}: {doc}", path.display())));
    }
    assert!(found.is_empty(), "{} docs:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_doc_that_circles_is_found_wherever_it_stands() {
    let text = [
        "//! How it is.",
        "/// What it is.",
        "/// Where more is.",
        "#[must_use]",
        "pub fn f() {}",
        "/// Why.",
        "fn g() {}",
        "/// A part.",
        "pub struct H {",
        "    /// Whether it is.",
        "    i: bool,",
        "}",
        "/// Whatever is given.",
        "// What this comment says.",
        "fn j() {}",
    ];
    let text = text.join("\n");
    assert_eq!(circling(&text), ["How it is.", "What it is.", "Why.", "Whether it is."]);
}

#[test]
fn a_word_of_the_lists_is_found_in_names_and_not_in_what_is_written() {
    let found = |text: &str| found_in(&File::whole(&root().join("x.rs"), text));
    let text =
        "/// A grip.\nfn f() { let was_grip = GripPoint::new(); // grip\n g(\"obey\", gripped); }";
    assert_eq!(found(text).len(), 2);
    assert_eq!(
        found("fn x() {}\n#[cfg(test)] mod tests { const MAX_DEEDS: u8 = 3; }"),
        ["`MAX_DEEDS`: write commands for deeds"]
    );
    assert_eq!(found("struct Place; struct NodePlace;").len(), 1);
}
