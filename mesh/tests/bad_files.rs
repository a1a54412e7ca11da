//! Malformed, tricky and degenerate files (datasets/bad, MANIFEST.tsv): each meets its expected
//! outcome, and no file of the manifest is left out.

use std::path::{Path, PathBuf};

use sinew_mesh::io::{
    MeshFile, ReadError, ReadOptions, Recognized, mesh_volume, read_volume, read_volume_bytes,
    recognize,
};

enum Outcome {
    /// Reads with this volume [m^3] and a note that contains the text; no note at all for "".
    Reads(f64, &'static str),
    /// Refused with a message that contains all of these.
    Refused(&'static [&'static str]),
}
use Outcome::{Reads, Refused};

const SIXTH: f64 = 1.0 / 6.0;

/// A file (of a pair: without ending) and what must become of it.
const TABLE: [(&str, Outcome); 75] = [
    ("tetgen/faces", Reads(1.0, "")),
    ("ansys/archive.cdb", Reads(1.0, "passed over: 1 non-solid")),
    (
        "feb/data40.feb",
        Reads(1.0, "material `M` (neo-Hookean, density = 1, E = 1, v = 0.3) not read"),
    ),
    ("vtk/sets.vtu", Reads(1.0, "")),
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
    ("gmsh/lower_dim.msh", Reads(1.0, "1 of 1 faces of `physical_1` belong to no element")),
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
    ("ansys/hex1", Reads(1.0, "")),
    ("ansys/degenerate_tets", Reads(1.0, "")),
    ("ansys/wedge", Reads(0.5, "")),
    ("ansys/pyramid", Reads(1.0 / 3.0, "")),
    // A cube of unit edges, one corner of which is pulled out by 0.1 along each.
    ("ansys/runon_columns", Reads(1.075, "reordered to right-handed: all 1 element")),
    ("ansys/short_lines", Reads(1.0, "")),
    ("ansys/runon_elem", Reads(1.0, "")),
    ("ansys/hex20_continuation", Reads(1.0, "")),
    ("ansys/cw_hex", Reads(1.0, "reordered to right-handed: all 1 element")),
    (
        "ansys/twisted_hex",
        Reads(0.5, "1 element with a corner Jacobian that is not positive; kept"),
    ),
    ("ansys/missing_node_ref", Refused(&[".elem, line 1", "element 1", "node 71", "8 nodes"])),
    ("ansys/columns_13", Refused(&["columns_13.elem, line 1", "14 columns", "13 columns"])),
    ("ansys/letters", Refused(&["letters.elem, line 1", "a whole number", "`a`"])),
    ("ansys/continuation_first", Refused(&["line 1", "before its second line"])),
    ("abaqus/cube.inp", Reads(1.0, "")),
    ("abaqus/lower_case_spaces.inp", Reads(1.0, "")),
    ("abaqus/parts_instances.inp", Reads(2.0, "2 components")),
    ("abaqus/include_missing.inp", Refused(&["line 24", "nothere.inp", "put its lines"])),
    ("abaqus/include_escape.inp", Refused(&["line 1", "../../../../etc/passwd", "outside"])),
    ("abaqus/missing_node.inp", Refused(&["line 14", "element 1", "node 555"])),
    ("nastran/cube.bdf", Reads(1.0, "")),
    ("nastran/cube_free.bdf", Reads(1.0, "")),
    ("nastran/implicit_exponent.bdf", Reads(1.0, "")),
    ("nastran/missing_grid.bdf", Refused(&["line 15", "element 4", "node 8", "7 nodes"])),
    (
        "feb/cube40.feb",
        Reads(1.0, "material `M` (neo-Hookean, density = 1, E = 1, v = 0.3) not read"),
    ),
    ("feb/v05.feb", Refused(&["`M`", "neo-Hookean", "0.5", "below 0.5"])),
    ("gmsh/cube10.msh", Reads(1.0, "")),
    ("medit/cube.mesh", Reads(1.0, "")),
    // Three elements over the same nodes.
    ("medit/kinds.mesh", Reads(1.0 + 0.5 + 1.0 / 3.0, "passed over: 1 line")),
    ("medit/binary.meshb", Refused(&["byte 0", ".meshb", "save it as text"])),
    ("medit/count_1e18.mesh", Refused(&["line 4", "1000000000000000000 vertices"])),
    ("ucd/cube.inp", Reads(1.0 + 1.0 / 3.0, "")),
    ("ucd/unknown_cell.inp", Refused(&["line 10", "`hexa`"])),
    ("vega/cube.veg", Reads(1.0, "")),
    ("feb/missing_node.feb", Refused(&["line 2", "element 1", "node 55"])),
];

/// Folders of surfaces, and of models of other programs, which are not read as volumes.
const OTHERS: [&str; 5] = ["obj/", "stl/", "ply/", "osim/", "mjcf/"];

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
fn sets_and_fields_of_the_files_that_have_them_are_there() {
    let faces = read("tetgen/faces").unwrap().mesh.face_sets;
    assert_eq!((faces["marker_7"].len(), faces["marker_-8"].len(), faces.len()), (2, 2, 2));
    let archive = read("ansys/archive.cdb").unwrap().mesh;
    assert_eq!(archive.node_sets["LOWER"], [0, 1, 2, 3]);
    assert_eq!(archive.element_sets["SOME"], [0, 2, 3, 4]);
    assert_eq!(archive.element_sets["material_3"].len(), 5);
    let data = read("feb/data40.feb").unwrap().mesh;
    assert_eq!(data.element_fields["fiber"].values[12..], [0.0, 0.0, 1.0]);
    assert_eq!(data.node_fields["heat"].values[5], 2.5);
    let sets = read("vtk/sets.vtu").unwrap().mesh;
    assert_eq!(sets.node_sets["held"], [0, 1, 2, 3]);
    assert_eq!(sets.element_sets["some"], [0, 2, 3, 4]);
    assert_eq!(sets.element_fields["set:age"].values, [1.0, 0.0, 2.0, 1.0, 1.0]);
    let lower: Vec<_> = sets.face_sets["lower"].iter().map(|at| (at.element, at.face)).collect();
    assert_eq!(lower, [(0, 0), (1, 3)]);
}

#[test]
fn the_manifest_holds_no_file_that_is_not_tested() {
    for name in manifest() {
        let endings = [".node", ".ele", ".elem", ".face"];
        let stem = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        let known = TABLE.iter().any(|(n, _)| *n == stem) || CUBES.contains(&stem);
        let other = OTHERS.iter().any(|folder| name.starts_with(folder));
        assert!(known != other, "{name} has no expected outcome");
    }
}

/// The names of all files of the manifest.
fn manifest() -> Vec<String> {
    let manifest = std::fs::read_to_string(folder().join("MANIFEST.tsv")).unwrap();
    manifest.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn surfaces_are_recognized_as_such_and_refused_as_volumes() {
    let surfaces = |name: &String| ["obj/", "stl/", "ply/"].iter().any(|f| name.starts_with(f));
    for name in manifest().into_iter().filter(surfaces) {
        let bytes = std::fs::read(folder().join(&name)).unwrap();
        let message = read(&name).expect_err(&name).to_string();
        if name == "obj/empty.obj" {
            assert!(message.contains("empty"), "{message}");
            continue;
        }
        let found = recognize(&bytes);
        assert!(matches!(found, Recognized::Surface(_)), "{name}: {found:?}");
        assert!(message.contains("holds surfaces"), "{name}: {message}");
    }
}

#[test]
fn groups_of_faces_become_face_sets_and_data_of_nodes_and_cells_fields() {
    let mesh = read("gmsh/cube10.msh").unwrap().mesh;
    assert_eq!(mesh.element_sets["physical_8"], [3, 4]);
    // Of the first tetrahedron the face of the corners 0, 1, 2 of the file.
    let [face] = mesh.face_sets["physical_9"][..] else { panic!("{:?}", mesh.face_sets) };
    let (kind, nodes) = mesh.element(face.element as usize);
    let corners = kind.faces()[usize::from(face.face)].iter().map(|&i| nodes[i as usize]);
    assert_eq!(corners.collect::<std::collections::BTreeSet<_>>(), [0, 1, 3].into());
    let mesh = read("medit/cube.mesh").unwrap().mesh;
    assert_eq!(mesh.node_sets["medit_ref_2"], [4, 5, 6, 7]);
    assert_eq!(mesh.element_sets["medit_ref_4"], [3, 4]);
    assert_eq!(mesh.face_sets["medit_ref_9"].len(), 1);
    let mesh = read("ucd/cube.inp").unwrap().mesh;
    assert_eq!(mesh.node_fields["load"].values[..], [0.0; 8]);
    assert_eq!(mesh.node_fields["heat"].values[7], 2.5);
    assert_eq!(mesh.element_fields["stress"].values, [4.5, 5.5]);
    let mesh = read("vega/cube.veg").unwrap().mesh;
    assert_eq!([&mesh.element_sets["one"], &mesh.element_sets["material_BODY"]], [&[0], &[0]]);
}

#[test]
fn files_without_the_word_that_ends_them_are_read_with_a_warning() {
    for (name, end) in [("nastran/cube.bdf", "ENDDATA"), ("medit/cube.mesh", "End")] {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let cut = text.trim_end().strip_suffix(end).unwrap();
        let file = read_volume_bytes(&[cut.as_bytes()], None, &ReadOptions::default()).unwrap();
        assert!(
            file.notes[0].contains(end) && file.notes[0].contains("cut off"),
            "{:?}",
            file.notes
        );
    }
}

#[test]
fn sets_of_abaqus_and_febio_keep_their_names_and_members() {
    let mesh = read("abaqus/cube.inp").unwrap().mesh;
    assert_eq!(mesh.node_sets["FIX"], [0, 1, 2, 3]);
    assert_eq!(mesh.node_sets["ALL"].len(), 8);
    assert_eq!(mesh.element_sets["BODY"], [0, 1, 2, 3, 4]);
    assert_eq!(mesh.element_sets["E1"], [0, 1, 2]);
    let mesh = read("abaqus/parts_instances.inp").unwrap().mesh;
    assert_eq!(mesh.node_sets["I2.FIX"], [8, 9, 10, 11]);
    assert_eq!(mesh.element_sets["I1"], [0, 1, 2, 3, 4]);
    // The first instance is moved by 5 along x.
    assert_eq!(mesh.nodes[0].x, 5.0);
    let mesh = read("feb/cube40.feb").unwrap().mesh;
    assert_eq!(mesh.element_sets["P"], mesh.element_sets["material_M"]);
    assert_eq!(mesh.node_sets["N"].len(), 8);
}

#[test]
fn degenerate_hexahedra_become_the_elements_that_they_are() {
    for (name, kind, count) in [
        ("ansys/degenerate_tets", "tet4", 5),
        ("ansys/wedge", "wedge6", 1),
        ("ansys/pyramid", "pyramid5", 1),
        ("ansys/hex1", "hex8", 1),
        ("ansys/hex20_continuation", "hex20", 1),
    ] {
        let mesh = read(name).unwrap().mesh;
        assert!(mesh.elements().all(|(found, _)| found.name() == kind), "{name}");
        assert_eq!(mesh.element_count(), count, "{name}");
    }
}

#[test]
fn regions_and_physical_groups_become_element_sets() {
    let all: Vec<u32> = (0..5).collect();
    for (name, set) in [
        ("tetgen/region_attr", "region_7"),
        ("gmsh/cube41.msh", "physical_7"),
        ("gmsh/cube22.msh", "physical_1"),
        ("nastran/cube.bdf", "property_1"),
        ("ansys/degenerate_tets", "material_1"),
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
    write("shell.node", b"1 0 0 0.\n2 1 0 0.\n3 0 1 0.\n");
    write("binary.mesh", b"\x01\0\0\0\x02\0\0\0");
    write("binary.inp", b"\x07\0\0\0\x02\0\0\0");
    write("dtd.feb", b"<!DOCTYPE f [<!ENTITY a \"b\">]><febio_spec version=\"4.0\"/>");
    write("lonely.node", b"0 3 0 0\n");
    write("poly.vtp", b"<VTKFile type=\"PolyData\"/>");
    write("surface.vtk", b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n");
    write("other.xml", b"<robot/>");
    for (name, reason) in [
        ("", "this is a folder"),
        ("absent.vtu", "absent.vtu"),
        ("absent.node", "absent.node"),
        ("empty.vtu", "the file is empty"),
        ("surface.stl", "STL holds surfaces"),
        ("old.msh", "ends where $ELM should stand"),
        ("lonely.node", "lonely.ele is missing"),
        ("shell.node", "shell.elem is missing"),
        ("binary.mesh", "binary format (.meshb)"),
        ("binary.inp", "AVS's binary format"),
        ("dtd.feb", "DTD"),
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
