//! Node sets, element sets and surfaces: lists of numbers, or an element of XML for each.

use roxmltree::Node;

use super::found::Found;
use super::xml::{at, attribute, children, numbers, sections, unexpected};
use crate::io::error::{Parsed, Problem};
use crate::io::text::number::int;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

pub(super) fn read(mesh: Node<'_, '_>, builder: &mut Builder, found: &mut Found) -> Parsed<()> {
    for set in sections(mesh) {
        let name = set.attribute("name").unwrap_or("");
        let fault = |problem: Problem| problem.at(at(set));
        match set.tag_name().name() {
            "NodeSet" => {
                let expected = Members::All("the number of a node that exists");
                let list = members(set, &found.nodes, expected)?;
                builder.add_to_node_set(name, &list).map_err(fault)?;
                found.lists.nodes.insert(name.to_owned(), list);
            }
            "ElementSet" => {
                let expected = match found.lists.lower.is_empty() {
                    true => Members::All("the number of a solid that exists"),
                    false => Members::SolidsAmongOthers,
                };
                let list = members(set, &found.elements, expected)?;
                builder.add_to_set(name, list.clone()).map_err(fault)?;
                found.lists.solids.insert(name.to_owned(), list);
            }
            "Surface" => surface(set, name, builder, found)?,
            _ => {}
        }
    }
    Ok(())
}

/// Numbers that a set may have.
#[derive(Clone, Copy)]
enum Members {
    /// Those that are there, described for errors.
    All(&'static str),
    /// Those of solids count, others may be of shells or lines.
    SolidsAmongOthers,
}

/// `1,2,3` (4.0), or one `<n id="1"/>` or `<node id="1"/>` a member (2.x, 3.0).
fn members(set: Node<'_, '_>, index: &Numbers, expected: Members) -> Parsed<Vec<u32>> {
    let mut list = Vec::new();
    let mut find = |n: i64| match (index.index(n), expected) {
        (Some(i), _) => {
            list.push(i as u32);
            Ok(())
        }
        (None, Members::SolidsAmongOthers) => Ok(()),
        (None, Members::All(expected)) => Err(unexpected(set, expected, &n.to_string())),
    };
    for number in numbers(set, "a number", int) {
        find(number?)?;
    }
    for node in children(set).filter(|node| node.has_attribute("id")) {
        find(attribute(node, "id")?)?;
    }
    Ok(list)
}

/// One `<tri3>` or `<quad4>` of node numbers a face; of quadratic faces the corners count.
fn surface(set: Node<'_, '_>, name: &str, builder: &mut Builder, found: &Found) -> Parsed<()> {
    for face in children(set) {
        let corners = match face.tag_name().name() {
            "tri3" | "tri6" | "tri7" => 3,
            "quad4" | "quad8" | "quad9" => 4,
            other => return Err(unexpected(face, "tri3, tri6, quad4 or quad8", other)),
        };
        let nodes: Vec<i64> = numbers(face, "a node number", int).collect::<Parsed<_>>()?;
        if nodes.len() < corners {
            return Err(unexpected(face, "the nodes of a face", face.text().unwrap_or("")));
        }
        let index = |n| found.nodes.index(n);
        let own = builder.corners(0, &nodes[..corners], index);
        own.and_then(|own| builder.add_face(name, &own, None))
            .map_err(|problem| problem.at(at(face)))?;
    }
    Ok(())
}
