//! Meshes by their dimensions: boxes, cylinders, capsules and balls, as surfaces of bodies and as grids of
//! tissues. Grids of round solids are those of a cube, mapped (key Nowell2005).

use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh, grid_mesh};
use sinew::geometry::{SurfaceMesh, capsule_mesh, cuboid_mesh, cylinder_mesh, icosphere_mesh};

use super::value::{indices, numbers};
use crate::diagnostic::Diagnostic;
use crate::tree::{Entry, Node, Table, get};
use crate::units::Length;

/// Keys of the solids that bodies and tissues can be; a capsule has no grid.
pub(crate) const SOLIDS: [&str; 4] = ["box", "sphere", "cylinder", "capsule"];
/// Facets around an axis where none are said.
const FACETS: u32 = 32;
/// Most cells of a grid.
const MOST_CELLS: u64 = 1_000_000;
/// Kinds of elements of a grid.
const GRID_KINDS: [&str; 4] = ["hex8", "hex20", "tet4", "tet10"];

/// The entry of a table that says which solid it is.
pub(super) fn solid(table: &Table) -> Option<&Entry> {
    table.iter().find(|entry| SOLIDS.contains(&entry.key.as_str()))
}

/// The dimensions of a solid [m], `count` of them and each above 0.
fn dimensions<const N: usize>(
    entry: &Entry,
    unit: Length,
    expected: &str,
) -> Result<[f64; N], Diagnostic> {
    let given = numbers(&entry.value).and_then(|list| <[f64; N]>::try_from(list).ok());
    let given = given.filter(|list| list.iter().all(|x| *x > 0.0 && x.is_finite()));
    let given = given.ok_or_else(|| {
        let message = format!("a {} has {expected}, each above 0", entry.key);
        Diagnostic::error(entry.value.span, message)
    })?;
    Ok(given.map(|x| unit.factor().apply(x)))
}

/// Centre of a solid [m].
pub(super) fn centre(table: &Table, unit: Length) -> Result<Vec3, Diagnostic> {
    let Some(node) = get(table, "centre") else { return Ok(Vec3::zeros()) };
    match numbers(node).as_deref() {
        Some([x, y, z]) => Ok(Vec3::new(*x, *y, *z).map(|x| unit.factor().apply(x))),
        _ => Err(Diagnostic::error(node.span, "the centre is a point [x, y, z]")),
    }
}

/// Refuses keys that are not of a solid.
fn check_keys(table: &Table, solid: &Entry, more: &[&str]) -> Result<(), Diagnostic> {
    let is_known =
        |e: &&Entry| e.key == solid.key || e.key == "centre" || more.contains(&e.key.as_str());
    match table.iter().find(|entry| !is_known(entry)) {
        Some(entry) => {
            let message = format!("'{}' does not go with '{}'", entry.key, solid.key);
            Err(Diagnostic::error(entry.key_span, message))
        }
        None => Ok(()),
    }
}

/// The sizes of a solid \[m\]: a radius and half a length, or half the edges; what it does not have is 0.
pub(super) fn sizes(entry: &Entry, unit: Length) -> Result<(f64, f64, Vec3), Diagnostic> {
    match entry.key.as_str() {
        "box" => {
            let edges = Vec3::from(dimensions::<3>(entry, unit, "three edges [x, y, z]")?);
            Ok((0.0, 0.0, 0.5 * edges))
        }
        "sphere" => {
            let [radius] = dimensions(entry, unit, "one radius")?;
            Ok((radius, 0.0, Vec3::zeros()))
        }
        _ => {
            let [radius, length] = dimensions(entry, unit, "a radius and a length")?;
            Ok((radius, 0.5 * length, Vec3::zeros()))
        }
    }
}

/// The surface of a solid about its centre, its axis along z [m].
pub(super) fn surface(
    table: &Table,
    entry: &Entry,
    unit: Length,
) -> Result<SurfaceMesh, Diagnostic> {
    check_keys(table, entry, &["facets"])?;
    let facets = match get(table, "facets") {
        None => FACETS,
        Some(node) => match indices(node)?[..] {
            [facets] => facets,
            _ => return Err(Diagnostic::error(node.span, "facets is one whole number")),
        },
    };
    let made = match entry.key.as_str() {
        "box" => cuboid_mesh(&Vec3::from(dimensions::<3>(entry, unit, "three edges [x, y, z]")?)),
        "sphere" => {
            let [radius] = dimensions(entry, unit, "one radius")?;
            // Each subdivision doubles the five triangles around a corner of the icosahedron.
            icosphere_mesh(radius, facets.div_ceil(5).next_power_of_two().ilog2())
        }
        "cylinder" => {
            let [radius, length] = dimensions(entry, unit, "a radius and a length")?;
            cylinder_mesh(radius, length, facets)
        }
        _ => {
            let [radius, length] = dimensions(entry, unit, "a radius and a length")?;
            capsule_mesh(radius, length, facets)
        }
    };
    let refused = |error: sinew::geometry::GeometryError| {
        Diagnostic::error(entry.value.span, error.to_string())
    };
    let shift = centre(table, unit)?;
    made.and_then(|mesh| mesh.transformed(&sinew::Mat3::identity(), &shift)).map_err(refused)
}

/// A solid cut into elements about its centre, its axis along z [m]; its faces are sets of nodes.
pub(super) fn volume(
    node: &Node,
    table: &Table,
    entry: &Entry,
    unit: Length,
) -> Result<VolumeMesh, Diagnostic> {
    check_keys(table, entry, &["cells", "element"])?;
    let (counts, map) = match entry.key.as_str() {
        "box" => {
            let size = Vec3::from(dimensions::<3>(entry, unit, "three edges [x, y, z]")?);
            let map: Map = Box::new(move |p| 0.5 * p.component_mul(&size));
            (counts::<3>(node, table, "along x, y and z")?, map)
        }
        "cylinder" => {
            let [radius, length] = dimensions(entry, unit, "a radius and a length")?;
            let [across, along] = counts(node, table, "across and along")?;
            let map: Map = Box::new(move |p| {
                let [x, y] = disk(p.x, p.y);
                Vec3::new(radius * x, radius * y, 0.5 * length * p.z)
            });
            ([across, across, along], map)
        }
        "sphere" => {
            let [radius] = dimensions(entry, unit, "one radius")?;
            let [across] = counts(node, table, "across")?;
            let map: Map = Box::new(move |p| radius * ball(p));
            ([across; 3], map)
        }
        _ => {
            let message = "a capsule has a surface only: a tissue is a box, cylinder or sphere";
            return Err(Diagnostic::error(entry.key_span, message));
        }
    };
    let shift = centre(table, unit)?;
    let kind = kind(table)?;
    let mesh = grid_mesh(counts, kind, |p| map(p) + shift);
    mesh.ok_or_else(|| Diagnostic::error(entry.value.span, "the grid has no element"))
}

/// From a cube of edges 2 about the origin to a solid.
type Map = Box<dyn Fn(&Vec3) -> Vec3>;

/// From a square to the disk in its edges.
fn disk(x: f64, y: f64) -> [f64; 2] {
    [x * (1.0 - 0.5 * y * y).sqrt(), y * (1.0 - 0.5 * x * x).sqrt()]
}

/// From a cube to the ball in its faces.
fn ball(p: &Vec3) -> Vec3 {
    let axis = |k: usize| {
        let [a, b] = [p[(k + 1) % 3].powi(2), p[(k + 2) % 3].powi(2)];
        p[k] * (1.0 - 0.5 * (a + b) + a * b / 3.0).sqrt()
    };
    Vec3::new(axis(0), axis(1), axis(2))
}

/// Number of cells of a grid.
fn counts<const N: usize>(node: &Node, table: &Table, of: &str) -> Result<[u32; N], Diagnostic> {
    let missing = || Diagnostic::error(node.span, format!("'cells' is missing: {N} numbers, {of}"));
    let cells = get(table, "cells").ok_or_else(missing)?;
    let wrong = |message: String| Err(Diagnostic::error(cells.span, message));
    let given = <[u32; N]>::try_from(indices(cells)?).ok();
    let Some(counts) = given.filter(|counts| counts.iter().all(|&n| n > 0)) else {
        return wrong(format!("cells is {N} whole numbers from 1 on, {of}"));
    };
    // Of a ball and a cylinder one number stands for several.
    let across = counts.iter().fold(1_u64, |all, &n| all.saturating_mul(n.into()));
    let largest = u64::from(counts[0]).saturating_pow(4 - N as u32).max(across);
    if largest > MOST_CELLS {
        return wrong(format!("a grid has {MOST_CELLS} cells at most: keep finer meshes in files"));
    }
    Ok(counts)
}

fn kind(table: &Table) -> Result<ElementKind, Diagnostic> {
    let Some(node) = get(table, "element") else { return Ok(ElementKind::Hex8) };
    let name = node.text().filter(|name| GRID_KINDS.contains(name));
    name.and_then(ElementKind::from_name).ok_or_else(|| {
        let (found, known) = (node.value.describe(), GRID_KINDS.into_iter());
        let message = format!("a grid has no elements of kind {found}");
        Diagnostic::unknown(node.span, message, node.text().unwrap_or_default(), known)
    })
}
