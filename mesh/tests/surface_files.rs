//! Surfaces of the folder of malformed, tricky and degenerate files (MANIFEST.tsv): each meets its
//! expected outcome, and no surface of the manifest is left out. Damaged files never panic.

use std::path::{Path, PathBuf};

use sinew_mesh::geometry::{Orientation, SurfaceMesh};
use sinew_mesh::io::{ReadError, ReadOptions, SurfaceFile, read_surface, read_surface_bytes};

enum Outcome {
    /// Reads with this volume [m³], as a closed surface, and a note that contains the text; no note
    /// at all for "".
    Reads(f64, &'static str),
    /// Reads so many points and triangles, with a note that contains the text.
    Counts(usize, usize, &'static str),
    /// Refused with a message that contains all of these.
    Refused(&'static [&'static str]),
}
use Outcome::{Counts, Reads, Refused};

const TABLE: [(&str, Outcome); 36] = [
    ("obj/cube.obj", Reads(1.0, "")),
    ("obj/cube_quads.obj", Reads(1.0, "6 of 6 faces cut into triangles")),
    ("obj/cube_bom.obj", Reads(1.0, "")),
    ("obj/cube_slashes.obj", Reads(1.0, "1 normal, 1 texture coordinate")),
    ("obj/cube_colors_w.obj", Reads(1.0, "8 weight or colour of a vertex")),
    ("obj/lines_points_only.obj", Counts(8, 0, "no triangle: 8 points and 1 lines")),
    ("obj/empty.obj", Refused(&["empty.obj", "the file is empty"])),
    ("obj/overflow_1e400.obj", Refused(&["line 2", "node 2", "inf"])),
    ("obj/index_huge.obj", Refused(&["line 21", "node 4294967297", "8 nodes"])),
    ("obj/index_zero.obj", Refused(&["line 21", "node 0", "OBJ counts from 1"])),
    ("obj/face_two_vertices.obj", Reads(1.0, "fewer than three corners is on line 21")),
    ("obj/comma_decimal.obj", Refused(&["line 2", "a number", "1,5"])),
    ("obj/long_line.obj", Refused(&["line 1", "a vertex of 3 to 8 numbers"])),
    ("obj/open_box.obj", Counts(8, 10, "")),
    ("obj/bowtie_vertex.obj", Reads(2.0, "")),
    ("obj/one_flipped.obj", Counts(8, 12, "")),
    ("obj/dup_vertices.obj", Counts(36, 12, "")),
    ("obj/unused_vertices.obj", Reads(1.0, "")),
    ("obj/tiny_1e-30.obj", Reads(1e-90, "")),
    ("stl/cube_ascii.stl", Reads(1.0, "")),
    ("stl/cube_binary_solid_header.stl", Reads(1.0, "")),
    ("stl/two_solids.stl", Reads(1.0, "")),
    ("stl/cube_ascii_upper.stl", Reads(1.0, "")),
    ("stl/empty_binary.stl", Counts(0, 0, "no triangle")),
    ("stl/count_4e9.stl", Refused(&["byte 84", "4294967295 triangles", "600 bytes"])),
    ("stl/truncated.stl", Refused(&["12 triangles", "570 bytes"])),
    ("stl/ascii_missing_endfacet.stl", Refused(&["line 8", "endfacet", "facet"])),
    ("stl/nan.stl", Refused(&["byte", "NaN"])),
    ("ply/cube_ascii.ply", Reads(1.0, "")),
    ("ply/cube_be.ply", Reads(1.0, "")),
    ("ply/cube_vertex_index.ply", Reads(1.0, "")),
    ("ply/cube_crlf.ply", Reads(1.0, "")),
    ("ply/count_1e18.ply", Refused(&["1000000000000000000 vertices", "bytes follow"])),
    ("ply/too_few_rows.ply", Refused(&["80 vertices", "144 bytes"])),
    ("ply/index_out.ply", Refused(&["element 0", "node 200", "8 nodes"])),
    ("ply/no_end_header.ply", Refused(&["line 10", "header", "`0`"])),
];

/// The folder of the project's own test data, or of the shared data beside it.
fn folder() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad");
    if own.join("obj").is_dir() { own } else { shared().join("bad") }
}

fn shared() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let root = std::env::var_os("SINEW_SHARED").unwrap_or_else(|| beside.into());
    PathBuf::from(root).join("datasets")
}

fn read(name: &str) -> Result<SurfaceFile, ReadError> {
    read_surface(&folder().join(name), &ReadOptions::default())
}

fn mesh(name: &str) -> SurfaceMesh {
    read(name).unwrap_or_else(|e| panic!("{e}")).surface.mesh().unwrap()
}

fn note_fits(name: &str, note: &str, notes: &[String]) {
    let notes = notes.join("; ");
    assert_eq!(note.is_empty(), notes.is_empty(), "{name}: {notes}");
    assert!(notes.contains(note), "{name}: {notes}");
}

#[test]
fn every_surface_meets_its_expected_outcome() {
    for (name, outcome) in &TABLE {
        match (outcome, read(name)) {
            (Reads(volume, note), Ok(file)) => {
                let mesh = file.surface.mesh().unwrap();
                let found = mesh.signed_volume();
                assert!((found - volume).abs() <= 1e-14 * volume, "{name}: {found}");
                assert!(mesh.topology().is_closed(), "{name}");
                note_fits(name, note, &file.notes);
            }
            (Counts(points, triangles, note), Ok(file)) => {
                let found = (file.surface.points.len(), file.surface.triangles.len());
                assert_eq!(found, (*points, *triangles), "{name}");
                note_fits(name, note, &file.notes);
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
fn the_manifest_holds_no_surface_that_is_not_tested() {
    let manifest = std::fs::read_to_string(folder().join("MANIFEST.tsv")).unwrap();
    let names = manifest.lines().skip(1).filter_map(|line| line.split('\t').next());
    let surfaces = names.filter(|n| ["obj/", "stl/", "ply/"].iter().any(|f| n.starts_with(f)));
    for name in surfaces {
        assert!(TABLE.iter().any(|(n, _)| *n == name), "{name} has no expected outcome");
    }
}

#[test]
fn what_is_wrong_with_the_shape_is_found() {
    let open = mesh("obj/open_box.obj").topology();
    assert_eq!((open.open_edges, open.is_closed()), (4, false));
    assert!(mesh("obj/open_box.obj").solid_integrals().is_err());
    let bow = mesh("obj/bowtie_vertex.obj").topology();
    assert_eq!((bow.non_manifold_vertices, bow.non_manifold_edges), (1, 0));
    let flipped = mesh("obj/one_flipped.obj").topology();
    assert_eq!((flipped.inconsistent_edges, flipped.orientation), (3, Orientation::Undefined));
    let unused = read("obj/unused_vertices.obj").unwrap().surface;
    assert_eq!(unused.mesh().unwrap().topology().unused_vertices, 5);
    let [lo, hi] = unused.bounding_box().unwrap();
    assert_eq!((lo.min(), hi.max()), (0.0, 1.0));
    assert_eq!(mesh("obj/tiny_1e-30.obj").degenerate_triangles(1e-12), [0; 0]);
}

#[test]
fn solids_groups_and_lines_become_named_sets() {
    let two = read("stl/two_solids.stl").unwrap().surface;
    assert_eq!(two.triangle_sets["a"], [0, 1, 2, 3, 4, 5]);
    assert_eq!(two.triangle_sets["b"], [6, 7, 8, 9, 10, 11]);
    let text =
        b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\no box\ng low all\nf 1 2 3 4\ng high \\\n all\n\
                 usemtl red\nf -4 -3 -1\nl 1 2 3\ng\nf 1 2 3\n";
    let file = read_surface_bytes(text, &ReadOptions::default()).unwrap();
    let sets = &file.surface.triangle_sets;
    assert_eq!(file.surface.triangles[2], [0, 1, 3]);
    for (name, triangles) in [
        ("box", &[0, 1, 2, 3][..]),
        ("all", &[0, 1, 2]),
        ("low", &[0, 1]),
        ("high", &[2]),
        ("material_red", &[2, 3]),
    ] {
        assert_eq!(sets[name], triangles, "{name}: {sets:?}");
    }
    assert_eq!(file.surface.polylines, [[0, 1, 2]]);
    assert_eq!(file.surface.polyline_sets["high"], [0]);
}

/// Small valid files that damage is done to: all of the table that are read, and VTK surfaces.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let read = TABLE.iter().filter(|(name, outcome)| {
        !matches!(outcome, Refused(_)) && !name.contains("dup_") && !name.contains("bowtie")
    });
    let from_file = |(name, _): &(&str, Outcome)| {
        ((*name).to_owned(), std::fs::read(folder().join(name)).unwrap())
    };
    let own = [("poly.vtk", POLY_VTK), ("offsets.vtk", OFFSETS_VTK), ("poly.vtp", POLY_VTP)];
    let own = own.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    read.map(from_file).chain(own).collect()
}

/// A square of a polygon, a strip of two triangles beside it, a line, and an array of each place.
const POLY_VTK: &str = "# vtk DataFile Version 3.0\nsquare\nASCII\nDATASET POLYDATA\n\
    POINTS 6 float\n0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0\n\
    LINES 1 3\n2 0 5\nPOLYGONS 1 5\n4 0 1 2 3\nTRIANGLE_STRIPS 1 5\n4 1 4 2 5\n\
    CELL_DATA 3\nSCALARS part int 1\nLOOKUP_TABLE default\n7 8 9\n\
    POINT_DATA 6\nVECTORS v double\n1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0\n";

const OFFSETS_VTK: &str = "# vtk DataFile Version 5.1\nsquare\nASCII\nDATASET POLYDATA\n\
    POINTS 6 float\n0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0\n\
    POLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n\
    TRIANGLE_STRIPS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n1 4 2 5\n\
    LINES 2 2\nOFFSETS vtktypeint64\n0 2\nCONNECTIVITY vtktypeint64\n0 5\n\
    CELL_DATA 3\nFIELD FieldData 1\npart 1 3 int\n7 8 9\n\
    POINT_DATA 6\nVECTORS v double\n1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0\n";

const POLY_VTP: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\">\n\
    <PolyData><Piece NumberOfPoints=\"6\" NumberOfLines=\"1\" NumberOfPolys=\"1\" NumberOfStrips=\"1\">\n\
    <Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n\
    0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0</DataArray></Points>\n\
    <Lines><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 5</DataArray>\n\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2</DataArray></Lines>\n\
    <Strips><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">1 4 2 5</DataArray>\n\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray></Strips>\n\
    <Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\n\
    <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray></Polys>\n\
    <PointData><DataArray type=\"Float64\" Name=\"v\" NumberOfComponents=\"3\" format=\"ascii\">\n\
    1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0</DataArray></PointData>\n\
    <CellData><DataArray type=\"Int32\" Name=\"part\" format=\"ascii\">7 8 9</DataArray></CellData>\n\
    </Piece></PolyData></VTKFile>\n";

#[test]
fn polygons_strips_lines_and_fields_are_the_same_from_every_form_of_vtk() {
    let read = |text: &str| read_surface_bytes(text.as_bytes(), &ReadOptions::default()).unwrap();
    let first = read(POLY_VTK).surface;
    assert_eq!(first.triangles, [[3, 0, 1], [1, 2, 3], [1, 4, 2], [2, 4, 5]]);
    assert_eq!(first.polylines, [[0, 5]]);
    assert_eq!(first.triangle_fields["part"].values, [8.0, 8.0, 9.0, 9.0]);
    assert_eq!(first.point_fields["v"].components, 3);
    for text in [OFFSETS_VTK, POLY_VTP] {
        assert_eq!(read(text).surface, first);
    }
}

#[test]
fn files_cut_off_at_any_byte_never_panic() {
    for (_, bytes) in seeds() {
        for end in 0..bytes.len() {
            let _ = read_surface_bytes(&bytes[..end], &ReadOptions::default());
        }
    }
}

/// Every byte in turn becomes each of some that end words, change numbers, or are in no text.
#[test]
fn files_with_any_byte_changed_never_panic() {
    for (_, mut bytes) in seeds() {
        for place in 0..bytes.len() {
            let kept = bytes[place];
            for value in [0, 0xff, b' ', b'\n', b'9', b'-', b'/', b'<', kept ^ 1, kept ^ 0x80] {
                bytes[place] = value;
                let _ = read_surface_bytes(&bytes, &ReadOptions::default());
            }
            bytes[place] = kept;
        }
    }
}
