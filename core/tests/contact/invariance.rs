//! Invariance of contacts under exchange of A and B and under motion of the pair in the world.
//! Compared as well: the rate of a gap and the velocity of its points along the normal.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{ContactPoint, Shape};

use crate::scenes::*;

fn with_plane() -> Vec<Shape> {
    let mut shapes = solids();
    shapes.push(Shape::HalfSpace);
    shapes
        .push(Shape::Points { points: vec![Vec3::zeros(), Vec3::new(0.1, 0.4, 0.2)], radius: 0.1 });
    shapes
}

/// All pairs that have contacts, at random places.
fn each_pair(mut visit: impl FnMut(&Shape, &Pose, &Shape, &Pose)) {
    let mut numbers = Numbers(41);
    let shapes = with_plane();
    let special = |shape: &Shape| matches!(shape, Shape::HalfSpace | Shape::Points { .. });
    for a in &shapes {
        for b in &shapes {
            if special(a) && a.kind() == b.kind() {
                continue;
            }
            for _ in 0..25 {
                let (at, bt) = (numbers.pose(1.0), numbers.pose(0.3));
                visit(a, &at, b, &bt);
            }
        }
    }
}

fn assert_same(one: &[ContactPoint], other: &[ContactPoint], tolerance: f64, what: &str) {
    assert_eq!(one.len(), other.len(), "{what}: {one:?} {other:?}");
    for (p, q) in one.iter().zip(other) {
        assert_eq!((p.key, p.a), (q.key, q.a), "{what}");
        assert!((p.gap - q.gap).abs() < tolerance, "{what} {one:?} {other:?}");
        assert!((p.normal - q.normal).norm() < tolerance * 1e2, "{what}");
        assert!((p.point_a - q.point_a).norm() < tolerance * 1e2, "{what}");
        assert!((p.point_b - q.point_b).norm() < tolerance * 1e2, "{what}");
    }
}

#[test]
fn exchanging_a_and_b_reverses_the_normal_and_nothing_else() {
    each_pair(|a, at, b, bt| {
        let one = contacts(a, at, b, bt, 0.3);
        let mut other = contacts(b, bt, a, at, 0.3);
        for touch in &mut other {
            std::mem::swap(&mut touch.point_a, &mut touch.point_b);
            touch.normal = -touch.normal;
        }
        // Two of a kind are told apart by their index, so their features change places too.
        if a.kind() == b.kind() {
            let gap = |found: &[ContactPoint]| found.iter().map(|t| t.gap).fold(1.0, f64::min);
            assert!((gap(&one) - gap(&other)).abs() < 1e-9, "{}", a.kind());
            assert_eq!(one.len(), other.len(), "{}", a.kind());
        } else {
            assert_same(&one, &other, 1e-15, &format!("{} {}", a.kind(), b.kind()));
        }
    });
}

#[test]
fn exchanging_a_and_b_in_the_pair_keeps_keys_for_two_of_a_kind() {
    use sinew::contact::{Collider, Detector, Member, Pair};
    let cube = || Collider { shape: cuboid(0.5, 0.5, 0.5), frame: 0, pose: Pose::identity() };
    let colliders = || vec![cube(), Collider { frame: 1, ..cube() }];
    let poses = [Pose::new(Vec3::z() * 0.99, Vec3::new(0.0, 0.0, 0.3)), Pose::identity()];
    let run = |a, b| {
        let pair =
            Pair { a: Member::Collider(a), b: Member::Collider(b), margin: 0.01, thickness: 0.0 };
        let mut detector = Detector::new(colliders(), vec![], vec![pair]).unwrap();
        let mut out = Vec::new();
        detector.detect(&poses, &[], &mut out);
        out
    };
    let mut other = run(1, 0);
    for touch in &mut other {
        std::mem::swap(&mut touch.point_a, &mut touch.point_b);
        touch.normal = -touch.normal;
    }
    assert_same(&run(0, 1), &other, 1e-15, "box box");
}

#[test]
fn contacts_move_along_with_the_world() {
    let mut numbers = Numbers(43);
    each_pair(|a, at, b, bt| {
        let common = numbers.pose(2.0);
        let mut one = contacts(a, at, b, bt, 0.3);
        let other = contacts(a, &(common * at), b, &(common * bt), 0.3);
        for touch in &mut one {
            touch.point_a = (common * nalgebra::Point3::from(touch.point_a)).coords;
            touch.point_b = (common * nalgebra::Point3::from(touch.point_b)).coords;
            touch.normal = common.rotation * touch.normal;
        }
        // Points of round shapes follow from a normal that a search finds to the root of rounding.
        let searched = [a, b].iter().any(|s| matches!(s, Shape::Cylinder { .. }));
        let tolerance = if searched { 1e-7 } else { 1e-9 };
        assert_same(&one, &other, tolerance, &format!("{} {}", a.kind(), b.kind()));
    });
}

/// A pose after moving for a time with a velocity and an angular velocity about its own origin.
fn moved(pose: &Pose, velocity: &Vec3, angular_velocity: &Vec3, time: f64) -> Pose {
    let turn = nalgebra::UnitQuaternion::new(angular_velocity * time);
    Pose::from_parts((pose.translation.vector + velocity * time).into(), turn * pose.rotation)
}

#[test]
fn the_rate_of_the_deepest_gap_is_the_velocity_of_its_points_along_the_normal() {
    let mut numbers = Numbers(47);
    let step = 1e-5;
    each_pair(|a, at, b, bt| {
        let found = contacts(a, at, b, bt, 0.3);
        let Some(touch) = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)) else { return };
        let [va, wa, vb, wb] = [0; 4].map(|_| numbers.vector(1.0));
        let gap = |time: f64| {
            let (at, bt) = (moved(at, &va, &wa, time), moved(bt, &vb, &wb, time));
            let found = contacts(a, &at, b, &bt, 0.4);
            found.iter().map(|t| t.gap).min_by(f64::total_cmp).expect("still near")
        };
        let at_point =
            |pose: &Pose, v: &Vec3, w: &Vec3, p: &Vec3| v + w.cross(&(p - pose.translation.vector));
        let relative =
            at_point(at, &va, &wa, &touch.point_a) - at_point(bt, &vb, &wb, &touch.point_b);
        let rate = (gap(step) - gap(-step)) / (2.0 * step);
        let expected = relative.dot(&touch.normal);
        let place = format!("{} {}: {rate} {expected}", a.kind(), b.kind());
        assert!((rate - expected).abs() < 2e-4, "{place} {touch:?}");
    });
}
