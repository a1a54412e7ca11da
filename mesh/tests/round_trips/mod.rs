//! Random meshes of mixed elements, written in every format by a writer that shares nothing with the
//! readers, and read back: nodes to the last bit, elements, sets and fields.

mod gmsh;
mod lists;
mod meshes;
mod models;
mod vtk;

use meshes::{LINEAR, Sample, sample};
use proptest::prelude::*;
use sinew_mesh::ElementKind;
use sinew_mesh::io::{ReadOptions, VolumeFormat, read_volume_bytes};

const TETS: [ElementKind; 1] = [ElementKind::Tet4];
const TETS10: [ElementKind; 1] = [ElementKind::Tet10];
const HEXAHEDRA: [ElementKind; 1] = [ElementKind::Hex8];
const ALL: [ElementKind; 8] = ElementKind::ALL;

/// Reads what was written, with the format recognized and with it given, and compares.
#[track_caller]
fn check(files: &[Vec<u8>], format: VolumeFormat, expected: &sinew_mesh::VolumeMesh) {
    let files: Vec<&[u8]> = files.iter().map(|file| &file[..]).collect();
    for format in [None, Some(format)] {
        let read = read_volume_bytes(&files, format, &ReadOptions::default());
        let read = read.unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(files[0])));
        assert_eq!(&read.mesh, expected, "{}", String::from_utf8_lossy(files[0]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tetgen(mesh in prop_oneof![sample(&TETS), sample(&TETS10)]) {
        check(&lists::tetgen(&mesh), VolumeFormat::TetGen, &mesh.with_sets("region_").mesh);
    }

    #[test]
    fn ansys(mesh in sample(&ALL)) {
        check(&lists::ansys(&mesh), VolumeFormat::Ansys, &mesh.with_sets("material_").mesh);
    }

    #[test]
    fn ansys_archive(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("material_").mesh;
        check(&[lists::ansys_archive(&mesh)], VolumeFormat::AnsysArchive, &expected);
    }

    #[test]
    fn ucd(mesh in sample(&LINEAR)) {
        let expected = mesh.with_sets("material_").with_fields().mesh;
        check(&[lists::ucd(&mesh)], VolumeFormat::Ucd, &expected);
    }

    #[test]
    fn medit(mesh in prop_oneof![sample(&LINEAR), sample(&TETS10)]) {
        check(&[lists::medit(&mesh)], VolumeFormat::Medit, &mesh.with_sets("medit_ref_").mesh);
    }

    #[test]
    fn vega(mesh in prop_oneof![sample(&TETS), sample(&HEXAHEDRA)]) {
        check(&[lists::vega(&mesh)], VolumeFormat::Vega, &mesh.with_sets("R").mesh);
    }

    #[test]
    fn abaqus(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("R").with_first_face("TOP").mesh;
        check(&[models::abaqus(&mesh)], VolumeFormat::Abaqus, &expected);
    }

    #[test]
    fn nastran(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("property_").mesh;
        for layout in models::LAYOUTS {
            check(&[models::nastran(&mesh, layout)], VolumeFormat::Nastran, &expected);
        }
    }

    #[test]
    fn febio(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("R").with_first_face("TOP").mesh;
        for version in ["2.5", "4.0"] {
            check(&[models::febio(&mesh, version)], VolumeFormat::Febio, &expected);
        }
    }

    #[test]
    fn gmsh_of_every_version_and_encoding(mesh in sample(&ALL)) {
        let plain = mesh.with_sets("physical_");
        check(&[gmsh::v10(&mesh)], VolumeFormat::Gmsh, &plain.mesh);
        let expected = plain.with_fields().with_first_face("top").mesh;
        for encoding in gmsh::ENCODINGS {
            check(&[gmsh::v22(&mesh, encoding)], VolumeFormat::Gmsh, &expected);
            check(&[gmsh::v41(&mesh, encoding)], VolumeFormat::Gmsh, &expected);
        }
    }

    #[test]
    fn legacy_vtk_of_both_layouts_and_encodings(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("region_").with_fields().mesh;
        for version in ["3.0", "5.1"] {
            for binary in [false, true] {
                check(&[vtk::legacy(&mesh, version, binary)], VolumeFormat::VtkLegacy, &expected);
            }
        }
    }

    #[test]
    fn vtu_of_every_encoding_and_compressor(mesh in sample(&ALL)) {
        let expected = mesh.with_sets("region_").with_fields().mesh;
        for encoding in vtk::ENCODINGS {
            check(&[vtk::vtu(&mesh, encoding)], VolumeFormat::Vtu, &expected);
        }
    }
}

/// The face of [`Sample::with_first_face`] is a face that loads can act on.
#[test]
fn a_named_face_has_the_corners_that_were_written() {
    let mesh = Sample::of(&[(ElementKind::Hex8, 1)], &[]);
    let read =
        |bytes: Vec<u8>| read_volume_bytes(&[&bytes], None, &ReadOptions::default()).unwrap().mesh;
    let found = read(models::abaqus(&mesh)).face_sets["TOP"].clone();
    assert_eq!(found, read(gmsh::v22(&mesh, gmsh::ENCODINGS[0])).face_sets["top"]);
    let face = ElementKind::Hex8.faces()[usize::from(found[0].face)];
    let mut corners: Vec<u8> = face.to_vec();
    corners.sort_unstable();
    assert_eq!(corners, mesh.first_face().iter().map(|&n| n as u8).collect::<Vec<_>>());
}
