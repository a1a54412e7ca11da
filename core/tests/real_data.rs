//! Public meshes of the shared data folder, in every format that is read. They are not part of the
//! repository: without the folder the tests say so and return.

use std::path::{Path, PathBuf};

use sinew::io::{LengthUnit, MeshFile, ReadOptions, mesh_volume, read_volume};

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
        // The reference has ten decimals; the ascii VTU eleven digits a coordinate.
        assert!((volume - 39.210_942_458_4).abs() < 1e-9, "{name}: {volume}");
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
}

#[test]
fn gmsh_1_is_refused_by_its_name() {
    let Some(path) = shared("liver/liver.msh") else { return };
    let message = read_volume(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.contains("version 1.0"), "{message}");
}
