//! Shells as sets of triangles, one set a part: quadrilaterals are cut along their shorter diagonal, and those with nodes
//! between the corners at these.

use roxmltree::Node;

use super::rows::Row;
use super::xml::unexpected;
use crate::io::error::Parsed;
use crate::io::text::number::int;
use crate::io::volume::builder::Builder;
use crate::io::volume::numbers::Numbers;

/// Most nodes of a shell.
const MOST_NODES: usize = 9;

/// Reads a part of shells; its triangles are a set of its name.
pub(super) fn read<'a>(
    section: Node<'_, '_>,
    rows: impl Iterator<Item = Row<'a>>,
    nodes: &Numbers,
    builder: &mut Builder,
) -> Parsed<()> {
    let name = section.attribute("name").or(section.attribute("elset")).unwrap_or("shells");
    let count = match section.attribute("type").unwrap_or("") {
        "tri3" => 3,
        "tri6" => 6,
        "q4" | "quad4" => 4,
        "quad8" => 8,
        other => return Err(unexpected(section, "shells of tri3, tri6, quad4 or quad8", other)),
    };
    let mut triangles = builder.mesh.triangle_sets.remove(name).unwrap_or_default();
    for row in rows {
        let tag = row.number()?;
        let mut own = [0_i64; MOST_NODES];
        if row.read(&mut own, "a node number", int)? != count {
            return Err(row.unexpected("the nodes of a shell", row.text.as_bytes()));
        }
        let own = builder.corners(tag, &own[..count], |n| nodes.index(n));
        let own = own.map_err(|problem| problem.at(row.place))?;
        cut(&own, builder, &mut triangles);
    }
    builder.mesh.triangle_sets.insert(name.to_owned(), triangles);
    Ok(())
}

/// The triangles of one shell.
fn cut(nodes: &[u32], builder: &Builder, triangles: &mut Vec<[u32; 3]>) {
    let place = |node: u32| builder.mesh.nodes[node as usize];
    let long = |a: u32, b: u32| (place(a) - place(b)).norm();
    let quad = |[a, b, c, d]: [u32; 4]| {
        // About as long: all in one direction.
        if long(a, c) <= 1.01 * long(b, d) {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        }
    };
    match *nodes {
        [a, b, c] => triangles.push([a, b, c]),
        [a, b, c, d] => triangles.extend(quad([a, b, c, d])),
        [a, b, c, ab, bc, ca] => {
            triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        [a, b, c, d, ab, bc, cd, da] => {
            triangles.extend([[a, ab, da], [b, bc, ab], [c, cd, bc], [d, da, cd]]);
            triangles.extend(quad([ab, bc, cd, da]));
        }
        _ => {}
    }
}
