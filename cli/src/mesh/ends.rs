//! Ends of fibres: a set of nodes, a surface of the mesh, or a condition on coordinates.

use std::collections::BTreeSet;
use std::str::FromStr;

use sinew::fem::VolumeMesh;
use sinew::formula::{Condition, ConditionError};

use crate::exit::{Exit, Failure};

/// Nodes that fibres begin or end at.
#[derive(Clone, Debug)]
// A run has two of it.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Ends {
    /// Those of a set or a surface.
    Named(String),
    /// Those that meet a condition.
    Where(Condition),
}

/// A name that the mesh does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the mesh has no set of nodes and no surface '{name}'; {known}; a condition such as 'z < 0.01' takes nodes too"
)]
pub(crate) struct EndsError {
    name: String,
    known: String,
}

impl Failure for EndsError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}

impl FromStr for Ends {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        match text.contains(['<', '>', '=']) {
            true => Ok(Self::Where(Condition::parse(text)?)),
            false => Ok(Self::Named(text.trim().to_owned())),
        }
    }
}

impl Ends {
    /// The nodes of a mesh [m], rising; `unit` is the unit of the file [m].
    ///
    /// # Errors
    /// A name that the mesh does not know.
    pub(crate) fn nodes(&self, mesh: &VolumeMesh, unit: f64) -> Result<Vec<u32>, EndsError> {
        match self {
            Self::Where(condition) => {
                let own = (0..).zip(&mesh.nodes);
                let own = own.filter(|(_, p)| condition.holds(&(*p / unit).into()));
                Ok(own.map(|(n, _)| n).collect())
            }
            Self::Named(name) => {
                let set = mesh.node_sets.get(name).map(|nodes| nodes.iter().copied().collect());
                let nodes: BTreeSet<u32> = match set.or_else(|| surface(mesh, name)) {
                    Some(nodes) => nodes,
                    None => return Err(unknown(name, mesh)),
                };
                Ok(nodes.into_iter().collect())
            }
        }
    }
}

/// The nodes of a surface.
fn surface(mesh: &VolumeMesh, name: &str) -> Option<BTreeSet<u32>> {
    let faces = mesh.face_sets.get(name)?.iter().flat_map(|at| {
        let (kind, nodes) = mesh.element(at.element as usize);
        kind.faces()[usize::from(at.face)].iter().map(|&k| nodes[usize::from(k)])
    });
    Some(faces.collect())
}

fn unknown(name: &str, mesh: &VolumeMesh) -> EndsError {
    let names: Vec<&str> =
        mesh.node_sets.keys().chain(mesh.face_sets.keys()).map(String::as_str).collect();
    let known = match names.len() {
        0 => "it has none".to_owned(),
        _ => format!("it has {}", names.join(", ")),
    };
    EndsError { name: name.to_owned(), known }
}
