//! The page of the muscles lists every law with its constants as the library has them.

use sinew::axial::{KINDS, LawKind, Role};

fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The section of a law: its sentence, source and table.
fn section(kind: &LawKind) -> String {
    let role = if kind.role == Role::Active { "muscle" } else { "passive" };
    let mut text = format!(
        "### `{}`\n\n{} ({role}, {})\n\n| constant | unit | range | default | what |\n|---|---|---|---|---|\n",
        kind.name,
        one_line(kind.doc),
        kind.source
    );
    for c in kind.constants {
        let doc = one_line(c.doc);
        text += &format!("| `{}` | {} | {} | {} | {doc} |\n", c.name, c.unit, c.range, c.default);
    }
    text
}

#[test]
fn the_page_of_the_muscles_lists_every_law_and_constant() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference");
    let read = |name: &str| std::fs::read_to_string(format!("{root}/{name}")).unwrap();
    let (page, references) = (read("muscles.md"), read("references.md"));
    for kind in KINDS {
        let section = section(kind);
        assert!(page.contains(&section), "docs/reference/muscles.md lacks or changes:\n{section}");
        let key = format!("**{}**", kind.source);
        assert!(references.contains(&key), "docs/reference/references.md lacks {key}");
    }
}
