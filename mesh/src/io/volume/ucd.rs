//! AVS's unstructured cell data as text (.inp, .avs): nodes, cells with materials, and data of both.
//! The node orders are those of AVS's own description, as VTK reads them.

use crate::ElementKind;
use crate::io::element_codes::{self, Codes};
use crate::io::error::{Location, Parsed, Problem};
use crate::io::text::lines::{Line, Lines};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

enum Cell {
    Solid(ElementKind),
    Lower(&'static str),
}

fn cell(name: &[u8]) -> Option<Cell> {
    let small = name.to_ascii_lowercase();
    let known = |row: &Codes| !row.ucd.is_empty() && row.ucd.as_bytes() == small;
    if let Some(kind) = Codes::find(known) {
        return Some(Cell::Solid(kind));
    }
    Some(match small.as_slice() {
        b"pt" => Cell::Lower("points"),
        b"line" => Cell::Lower("lines"),
        b"tri" => Cell::Lower("triangles"),
        b"quad" => Cell::Lower("quadrilaterals"),
        _ => return None,
    })
}

pub(in crate::io) fn parse(bytes: &[u8]) -> Parsed<Builder> {
    if bytes.first() == Some(&7) {
        let what = "AVS's binary format".to_owned();
        return Err(Problem::Unsupported { what, remedy: "save it as text" }.at(Location::Byte(0)));
    }
    let mut lines = Lines::new(bytes);
    let mut header = lines.data("the counts of nodes and cells")?;
    let mut counts = [0; 5];
    for count in &mut counts {
        *count = header.uint("a count")?;
    }
    let mut builder = Builder::default();
    let nodes = lines.fitting("nodes", counts[0], 4)?;
    let numbers = self::nodes(&mut lines, nodes, &mut builder)?;
    let cells = lines.fitting("cells", counts[1], 4)?;
    let cell_numbers = self::cells(&mut lines, cells, &numbers, &mut builder)?;
    for (components, owners) in [(counts[2], &numbers), (counts[3], &cell_numbers)] {
        let of_nodes = std::ptr::eq(owners, &numbers);
        if components > 0 {
            let rows = if of_nodes { nodes } else { cells };
            data(&mut lines, (owners, rows, of_nodes), components, &mut builder)?;
        }
    }
    Ok(builder)
}

fn nodes(lines: &mut Lines<'_>, count: usize, builder: &mut Builder) -> Parsed<Numbers> {
    let mut tags = Vec::with_capacity(count);
    for _ in 0..count {
        let mut line = lines.data("a node")?;
        let tag = line.uint("a node number")?;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = line.float("a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| problem.at(line.place))?;
        tags.push(tag);
    }
    Numbers::of_nodes(&tags).map_err(|problem| problem.at(lines.place()))
}

fn cells(
    lines: &mut Lines<'_>,
    count: usize,
    numbers: &Numbers,
    builder: &mut Builder,
) -> Parsed<Numbers> {
    let mut tags = Vec::with_capacity(count);
    let mut materials = Vec::with_capacity(count);
    for _ in 0..count {
        let mut line = lines.data("a cell")?;
        tags.push(line.uint("a cell number")?);
        materials.push(line.int("a material")?);
        let name = line.word();
        match cell(name).ok_or_else(|| line.unexpected("a type of cell (tet, hex, ...)", name))? {
            Cell::Lower(name) => builder.skip(name),
            Cell::Solid(kind) => solid(line, (*tags.last().unwrap_or(&0), kind), numbers, builder)?,
        }
    }
    builder.add_regions("material", 0, &materials);
    Numbers::of_elements(&tags).map_err(|problem| problem.at(lines.place()))
}

fn solid(
    mut line: Line<'_>,
    (number, kind): (u64, ElementKind),
    numbers: &Numbers,
    builder: &mut Builder,
) -> Parsed<()> {
    let mut nodes = [0; 8];
    let n = kind.node_count();
    let mut given = [0; 8];
    for node in &mut given[..n] {
        *node = line.int("a node number")?;
    }
    for (own, &place) in nodes.iter_mut().zip(element_codes::ucd(kind)) {
        *own = given[place as usize];
    }
    let added = builder
        .add_element(number, kind, element_codes::vtk(kind), &nodes[..n], |n| numbers.index(n));
    added.map_err(|problem| problem.at(line.place))
}

/// `components` numbers for each of the nodes or cells, in fields whose sizes and names come first.
fn data(
    lines: &mut Lines<'_>,
    (owners, rows, of_nodes): (&Numbers, usize, bool),
    components: u64,
    builder: &mut Builder,
) -> Parsed<()> {
    let components = lines.fitting("numbers a row", components, rows.max(1) as u64)?;
    let fields = fields(lines, components)?;
    let values = table(lines, (owners, rows), components)?;
    let mut first = 0;
    for (name, size) in fields {
        let own = values.chunks_exact(components).flat_map(|row| &row[first..first + size]);
        let own: Vec<f64> = own.copied().collect();
        if of_nodes {
            builder.add_node_field(&name, size, 0, &own);
        } else {
            builder.add_cell_field(&name, size, 0, &own);
        }
        first += size;
    }
    Ok(())
}

/// Names and sizes of the fields, which make `components` numbers together.
fn fields(lines: &mut Lines<'_>, components: usize) -> Parsed<Vec<(String, usize)>> {
    let mut line = lines.data("the number of fields")?;
    let disagree = |what, declared, found: u64, line: &Line<'_>| {
        Problem::CountMismatch { what, declared, found }.at(line.place)
    };
    let declared = line.uint("the number of fields")?;
    if declared > components as u64 {
        return Err(disagree("fields", declared, components as u64, &line));
    }
    let mut sizes = Vec::new();
    for _ in 0..declared {
        sizes.push(line.uint("the size of a field")?);
    }
    let sum = sizes.iter().fold(0, |sum: u64, &size| sum.saturating_add(size));
    if sum != components as u64 {
        return Err(disagree("numbers a row", components as u64, sum, &line));
    }
    let mut found = Vec::new();
    for size in sizes {
        let line = lines.data("the name of a field")?;
        let name = line.text.split(|&b| b == b',').next().unwrap_or_default();
        found.push((String::from_utf8_lossy(name.trim_ascii()).into_owned(), size as usize));
    }
    Ok(found)
}

/// The rows, each behind the number of its node or cell, in the order of the nodes or cells.
fn table(
    lines: &mut Lines<'_>,
    (owners, rows): (&Numbers, usize),
    components: usize,
) -> Parsed<Vec<f64>> {
    let mut values = vec![0.0; rows * components];
    for _ in 0..rows {
        let mut line = lines.data("a row of data")?;
        let number = line.int("a number of a node or cell")?;
        let row = owners.index(number).ok_or_else(|| {
            line.unexpected(
                "the number of a node or cell that exists",
                number.to_string().as_bytes(),
            )
        })?;
        for value in &mut values[row * components..(row + 1) * components] {
            *value = line.float("a number")?;
        }
    }
    Ok(values)
}
