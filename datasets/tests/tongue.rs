//! The tongue: counts, element quality, symmetry, one closed piece, size, supports, load.

use crate::common::{boundary, component_count, euler_characteristic, near_pairs, volume};
use sinew::Vec3;
use sinew::fem::{ElementKind, VolumeMesh};
use sinew::material::MaterialSpec;
use sinew::model::{BodyLoad, FemModel, Model};
use sinew_datasets::tongue::{PASSIVE_TISSUE, TongueParams, tongue};
use sinew_datasets::{Params, find};

fn at_resolution(resolution: usize) -> Model {
    tongue(&TongueParams { resolution, ..TongueParams::default() }).unwrap()
}

fn fem(resolution: usize) -> FemModel {
    at_resolution(resolution).fem(0).clone()
}

/// Smallest scaled Jacobian over the corners of all hexahedra, and its place: the volume spanned by
/// the three edges at a corner over the product of their lengths.
fn worst_scaled_jacobian(mesh: &VolumeMesh) -> (f64, Vec3) {
    // Neighbours of each corner along the first, second and third reference direction.
    const NEIGHBOURS: [[usize; 3]; 8] =
        [[1, 3, 4], [0, 2, 5], [3, 1, 6], [2, 0, 7], [5, 7, 0], [4, 6, 1], [7, 5, 2], [6, 4, 3]];
    // Corners whose edges, in this order, are left-handed in an upright cube.
    const LEFT_HANDED: [usize; 4] = [0, 2, 5, 7];
    let mut worst = (f64::INFINITY, Vec3::zeros());
    for (_, nodes) in mesh.elements() {
        let p = |corner: usize| mesh.nodes[nodes[corner] as usize];
        for (corner, ends) in NEIGHBOURS.iter().enumerate() {
            let [a, b, c] = ends.map(|end| (p(end) - p(corner)).normalize());
            let sign = if LEFT_HANDED.contains(&corner) { -1.0 } else { 1.0 };
            let scaled = sign * a.cross(&b).dot(&c);
            if scaled < worst.0 {
                worst = (scaled, p(corner));
            }
        }
    }
    worst
}

#[test]
fn resolution_r_has_740_r_cubed_hexahedra() {
    for r in 1..=5 {
        let mesh = fem(r).mesh;
        assert_eq!(mesh.element_count(), 740 * r * r * r);
        assert!(mesh.elements().all(|(kind, _)| kind == ElementKind::Hex8));
    }
    assert_eq!(fem(0).mesh.element_count(), 228);
    assert!(tongue(&TongueParams { resolution: 9, ..TongueParams::default() }).is_err());
}

/// Women have 68.9 +- 7.0 cm3, men 89.9 +- 11.5 cm3 (Liegeois et al. 2010).
#[test]
fn a_tongue_that_fills_the_vault_is_between_those_of_women_and_men_and_as_well_shaped() {
    for resolution in [0, 1] {
        let params = TongueParams { resolution, vault: 1.0, ..TongueParams::default() };
        let mesh = tongue(&params).unwrap().fem(0).mesh.clone();
        let size = volume(&mesh);
        assert!((76e-6..84e-6).contains(&size), "{size} m3");
        let (worst, at) = worst_scaled_jacobian(&mesh);
        assert!(worst >= 0.2, "resolution {resolution}: scaled Jacobian {worst} at {at:?}");
        // The dorsum alone is higher: root and keel are where they were.
        let without = fem(resolution).mesh;
        for set in ["hyoid", "jaw"] {
            let same = |&n: &u32| mesh.nodes[n as usize] == without.nodes[n as usize];
            assert!(mesh.node_sets[set].iter().all(same), "{set}");
        }
    }
}

#[test]
fn no_corner_of_an_element_is_close_to_flat() {
    for r in 0..=5 {
        let (worst, at) = worst_scaled_jacobian(&fem(r).mesh);
        assert!(worst >= 0.2, "resolution {r}: scaled Jacobian {worst} at {at:?}");
    }
}

#[test]
fn left_and_right_are_mirror_images_with_nodes_on_the_midline() {
    for r in [0, 1, 2, 3] {
        let mesh = fem(r).mesh;
        let mut seen: Vec<[i64; 3]> = Vec::new();
        let whole = |p: &Vec3| [p.x, p.y, p.z].map(|x| (x * 1e12).round() as i64);
        seen.extend(mesh.nodes.iter().map(whole));
        let mut mirrored: Vec<_> = seen.iter().map(|&[x, y, z]| [x, -y, z]).collect();
        seen.sort_unstable();
        mirrored.sort_unstable();
        assert_eq!(seen, mirrored, "resolution {r}");
        let midline = mesh.nodes.iter().filter(|p| p.y == 0.0).count();
        let expected = match r {
            0 => 8 * 4 + 6 * 2,
            r => (14 * r + 1) * (5 * r + 1) + (10 * r + 1) * 3 * r,
        };
        assert_eq!(midline, expected, "resolution {r}");
    }
}

/// The surface has the topology of a sphere, the elements share nodes (no coinciding ones), and
/// every node is used.
#[test]
fn the_mesh_is_one_closed_piece_without_duplicate_nodes() {
    for r in [0, 1, 3] {
        let mesh = fem(r).mesh;
        let (faces, most) = boundary(&mesh);
        assert_eq!(most, 2);
        assert_eq!(euler_characteristic(&faces), Some(2), "resolution {r}");
        assert_eq!(component_count(&mesh), 1, "resolution {r}");
        assert_eq!(near_pairs(&mesh, 1e-4), 0, "resolution {r}");
    }
}

/// Adult tongues have 79.5 cm³ with a standard deviation of 14.2 cm³ (Liégeois et al. 2010), and
/// the finer meshes approach the smooth shape: the coarse one is within 2 % of it.
#[test]
fn size_is_that_of_an_adult_tongue_at_every_resolution() {
    let finest = volume(&fem(5).mesh);
    assert!((65.3e-6..93.7e-6).contains(&finest), "volume {finest} m3");
    for r in 1..5 {
        let v = volume(&fem(r).mesh);
        assert!((v / finest - 1.0).abs() < 0.02, "resolution {r}: {v} m3, finest {finest} m3");
    }
    let [lo, hi] = fem(1).mesh.bounding_box().unwrap();
    let size = (hi - lo) * 1e3;
    assert!((65.0..75.0).contains(&size.x), "length {} mm", size.x);
    assert!((45.0..50.0).contains(&size.y), "width {} mm", size.y);
    assert!((40.0..60.0).contains(&size.z), "height {} mm", size.z);
}

#[test]
fn jaw_and_hyoid_are_fixed_and_lie_where_their_names_say() {
    for r in [1, 2] {
        let fem = fem(r);
        let middle = |set: &str| -> Vec3 {
            let nodes = &fem.mesh.node_sets[set];
            nodes.iter().map(|&n| fem.mesh.nodes[n as usize]).sum::<Vec3>() / nodes.len() as f64
        };
        let fixed: Vec<_> = fem.dirichlet.iter().map(|support| &support.nodes).collect();
        assert_eq!(fixed, [&fem.mesh.node_sets["jaw"], &fem.mesh.node_sets["hyoid"]]);
        assert_eq!(fixed[0].len(), (10 * r + 1) * (6 * r + 1));
        assert_eq!(fixed[1].len(), (8 * r + 1) * (5 * r + 1));
        assert_eq!(fem.mesh.node_sets["tip"].len(), (8 * r + 1) * (5 * r + 1));
        assert_eq!(fem.mesh.node_sets["dorsum"].len(), (14 * r + 1) * (8 * r + 1));
        let [jaw, hyoid, tip, dorsum] = ["jaw", "hyoid", "tip", "dorsum"].map(middle);
        assert!(tip.x > jaw.x && jaw.x > dorsum.x && dorsum.x > hyoid.x, "from front to back");
        assert!(dorsum.z > tip.z && tip.z > jaw.z && tip.z > hyoid.z, "from top to bottom");
    }
}

#[test]
fn the_load_pushes_the_blade_and_spares_the_supports() {
    let model = at_resolution(2);
    let (mesh, load) = (&model.fem(0).mesh, &model[model.nth::<BodyLoad>(0)]);
    assert_eq!(load.weights.len(), mesh.nodes.len());
    assert!(load.weights.iter().all(|w| (0.0..=1.0).contains(w)));
    let weights = |set: &str| mesh.node_sets[set].iter().map(|&n| load.weights[n as usize]);
    assert!(weights("tip").all(|w| w == 1.0));
    assert!(weights("jaw").chain(weights("hyoid")).all(|w| w == 0.0));
    assert!(load.acceleration.x > 0.0 && load.acceleration.z > 9.8);
}

#[test]
fn the_load_rests_rises_holds_and_releases_within_one_second() {
    let model = at_resolution(1);
    let schedule = &model[model.nth::<BodyLoad>(0)].schedule;
    for (t, expected) in [(0.0, 0.0), (0.1, 0.0), (0.4, 1.0), (0.7, 1.0), (1.0, 0.0), (9.0, 0.0)] {
        assert!((schedule.at(t) - expected).abs() < 1e-12, "at {t} s: {}", schedule.at(t));
    }
    assert!((schedule.at(0.25) - 0.5).abs() < 1e-12);
    // No kink: the slope between rows 1 ms apart changes by less than a fifth of its peak, 5 / s.
    let slope = |t: f64| (schedule.at(t + 1e-3) - schedule.at(t)) / 1e-3;
    for i in 0..1100 {
        let t = i as f64 * 1e-3;
        assert!((slope(t + 1e-3) - slope(t)).abs() < 1.0, "kink at {t} s");
    }
}

#[test]
fn stiffness_follows_young_s_modulus_in_every_law() {
    let build = find("tongue").unwrap().build;
    let material =
        |arguments: &[&str]| build(&mut Params::parse(arguments).unwrap()).unwrap().fem(0).material;
    assert_eq!(material(&[]), MaterialSpec::MooneyRivlin(PASSIVE_TISSUE));
    let MaterialSpec::NeoHookean(iso) = material(&["mat=neohook"]) else { panic!("not neohook") };
    assert!(
        (iso.youngs_modulus - 6179.0).abs() < 1.0 && (iso.poissons_ratio - 0.4897).abs() < 1e-4
    );
    let MaterialSpec::MooneyRivlin(mr) = material(&["E=15e3", "nu=0.45"]) else { panic!("not mr") };
    // c10 = E / (4 (1 + nu)), K = E / (3 (1 - 2 nu)).
    assert!((mr.c10 - 15e3 / 5.8).abs() < 1e-9 && (mr.bulk_modulus - 5e4).abs() < 1e-6);
    assert!((mr.c20 / mr.c10 - 486.0 / 1037.0).abs() < 1e-12);
}
