//! The bones of the jaw model: closed surfaces without self-intersections, symmetric, of published
//! size, through the attachments of the muscles, with room for the tongue.

mod common;

use std::collections::BTreeMap;

use common::euler_characteristic;
use sinew::Vec3;
use sinew::geometry::SolidIntegrals;
use sinew_datasets::jaw::gape::{LOWER_INCISOR, Opening, UPPER_INCISOR};
use sinew_datasets::jaw::joint::{BITE, CONDYLE, HYOID_DYNAMICS, MANDIBLE_DYNAMICS};
use sinew_datasets::jaw::muscles::{MuscleGroup, muscles};
use sinew_datasets::jaw::{Body, Shape, Surface, SurfaceError};
use sinew_datasets::tongue::{TongueParams, tongue};

fn surface(body: Body) -> Surface {
    body.surface(body.default_cell()).unwrap()
}

fn corners(surface: &Surface, triangle: [u32; 3]) -> [Vec3; 3] {
    triangle.map(|vertex| Vec3::from(surface.vertices[vertex as usize]))
}

/// Distance of a point from a triangle.
fn distance(p: Vec3, [a, b, c]: [Vec3; 3]) -> f64 {
    let normal = (b - a).cross(&(c - a));
    let inside =
        [[a, b], [b, c], [c, a]].iter().all(|[s, e]| (e - s).cross(&(p - s)).dot(&normal) >= 0.0);
    if inside {
        return normal.dot(&(p - a)).abs() / normal.norm();
    }
    let to_edge = |s: Vec3, e: Vec3| {
        let t = ((p - s).dot(&(e - s)) / (e - s).norm_squared()).clamp(0.0, 1.0);
        (p - s - (e - s) * t).norm()
    };
    to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a))
}

fn distance_to(surface: &Surface, p: [f64; 3]) -> f64 {
    let all = surface.triangles.iter().map(|&t| distance(Vec3::from(p), corners(surface, t)));
    all.fold(f64::INFINITY, f64::min)
}

/// True if the segment crosses the triangle.
fn crosses([s, e]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
    let volume = |p: Vec3, q: Vec3, r: Vec3, t: Vec3| (q - p).dot(&(r - p).cross(&(t - p)));
    if (volume(s, a, b, c) > 0.0) == (volume(e, a, b, c) > 0.0) {
        return false;
    }
    let turn = [volume(s, e, a, b), volume(s, e, b, c), volume(s, e, c, a)];
    turn.iter().all(|&v| v > 0.0) || turn.iter().all(|&v| v < 0.0)
}

/// Pairs of triangles that cross; neighbours along an edge cannot but fold.
fn crossing_pairs(surface: &Surface) -> usize {
    let bounds = |t: [u32; 3]| {
        let [a, b, c] = corners(surface, t);
        [a.inf(&b).inf(&c), a.sup(&b).sup(&c)]
    };
    let mut boxes: Vec<_> = surface.triangles.iter().map(|&t| (bounds(t), t)).collect();
    boxes.sort_by(|a, b| a.0[0].x.total_cmp(&b.0[0].x));
    let mut pairs = 0;
    for (i, ([low, high], t)) in boxes.iter().enumerate() {
        let ahead = boxes[i + 1..].iter().take_while(|(other, _)| other[0].x <= high.x);
        for ([other_low, other_high], o) in ahead {
            let apart = (0..3).any(|k| other_low[k] > high[k] || low[k] > other_high[k]);
            let shared = t.iter().filter(|vertex| o.contains(vertex)).count();
            if apart || shared > 1 {
                continue;
            }
            let edges = |of: &[u32; 3], not: &[u32; 3]| {
                let ends = (0..3).map(|k| [of[k], of[(k + 1) % 3]]);
                let free: Vec<_> =
                    ends.filter(|end| end.iter().all(|v| !not.contains(v))).collect();
                free.into_iter().map(|end| end.map(|v| Vec3::from(surface.vertices[v as usize])))
            };
            let hit = edges(t, o).any(|edge| crosses(edge, corners(surface, *o)))
                || edges(o, t).any(|edge| crosses(edge, corners(surface, *t)));
            pairs += usize::from(hit);
        }
    }
    pairs
}

/// One piece without handles, every vertex used, positive volume; at the finest cell
/// size, between, and at the default, which is the coarsest.
#[test]
fn every_bone_is_a_closed_outward_surface_at_every_cell_size() {
    for body in Body::SOLID {
        let mut volumes = Vec::new();
        for scale in [0.6, 0.8, 1.0] {
            let cell = scale * body.default_cell();
            let surface = body.surface(cell).unwrap_or_else(|error| panic!("{body:?}: {error}"));
            let mut directed = BTreeMap::new();
            for [a, b, c] in &surface.triangles {
                for edge in [[a, b], [b, c], [c, a]] {
                    *directed.entry(edge).or_insert(0) += 1;
                }
            }
            assert!(directed.iter().all(|(&[a, b], &n)| n == 1 && directed.contains_key(&[b, a])));
            let faces: Vec<_> = surface.triangles.iter().map(|t| t.to_vec()).collect();
            assert_eq!(euler_characteristic(&faces), Some(2), "{body:?} {scale}");
            let used: std::collections::BTreeSet<_> = surface.triangles.iter().flatten().collect();
            assert_eq!(used.len(), surface.vertices.len());
            volumes.push(surface.solid().unwrap().volume);
            assert_eq!(crossing_pairs(&surface), 0, "{body:?} {scale}");
        }
        // Positive: outward. The chords of the coarser surface cut off little.
        let finest = volumes[0];
        for volume in volumes {
            assert!(volume > 0.0 && (volume / finest - 1.0).abs() < 0.03, "{body:?}: {volume} m3");
        }
    }
}

#[test]
fn a_default_bone_has_some_thousand_well_shaped_triangles() {
    for body in Body::SOLID {
        let surface = surface(body);
        let count = surface.triangles.len();
        let most = if body == Body::Cranium { 10_000 } else { 6_100 };
        assert!((2_000..most).contains(&count), "{body:?}: {count}");
        // 1 for an equilateral triangle, 0 for a flat one.
        let quality = surface.triangles.iter().map(|&t| {
            let [a, b, c] = corners(&surface, t);
            let squares = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
            2.0 * 3f64.sqrt() * (b - a).cross(&(c - a)).norm() / squares
        });
        let worst = quality.fold(1.0, f64::min);
        assert!(worst > 0.15, "{body:?}: {worst}");
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    for body in Body::SOLID {
        let surface = surface(body);
        let bits = |p: [f64; 3]| p.map(|x| (x + 0.0).to_bits());
        let mut points: Vec<_> = surface.vertices.iter().map(|&p| bits(p)).collect();
        let mut mirrored: Vec<_> =
            surface.vertices.iter().map(|&[x, y, z]| bits([x, -y, z])).collect();
        points.sort_unstable();
        mirrored.sort_unstable();
        assert_eq!(points, mirrored, "{body:?}");
    }
}

#[test]
fn wrong_requests_are_refused_with_a_reason() {
    assert!(matches!(Body::Mandible.surface(0.0), Err(SurfaceError::Cell { .. })));
    assert!(matches!(Body::Mandible.surface(f64::NAN), Err(SurfaceError::Cell { .. })));
    assert!(matches!(Body::Mandible.surface(1.0), Err(SurfaceError::Cell { .. })));
    assert_eq!(Body::Sternum.surface(1.5e-3), Err(SurfaceError::NoSurface { body: Body::Sternum }));
    assert!(Body::Sternum.shape().is_none());
}

/// Within 2 mm: the landmarks are rounded to 1 mm, and lie up to 2 mm from the bones of the published
/// model itself.
#[test]
fn muscles_attach_to_the_surfaces_of_their_bones() {
    let surfaces: BTreeMap<_, _> = Body::SOLID.map(|body| (body.name(), surface(body))).into();
    for muscle in muscles() {
        for end in [muscle.origin, muscle.insertion] {
            if let Some(surface) = surfaces.get(end.body.name()) {
                let off = distance_to(surface, end.point);
                assert!(off < 2e-3, "{} on {:?}: {off} m", muscle.name, end.body);
            }
        }
    }
}

/// The braincase is hollowed for the muscle, not enough for its most medial line: that is up to 3.4 mm inside.
#[test]
fn the_temporal_muscle_runs_along_the_hollow_of_the_braincase() {
    let shape = shape(Body::Cranium);
    let mut least = f64::INFINITY;
    for muscle in muscles().iter().filter(|it| it.group == MuscleGroup::Temporalis) {
        let [from, to] = [muscle.origin.point, muscle.insertion.point].map(Vec3::from);
        for k in 25..=100 {
            let point = from + (to - from) * (f64::from(k) / 100.0);
            least = least.min(shape.signed_value(point.into()));
        }
    }
    assert!(least > -3.5e-3, "{least} m inside the bone");
}

#[test]
fn muscles_of_the_sternum_end_on_what_is_drawn_of_it() {
    let surface = Body::manubrium().unwrap();
    for muscle in muscles() {
        for end in [muscle.origin, muscle.insertion] {
            if end.body == Body::Sternum {
                let off = distance_to(&surface, end.point);
                assert!(off < 2e-3, "{}: {off} m", muscle.name);
            }
        }
    }
}

#[test]
fn joint_and_bite_points_lie_on_the_bones() {
    let [mandible, maxilla] = [Body::Mandible, Body::Maxilla].map(surface);
    assert!(shape(Body::Mandible).signed_value(CONDYLE) < 1e-3);
    assert!(distance_to(&mandible, CONDYLE) < 2e-3);
    assert!(distance_to(&mandible, BITE) < 1e-3);
    // Between the two crowns at the midline the edges draw back.
    assert!(distance_to(&mandible, LOWER_INCISOR) < 2.5e-3);
    assert!(distance_to(&maxilla, UPPER_INCISOR) < 2.5e-3);
}

/// Means of women to means of men (Bottyán 1974), 5 % more on either side: bicondylar breadth 114.9 to
/// 121.3 mm, bigonial breadth 94.1 to 102.4 mm, height of the symphysis 27.2 to 30.6 mm, projective
/// length 93.9 to 97.9 mm. Condyles 16.9 x 8.7 to 17.4 x 9.0 mm.
#[test]
fn the_mandible_has_published_dimensions() {
    let mandible = surface(Body::Mandible);
    let extent = |keep: &dyn Fn(Vec3) -> bool, along: Vec3| {
        let at = mandible.vertices.iter().map(|&p| Vec3::from(p) * 1e3).filter(|p| keep(*p));
        let (low, high) = at.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
            (low.min(p.dot(&along)), high.max(p.dot(&along)))
        });
        [low, high]
    };
    let within = |what: &str, value: f64, low: f64, high: f64| {
        assert!((0.95 * low..1.05 * high).contains(&value), "{what}: {value} mm");
    };
    let width = |[low, high]: [f64; 2]| high - low;
    within("bicondylar", width(extent(&|p| p.z > 65.0, Vec3::y())), 114.9, 121.3);
    within("bigonial", width(extent(&|p| p.z < 30.0 && p.x < -20.0, Vec3::y())), 94.1, 102.4);
    // The crowns begin about 27 mm up.
    let [lowest, _] = extent(&|p| p.y.abs() < 3.0, Vec3::z());
    within("symphysis", 29.0 - lowest, 27.2, 30.6);
    // Along the lower border, which rises 20 degrees rearward.
    let border = Vec3::new(0.940, 0.0, -0.342);
    within("length", width(extent(&|p| p.z < 20.0 || p.z > 65.0, border)), 93.9, 97.9);
    let condyle = |p: Vec3| p.z > 70.0 && p.x < -25.0 && p.y > 0.0;
    within("condyle, across", width(extent(&condyle, Vec3::y())), 16.9, 17.4);
    within("condyle, along", width(extent(&condyle, Vec3::x())), 8.7, 9.5);
    let top = extent(&condyle, Vec3::z())[1];
    let gonion = extent(&|p| p.x < -31.0, Vec3::z())[0];
    within("ramus", top - gonion, 58.0, 62.0);
}

#[test]
fn the_hyoid_bone_is_as_long_as_published() {
    let [low, high] = [f64::min as fn(f64, f64) -> f64, f64::max]
        .map(|pick| surface(Body::Hyoid).vertices.iter().map(|p| p[0]).reduce(pick).unwrap());
    // Means of women and men (Fakhry et al. 2013).
    assert!((32.5e-3..39.1e-3).contains(&(high - low)), "{} m", high - low);
}

/// The published mandible weighs 0.2 kg with its soft tissue; its centre lies near that of the bone,
/// and its moments of inertia are those of a smaller body.
#[test]
fn masses_fit_the_surfaces() {
    let mandible = surface(Body::Mandible).solid().unwrap();
    for axis in 0..3 {
        let off = mandible.centroid[axis] - MANDIBLE_DYNAMICS.center[axis];
        assert!(off.abs() < 5e-3, "axis {axis}: {off} m");
    }
    // Bone of 1.1 to 1.9 g/cm3 with teeth makes 60 to 110 g; the rest is soft tissue.
    assert!((50e-6..60e-6).contains(&mandible.volume), "{} m3", mandible.volume);
    let hyoid = surface(Body::Hyoid).solid().unwrap();
    for (&given, unit) in HYOID_DYNAMICS.inertia.iter().zip(inertia(&hyoid)) {
        let expected = unit * HYOID_DYNAMICS.mass / hyoid.volume;
        assert!((given - expected).abs() < 0.03e-6, "{given} kg m2, surface {expected} kg m2");
    }
    for axis in 0..3 {
        assert!((HYOID_DYNAMICS.center[axis] - hyoid.centroid[axis]).abs() < 0.2e-3);
    }
    for [xx, yy, zz, ..] in [MANDIBLE_DYNAMICS.inertia, HYOID_DYNAMICS.inertia] {
        assert!(xx < yy + zz && yy < zz + xx && zz < xx + yy);
    }
}

/// Of a solid of 1 kg/m³ about its centre [kg m²]: xx, yy, zz, xy, yz, xz.
fn inertia(solid: &SolidIntegrals) -> [f64; 6] {
    let inertia = solid.volume_inertia();
    [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].map(|place| inertia[place])
}

#[test]
fn mass_properties_of_a_box_are_exact() {
    let corner =
        |k: u32| [1.0 + f64::from(k & 1), 2.0 * f64::from(k >> 1 & 1), 3.0 * f64::from(k >> 2)];
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let solid = Surface { vertices: (0..8).map(corner).collect(), triangles }.solid().unwrap();
    assert!((solid.volume - 6.0).abs() < 1e-12);
    for (given, expected) in solid.centroid.iter().zip([1.5, 1.0, 1.5]) {
        assert!((given - expected).abs() < 1e-12);
    }
    // V (b² + c²) / 12.
    for (given, expected) in inertia(&solid).iter().zip([6.5, 5.0, 2.5, 0.0, 0.0, 0.0]) {
        assert!((given - expected).abs() < 1e-12, "{:?}", inertia(&solid));
    }
}

fn shape(body: Body) -> Shape {
    body.shape().unwrap()
}

/// The check below finds what it looks for.
#[test]
fn a_vertex_pushed_through_the_bone_makes_triangles_cross() {
    let mut surface = surface(Body::Hyoid);
    let body = surface.vertices.iter().position(|p| p[0] > -0.002 && p[1].abs() < 0.005).unwrap();
    surface.vertices[body][0] -= 0.02;
    assert!(crossing_pairs(&surface) > 0);
}

/// At rest and along an opening of 40 mm with the condyles 12 mm forward.
#[test]
fn the_mandible_meets_no_other_bone_on_its_way() {
    let [mandible, hyoid] = [Body::Mandible, Body::Hyoid].map(surface);
    let open = Opening::with_gape(40e-3, 12e-3).unwrap();
    for body in [Body::Maxilla, Body::Cranium] {
        let shape = shape(body);
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let at = Opening { rotation: share * open.rotation, forward: share * open.forward };
            let gaps = mandible.vertices.iter().map(|&p| shape.signed_value(at.moved(p)));
            let least = gaps.fold(f64::INFINITY, f64::min);
            assert!(least > 0.2e-3, "{body:?}, {share} of the opening: {least} m");
        }
    }
    for (body, room) in [(Body::Mandible, 5e-3), (Body::Thyroid, 1e-3)] {
        let shape = shape(body);
        let least =
            hyoid.vertices.iter().map(|&p| shape.signed_value(p)).fold(f64::INFINITY, f64::min);
        assert!(least > room, "hyoid bone to {body:?}: {least} m");
    }
}

#[test]
fn the_tongue_lies_within_the_arch_and_its_root_at_the_hyoid_bone() {
    let params = TongueParams { resolution: 2, ..TongueParams::default() };
    let mesh = tongue(&params).unwrap().fem(0).mesh.clone();
    for body in [Body::Mandible, Body::Maxilla, Body::Hyoid, Body::Thyroid] {
        let shape = shape(body);
        let gaps = mesh.nodes.iter().map(|p| shape.signed_value((*p).into()));
        let least = gaps.fold(f64::INFINITY, f64::min);
        println!("tongue to {body:?}: {least} m");
        assert!(least > 0.3e-3, "{body:?}: {least} m");
    }
    let nearest = |set: &str, body: Body| {
        let surface = surface(body);
        let nodes = mesh.node_sets[set].iter().map(|&n| mesh.nodes[n as usize].into());
        nodes.map(|p| distance_to(&surface, p)).fold(f64::INFINITY, f64::min)
    };
    let [tip, jaw, hyoid] =
        [("tip", Body::Mandible), ("jaw", Body::Mandible), ("hyoid", Body::Hyoid)]
            .map(|(set, body)| nearest(set, body));
    println!("tip {tip} m, jaw {jaw} m, hyoid {hyoid} m");
    assert!(tip < 3e-3, "tip {tip} m behind the lower incisors");
    assert!(jaw < 12e-3, "origin of the keel {jaw} m behind the symphysis");
    assert!(hyoid < 6e-3, "root {hyoid} m from the hyoid bone");
}
