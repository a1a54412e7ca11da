//! Malformed, tricky and degenerate files (datasets/bad, MANIFEST.tsv): each meets its expected
//! outcome, and no file of the manifest is left out.

use std::path::{Path, PathBuf};

use sinew::io::{MeshFile, ReadError, ReadOptions, mesh_volume, read_volume};

enum Outcome {
    /// Reads with this volume [m^3] and a note that contains the text; no note at all for "".
    Reads(f64, &'static str),
    /// Refused with a message that contains all of these.
    Refused(&'static [&'static str]),
}
use Outcome::{Reads, Refused};

const SIXTH: f64 = 1.0 / 6.0;

/// A file (TetGen: the pair without ending) and what must become of it.
const TABLE: [(&str, Outcome); 36] = [
    ("tetgen/cube1", Reads(1.0, "")),
    ("tetgen/cube0", Reads(1.0, "")),
    ("tetgen/comments", Reads(1.0, "")),
    ("tetgen/region_attr", Reads(1.0, "")),
    ("tetgen/tet10", Reads(SIXTH, "")),
    ("tetgen/inverted", Reads(1.0, "reordered to right-handed: 2 of 5 elements")),
    // Five tets fill the cube, the sixth is flat.
    ("tetgen/zero_volume", Reads(1.0, "1 element with zero volume (the first is number 6")),
    (
        "tetgen/duplicate_nodes",
        Reads(1.0, "2 components that share no node; 4 nodes at the place of another"),
    ),
    ("tetgen/duplicate_elems", Reads(1.0 + 2.0 * SIXTH, "2 duplicates")),
    ("tetgen/three_tets_one_face", Reads(SIXTH + SIXTH * 0.5 + SIXTH * 0.8, "non-manifold")),
    ("tetgen/unused_node", Reads(1.0, "1 node that no element uses (the first is number 9")),
    ("tetgen/sliver_1e-9", Reads(1e-9 * SIXTH, "slivers")),
    ("tetgen/two_components", Reads(2.0, "2 components")),
    ("tetgen/ele_count_too_big", Refused(&["ele_count_too_big.ele", "50 elements"])),
    ("tetgen/ele_count_1e18", Refused(&["ele_count_1e18.ele", "1000000000000000000 elements"])),
    ("tetgen/ele_missing_node", Refused(&[".ele, line 2", "element 1", "node 99", "8 nodes"])),
    ("tetgen/mixed_base", Refused(&["element 0", "node 0", "count from 0"])),
    ("tetgen/node_nan", Refused(&["node_nan.node, line 3", "node 2", "NaN"])),
    ("tetgen/node_2d", Refused(&["node_2d.node, line 1", "dimension 2"])),
    ("tetgen/node_duplicate_ids", Refused(&["node number 1 is given twice"])),
    ("tetgen/node_nonsequential", Reads(1.0, "")),
    ("gmsh/cube22.msh", Reads(1.0, "")),
    ("gmsh/cube22_bin_be.msh", Reads(1.0, "")),
    ("gmsh/cube41.msh", Reads(1.0, "")),
    ("gmsh/sparse_tags22.msh", Reads(1.0, "")),
    ("gmsh/lower_dim.msh", Reads(1.0, "passed over: 1 triangle")),
    ("gmsh/version9.msh", Refused(&["version 9.9", "line 2"])),
    ("gmsh/count_1e18.msh", Refused(&["1000000000000000000 nodes", "line 5"])),
    ("gmsh/bin_count_2e63.msh", Refused(&["9223372036854775808 elements", "byte"])),
    ("gmsh/missing_node.msh", Refused(&["element 1", "node 55", "line 17"])),
    ("vtk/cube.vtk", Reads(1.0, "")),
    ("vtk/v51_offsets.vtk", Reads(1.0, "")),
    ("vtk/cells_size_wrong.vtk", Refused(&["50 cells", "line 14"])),
    ("vtk/points_1e18.vtk", Refused(&["1000000000000000000 points", "line 5"])),
    ("vtk/cell_type_200.vtk", Refused(&["element 0", "type 200"])),
    ("vtk/offset_past_end.vtu", Refused(&["2000", "cell 4", "20 entries"])),
];

/// The good VTU files, whose outcome is the same.
const CUBES: [&str; 3] = ["vtk/cube_ascii.vtu", "vtk/cube_zlib.vtu", "vtk/cube_appended_raw.vtu"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad")
}

fn read(name: &str) -> Result<MeshFile, ReadError> {
    read_volume(&folder().join(name), &ReadOptions::default())
}

#[test]
fn every_file_meets_its_expected_outcome() {
    for (name, outcome) in &TABLE {
        match (outcome, read(name)) {
            (Reads(volume, note), Ok(file)) => {
                let found = mesh_volume(&file.mesh);
                // Corners at 0 and 1: a few roundings; the sliver is judged by its own size.
                assert!((found - volume).abs() <= 1e-14 * volume.max(1e-9), "{name}: {found}");
                let notes = file.notes.join("; ");
                assert_eq!(note.is_empty(), notes.is_empty(), "{name}: {notes}");
                assert!(notes.contains(note), "{name}: {notes}");
            }
            (Refused(words), Err(error)) => {
                let message = error.to_string();
                for word in *words {
                    assert!(message.contains(word), "{name}: `{message}` lacks `{word}`");
                }
            }
            (_, Ok(file)) => panic!("{name} was read: {:?}", file.notes),
            (_, Err(error)) => panic!("{name} was refused: {error}"),
        }
    }
}

#[test]
fn the_cube_reads_the_same_from_every_encoding_of_vtu() {
    let plain = read("vtk/cube.vtk").unwrap().mesh;
    for name in CUBES {
        let file = read(name).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(file.mesh, plain, "{name}");
        assert!(file.notes.is_empty(), "{name}: {:?}", file.notes);
    }
}

#[test]
fn the_manifest_holds_no_file_that_is_not_tested() {
    let manifest = std::fs::read_to_string(folder().join("MANIFEST.tsv")).unwrap();
    for name in manifest.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        let stem = name.strip_suffix(".node").or(name.strip_suffix(".ele")).unwrap_or(name);
        let known = TABLE.iter().any(|(n, _)| *n == stem) || CUBES.contains(&stem);
        assert!(known, "{name} has no expected outcome");
    }
}

#[test]
fn regions_and_physical_groups_become_element_sets() {
    let all: Vec<u32> = (0..5).collect();
    for (name, set) in [
        ("tetgen/region_attr", "region_7"),
        ("gmsh/cube41.msh", "physical_7"),
        ("gmsh/cube22.msh", "physical_1"),
    ] {
        let sets = read(name).unwrap().mesh.element_sets;
        assert_eq!(sets.get(set), Some(&all), "{name}: {sets:?}");
    }
}

#[test]
fn a_tetgen_mesh_is_found_by_either_file_or_the_common_name() {
    let whole = read("tetgen/cube1").unwrap().mesh;
    for name in ["tetgen/cube1.node", "tetgen/cube1.ele"] {
        assert_eq!(read(name).unwrap().mesh, whole, "{name}");
    }
}

#[test]
fn an_unused_node_leaves_neither_a_gap_nor_a_massless_row() {
    let mesh = read("tetgen/unused_node").unwrap().mesh;
    assert_eq!(mesh.nodes.len(), 8);
    assert_eq!(mesh, read("tetgen/cube1").unwrap().mesh);
}

#[test]
fn what_is_no_mesh_file_is_refused_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(dir.path().join(name), text).unwrap();
    write("empty.vtu", b" \n");
    write("surface.stl", b"solid x\nendsolid x\n");
    write("old.msh", b"$NOD\n0\n$ENDNOD\n");
    write("lonely.node", b"0 3 0 0\n");
    write("poly.vtp", b"<VTKFile type=\"PolyData\"/>");
    write("surface.vtk", b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n");
    write("other.xml", b"<robot/>");
    for (name, reason) in [
        ("", "this is a folder"),
        ("absent.vtu", "absent.vtu"),
        ("absent.node", "absent.node"),
        ("empty.vtu", "the file is empty"),
        ("surface.stl", "looks like a surface"),
        ("old.msh", "version 1.0"),
        ("lonely.node", "lonely.ele is missing"),
        ("poly.vtp", "no volume element"),
        ("surface.vtk", "no volume element"),
        ("other.xml", "some other XML file"),
    ] {
        let message = read_volume(&dir.path().join(name), &ReadOptions::default())
            .expect_err(name)
            .to_string();
        assert!(message.contains(reason), "{name}: {message}");
    }
}

#[test]
fn an_xml_file_named_vtk_is_read_as_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cube.vtk");
    std::fs::copy(folder().join("vtk/cube_zlib.vtu"), &path).unwrap();
    assert_eq!(read_volume(&path, &ReadOptions::default()).unwrap().format, "VTU");
}

#[test]
fn an_element_that_is_inverted_between_sound_corners_is_kept_and_noted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("bent.vtk");
    // The node in the middle of the first edge lies at z = 0.5 instead of 0.
    let text = "# vtk DataFile Version 3.0\nbent\nASCII\nDATASET UNSTRUCTURED_GRID\n\
        POINTS 10 double\n0 0 0  1 0 0  0 1 0  0 0 1\n\
        0.5 0 0.5  0.5 0.5 0  0 0.5 0  0 0 0.5  0.5 0 0.5  0 0.5 0.5\n\
        CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n";
    std::fs::write(&path, text).unwrap();
    let file = read_volume(&path, &ReadOptions::default()).unwrap();
    assert_eq!(file.mesh.element_count(), 1);
    let notes = file.notes.join("; ");
    assert!(notes.contains("1 element with a Jacobian that is not positive at a quad"), "{notes}");
    assert!(!notes.contains("corner Jacobian"), "{notes}");
}
