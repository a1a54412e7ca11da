//! Links in the Markdown pages and schemas that example files name: each relative path leads to a file or a folder that
//! is there.

use crate::source::{below, root};

/// Targets of the links and pictures in `text` that are paths; blocks of code are passed over.
fn targets(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let after = prose.flat_map(|part| part.split("](").skip(1));
    let target = after.filter_map(|rest| rest.split([')', '#', ' ']).next());
    target.filter(|t| !t.is_empty() && !t.contains(':')).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut broken = Vec::new();
    let mut count = 0;
    for page in below(&root(), ".md") {
        let text = std::fs::read_to_string(&page).expect("a page in UTF-8");
        let folder = page.parent().expect("a page lies in a folder");
        for target in targets(&text) {
            count += 1;
            if !folder.join(target).exists() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(count > 10, "only {count} links were found");
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// Words of two printed pages, tables included.
const TWO_PAGES: usize = 1300;

#[test]
fn the_page_on_architecture_has_two_pages() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    let count = page.split_whitespace().count();
    assert!(count <= TWO_PAGES, "{count} words: theory and reference have pages of their own");
}

/// The path of the schema that a file of an example names for editors: `#:schema PATH` in its first line (TOML), or the
/// key `$schema` (JSON).
fn schema(text: &str) -> Option<&str> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("#:schema "));
    let key = || text.split_once("\"$schema\"").and_then(|(_, rest)| rest.split('"').nth(1));
    line.or_else(key).map(str::trim)
}

#[test]
fn the_schemas_that_examples_name_are_there() {
    let mut broken = Vec::new();
    let mut count = 0;
    let examples = root().join("examples");
    for page in [below(&examples, ".toml"), below(&examples, ".json")].concat() {
        let text = std::fs::read_to_string(&page).expect("an example in UTF-8");
        let folder = page.parent().expect("an example lies in a folder");
        let Some(path) = schema(&text) else { continue };
        count += 1;
        if !path.contains("://") && !folder.join(path).is_file() {
            broken.push(format!("{}: {path}", page.display()));
        }
    }
    assert!(count >= 10, "only {count} examples name a schema");
    assert!(broken.is_empty(), "schemas that are not there:\n{}", broken.join("\n"));
}

/// Pages show the line for a file in `examples/`, or for one anywhere (`path/to/`).
#[test]
fn the_schemas_that_pages_show_are_there() {
    let mut broken = Vec::new();
    let mut count = 0;
    for page in below(&root().join("docs"), ".md") {
        let text = std::fs::read_to_string(&page).expect("a page in UTF-8");
        for path in text.lines().filter_map(schema) {
            count += 1;
            let below_root = path.trim_start_matches("../").trim_start_matches("path/to/");
            if !root().join(below_root).is_file() {
                broken.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(count >= 2, "only {count} pages show the line of a schema");
    assert!(broken.is_empty(), "schemas that are not there:\n{}", broken.join("\n"));
}

#[test]
fn schemas_are_found_in_toml_and_json() {
    assert_eq!(schema("#:schema ../a/b.json\n[c]\n"), Some("../a/b.json"));
    assert_eq!(schema("{\n  \"$schema\": \"../a/b.json\",\n  \"c\": 1\n}"), Some("../a/b.json"));
    assert_eq!(schema("# A comment\nversion = 1\n"), None);
}

/// Pages of the book that its list leaves out: the list itself.
const UNLISTED: [&str; 1] = ["SUMMARY.md"];

#[test]
fn the_book_lists_every_page_once_and_so_does_its_index() {
    let docs = root().join("docs");
    let config = std::fs::read_to_string(docs.join("book.toml")).expect("the book has settings");
    assert!(config.contains("src = \".\""), "the pages stand beside the settings");
    let mut there: Vec<String> = below(&docs, ".md")
        .iter()
        .map(|page| page.strip_prefix(&docs).expect("a page below docs").display().to_string())
        .filter(|page| !UNLISTED.contains(&page.as_str()))
        .collect();
    there.sort();
    let listed = |page: &str| {
        let text = std::fs::read_to_string(docs.join(page)).expect("a page in UTF-8");
        let mut found: Vec<String> = targets(&text).into_iter().map(str::to_owned).collect();
        found.sort();
        found
    };
    assert_eq!(listed("SUMMARY.md"), there);
    let mut index = listed("README.md");
    index.dedup();
    index.push("README.md".to_owned());
    index.sort();
    assert_eq!(index, there, "docs/README.md");
}

#[test]
fn links_are_found_and_urls_anchors_and_code_are_not() {
    let text =
        "[a](b.md), ![c](d/e.png) [f](g.md#h) [i](#j) [k](https://l.org)\n```\n[m](n)\n```\n";
    assert_eq!(targets(text), ["b.md", "d/e.png", "g.md"]);
}
