//! Properties: the contract that every line of every table keeps, errors word by word, inheritance,
//! what edits and simulations make of them, and the page docs/reference/properties.md.

mod bodies;
mod contract;
mod declared;
mod editing;
mod errors;
mod fixture;
mod inheritance;
mod multibody;
mod simulation;
mod staleness;
mod values;

#[test]
fn the_page_in_docs_is_current() {
    check_page("properties.md", &sinew::model::markdown());
}

#[test]
fn the_page_of_materials_is_current() {
    check_page("materials.md", &sinew::material::page());
}

#[test]
fn sources_of_materials_stand_in_the_references() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/references.md");
    let references = std::fs::read_to_string(path).expect("docs/reference/references.md is there");
    for kind in &sinew::material::KINDS {
        let key = format!("- **{}**:", kind.source);
        assert!(references.contains(&key), "{}: {}", kind.name, kind.source);
    }
}

/// Files of the sources, of both halves, that name a law.
fn files_that_name(word: &str) -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = [
        "core/src",
        "shaders",
        "gpu/src",
        "model-files/src",
        "cli/src",
        "datasets/src",
        "viewer/src",
    ]
    .map(|folder| root.join(folder))
    .to_vec();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let named = path.file_stem().is_some_and(|stem| stem == word);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let tests = path.to_string_lossy().contains("/tests");
            if !tests && (named || text.contains(word)) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[test]
fn a_law_touches_four_files() {
    // Laws whose names are no part of other words.
    for law in ["veronda_westmann", "holzapfel_gasser_ogden", "hill_muscle", "arruda_boyce"] {
        let files = files_that_name(law);
        assert!(files.len() == 4, "{law} is named in {files:#?}");
    }
}

/// Compares a printed page, or prints it anew when it is blessed.
fn check_page(name: &str, new: &str) {
    let path = format!("{}/../docs/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SINEW_BLESS").is_some() {
        std::fs::write(path, new).expect("the page is written");
        return;
    }
    let printed = std::fs::read_to_string(path).expect("the page is there");
    let differs = printed.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        printed == new,
        "docs/reference/{name} is not what the tables say; SINEW_BLESS=1 rewrites it\n{differs:?}"
    );
}
