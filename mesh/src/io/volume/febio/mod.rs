//! The mesh of FEBio's models (.feb, versions 2.0 to 4.0): nodes, solids, sets, surfaces and data, and
//! a check of Poisson's ratios. Loads, contacts, steps and materials are told of and passed over, or left to a reader of
//! the whole model, who gets shells as well.

mod data;
mod found;
mod materials;
mod rows;
mod sets;
mod shells;
mod xml;

use std::borrow::Cow;

use roxmltree::{Document, Node};

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::number::{float, int};
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;
use crate::io::vtk::vtu_array::line;
pub(in crate::io) use found::Rest;
use found::{Found, Lists};
use rows::{Cut, Row};
use xml::{at, children, sections};

pub(in crate::io) fn parse(bytes: &[u8], rest: Rest) -> Parsed<Builder> {
    let text = decode(bytes);
    let (left, cut) = rows::cut(&text);
    let document = Document::parse(&left)
        .map_err(|e| Problem::Xml(e.to_string()).at(Location::Line(e.pos().row as usize)))?;
    let root = document.root_element();
    check_version(root)?;
    materials::check(root)?;
    let section = children(root).find(|n| matches!(n.tag_name().name(), "Geometry" | "Mesh"));
    let section = section
        .ok_or_else(|| Problem::Missing("the section Mesh or Geometry").at(Location::File))?;
    if let Some(file) = section.attribute("from") {
        let remedy = "put the mesh into this file";
        return Err(Problem::Include { file: shorten(file.as_bytes()), remedy }.at(at(section)));
    }
    let mut builder = Builder::default();
    let mut found = nodes(section, &cut, &mut builder)?;
    elements(section, &cut, &mut builder, (&mut found, rest))?;
    sets::read(section, &mut builder, &mut found)?;
    data::read(root, section, &mut builder, (&found, rest))?;
    materials::domains(root, &mut builder)?;
    if rest == Rest::PassedOver {
        materials::note(root, &mut builder);
        note_sections(root, section, &mut builder);
    }
    Ok(builder)
}

/// Sections that are read, or that do not concern the mesh: the mesh, its materials (which are
/// noted by themselves), and the contents of the results.
const READ: [&str; 5] = ["Material", "MeshDomains", "MeshData", "Module", "Output"];

/// Tells of the sections of the model that are passed over.
fn note_sections(root: Node<'_, '_>, mesh: Node<'_, '_>, builder: &mut Builder) {
    let is_told = |node: &Node<'_, '_>| {
        let is_empty = children(*node).next().is_none() && !node.has_attribute("from");
        *node != mesh && !READ.contains(&node.tag_name().name()) && !is_empty
    };
    for node in children(root).filter(is_told) {
        let (name, line) = (shorten(node.tag_name().name().as_bytes()), line(node));
        builder.notes.push(format!("section {name} (line {line}) not read: the mesh alone is"));
    }
}

/// FEBio writes ISO-8859-1, whose bytes are the first 256 characters.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect::<String>().into(),
    }
}

fn check_version(root: Node<'_, '_>) -> Parsed<()> {
    let version = root.attribute("version").unwrap_or("");
    if root.has_tag_name("febio_spec") && matches!(version, "2.0" | "2.5" | "3.0" | "4.0") {
        return Ok(());
    }
    let what = format!("version `{}` of the FEBio format", shorten(version.as_bytes()));
    let remedy = "versions 2.0, 2.5, 3.0 and 4.0 are read (save it anew with FEBio Studio)";
    Err(Problem::Unsupported { what, remedy }.at(at(root)))
}

fn nodes<'a>(mesh: Node<'a, 'a>, cut: &Cut<'a>, builder: &mut Builder) -> Parsed<Found> {
    let mut tags = Vec::new();
    let mut named = Vec::new();
    for section in sections(mesh).filter(|n| n.has_tag_name("Nodes")) {
        let first = tags.len() as u32;
        for row in cut.rows(section) {
            let tag = row.number()?;
            let mut p = [0.0; 3];
            if row.read(&mut p, "a coordinate", float)? != 3 {
                return Err(row.unexpected("three coordinates", row.text.as_bytes()));
            }
            builder.add_node(tag, p).map_err(|problem| problem.at(row.place))?;
            tags.push(tag);
        }
        named.push((
            section.attribute("name").or(section.attribute("set")),
            first..tags.len() as u32,
        ));
    }
    let nodes = Numbers::of_nodes(&tags).map_err(|problem| problem.at(at(mesh)))?;
    let mut lists = Lists::default();
    for (name, range) in named {
        if let Some(name) = name {
            let list: Vec<u32> = range.collect();
            builder.add_to_node_set(name, &list).map_err(|problem| problem.at(at(mesh)))?;
            lists.nodes.insert(name.to_owned(), list);
        }
    }
    Ok(Found { nodes, elements: Numbers::Consecutive { first: 1, count: 0 }, lists })
}

/// The kind of a type, whose nodes have VTK's order.
fn kind(name: &str) -> Option<Result<ElementKind, &'static str>> {
    if let Some(kind) = Codes::find(|row| row.febio == name) {
        return Some(Ok(kind));
    }
    match name {
        "tri3" | "tri6" | "tri7" | "q3" | "q4" | "quad4" | "quad8" | "quad9" => Some(Err("shells")),
        "truss2" | "line2" | "line3" => Some(Err("lines")),
        _ => None,
    }
}

fn elements<'a>(
    mesh: Node<'a, 'a>,
    cut: &Cut<'a>,
    builder: &mut Builder,
    (found, rest): (&mut Found, Rest),
) -> Parsed<()> {
    let mut tags = Vec::new();
    for section in sections(mesh).filter(|n| n.has_tag_name("Elements")) {
        let name = section.attribute("type").unwrap_or("");
        let kind = kind(name).ok_or_else(|| {
            let what = format!("the element type {}", shorten(name.as_bytes()));
            let remedy = "use tet4, tet10, hex8, hex20, penta6, penta15, pyra5 or pyra13";
            Problem::Unsupported { what, remedy }.at(at(section))
        })?;
        if kind.is_err() {
            found.lists.lower.extend(section.attribute("name").map(str::to_owned));
        }
        if kind == Err("shells") && rest == Rest::ReadElsewhere {
            shells::read(section, cut.rows(section), &found.nodes, builder)?;
            continue;
        }
        let first = builder.mesh.element_count() as u32;
        for row in cut.rows(section) {
            match kind {
                Ok(kind) => tags.push(element(&row, kind, builder, &found.nodes)?),
                Err(lower) => builder.skip(lower),
            }
        }
        let list: Vec<u32> = (first..builder.mesh.element_count() as u32).collect();
        let named = section.attribute("name").or(section.attribute("elset")).map(str::to_owned);
        let material = section.attribute("mat").map(|id| format!("material_{id}"));
        for name in named.into_iter().chain(material) {
            found.lists.solids.insert(name.clone(), list.clone());
            builder.add_to_set(&name, list.clone()).map_err(|problem| problem.at(at(section)))?;
        }
    }
    found.elements = Numbers::of_elements(&tags).map_err(|problem| problem.at(at(mesh)))?;
    Ok(())
}

/// Appends a solid; its number is returned.
fn element(
    row: &Row<'_>,
    kind: ElementKind,
    builder: &mut Builder,
    nodes: &Numbers,
) -> Parsed<u64> {
    let tag = row.number()?;
    let mut own = [0; ElementKind::MAX_NODE_COUNT];
    let given = row.read(&mut own, "a node number", int)?;
    let expected = kind.node_count();
    if given != expected {
        let (kind, found) = (element_codes::name(kind), given as u64);
        return Err(Problem::NodeCount { element: tag, kind, expected, found }.at(row.place));
    }
    let (order, own) = (element_codes::vtk(kind), &own[..given]);
    let added = builder.add_element(tag, kind, order, own, |n| nodes.index(n));
    added.map_err(|problem| problem.at(row.place)).map(|()| tag)
}
