//! Surfaces: faces of elements by Abaqus's labels S1 to S6, or nodes.

use super::assembly::{Index, Placed};
use super::part::Part;
use super::sets::{Member, Resolved, SurfaceLine};
use crate::ElementKind;
use crate::io::element_codes;
use crate::io::error::{Parsed, Problem};
use crate::io::volume::builder::Builder;

/// The corners of face `label` (from 0) of a solid in Abaqus's numbering, as places in VTK's order.
fn face(kind: ElementKind, label: usize) -> Option<&'static [u8]> {
    let faces: &[&[u8]] = match kind.corner_count() {
        4 => &[&[0, 1, 2], &[0, 3, 1], &[1, 3, 2], &[2, 3, 0]],
        5 => &[&[0, 1, 2, 3], &[0, 4, 1], &[1, 4, 2], &[2, 4, 3], &[3, 4, 0]],
        6 => &[&[0, 1, 2], &[3, 5, 4], &[0, 3, 4, 1], &[1, 4, 5, 2], &[2, 5, 3, 0]],
        _ => &[
            &[0, 1, 2, 3],
            &[4, 7, 6, 5],
            &[0, 4, 5, 1],
            &[1, 5, 6, 2],
            &[2, 6, 7, 3],
            &[3, 7, 4, 0],
        ],
    };
    faces.get(label).copied()
}

/// Adds face `label` of an element to a face set.
fn add_face(builder: &mut Builder, set: &str, element: u32, label: usize) -> Result<(), Problem> {
    let (kind, nodes) = builder.mesh.element(element as usize);
    let order = element_codes::vtk(kind);
    // `order` says where in the file a node of ours stands: the other way round here.
    let ours = |place: u8| order.iter().position(|&p| p == place).map_or(0, |i| nodes[i]);
    let Some(face) = face(kind, label) else { return Ok(()) };
    let corners: Vec<u32> = face.iter().map(|&place| ours(place)).collect();
    builder.add_face(set, &corners, Some(element))
}

/// The surfaces of a part for one of its instances.
pub(super) fn of_part(
    builder: &mut Builder,
    (part, index): (&Part, &Index),
    at: &Placed,
    prefix: &str,
) -> Parsed<()> {
    for SurfaceLine { surface, of, face, place } in &part.sets.surfaces {
        let set = format!("{prefix}{surface}");
        let one = std::slice::from_ref(of);
        let (sets, numbers) = match face {
            Some(_) => (&index.element_sets, &index.elements),
            None => (&index.node_sets, &index.nodes),
        };
        // Surfaces of the assembly name its sets, which are looked at last.
        let Ok(found) = sets.members(one, numbers, *place, &mut 0) else { continue };
        let found = found.into_iter();
        let added = match *face {
            Some(face) => found
                .map(|e| e + at.first_element)
                .try_for_each(|element| add_face(builder, &set, element, face)),
            None => {
                let nodes: Vec<u32> = found.map(|n| n + at.first_node).collect();
                builder.add_to_node_set(&set, &nodes)
            }
        };
        added.map_err(|problem| problem.at(*place))?;
    }
    Ok(())
}

/// The surfaces of the assembly over its sets of nodes and of elements.
pub(super) fn of_assembly(
    builder: &mut Builder,
    lines: &[SurfaceLine],
    known: &[Resolved; 2],
) -> Parsed<()> {
    for SurfaceLine { surface, of, face, place } in lines {
        let Member::Set(name) = of else { continue };
        let at = |problem: Problem| problem.at(*place);
        match (face, known[usize::from(face.is_some())].get(name)) {
            (Some(face), Some(elements)) => {
                for &element in elements {
                    add_face(builder, surface, element, *face).map_err(at)?;
                }
            }
            (None, Some(nodes)) => builder.add_to_node_set(surface, nodes).map_err(at)?,
            _ => {}
        }
    }
    Ok(())
}
