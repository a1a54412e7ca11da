//! Imports between files: no circles between the folders of the physics, and small ones inside.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{File, files};

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
    let handed_on = file.imports().into_iter().find(|import| import.name == *name);
    let target = handed_on.and_then(|import| absolute(modules, module, &import.path));
    match target {
        Some(target) => defining(all, modules, &[&target, &rest[1..]].concat(), most - 1),
        None => Some(place),
    }
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

/// The folders of some files.
fn folders<'f>(circle: &BTreeSet<&'f str>) -> Vec<&'f str> {
    let folder = |place: &&'f str| place.split_once('/').map_or("", |(folder, _)| folder);
    let folders: BTreeSet<&str> = circle.iter().map(folder).collect();
    folders.into_iter().collect()
}

#[test]
fn files_know_each_other_in_no_circle_between_folders_and_in_small_ones_inside() {
    let all = files("core/src");
    for circle in circles(&all) {
        let folders = folders(&circle);
        let allowed = if folders.len() == 1 { MOST } else { 0 };
        assert!(circle.len() <= allowed, "{} files through {folders:?}: {circle:#?}", circle.len());
    }
}

/// Packages without floors of their own: small circles alone. The reader of model files is one type, whose file names what it keeps
/// of groups and meshes.
#[test]
fn files_of_the_other_packages_know_each_other_in_small_circles_at_most() {
    for package in ["cli", "datasets", "linalg", "model-files", "run-files"] {
        let all = files(&format!("{package}/src"));
        let wide: Vec<_> = circles(&all).into_iter().filter(|circle| circle.len() > MOST).collect();
        assert!(wide.is_empty(), "{package}: {wide:#?}");
    }
}

/// Floors, whose folders know each other one way.
#[test]
fn meshes_and_linear_algebra_have_no_circle_between_folders() {
    for package in ["mesh/src", "linalg/src"] {
        let all = files(package);
        let wide: Vec<_> =
            circles(&all).into_iter().filter(|circle| folders(circle).len() > 1).collect();
        assert!(wide.is_empty(), "{package}: {wide:#?}");
    }
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
    ]
    .map(|(place, file)| (place.to_owned(), file))
    .into();
    assert_eq!(circles(&all), [BTreeSet::from(["a/x.rs", "b/mod.rs"])]);
}
