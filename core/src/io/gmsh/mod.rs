//! Gmsh's .msh files, versions 2.x and 4.1, text and binary in both byte orders. What both versions
//! share is here: the header, the element types, the physical names.

mod v22;
mod v41;

use std::collections::BTreeMap;

use super::builder::{Builder, NodeNumbers};
use super::error::{Parsed, Problem};
use super::node_order;
use super::scanner::{Encoding, Endian, Scanner, shorten};
use crate::fem::ElementKind;

pub(super) fn parse(bytes: &[u8]) -> Parsed<(Builder, &'static str)> {
    let mut s = Scanner::new(bytes);
    // Comments may precede the header.
    while s.peek().is_some_and(|word| word != b"$MeshFormat" && word != b"$NOD") {
        if s.peek() != Some(b"$Comments") || !s.skip_past(b"$EndComments") {
            let found = s.peek().unwrap_or_default();
            return Err(s.unexpected("$MeshFormat", found));
        }
    }
    if s.peek() == Some(b"$NOD") {
        return Err(unsupported(&s, "version 1.0 of the Gmsh format ($NOD)".to_owned()));
    }
    s.expect("$MeshFormat")?;
    let version = s.word("a version")?;
    let is_4 = match version {
        "2" | "2.0" | "2.1" | "2.2" => false,
        "4.1" => true,
        _ => {
            let version = shorten(version.as_bytes());
            return Err(unsupported(&s, format!("version {version} of the Gmsh format")));
        }
    };
    let binary = s.text_u64("0 for text or 1 for binary")?;
    let size = s.text_u64("the size of a number")?;
    if binary > 1 || size != 8 {
        let what = format!("Gmsh file type {binary} with numbers of {size} bytes");
        return Err(unsupported(&s, what));
    }
    if binary == 1 {
        s.rest_of_line();
        s.encoding = Encoding::Binary(endian(&mut s)?);
    }
    s.expect("$EndMeshFormat")?;
    if is_4 { Ok((v41::parse(&mut s)?, "Gmsh 4.1")) } else { Ok((v22::parse(&mut s)?, "Gmsh 2.2")) }
}

fn unsupported(s: &Scanner<'_>, what: String) -> super::error::Fault {
    let remedy =
        "save it as version 2.2 or 4.1 with 8-byte numbers (gmsh in.msh -save -format msh41)";
    s.fault(Problem::Unsupported { what, remedy })
}

/// The integer one behind the header tells the byte order.
fn endian(s: &mut Scanner<'_>) -> Parsed<Endian> {
    match s.take(4, "the integer one")? {
        [1, 0, 0, 0] => Ok(Endian::Little),
        [0, 0, 0, 1] => Ok(Endian::Big),
        other => {
            let found = format!("{other:?}");
            Err(s.fault(Problem::Expected { expected: "the integer one in 4 bytes", found }))
        }
    }
}

/// What an element type code stands for.
enum ElementType {
    Volume(ElementKind),
    Lower { name: &'static str, nodes: usize },
    Unsupported(&'static str),
    Unknown,
}

fn element_type(code: i64) -> ElementType {
    let lower = |name, nodes| ElementType::Lower { name, nodes };
    match code {
        4 => ElementType::Volume(ElementKind::Tet4),
        5 => ElementType::Volume(ElementKind::Hex8),
        6 => ElementType::Volume(ElementKind::Wedge6),
        7 => ElementType::Volume(ElementKind::Pyramid5),
        11 => ElementType::Volume(ElementKind::Tet10),
        17 => ElementType::Volume(ElementKind::Hex20),
        18 => ElementType::Volume(ElementKind::Wedge15),
        19 => ElementType::Volume(ElementKind::Pyramid13),
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
fn node_count(s: &Scanner<'_>, element: u64, code: i64) -> Parsed<usize> {
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

/// Adds an element of `code` with these node numbers; the index of the volume element it became.
fn add_element(
    s: &Scanner<'_>,
    builder: &mut Builder,
    (number, code): (u64, i64),
    nodes: &[i64],
    numbers: &NodeNumbers,
) -> Parsed<Option<u32>> {
    match element_type(code) {
        ElementType::Volume(kind) => {
            let element = builder.mesh.element_count() as u32;
            let order = node_order::gmsh(kind);
            let added = builder.add_element(number, kind, order, nodes, |n| numbers.index(n));
            added.map_err(|problem| s.fault(problem))?;
            Ok(Some(element))
        }
        ElementType::Lower { name, .. } => {
            builder.skip(name);
            Ok(None)
        }
        _ => Err(s.fault(Problem::UnknownType { element: number, code })),
    }
}

/// Elements of each physical group of dimension 3, and the names of the groups.
#[derive(Default)]
struct Groups {
    elements: BTreeMap<i64, Vec<u32>>,
    names: BTreeMap<i64, String>,
}

impl Groups {
    /// `$PhysicalNames`, text in both encodings.
    fn read_names(&mut self, s: &mut Scanner<'_>) -> Parsed<()> {
        let count = s.text_u64("a number of names")?;
        for _ in 0..count {
            let dimension = s.text_u64("a dimension")?;
            let tag = s.text_i64("a physical number")?;
            let name = s.rest_of_line().unwrap_or_default();
            if dimension == 3 {
                let name = String::from_utf8_lossy(name).trim().trim_matches('"').to_owned();
                self.names.insert(tag, name);
            }
        }
        s.expect("$EndPhysicalNames")
    }

    /// Makes the groups element sets; a group without a name is `physical_<number>`.
    fn store(self, builder: &mut Builder) {
        for (tag, elements) in self.elements {
            let name = self.names.get(&tag).filter(|n| !n.is_empty()).cloned();
            builder.add_to_set(name.unwrap_or_else(|| format!("physical_{tag}")), elements);
        }
    }
}

/// Passes over a section that holds nothing for a mesh.
fn skip_section(s: &mut Scanner<'_>, section: &[u8]) -> Parsed<()> {
    let Some(name) = section.strip_prefix(b"$") else {
        return Err(s.unexpected("a section like $Nodes", section));
    };
    if s.skip_past(&[b"$End", name].concat()) {
        Ok(())
    } else {
        Err(s.fault(Problem::EndOfFile { expected: "the end of a section" }))
    }
}
