//! Points in, on and outside of elements of all kinds.

use super::*;

/// Numbers between -1 and 1 that look random, the same every time.
fn scattered(k: usize) -> Vec3 {
    let k = k as f64;
    Vec3::new((7.1 * k + 0.3).sin(), (5.3 * k + 1.1).sin(), (3.7 * k).cos())
}

/// One element of a kind, stretched, bent and shaken by `amount`.
fn element(kind: ElementKind, amount: f64) -> VolumeMesh {
    let place = |(k, r): (usize, &[f64; 3])| {
        let r = Vec3::from(*r);
        let bent = Vec3::new(r.y * r.z, r.x * r.x, r.x * r.y) + scattered(k) * 0.5;
        Vec3::new(0.3 * r.x, 0.2 * r.y + 0.1 * r.x, 0.4 * r.z) + bent * (0.1 * amount)
    };
    let mut mesh = VolumeMesh::new(kind.nodes().iter().enumerate().map(place).collect());
    let all: Vec<u32> = (0..kind.node_count() as u32).collect();
    mesh.push_element(kind, &all).unwrap();
    mesh
}

/// Weights of the corners, at random places of the reference element.
fn inside(kind: ElementKind, k: usize) -> [f64; 3] {
    clamp(kind, (scattered(k) * 0.999).into())
}

fn at(mesh: &VolumeMesh, r: [f64; 3]) -> Vec3 {
    let (kind, nodes) = mesh.element(0);
    let mut n = [0.0; 20];
    kind.shape(r, &mut n);
    nodes.iter().zip(n).map(|(&i, n)| mesh.nodes[i as usize] * n).sum()
}

/// Sum of the weights, and the weighted sum of the nodes.
fn sums(mesh: &VolumeMesh, placed: &Placed) -> (f64, Vec3) {
    let nodes = placed.nodes.iter().map(|&n| mesh.nodes[n as usize]);
    (placed.weights.iter().sum(), nodes.zip(&placed.weights).map(|(x, w)| x * *w).sum())
}

#[test]
fn points_of_every_kind_of_element_have_its_shape_functions_as_weights() {
    for kind in ElementKind::ALL {
        for amount in [0.0, 0.4] {
            let mesh = element(kind, amount);
            let places: Vec<[f64; 3]> = (0..200).map(|k| inside(kind, k)).collect();
            let points: Vec<Vec3> = places.iter().map(|&r| at(&mesh, r)).collect();
            for ((placed, r), point) in locate(&mesh, &points).iter().zip(places).zip(&points) {
                let mut n = [0.0; 20];
                kind.shape(r, &mut n);
                let error = placed.weights.iter().zip(n).map(|(w, n)| (w - n).abs());
                let error = error.fold(0.0, f64::max);
                assert_eq!(placed.nodes.len(), kind.node_count());
                // Roundings over det dX/dr, which is small towards the apex of a pyramid.
                assert!(error < 1e-10, "{kind:?} {amount} {r:?}: {error}");
                let (one, sum) = sums(&mesh, placed);
                assert!(
                    (one - 1.0).abs() < 1e-14 && placed.offset.norm() < 1e-14,
                    "{kind:?} {r:?}"
                );
                assert!((sum + placed.offset - point).norm() < 1e-15, "{kind:?} {r:?}");
            }
        }
    }
}

#[test]
fn nodes_and_middles_of_edges_and_faces_are_in_the_element() {
    for kind in ElementKind::ALL {
        let mesh = element(kind, 0.4);
        for (k, &r) in kind.nodes().iter().enumerate() {
            let placed = &locate(&mesh, &[at(&mesh, r)])[0];
            let w = placed.weights[k];
            assert!((w - 1.0).abs() < 1e-9 && placed.offset.norm() < 1e-9, "{kind:?} {k}: {w}");
        }
        let middle = |list: &[u8]| -> [f64; 3] {
            let sum = |i: usize| list.iter().map(|&n| kind.nodes()[n as usize][i]).sum::<f64>();
            std::array::from_fn(|i| sum(i) / list.len() as f64)
        };
        let faces = kind.faces().iter().map(|face| &face[..corner_count(face.len())]);
        for list in kind.edges().iter().map(|edge| &edge[..]).chain(faces) {
            let r = middle(list);
            // The sides of pyramids lie at x or y of ±1 in collapsed coordinates: leave those out.
            if kind.linear() == ElementKind::Pyramid5 && list.contains(&4) {
                continue;
            }
            let placed = &locate(&mesh, &[at(&mesh, r)])[0];
            assert_eq!(placed.nodes.len(), kind.node_count(), "{kind:?} {list:?}");
            assert!(placed.offset.norm() < 1e-9 && (sums(&mesh, placed).0 - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn points_outside_of_a_cube_are_on_its_nearest_face_edge_or_corner() {
    let nodes = ElementKind::Hex8.nodes().iter().map(|&r| Vec3::from(r)).collect();
    let mut mesh = VolumeMesh::new(nodes);
    mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    for k in 0..300 {
        let point = scattered(k) * 3.0;
        let nearest = point.map(|x| x.clamp(-1.0, 1.0));
        let placed = &locate(&mesh, &[point])[0];
        let (one, sum) = sums(&mesh, placed);
        assert!((one - 1.0).abs() < 1e-14 && (sum - nearest).norm() < 1e-13, "{point} {sum}");
        assert!((placed.offset - (point - nearest)).norm() < 1e-13);
        assert!(placed.weights.iter().all(|&w| w > -1e-13));
        assert_eq!(placed.nodes.len(), if point == nearest { 8 } else { 4 });
    }
}

#[test]
fn no_point_of_a_curved_face_is_nearer_than_the_one_found() {
    for kind in ElementKind::ALL {
        let mesh = element(kind, 0.4);
        let points: Vec<Vec3> = (0..30).map(|k| scattered(k + 50) * 1.5).collect();
        for (placed, point) in locate(&mesh, &points).iter().zip(points) {
            let found = placed.offset.norm();
            if placed.nodes.len() == kind.node_count() && found < 1e-9 {
                continue;
            }
            let mut n = [0.0; 20];
            for k in 0..4000 {
                let mut r = clamp(kind, (scattered(k) * 1.5).into());
                // To the boundary, for most.
                r = clamp(kind, r.map(|x| if k % 2 == 0 { x * 1.2 } else { x }));
                kind.shape(r, &mut n);
                let distance = (at(&mesh, r) - point).norm();
                assert!(found < distance + 1e-12, "{kind:?} {point}: {found} {distance}");
            }
        }
    }
}

#[test]
fn the_face_between_two_elements_is_no_surface() {
    let corner = |k: usize| Vec3::new((k % 3) as f64, (k / 3 % 2) as f64, (k / 6) as f64);
    let mut mesh = VolumeMesh::new((0..12).map(corner).collect());
    mesh.push_element(ElementKind::Hex8, &[6, 7, 10, 9, 0, 1, 4, 3]).unwrap();
    mesh.push_element(ElementKind::Hex8, &[7, 8, 11, 10, 1, 2, 5, 4]).unwrap();
    assert_eq!(Surface::of(&mesh).faces.len(), 10);
    // On the face between both: in the first of them, with weight on the face alone.
    let placed = &locate(&mesh, &[Vec3::new(1.0, 0.5, 0.25)])[0];
    assert_eq!(placed.nodes, [6, 7, 10, 9, 0, 1, 4, 3]);
    for (node, weight) in [(7, 0.125), (10, 0.125), (1, 0.375), (4, 0.375)] {
        let k = placed.nodes.iter().position(|&n| n == node).unwrap();
        assert!((placed.weights[k] - weight).abs() < 1e-15);
    }
}

#[test]
fn points_that_are_nowhere_have_no_nodes() {
    let mesh = element(ElementKind::Tet4, 0.0);
    assert!(locate(&mesh, &[Vec3::repeat(f64::NAN)])[0].nodes.is_empty());
    let placed = &locate(&VolumeMesh::default(), &[Vec3::x()])[0];
    assert_eq!((placed.nodes.len(), placed.offset), (0, Vec3::x()));
}

#[test]
fn nodes_inside_a_block_are_not_on_its_surface() {
    // 4 x 4 x 4 nodes, of which 2 x 2 x 2 are inside.
    let at = |i: u32, j: u32, k: u32| i + 4 * (j + 4 * k);
    let all = (0..4).flat_map(|k| (0..4).flat_map(move |j| (0..4).map(move |i| [i, j, k])));
    let place = |[i, j, k]: [u32; 3]| Vec3::new(f64::from(i), f64::from(j), f64::from(k));
    let mut mesh = VolumeMesh::new(all.clone().map(place).collect());
    for [i, j, k] in all.clone().filter(|cell| cell.iter().all(|&c| c < 3)) {
        let layer = |k| [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)];
        mesh.push_element(ElementKind::Hex8, &[layer(k + 1), layer(k)].concat()).unwrap();
    }
    let outside = all.filter(|cell| cell.iter().any(|&c| c == 0 || c == 3));
    let outside: Vec<u32> = outside.map(|[i, j, k]| at(i, j, k)).collect();
    assert_eq!(outside.len(), 56);
    assert_eq!(surface_nodes(&mesh), outside);
}

#[test]
fn mid_nodes_of_the_surface_are_on_it() {
    for kind in ElementKind::ALL {
        let all: Vec<u32> = (0..kind.node_count() as u32).collect();
        assert_eq!(surface_nodes(&element(kind, 0.0)), all, "{kind:?}");
    }
}

/// x -> a + B x has the gradient B, at every place of every kind, in the element and beside it.
#[test]
fn gradients_of_frames_give_an_affine_map_its_matrix() {
    let b = Mat3::new(1.1, 0.2, -0.1, 0.3, 0.9, 0.4, -0.2, 0.1, 1.3);
    for kind in ElementKind::ALL {
        let mesh = element(kind, 0.4);
        let mut points: Vec<Vec3> = (0..50).map(|k| at(&mesh, inside(kind, k))).collect();
        points.extend((0..10).map(|k| scattered(k) * 2.0));
        for (placed, point) in locate_frames(&mesh, &points).iter().zip(&points) {
            let nodes = placed.nodes.iter().map(|&n| mesh.nodes[n as usize]);
            let map = |x: Vec3| b * x + Vec3::new(5.0, -3.0, 2.0);
            let f: Mat3 =
                nodes.clone().zip(&placed.gradients).map(|(x, g)| map(x) * g.transpose()).sum();
            assert!((f - b).norm() < 1e-9, "{kind:?} {point}: {f}");
            assert!(placed.gradients.iter().sum::<Vec3>().norm() < 1e-9, "{kind:?} {point}");
            let there: Vec3 = nodes.zip(&placed.weights).map(|(x, w)| x * *w).sum();
            assert!((there + placed.offset - point).norm() < 1e-12, "{kind:?} {point}");
        }
    }
}

#[test]
fn a_frame_outside_is_in_the_element_below_the_nearest_place() {
    for kind in ElementKind::ALL {
        let mesh = element(kind, 0.0);
        let points: Vec<Vec3> = (0..20).map(|k| scattered(k).normalize() * 3.0).collect();
        for (frame, point) in locate_frames(&mesh, &points).iter().zip(locate(&mesh, &points)) {
            assert!((frame.offset - point.offset).norm() < 1e-8, "{kind:?}");
        }
    }
}
