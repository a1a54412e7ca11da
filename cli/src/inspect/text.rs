//! Properties as lines of text.

use std::fmt::Write;

use sinew::component::Address;
use sinew::property::{PropertyRef, PropertyType, Value};

use super::View;
use super::describe::{source, value};

/// Numbers of a longer list that are shown.
const SHOWN: usize = 6;

/// A line a property: name, value, unit, range, where the value comes from, meaning.
pub(super) fn properties(view: &View<'_>, host: Address) -> String {
    let rows: Vec<[String; 5]> =
        view.model.properties(host).iter().map(|property| row(view, property)).collect();
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 4] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells = row[..4].iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}  {}", row[4]);
    }
    text
}

fn row(view: &View<'_>, property: &PropertyRef) -> [String; 5] {
    let info = property.info();
    let value = value(view, property).map_or_else(|| "-".to_owned(), |value| short(&value));
    let unit = if info.unit == "-" { "" } else { info.unit };
    let range = if info.read_only { String::new() } else { range(property) };
    let (source, from) = source(view, property);
    let source = from.map_or_else(|| source.to_owned(), |from| format!("{source} from {from}"));
    let value = format!("{value} {unit}").trim_end().to_owned();
    [info.name.to_owned(), value, range, source, info.doc.to_owned()]
}

/// Range of numbers, words of a choice.
fn range(property: &PropertyRef) -> String {
    let info = property.info();
    match info.value_type {
        PropertyType::Choice(words) => words.join(" | "),
        ty => info.range.describe(ty),
    }
}

/// The beginning of a long list and how many there are.
fn short(value: &Value) -> String {
    match value {
        Value::List(list) if list.len() > SHOWN => {
            let first: Vec<String> = list[..SHOWN].iter().map(f64::to_string).collect();
            format!("{} .. ({} numbers)", first.join(" "), list.len())
        }
        Value::Paths(paths) if paths.len() > SHOWN => {
            format!("{} .. ({} paths)", paths[..SHOWN].join(" "), paths.len())
        }
        other => other.to_string(),
    }
}

/// Everything about one property, a line each.
pub(super) fn property(view: &View<'_>, property: &PropertyRef) -> String {
    let info = property.info();
    let (source, from) = source(view, property);
    let value = value(view, property).map_or_else(|| "none now".to_owned(), |v| v.to_string());
    let unit = if info.unit.is_empty() { "none" } else { info.unit };
    let settable = if info.read_only { "no" } else { "yes" };
    let inheritable = if info.inheritable { "yes" } else { "no" };
    let from = from.map_or_else(|| source.to_owned(), |from| format!("{source} from {from}"));
    let lines = [
        ("", view.model.property_path(property)),
        ("meaning", info.doc.to_owned()),
        ("value", value),
        ("source", from),
        ("unit", unit.to_owned()),
        ("type", info.value_type.name().to_owned()),
        ("range", range(property)),
        ("default", if info.read_only { String::new() } else { info.default.to_string() }),
        ("settable", settable.to_owned()),
        ("inheritable", inheritable.to_owned()),
        ("makes stale", info.invalidates.describe()),
    ];
    let mut text = String::new();
    for (label, line) in lines {
        match (label, line.as_str()) {
            (_, "") => {}
            ("", line) => text += &format!("{line}\n"),
            (label, line) => text += &format!("  {label:12}{line}\n"),
        }
    }
    text
}
