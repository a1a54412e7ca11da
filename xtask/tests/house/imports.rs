//! Imports between files: no circle goes through two folders of a package, and those inside one are small.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{File, files, packages};

/// Files that know each other in a circle inside one folder: more is a room of its own.
const MOST: usize = 3;

type Files = BTreeMap<String, File>;
type Modules<'f> = BTreeMap<&'f [String], &'f str>;

/// The absolute path of what is named in a module; `None` for what comes from elsewhere.
fn absolute(modules: &Modules<'_>, module: &[String], path: &[String]) -> Option<Vec<String>> {
    let mut base = module.to_vec();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" | "self" => {
            let mut rest = path;
            while let Some(first @ ("super" | "self")) = rest.first().map(String::as_str) {
                if first == "super" {
                    base.pop();
                }
                rest = &rest[1..];
            }
            base.extend_from_slice(rest);
            Some(base)
        }
        first => {
            base.push(first.to_owned());
            modules.contains_key(base.as_slice()).then(|| {
                base.extend_from_slice(&path[1..]);
                base
            })
        }
    }
}

/// The file that defines what an absolute path names, through what modules hand on.
fn defining<'f>(
    all: &'f Files,
    modules: &Modules<'f>,
    path: &[String],
    most: usize,
) -> Option<&'f str> {
    let known = (0..=path.len()).rev().find(|&k| modules.contains_key(&path[..k]))?;
    let (module, rest) = path.split_at(known);
    let place = modules[module];
    let Some(name) = rest.first() else { return Some(place) };
    let file = &all[place];
    if file.definitions().contains(name.as_str()) || most == 0 {
        return Some(place);
    }
    let imports = file.imports();
    let handed_on = imports.iter().find(|import| import.name == *name);
    let target = handed_on.and_then(|import| absolute(modules, module, &import.path));
    if let Some(target) = target {
        return defining(all, modules, &[&target, &rest[1..]].concat(), most - 1);
    }
    // All that a module has may be handed on.
    let whole = imports.iter().filter(|import| import.public && import.name == "*");
    let whole = whole.filter_map(|import| {
        let module = absolute(modules, module, &import.path[..import.path.len() - 1])?;
        modules.get(module.as_slice()).copied()
    });
    let mut named = whole.filter(|place| all[*place].definitions().contains(name.as_str()));
    named.next().or(Some(place))
}

/// The files that each file knows.
fn edges(all: &Files) -> BTreeMap<&str, BTreeSet<&str>> {
    let modules: Modules<'_> =
        all.iter().map(|(place, file)| (file.module.as_slice(), place.as_str())).collect();
    let mut edges = BTreeMap::new();
    for (place, file) in all {
        let imports = file.imports();
        let own = imports.iter().filter(|import| !import.public).map(|import| import.path.clone());
        // A path may begin with a name that was imported.
        let through = |path: Vec<String>| {
            let known = imports.iter().find(|import| import.name == path[0]);
            known.map_or_else(|| path.clone(), |import| [&import.path, &path[1..]].concat())
        };
        let named = own.chain(file.paths().into_iter().map(through));
        let known = named.filter_map(|path| {
            let path = absolute(&modules, &file.module, &path)?;
            defining(all, &modules, &path, 8)
        });
        let known: BTreeSet<&str> = known.filter(|known| known != place).collect();
        edges.insert(place.as_str(), known);
    }
    edges
}

/// All that can be reached from a file.
fn reached<'f>(edges: &BTreeMap<&'f str, BTreeSet<&'f str>>, from: &'f str) -> BTreeSet<&'f str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(edges[at].iter().filter(|&&next| found.insert(next)));
    }
    found
}

/// Files that know each other in a circle, each circle whole.
fn circles(all: &Files) -> Vec<BTreeSet<&str>> {
    let edges = edges(all);
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        edges.keys().map(|&place| (place, reached(&edges, place))).collect();
    let back = |place| reach[place].iter().filter(|next| reach[**next].contains(place)).copied();
    let circles: BTreeSet<BTreeSet<&str>> =
        reach.keys().map(|&place| back(place).collect()).collect();
    circles.into_iter().filter(|circle| circle.len() > 1).collect()
}

/// The folders of some files; `a.rs` belongs to the folder `a/` where there is one.
fn folders<'f>(all: &Files, circle: &BTreeSet<&'f str>) -> Vec<&'f str> {
    let folder = |place: &&'f str| {
        let own = place.strip_suffix(".rs").unwrap_or(place);
        let has_folder = || all.keys().any(|other| other.starts_with(&format!("{own}/")));
        match place.split_once('/') {
            Some((folder, _)) => folder,
            None if has_folder() => own,
            None => "",
        }
    };
    let folders: BTreeSet<&str> = circle.iter().map(folder).collect();
    folders.into_iter().collect()
}

#[test]
fn files_know_each_other_in_no_circle_between_folders_and_in_small_ones_inside() {
    let packages = packages();
    assert!(packages.len() >= 15, "{packages:?}");
    let mut found = Vec::new();
    for package in packages {
        let all = files(&format!("{package}/src"));
        for circle in circles(&all) {
            let folders = folders(&all, &circle);
            let allowed = if folders.len() == 1 { MOST } else { 0 };
            if circle.len() > allowed {
                found.push(format!("{package}, folders {folders:?}: {circle:#?}"));
            }
        }
    }
    assert!(found.is_empty(), "{} circles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_circle_would_be_seen() {
    let file = |module: &str, text: &str| {
        let path = std::path::Path::new("/").join(module);
        File::of(&path.with_extension("rs"), text)
    };
    let all: Files = [
        ("a/mod.rs", file("a/mod", "mod x; pub use x::X;")),
        ("a/x.rs", file("a/x", "use crate::b::Y; pub struct X(Y);")),
        ("b/mod.rs", file("b/mod", "pub struct Y; fn f() { crate::a::X::new(); }")),
        ("c/mod.rs", file("c/mod", "use crate::a::X; #[cfg(test)] mod tests { use super::*; }")),
        ("d/mod.rs", file("d/mod", "mod y; pub use y::*; pub(in crate::e) fn g() {}")),
        ("d/y.rs", file("d/y", "use crate::e::f; pub struct Z;")),
        ("e.rs", file("e", "use crate::d::Z; pub fn f(_: Z) {}")),
    ]
    .map(|(place, file)| (place.to_owned(), file))
    .into();
    let expected = [["a/x.rs", "b/mod.rs"], ["d/y.rs", "e.rs"]].map(BTreeSet::from);
    assert_eq!(circles(&all), expected);
}
