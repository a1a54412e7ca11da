//! The broad phase: what is listed and near is found, the rest is not looked at.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{Collider, ContactPoint, Detector, Member, Pair, Shape};

use crate::scenes::*;

fn all_pairs(count: u32, margin: f64) -> Vec<Pair> {
    let pair =
        |a, b| Pair { a: Member::Collider(a), b: Member::Collider(b), margin, thickness: 0.0 };
    (0..count).flat_map(|a| (a + 1..count).map(move |b| pair(a, b))).collect()
}

fn crowd(numbers: &mut Numbers, count: u32, room: f64) -> (Vec<Collider>, Vec<Pose>) {
    let kinds = solids();
    let collider = |frame: u32| {
        let shape = kinds[frame as usize % kinds.len()].clone();
        Collider { shape, frame, pose: Pose::identity() }
    };
    let poses = (0..count)
        .map(|_| {
            let pose = numbers.pose(1.0);
            Pose::from_parts((pose.translation.vector * room).into(), pose.rotation)
        })
        .collect();
    ((0..count).map(collider).collect(), poses)
}

#[test]
fn all_listed_pairs_that_touch_are_found_in_order() {
    let mut numbers = Numbers(71);
    let (colliders, poses) = crowd(&mut numbers, 40, 3.0);
    let pairs = all_pairs(40, 0.02);
    let mut together = Detector::new(colliders.clone(), vec![], pairs.clone()).unwrap();
    let mut found = Vec::new();
    together.detect(&poses, &[], &mut found);
    let mut alone: Vec<ContactPoint> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let mut out = Vec::new();
        let mut one = Detector::new(colliders.clone(), vec![], vec![*pair]).unwrap();
        one.detect(&poses, &[], &mut out);
        alone.extend(out.into_iter().map(|touch| ContactPoint { pair: index as u32, ..touch }));
    }
    assert!(found.len() > 20, "{}", found.len());
    assert_eq!(found, alone);
    assert!(found.windows(2).all(|two| (two[0].pair, two[0].key) < (two[1].pair, two[1].key)));
}

#[test]
fn pairs_that_are_not_listed_are_not_found() {
    let (colliders, poses) = crowd(&mut Numbers(73), 10, 0.1);
    let pairs: Vec<Pair> = all_pairs(10, 0.0).into_iter().step_by(7).collect();
    let mut detector = Detector::new(colliders, vec![], pairs.clone()).unwrap();
    let mut found = Vec::new();
    detector.detect(&poses, &[], &mut found);
    let mut seen: Vec<u32> = found.iter().map(|touch| touch.pair).collect();
    seen.dedup();
    assert_eq!(seen.len(), pairs.len());
}

#[test]
fn the_same_poses_give_the_same_bits() {
    let (colliders, poses) = crowd(&mut Numbers(79), 40, 3.0);
    let run = || {
        let mut detector = Detector::new(colliders.clone(), vec![], all_pairs(40, 0.1)).unwrap();
        let mut out = Vec::new();
        detector.detect(&poses, &[], &mut out);
        let mut again = Vec::new();
        detector.detect(&poses, &[], &mut again);
        (out, again)
    };
    let (one, other) = (run(), run());
    assert_eq!(one, other);
}

#[test]
fn a_heap_over_a_plane_touches_only_where_it_is_low() {
    let count = 50;
    let ground =
        Collider { shape: Shape::HalfSpace, frame: Collider::GROUND, pose: Pose::identity() };
    let ball =
        |frame| Collider { shape: Shape::Sphere { radius: 0.5 }, frame, pose: Pose::identity() };
    let mut colliders = vec![ground];
    colliders.extend((0..count).map(ball));
    let pairs = (1..=count)
        .map(|a| Pair {
            a: Member::Collider(a),
            b: Member::Collider(0),
            margin: 0.01,
            thickness: 0.0,
        })
        .collect();
    let mut detector = Detector::new(colliders, vec![], pairs).unwrap();
    let poses: Vec<Pose> =
        (0..count).map(|k| shift(0.0, 0.0, 0.5 + 0.004 * f64::from(k))).collect();
    let mut out = Vec::new();
    detector.detect(&poses, &[], &mut out);
    assert_eq!(out.len(), 3);
    assert_eq!(out[2].normal, Vec3::z());
}

#[test]
fn a_wall_of_boxes_has_four_contacts_a_pair() {
    let half = 0.5;
    let place = |k: u32| shift(1.2 * f64::from(k % 20), 0.0, f64::from(k / 20));
    let colliders = (0..200)
        .map(|frame| Collider { shape: cuboid(half, half, half), frame, pose: Pose::identity() })
        .collect();
    let poses: Vec<Pose> = (0..200).map(place).collect();
    let mut detector = Detector::new(colliders, vec![], all_pairs(200, 0.01)).unwrap();
    let mut out = Vec::new();
    detector.detect(&poses, &[], &mut out);
    assert_eq!(out.len(), 4 * 180);
    out.iter().for_each(|touch| assert!(touch.gap.abs() < 1e-14 && touch.normal.z.abs() == 1.0));
}
