//! The orders against the coordinates that VTK and Gmsh document for their reference elements.

use super::*;
use crate::Vec3;

/// Corner pairs of the mid-edge nodes; none for a linear kind.
fn mid_edges(kind: ElementKind) -> &'static [[u8; 2]] {
    if kind.is_quadratic() { kind.edges() } else { &[] }
}

const H: f64 = 0.5;
const O: f64 = 0.0;
const I: f64 = 1.0;

/// VTK's parametric coordinates (GetParametricCoords), in the unit cube.
fn vtk_nodes(kind: ElementKind) -> Vec<[f64; 3]> {
    let mut nodes = vtk_corners(kind.corner_count());
    nodes.extend_from_slice(vtk_middles(kind));
    if kind.corner_count() == 5 {
        // VTK's pyramid is a hexahedron whose upper face is drawn together in the apex.
        for p in &mut nodes {
            *p = [p[0] * (1.0 - p[2]), p[1] * (1.0 - p[2]), p[2]];
        }
    }
    nodes
}

fn vtk_corners(corners: usize) -> Vec<[f64; 3]> {
    match corners {
        4 => vec![[O, O, O], [I, O, O], [O, I, O], [O, O, I]],
        8 => vec![
            [O, O, O],
            [I, O, O],
            [I, I, O],
            [O, I, O],
            [O, O, I],
            [I, O, I],
            [I, I, I],
            [O, I, I],
        ],
        6 => vec![[O, O, O], [I, O, O], [O, I, O], [O, O, I], [I, O, I], [O, I, I]],
        _ => vec![[O, O, O], [I, O, O], [I, I, O], [O, I, O], [O, O, I]],
    }
}

fn vtk_middles(kind: ElementKind) -> &'static [[f64; 3]] {
    match kind {
        ElementKind::Tet10 => &[[H, O, O], [H, H, O], [O, H, O], [O, O, H], [H, O, H], [O, H, H]],
        ElementKind::Hex20 => &[
            [H, O, O],
            [I, H, O],
            [H, I, O],
            [O, H, O],
            [H, O, I],
            [I, H, I],
            [H, I, I],
            [O, H, I],
            [O, O, H],
            [I, O, H],
            [I, I, H],
            [O, I, H],
        ],
        ElementKind::Wedge15 => &[
            [H, O, O],
            [H, H, O],
            [O, H, O],
            [H, O, I],
            [H, H, I],
            [O, H, I],
            [O, O, H],
            [I, O, H],
            [O, I, H],
        ],
        ElementKind::Pyramid13 => &[
            [H, O, O],
            [I, H, O],
            [H, I, O],
            [O, H, O],
            [O, O, H],
            [I, O, H],
            [I, I, H],
            [O, I, H],
        ],
        _ => &[],
    }
}

/// Gmsh's corners are VTK's; its mid-edge nodes lie on these corner pairs (the sketches of the
/// manual's section on node ordering).
fn gmsh_edges(kind: ElementKind) -> &'static [[usize; 2]] {
    match kind {
        ElementKind::Tet10 => &[[0, 1], [1, 2], [0, 2], [0, 3], [2, 3], [1, 3]],
        ElementKind::Hex20 => &[
            [0, 1],
            [0, 3],
            [0, 4],
            [1, 2],
            [1, 5],
            [2, 3],
            [2, 6],
            [3, 7],
            [4, 5],
            [4, 7],
            [5, 6],
            [6, 7],
        ],
        ElementKind::Wedge15 => {
            &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]]
        }
        ElementKind::Pyramid13 => &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 4], [2, 3], [2, 4], [3, 4]],
        _ => &[],
    }
}

fn gmsh_nodes(kind: ElementKind) -> Vec<[f64; 3]> {
    let mut nodes = vtk_nodes(kind);
    nodes.truncate(kind.corner_count());
    for &[a, b] in gmsh_edges(kind) {
        nodes.push(std::array::from_fn(|k| 0.5 * (nodes[a][k] + nodes[b][k])));
    }
    nodes
}

fn reorder(order: &[u8], nodes: &[[f64; 3]]) -> Vec<Vec3> {
    order.iter().map(|&i| Vec3::from(nodes[i as usize])).collect()
}

fn frame_determinants(kind: ElementKind, x: &[Vec3]) -> Vec<f64> {
    let edge = |f: &[u8; 4], k: usize| x[f[k] as usize] - x[f[0] as usize];
    Codes::of(kind)
        .corner_frames
        .iter()
        .map(|f| edge(f, 1).cross(&edge(f, 2)).dot(&edge(f, 3)))
        .collect()
}

#[test]
fn every_order_is_a_permutation() {
    for kind in ElementKind::ALL {
        for order in [vtk(kind), gmsh(kind), Codes::of(kind).mirrored] {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(i, &p)| i == p as usize), "{kind:?} {order:?}");
            assert_eq!(order.len(), kind.node_count(), "{kind:?}");
        }
    }
}

#[test]
fn documented_coordinates_become_right_handed_elements_with_their_mid_edge_nodes_in_place() {
    for kind in ElementKind::ALL {
        for (format, order, nodes) in
            [("VTK", vtk(kind), vtk_nodes(kind)), ("Gmsh", gmsh(kind), gmsh_nodes(kind))]
        {
            let x = reorder(order, &nodes);
            for det in frame_determinants(kind, &x) {
                assert!(det > 0.0, "{format} {kind:?}: corner Jacobian {det}");
            }
            for (k, [a, b]) in mid_edges(kind).iter().enumerate() {
                let middle = (x[*a as usize] + x[*b as usize]) / 2.0;
                // Halves of zeros and ones are exact.
                assert_eq!(x[kind.corner_count() + k], middle, "{format} {kind:?} edge {k}");
            }
        }
    }
}

#[test]
fn the_corners_land_on_the_corners_of_the_reference_element() {
    for kind in ElementKind::ALL {
        // From VTK's unit cube to the reference element; the pyramid's apex moves to the axis.
        let to_reference = |p: &Vec3| match kind.corner_count() {
            4 => [p.x, p.y, p.z],
            6 => [p.x, p.y, 2.0 * p.z - 1.0],
            5 if p.z == 1.0 => [0.0, 0.0, 1.0],
            _ => [2.0 * p.x - 1.0, 2.0 * p.y - 1.0, 2.0 * p.z - 1.0],
        };
        for order in [vtk(kind), gmsh(kind)] {
            let x = reorder(order, &vtk_nodes(kind));
            for (i, corner) in kind.linear().nodes().iter().enumerate() {
                assert_eq!(to_reference(&x[i]), *corner, "{kind:?} corner {i}");
            }
        }
    }
}

#[test]
fn the_mirrored_order_turns_every_corner_jacobian_and_keeps_the_edges() {
    for kind in ElementKind::ALL {
        let nodes: Vec<[f64; 3]> =
            reorder(vtk(kind), &vtk_nodes(kind)).iter().map(|p| [p.x, p.y, p.z]).collect();
        let x = reorder(Codes::of(kind).mirrored, &nodes);
        assert!(frame_determinants(kind, &x).iter().all(|&det| det < 0.0), "{kind:?}");
        for (k, [a, b]) in mid_edges(kind).iter().enumerate() {
            let middle = (x[*a as usize] + x[*b as usize]) / 2.0;
            assert_eq!(x[kind.corner_count() + k], middle, "{kind:?} edge {k}");
        }
    }
}
