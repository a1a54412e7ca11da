//! Names are made of the field's words: none has a word that a newcomer would have to be told.

use std::path::{Path, PathBuf};

/// Words that no name may have, and what to write. A word joins the list when the last name with it is gone.
const WORDS: [(&str, &str); 6] = [
    ("deed", "command"),
    ("deeds", "commands"),
    ("grip", "drag"),
    ("grips", "drags"),
    ("obey", "apply"),
    ("obeys", "applies"),
];

/// Rust files of the packages, this one aside.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry that can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_skipped = name.starts_with('.') || ["target", "xtask", "results"].contains(&&*name);
        if path.is_dir() && !is_skipped {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// A line without its comment and the contents of its strings.
fn code(line: &str) -> String {
    let line = line.split("//").next().unwrap_or_default();
    line.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

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

/// Names of a file with a word of the list, and what to write: one line each.
fn found_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = code(line);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for name in line.split(|c| !is_part(c)) {
            let of_name = words(name);
            for (word, instead) in
                WORDS.iter().filter(|(word, _)| of_name.iter().any(|w| w == word))
            {
                found.push(format!("{number}: `{name}`: write {instead} for {word}"));
            }
        }
    }
    found
}

#[test]
fn names_are_made_of_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a file that can be read");
        found.extend(found_in(&text).into_iter().map(|it| format!("{}:{it}", file.display())));
    }
    assert!(found.is_empty(), "{} names:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_word_of_the_list_is_found_in_names_and_not_in_what_is_written() {
    assert_eq!(found_in("let was_grip = GripPoint::new(); // grip\n\"obey\" gripped").len(), 2);
    assert_eq!(
        found_in("fn x() {}\nlet MAX_DEEDS = 3;"),
        ["2: `MAX_DEEDS`: write commands for deeds"]
    );
}
