//! TOML from a document: short values first, in one line each, then the lists of tables.

use std::fmt::Write;

use serde_json::{Map, Value as Json};

use crate::fields::{Group, key_of};

/// Width of a line.
const WIDTH: usize = 100;

/// Tables that get a heading, at the top.
const HEADED: [&str; 6] = ["units", "solver", "inverse", "parameters", "root", "lists"];

/// Lists of tables that are no components.
const LISTS: [&str; 8] = [
    "region",
    "support",
    "include",
    "panels",
    "items",
    "input_probes",
    "output_probes",
    "tracing_probes",
];

/// The text of a document.
pub(super) fn text(document: &Json) -> String {
    let mut out = String::new();
    if let Json::Object(top) = document {
        table(&mut out, &[], top);
    }
    out
}

fn table(out: &mut String, path: &[String], entries: &Map<String, Json>) {
    let headed =
        |key: &str, value: &Json| is_list_of_tables(key, value) || is_headed(path, key, value);
    for (key, value) in entries.iter().filter(|(key, value)| !headed(key, value)) {
        let start = format!("{} = ", name(key));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{start}{}", inline(value, start.len()));
    }
    for (key, value) in entries.iter().filter(|(key, value)| headed(key, value)) {
        let below: Vec<String> = path.iter().cloned().chain([name(key)]).collect();
        match value {
            Json::Array(list) => {
                for item in list.iter().filter_map(Json::as_object) {
                    let _ = writeln!(out, "\n[[{}]]", below.join("."));
                    table(out, &below, item);
                }
            }
            Json::Object(inner) => {
                let _ = writeln!(out, "\n[{}]", below.join("."));
                table(out, &below, inner);
            }
            _ => {}
        }
    }
}

/// True if a value is a list of components or the like.
fn is_list_of_tables(key: &str, value: &Json) -> bool {
    let Json::Array(list) = value else { return false };
    let known = LISTS.contains(&key) || Group::Mech.kinds().any(|kind| key_of(kind) == key);
    known && !list.is_empty() && list.iter().all(Json::is_object)
}

fn is_headed(path: &[String], key: &str, value: &Json) -> bool {
    value.is_object() && HEADED.contains(&key) && path.len() < 2
}

/// A value in one line, or a list in several.
fn inline(value: &Json, column: usize) -> String {
    match value {
        Json::Null => "\"\"".to_owned(),
        Json::Bool(it) => it.to_string(),
        Json::Number(number) => plain_number(number),
        Json::String(text) => toml::Value::String(text.clone()).to_string(),
        Json::Array(list) => array(list, column),
        Json::Object(entries) => {
            let entry = |(key, value): (&String, &Json)| {
                format!("{} = {}", name(key), inline(value, column + key.len() + 5))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            if entries.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// A whole number, or one with a point or an exponent.
fn plain_number(number: &serde_json::Number) -> String {
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(x)) => format!("{x:?}"),
        (None, None) => number.to_string(),
    }
}

fn array(list: &[Json], column: usize) -> String {
    let items: Vec<String> = list.iter().map(|item| inline(item, 4)).collect();
    let length: usize = items.iter().map(|item| item.chars().count() + 2).sum();
    if column + length <= WIDTH {
        return format!("[{}]", items.join(", "));
    }
    let mut out = String::from("[\n   ");
    let mut width = 3;
    for item in items {
        if width > 3 && width + item.chars().count() + 2 > WIDTH {
            out.push_str("\n   ");
            width = 3;
        }
        width += item.chars().count() + 2;
        out.push(' ');
        out.push_str(&item);
        out.push(',');
    }
    out + "\n]"
}

/// A key, in quotes where it has to be.
fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(bare) {
        return key.to_owned();
    }
    toml::Value::String(key.to_owned()).to_string()
}
