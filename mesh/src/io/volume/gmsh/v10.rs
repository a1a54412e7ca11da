//! Gmsh 1.0: `$NOD` and `$ELM`, text only. SOFA's meshes are written so.

use super::entries::{Entry, add_element, node_count, skip_section};
use super::groups::Groups;
use crate::io::error::{Parsed, Problem};
use crate::io::text::scanner::{Scalar, Scanner};
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

pub(super) fn parse(s: &mut Scanner<'_>) -> Parsed<Builder> {
    let mut builder = Builder::default();
    let mut groups = Groups::default();
    let mut numbers = None;
    let mut elements_read = false;
    while let Some(section) = s.token() {
        match section {
            b"$NOD" => numbers = Some(nodes(s, &mut builder)?),
            b"$ELM" => {
                let numbers = numbers.as_ref().ok_or_else(|| s.fault(Problem::Missing("$NOD")))?;
                elements(s, numbers, &mut builder, &mut groups)?;
                elements_read = true;
            }
            other => skip_section(s, other)?,
        }
    }
    if !elements_read {
        return Err(s.fault(Problem::EndOfFile { expected: "$ELM" }));
    }
    groups.store(&mut builder)?;
    Ok(builder)
}

fn nodes(s: &mut Scanner<'_>, builder: &mut Builder) -> Parsed<Numbers> {
    let declared = s.text_u64("a number of nodes")?;
    let n = s.count("nodes", declared, 4, Scalar::F64)?;
    let mut tags = Vec::with_capacity(n);
    for _ in 0..n {
        let tag = s.uint(Scalar::U64, "a node number")?;
        let mut p = [0.0; 3];
        for x in &mut p {
            *x = s.float(Scalar::F64, "a coordinate")?;
        }
        builder.add_node(tag, p).map_err(|problem| s.fault(problem))?;
        tags.push(tag);
    }
    s.expect("$ENDNOD")?;
    Numbers::of_nodes(&tags).map_err(|problem| s.fault(problem))
}

/// Number, type, physical group, elementary entity, number of nodes, nodes.
fn elements(
    s: &mut Scanner<'_>,
    numbers: &Numbers,
    builder: &mut Builder,
    groups: &mut Groups,
) -> Parsed<()> {
    let declared = s.text_u64("a number of elements")?;
    let n = s.count("elements", declared, 6, Scalar::I32)?;
    for _ in 0..n {
        let number = s.uint(Scalar::U64, "an element number")?;
        let code = s.int(Scalar::I32, "an element type")?;
        let physical = [s.int(Scalar::I32, "a physical group")?];
        s.int(Scalar::I32, "an elementary entity")?;
        let given = s.uint(Scalar::U64, "a number of nodes")?;
        let expected = node_count(s, number, code)?;
        if given != expected as u64 {
            let kind = "Gmsh element of its type";
            let problem = Problem::NodeCount { element: number, kind, expected, found: given };
            return Err(s.fault(problem));
        }
        let mut nodes = [0; 32];
        let nodes = &mut nodes[..expected];
        for node in nodes.iter_mut() {
            *node = s.int(Scalar::I64, "a node number")?;
        }
        let entry = Entry { number, code, nodes, physical: &physical };
        add_element(s, builder, numbers, groups, entry)?;
    }
    s.expect("$ENDELM")
}
