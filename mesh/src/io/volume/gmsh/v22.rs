//! Gmsh 2.x: one list of nodes, one list of elements with tags, of which the first is the physical
//! group.

use super::data;
use super::entries::{Entry, add_element, element_numbers, node_count, skip_section};
use super::groups::Groups;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Encoding, Scalar, Scanner};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

pub(super) fn parse(s: &mut Scanner<'_>) -> Parsed<Builder> {
    let mut builder = Builder::default();
    let mut groups = Groups::default();
    let mut numbers = None;
    let mut element_numbers = None;
    while let Some(section) = s.token() {
        match section {
            b"$PhysicalNames" => groups.read_names(s)?,
            b"$Nodes" => numbers = Some(nodes(s, &mut builder)?),
            b"$ParametricNodes" => {
                let what = "a list of parametric nodes".to_owned();
                let remedy = "save the mesh with Mesh.SaveParametric = 0";
                return Err(s.fault(Problem::Unsupported { what, remedy }));
            }
            b"$Elements" => {
                let numbers =
                    numbers.as_ref().ok_or_else(|| s.fault(Problem::Missing("$Nodes")))?;
                let read = elements(s, numbers, &mut builder, &mut groups)?;
                element_numbers = Some(read);
            }
            b"$NodeData" | b"$ElementData" => {
                let of_nodes = section == b"$NodeData";
                let owners = if of_nodes { &numbers } else { &element_numbers };
                let missing = || s.fault(Problem::Missing("what its data belong to"));
                data::read(s, section, owners.as_ref().ok_or_else(missing)?, &mut builder)?;
            }
            other => skip_section(s, other)?,
        }
    }
    if element_numbers.is_none() {
        return Err(s.fault(Problem::EndOfFile { expected: "$Elements" }));
    }
    groups.store(&mut builder)?;
    Ok(builder)
}

fn nodes(s: &mut Scanner<'_>, builder: &mut Builder) -> Parsed<Numbers> {
    let declared = s.text_u64("a number of nodes")?;
    // A number of 4 bytes and three of 8 are seven of 4; text has four words, which is looser.
    let words = if s.encoding == Encoding::Ascii { 4 } else { 7 };
    let n = s.count("nodes", declared, words, Scalar::I32)?;
    s.rest_of_line();
    let mut tags = Vec::with_capacity(n);
    for _ in 0..n {
        let tag = s.int(Scalar::I32, "a node number")? as u64;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = s.float(Scalar::F64, "a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| s.fault(problem))?;
        tags.push(tag);
    }
    let numbers = Numbers::of_nodes(&tags).map_err(|problem| s.fault(problem))?;
    s.expect("$EndNodes")?;
    Ok(numbers)
}

fn elements(
    s: &mut Scanner<'_>,
    numbers: &Numbers,
    builder: &mut Builder,
    groups: &mut Groups,
) -> Parsed<Numbers> {
    let declared = s.text_u64("a number of elements")?;
    // The least element is a point without tags: number, (type, tag count in text,) node.
    let n = s.count("elements", declared, 2, Scalar::I32)?;
    s.rest_of_line();
    let mut all = Vec::with_capacity(n);
    while all.len() < n {
        if s.encoding == Encoding::Ascii {
            let number = s.int(Scalar::I32, "an element number")? as u64;
            let code = s.int(Scalar::I32, "an element type")?;
            let tags = s.uint(Scalar::I32, "a number of tags")?;
            element(s, (number, code, tags), numbers, builder, groups)?;
            all.push(number);
            continue;
        }
        let code = s.int(Scalar::I32, "an element type")?;
        let block = s.int(Scalar::I32, "a number of elements")?;
        let tags = s.int(Scalar::I32, "a number of tags")? as u64;
        let left = (n - all.len()) as i64;
        if !(1..=left).contains(&block) {
            let found = format!("{block} where {left} elements are left");
            return Err(s.fault(Problem::Expected { expected: "a block of elements", found }));
        }
        for _ in 0..block {
            let number = s.int(Scalar::I32, "an element number")? as u64;
            element(s, (number, code, tags), numbers, builder, groups)?;
            all.push(number);
        }
    }
    s.expect("$EndElements")?;
    Ok(element_numbers(&all))
}

/// Tags and nodes of one element.
fn element(
    s: &mut Scanner<'_>,
    (number, code, tags): (u64, i64, u64),
    numbers: &Numbers,
    builder: &mut Builder,
    groups: &mut Groups,
) -> Parsed<()> {
    let tags = s.count("tags", tags, 1, Scalar::I32)?;
    let mut physical = 0;
    for i in 0..tags {
        let tag = s.int(Scalar::I32, "a tag")?;
        physical = if i == 0 { tag } else { physical };
    }
    let mut nodes = [0; 32];
    let nodes = &mut nodes[..node_count(s, number, code)?];
    for node in nodes.iter_mut() {
        *node = s.int(Scalar::I32, "a node number")?;
    }
    let entry = Entry { number, code, nodes, physical: &[physical] };
    add_element(s, builder, numbers, groups, entry)
}
