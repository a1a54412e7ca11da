//! A published mesh of the tongue in the place of the parametric one: brought into the frame of docs/theory/anatomy.md
//! by a shift and a scale an axis, and attached where that one is.

use std::path::Path;

use sinew::Vec3;
use sinew::fem::VolumeMesh;
use sinew::io::{LengthUnit, ReadOptions, read_volume};
use sinew::model::FemModel;

use super::JawParams;
use super::published::DataError;
use super::tissue::tissue;

/// Distance from an attached node of the parametric tongue within which nodes are attached to its
/// bone [m]: those nodes are 2 to 5 mm apart, so that no gaps are left between them and hardly more
/// than their face is taken.
const REACH: f64 = 3e-3;
/// Node sets of the attachments; a node near both belongs to the first.
const SETS: [&str; 2] = ["jaw", "hyoid"];

/// The tissue of the parametric tongue in the shape of a mesh file, in metres, with x rearward, y down and z to the
/// right: the axes of `tongue.1.node` of ArtiSynth Models (key Gerard2003). Its box becomes that of the
/// parametric tongue alone, whose dorsum fills no vault.
///
/// # Errors
/// [`DataError`] names the file that is missing or wrong, and the bone that no node is near to.
pub(super) fn read_tongue(path: &Path, params: &JawParams) -> Result<FemModel, DataError> {
    let options = ReadOptions { unit: LengthUnit::Metre };
    let read = read_volume(path, &options).map_err(|error| DataError::Mesh(Box::new(error)))?;
    let mut tongue = tissue(params, 0.0)?;
    let empty = || DataError::Empty { path: path.to_owned() };
    let mut mesh = read.mesh;
    mesh.nodes.iter_mut().for_each(|x| *x = Vec3::new(-x.x, -x.z, -x.y));
    let from = mesh.bounding_box().ok_or_else(empty)?;
    let to = tongue.mesh.bounding_box().ok_or_else(empty)?;
    fit(&mut mesh, from, to);
    let sets = near_sets(&mesh, &tongue.mesh);
    for (name, nodes) in SETS.into_iter().zip(sets) {
        if nodes.is_empty() {
            return Err(DataError::Loose { path: path.to_owned(), bone: name });
        }
        mesh.node_sets.insert(name.to_owned(), nodes);
    }
    tongue.mesh = mesh;
    Ok(tongue)
}

/// Takes one box to another, axis by axis.
fn fit(mesh: &mut VolumeMesh, from: [Vec3; 2], to: [Vec3; 2]) {
    let scale = (to[1] - to[0]).component_div(&(from[1] - from[0]));
    for x in &mut mesh.nodes {
        *x = to[0] + (*x - from[0]).component_mul(&scale);
    }
}

/// The nodes near each of the sets of another mesh, each in the first that it is near to.
fn near_sets(mesh: &VolumeMesh, other: &VolumeMesh) -> [Vec<u32>; 2] {
    let mut sets = [Vec::new(), Vec::new()];
    for (node, x) in (0..).zip(&mesh.nodes) {
        let near = |name: &&str| {
            let places = other.node_sets[*name].iter().map(|&n| other.nodes[n as usize]);
            places.map(|at| (at - x).norm()).fold(f64::INFINITY, f64::min) < REACH
        };
        if let Some(set) = SETS.iter().position(near) {
            sets[set].push(node);
        }
    }
    sets
}
