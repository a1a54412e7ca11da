//! MANIFEST.tsv against what the generators make.

use sinew::fem::VolumeMesh;
use sinew_datasets::{BUILTINS, Params};

/// FNV-1a over the node coordinates in whole nanometres, as little-endian 64-bit integers.
fn geometry_hash(mesh: &VolumeMesh) -> u64 {
    let coordinates = mesh.nodes.iter().flat_map(|p| [p.x, p.y, p.z]);
    let bytes = coordinates.flat_map(|x| ((x * 1e9).round() as i64).to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn every_built_in_makes_the_geometry_of_its_row() {
    let rows: Vec<_> = include_str!("../MANIFEST.tsv").lines().skip(1).collect();
    let made: Vec<_> = BUILTINS
        .iter()
        .map(|builtin| {
            let model = (builtin.build)(&mut Params::default()).unwrap();
            let mesh = &model.fem(0).mesh;
            let (nodes, elements) = (mesh.nodes.len(), mesh.element_count());
            let hash = geometry_hash(mesh);
            let name = builtin.name;
            format!("{name}\tgenerator\tMIT OR Apache-2.0\tm\t{nodes}\t{elements}\t{hash:016x}")
        })
        .collect();
    assert_eq!(rows, made);
}
