//! Targets that are surfaces of tissues: the mean place of the nodes of a set, or of the faces of one.

use crate::component::Handle;
use crate::inverse::InverseError;
use crate::model::{FemModel, Model, PointRef};
use crate::property::PropertyError;
use crate::system::CompiledModel;

/// Prefixes of names of sets in paths: of nodes, and of faces.
const SETS: [&str; 2] = ["node_sets.", "face_sets."];

/// The surface that a path names, `TISSUE:node_sets.NAME.position` or `TISSUE:face_sets.NAME.position`; `None` for a path of another
/// form.
///
/// # Errors
/// [`InverseError::Target`] where the tissue has no such set, or none with a node.
pub(super) fn surface_at(
    model: &Model,
    path: &str,
) -> Option<Result<(Handle<FemModel>, String), InverseError>> {
    let (host, name) = path.rsplit_once(':')?;
    let set = name.strip_suffix(".position")?;
    if !SETS.iter().any(|prefix| set.starts_with(prefix)) {
        return None;
    }
    let fem: Handle<FemModel> = match model.find_handle(host) {
        Ok(fem) => fem,
        Err(error) => return Some(Err(PropertyError::from(error).into())),
    };
    let found = nodes_of(model, fem, set).filter(|nodes| !nodes.is_empty());
    let absent = || InverseError::Target(path.to_owned());
    Some(found.map(|_| (fem, set.to_owned())).ok_or_else(absent))
}

/// Path of a surface.
pub(super) fn surface_path(model: &Model, fem: Handle<FemModel>, set: &str) -> String {
    format!("{}:{set}.position", model.path(fem))
}

/// The nodes of a set, or of the faces of one, each once.
pub(super) fn nodes_of(model: &Model, fem: Handle<FemModel>, set: &str) -> Option<Vec<u32>> {
    let mesh = &model.get(fem)?.mesh;
    let mut nodes = match SETS.map(|prefix| set.strip_prefix(prefix)) {
        [Some(name), _] => mesh.node_sets.get(name)?.clone(),
        [_, Some(name)] => {
            let mut nodes = Vec::new();
            for at in mesh.face_sets.get(name)? {
                let (kind, corners) = mesh.element(at.element as usize);
                let face = kind.faces().get(usize::from(at.face))?;
                nodes.extend(face.iter().map(|&k| corners[usize::from(k)]));
            }
            nodes
        }
        [None, None] => return None,
    };
    nodes.sort_unstable();
    nodes.dedup();
    Some(nodes)
}

/// Rows of its nodes.
pub(super) fn rows_of(
    model: &Model,
    compiled: &CompiledModel,
    (fem, set): (Handle<FemModel>, &str),
) -> Option<Vec<usize>> {
    let nodes = nodes_of(model, fem, set)?;
    let rows = nodes.into_iter().map(|node| compiled.find_row(PointRef::FemNode(fem, node)));
    rows.collect::<Option<Vec<usize>>>().filter(|rows| !rows.is_empty())
}
