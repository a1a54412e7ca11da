//! TetGen's .node and .ele files: lines of numbers, comments from `#`, any first number, attributes
//! and markers, 4 and 10 nodes an element.

use super::builder::{Builder, NodeNumbers};
use super::error::{Fault, Parsed, Place, Problem};
use super::scanner::shorten;
use crate::Vec3;
use crate::fem::ElementKind;

/// The lines that hold numbers, with the number of each line.
struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), line: 0 }
    }

    fn next(&mut self, expected: &'static str) -> Parsed<Line<'a>> {
        while !self.rest.is_empty() {
            let length = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
            let line = &self.rest[..length];
            self.rest = &self.rest[(length + 1).min(self.rest.len())..];
            self.line += 1;
            let text = line.split(|&b| b == b'#').next().unwrap_or_default().trim_ascii();
            if !text.is_empty() {
                return Ok(Line { rest: text, place: Place::Line(self.line) });
            }
        }
        Err(Problem::EndOfFile { expected }.at(Place::Line(self.line)))
    }

    fn count(&self, what: &'static str, declared: u64, words: u64) -> Parsed<usize> {
        let bytes_left = self.rest.len();
        // A digit and a separator a word; the last may lack the separator.
        let needed = declared.checked_mul(words).and_then(|n| n.checked_mul(2));
        match needed {
            Some(n) if n <= bytes_left as u64 + 1 => Ok(declared as usize),
            _ => {
                Err(Problem::CountTooLarge { what, declared, bytes_left }
                    .at(Place::Line(self.line)))
            }
        }
    }

    fn end(mut self, what: &'static str, declared: usize) -> Parsed<()> {
        match self.next("") {
            Err(_) => Ok(()),
            Ok(extra) => {
                let declared = declared as u64;
                Err(Problem::CountMismatch { what, declared, found: declared + 1 }.at(extra.place))
            }
        }
    }
}

struct Line<'a> {
    rest: &'a [u8],
    place: Place,
}

impl Line<'_> {
    fn next<T: std::str::FromStr>(&mut self, expected: &'static str) -> Parsed<T> {
        let rest = self.rest.trim_ascii_start();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(length);
        self.rest = rest;
        let value = str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        value.ok_or_else(|| {
            let found = if word.is_empty() { "the end of the line".into() } else { shorten(word) };
            Problem::Expected { expected, found }.at(self.place)
        })
    }

    /// A number that files may leave out.
    fn optional(&mut self, expected: &'static str) -> Parsed<u64> {
        if self.rest.trim_ascii().is_empty() { Ok(0) } else { self.next(expected) }
    }
}

/// Nodes with the numbers that the elements use.
pub(super) struct Nodes {
    builder: Builder,
    numbers: NodeNumbers,
    first: u64,
}

pub(super) fn parse_nodes(bytes: &[u8]) -> Parsed<Nodes> {
    let mut lines = Lines::new(bytes);
    let mut header = lines.next("the number of nodes")?;
    let declared: u64 = header.next("the number of nodes")?;
    let dimension: u64 = header.next("the dimension")?;
    if dimension != 3 {
        let what = format!("a node file of dimension {dimension}");
        let remedy = "a solid needs nodes of dimension 3";
        return Err(Problem::Unsupported { what, remedy }.at(header.place));
    }
    let count = lines.count("nodes", declared, 4)?;
    let mut builder = Builder::default();
    let mut tags = Vec::with_capacity(count);
    for read in 0..count {
        let mut line = lines.next("a node").map_err(|f| cut_off(f, "nodes", count, read))?;
        let tag: u64 = line.next("a node number")?;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = line.next("a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
    }
    lines.end("nodes", count)?;
    let numbers = NodeNumbers::new(&tags).map_err(|problem| problem.at(Place::File))?;
    Ok(Nodes { builder, numbers, first: tags.first().copied().unwrap_or(0) })
}

/// A file that ends early is told by its counts.
fn cut_off(fault: Fault, what: &'static str, declared: usize, found: usize) -> Fault {
    let (declared, found) = (declared as u64, found as u64);
    Problem::CountMismatch { what, declared, found }.at(fault.at)
}

fn kind_of(header: &mut Line<'_>) -> Parsed<ElementKind> {
    match header.next::<u64>("the number of nodes per element")? {
        4 => Ok(ElementKind::Tet4),
        10 => Ok(ElementKind::Tet10),
        other => {
            let what = format!("an element file with {other} nodes per element");
            let remedy = "TetGen writes 4 or 10";
            Err(Problem::Unsupported { what, remedy }.at(header.place))
        }
    }
}

pub(super) fn parse_elements(bytes: &[u8], nodes: Nodes) -> Parsed<Builder> {
    let Nodes { mut builder, numbers, first } = nodes;
    let mut lines = Lines::new(bytes);
    let mut header = lines.next("the number of elements")?;
    let declared: u64 = header.next("the number of elements")?;
    let kind = kind_of(&mut header)?;
    let attributes = header.optional("the number of attributes")?;
    let count = lines.count("elements", declared, kind.node_count() as u64 + 1)?;
    let mut regions = Vec::new();
    for read in 0..count {
        let mut line = lines.next("an element").map_err(|f| cut_off(f, "elements", count, read))?;
        let number: u64 = line.next("an element number")?;
        let mut own = [0_i64; 10];
        let own = &mut own[..kind.node_count()];
        for node in own.iter_mut() {
            *node = line.next("a node number")?;
        }
        let at = |problem: Problem| hinted(problem, first).at(line.place);
        let order = match kind {
            ElementKind::Tet10 => mid_edge_order(&builder, &numbers, number, own).map_err(at)?,
            _ => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        };
        let order = &order[..own.len()];
        builder.add_element(number, kind, order, own, |n| numbers.index(n)).map_err(at)?;
        if attributes > 0 {
            regions.push(line.next::<f64>("a region attribute")? as i64);
        }
    }
    lines.end("elements", count)?;
    builder.add_regions("region", 0, &regions);
    Ok(builder)
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

/// The order of a 10-node element. TetGen 1.6 itself writes the edges 23, 03, 01, 12, 13, 02 (of the
/// corners 0 to 3), but its manual shows them in a figure only and other programs that write the
/// format differ, so each node is put on the edge whose midpoint is nearest; TetGen's own edges are
/// straight.
fn mid_edge_order(
    builder: &Builder,
    numbers: &NodeNumbers,
    element: u64,
    nodes: &[i64],
) -> Result<[u8; 10], Problem> {
    let mut x = [Vec3::zeros(); 10];
    for (x, &node) in x.iter_mut().zip(nodes) {
        let node_count = builder.mesh.nodes.len();
        let missing = Problem::MissingNode { element, node, node_count, hint: "" };
        *x = builder.mesh.nodes[numbers.index(node).ok_or(missing)?];
    }
    let mut order = [0, 1, 2, 3, 0, 0, 0, 0, 0, 0];
    for (place, p) in x.iter().enumerate().skip(ElementKind::Tet10.corner_count()) {
        let distance = |k: usize| {
            let [a, b] = ElementKind::Tet10.edges()[k].map(|corner| x[corner as usize]);
            ((a + b) / 2.0 - p).norm_squared()
        };
        let nearest = (0..6).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let slot = &mut order[4 + nearest.unwrap_or(0)];
        if *slot != 0 {
            return Err(Problem::MidNode { element, node: nodes[place] as u64 });
        }
        *slot = place as u8;
    }
    Ok(order)
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
        parse_elements(b"1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", parse_nodes(text.as_bytes())?)
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
        assert_eq!(fault.at, Place::Line(2));
    }
}
