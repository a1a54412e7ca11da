//! Medit's .mesh as text: elements by kind, element sets as references.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use super::notes::{left_out_of_volume, refused};
use super::{regions, text};
use crate::io::element_codes::{self, Codes};
use crate::io::write::vtu_write::{WriteError, replace_file};
use crate::{ElementKind, VolumeMesh};

/// Linear kinds in the order of the file, and what their sections are called.
fn sections() -> Vec<(ElementKind, String)> {
    let linear = ElementKind::ALL.into_iter().filter(|kind| !kind.is_quadratic());
    let named = linear.filter_map(|kind| Some((kind, capital(Codes::of(kind).medit.first()?))));
    named.collect()
}

/// A word with a capital.
fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_ascii_uppercase() + rest
}

pub(super) fn write(path: &Path, mesh: &VolumeMesh) -> Result<Vec<String>, WriteError> {
    if let Some((kind, _)) = mesh.elements().find(|(kind, _)| kind.is_quadratic()) {
        let kind = kind.name();
        let reason = format!(
            "Medit files are written of linear elements, and the mesh has {kind}: write .vtu or .msh"
        );
        return Err(refused(path, reason));
    }
    let mut notes = Vec::new();
    left_out_of_volume(mesh, &mut notes);
    let regions = regions::numbers(mesh, "medit_ref", &mut notes);
    let of_kind = |kind| mesh.elements().enumerate().filter(move |(_, (k, _))| *k == kind);
    let sections = sections();
    let elements_of = |(kind, _): &(ElementKind, String)| of_kind(*kind).map(|(e, _)| e).collect();
    let places: Vec<Vec<usize>> = sections.iter().map(elements_of).collect();
    if !places.concat().is_sorted() {
        notes.push("elements are in the order of their kinds: others than before".to_owned());
    }
    replace_file(path, |out| {
        writeln!(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n{}", mesh.nodes.len())?;
        for p in &mesh.nodes {
            text::point(out, p)?;
            writeln!(out, " 0")?;
        }
        for ((kind, name), elements) in sections.iter().zip(&places) {
            if elements.is_empty() {
                continue;
            }
            writeln!(out, "{name}\n{}", elements.len())?;
            for &e in elements {
                write_element(out, *kind, mesh.element(e).1, regions.as_ref().map_or(0, |r| r[e]))?;
            }
        }
        writeln!(out, "End")
    })?;
    Ok(notes)
}

/// An element in a line: its nodes in the order of the file, counted from 1, and its reference.
fn write_element(
    out: &mut dyn Write,
    kind: ElementKind,
    nodes: &[u32],
    reference: impl Display,
) -> std::io::Result<()> {
    let mut in_file = [0; 8];
    for (&place, &node) in element_codes::vtk(kind).iter().zip(nodes) {
        in_file[place as usize] = node;
    }
    in_file[..kind.node_count()].iter().try_for_each(|node| write!(out, "{} ", node + 1))?;
    writeln!(out, "{reference}")
}
