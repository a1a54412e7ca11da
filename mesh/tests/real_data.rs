//! Public meshes of the shared data folder, in every format that is read. They are not part of the
//! repository: without the folder the tests say so and return.

use std::path::{Path, PathBuf};

use sinew_mesh::geometry::boundary;
use sinew_mesh::io::{LengthUnit, MeshFile, ReadOptions, mesh_volume, read_volume};

fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SINEW_SHARED").map_or_else(
        || Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).to_owned(),
        PathBuf::from,
    );
    let datasets = root.join("datasets");
    if !datasets.is_dir() {
        println!("no shared data at {}: nothing tested", root.display());
        return None;
    }
    Some(datasets.join(path))
}

fn read(path: &str, unit: LengthUnit) -> Option<MeshFile> {
    let path = shared(path)?;
    Some(read_volume(&path, &ReadOptions { unit }).unwrap_or_else(|e| panic!("{e}")))
}

#[test]
fn one_liver_in_every_format_has_one_volume_and_one_connectivity() {
    let Some(first) = read("formats_good/liver_7k", LengthUnit::Metre) else { return };
    for (name, format) in [
        ("liver_7k", "TetGen"),
        ("liver_7k.inp", "Abaqus"),
        ("liver_7k.mesh", "Medit"),
        ("liver_7k.bdf", "Nastran"),
        ("liver_7k_ascii.vtu", "VTU"),
        ("liver_7k_zlib.vtu", "VTU"),
        ("liver_7k_vtk42_ascii.vtk", "VTK legacy"),
        ("liver_7k_vtk51_bin.vtk", "VTK legacy"),
        ("liver_7k_gmsh22_ascii.msh", "Gmsh 2.2"),
        ("liver_7k_gmsh22_bin.msh", "Gmsh 2.2"),
        ("liver_7k_gmsh41_ascii.msh", "Gmsh 4.1"),
        ("liver_7k_gmsh41_bin.msh", "Gmsh 4.1"),
    ] {
        let file = read(&format!("formats_good/{name}"), LengthUnit::Metre).unwrap();
        assert_eq!(file.format, format, "{name}");
        assert_eq!((file.mesh.nodes.len(), file.mesh.element_count()), (1972, 6968), "{name}");
        assert!(file.mesh.elements().eq(first.mesh.elements()), "{name}: connectivity differs");
        let volume = mesh_volume(&file.mesh);
        // The reference has ten decimals, the ascii VTU eleven digits a coordinate, Nastran's small
        // fields seven (errors up to 5e-7 of coordinates of up to 5, over 1972 nodes).
        let tolerance = if format == "Nastran" { 1e-5 } else { 1e-9 };
        assert!((volume - 39.210_942_458_4).abs() < tolerance, "{name}: {volume}");
    }
}

#[test]
fn the_femur_reads_whole_and_in_its_unit() {
    let Some(file) = read("large/femur_253k.vtu", LengthUnit::Millimetre) else { return };
    assert_eq!((file.mesh.nodes.len(), file.mesh.element_count()), (61_808, 253_066));
    let [lo, hi] = file.mesh.bounding_box().unwrap();
    // Its page gives 163.8 mm.
    assert!(((hi - lo).max() - 0.1638).abs() < 1e-4, "{}", (hi - lo).max());
    assert!(!file.notes.iter().any(|n| n.contains("unit=mm")), "{:?}", file.notes);
    let metres = read("large/femur_253k.vtu", LengthUnit::Metre).unwrap();
    assert!(metres.notes.iter().any(|n| n.contains("unit=mm")), "{:?}", metres.notes);
    let ratio = mesh_volume(&metres.mesh) / mesh_volume(&file.mesh);
    assert!((ratio * 1e-9 - 1.0).abs() < 1e-12, "{ratio}");
}

#[test]
fn the_tetgen_tongue_reads_by_its_dotted_name() {
    let Some(file) = read("tongue/tongue.1", LengthUnit::Metre) else { return };
    assert_eq!((file.mesh.nodes.len(), file.mesh.element_count()), (2228, 11_098));
    assert!(mesh_volume(&file.mesh) > 0.0);
    // Its file of faces has no markers, and names the whole surface.
    assert_eq!(file.mesh.face_sets["faces"].len(), 1812);
    assert_eq!(boundary(&file.mesh).mesh.triangles().len(), 1812);
    let by_faces = read("tongue/tongue.1.face", LengthUnit::Metre).unwrap();
    assert_eq!(by_faces.mesh, file.mesh);
}

#[test]
fn the_ends_of_a_beam_are_patches_and_a_liver_is_one_piece_of_bent_skin() {
    let Some(mut beam) = read("formats_good/beam3.veg", LengthUnit::Metre) else { return };
    // Two ends and four sides.
    assert_eq!(boundary(&beam.mesh).add_patches(&mut beam.mesh, 0.7), 6);
    let faces: usize = beam.mesh.face_sets.values().map(Vec::len).sum();
    let squares = boundary(&beam.mesh).mesh.triangles().len() / 2;
    assert_eq!(faces, squares);
    let mut liver = read("formats_good/liver_7k.mesh", LengthUnit::Metre).unwrap();
    let outside = boundary(&liver.mesh);
    let count = outside.add_patches(&mut liver.mesh, 40_f64.to_radians());
    let sizes: Vec<usize> = liver.mesh.face_sets.values().map(Vec::len).collect();
    assert_eq!((count, sizes.iter().sum::<usize>()), (liver.mesh.face_sets.len(), 2834));
    assert!(liver.mesh.face_sets["patch_1"].len() > 1000, "{sizes:?}");
}

/// Elements of each kind, in the order of their names.
fn kinds(file: &MeshFile) -> Vec<(&'static str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for (kind, _) in file.mesh.elements() {
        *counts.entry(kind.name()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn every_public_mesh_has_the_counts_that_are_published_of_it() {
    for (name, format, nodes, elements) in [
        ("liver/liver.msh", "Gmsh 1.0", 181, &[("tet4", 596)][..]),
        ("liver/liver2.msh", "Gmsh 1.0", 507, &[("tet4", 1493)]),
        ("liver/6_tetra_bad.msh", "Gmsh 2.2", 17, &[("tet4", 6)]),
        ("tongue/tongue.elem", "ANSYS", 946, &[("hex8", 740)]),
        ("tongue/tongue.1.ele", "TetGen", 2228, &[("tet4", 11_098)]),
        ("tongue/hyoid.node", "ANSYS", 441, &[("tet4", 1344)]),
        ("palate/softPalate_adjustV1.elem", "ANSYS", 1309, &[("tet4", 4119)]),
        (
            "palate/softPalate_v10.01_mixedCoarse.node",
            "ANSYS",
            3796,
            &[("hex8", 966), ("pyramid5", 2462), ("tet4", 3266), ("wedge6", 954)],
        ),
        ("palate/softPalateHigh_AVS-UCD.inp", "AVS UCD", 3629, &[("tet4", 15_158)]),
        ("heart/HumanHeartHull.ele", "TetGen", 395, &[("tet4", 1679)]),
        ("large/femur_743k.vtu", "VTU", 140_022, &[("tet4", 742_691)]),
        ("formats_good/beam3.veg", "Vega", 208, &[("hex8", 75)]),
    ] {
        let Some(file) = read(name, LengthUnit::Millimetre) else { return };
        assert_eq!(file.format, format, "{name}");
        assert_eq!(file.mesh.nodes.len(), nodes, "{name}");
        assert_eq!(kinds(&file), elements, "{name}");
        assert!(mesh_volume(&file.mesh) > 0.0, "{name}");
    }
}

#[test]
fn the_facets_of_the_jaw_are_told_from_tetrahedra_of_four_nodes() {
    let Some(path) = shared("tongue/mandible.elem") else { return };
    let message = read_volume(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("1384 quadrilaterals, 6 triangles"), "{message}");
}

#[test]
fn the_groups_of_the_liver_s_surface_are_faces_of_its_elements() {
    let Some(file) = read("liver/liver2.msh", LengthUnit::Metre) else { return };
    assert_eq!(file.mesh.face_sets["physical_1"].len(), 860);
    assert_eq!(file.mesh.element_sets["physical_2"].len(), 1493);
}
