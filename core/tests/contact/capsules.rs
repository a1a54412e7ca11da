//! Capsules against capsules, boxes and hulls.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::Shape;

use crate::scenes::*;

#[test]
fn crossed_capsules_are_as_far_apart_as_their_axes() {
    let a = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let b = Shape::Capsule { radius: 0.2, half_length: 0.5 };
    let turned = |z: f64| Pose::new(Vec3::new(0.3, 0.2, z), Vec3::y() * 1.3);
    for k in -20..20 {
        let gap = 0.01 * f64::from(k);
        let pose = Pose::new(Vec3::new(0.1, 0.3 + gap, 0.2), Vec3::y() * 0.3);
        let found = contacts(&a, &pose, &b, &Pose::identity(), 0.5);
        assert_eq!(found.len(), 1);
        assert!((found[0].gap - gap).abs() < 1e-14, "{} {gap}", found[0].gap);
    }
    let found = contacts(&a, &turned(0.0), &b, &Pose::identity(), 1.0);
    assert_exact(&a, &turned(0.0), &b, &Pose::identity(), deepest(&found), 1e-12);
}

#[test]
fn parallel_capsules_touch_at_both_ends_of_where_they_face() {
    let a = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let b = Shape::Capsule { radius: 0.2, half_length: 0.5 };
    let found = contacts(&a, &shift(0.3, 0.0, 0.8), &b, &Pose::identity(), 0.01);
    let mut heights: Vec<f64> = found.iter().map(|touch| touch.point_a.z).collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights.len(), 2);
    assert!((heights[0] + 0.2).abs() < 1e-14 && (heights[1] - 0.5).abs() < 1e-14, "{heights:?}");
    found.iter().for_each(|touch| assert!(touch.gap.abs() < 1e-14));
}

#[test]
fn capsules_on_one_line_touch_at_their_ends() {
    let a = Shape::Capsule { radius: 0.1, half_length: 1.0 };
    let found = contacts(&a, &shift(0.0, 0.0, 2.25), &a, &Pose::identity(), 0.1);
    assert_eq!(found.len(), 1);
    assert!((found[0].gap - 0.05).abs() < 1e-14 && (found[0].normal - Vec3::z()).norm() < 1e-14);
}

#[test]
fn a_capsule_that_lies_on_a_box_has_two_contacts() {
    let capsule = Shape::Capsule { radius: 0.1, half_length: 0.5 };
    let ground = cuboid(0.4, 1.0, 0.3);
    for gap in [-0.05, -1e-9, 0.0, 1e-9, 0.005] {
        let pose =
            Pose::new(Vec3::new(0.0, 0.2, 0.4 + gap), Vec3::y() * 0.5 * std::f64::consts::PI);
        let found = contacts(&capsule, &pose, &ground, &Pose::identity(), 0.01);
        assert_eq!(found.len(), 2, "{gap}");
        for touch in &found {
            assert!((touch.gap - gap).abs() < 1e-15 && touch.normal == Vec3::z(), "{touch:?}");
            assert!((touch.point_a.x.abs() - 0.4).abs() < 1e-9, "{touch:?}");
        }
    }
}

#[test]
fn capsules_beside_and_inside_boxes_and_hulls_are_exact() {
    let capsule = Shape::Capsule { radius: 0.2, half_length: 0.6 };
    let mut numbers = Numbers(23);
    for other in [cuboid(0.5, 0.7, 0.9), pebble(&mut Numbers(9), 30)] {
        for _ in 0..150 {
            let (at, bt) = (numbers.pose(1.2), numbers.pose(0.2));
            let found = contacts(&capsule, &at, &other, &bt, 5.0);
            assert_exact(&capsule, &at, &other, &bt, deepest(&found), 1e-9);
        }
    }
}
