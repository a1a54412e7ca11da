//! Meshes that are written read back the same, to the last digit; contents that a format cannot
//! hold are noted.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use sinew_mesh::Vec3;
use sinew_mesh::io::{
    AnyMesh, ReadOptions, SurfaceData, read_mesh, read_surface, read_volume, write_mesh,
    write_surface,
};
use sinew_mesh::{ElementFace, ElementKind, Field, VolumeMesh};

/// Elements of these kinds, each with nodes of its own: the reference element, bent a little and
/// scaled, far from the others.
fn mesh_of(parts: &[(ElementKind, [f64; 3], f64)]) -> VolumeMesh {
    let mut mesh = VolumeMesh::default();
    for (i, &(kind, bend, size)) in parts.iter().enumerate() {
        let first = mesh.nodes.len() as u32;
        let corners = kind.linear().nodes().iter().map(|&r| Vec3::from(r));
        let mut nodes: Vec<Vec3> = corners.collect();
        for &[a, b] in kind.edges().iter().filter(|_| kind.is_quadratic()) {
            nodes.push((nodes[a as usize] + nodes[b as usize]) / 2.0);
        }
        let place = |x: &Vec3| {
            let bent = x + Vec3::from(bend) * (0.05 * x.y * x.z);
            bent * size + Vec3::x() * (10.0 * i as f64)
        };
        mesh.nodes.extend(nodes.iter().map(place));
        let ids: Vec<u32> = (first..mesh.nodes.len() as u32).collect();
        mesh.push_element(kind, &ids).unwrap();
    }
    mesh
}

fn parts(kinds: Vec<ElementKind>) -> impl Strategy<Value = Vec<(ElementKind, [f64; 3], f64)>> {
    let part = (prop::sample::select(kinds), prop::array::uniform3(-1.0..1.0_f64), 1e-3..2.0_f64);
    prop::collection::vec(part, 1..8)
}

/// Sets of elements, none empty, by these names.
fn sets(count: usize, names: [&str; 3], seed: u64) -> BTreeMap<String, Vec<u32>> {
    let member = |set: usize, i: usize| seed >> ((7 * set + i) % 61) & 1 == 1;
    let sets = names.into_iter().enumerate().map(|(set, name)| {
        let members = (0..count).filter(|&i| member(set, i)).map(|i| i as u32).collect();
        (name.to_owned(), members)
    });
    sets.filter(|(_, members): &(String, Vec<u32>)| !members.is_empty()).collect()
}

/// Points, triangles and lines of random corners, with sets and fields.
fn surface(points: &[[f64; 3]], corners: &[[usize; 3]], seed: u64) -> SurfaceData {
    let n = points.len();
    let wrap = |[a, b, c]: &[usize; 3]| {
        let (a, b) = (a % n, b % (n - 1));
        let b = if b == a { n - 1 } else { b };
        let c = (0..n).map(|k| (c + k) % n).find(|c| *c != a && *c != b).unwrap();
        [a, b, c].map(|v| v as u32)
    };
    let triangles: Vec<[u32; 3]> = corners.iter().map(wrap).collect();
    let lines: Vec<Vec<u32>> = triangles.iter().take(2).map(|t| t.to_vec()).collect();
    let field = |count: usize, components: usize| Field {
        components,
        values: (0..count * components)
            .map(|i| (i as f64 + 0.1) / (seed % 97 + 3) as f64)
            .collect(),
    };
    SurfaceData {
        points: points.iter().copied().map(Vec3::from).collect(),
        triangle_sets: sets(triangles.len(), ["bone", "capsule", "joint"], seed),
        polyline_sets: sets(lines.len(), ["bone", "fibres", "more"], seed >> 3),
        point_fields: BTreeMap::from([("pressure".to_owned(), field(n, 1))]),
        triangle_fields: BTreeMap::from([("area".to_owned(), field(triangles.len(), 1))]),
        triangles,
        polylines: lines,
    }
}

fn surfaces() -> impl Strategy<Value = SurfaceData> {
    let coordinate = prop_oneof![-1e3..1e3_f64, -1e-30..1e-30_f64, Just(0.0)];
    let points = prop::collection::vec(prop::array::uniform3(coordinate), 4..12);
    let corners = prop::collection::vec(prop::array::uniform3(0..1000_usize), 1..12);
    (points, corners, any::<u64>()).prop_map(|(p, c, seed)| surface(&p, &c, seed))
}

fn back(directory: &Path, name: &str, surface: &SurfaceData) -> SurfaceData {
    let path = directory.join(name);
    write_surface(&path, surface).unwrap();
    read_surface(&path, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}")).surface
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_kinds_come_back_from_vtu_and_gmsh(
        parts in parts(ElementKind::ALL.to_vec()), seed in any::<u64>()
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut mesh = mesh_of(&parts);
        mesh.element_sets = sets(mesh.element_count(), ["cortical bone", "marrow", "all of it"], seed);
        let notes = write_mesh(&dir.path().join("m.msh"), &mesh).unwrap();
        prop_assert!(notes.is_empty(), "{:?}", notes);
        let read = read_volume(&dir.path().join("m.msh"), &ReadOptions::default()).unwrap().mesh;
        prop_assert_eq!(read, mesh);
    }

    #[test]
    fn vtu_gives_back_all_that_a_mesh_has(
        parts in parts(ElementKind::ALL.to_vec()), seed in any::<u64>()
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut mesh = mesh_of(&parts);
        let [nodes, elements] = [mesh.nodes.len(), mesh.element_count()];
        mesh.element_sets = sets(elements, ["bone & marrow", "région", "bone"], seed);
        mesh.node_sets = sets(nodes, ["bone", "held", "set:odd"], seed >> 5);
        mesh.node_sets.insert("nothing".to_owned(), Vec::new());
        let faces: Vec<ElementFace> = (0..elements as u32)
            .flat_map(|element| {
                let count = mesh.element(element as usize).0.faces().len();
                (0..count as u8).map(move |face| ElementFace { element, face })
            })
            .collect();
        let some = sets(faces.len(), ["loaded", "bone", "glued"], seed >> 11);
        let picked = |of: &Vec<u32>| of.iter().map(|&i| faces[i as usize]).collect();
        mesh.face_sets = some.iter().map(|(name, of)| (name.clone(), picked(of))).collect();
        let values = (0..3 * nodes).map(|i| i as f64 / 7.0).collect();
        mesh.node_fields.insert("fibre".to_owned(), Field { components: 3, values });
        // A field that is named like a set stays what it is.
        let values = (0..elements).map(|i| i as f64 + 0.5).collect();
        mesh.element_fields.insert("set:age".to_owned(), Field { components: 1, values });
        let notes = write_mesh(&dir.path().join("m.vtu"), &mesh).unwrap();
        prop_assert!(notes.is_empty(), "{:?}", notes);
        let read = read_volume(&dir.path().join("m.vtu"), &ReadOptions::default()).unwrap().mesh;
        prop_assert_eq!(read, mesh);
    }

    #[test]
    fn tetrahedra_with_regions_come_back_from_tetgen(parts in parts(vec![ElementKind::Tet4])) {
        let dir = tempfile::tempdir().unwrap();
        let mut mesh = mesh_of(&parts);
        let half = mesh.element_count() as u32 / 2;
        mesh.element_sets.insert("region_7".to_owned(), (half..mesh.element_count() as u32).collect());
        if half > 0 {
            mesh.element_sets.insert("region_-2".to_owned(), (0..half).collect());
        }
        let notes = write_mesh(&dir.path().join("m.ele"), &mesh).unwrap();
        prop_assert!(notes.is_empty(), "{:?}", notes);
        let read = read_volume(&dir.path().join("m.node"), &ReadOptions::default()).unwrap().mesh;
        prop_assert_eq!(read, mesh);
    }

    #[test]
    fn linear_elements_with_regions_come_back_from_medit(
        tets in parts(vec![ElementKind::Tet4]), hexes in parts(vec![ElementKind::Hex8])
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut mesh = mesh_of(&[tets.clone(), hexes].concat());
        let (first, all) = (tets.len() as u32, mesh.element_count() as u32);
        mesh.element_sets.insert("medit_ref_3".to_owned(), (0..first).collect());
        mesh.element_sets.insert("medit_ref_9".to_owned(), (first..all).collect());
        let notes = write_mesh(&dir.path().join("m.mesh"), &mesh).unwrap();
        prop_assert!(notes.is_empty(), "{:?}", notes);
        let read = read_volume(&dir.path().join("m.mesh"), &ReadOptions::default()).unwrap().mesh;
        prop_assert_eq!(read, mesh);
    }

    #[test]
    fn surfaces_come_back_from_obj_with_their_sets_and_lines(mut surface in surfaces()) {
        let dir = tempfile::tempdir().unwrap();
        surface.point_fields.clear();
        surface.triangle_fields.clear();
        prop_assert_eq!(back(dir.path(), "s.obj", &surface), surface);
    }

    #[test]
    fn surfaces_come_back_from_ply_with_their_fields(mut surface in surfaces()) {
        let dir = tempfile::tempdir().unwrap();
        surface.polylines.clear();
        surface.polyline_sets.clear();
        surface.triangle_sets.clear();
        prop_assert_eq!(back(dir.path(), "s.ply", &surface), surface);
    }

    #[test]
    fn surfaces_come_back_from_vtu_with_sets_fields_and_lines(surface in surfaces()) {
        let dir = tempfile::tempdir().unwrap();
        prop_assert_eq!(&back(dir.path(), "s.vtu", &surface), &surface);
        let any = read_mesh(&dir.path().join("s.vtu"), &ReadOptions::default()).unwrap();
        prop_assert!(matches!(any, AnyMesh::Surface(_)));
    }

    #[test]
    fn corners_come_back_from_stl_in_single_precision(surface in surfaces()) {
        let dir = tempfile::tempdir().unwrap();
        let read = back(dir.path(), "s.stl", &surface);
        // Corners that single precision does not tell apart leave no triangle.
        let narrow = |s: &SurfaceData, t: &[u32; 3]| {
            t.map(|v| s.points[v as usize].map(|x| f64::from(x as f32) + 0.0))
        };
        let kept = surface.triangles.iter().map(|t| narrow(&surface, t));
        let kept: Vec<[Vec3; 3]> = kept.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        let found: Vec<[Vec3; 3]> = read.triangles.iter().map(|t| narrow(&read, t)).collect();
        prop_assert_eq!(found, kept);
    }
}

#[test]
fn medit_files_have_their_sections_counted_and_their_regions_numbered() {
    let dir = tempfile::tempdir().unwrap();
    let (tet, hex) = (ElementKind::Tet4, ElementKind::Hex8);
    let mut mesh =
        mesh_of(&[(hex, [0.0; 3], 1.0), (tet, [0.0; 3], 0.1 + 0.2), (hex, [0.0; 3], 1.0)]);
    mesh.element_sets.insert("medit_ref_4".to_owned(), vec![1, 2]);
    let path = dir.path().join("m.mesh");
    let notes = write_mesh(&path, &mesh).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    let after = |word: &str, n: usize| {
        let mut words = text.split_whitespace().skip_while(|w| *w != word);
        words.nth(n).unwrap().to_owned()
    };
    assert_eq!(
        (after("Vertices", 1), after("Tetrahedra", 1), after("Hexahedra", 1)),
        ("20".into(), "1".into(), "2".into())
    );
    // The second node of the tetrahedron lies at x = 10 + 0.30000000000000004.
    assert_eq!(after("Vertices", 2 + 4 * 9).parse::<f64>().unwrap(), mesh.nodes[9].x);
    assert_eq!((after("Tetrahedra", 2), after("Tetrahedra", 6)), ("9".into(), "4".into()));
    // Medit's hexahedra begin with the face that Sinew's end with.
    assert_eq!((after("Hexahedra", 2), after("Hexahedra", 10)), ("5".into(), "0".into()));
}

#[test]
fn a_file_of_faces_of_another_mesh_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mesh = mesh_of(&[(ElementKind::Tet4, [0.0; 3], 1.0)]);
    assert!(write_mesh(&dir.path().join("m.ele"), &mesh).unwrap().is_empty());
    std::fs::write(dir.path().join("m.face"), "1 1\n1 1 2 9 7\n").unwrap();
    let notes = write_mesh(&dir.path().join("m.ele"), &mesh).unwrap();
    assert!(notes.len() == 1 && notes[0].contains("m.face"), "{notes:?}");
    let refused = read_volume(&dir.path().join("m.ele"), &ReadOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("m.face, line 2"), "{refused}");
}

#[test]
fn what_a_format_cannot_hold_is_refused_or_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut mesh = mesh_of(&[(ElementKind::Hex8, [0.0; 3], 1.0)]);
    mesh.node_sets.insert("held".to_owned(), vec![0]);
    for (name, reason) in [
        ("m.ele", "tetrahedra of four nodes"),
        ("m.stl", "write the boundary"),
        ("m.xyz", "none of .vtu"),
    ] {
        let message = write_mesh(&dir.path().join(name), &mesh).unwrap_err().to_string();
        assert!(message.contains(reason), "{name}: {message}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "a refused file was left");
    let notes = write_mesh(&dir.path().join("m.msh"), &mesh).unwrap();
    assert_eq!(notes, ["1 node set not written: the format has no place for it"]);
    let triangle = SurfaceData {
        points: vec![Vec3::zeros(), Vec3::x() * 0.1, Vec3::y()],
        triangles: vec![[0, 1, 2]],
        ..SurfaceData::default()
    };
    let message = write_surface(&dir.path().join("s.msh"), &triangle).unwrap_err().to_string();
    assert!(message.contains("this is a surface"), "{message}");
    let notes = write_surface(&dir.path().join("s.stl"), &triangle).unwrap();
    assert_eq!(notes, ["1 point rounded to single precision, by 1.5e-9 at most"]);
}
