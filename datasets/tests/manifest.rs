//! MANIFEST.tsv against what the generators of meshes and surfaces make.

use sinew::Vec3;
use sinew::model::{Model, RigidBody};
use sinew_datasets::jaw::Body;
use sinew_datasets::{BUILTINS, Params};

/// FNV-1a over the node coordinates in whole nanometres, as little-endian 64-bit integers.
fn geometry_hash(points: impl Iterator<Item = [f64; 3]>) -> u64 {
    let coordinates = points.flatten();
    let bytes = coordinates.flat_map(|x| ((x * 1e9).round() as i64).to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Nodes of the tissues, then vertices of the bodies in the world [m]; the number of elements and triangles.
fn geometry(model: &Model) -> (Vec<Vec3>, usize) {
    let (mut points, mut count) = (Vec::new(), 0);
    for (_, fem) in model.fems() {
        points.extend(&fem.mesh.nodes);
        count += fem.mesh.element_count();
    }
    for (_, body) in model.iter::<RigidBody>() {
        let Some(mesh) = &body.mesh else { continue };
        points.extend(
            mesh.vertices()
                .iter()
                .map(|p| body.pose * nalgebra::Point3::from(*p))
                .map(|p| p.coords),
        );
        count += mesh.triangles().len();
    }
    (points, count)
}

#[test]
fn every_generator_makes_the_geometry_of_its_row() {
    let rows: Vec<_> = include_str!("../MANIFEST.tsv").lines().skip(1).collect();
    let mut made: Vec<_> = BUILTINS
        .iter()
        .map(|builtin| {
            let model = (builtin.build)(&mut Params::default()).unwrap();
            let (nodes, elements) = geometry(&model);
            let (hash, nodes) = (geometry_hash(nodes.iter().map(|&p| p.into())), nodes.len());
            let name = builtin.name;
            format!("{name}\tgenerator\tMIT OR Apache-2.0\tm\t{nodes}\t{elements}\t{hash:016x}")
        })
        .collect();
    made.extend(Body::SOLID.map(|body| {
        let surface = body.surface(body.default_cell()).unwrap();
        let (name, nodes, triangles) =
            (body.name(), surface.vertices.len(), surface.triangles.len());
        let hash = geometry_hash(surface.vertices.into_iter());
        format!("jaw/{name}\tsurface\tMIT OR Apache-2.0\tm\t{nodes}\t{triangles}\t{hash:016x}")
    }));
    assert_eq!(rows, made);
}
