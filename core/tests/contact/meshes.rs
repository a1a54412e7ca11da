//! Meshes: their gaps are those of the same solids in closed form, whichever features are near and whichever
//! member comes first; inside a surface that is not convex the nearest wall counts.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, ContactPoint, Detector, Member, MeshSolid, Pair, PointSet, Shape};
use sinew::geometry::{SurfaceMesh, cuboid_mesh, cylinder_mesh, icosphere_mesh};

use super::scenes::{Numbers, cuboid, solids};

const HALF: [f64; 3] = [0.5, 0.7, 0.3];

fn mesh(surface: &SurfaceMesh) -> Shape {
    Shape::Mesh(MeshSolid::new(surface).unwrap())
}

fn box_mesh() -> Shape {
    mesh(&cuboid_mesh(&(Vec3::from(HALF) * 2.0)).unwrap())
}

/// Contacts of two shapes up to 0.3 m, the first at a pose.
fn contacts(first: &Shape, second: &Shape, at: Pose) -> Vec<ContactPoint> {
    contacts_within(0.3, first, second, at)
}

fn contacts_within(margin: f64, first: &Shape, second: &Shape, at: Pose) -> Vec<ContactPoint> {
    let collider =
        |shape: &Shape, frame| Collider { shape: shape.clone(), frame, pose: Pose::identity() };
    let pair = Pair { a: Member::Collider(0), b: Member::Collider(1), margin, thickness: 0.0 };
    let colliders = vec![collider(first, 0), collider(second, 1)];
    let mut detector = Detector::new(colliders, Vec::new(), vec![pair]).unwrap();
    let mut found = Vec::new();
    detector.detect(&[at, Pose::identity()], &[], &mut found);
    found
}

fn least(contacts: &[ContactPoint]) -> Option<f64> {
    contacts.iter().map(|contact| contact.gap).reduce(f64::min)
}

#[test]
fn a_box_of_triangles_is_as_far_from_every_solid_as_a_box() {
    let mut numbers = Numbers(11);
    let exact = cuboid(HALF[0], HALF[1], HALF[2]);
    for (kind, solid) in solids().iter().enumerate() {
        // The rim of a cylinder is 32 points, a segment beside an edge two ends: within 1 % of a radius.
        let slack = if matches!(solid, Shape::Cylinder { .. }) { 5e-3 } else { 1e-9 };
        let mut compared = 0;
        for _ in 0..400 {
            let at = numbers.pose(1.3);
            let expected = least(&contacts(solid, &exact, at));
            // Deep overlaps have several ways out; those of features are as near as any when shallow.
            let Some(expected) = expected.filter(|gap| (-0.02..0.25).contains(gap)) else {
                continue;
            };
            let found = least(&contacts(solid, &box_mesh(), at));
            let found = found.unwrap_or_else(|| panic!("kind {kind}: none, {expected} m expected"));
            let error = found - expected;
            let fits =
                error.abs() <= slack || (expected < 0.0 && error.abs() < 0.3 * expected.abs());
            assert!(fits, "kind {kind}: {found} m, {expected} m expected at {at}");
            compared += 1;
        }
        assert!(compared > 30, "kind {kind}: {compared}");
    }
}

#[test]
fn two_meshes_are_as_far_apart_as_the_boxes_they_are_of() {
    let mut numbers = Numbers(5);
    let exact = cuboid(HALF[0], HALF[1], HALF[2]);
    let mut compared = 0;
    for _ in 0..600 {
        let at = numbers.pose(1.3);
        let expected = least(&contacts(&exact, &exact, at));
        let Some(expected) = expected.filter(|gap| (1e-6..0.25).contains(gap)) else { continue };
        let found = contacts(&box_mesh(), &box_mesh(), at);
        let gap = least(&found).unwrap_or_else(|| panic!("none, {expected} m expected at {at}"));
        assert!((gap - expected).abs() < 1e-9, "{gap} m, {expected} m expected at {at}");
        let back = contacts(&box_mesh(), &box_mesh(), at.inverse());
        assert!((least(&back).unwrap() - gap).abs() < 1e-9);
        let inner = |c: &ContactPoint| ((c.point_a - c.point_b).dot(&c.normal) - c.gap).abs();
        assert!(found.iter().all(|c| inner(c) < 1e-12 && (c.normal.norm() - 1.0).abs() < 1e-12));
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_fine_mesh_on_a_plane_and_on_another_is_supported_by_four_corners() {
    let surface = cylinder_mesh(0.4, 0.6, 64).unwrap();
    let pose = Pose::translation(0.0, 0.0, 0.3 + 1e-4);
    let mut detector = Detector::new(
        vec![
            Collider { shape: mesh(&surface), frame: 0, pose: Pose::identity() },
            Collider { shape: Shape::HalfSpace, frame: Collider::GROUND, pose: Pose::identity() },
        ],
        Vec::new(),
        vec![Pair { a: Member::Collider(0), b: Member::Collider(1), margin: 1e-3, thickness: 0.0 }],
    )
    .unwrap();
    let mut found = Vec::new();
    detector.detect(&[pose], &[], &mut found);
    assert_eq!(found.len(), 4, "{found:?}");
    // They span a square inside the rim.
    let around: Vec3 = found.iter().map(|contact| contact.point_a).sum();
    assert!(around.xy().norm() < 1e-9 && found.iter().all(|c| (c.gap - 1e-4).abs() < 1e-12));
    let keys: Vec<u64> = found.iter().map(|contact| contact.key).collect();
    let turned = pose * Pose::rotation(Vec3::new(0.0, 0.0, 1e-3));
    detector.detect(&[turned], &[], &mut found);
    assert_eq!(keys, found.iter().map(|contact| contact.key).collect::<Vec<_>>());
}

/// Two balls far from each other in one mesh touch a plate at two regions.
#[test]
fn what_touches_far_apart_is_supported_at_both_places() {
    let ball = icosphere_mesh(0.2, 3).unwrap();
    let count = ball.vertices().len() as u32;
    let both = |shift: f64| ball.vertices().iter().map(move |p| p + Vec3::x() * shift);
    let vertices = both(-1.0).chain(both(1.0)).collect();
    let second = ball.triangles().iter().map(|triangle| triangle.map(|v| v + count));
    let triangles = ball.triangles().iter().copied().chain(second).collect();
    let feet = SurfaceMesh::new(vertices, triangles).unwrap();
    let plate = mesh(&cuboid_mesh(&Vec3::new(4.0, 4.0, 0.2)).unwrap());
    let found =
        contacts_within(0.01, &mesh(&feet), &plate, Pose::translation(0.0, 0.0, 0.1 + 0.195));
    let side = |sign: f64| found.iter().filter(|c| c.gap < 0.0 && c.point_a.x * sign > 0.8).count();
    assert!(side(1.0) > 0 && side(-1.0) > 0, "{found:?}");
    assert!((least(&found).unwrap() + 0.005).abs() < 1e-3, "{:?}", least(&found));
}

#[test]
fn points_inside_what_is_not_convex_are_supported_by_the_nearest_wall() {
    // A box with a lid taken off: five walls of 0.1 m around a room of 0.8 m.
    let wall = |size: [f64; 3], at: [f64; 3]| {
        let wall = cuboid_mesh(&Vec3::from(size)).unwrap();
        wall.transformed(&sinew::Mat3::identity(), &Vec3::from(at)).unwrap()
    };
    let walls = [
        wall([1.0, 1.0, 0.1], [0.0, 0.0, -0.45]),
        wall([0.1, 1.0, 0.9], [-0.45, 0.0, 0.05]),
        wall([0.1, 1.0, 0.9], [0.45, 0.0, 0.05]),
        wall([0.8, 0.1, 0.9], [0.0, -0.45, 0.05]),
        wall([0.8, 0.1, 0.9], [0.0, 0.45, 0.05]),
    ];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for wall in &walls {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(wall.vertices());
        triangles.extend(wall.triangles().iter().map(|t| t.map(|v| v + first)));
    }
    let room = SurfaceMesh::new(vertices, triangles).unwrap();
    let rows: Vec<u32> = (0..3).collect();
    let q = [Vec3::new(0.1, 0.0, -0.38), Vec3::new(0.39, 0.1, 0.2), Vec3::new(0.0, 0.0, 0.0)];
    let mut detector = Detector::new(
        vec![Collider { shape: mesh(&room), frame: Collider::GROUND, pose: Pose::identity() }],
        vec![PointSet::new(rows, 0.0)],
        vec![Pair { a: Member::Points(0), b: Member::Collider(0), margin: 0.05, thickness: 0.0 }],
    )
    .unwrap();
    let mut found = Vec::new();
    detector.detect(&[], &q, &mut found);
    assert_eq!(found.len(), 2, "{found:?}");
    for (contact, (a, gap, normal)) in
        found.iter().zip([(0, 0.02, Vec3::z()), (1, 0.01, -Vec3::x())])
    {
        let fits = (contact.gap - gap).abs() < 1e-12 && (contact.normal - normal).norm() < 1e-12;
        assert!(contact.a == a && fits, "{contact:?}");
    }
}
