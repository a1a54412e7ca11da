//! The bones of the jaw model: closed surfaces without self-intersections, symmetric, of published
//! size, through the attachments of the muscles and beside their lines, with room for the tongue.

use std::collections::{BTreeMap, BTreeSet};

use sinew::Vec3;
use sinew::geometry::{SolidIntegrals, SurfaceMesh};
use sinew_datasets::bones::{Bone, CELL_SCALES, cranial_cavity};
use sinew_datasets::jaw::gape::{LOWER_INCISOR, Opening, UPPER_INCISOR};
use sinew_datasets::jaw::joint::{BITE, CONDYLE, HYOID_DYNAMICS, MANDIBLE_DYNAMICS};
use sinew_datasets::jaw::muscles::{Attachment, MuscleRecord, muscles};
use sinew_datasets::jaw::{Body, Shape, Surface, SurfaceError};
use sinew_datasets::tongue::{TongueParams, tongue};

fn surface(body: Body) -> Surface {
    body.surface(body.default_cell()).unwrap()
}

fn drawn(bone: Bone) -> Surface {
    bone.surface(bone.default_cell()).unwrap()
}

fn mesh_of(surface: &Surface) -> SurfaceMesh {
    let vertices = surface.vertices.iter().map(|&p| p.into()).collect();
    SurfaceMesh::new(vertices, surface.triangles.clone()).unwrap()
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

/// Number of parts that hang together.
fn pieces(surface: &Surface) -> usize {
    fn root(of: &mut [usize], mut k: usize) -> usize {
        while of[k] != k {
            of[k] = of[of[k]];
            k = of[k];
        }
        k
    }
    let mut of: Vec<usize> = (0..surface.vertices.len()).collect();
    for [a, b, c] in &surface.triangles {
        for other in [b, c] {
            let [from, to] = [a, other].map(|&vertex| root(&mut of, vertex as usize));
            of[from] = to;
        }
    }
    (0..of.len()).map(|k| root(&mut of, k)).collect::<BTreeSet<_>>().len()
}

/// In as many pieces as there are bones, every vertex used, positive volume; at the finest cell size and at the
/// default, which is the coarsest.
#[test]
fn every_bone_is_a_closed_outward_surface_without_self_intersections() {
    for bone in Bone::ALL {
        let paired = matches!(bone, Bone::Arytenoids | Bone::OmohyoidSlings);
        let mut volumes = Vec::new();
        for scale in CELL_SCALES {
            let surface = bone.surface(scale * bone.default_cell());
            let surface = surface.unwrap_or_else(|error| panic!("{bone:?}: {error}"));
            let mesh = mesh_of(&surface);
            assert!(mesh.topology().is_closed(), "{bone:?} {scale}");
            assert_eq!(pieces(&surface), if paired { 2 } else { 1 }, "{bone:?} {scale}");
            let crossing = mesh.self_intersections(1).pairs;
            assert!(crossing.is_empty(), "{bone:?} {scale}: {crossing:?}");
            volumes.push(surface.solid().unwrap().volume);
        }
        // Positive: outward. The chords of the coarser surface cut off little.
        let [fine, coarse] = volumes[..] else { panic!("{volumes:?}") };
        assert!(fine > 0.0 && (coarse / fine - 1.0).abs() < 0.1, "{bone:?}: {fine}, {coarse} m3");
    }
}

/// Euler's number is 2 less 2 for each handle.
#[test]
fn bones_have_the_openings_of_their_anatomy() {
    let euler = |bone: Bone| {
        let surface = drawn(bone);
        surface.vertices.len() as i64 - surface.triangles.len() as i64 / 2
    };
    for bone in [Bone::Mandible, Bone::Hyoid, Bone::Thyroid, Bone::Manubrium] {
        assert_eq!(euler(bone), 2, "{bone:?}");
    }
    assert_eq!(euler(Bone::Cricoid), 0, "a ring");
    for bone in [Bone::Atlas, Bone::Axis, Bone::C3, Bone::C4, Bone::C5, Bone::C6, Bone::C7] {
        assert_eq!(euler(bone), -4, "{bone:?}: canal and two foramina");
    }
}

#[test]
fn a_default_bone_has_some_thousand_well_shaped_triangles() {
    for bone in Bone::ALL {
        let surface = drawn(bone);
        let count = surface.triangles.len();
        assert!((1_000..40_000).contains(&count), "{bone:?}: {count}");
        // 1 for an equilateral triangle, 0 for a flat one.
        let quality = surface.triangles.iter().map(|&t| {
            let [a, b, c] = corners(&surface, t);
            let squares = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
            2.0 * 3f64.sqrt() * (b - a).cross(&(c - a)).norm() / squares
        });
        let worst = quality.fold(1.0, f64::min);
        assert!(worst > 0.1, "{bone:?}: {worst}");
    }
}

/// Cosine of the largest turn between the normals of two triangles with a common edge.
fn sharpest(surface: &Surface) -> f64 {
    let normal = |&triangle: &[u32; 3]| {
        let [a, b, c] = corners(surface, triangle);
        (b - a).cross(&(c - a)).normalize()
    };
    let mut beside: BTreeMap<[u32; 2], Vec3> = BTreeMap::new();
    let mut least = 1.0_f64;
    for triangle in &surface.triangles {
        for k in 0..3 {
            let [from, to] = [triangle[k], triangle[(k + 1) % 3]];
            let own = normal(triangle);
            match beside.remove(&[to, from]) {
                Some(other) => least = least.min(own.dot(&other)),
                None => {
                    beside.insert([from, to], own);
                }
            }
        }
    }
    least
}

/// Plates whose borders are sharper than the cells of the grid end in the teeth of a saw.
#[test]
fn borders_of_cartilages_are_round() {
    for bone in [Bone::Thyroid, Bone::Cricoid] {
        let turn = sharpest(&drawn(bone)).acos().to_degrees();
        assert!(turn < 75.0, "{bone:?}: {turn} degrees");
    }
}

#[test]
fn left_and_right_are_mirror_images() {
    for bone in Bone::ALL {
        let surface = drawn(bone);
        let bits = |p: [f64; 3]| p.map(|x| (x + 0.0).to_bits());
        let mut points: Vec<_> = surface.vertices.iter().map(|&p| bits(p)).collect();
        let mut mirrored: Vec<_> =
            surface.vertices.iter().map(|&[x, y, z]| bits([x, -y, z])).collect();
        points.sort_unstable();
        mirrored.sort_unstable();
        assert_eq!(points, mirrored, "{bone:?}");
    }
}

#[test]
fn wrong_requests_are_refused_with_a_reason() {
    assert!(matches!(Body::Mandible.surface(0.0), Err(SurfaceError::Cell { .. })));
    assert!(matches!(Body::Mandible.surface(f64::NAN), Err(SurfaceError::Cell { .. })));
    assert!(matches!(Body::Mandible.surface(1.0), Err(SurfaceError::Cell { .. })));
    assert_eq!(Body::Sternum.surface(1.5e-3), Err(SurfaceError::NoSurface { body: "sternum" }));
    assert!(Body::Sternum.shape().is_none());
}

/// The bones and fasciae that the points of a body lie on.
fn bones_of(body: Body) -> Vec<Bone> {
    body.bone().map_or(vec![Bone::Manubrium, Bone::OmohyoidSlings], |bone| vec![bone])
}

/// Within 2 mm: the landmarks are rounded to 1 mm, and lie up to 2 mm from the bones of the published
/// model itself. The omohyoid begins at its intermediate tendon, which hangs in a sling.
#[test]
fn every_muscle_begins_and_ends_on_bone() {
    let surfaces: BTreeMap<_, _> = Bone::ALL.map(|bone| (bone.name(), drawn(bone))).into();
    let off = |end: Attachment| {
        let bones = bones_of(end.body).into_iter();
        let all = bones.map(|bone| distance_to(&surfaces[bone.name()], end.point));
        all.fold(f64::INFINITY, f64::min)
    };
    for muscle in muscles() {
        for end in [muscle.origin, muscle.insertion] {
            let off = off(end);
            assert!(off < 2e-3, "{} on {:?}: {off} m", muscle.name, end.body);
        }
    }
}

/// Points of the line of a muscle, every 0.5 mm, farther than 5 mm from both ends: there it is attached.
fn between(muscle: &MuscleRecord) -> Vec<Vec3> {
    let [from, to] = [muscle.origin.point, muscle.insertion.point].map(Vec3::from);
    let count = (muscle.rest_length() / 0.5e-3) as usize;
    let at = (0..=count).map(|k| from + (to - from) * (k as f64 / count as f64));
    at.filter(|p| (p - from).norm() > 5e-3 && (p - to).norm() > 5e-3).collect()
}

/// Up to 1 mm inside, as the landmarks are rounded to 1 mm and the muscles are straight: the anterior temporal begins on
/// the temporal line, which bulges before it, and the posterior one passes the root of the zygomatic process.
#[test]
fn no_muscle_passes_through_a_bone_at_rest() {
    let shapes = Bone::ALL.map(|bone| (bone, bone.shape()));
    for muscle in muscles() {
        let points = between(&muscle);
        assert!(points.len() > 10, "{}", muscle.name);
        for (bone, shape) in &shapes {
            let depths = points.iter().map(|&p| shape.signed_value(p.into()));
            let least = depths.fold(f64::INFINITY, f64::min);
            assert!(least > -1e-3, "{}: {least} m inside of {bone:?}", muscle.name);
        }
    }
}

/// Bones side by side do not overlap; cartilages and vertebrae nearly touch.
#[test]
fn neighbours_are_apart() {
    use Bone::{
        Arytenoids, Atlas, Axis, C3, C4, C5, C6, C7, Cranium, Cricoid, Hyoid, Mandible, Maxilla,
        Thyroid,
    };
    let pairs = [
        (Mandible, Maxilla),
        (Mandible, Cranium),
        (Hyoid, Mandible),
        (Hyoid, Thyroid),
        (Hyoid, C3),
        (Cricoid, Thyroid),
        (Arytenoids, Cricoid),
        (Arytenoids, Thyroid),
        (Thyroid, C5),
        (Atlas, Cranium),
        (Atlas, Axis),
        (Axis, C3),
        (C3, C4),
        (C4, C5),
        (C5, C6),
        (C6, C7),
        (Atlas, Mandible),
    ];
    for (a, b) in pairs {
        let shape = b.shape();
        let gaps = drawn(a).vertices.into_iter().map(|p| shape.signed_value(p));
        let least = gaps.fold(f64::INFINITY, f64::min);
        assert!(least > 0.2e-3, "{a:?} to {b:?}: {least} m");
    }
}

/// Basion to bregma 126 mm (women) to 137 mm (men) (Nemeskeri1957), foramen magnum 33.1 mm to 38.5 mm long (Shepur2014),
/// each 5 % more on either side. The brain's cavity, 1.2 to 1.6 litres in nearly everybody, makes the bone a shell.
#[test]
fn the_skull_has_published_dimensions() {
    let cranium = drawn(Bone::Cranium);
    let middle: Vec<_> =
        cranium.vertices.iter().map(|p| p.map(|x| x * 1e3)).filter(|p| p[1].abs() < 4.0).collect();
    let top = middle.iter().map(|p| p[2]).fold(0.0, f64::max);
    let basion = middle.iter().filter(|p| (-54.0..-48.0).contains(&p[0]));
    let basion = basion.map(|p| p[2]).fold(f64::INFINITY, f64::min);
    assert!((0.95 * 126.0..1.05 * 137.0).contains(&(top - basion)), "{} mm", top - basion);
    let shape = Bone::Cranium.shape();
    let clear = |x: f64| shape.signed_value([x * 1e-3, 0.0, 76e-3]) > 0.0;
    let way = |step: f64| (0..400).take_while(|&k| clear(-69.0 + step * f64::from(k))).count();
    let open = 0.1 * (way(0.1) + way(-0.1)) as f64;
    assert!((0.95 * 33.1..1.05 * 38.5).contains(&open), "foramen magnum: {open} mm");
    let cavity = cranial_cavity().unwrap().solid().unwrap().volume;
    assert!((1200e-6..1600e-6).contains(&cavity), "{cavity} m3");
    let bone = cranium.solid().unwrap().volume;
    assert!((500e-6..800e-6).contains(&bone), "{bone} m3");
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
    assert!((50e-6..62e-6).contains(&mandible.volume), "{} m3", mandible.volume);
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
    let params = TongueParams { resolution: 2, vault: 1.0, ..TongueParams::default() };
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
