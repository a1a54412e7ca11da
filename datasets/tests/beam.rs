//! The beam: counts, volumes, conforming faces, mid-edge nodes, supports.

use crate::common::{
    boundary, component_count, corner_faces, element_volume, euler_characteristic, volume,
};
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::model::{MechModel, Model};
use sinew_datasets::beam::{BeamElement, BeamParams, beam, beam_mesh, kuhn_mesh};
use sinew_datasets::{ParamError, Params, find};

fn build(arguments: &[&str]) -> Result<Model, ParamError> {
    let builtin = find("beam").expect("the beam is in the list");
    (builtin.build)(&mut Params::parse(arguments)?)
}

fn default_mesh(element: BeamElement) -> VolumeMesh {
    beam_mesh(element, [8, 2, 2], [1.0, 0.25, 0.25]).unwrap()
}

fn all_meshes() -> Vec<(String, VolumeMesh)> {
    let names = BeamElement::NAMES.iter();
    let mut meshes: Vec<_> =
        names.map(|&(name, element)| (name.to_owned(), default_mesh(element))).collect();
    meshes.push(("kuhn6".into(), kuhn_mesh(2, [1.0, 0.25, 0.25]).unwrap()));
    meshes
}

#[test]
fn the_default_grid_has_the_counts_of_the_reference_runs() {
    let counts = |element| {
        let mesh = default_mesh(element);
        (mesh.nodes.len(), mesh.element_count())
    };
    assert_eq!(counts(BeamElement::Hex), (81, 32));
    assert_eq!(counts(BeamElement::Tet), (81, 160));
    assert_eq!(counts(BeamElement::Wedge), (81, 64));
    assert_eq!(counts(BeamElement::Pyramid), (81, 96));
    assert_eq!(counts(BeamElement::QuadHex), (261, 32));
}

/// Nodes of a quadratic mesh = corners + edges, with the edges counted by hand: the grid's 180, then
/// one diagonal a cell face (tet, pyramid) or a y face and none inside (wedge).
#[test]
fn quadratic_grids_have_one_node_an_edge() {
    let faces_by_normal = [9 * 2 * 2, 8 * 3 * 2, 8 * 2 * 3];
    let all_faces: usize = faces_by_normal.iter().sum();
    assert_eq!(default_mesh(BeamElement::QuadTet).nodes.len(), 81 + 180 + all_faces);
    assert_eq!(default_mesh(BeamElement::QuadWedge).nodes.len(), 81 + 180 + faces_by_normal[1]);
    // Of the planes of cell faces across an axis those with an even number touch apexes and have diagonals; every
    // cell has one more through its middle.
    let apex_faces = 5 * 2 * 2 + 8 * 2 * 2 + 8 * 2 * 2;
    assert_eq!(default_mesh(BeamElement::QuadPyramid).nodes.len(), 81 + 180 + apex_faces + 32);
}

#[test]
fn every_element_has_positive_volume_and_they_fill_the_box() {
    for (name, mesh) in all_meshes() {
        for (kind, nodes) in mesh.elements() {
            let v = element_volume(&mesh, kind, nodes);
            assert!(v > 1e-5, "{name}: an element of volume {v} m3");
        }
        let v = volume(&mesh);
        // Sums of about a thousand terms of the size of the box.
        assert!((v - 0.0625).abs() < 1e-13, "{name}: volume {v} m3 instead of 0.0625 m3");
    }
}

/// Every face inside the box is shared by two elements with the same corners: what is left is a
/// closed surface whose faces all lie on the six sides.
#[test]
fn faces_match_between_elements() {
    for (name, mesh) in all_meshes() {
        let (faces, most) = boundary(&mesh);
        assert_eq!(most, 2, "{name}");
        assert_eq!(euler_characteristic(&faces), Some(2), "{name}");
        assert_eq!(component_count(&mesh), 1, "{name}");
        let [lo, hi] = mesh.bounding_box().unwrap();
        for face in &faces {
            let on_side = (0..3).any(|axis| {
                [lo[axis], hi[axis]]
                    .iter()
                    .any(|side| face.iter().all(|&n| mesh.nodes[n as usize][axis] == *side))
            });
            assert!(on_side, "{name}: face {face:?} has no partner");
        }
    }
}

/// A beam under its weight would else bend sideways.
#[test]
fn grids_of_even_counts_are_their_own_mirror_images_across_the_weight() {
    for &(name, element) in BeamElement::NAMES {
        let mesh = default_mesh(element);
        let place = |node: &u32, sign: f64| {
            let p = mesh.nodes[*node as usize];
            [p.x, sign * p.y, p.z].map(|x| (x * 1e6).round() as i64)
        };
        let elements = |sign: f64| {
            let corners = |nodes: &[u32]| {
                nodes
                    .iter()
                    .map(|node| place(node, sign))
                    .collect::<std::collections::BTreeSet<_>>()
            };
            mesh.elements()
                .map(|(_, nodes)| corners(nodes))
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(elements(1.0), elements(-1.0), "{name}");
    }
}

#[test]
fn mid_edge_nodes_lie_in_the_middle_of_the_edges_of_their_kind() {
    // Reference edges by corner pairs, written here from the reference coordinates of the nodes.
    let edges: [(BeamElement, &str); 4] = [
        (BeamElement::QuadTet, "01 12 02 03 13 23"),
        (BeamElement::QuadHex, "01 12 23 03 45 56 67 47 04 15 26 37"),
        (BeamElement::QuadWedge, "01 12 02 34 45 35 03 14 25"),
        (BeamElement::QuadPyramid, "01 12 23 03 04 14 24 34"),
    ];
    for (element, pairs) in edges {
        let mesh = default_mesh(element);
        for (kind, nodes) in mesh.elements() {
            let (corners, _) = corner_faces(kind);
            assert_eq!(nodes.len(), corners + pairs.split(' ').count());
            for (pair, &middle) in pairs.split(' ').zip(&nodes[corners..]) {
                let [a, b] = [0, 1].map(|k| (pair.as_bytes()[k] - b'0') as usize);
                let [a, b] = [nodes[a], nodes[b]].map(|n| mesh.nodes[n as usize]);
                assert_eq!(mesh.nodes[middle as usize], 0.5 * (a + b), "{kind:?} edge {pair}");
            }
        }
    }
}

#[test]
fn the_first_four_nodes_of_a_hexahedron_are_its_upper_face() {
    let mesh = default_mesh(BeamElement::Hex);
    let (kind, nodes) = mesh.element(0);
    assert_eq!(kind, ElementKind::Hex8);
    let z: Vec<f64> = nodes.iter().map(|&n| mesh.nodes[n as usize].z).collect();
    assert_eq!(z, [0.0, 0.0, 0.0, 0.0, -0.125, -0.125, -0.125, -0.125]);
}

#[test]
fn the_kuhn_beam_has_24_n_cubed_tetrahedra_and_its_own_constants() {
    let model = build(&["mesh=kuhn6", "n=5"]).unwrap();
    let fem = &model.fem(0);
    assert_eq!((fem.mesh.element_count(), fem.mesh.nodes.len()), (3000, 21 * 6 * 6));
    let [lo, hi] = fem.mesh.bounding_box().unwrap();
    assert_eq!((lo.norm(), hi.x, hi.y, hi.z), (0.0, 0.4, 0.1, 0.1));
    assert_eq!((fem.mass_damping, fem.stiffness_damping), (0.0, 0.0));
    let gravity = model[model.nth::<MechModel>(0)].gravity.unwrap();
    assert_eq!(gravity.z, -9.81);
    assert_eq!(fem.dirichlet[0].nodes.len(), 36);
    assert_eq!(fem.mesh.node_sets["tip"].len(), 36);
}

#[test]
fn the_two_end_faces_are_named_and_one_is_fixed() {
    for (elem, count) in [("hex", 9), ("tet", 9), ("quadhex", 21), ("quadtet", 25)] {
        let model = build(&[&format!("elem={elem}")]).unwrap();
        let fem = &model.fem(0);
        assert_eq!(fem.dirichlet.len(), 1);
        assert_eq!(fem.dirichlet[0].nodes, fem.mesh.node_sets["clamped"]);
        for (set, x) in [("clamped", -0.5), ("tip", 0.5)] {
            let nodes = &fem.mesh.node_sets[set];
            assert_eq!(nodes.len(), count, "{elem} {set}");
            assert!(nodes.iter().all(|&n| fem.mesh.nodes[n as usize].x == x), "{elem} {set}");
        }
    }
}

#[test]
fn mooney_rivlin_constants_follow_young_s_modulus_unless_given() {
    use sinew::material::MaterialSpec::MooneyRivlin;
    let spec = |arguments: &[&str]| build(arguments).unwrap().fem(0).material;
    let MooneyRivlin(mr) = spec(&["mat=mr", "E=3e5", "nu=0.25"]) else { panic!("not mr") };
    assert_eq!((mr.c10, mr.c01, mr.bulk_modulus), (6e4, 0.0, 2e5));
    let MooneyRivlin(mr) = spec(&["mat=mr", "C10=1", "C01=2", "K=3"]) else { panic!("not mr") };
    assert_eq!((mr.c10, mr.c01, mr.bulk_modulus), (1.0, 2.0, 3.0));
}

#[test]
fn sizes_that_no_mesh_can_have_are_refused() {
    let flat = BeamParams { size: [1.0, 0.0, 1.0], ..BeamParams::default() };
    let message = beam(&flat).unwrap_err().to_string();
    assert_eq!(message, "parameter ly=0: expected a number above 0");
    assert!(beam(&BeamParams::kuhn(0)).is_err());
    assert!(beam(&BeamParams { size: [f64::NAN; 3], ..BeamParams::default() }).is_err());
}
