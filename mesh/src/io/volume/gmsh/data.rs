//! `$NodeData` and `$ElementData` of versions 2.x and 4.1, which have the same layout: text, real and
//! integer tags, then a row for each node or element that has values. Others are zero.

use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Scalar, Scanner, shorten};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// Components that Gmsh writes: scalars, vectors, tensors.
const MOST_COMPONENTS: i64 = 9;

/// Content of the tags.
struct Tags {
    name: String,
    step: i64,
    components: usize,
    rows: u64,
}

/// Reads a section whose name is taken, of nodes or of elements (`section` says which).
pub(super) fn read(
    s: &mut Scanner<'_>,
    section: &[u8],
    numbers: &Numbers,
    builder: &mut Builder,
) -> Parsed<()> {
    let of_nodes = section == b"$NodeData";
    let Tags { name, step, components, rows } = tags(s)?;
    let name = if step == 0 { name } else { format!("{name}_{step}") };
    // A number of 4 bytes and its values of 8; text has as many words.
    let n = s.count("rows of values", rows, 1 + components as u64, Scalar::I32)?;
    let count = if of_nodes { builder.mesh.nodes.len() } else { builder.element_of_cell.len() };
    let mut values = vec![0.0; if n > 0 { count * components } else { 0 }];
    s.rest_of_line();
    for _ in 0..n {
        let number = s.int(Scalar::I32, "a number of a node or element")?;
        let row = numbers.index(number).filter(|&row| row < count);
        for i in 0..components {
            let value = s.float(Scalar::F64, "a value")?;
            if let Some(row) = row {
                values[row * components + i] = value;
            }
        }
    }
    if of_nodes {
        builder.add_node_field(&name, components, 0, &values);
    } else {
        builder.add_cell_field(&name, components, 0, &values);
    }
    s.expect(if of_nodes { "$EndNodeData" } else { "$EndElementData" })
}

/// Tags are text in binary files too.
fn tags(s: &mut Scanner<'_>) -> Parsed<Tags> {
    let texts = s.text_u64("a number of text tags")?;
    s.rest_of_line();
    let mut name = String::from("field");
    for i in 0..texts {
        let expected = "a text tag";
        let line = s.rest_of_line().ok_or_else(|| s.fault(Problem::EndOfFile { expected }))?;
        if i == 0 {
            name = String::from_utf8_lossy(line).trim().trim_matches('"').to_owned();
        }
    }
    let reals = s.text_u64("a number of real tags")?;
    for _ in 0..reals {
        s.word("a real tag")?;
    }
    let integers = s.text_u64("a number of integer tags")?;
    let mut found = [0, 1, 0];
    for i in 0..integers {
        let value = s.text_i64("an integer tag")?;
        if let Some(slot) = found.get_mut(i as usize) {
            *slot = value;
        }
    }
    let [step, components, rows] = found;
    if !(1..=MOST_COMPONENTS).contains(&components) || rows < 0 {
        let found =
            format!("{components} components, {rows} rows of `{}`", shorten(name.as_bytes()));
        return Err(s.fault(Problem::Expected { expected: "a field of 1 to 9 components", found }));
    }
    Ok(Tags { name, step, components: components as usize, rows: rows as u64 })
}
