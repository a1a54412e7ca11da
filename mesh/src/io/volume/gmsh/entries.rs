//! Elements of all versions: the meaning of their codes, and the way into the mesh or its groups.

use super::groups::Groups;
use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::Scanner;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// Meaning of an element type code.
enum ElementType {
    Volume(ElementKind),
    Lower { name: &'static str, nodes: usize },
    Unsupported(&'static str),
    Unknown,
}

fn element_type(code: i64) -> ElementType {
    let lower = |name, nodes| ElementType::Lower { name, nodes };
    if let Some(kind) = Codes::find(|row| i64::from(row.gmsh) == code) {
        return ElementType::Volume(kind);
    }
    match code {
        15 => lower("points", 1),
        1 => lower("lines", 2),
        8 => lower("lines", 3),
        26 => lower("lines", 4),
        27 => lower("lines", 5),
        28 => lower("lines", 6),
        2 => lower("triangles", 3),
        9 => lower("triangles", 6),
        20 => lower("triangles", 9),
        21 => lower("triangles", 10),
        22 => lower("triangles", 12),
        23 | 24 => lower("triangles", 15),
        25 => lower("triangles", 21),
        3 => lower("quadrilaterals", 4),
        10 => lower("quadrilaterals", 9),
        16 => lower("quadrilaterals", 8),
        12 => ElementType::Unsupported("27-node hexahedron (Gmsh type 12)"),
        13 => ElementType::Unsupported("18-node prism (Gmsh type 13)"),
        14 => ElementType::Unsupported("14-node pyramid (Gmsh type 14)"),
        29..=31 | 71..=75 | 79..=82 | 90..=98 | 106..=124 => {
            ElementType::Unsupported("element of third or higher order")
        }
        _ => ElementType::Unknown,
    }
}

/// Nodes of an element type; types that cannot be passed over are refused.
pub(super) fn node_count(s: &Scanner<'_>, element: u64, code: i64) -> Parsed<usize> {
    match element_type(code) {
        ElementType::Volume(kind) => Ok(kind.node_count()),
        ElementType::Lower { nodes, .. } => Ok(nodes),
        ElementType::Unsupported(name) => {
            let what = format!("element {element}: {name}");
            let remedy =
                "mesh again with Mesh.ElementOrder = 1, or 2 and Mesh.SecondOrderIncomplete = 1";
            Err(s.fault(Problem::Unsupported { what, remedy }))
        }
        ElementType::Unknown => Err(s.fault(Problem::UnknownType { element, code })),
    }
}

/// An element of a file.
pub(super) struct Entry<'a> {
    pub(super) number: u64,
    pub(super) code: i64,
    pub(super) nodes: &'a [i64],
    /// Its physical groups; zero is none.
    pub(super) physical: &'a [i64],
}

/// Adds an element: a solid to the mesh, others to the faces or nodes of their groups.
pub(super) fn add_element(
    s: &Scanner<'_>,
    builder: &mut Builder,
    numbers: &Numbers,
    groups: &mut Groups,
    Entry { number, code, nodes, physical }: Entry<'_>,
) -> Parsed<()> {
    let index = |n| numbers.index(n);
    let at = |problem| s.fault(problem);
    match element_type(code) {
        ElementType::Volume(kind) => {
            let element = builder.mesh.element_count() as u32;
            let order = element_codes::gmsh(kind);
            builder.add_element(number, kind, order, nodes, index).map_err(at)?;
            groups.add_solid(physical, element);
        }
        ElementType::Lower { name, .. } if physical.iter().all(|&p| p == 0) => builder.skip(name),
        ElementType::Lower { name, .. } => {
            let corners = match name {
                "triangles" => 3,
                "quadrilaterals" => 4,
                _ => nodes.len(),
            };
            let corners = builder.corners(number, &nodes[..corners], index).map_err(at)?;
            groups.add_lower(name, physical, &corners);
            builder.element_of_cell.push(None);
        }
        _ => return Err(s.fault(Problem::UnknownType { element: number, code })),
    }
    Ok(())
}

/// Indices of the elements of data. Programs exist that give a number twice: it then has no data.
pub(super) fn element_numbers(tags: &[u64]) -> Numbers {
    Numbers::of_elements(tags).unwrap_or(Numbers::Consecutive { first: 0, count: 0 })
}

/// Passes over a section that holds nothing for a mesh.
pub(super) fn skip_section(s: &mut Scanner<'_>, section: &[u8]) -> Parsed<()> {
    let Some(name) = section.strip_prefix(b"$") else {
        return Err(s.unexpected("a section like $Nodes", section));
    };
    if s.skip_past(&[b"$End", name].concat()) {
        Ok(())
    } else {
        Err(s.fault(Problem::EndOfFile { expected: "the end of a section" }))
    }
}
