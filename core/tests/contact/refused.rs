//! Shapes and pairs that cannot be used are refused, with their names.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, ContactError, ConvexHull, Detector, Member, Pair, PointSet, Shape};

use crate::scenes::*;

fn collider(shape: Shape, frame: u32) -> Collider {
    Collider { shape, frame, pose: Pose::identity() }
}

fn refusal(shape: Shape) -> ContactError {
    let good = collider(Shape::HalfSpace, Collider::GROUND);
    Detector::new(vec![good, collider(shape, 0)], vec![], vec![]).unwrap_err()
}

#[test]
fn sizes_that_are_not_positive_are_refused_by_name() {
    let text = refusal(Shape::Sphere { radius: -1.0 }).to_string();
    assert!(text.contains("collider 1, a sphere, has radius -1 m"), "{text}");
    let text = refusal(Shape::Capsule { radius: 1.0, half_length: 0.0 }).to_string();
    assert!(text.contains("a capsule, has half length 0 m"), "{text}");
    let text = refusal(Shape::Cylinder { radius: f64::NAN, half_length: 1.0 }).to_string();
    assert!(text.contains("a cylinder, has radius NaN m"), "{text}");
    let text = refusal(cuboid(1.0, f64::INFINITY, 1.0)).to_string();
    assert!(text.contains("a box, has half extent inf m"), "{text}");
    let text = refusal(Shape::Cylinder { radius: 0.1, half_length: 1e7 }).to_string();
    assert!(text.ends_with("half length 10000000 m: give it a positive number, 1e6 at most"));
    let cloud = |points, radius| refusal(Shape::Points { points, radius });
    assert_eq!(cloud(vec![], 0.0), ContactError::NoPoints { what: "collider", index: 1 });
    let lost = vec![Vec3::zeros(), Vec3::new(0.0, f64::NAN, 0.0)];
    assert_eq!(cloud(lost, 0.0), ContactError::PointNotFinite { collider: 1, point: 1 });
    assert!(matches!(cloud(vec![Vec3::zeros()], -0.1), ContactError::Size { .. }));
}

#[test]
fn hulls_without_volume_are_refused() {
    let points =
        |list: &[[f64; 3]]| -> Vec<Vec3> { list.iter().map(|p| Vec3::from_row_slice(p)).collect() };
    let refuse = |list: &[[f64; 3]]| ConvexHull::new(&points(list)).unwrap_err();
    assert_eq!(refuse(&[]), ContactError::TooFewPoints { count: 0 });
    assert_eq!(refuse(&[[0.0; 3]; 3]), ContactError::TooFewPoints { count: 3 });
    let square = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]];
    assert!(matches!(refuse(&square), ContactError::FlatHull { count: 4, .. }));
    let line = [[0.0; 3], [1.0; 3], [2.0; 3], [3.0; 3]];
    assert!(matches!(refuse(&line), ContactError::FlatHull { .. }));
    assert!(matches!(refuse(&[[1.0; 3]; 5]), ContactError::FlatHull { .. }));
    let lost = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, f64::NAN, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(refuse(&lost), ContactError::HullPoint { point: 2 });
}

#[test]
fn pairs_that_cannot_touch_are_refused() {
    let colliders = || {
        vec![
            collider(Shape::HalfSpace, Collider::GROUND),
            collider(Shape::Sphere { radius: 1.0 }, 0),
            collider(cuboid(1.0, 1.0, 1.0), 0),
            collider(Shape::Points { points: vec![Vec3::zeros()], radius: 0.0 }, 1),
            collider(Shape::HalfSpace, 1),
        ]
    };
    let set = || vec![PointSet::new(vec![0], 0.0)];
    let refuse = |list: &[(Member, Member, f64)]| {
        let pairs =
            list.iter().map(|&(a, b, margin)| Pair { a, b, margin, thickness: 0.0 }).collect();
        Detector::new(colliders(), set(), pairs).unwrap_err()
    };
    let (c, s) = (Member::Collider, Member::Points);
    let missing = refuse(&[(c(0), c(5), 0.0)]);
    assert_eq!(missing, ContactError::Missing { pair: 0, what: "collider", index: 5, count: 5 });
    let missing = refuse(&[(s(1), c(1), 0.0)]);
    assert_eq!(missing, ContactError::Missing { pair: 0, what: "point set", index: 1, count: 1 });
    assert_eq!(refuse(&[(c(1), c(2), 0.0)]), ContactError::SameFrame { pair: 0 });
    assert!(matches!(refuse(&[(c(0), c(4), 0.0)]), ContactError::Kinds { .. }));
    assert!(matches!(refuse(&[(s(0), c(3), 0.0)]), ContactError::Kinds { .. }));
    assert!(matches!(refuse(&[(c(0), c(1), -1.0)]), ContactError::Margin { .. }));
    assert!(matches!(refuse(&[(c(0), c(1), f64::NAN)]), ContactError::Margin { .. }));
    assert_eq!(
        refuse(&[(c(0), c(1), 0.0), (c(0), c(2), 0.0), (c(1), c(0), 0.0)]),
        ContactError::Repeated { first: 0, second: 2 }
    );
}

#[test]
fn sets_and_poses_that_cannot_be_used_are_refused() {
    let sets = |rows, radius| {
        Detector::new(vec![], vec![PointSet::new(rows, radius)], vec![]).unwrap_err()
    };
    assert_eq!(sets(vec![], 0.0), ContactError::NoPoints { what: "point set", index: 0 });
    assert!(matches!(sets(vec![0], -1.0), ContactError::SetRadius { set: 0, .. }));
    let lost = Collider { pose: shift(f64::NAN, 0.0, 0.0), ..collider(Shape::HalfSpace, 0) };
    let error = Detector::new(vec![lost], vec![], vec![]).unwrap_err();
    assert_eq!(error, ContactError::PoseNotFinite { collider: 0, kind: "half-space" });
}
