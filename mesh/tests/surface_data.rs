//! Public surfaces of the shared data folder: the counts that its page gives. They are not part of
//! the repository: without the folder the tests say so and return.

use std::path::{Path, PathBuf};

use sinew_mesh::geometry::{SurfaceReport, boundary, volume_report};
use sinew_mesh::io::{AnyMesh, ReadOptions, SurfaceFile, read_mesh, read_surface};

fn shared(path: &str) -> Option<PathBuf> {
    let beside = || Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).to_owned();
    let root = std::env::var_os("SINEW_SHARED").map_or_else(beside, PathBuf::from);
    let datasets = root.join("datasets");
    if !datasets.is_dir() {
        println!("no shared data at {}: nothing tested", root.display());
        return None;
    }
    Some(datasets.join(path))
}

fn read(path: &str) -> Option<SurfaceFile> {
    let file = read_surface(&shared(path)?, &ReadOptions::default());
    Some(file.unwrap_or_else(|e| panic!("{e}")))
}

fn report(path: &str) -> Option<SurfaceReport> {
    Some(read(path)?.surface.mesh().unwrap().report())
}

#[test]
fn one_liver_in_every_surface_format_has_one_volume_and_one_count() {
    // Digits of the coordinates: eight decimals, single precision, eight decimals of it, all.
    for (name, format, tolerance) in [
        ("liver_7k_surface.obj", "OBJ", 1e-8),
        ("liver_7k_surface.stl", "STL binary", 1e-7),
        ("liver_7k_surface.ply", "PLY", 1e-7),
        ("liver_7k_surface_ascii.ply", "PLY", 1e-7),
        ("liver_7k_surface_ascii.stl", "STL ascii", 1e-9),
    ] {
        let Some(file) = read(&format!("formats_good/{name}")) else { return };
        assert_eq!(file.format, format, "{name}");
        let report = file.surface.mesh().unwrap().report();
        assert_eq!((report.vertices, report.triangles), (1419, 2834), "{name}");
        assert!(report.warnings().is_empty(), "{name}: {:?}", report.warnings());
        let volume = report.volume.unwrap();
        assert!((volume - 39.210_942_458_4).abs() < tolerance, "{name}: {volume}");
    }
}

#[test]
fn the_surface_of_every_volume_form_of_that_liver_has_the_same_triangles() {
    // Gmsh's binary files hold zeros early, as headers of binary STL do.
    for name in ["liver_7k.node", "liver_7k_gmsh41_bin.msh", "liver_7k_vtk51_bin.vtk"] {
        let Some(path) = shared(&format!("formats_good/{name}")) else { return };
        let Ok(AnyMesh::Volume(file)) = read_mesh(&path, &ReadOptions::default()) else {
            panic!("{name} is no volume");
        };
        let outside = boundary(&file.mesh).mesh;
        assert_eq!((outside.triangles().len(), outside.vertices().len()), (2834, 1419), "{name}");
        let found = volume_report(&file.mesh);
        let volume = found.solid.unwrap().volume;
        assert!((volume - 39.210_942_458_4).abs() < 1e-9, "{name}: {volume}");
        // The divergence theorem against the sum of the elements.
        assert!((found.surface.volume.unwrap() - volume).abs() < 1e-11 * volume, "{name}");
        assert!(found.surface.closed && found.surface.manifold, "{name}");
    }
}

#[test]
fn bones_and_organs_have_the_faults_that_are_known_of_them() {
    let Some(skull) = report("bones/head_neck/Skull.obj") else { return };
    assert_eq!((skull.components, skull.non_manifold_edges), (22, 4331));
    assert_eq!((skull.vertices, skull.triangles), (49_589, 103_514));
    let heart = report("heart/HumanHeart.obj").unwrap();
    assert_eq!((heart.boundary_edges, heart.closed, heart.volume), (16, false, None));
    let liver = report("liver/liver-smooth.obj").unwrap();
    assert!(liver.closed && liver.manifold && liver.self_intersections > 0);
    // About the origin its signed volume is negative, but it winds inconsistently: the triangles at
    // its extreme points, and most others, face outward.
    let vertebrae = report("bones/head_neck/Vertebrae.obj").unwrap();
    assert!(vertebrae.sum_about_origin < 0.0 && vertebrae.inconsistent_edges > 0);
    let told = vertebrae.warnings().join("; ");
    assert!(told.contains("as of an inside-out surface"), "{told}");
    let femur = report("bones/limbs/libhip_m3_lfemur_mm.stl").unwrap();
    assert_eq!((femur.triangles, femur.closed, femur.components), (80_040, true, 1));
}

#[test]
fn fibres_keep_their_groups() {
    let Some(file) = read("tongue/tongueFibres.obj") else { return };
    let surface = file.surface;
    assert_eq!((surface.polylines.len(), surface.polyline_sets.len()), (308, 21));
    let members: usize = surface.polyline_sets.values().map(Vec::len).sum();
    assert_eq!((members, surface.points.len()), (308, 797));
    assert!(surface.polyline_sets.contains_key("GGP_L"));
}

#[test]
fn every_surface_of_the_folder_is_read() {
    let mut count = 0;
    for folder in ["msk_osim/Geometry", "msk_mjcf/myo_sim/meshes", "jaw", "bones/limbs", "tongue"] {
        let Some(folder) = shared(folder) else { return };
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if ["obj", "stl", "ply", "vtp"].contains(&ending.to_ascii_lowercase().as_str()) {
                let file = read_surface(&path, &ReadOptions::default());
                let surface = file.unwrap_or_else(|e| panic!("{e}")).surface;
                assert!(!surface.triangles.is_empty() || !surface.polylines.is_empty());
                count += 1;
            }
        }
    }
    assert!(count > 70, "{count} surfaces");
}
