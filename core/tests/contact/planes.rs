//! Everything against a half-space.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::Shape;

use crate::scenes::*;

/// A tilted plane far from the origin.
fn ground() -> Pose {
    Pose::new(Vec3::new(3.0, -2.0, 1.0), Vec3::new(0.3, -0.5, 0.7))
}

#[test]
fn the_deepest_point_over_a_plane_is_the_support_of_the_shape() {
    let mut numbers = Numbers(5);
    let plane = ground();
    let up = plane.rotation * Vec3::z();
    for shape in solids() {
        for k in 0..40 {
            let pose = numbers.pose(1.0);
            let lowest = -extent(&shape, &pose, &-up) - up.dot(&plane.translation.vector);
            let height = -0.3 + 0.01 * f64::from(k);
            let pose = Pose::translation(up.x, up.y, up.z).translation * pose;
            let lift = up * (height - lowest - 1.0);
            let pose = Pose::from_parts((pose.translation.vector + lift).into(), pose.rotation);
            let found = contacts(&shape, &pose, &Shape::HalfSpace, &plane, 0.2);
            let best = deepest(&found);
            assert!((best.gap - height).abs() < 1e-12, "{} {} {height}", shape.kind(), best.gap);
            for touch in &found {
                assert!((touch.normal - up).norm() < 1e-12 && touch.gap <= 0.2);
                let over = (touch.point_b - plane.translation.vector).dot(&up);
                assert!(over.abs() < 1e-12, "{over}");
                let gap = (touch.point_a - touch.point_b).dot(&up);
                assert!((gap - touch.gap).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_plane_has_as_many_contacts_as_hold_the_shape() {
    let count = |shape: &Shape, pose: Pose| {
        contacts(shape, &pose, &Shape::HalfSpace, &Pose::identity(), 1e-3).len()
    };
    let lying = |height: f64| Pose::new(Vec3::z() * height, Vec3::x() * 0.5 * std::f64::consts::PI);
    let capsule = Shape::Capsule { radius: 0.3, half_length: 0.7 };
    let cylinder = Shape::Cylinder { radius: 0.5, half_length: 0.8 };
    assert_eq!(count(&Shape::Sphere { radius: 0.6 }, shift(0.0, 0.0, 0.6)), 1);
    assert_eq!(count(&capsule, lying(0.3)), 2);
    assert_eq!(count(&capsule, shift(0.0, 0.0, 1.0)), 1);
    assert_eq!(count(&cylinder, lying(0.5)), 2);
    assert_eq!(count(&cylinder, shift(0.0, 0.0, 0.8)), 4);
    assert_eq!(count(&cuboid(0.5, 0.7, 0.9), shift(0.0, 0.0, 0.9)), 4);
    assert_eq!(count(&box_hull(0.5, 0.7, 0.9), shift(0.0, 0.0, 0.9)), 4);
    let cloud = Shape::Points { points: vec![Vec3::zeros(), Vec3::x(), Vec3::z()], radius: 0.1 };
    assert_eq!(count(&cloud, shift(0.0, 0.0, 0.1)), 2);
}

#[test]
fn a_standing_cylinder_keeps_its_points_while_its_tilt_is_rounding() {
    let cylinder = Shape::Cylinder { radius: 0.5, half_length: 0.8 };
    let mut detector = two(&cylinder, &Shape::HalfSpace, 1e-3);
    let ground = Pose::identity();
    let rest = detect(&mut detector, &shift(0.0, 0.0, 0.8), &ground);
    for k in 0..20 {
        let tilt = Vec3::new(f64::from(k).cos(), f64::from(k).sin(), 0.0) * 1e-14;
        let found = detect(&mut detector, &Pose::new(Vec3::z() * 0.8, tilt), &ground);
        assert_eq!(found.len(), 4);
        for (one, other) in rest.iter().zip(&found) {
            assert_eq!(one.key, other.key);
            assert!((one.point_a - other.point_a).norm() < 1e-12);
        }
    }
}
