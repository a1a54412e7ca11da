//! Links in the Markdown pages: each relative one leads to a file or a folder that is there.

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
