//! Balls and points against every solid, outside and inside.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, Detector, Member, Pair, PointSet, Shape};

use crate::scenes::*;

/// Gap of a point set's only point against a solid at a pose.
fn point_gap(solid: &Shape, pose: &Pose, p: Vec3) -> (f64, Vec3) {
    let collider = Collider { shape: solid.clone(), frame: 0, pose: Pose::identity() };
    let set = PointSet::new(vec![1], 0.0);
    let pair = Pair { a: Member::Points(0), b: Member::Collider(0), margin: 10.0, thickness: 0.0 };
    let mut detector = Detector::new(vec![collider], vec![set], vec![pair]).unwrap();
    let mut out = Vec::new();
    detector.detect(&[*pose], &[Vec3::zeros(), p], &mut out);
    assert_eq!((out.len(), out[0].a), (1, 0));
    (out[0].gap, out[0].normal)
}

#[test]
fn the_gap_of_a_point_is_its_signed_distance_from_every_solid() {
    let mut numbers = Numbers(11);
    for solid in solids() {
        for _ in 0..200 {
            let (pose, p) = (numbers.pose(0.3), numbers.vector(1.3));
            let (gap, normal) = point_gap(&solid, &pose, p);
            // A point is a ball without size: the widest slab is the signed distance.
            let wide = |n: &Vec3| p.dot(n) - extent(&solid, &pose, n);
            assert!((wide(&normal) - gap).abs() < 1e-12, "{} {gap}", solid.kind());
            for _ in 0..200 {
                let scale = 10f64.powf(1.0 - 6.0 * numbers.next());
                let other = (normal + numbers.direction() * scale).normalize();
                assert!(wide(&other) <= gap + 1e-12, "{} {gap} at {p}", solid.kind());
            }
        }
    }
}

#[test]
fn a_point_deep_inside_leaves_by_the_nearest_face() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let at = |p: Vec3| point_gap(&cube, &Pose::identity(), p);
    assert_eq!(at(Vec3::new(0.2, -0.7, 0.1)), (0.7 - 1.0, -Vec3::y()));
    // The middle has no nearest face: the first is taken.
    assert_eq!(at(Vec3::zeros()), (-1.0, Vec3::x()));
    let cylinder = Shape::Cylinder { radius: 0.5, half_length: 1.0 };
    let at = |p: Vec3| point_gap(&cylinder, &Pose::identity(), p);
    assert_eq!(at(Vec3::new(0.0, 0.0, 0.75)), (-0.25, Vec3::z()));
    assert_eq!(at(Vec3::zeros()), (-0.5, Vec3::x()));
}

#[test]
fn spheres_touch_as_far_as_their_radii() {
    let (a, b) = (Shape::Sphere { radius: 0.4 }, Shape::Sphere { radius: 0.7 });
    for k in -50..50 {
        let gap = f64::from(k) * 0.01;
        let direction = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        let pose = Pose::from_parts((direction * (1.1 + gap)).into(), Default::default());
        let found = contacts(&a, &pose, &b, &Pose::identity(), 1.0);
        assert!((found[0].gap - gap).abs() < 1e-14 && (found[0].normal - direction).norm() < 1e-14);
    }
}

#[test]
fn a_cloud_touches_with_the_points_that_are_near() {
    let points = vec![Vec3::zeros(), Vec3::x(), Vec3::new(0.0, 0.0, 2.0)];
    let cloud = Shape::Points { points, radius: 0.25 };
    let found =
        contacts(&cloud, &shift(0.0, 0.0, 1.2), &cuboid(1.0, 1.0, 1.0), &Pose::identity(), 0.01);
    assert_eq!(found.iter().map(|touch| touch.key).collect::<Vec<_>>(), [0, 1]);
    found.iter().for_each(|touch| assert!((touch.gap + 0.05).abs() < 1e-15));
}
