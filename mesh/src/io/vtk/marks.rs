//! Sets as arrays of VTK's files, which have no sets: `set:NAME` marks nodes or cells by 0 and 1,
//! `faces:NAME` holds a number a cell whose bit `i` marks face `i` of docs/reference/conventions.md.

use crate::io::error::Problem;
use crate::io::volume::builder::Builder;
use crate::{ElementFace, VolumeMesh};

/// Prefix of the name of a set of nodes or cells.
pub(in crate::io) const SET: &str = "set:";
/// Prefix of the name of a set of faces.
pub(in crate::io) const FACES: &str = "faces:";

/// A set that an array holds, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum Mark<'a> {
    Nodes(&'a str),
    Elements(&'a str),
    Faces(&'a str),
}

impl<'a> Mark<'a> {
    /// The set that an array of this name may hold.
    pub(in crate::io) fn of(array: &'a str, of_cells: bool) -> Option<Self> {
        match (array.strip_prefix(SET), array.strip_prefix(FACES)) {
            (Some(name), _) if of_cells => Some(Self::Elements(name)),
            (Some(name), _) => Some(Self::Nodes(name)),
            (_, Some(name)) if of_cells => Some(Self::Faces(name)),
            _ => None,
        }
    }

    /// Adds what the values mark to the set; `values[i]` belongs to the node or cell `first + i`.
    /// False, and nothing is added, where they are no marks.
    ///
    /// # Errors
    /// Sets that name more than a model can mean.
    pub(in crate::io) fn add(
        self,
        builder: &mut Builder,
        first: usize,
        values: &[i64],
    ) -> Result<bool, Problem> {
        let is_bit = || values.iter().all(|value| matches!(value, 0 | 1));
        let marked = values.iter().enumerate().filter(|(_, value)| **value != 0);
        let element = |builder: &Builder, i: usize| *builder.element_of_cell.get(first + i)?;
        match self {
            Self::Nodes(name) if is_bit() => {
                let nodes: Vec<u32> = marked.map(|(i, _)| (first + i) as u32).collect();
                builder.add_to_node_set(name, &nodes)?;
            }
            Self::Elements(name) if is_bit() => {
                let elements = marked.filter_map(|(i, _)| element(builder, i)).collect();
                builder.add_to_set(name, elements)?;
            }
            Self::Faces(name) if values.iter().all(|value| (0..64).contains(value)) => {
                for (i, &bits) in marked {
                    if let Some(element) = element(builder, i) {
                        add_faces(builder, name, element, bits)?;
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn add_faces(builder: &mut Builder, set: &str, e: u32, bits: i64) -> Result<(), Problem> {
    let (kind, nodes) = builder.mesh.element(e as usize);
    let mut own = [0; 8];
    own.iter_mut().zip(nodes).for_each(|(slot, &node)| *slot = node);
    let faces = kind.linear().faces().iter().enumerate();
    for (_, face) in faces.filter(|(i, _)| bits >> i & 1 == 1) {
        let mut corners = [0; 4];
        let corners = &mut corners[..face.len()];
        corners.iter_mut().zip(*face).for_each(|(slot, &i)| *slot = own[i as usize]);
        builder.add_face(set, corners, Some(e))?;
    }
    Ok(())
}

/// 1 for each of `count` that is a member, else 0.
pub(in crate::io) fn of_members(members: &[u32], count: usize) -> Vec<u8> {
    let mut marks = vec![0; count];
    members.iter().for_each(|&i| marks[i as usize] = 1);
    marks
}

/// The bits of the faces of each element.
pub(in crate::io) fn of_faces(faces: &[ElementFace], mesh: &VolumeMesh) -> Vec<u8> {
    let mut bits = vec![0; mesh.element_count()];
    faces.iter().for_each(|at| bits[at.element as usize] |= 1 << at.face);
    bits
}
