//! The components below one, as lines: number, name, kind, how many there are below.

use std::fmt::Write;

use sinew::component::{Address, FemPart, Kind};
use sinew::model::{FemModel, Model};

/// Of a longer list the first and the last few are shown.
const SHOWN: usize = 8;
const LAST: usize = 2;

/// Listing of an address and all below it, the address in the first line.
pub(crate) fn listing(model: &Model, at: Address, depth: u16) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{}  {}", model.path(at), what(model, at));
    add(&mut text, model, at, 1, depth);
    text
}

fn add(text: &mut String, model: &Model, at: Address, level: usize, depth: u16) {
    if level > usize::from(depth) {
        return;
    }
    let indent = "  ".repeat(level);
    let children = children(model, at);
    let count = children.len();
    // The lists of a mechanical model are few, and each has its name.
    let all = count <= SHOWN || children.iter().all(is_list);
    for (place, child) in children.into_iter().enumerate() {
        if !all && (SHOWN - LAST..count - LAST).contains(&place) {
            if place == SHOWN - LAST {
                let _ = writeln!(text, "{indent}.. {} more", count - SHOWN);
            }
            continue;
        }
        let label = format!("{} {}", number(model, child), name(model, child));
        let _ = writeln!(text, "{indent}{}  {}", label.trim_end(), what(model, child));
        add(text, model, child, level + 1, depth);
    }
}

fn is_list(at: &Address) -> bool {
    matches!(at, Address::Component(id) if id.kind() == Kind::ComponentList)
}

/// Addresses directly below an address.
pub(crate) fn children(model: &Model, at: Address) -> Vec<Address> {
    match at {
        Address::Component(id) => match id.typed::<FemModel>() {
            Some(fem) => FemPart::ALL.map(|part| Address::Part(fem.id(), part)).to_vec(),
            None => model.children(id).map(Address::from).collect(),
        },
        Address::Part(fem, part) => {
            let count = model.tissue(fem).map_or(0, |fem| fem.part_count(part));
            (0..count as u32).map(|k| part.address(fem, k)).collect()
        }
        _ => Vec::new(),
    }
}

/// Number of addresses directly below, without listing them.
pub(crate) fn child_count(model: &Model, at: Address) -> usize {
    match at {
        Address::Component(id) if id.kind() == Kind::FemModel => FemPart::ALL.len(),
        Address::Component(id) => model.children(id).count(),
        Address::Part(fem, part) => model.tissue(fem).map_or(0, |fem| fem.part_count(part)),
        _ => 0,
    }
}

/// Number among the siblings.
pub(crate) fn number(model: &Model, at: Address) -> u32 {
    match at {
        Address::Component(id) => model.number(id).unwrap_or(0),
        Address::Part(_, part) => {
            FemPart::ALL.iter().position(|p| *p == part).map_or(0, |k| k as u32)
        }
        other => other.part().map_or(0, |(_, _, k)| k),
    }
}

/// Name; empty for what has none.
pub(crate) fn name(model: &Model, at: Address) -> String {
    match at {
        Address::Component(id) => {
            let name = model.property_of(id, "name").and_then(|name| model.get_property(&name));
            name.map_or_else(|_| String::new(), |name| name.to_string())
        }
        Address::Part(_, part) => part.name().to_owned(),
        _ => String::new(),
    }
}

/// Kind of what is at an address.
pub(crate) fn kind(at: Address) -> &'static str {
    match at {
        Address::Component(id) => id.kind().name(),
        Address::Part(..) => "list",
        Address::Node(..) => "node",
        Address::Element(..) => "element",
        Address::Region(..) => "region",
        Address::Support(..) => "support",
    }
}

/// Kind, and how many there are below.
fn what(model: &Model, at: Address) -> String {
    match (at, child_count(model, at)) {
        (Address::Component(id), count) if id.kind() == Kind::ComponentList => {
            format!("list of {count}")
        }
        (Address::Part(..), count) => format!("list of {count}"),
        _ => kind(at).to_owned(),
    }
}
