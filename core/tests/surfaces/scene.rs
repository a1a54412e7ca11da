//! Soft blocks, and their surfaces for a detector.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::contact::{Detector, Member, Pair, Surface};
use sinew::fem::VolumeMesh;
use sinew::geometry::boundary;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{FemModel, Model};
use sinew::system::MechSystem;
use sinew_datasets::beam::{BeamElement, beam_mesh};

use crate::scenes::Scene;

/// A block of hexahedra about a place.
pub(crate) fn block_mesh(cells: [usize; 3], size: [f64; 3], at: Vec3) -> VolumeMesh {
    let mut mesh = beam_mesh(BeamElement::Hex, cells, size).unwrap();
    mesh.nodes.iter_mut().for_each(|node| *node += at);
    mesh
}

/// Tissue of 1000 kg/m³ with a Young's modulus [Pa] and a Poisson's ratio.
pub(crate) fn tissue(name: &str, mesh: VolumeMesh, [young, poisson]: [f64; 2]) -> FemModel {
    let law = MaterialSpec::Corotated(Isotropic { youngs_modulus: young, poissons_ratio: poisson });
    FemModel::new(name, mesh, 1000.0, law).named(name)
}

/// Nodes of a mesh at a height [m].
pub(crate) fn nodes_at(mesh: &VolumeMesh, z: f64) -> Vec<u32> {
    let nodes = (0..).zip(&mesh.nodes);
    nodes.filter(|(_, p)| (p.z - z).abs() < 1e-9).map(|(k, _)| k).collect()
}

/// Positions of the nodes of a tissue [m].
pub(crate) fn places(model: &Model, scene: &Scene, fem: Handle<FemModel>) -> Vec<Vec3> {
    let count = model[fem].mesh.nodes.len();
    (0..count).map(|k| scene.state.q[scene.compiled.block_of_node(fem, k)]).collect()
}

/// Linear momentum [N s] and angular momentum about the origin [N m s].
pub(crate) fn momentum(scene: &Scene) -> [Vec3; 2] {
    let rows = || scene.compiled.masses().iter().zip(scene.state.q.iter().zip(&scene.state.u));
    let linear = rows().map(|(m, (_, u))| u * *m).sum();
    [linear, rows().map(|(m, (q, u))| q.cross(u) * *m).sum()]
}

/// The surface of a mesh whose first node is row `first`.
pub(crate) fn surface(mesh: &VolumeMesh, first: u32) -> Surface {
    let boundary = boundary(mesh);
    let rows: Vec<u32> = boundary.node_of_vertex.iter().map(|node| first + node).collect();
    let holders = vec![Surface::FREE; rows.len()];
    Surface { rows, triangles: boundary.mesh.triangles().to_vec(), holders, sheet_vertices: 0 }
}

/// A detector of two meshes, the rows of the second after those of the first, and the positions of all.
pub(crate) fn pair_of(
    meshes: [&VolumeMesh; 2],
    margin: f64,
    thickness: f64,
) -> (Detector, Vec<Vec3>) {
    let second = meshes[0].nodes.len() as u32;
    let surfaces = vec![surface(meshes[0], 0), surface(meshes[1], second)];
    let pair = Pair { a: Member::Surface(0), b: Member::Surface(1), margin, thickness };
    let detector = Detector::with_surfaces(vec![], vec![], surfaces, vec![pair]).unwrap();
    (detector, meshes.iter().flat_map(|mesh| mesh.nodes.clone()).collect())
}
