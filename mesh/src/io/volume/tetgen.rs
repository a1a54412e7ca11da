//! TetGen's .node, .ele and .face files: lines of numbers, comments from `#`, any first number,
//! attributes and markers, 4 and 10 nodes an element.

use std::collections::BTreeMap;

use crate::ElementKind;
use crate::io::error::{Fault, Location, Parsed, Problem};
use crate::io::text::lines::{Line, Lines};
use crate::io::volume::builder::Builder;
use crate::io::volume::mid_edges::mid_edge_order;
use crate::io::volume::numbers::Numbers;

/// Nodes with the numbers that the elements use.
pub(in crate::io) struct Nodes {
    pub(in crate::io) builder: Builder,
    numbers: Numbers,
    first: u64,
}

/// First line of a .node file.
struct Header {
    count: usize,
    attributes: usize,
    has_markers: bool,
}

fn header(lines: &mut Lines<'_>) -> Parsed<Header> {
    let mut line = lines.data("the number of nodes")?;
    let declared = line.uint("the number of nodes")?;
    let dimension = line.uint("the dimension")?;
    if dimension != 3 {
        let what = format!("a node file of dimension {dimension}");
        let remedy = "a solid needs nodes of dimension 3";
        return Err(Problem::Unsupported { what, remedy }.at(line.place));
    }
    let attributes = optional(&mut line, "the number of attributes")?;
    let has_markers = optional(&mut line, "0 or 1 for markers")? > 0;
    let words = attributes.saturating_add(4 + u64::from(has_markers));
    let count = lines.fitting("nodes", declared, words)?;
    Ok(Header { count, attributes: attributes as usize, has_markers })
}

/// A number that files may leave out.
fn optional(line: &mut Line<'_>, expected: &'static str) -> Parsed<u64> {
    if line.is_done() { Ok(0) } else { line.uint(expected) }
}

/// Reads a .node file: attributes become fields, markers other than zero become node sets.
pub(in crate::io) fn parse_nodes(bytes: &[u8]) -> Parsed<Nodes> {
    let mut lines = Lines::new(bytes);
    let Header { count, attributes, has_markers } = header(&mut lines)?;
    let mut builder = Builder::default();
    let mut tags = Vec::with_capacity(count);
    let mut values = vec![Vec::new(); if count > 0 { attributes } else { 0 }];
    let mut marked: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for read in 0..count {
        let mut line = lines.data("a node").map_err(|f| cut_off(f, "nodes", count, read))?;
        let tag = line.uint("a node number")?;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = line.float("a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
        for column in &mut values {
            column.push(line.float("an attribute")?);
        }
        // TetGen itself leaves out markers that it announces.
        match if has_markers && !line.is_done() { line.int("a marker")? } else { 0 } {
            0 => {}
            marker => marked.entry(marker).or_default().push(read as u32),
        }
    }
    end(lines, "nodes", count)?;
    for (i, column) in values.iter().enumerate() {
        builder.add_node_field(&format!("attribute_{}", i + 1), 1, 0, column);
    }
    for (marker, nodes) in marked {
        let name = format!("marker_{marker}");
        builder.add_to_node_set(&name, &nodes).map_err(|problem| problem.at(Location::File))?;
    }
    let numbers = Numbers::of_nodes(&tags).map_err(|problem| problem.at(Location::File))?;
    Ok(Nodes { builder, numbers, first: tags.first().copied().unwrap_or(0) })
}

/// Refuses lines of numbers behind the last one that was declared.
fn end(mut lines: Lines<'_>, what: &'static str, declared: usize) -> Parsed<()> {
    let Some(extra) = lines.next_data() else { return Ok(()) };
    let declared = declared as u64;
    Err(Problem::CountMismatch { what, declared, found: declared + 1 }.at(extra.place))
}

/// A file that ends early is told by its counts.
fn cut_off(fault: Fault, what: &'static str, declared: usize, found: usize) -> Fault {
    let (declared, found) = (declared as u64, found as u64);
    Problem::CountMismatch { what, declared, found }.at(fault.at)
}

fn kind_of(header: &mut Line<'_>) -> Parsed<ElementKind> {
    match header.uint("the number of nodes per element")? {
        4 => Ok(ElementKind::Tet4),
        10 => Ok(ElementKind::Tet10),
        other => {
            let what = format!("an element file with {other} nodes per element");
            let remedy = "TetGen writes 4 or 10";
            Err(Problem::Unsupported { what, remedy }.at(header.place))
        }
    }
}

/// Reads an .ele file: the first attribute is the region, the others become fields.
pub(in crate::io) fn parse_elements(bytes: &[u8], nodes: &mut Nodes) -> Parsed<()> {
    let Nodes { builder, numbers, first } = nodes;
    let first = *first;
    let mut lines = Lines::new(bytes);
    let mut header = lines.data("the number of elements")?;
    let declared = header.uint("the number of elements")?;
    let kind = kind_of(&mut header)?;
    let attributes = optional(&mut header, "the number of attributes")?;
    let words = attributes.saturating_add(kind.node_count() as u64 + 1);
    let count = lines.fitting("elements", declared, words)?;
    let mut values = vec![Vec::new(); if count > 0 { attributes as usize } else { 0 }];
    for read in 0..count {
        let mut line = lines.data("an element").map_err(|f| cut_off(f, "elements", count, read))?;
        let number = line.uint("an element number")?;
        let mut own = [0_i64; 10];
        let own = &mut own[..kind.node_count()];
        for node in own.iter_mut() {
            *node = line.int("a node number")?;
        }
        let at = |problem: Problem| hinted(problem, first).at(line.place);
        let order = match kind {
            ElementKind::Tet10 => mid_edge_order(builder, numbers, number, own).map_err(at)?,
            _ => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        };
        let order = &order[..own.len()];
        builder.add_element(number, kind, order, own, |n| numbers.index(n)).map_err(at)?;
        for column in &mut values {
            column.push(line.float("a region attribute")?);
        }
    }
    end(lines, "elements", count)?;
    store_attributes(builder, &values);
    Ok(())
}

/// Reads a .face file: faces with a marker other than zero become face sets `marker_N`, those of a file
/// without markers the set `faces`. Of quadratic faces the corners count; what else stands in a row
/// (the tetrahedra on both sides) is passed over.
pub(in crate::io) fn parse_faces(bytes: &[u8], nodes: &mut Nodes) -> Parsed<()> {
    let Nodes { builder, numbers, .. } = nodes;
    let mut lines = Lines::new(bytes);
    let mut header = lines.data("the number of faces")?;
    let declared = header.uint("the number of faces")?;
    let has_markers = optional(&mut header, "0 or 1 for markers")? > 0;
    let count = lines.fitting("faces", declared, 4 + u64::from(has_markers))?;
    for read in 0..count {
        let mut line = lines.data("a face").map_err(|f| cut_off(f, "faces", count, read))?;
        let number = line.uint("a face number")?;
        let mut own = [0; 3];
        for node in &mut own {
            *node = line.int("a node number")?;
        }
        // Six nodes, a marker, two tetrahedra: three more nodes make the row longer than the rest.
        if line.words().count() >= 3 + usize::from(has_markers) {
            for _ in 0..3 {
                line.int("a node number")?;
            }
        }
        let marker = if has_markers && !line.is_done() { line.int("a marker")? } else { 0 };
        if has_markers && marker == 0 {
            continue;
        }
        let set = if has_markers { format!("marker_{marker}") } else { "faces".to_owned() };
        let corners = builder.corners(number, &own, |n| numbers.index(n));
        corners
            .and_then(|corners| builder.add_face(&set, &corners, None))
            .map_err(|problem| problem.at(line.place))?;
    }
    end(lines, "faces", count)
}

fn store_attributes(builder: &mut Builder, values: &[Vec<f64>]) {
    for (i, column) in values.iter().enumerate() {
        if i == 0 && column.iter().all(|x| x.trunc() == *x) {
            let regions: Vec<i64> = column.iter().map(|&x| x as i64).collect();
            builder.add_regions("region", 0, &regions);
        } else {
            builder.add_cell_field(&format!("attribute_{}", i + 1), 1, 0, column);
        }
    }
}

/// Elements counted from 0 over nodes counted from 1 is the likely cause of a missing node 0.
fn hinted(problem: Problem, first: u64) -> Problem {
    match problem {
        Problem::MissingNode { element, node: 0, node_count, .. } if first == 1 => {
            let hint = "; the .node file counts from 1, the .ele file seems to count from 0";
            Problem::MissingNode { element, node: 0, node_count, hint }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// One element whose mid-edge nodes are given by these corner pairs, moved off by `bend`.
    fn read(edges: [[usize; 2]; 6], bend: f64) -> Parsed<Builder> {
        let middle = |[a, b]: [usize; 2]| {
            std::array::from_fn(|k| (CORNERS[a][k] + CORNERS[b][k]) / 2.0 + bend)
        };
        let mut text = "10 3 0 0\n".to_owned();
        for (i, [x, y, z]) in CORNERS.into_iter().chain(edges.map(middle)).enumerate() {
            text += &format!("{i} {x} {y} {z}\n");
        }
        let mut nodes = parse_nodes(text.as_bytes())?;
        parse_elements(b"1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", &mut nodes)?;
        Ok(nodes.builder)
    }

    #[test]
    fn mid_edge_nodes_find_their_edges_in_any_order_even_when_bent() {
        let tetgen = [[2, 3], [0, 3], [0, 1], [1, 2], [1, 3], [0, 2]];
        for shift in 0..6 {
            let mut edges = tetgen;
            edges.rotate_left(shift);
            let mesh = read(edges, 0.1).unwrap().mesh;
            for (k, edge) in ElementKind::Tet10.edges().iter().enumerate() {
                let found = edges[mesh.element(0).1[4 + k] as usize - 4];
                let same = edge.iter().all(|&corner| found.contains(&usize::from(corner)));
                assert!(same, "{shift}: {found:?}");
            }
        }
    }

    #[test]
    fn two_nodes_on_one_edge_are_refused() {
        let fault = read([[2, 3], [0, 3], [0, 1], [1, 2], [1, 3], [0, 1]], 0.0).err().unwrap();
        assert!(matches!(fault.problem, Problem::MidNode { element: 0, node: 9 }));
        assert_eq!(fault.at, Location::Line(2));
    }

    #[test]
    fn faces_are_named_by_their_markers_whatever_else_stands_in_their_rows() {
        let read = |faces: &str| {
            let nodes = b"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
            let mut nodes = parse_nodes(nodes)?;
            parse_elements(b"1 4 0\n1 1 2 3 4\n", &mut nodes)?;
            parse_faces(faces.as_bytes(), &mut nodes)?;
            let sizes = nodes.builder.faces.iter().map(|(name, set)| (name.clone(), set.len()));
            Ok::<_, Fault>(sizes.collect::<Vec<_>>())
        };
        let of = |list: &[(&str, usize)]| {
            list.iter().map(|&(name, n)| (name.to_owned(), n)).collect::<Vec<_>>()
        };
        let plain = "3 1\n1 1 2 3 7\n2 1 2 4 -1\n3 1 3 4 0\n";
        assert_eq!(read(plain).unwrap(), of(&[("marker_-1", 1), ("marker_7", 1)]));
        let quadratic = "1 1\n1 1 2 3 9 9 9 7\n";
        assert_eq!(read(quadratic).unwrap(), of(&[("marker_7", 1)]));
        let with_neighbours = "1 1\n1 1 2 3 7 0 -1\n";
        assert_eq!(read(with_neighbours).unwrap(), of(&[("marker_7", 1)]));
        assert_eq!(read("2 0\n1 1 2 3\n2 1 2 4\n").unwrap(), of(&[("faces", 2)]));
        let fault = read("1 1\n1 1 2 5 7\n").unwrap_err();
        assert!(matches!(fault.problem, Problem::MissingNode { node: 5, .. }));
        assert!(read("2 1\n1 1 2 3 7\n").is_err());
    }
}
