//! Sound files of every format cut short at each byte and changed in each byte: any outcome will do,
//! a panic, a hang or a huge allocation will not.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sinew_mesh::io::{ReadOptions, read_volume, read_volume_bytes, write_mesh};
use sinew_mesh::{ElementFace, ElementKind, VolumeMesh};

/// A name and the content of a file, or of those of a pair.
type Sound = (String, Vec<Vec<u8>>);

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad").join(name)
}

/// All volume meshes of the data folder that can be read, and files that are made here.
fn sound_files() -> Vec<Sound> {
    let manifest = std::fs::read_to_string(data("MANIFEST.tsv")).unwrap();
    let names = manifest.lines().skip(1).map(|line| line.split('\t').next().unwrap());
    let mut files: Vec<Sound> = Vec::new();
    for name in names.filter(|name| !name.ends_with(".node") && !name.ends_with(".face")) {
        if read_volume(&data(name), &ReadOptions::default()).is_err() {
            continue;
        }
        let mut contents = vec![std::fs::read(data(name)).unwrap()];
        for ending in [".ele", ".elem"] {
            if let Some(stem) = name.strip_suffix(ending) {
                contents.insert(0, std::fs::read(data(&format!("{stem}.node"))).unwrap());
                contents.extend(std::fs::read(data(&format!("{stem}.face"))).ok());
            }
        }
        files.push((name.to_owned(), contents));
    }
    let written =
        [("written.vtu", written()), ("big.vtk", binary_vtk()), ("4.1.msh", binary_msh())];
    files.extend(written.map(|(name, bytes)| (name.to_owned(), vec![bytes])));
    files
}

/// A file written by this program itself.
fn written() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written.vtu");
    let mut mesh = VolumeMesh::new(ElementKind::Hex8.nodes().iter().map(|&p| p.into()).collect());
    mesh.push_element(ElementKind::Hex8, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    mesh.node_sets.insert("held".to_owned(), vec![0, 3]);
    mesh.face_sets.insert("low".to_owned(), vec![ElementFace { element: 0, face: 2 }]);
    write_mesh(&path, &mesh).unwrap();
    std::fs::read(&path).unwrap()
}

/// The cube of the data folder as big-endian legacy VTK of version 5.1.
fn binary_vtk() -> Vec<u8> {
    let cube = read_volume(&data("vtk/cube.vtk"), &ReadOptions::default()).unwrap().mesh;
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
    let mut bytes = std::fs::read(data("gmsh/bin_count_2e63.msh")).unwrap();
    let marker = b"$Elements\n";
    let start = bytes.windows(marker.len()).position(|w| w == marker).unwrap() + marker.len();
    bytes[start + 8..start + 16].copy_from_slice(&5_u64.to_le_bytes());
    bytes
}

/// Reads the contents with one of them replaced.
fn read(contents: &[Vec<u8>], which: usize, bytes: &[u8]) -> bool {
    let files: Vec<&[u8]> =
        contents.iter().enumerate().map(|(i, c)| if i == which { bytes } else { &c[..] }).collect();
    read_volume_bytes(&files, None, &ReadOptions::default()).is_ok()
}

#[test]
fn binary_files_as_vtk_and_gmsh_write_them_hold_the_cube_and_its_data() {
    let cube = read_volume(&data("vtk/cube.vtk"), &ReadOptions::default()).unwrap().mesh;
    for bytes in [binary_vtk(), binary_msh()] {
        let file = read_volume_bytes(&[&bytes], None, &ReadOptions::default()).unwrap();
        assert_eq!(file.mesh.nodes, cube.nodes, "{}", file.format);
        assert!(file.mesh.elements().eq(cube.elements()), "{}", file.format);
        if file.format == "VTK legacy" {
            assert_eq!(file.mesh.element_sets["region_4"], [2, 3, 4]);
            assert_eq!(file.mesh.node_fields["load"].components, 2);
            assert_eq!(file.mesh.element_fields["v"].values, [0.0; 15]);
            assert!(file.notes[0].starts_with("attributes from `string`"), "{:?}", file.notes);
        }
    }
}

/// A tetrahedron as compressed VTU, with these bytes in the place of its points.
fn compressed_vtu(points: &str) -> String {
    let array = |kind: &str, name: &str, data: &str| {
        format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">{data}</DataArray>")
    };
    let cells = array("Int64", "connectivity", "0 1 2 3") + &array("Int64", "offsets", "4");
    let cells = cells + &array("UInt8", "types", "10");
    format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" \
         compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\
         <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">{points}</DataArray></Points>\
         <Cells>{cells}</Cells></Piece></UnstructuredGrid></VTKFile>"
    )
}

#[test]
fn counts_that_no_file_can_hold_are_refused_before_anything_is_allocated() {
    let part = format!(
        "*PART, NAME=p\n*NODE\n{}*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*END PART\n*ASSEMBLY, NAME=a\n",
        (1..=5000).map(|k| format!("{k}, {k}, {}, {}\n", k % 7, k % 5)).collect::<String>()
    );
    let instances: String =
        (0..4001).map(|k| format!("*INSTANCE, NAME=i{k}, PART=p\n*END INSTANCE\n")).collect();
    let many = "# vtk DataFile Version 3.0\nm\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 99999999 double\n0 0 0\n";
    for (text, wanted) in [
        (many.to_owned(), "99999999 points are declared, but only "),
        (
            format!("*HEADING\n{part}{instances}*END ASSEMBLY\n"),
            "the instances make 20005000 nodes",
        ),
        // 2 blocks of 2^63 bytes; 2^62 blocks of none and a last one of 96 bytes.
        (compressed_vtu("AgAAAAAAAAAAAAAAAAAAgAAAAAAAAACA"), "the declared length overflows"),
        (compressed_vtu("AAAAAAAAAEAAAAAAAAAAAGAAAAAAAAAA"), "the block count overflows"),
    ] {
        let error = read_volume_bytes(&[text.as_bytes()], None, &ReadOptions::default());
        let error = error.map(|file| file.format).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}, not {wanted}");
    }
}

#[test]
fn files_cut_short_at_any_byte_never_panic() {
    let files = sound_files();
    assert!(files.len() > 40, "{} files", files.len());
    for (name, contents) in &files {
        for (which, whole) in contents.iter().enumerate() {
            assert!(read(contents, which, whole), "{name} is not sound");
            for length in 0..whole.len() {
                read(contents, which, &whole[..length]);
            }
        }
    }
}

#[test]
fn files_with_any_byte_changed_never_panic() {
    // Digits and signs reach deeper than bytes that end the parse at once.
    let values = *b"\0\xff90-. \n\",";
    for (_, contents) in sound_files() {
        for (which, whole) in contents.iter().enumerate() {
            let mut bytes = whole.clone();
            for place in 0..bytes.len() {
                for value in values.into_iter().chain([whole[place] ^ 1, whole[place] ^ 0x80]) {
                    bytes[place] = value;
                    read(&contents, which, &bytes);
                }
                bytes[place] = whole[place];
            }
        }
    }
}

#[test]
fn deeply_nested_xml_neither_overflows_the_stack_nor_hangs() {
    for root in ["<VTKFile type=\"UnstructuredGrid\">", "<febio_spec version=\"4.0\">"] {
        let text = format!("{root}{}", "<a>".repeat(300_000));
        let options = ReadOptions::default();
        assert!(read_volume_bytes(&[text.as_bytes()], None, &options).is_err(), "{root}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_with_several_changed_bytes_never_panic(
        changes in prop::collection::vec((0.0..1.0_f64, any::<u8>(), any::<bool>()), 2..8)
    ) {
        for (_, contents) in sound_files() {
            for (which, whole) in contents.iter().enumerate() {
                let mut bytes = whole.clone();
                for &(place, value, digit) in &changes {
                    let place = (place * bytes.len() as f64) as usize;
                    bytes[place] = if digit { b'0' + value % 10 } else { value };
                }
                read(&contents, which, &bytes);
            }
        }
    }
}
