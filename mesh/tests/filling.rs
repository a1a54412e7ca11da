//! Surfaces filled with tetrahedra: volumes, nodes on the surface, angles, closed boundaries, what is refused.

use std::path::Path;

use proptest::prelude::*;
use sinew_mesh::geometry::{
    SignedDistance, SurfaceMesh, VolumeReport, boundary, cuboid_mesh, cylinder_mesh,
    icosphere_mesh, mesh_integrals, volume_report,
};
use sinew_mesh::io::{ReadOptions, read_surface};
use sinew_mesh::{FillError, Mat3, Vec3, VolumeMesh, fill};

/// The least dihedral angle of isosurface stuffing is 10.7 degrees where the surface is flat beside the lattice
/// (Labelle2007, with diagonals by parity); by depth it is a little less.
const LEAST_ANGLE: f64 = 8.0;

fn filled(surface: &SurfaceMesh, size: f64) -> VolumeMesh {
    fill(surface, size).unwrap_or_else(|why| panic!("{why}"))
}

/// A mesh without faults, each of whose faces at the surface has one neighbour; the report on it.
fn assert_sound(mesh: &VolumeMesh) -> VolumeReport {
    let report = volume_report(mesh);
    assert_eq!(report.non_positive, [] as [u32; 0]);
    assert_eq!((report.unused_nodes, report.duplicate_nodes, report.crowded_faces), (0, 0, 0));
    assert!(report.surface.closed, "the surface is open");
    report
}

fn volume(mesh: &VolumeMesh) -> f64 {
    mesh_integrals(mesh).expect("a mesh with nodes").volume
}

/// Largest distance of the nodes at the surface of a mesh from another surface [m].
fn off(mesh: &VolumeMesh, surface: &SurfaceMesh) -> f64 {
    let distance = SignedDistance::new(surface).unwrap();
    let nodes: Vec<u32> = boundary(mesh).node_of_vertex;
    let far = |node: u32| distance.foot(&mesh.nodes[node as usize]).unwrap().distance.abs();
    nodes.into_iter().map(far).fold(0.0, f64::max)
}

#[test]
fn a_ball_is_filled_at_second_order_with_nodes_on_it() {
    // Half a millimetre between the facets and the ball.
    let surface = icosphere_mesh(1.0, 4).unwrap();
    let exact = surface.solid_integrals().unwrap().volume;
    let mut errors = Vec::new();
    for size in [0.4, 0.2] {
        let mesh = filled(&surface, size);
        let report = assert_sound(&mesh);
        assert!(off(&mesh, &surface) < 1e-5 * size, "{}", off(&mesh, &surface));
        let angle = report.min_dihedral.unwrap().min;
        assert!(angle > LEAST_ANGLE, "{angle} degrees at {size} m");
        errors.push((volume(&mesh) / exact - 1.0).abs());
    }
    assert!(errors[1] < 0.015 && errors[0] > 3.0 * errors[1], "{errors:?}");
}

#[test]
fn angles_and_volumes_are_kept_wherever_the_surface_lies_in_the_lattice() {
    let tube = cylinder_mesh(0.3, 1.0, 48).unwrap();
    let exact = tube.solid_integrals().unwrap().volume;
    for k in 0..6 {
        let k = f64::from(k);
        let turn = nalgebra::Rotation3::new(Vec3::new(0.3 * k, 0.7, -0.2 * k)).into_inner();
        let surface = tube.transformed(&turn, &Vec3::new(0.013 * k, 0.0, 0.5)).unwrap();
        let mesh = filled(&surface, 0.1);
        let report = assert_sound(&mesh);
        let angle = report.min_dihedral.unwrap().min;
        assert!(angle > 5.0, "{angle} degrees in pose {k}");
        assert_eq!(report.components, 1);
        let share = volume(&mesh) / exact;
        assert!((0.93..1.01).contains(&share), "{share} of the volume in pose {k}");
    }
}

#[test]
fn surfaces_inside_out_torn_or_doubled_are_filled_and_sheets_are_not() {
    let cube = cuboid_mesh(&Vec3::new(1.0, 0.8, 0.6)).unwrap();
    let whole = filled(&cube, 0.1);
    assert_eq!(filled(&cube.clone().flipped(), 0.1), whole);
    let ball = icosphere_mesh(0.5, 3).unwrap();
    let torn = SurfaceMesh::new(ball.vertices().to_vec(), ball.triangles()[3..].to_vec()).unwrap();
    let share = volume(&filled(&torn, 0.1)) / volume(&filled(&ball, 0.1));
    assert!((share - 1.0).abs() < 0.02, "{share}");
    // Two balls that pass through each other are one solid.
    let shifted = ball.transformed(&Mat3::identity(), &Vec3::new(0.6, 0.0, 0.0)).unwrap();
    let (mut vertices, mut triangles) = (ball.vertices().to_vec(), ball.triangles().to_vec());
    let count = vertices.len() as u32;
    vertices.extend(shifted.vertices());
    triangles.extend(shifted.triangles().iter().map(|t| t.map(|corner| corner + count)));
    let both = filled(&SurfaceMesh::new(vertices, triangles).unwrap(), 0.1);
    // The lens between two balls of radius r at a distance d is pi (4 r + d) (2 r - d)² / 12.
    let (r, d) = (0.5_f64, 0.6);
    let lens = std::f64::consts::PI * (4.0 * r + d) * (2.0 * r - d).powi(2) / 12.0;
    let expected = 8.0 / 3.0 * std::f64::consts::PI * r.powi(3) - lens;
    let share = volume(&both) / expected;
    assert!((share - 1.0).abs() < 0.03, "{share}");
    let sheet =
        SurfaceMesh::new(ball.vertices().to_vec(), ball.triangles()[..40].to_vec()).unwrap();
    assert_eq!(fill(&sheet, 0.1), Err(FillError::Sheet));
}

#[test]
fn sizes_that_make_no_mesh_are_refused() {
    let cube = cuboid_mesh(&Vec3::repeat(1.0)).unwrap();
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(fill(&cube, size), Err(FillError::Size(_))), "{size}");
    }
    let Err(FillError::TooMany { least, .. }) = fill(&cube, 1e-4) else { panic!("it was filled") };
    assert!(least > 4e-3 && least < 6e-3, "{least}");
    assert!(matches!(fill(&cube, 1e-300), Err(FillError::TooMany { .. })));
    let needle = cuboid_mesh(&Vec3::new(1.0, 1e-3, 1e-3)).unwrap();
    assert_eq!(fill(&needle, 0.4), Err(FillError::Empty(0.4)));
    assert_eq!(fill(&SurfaceMesh::default(), 0.1), Err(FillError::Sheet));
}

#[test]
fn the_mesh_is_the_same_on_any_number_of_threads() {
    let surface = icosphere_mesh(1.0, 3).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| filled(&surface, 0.15))
    };
    assert_eq!(on(1), on(3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Ellipsoids anywhere, of any shape that the lattice is fine beside.
    #[test]
    fn ellipsoids_are_filled_soundly(
        a in 0.5..1.0_f64, b in 0.3..1.0_f64, c in 0.25..1.0_f64,
        x in -3.0..3.0_f64, turn in -3.0..3.0_f64, size in 0.08..0.16_f64,
    ) {
        let map = nalgebra::Rotation3::new(Vec3::new(turn, 0.5 * turn, 1.0)).into_inner()
            * Mat3::from_diagonal(&Vec3::new(a, b, c));
        let surface = icosphere_mesh(1.0, 3).unwrap().transformed(&map, &Vec3::new(x, 0.1, 0.0));
        let surface = surface.unwrap();
        let mesh = filled(&surface, size);
        let report = assert_sound(&mesh);
        prop_assert!(report.min_dihedral.unwrap().min > 4.0);
        prop_assert_eq!(report.components, 1);
        let share = volume(&mesh) / surface.solid_integrals().unwrap().volume;
        prop_assert!((0.9..1.02).contains(&share), "{}", share);
    }
}

/// Real surfaces, where they lie beside the repository: bones with edges of many triangles, organs.
#[test]
fn real_organs_and_bones_are_filled() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, std::path::PathBuf::from);
    for (file, cells) in [("formats_good/liver_7k_surface.stl", 24.0), ("jaw/hyoid.obj", 40.0)] {
        let path = shared.join("datasets").join(file);
        if !path.is_file() {
            println!("{} is not there: nothing to fill", path.display());
            continue;
        }
        let surface = read_surface(&path, &ReadOptions::default()).unwrap().surface.mesh().unwrap();
        let extent = surface.vertices().iter().map(|p| p.amax()).fold(0.0, f64::max);
        let mesh = filled(&surface, 2.0 * extent / cells);
        let report = volume_report(&mesh);
        assert_eq!(report.non_positive, [] as [u32; 0], "{file}");
        let angle = report.min_dihedral.unwrap().min;
        assert!(angle > 3.0, "{file}: {angle} degrees");
    }
}
