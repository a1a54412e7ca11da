//! Every package that can be published says what a registry shows.

use std::path::Path;

#[test]
fn packages_say_what_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = workspace.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let mut count = 0;
    for member in members.trim_end_matches(']').split(',').map(|it| it.trim().trim_matches('"')) {
        let manifest = std::fs::read_to_string(root.join(member).join("Cargo.toml")).unwrap();
        if manifest.contains("publish = false") {
            continue;
        }
        count += 1;
        for key in ["description", "license", "readme", "keywords", "categories", "rust-version"] {
            let says = |line: &str| {
                line.starts_with(&format!("{key} =")) || line == format!("{key}.workspace = true")
            };
            assert!(manifest.lines().any(says), "{member} has no {key}");
        }
    }
    assert!(count >= 10, "only {count} packages");
}
