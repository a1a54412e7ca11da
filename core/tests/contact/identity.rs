//! Keys last while features do, and are unique in a pair; order is by pair, then key.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, Detector, Member, Pair, PointSet, Shape};

use crate::scenes::*;

#[test]
fn keys_persist_over_small_motions_of_every_pair() {
    let mut numbers = Numbers(53);
    let mut shapes = solids();
    shapes.push(Shape::HalfSpace);
    let (mut kept, mut all) = (0, 0);
    for a in &solids() {
        for b in &shapes {
            for _ in 0..25 {
                let (at, bt) = (numbers.pose(0.9), numbers.pose(0.2));
                let mut detector = two(a, b, 0.05);
                let before: Vec<u64> =
                    detect(&mut detector, &at, &bt).iter().map(|t| t.key).collect();
                let nudge = Pose::new(numbers.vector(1e-7), numbers.vector(1e-7));
                let after: Vec<u64> =
                    detect(&mut detector, &(at * nudge), &bt).iter().map(|t| t.key).collect();
                all += 1;
                kept += usize::from(before == after);
            }
        }
    }
    // A motion may take a contact over the margin or a pair to another face; few of them do.
    assert!(kept * 1000 >= all * 995, "{kept} of {all}");
}

#[test]
fn keys_are_unique_and_in_order() {
    let mut numbers = Numbers(59);
    for a in &solids() {
        for b in &solids() {
            for _ in 0..25 {
                let (at, bt) = (numbers.pose(0.9), numbers.pose(0.2));
                let keys: Vec<u64> =
                    contacts(a, &at, b, &bt, 0.1).iter().map(|touch| touch.key).collect();
                assert!(keys.windows(2).all(|two| two[0] < two[1]), "{keys:?}");
            }
        }
    }
}

#[test]
fn a_box_that_slides_on_a_larger_one_keeps_its_corners() {
    let mut detector = two(&cuboid(0.2, 0.2, 0.2), &cuboid(3.0, 3.0, 0.2), 0.01);
    let keys = |detector: &mut Detector, x: f64| -> Vec<u64> {
        let found = detect(detector, &shift(x, 0.5 * x, 0.3999), &Pose::identity());
        found.iter().map(|touch| touch.key).collect()
    };
    let first = keys(&mut detector, -2.0);
    assert_eq!(first.len(), 4);
    (0..400).for_each(|k| assert_eq!(keys(&mut detector, -2.0 + 0.01 * f64::from(k)), first));
}

#[test]
fn free_points_are_named_by_their_place_in_the_set_on_either_side() {
    let ground =
        Collider { shape: Shape::HalfSpace, frame: Collider::GROUND, pose: Pose::identity() };
    let block = Collider { shape: cuboid(1.0, 1.0, 0.5), frame: 0, pose: Pose::identity() };
    let set = PointSet::new(vec![4, 2, 0], 0.1);
    let pairs = vec![
        Pair { a: Member::Points(0), b: Member::Collider(0), margin: 0.0, thickness: 0.0 },
        Pair { a: Member::Collider(1), b: Member::Points(0), margin: 0.0, thickness: 0.0 },
    ];
    let mut detector = Detector::new(vec![ground, block], vec![set], pairs).unwrap();
    let mut q = vec![Vec3::new(0.0, 0.0, 9.0); 5];
    q[2] = Vec3::new(5.0, 5.0, 0.05);
    q[0] = Vec3::new(0.3, 0.2, 0.55);
    let mut out = Vec::new();
    detector.detect(&[shift(0.0, 0.0, 0.0)], &q, &mut out);
    let seen: Vec<_> = out.iter().map(|t| (t.pair, t.a)).collect();
    assert_eq!(seen, [(0, 1), (1, 2)]);
    assert!((out[0].gap + 0.05).abs() < 1e-15 && out[0].normal == Vec3::z());
    assert!((out[1].gap + 0.05).abs() < 1e-15 && out[1].normal == -Vec3::z());
    assert!((out[1].point_b - Vec3::new(0.3, 0.2, 0.45)).norm() < 1e-15, "{:?}", out[1]);
}
