//! Ties of meshes along their surfaces: weights that follow linear fields and hand a uniform pressure on.

use std::collections::BTreeMap;

use sinew_mesh::{ElementKind, Vec3, VolumeMesh, face_points, grid_mesh, tie};

/// A block of a kind of elements, of these cells, from `low` to `high`.
fn block(kind: ElementKind, cells: [u32; 3], [low, high]: [Vec3; 2]) -> VolumeMesh {
    let map = |p: &Vec3| low + (high - low).component_mul(&(p.add_scalar(1.0) * 0.5));
    grid_mesh(cells, kind, map).unwrap()
}

/// Integral of the shape function of each node over the side of a mesh at a height.
fn areas(mesh: &VolumeMesh, z: f64) -> BTreeMap<u32, f64> {
    let mut areas = BTreeMap::new();
    let faces = mesh.elements().flat_map(|(kind, nodes)| {
        kind.faces().iter().map(move |face| face.iter().map(|&k| nodes[k as usize]).collect())
    });
    for nodes in faces {
        let nodes: Vec<u32> = nodes;
        let x: Vec<Vec3> = nodes.iter().map(|&node| mesh.nodes[node as usize]).collect();
        if x.iter().any(|p| (p.z - z).abs() > 1e-9) {
            continue;
        }
        for point in face_points(nodes.len()) {
            let slope = |axis: usize| -> Vec3 {
                x.iter().zip(&point.slopes).map(|(x, s)| x * s[axis]).sum()
            };
            let part = point.weight * slope(0).cross(&slope(1)).norm();
            for (node, n) in nodes.iter().zip(point.n) {
                *areas.entry(*node).or_insert(0.0) += part * n;
            }
        }
    }
    areas
}

#[test]
fn nodes_tied_to_another_mesh_follow_linear_fields_and_hand_on_a_uniform_pressure() {
    use ElementKind::{Hex8, Tet4};
    for (own, other) in [(Hex8, Hex8), (Tet4, Hex8), (Hex8, Tet4), (Tet4, Tet4)] {
        let [low, middle, high] =
            [Vec3::zeros(), Vec3::new(0.3, 0.2, 0.1), Vec3::new(0.3, 0.2, 0.25)];
        let lower = block(other, [3, 2, 1], [low, middle]);
        let upper = block(own, [5, 3, 2], [Vec3::z() * 0.1, high]);
        let tied = tie(&upper, &lower, 1e-6);
        let top: Vec<u32> =
            (0..).zip(&upper.nodes).filter(|(_, p)| p.z < 0.1 + 1e-9).map(|it| it.0).collect();
        let nodes: Vec<u32> = tied.iter().map(|it| it.0).collect();
        assert_eq!(nodes, top, "{own:?} on {other:?}");
        let mut handed = BTreeMap::new();
        let loads = areas(&upper, 0.1);
        for (node, placed) in &tied {
            let sum: f64 = placed.weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            assert!(placed.offset.norm() < 1e-13, "{}", placed.offset);
            for (other, weight) in placed.nodes.iter().zip(&placed.weights) {
                *handed.entry(*other).or_insert(0.0) += loads[node] * weight;
            }
        }
        for (node, area) in areas(&lower, 0.1) {
            let found = handed.get(&node).copied().unwrap_or(0.0);
            assert!((found / area - 1.0).abs() < 1e-11, "{own:?} on {other:?}: {found} {area}");
        }
    }
}

#[test]
fn what_is_out_of_reach_or_quadratic_follows_nothing_or_the_nearest_place() {
    let lower = block(ElementKind::Hex8, [2, 2, 1], [Vec3::zeros(), Vec3::new(0.2, 0.2, 0.1)]);
    let corners = [Vec3::z() * 0.101, Vec3::new(0.2, 0.2, 0.2)];
    let upper = block(ElementKind::Hex20, [1, 1, 1], corners);
    assert!(tie(&upper, &lower, 5e-4).is_empty());
    let tied = tie(&upper, &lower, 2e-3);
    assert_eq!(tied.len(), 8);
    for (_, placed) in tied {
        assert!((placed.offset - Vec3::z() * 1e-3).norm() < 1e-12, "{}", placed.offset);
    }
}
