//! Lengths of functions: below 40 lines from `fn` to the closing brace, comments included. Tests may be longer, and so
//! may tables, which grow with the facts: bodies of one expression, without a statement.

use super::source::{below, packages, root};

/// Lines that a function has fewer of.
const LIMIT: usize = 40;

/// A function of a file: its name, its line, and its number of lines.
#[derive(Debug, PartialEq, Eq)]
struct Length {
    name: String,
    line: usize,
    count: usize,
}

/// Functions of a formatted source that are too long.
fn too_long(text: &str) -> Vec<Length> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let Some(name) = name_of(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends = |it: &&str| it.strip_prefix(indent) == Some("}");
        // Of one line, or declared without a body.
        let end = lines[k..].iter().find(|it| it.ends_with(['{', '}', ';']));
        let is_whole = end.is_none_or(|it| !it.ends_with('{'));
        let Some(count) = lines[k..].iter().position(ends).filter(|_| !is_whole) else { continue };
        let is_table = !lines[k..k + count].iter().any(|it| it.ends_with(';'));
        if count + 1 >= LIMIT && !is_test(&lines[..k]) && !is_table {
            found.push(Length { name, line: k + 1, count: count + 1 });
        }
    }
    found
}

/// Name of the function that begins in a line.
fn name_of(line: &str) -> Option<String> {
    const BEFORE: [&str; 6] = ["pub", "const", "unsafe", "async", "extern", "default"];
    let (before, after) = line.trim_start().split_once("fn ").filter(|(it, _)| {
        let mut words = it.split_whitespace().map(|word| word.split('(').next().unwrap_or(word));
        // `pub(in path)` is two words.
        words.all(|word| BEFORE.contains(&word) || word.ends_with(')'))
    })?;
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (before.is_empty() || before.ends_with(' ')).then(|| after[..end].to_owned())
}

/// True if the attributes at the end of some lines make a test of what follows.
fn is_test(before: &[&str]) -> bool {
    let attributes = before.iter().rev().map(|line| line.trim_start());
    let mut attributes =
        attributes.take_while(|line| line.starts_with('#') || line.starts_with("//"));
    attributes.any(|line| line == "#[test]")
}

#[test]
fn functions_are_shorter_than_the_limit() {
    let mut all = Vec::new();
    for package in packages() {
        for path in below(&root().join(&package), ".rs") {
            let text = std::fs::read_to_string(&path).expect("a source in UTF-8");
            for Length { name, line, count } in too_long(&text) {
                all.push(format!("{}:{line} {name}: {count} lines", path.display()));
            }
        }
    }
    assert!(all.is_empty(), "functions of {LIMIT} lines and more:\n{}", all.join("\n"));
}

#[test]
fn lengths_are_those_of_statements_and_not_of_tables_or_tests() {
    let body = |line: &str, count: usize| format!("{line}\n").repeat(count);
    let lengths = |text: &str| too_long(text).iter().map(|it| it.count).collect::<Vec<_>>();
    let function = |count: usize| format!("pub(crate) fn f() {{\n{}}}\n", body("    g();", count));
    assert_eq!(lengths(&function(37)), []);
    assert_eq!(lengths(&function(38)), [40]);
    assert_eq!(lengths(&format!("#[test]\n{}", function(90))), []);
    assert_eq!(lengths(&format!("fn f() -> [u8; 90] {{\n{}}}\n", body("    1,", 90))), []);
    let method = format!("impl A {{\n    fn f() {{\n{}    }}\n}}\n", body("        g();", 50));
    assert_eq!(too_long(&method), [Length { name: "f".into(), line: 2, count: 52 }]);
}
