//! Vega's .veg files: vertices, tetrahedra or cubes, named sets of elements, and the regions of
//! materials. Keywords begin with a star, comments with a number sign.

use crate::io::element_codes::{self, Codes};
use crate::io::error::{Parsed, Problem};
use crate::io::text::lines::{Line, Lines};
use crate::io::text::number::int;
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    let mut lines = Lines::new(bytes);
    let mut builder = Builder::default();
    let mut nodes = None;
    let mut elements = None;
    let mut next = lines.next_data();
    while let Some(mut line) = next {
        let keyword = line.word();
        next = match keyword.to_ascii_uppercase().as_slice() {
            b"*VERTICES" => {
                nodes = Some(vertices(&mut lines, &mut builder)?);
                lines.next_data()
            }
            b"*ELEMENTS" => {
                let missing = || Problem::Missing("*VERTICES").at(line.place);
                let nodes = nodes.as_ref().ok_or_else(missing)?;
                elements = Some(self::elements(&mut lines, nodes, &mut builder)?);
                lines.next_data()
            }
            b"*SET" => set(&mut lines, line, elements.as_ref(), &mut builder)?,
            b"*REGION" => region(&mut lines, &mut builder)?,
            b"*MATERIAL" => lines.find(|line| line.text.starts_with(b"*")),
            b"*INCLUDE" => return Err(include(line)),
            _ => return Err(line.unexpected("a keyword of Vega (*VERTICES, ...)", keyword)),
        };
    }
    Ok(builder)
}

fn include(line: Line<'_>) -> crate::io::error::Fault {
    let file = shorten(line.text.trim_ascii());
    Problem::Include { file, remedy: "put its lines in the place of *INCLUDE" }.at(line.place)
}

fn vertices(lines: &mut Lines<'_>, builder: &mut Builder) -> Parsed<Numbers> {
    let mut header = lines.data("the number of vertices")?;
    let declared = header.uint("the number of vertices")?;
    let count = lines.fitting("vertices", declared, 4)?;
    let mut tags = Vec::with_capacity(count);
    for _ in 0..count {
        let mut line = lines.data("a vertex")?;
        let tag = line.uint("a vertex number")?;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = line.float("a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
    }
    Numbers::of_nodes(&tags).map_err(|problem| problem.at(lines.place()))
}

fn elements(lines: &mut Lines<'_>, nodes: &Numbers, builder: &mut Builder) -> Parsed<Numbers> {
    let line = lines.data("the kind of elements")?;
    let large = line.text.to_ascii_uppercase();
    let kind = Codes::find(|row| row.vega.iter().any(|name| name.as_bytes() == large))
        .ok_or_else(|| line.unexpected("TET or CUBIC", line.text))?;
    let mut header = lines.data("the number of elements")?;
    let declared = header.uint("the number of elements")?;
    let n = kind.node_count();
    let count = lines.fitting("elements", declared, n as u64 + 1)?;
    let mut tags = Vec::with_capacity(count);
    for _ in 0..count {
        let mut line = lines.data("an element")?;
        let tag = line.uint("an element number")?;
        let mut own = [0; 8];
        for node in &mut own[..n] {
            *node = line.int("a vertex number")?;
        }
        let index = |n| nodes.index(n);
        builder
            .add_element(tag, kind, element_codes::vtk(kind), &own[..n], index)
            .map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
    }
    Numbers::of_elements(&tags).map_err(|problem| problem.at(lines.place()))
}

/// `*SET name`, then element numbers with commas; the line behind it.
fn set<'a>(
    lines: &mut Lines<'a>,
    mut head: Line<'a>,
    elements: Option<&Numbers>,
    builder: &mut Builder,
) -> Parsed<Option<Line<'a>>> {
    let name = String::from_utf8_lossy(head.word()).into_owned();
    let elements = elements.ok_or_else(|| Problem::Missing("*ELEMENTS").at(head.place))?;
    let mut members = Vec::new();
    let mut next = lines.next_data();
    while let Some(line) = next.filter(|line| !line.text.starts_with(b"*")) {
        for word in line.text.split(|b| *b == b',' || b.is_ascii_whitespace()) {
            if !word.is_empty() {
                let found = int(word).and_then(|n| elements.index(n));
                let missing = || line.unexpected("the number of an element", word);
                members.push(found.ok_or_else(missing)? as u32);
            }
        }
        next = lines.next_data();
    }
    builder.add_to_set(&name, members).map_err(|problem| problem.at(head.place))?;
    Ok(next)
}

/// `*REGION`, then `set, material`: the elements of the set are also those of `material_<name>`.
fn region<'a>(lines: &mut Lines<'a>, builder: &mut Builder) -> Parsed<Option<Line<'a>>> {
    let line = lines.data("a set and a material")?;
    let mut words = line
        .text
        .split(|&b| b == b',')
        .map(|word| String::from_utf8_lossy(word.trim_ascii()).into_owned());
    let set = words.next().unwrap_or_default();
    let material = words.next().unwrap_or_default();
    let members = match builder.mesh.element_sets.get(&set) {
        Some(members) => members.clone(),
        None if set == "allElements" => (0..builder.mesh.element_count() as u32).collect(),
        None => return Err(line.unexpected("a set that exists, or allElements", set.as_bytes())),
    };
    let name = format!("material_{material}");
    builder.add_to_set(&name, members).map_err(|problem| problem.at(line.place))?;
    Ok(lines.next_data())
}
