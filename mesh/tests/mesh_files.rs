//! Frames and series that are written, and what is read of them.

use std::path::{Path, PathBuf};

use sinew_mesh::Vec3;
use sinew_mesh::io::{
    FieldRef, Frame, LengthUnit, PvdWriter, ReadOptions, SurfaceFrame, WriteError, mesh_volume,
    read_volume, write_surface_vtu, write_vtu,
};
use sinew_mesh::{ElementKind, VolumeMesh};

/// Reference corners and edges in Sinew's node order.
fn element(kind: ElementKind) -> Vec<Vec3> {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let at = |z: f64| move |[x, y]: [f64; 2]| Vec3::new(x, y, z);
    let ring = |n: usize, from: usize| (0..n).map(move |i| [from + i, from + (i + 1) % n]);
    let (mut x, edges): (Vec<Vec3>, Vec<[usize; 2]>) = match kind {
        ElementKind::Tet4 | ElementKind::Tet10 => (
            [&triangle.map(at(0.0))[..], &[Vec3::z()]].concat(),
            ring(3, 0).chain([[0, 3], [1, 3], [2, 3]]).collect(),
        ),
        ElementKind::Hex8 | ElementKind::Hex20 => (
            [square.map(at(1.0)), square.map(at(-1.0))].concat(),
            ring(4, 0).chain(ring(4, 4)).chain((0..4).map(|i| [i, i + 4])).collect(),
        ),
        ElementKind::Wedge6 | ElementKind::Wedge15 => (
            [triangle.map(at(-1.0)), triangle.map(at(1.0))].concat(),
            ring(3, 0).chain(ring(3, 3)).chain((0..3).map(|i| [i, i + 3])).collect(),
        ),
        ElementKind::Pyramid5 | ElementKind::Pyramid13 => (
            [&square.map(at(-1.0))[..], &[Vec3::z()]].concat(),
            ring(4, 0).chain((0..4).map(|i| [i, 4])).collect(),
        ),
    };
    if kind.node_count() > x.len() {
        for [a, b] in edges {
            x.push((x[a] + x[b]) / 2.0);
        }
    }
    x
}

/// One element of each kind, side by side.
fn all_kinds() -> VolumeMesh {
    let mut mesh = VolumeMesh::default();
    for (i, kind) in ElementKind::ALL.into_iter().enumerate() {
        let first = mesh.nodes.len() as u32;
        mesh.nodes.extend(element(kind).iter().map(|p| p * 0.1 + Vec3::x() * i as f64));
        let ids: Vec<u32> = (first..mesh.nodes.len() as u32).collect();
        mesh.push_element(kind, &ids).unwrap();
    }
    mesh
}

/// A cube in the order of a left-handed one, with one corner pushed in so far that its Jacobian has the other sign: all
/// points of quadrature are negative, and not all corners.
#[test]
fn elements_that_are_left_handed_at_all_points_of_quadrature_are_turned_whatever_their_corners() {
    let mut nodes = element(ElementKind::Hex8);
    nodes.rotate_left(4);
    nodes[2] = Vec3::new(0.2, 0.2, -0.2);
    let mut mesh = VolumeMesh::new(nodes);
    mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("left.vtu");
    write(&path, &mesh);
    let read = read_volume(&path, &ReadOptions::default()).unwrap();
    assert!(mesh_volume(&mesh) < 0.0 && mesh_volume(&read.mesh) > 0.0);
    let notes = read.notes.join("; ");
    assert!(notes.contains("reordered to right-handed: all 1 element"), "{notes}");
}

fn write(path: &Path, mesh: &VolumeMesh) {
    let frame = Frame { mesh, positions: &mesh.nodes, point_data: &[], cell_data: &[] };
    write_vtu(path, &frame).unwrap();
}

#[test]
fn all_eight_kinds_survive_writing_and_reading_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kinds.vtu");
    let mesh = all_kinds();
    write(&path, &mesh);
    let file = read_volume(&path, &ReadOptions::default()).unwrap();
    assert_eq!(file.mesh, mesh);
    assert_eq!(file.notes, ["8 components that share no node"]);
}

#[test]
fn an_array_longer_than_one_block_survives() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.vtu");
    let mut mesh = VolumeMesh::default();
    // 4096 nodes of 24 bytes end exactly on the third block of 32768, 16 bytes a type do not.
    for i in 0..1024 {
        mesh.nodes
            .extend(element(ElementKind::Tet4).iter().map(|p| p + Vec3::x() * i as f64 * 2.0));
        let ids = [0, 1, 2, 3].map(|n| 4 * i + n);
        mesh.push_element(ElementKind::Tet4, &ids).unwrap();
    }
    write(&path, &mesh);
    assert_eq!(read_volume(&path, &ReadOptions::default()).unwrap().mesh, mesh);
}

#[test]
fn fields_of_a_wrong_length_are_refused_and_leave_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrong.vtu");
    let mesh = all_kinds();
    let point_data = [("stress", FieldRef::Scalars(&[1.0, 2.0]))];
    let frame =
        Frame { mesh: &mesh, positions: &mesh.nodes, point_data: &point_data, cell_data: &[] };
    let error = write_vtu(&path, &frame).unwrap_err();
    assert!(matches!(error, WriteError::Length { expected: 81, given: 2, .. }), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_frame_that_cannot_be_written_names_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("absent/frame.vtu");
    let mesh = all_kinds();
    let frame = Frame { mesh: &mesh, positions: &mesh.nodes, point_data: &[], cell_data: &[] };
    assert!(write_vtu(&path, &frame).unwrap_err().to_string().contains("frame.vtu"));
}

#[test]
fn a_series_is_complete_after_each_frame_and_names_files_relative_to_itself() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.pvd");
    let mut series = PvdWriter::create(&path).unwrap();
    for (n, time) in [(1, 0.0), (2, 0.01), (3, 0.1 + 0.2)] {
        series.push(time, &dir.path().join(format!("a&b_{n}.vtu"))).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let sets: Vec<_> = document.descendants().filter(|d| d.has_tag_name("DataSet")).collect();
        assert_eq!(sets.len(), n);
        assert_eq!(sets[n - 1].attribute("file"), Some(format!("a&b_{n}.vtu").as_str()));
        assert_eq!(sets[n - 1].attribute("timestep").unwrap().parse(), Ok(time));
    }
    assert!(series.push(f64::NAN, &path).is_err());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "a part was left behind");
}

#[test]
fn lengths_are_converted_from_the_unit_of_the_file() {
    let cube = bad("vtk/cube.vtk");
    for (name, factor) in [("m", 1.0_f64), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6)] {
        let unit = LengthUnit::from_name(name).unwrap();
        let volume = mesh_volume(&read_volume(&cube, &ReadOptions { unit }).unwrap().mesh);
        assert!((volume / factor.powi(3) - 1.0).abs() < 1e-14, "{name}: {volume}");
    }
    assert_eq!(LengthUnit::from_name("furlong"), None);
}

/// Left-handed versions of all kinds are found and put right, so that the corner volumes agree.
#[test]
fn a_mirrored_file_is_reordered_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mirrored.vtu");
    let mesh = all_kinds();
    let mirrored: Vec<Vec3> = mesh.nodes.iter().map(|p| Vec3::new(p.x, p.y, -p.z)).collect();
    let frame = Frame { mesh: &mesh, positions: &mirrored, point_data: &[], cell_data: &[] };
    write_vtu(&path, &frame).unwrap();
    let file = read_volume(&path, &ReadOptions::default()).unwrap();
    assert!(file.notes[0].contains("all 8 elements"), "{:?}", file.notes);
    let (before, after) = (mesh_volume(&mesh), mesh_volume(&file.mesh));
    assert!((before - after).abs() < 1e-14, "{before} {after}");
}

fn bad(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad").join(name)
}

#[test]
fn surfaces_are_written_whole_or_refused_for_a_corner_or_a_length_that_does_not_fit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("surface.vtu");
    let positions = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let names = ["a<b".to_owned()];
    let frame = SurfaceFrame {
        triangles: &[[0, 1, 2]],
        positions: &positions,
        point_data: &[],
        cell_data: &[("body", FieldRef::Scalars(&[0.0]))],
        labels: &[("body_names", &names)],
    };
    let corner = SurfaceFrame { triangles: &[[0, 1, 3]], ..frame };
    let error = write_surface_vtu(&path, &corner).unwrap_err();
    assert!(error.to_string().contains("corner 3"), "{error}");
    let length = SurfaceFrame { cell_data: &[("body", FieldRef::Scalars(&[]))], ..frame };
    assert!(matches!(write_surface_vtu(&path, &length), Err(WriteError::Length { .. })));
    assert!(!path.exists());

    write_surface_vtu(&path, &frame).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("NumberOfPoints=\"3\" NumberOfCells=\"1\""), "{text}");
    // The bytes of the name, as VTK writes texts.
    assert!(text.contains("97 60 98 0\n"), "{text}");
}
