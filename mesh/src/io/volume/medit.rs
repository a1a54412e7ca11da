//! Medit's .mesh files as text (INRIA's libMeshb documents the keywords): references of elements
//! become element sets, those of triangles and quadrilaterals face sets, those of vertices node sets.

use std::collections::BTreeMap;

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Location, Parsed, Problem};
use crate::io::recognize::is_meshb;
use crate::io::text::lines::{Line, Lines};
use crate::io::volume::builder::Builder;
use crate::io::volume::mid_edges::mid_edge_order;
use crate::io::volume::numbers::Numbers;

/// Section after a keyword.
enum Section {
    Vertices,
    Solid(ElementKind),
    /// Faces and edges: a name and how many corners make a named face (0 for none).
    Lower(&'static str, usize, usize),
    /// Rows of so many numbers that a mesh can do without.
    Other(usize),
    End,
}

fn section(keyword: &[u8]) -> Option<Section> {
    let small = keyword.to_ascii_lowercase();
    let solid = Codes::find(|row| row.medit.iter().any(|name| name.as_bytes() == small));
    if let Some(kind) = solid {
        return Some(Section::Solid(kind));
    }
    Some(match small.as_slice() {
        b"vertices" => Section::Vertices,
        b"triangles" => Section::Lower("triangles", 3, 3),
        b"trianglesp2" => Section::Lower("triangles", 6, 3),
        b"quadrilaterals" => Section::Lower("quadrilaterals", 4, 4),
        b"edges" => Section::Lower("lines", 2, 0),
        b"edgesp2" => Section::Lower("lines", 3, 0),
        b"corners"
        | b"requiredvertices"
        | b"ridges"
        | b"requirededges"
        | b"requiredtriangles"
        | b"requiredtetrahedra"
        | b"requiredquadrilaterals"
        | b"requiredhexahedra" => Section::Other(1),
        b"normals" | b"tangents" => Section::Other(3),
        b"normalatvertices" | b"tangentatvertices" | b"tangentatedges" => Section::Other(2),
        b"normalattrianglevertices" | b"normalatquadrilateralvertices" => Section::Other(3),
        b"end" => Section::End,
        _ => return None,
    })
}

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    if is_meshb(bytes) {
        let what = "Medit's binary format (.meshb)".to_owned();
        let remedy = "save it as text (.mesh)";
        return Err(Problem::Unsupported { what, remedy }.at(Location::Byte(0)));
    }
    let mut words = Words::new(bytes);
    header(&mut words)?;
    let mut builder = Builder::default();
    while let Some(keyword) = words.next() {
        let found = section(keyword).ok_or_else(|| words.unexpected("a section", keyword))?;
        match found {
            Section::End => return Ok(builder),
            Section::Vertices => vertices(&mut words, &mut builder)?,
            Section::Solid(kind) => solids(&mut words, kind, &mut builder)?,
            Section::Lower(name, nodes, corners) => {
                faces(&mut words, (name, nodes, corners), &mut builder)?;
            }
            Section::Other(row) => {
                let count = words.count("rows", row)?;
                (0..count * row).try_for_each(|_| words.float("a number").map(drop))?;
            }
        }
    }
    builder.notes.push("the file ends without the keyword End; it may be cut off".to_owned());
    Ok(builder)
}

/// Words wherever lines end; comments from `#`.
struct Words<'a> {
    lines: Lines<'a>,
    line: Line<'a>,
}

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { lines: Lines::new(bytes), line: Line { text: b"", place: Location::Line(1) } }
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        while self.line.is_done() {
            self.line = self.lines.next_data()?;
        }
        Some(self.line.word())
    }

    /// Goes on to a line that is not empty.
    fn fill(&mut self, expected: &'static str) -> Parsed<&mut Line<'a>> {
        if self.line.is_done() {
            self.line = self.lines.data(expected)?;
        }
        Ok(&mut self.line)
    }

    fn int(&mut self, expected: &'static str) -> Parsed<i64> {
        self.fill(expected)?.int(expected)
    }

    fn float(&mut self, expected: &'static str) -> Parsed<f64> {
        self.fill(expected)?.float(expected)
    }

    /// A count of rows of `words` numbers each that can follow.
    fn count(&mut self, what: &'static str, words: usize) -> Parsed<usize> {
        let declared = self.fill("a count")?.uint("a count")?;
        // What is left of this line comes on top of the lines that follow.
        self.lines.fitting_with(self.line.text.len() + 1, what, declared, words as u64)
    }

    fn unexpected(&self, expected: &'static str, word: &[u8]) -> crate::io::error::Fault {
        self.line.unexpected(expected, word)
    }
}

fn header(words: &mut Words<'_>) -> Parsed<()> {
    for (keyword, accepted) in [("MeshVersionFormatted", 1..=4), ("Dimension", 3..=3)] {
        let found = words.next().unwrap_or_default();
        if !found.eq_ignore_ascii_case(keyword.as_bytes()) {
            return Err(words.unexpected(keyword, found));
        }
        let value = words.int("a number")?;
        if !accepted.contains(&value) {
            let what = format!("a Medit file with {keyword} {value}");
            let remedy = "versions 1 to 4 and dimension 3 are read";
            return Err(Problem::Unsupported { what, remedy }.at(words.line.place));
        }
    }
    Ok(())
}

fn vertices(words: &mut Words<'_>, builder: &mut Builder) -> Parsed<()> {
    let count = words.count("vertices", 4)?;
    let mut marked: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for _ in 0..count {
        let node = builder.mesh.nodes.len();
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = words.float("a coordinate")?;
        }
        let place = words.line.place;
        builder.add_node(node as u64 + 1, p).map_err(|problem| problem.at(place))?;
        marked.entry(words.int("a reference")?).or_default().push(node as u32);
    }
    // One reference for all tells nothing.
    if marked.len() > 1 {
        for (reference, nodes) in marked.into_iter().filter(|&(reference, _)| reference != 0) {
            let name = format!("medit_ref_{reference}");
            let place = words.line.place;
            builder.add_to_node_set(&name, &nodes).map_err(|problem| problem.at(place))?;
        }
    }
    Ok(())
}

/// Vertices are counted from one.
fn index(n: i64) -> Option<usize> {
    usize::try_from(n).ok()?.checked_sub(1)
}

fn solids(words: &mut Words<'_>, kind: ElementKind, builder: &mut Builder) -> Parsed<()> {
    let n = kind.node_count();
    let count = words.count("elements", n + 1)?;
    let first = builder.element_of_cell.len();
    let mut regions = Vec::with_capacity(count);
    let numbers = Numbers::Consecutive { first: 1, count: builder.mesh.nodes.len() };
    for _ in 0..count {
        let number = builder.mesh.element_count() as u64 + 1;
        let mut nodes = [0; 20];
        for node in &mut nodes[..n] {
            *node = words.int("a vertex")?;
        }
        let at = |problem: Problem| problem.at(words.line.place);
        let mid_edges = match kind {
            // Programs that write the format differ in the order of these nodes.
            ElementKind::Tet10 => Some(mid_edge_order(builder, &numbers, number, &nodes[..n])),
            _ => None,
        };
        let mid_edges = mid_edges.transpose().map_err(at)?;
        let order = mid_edges.as_ref().map_or(element_codes::vtk(kind), |order| &order[..]);
        builder.add_element(number, kind, order, &nodes[..n], index).map_err(at)?;
        regions.push(words.int("a reference")?);
    }
    // Without references all are zero.
    if regions.iter().any(|&reference| reference != 0) {
        builder.add_regions("medit_ref", first, &regions);
    }
    Ok(())
}

fn faces(
    words: &mut Words<'_>,
    (name, n, corners): (&'static str, usize, usize),
    builder: &mut Builder,
) -> Parsed<()> {
    let count = words.count(name, n + 1)?;
    for i in 0..count {
        let mut nodes = [0; 6];
        for node in &mut nodes[..n] {
            *node = words.int("a vertex")?;
        }
        let reference = words.int("a reference")?;
        let at = |problem: Problem| problem.at(words.line.place);
        let own = builder.corners(i as u64 + 1, &nodes[..n], index).map_err(at)?;
        if corners > 0 && reference != 0 {
            let set = format!("medit_ref_{reference}");
            builder.add_face(&set, &own[..corners], None).map_err(at)?;
            builder.element_of_cell.push(None);
        } else {
            builder.skip(name);
        }
    }
    Ok(())
}
