//! Writing and reading back, all element kinds in all formats that have them, and damaged files.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::io::{
    FieldRef, Frame, LengthUnit, MeshFile, PvdWriter, ReadError, ReadOptions, SurfaceFrame,
    WriteError, mesh_volume, read_volume, write_surface_vtu, write_vtu,
};

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

/// The small valid files that damage is done to.
const SEEDS: [&str; 13] = [
    "vtk/cube.vtk",
    "vtk/v51_offsets.vtk",
    "vtk/cube_ascii.vtu",
    "vtk/cube_zlib.vtu",
    "vtk/cube_appended_raw.vtu",
    "gmsh/cube22.msh",
    "gmsh/cube22_bin_be.msh",
    "gmsh/cube41.msh",
    "tetgen/tet10.node",
    "tetgen/region_attr.ele",
    "written.vtu",
    "binary.vtk",
    "binary.msh",
];

/// The cube of the data folder as big-endian legacy VTK of version 5.1.
fn binary_vtk() -> Vec<u8> {
    let cube = read_volume(&bad("vtk/cube.vtk"), &ReadOptions::default()).unwrap().mesh;
    let mut out = b"# vtk DataFile Version 5.1\ncube\nBINARY\nDATASET UNSTRUCTURED_GRID\n".to_vec();
    out.extend(b"POINTS 8 double\n");
    out.extend(cube.nodes.iter().flat_map(|p| p.iter().flat_map(|x| x.to_be_bytes())));
    // What VTK itself writes between the sections.
    out.extend(
        b"\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1 \n\n",
    );
    out.extend(b"CELLS 6 20\nOFFSETS vtktypeint64\n");
    out.extend((0..6_i64).flat_map(|i| (4 * i).to_be_bytes()));
    out.extend(b"\nCONNECTIVITY vtktypeint64\n");
    out.extend(
        cube.elements().flat_map(|(_, n)| n.iter().flat_map(|&n| i64::from(n).to_be_bytes())),
    );
    out.extend(b"\nCELL_TYPES 5\n");
    out.extend([10_i32; 5].iter().flat_map(|c| c.to_be_bytes()));
    out.extend(b"\nPOINT_DATA 8\nFIELD FieldData 1\nload 2 8 float\n");
    out.extend([0; 64]);
    out.extend(b"\nCELL_DATA 5\nVECTORS v float\n");
    out.extend([0; 60]);
    out.extend(b"\nMETADATA\nINFORMATION 0\n\nSCALARS region int 1\nLOOKUP_TABLE default\n");
    out.extend([3_i32, 3, 4, 4, 4].iter().flat_map(|c| c.to_be_bytes()));
    out.extend(b"\nFIELD FieldData 1\nlabel 1 5 string\na\nb\nc\nd\ne\n");
    out
}

/// Binary Gmsh 4.1: the file whose element count is 2^63, with the count put right.
fn binary_msh() -> Vec<u8> {
    let mut bytes = std::fs::read(bad("gmsh/bin_count_2e63.msh")).unwrap();
    let marker = b"$Elements\n";
    let start = bytes.windows(marker.len()).position(|w| w == marker).unwrap() + marker.len();
    bytes[start + 8..start + 16].copy_from_slice(&5_u64.to_le_bytes());
    bytes
}

fn bad(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad").join(name)
}

#[test]
fn the_undamaged_files_are_read_and_binary_ones_hold_the_cube() {
    let dir = tempfile::tempdir().unwrap();
    for name in SEEDS {
        read_damaged(name, &seed(name, dir.path()), dir.path()).unwrap_or_else(|e| panic!("{e}"));
    }
    let cube = read_volume(&bad("vtk/cube.vtk"), &ReadOptions::default()).unwrap().mesh;
    for name in ["binary.vtk", "binary.msh"] {
        let MeshFile { mesh, notes, .. } =
            read_volume(&dir.path().join(name), &ReadOptions::default()).unwrap();
        assert_eq!(mesh.nodes, cube.nodes, "{name}");
        assert!(mesh.elements().eq(cube.elements()), "{name}");
        if name == "binary.vtk" {
            assert_eq!(mesh.element_sets["region_4"], [2, 3, 4]);
            assert!(notes[0].starts_with("attributes from `string`"), "{notes:?}");
        }
    }
}

fn seed(name: &str, dir: &Path) -> Vec<u8> {
    if name == "written.vtu" {
        write(&dir.join(name), &all_kinds());
        return std::fs::read(dir.join(name)).unwrap();
    }
    match name {
        "binary.vtk" => binary_vtk(),
        "binary.msh" => binary_msh(),
        _ => std::fs::read(bad(name)).unwrap(),
    }
}

#[test]
fn deeply_nested_xml_neither_overflows_the_stack_nor_hangs() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep.vtu");
    let text = format!("<VTKFile type=\"UnstructuredGrid\">{}", "<a>".repeat(300_000));
    std::fs::write(&path, text).unwrap();
    assert!(read_volume(&path, &ReadOptions::default()).is_err());
}

/// Writes the damaged bytes beside the undamaged partner of a pair and reads: any value will do, a
/// panic will not.
fn read_damaged(name: &str, bytes: &[u8], dir: &Path) -> Result<MeshFile, ReadError> {
    let path = dir.join(Path::new(name).file_name().unwrap());
    std::fs::write(&path, bytes).unwrap();
    for (one, other) in [(".node", ".ele"), (".ele", ".node")] {
        if let Some(stem) = name.strip_suffix(one) {
            let partner = format!("{stem}{other}");
            let target = dir.join(Path::new(&partner).file_name().unwrap());
            std::fs::write(target, seed(&partner, dir)).unwrap();
        }
    }
    read_volume(&path, &ReadOptions::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn truncated_files_of_every_format_never_panic(cut in 0.0..1.0_f64) {
        let dir = tempfile::tempdir().unwrap();
        for name in SEEDS {
            let bytes = seed(name, dir.path());
            let keep = (cut * bytes.len() as f64) as usize;
            let _ = read_damaged(name, &bytes[..keep], dir.path());
        }
    }

    #[test]
    fn files_of_every_format_with_changed_bytes_never_panic(
        changes in prop::collection::vec((0.0..1.0_f64, any::<u8>(), any::<bool>()), 1..6)
    ) {
        let dir = tempfile::tempdir().unwrap();
        for name in SEEDS {
            let mut bytes = seed(name, dir.path());
            for &(place, value, digit) in &changes {
                let place = (place * bytes.len() as f64) as usize;
                // Digits in text reach deeper than bytes that end the parse at once.
                bytes[place] = if digit { b'0' + value % 10 } else { value };
            }
            let _ = read_damaged(name, &bytes, dir.path());
        }
    }
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
