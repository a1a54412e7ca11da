//! Gmsh's .msh files: version 1.0, and 2.x and 4.1 as text and binary in both byte orders. What the
//! versions share is here: the header, the element types.

mod data;
mod groups;
mod v10;
mod v22;
mod v41;

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Endian, Scanner, shorten};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;
use groups::Groups;

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<(Builder, &'static str)> {
    let mut s = Scanner::new(bytes);
    // Comments may precede the header.
    while s.peek().is_some_and(|word| word != b"$MeshFormat" && word != b"$NOD") {
        if s.peek() != Some(b"$Comments") || !s.skip_past(b"$EndComments") {
            let found = s.peek().unwrap_or_default();
            return Err(s.unexpected("$MeshFormat", found));
        }
    }
    if s.peek() == Some(b"$NOD") {
        return Ok((v10::parse(&mut s)?, "Gmsh 1.0"));
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

fn unsupported(s: &Scanner<'_>, what: String) -> crate::io::error::Fault {
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

/// An element of a file.
struct Entry<'a> {
    number: u64,
    code: i64,
    nodes: &'a [i64],
    /// Its physical groups; zero is none.
    physical: &'a [i64],
}

/// Adds an element: a solid to the mesh, others to the faces or nodes of their groups.
fn add_element(
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
fn element_numbers(tags: &[u64]) -> Numbers {
    Numbers::of_elements(tags).unwrap_or(Numbers::Consecutive { first: 0, count: 0 })
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
