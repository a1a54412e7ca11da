//! Cylinders against cylinders, capsules, boxes and hulls.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::Shape;

use crate::scenes::*;

fn tin() -> Shape {
    Shape::Cylinder { radius: 0.5, half_length: 0.8 }
}

#[test]
fn cylinders_are_exact_at_random_places() {
    let mut numbers = Numbers(31);
    for other in solids().into_iter().skip(1) {
        for _ in 0..150 {
            let (at, bt) = (numbers.pose(1.4), numbers.pose(0.2));
            let found = contacts(&tin(), &at, &other, &bt, 5.0);
            assert_exact(&tin(), &at, &other, &bt, deepest(&found), 1e-9);
        }
    }
}

#[test]
fn a_cylinder_that_stands_on_a_box_has_four_contacts_that_stay() {
    let mut detector = two(&tin(), &cuboid(1.0, 1.0, 0.3), 0.01);
    let mut numbers = Numbers(4);
    let mut keys: Option<Vec<u64>> = None;
    for gap in [1e-3, 1e-9, 0.0, -1e-9, -1e-4] {
        for noise in [0.0, 1e-15, 1e-12] {
            let pose =
                Pose::new(Vec3::z() * (1.1 + gap) + numbers.vector(noise), numbers.vector(noise));
            let found = detect(&mut detector, &pose, &Pose::identity());
            assert_eq!(found.len(), 4);
            let now: Vec<u64> = found.iter().map(|touch| touch.key).collect();
            assert_eq!(keys.get_or_insert(now.clone()), &now);
            for touch in &found {
                assert!((touch.gap - gap).abs() < 1e-15 + 4.0 * noise, "{touch:?}");
                assert!((touch.point_a.xy().norm() - 0.5).abs() < 1e-9, "{touch:?}");
            }
        }
    }
}

#[test]
fn a_cylinder_that_lies_on_a_box_has_two_contacts() {
    let quarter = Vec3::y() * 0.5 * std::f64::consts::PI;
    for gap in [-1e-3, 0.0, 1e-3] {
        let pose = Pose::new(Vec3::z() * (0.8 + gap), quarter);
        let found = contacts(&tin(), &pose, &cuboid(1.0, 1.0, 0.3), &Pose::identity(), 0.01);
        assert_eq!(found.len(), 2);
        found.iter().for_each(|touch| assert!((touch.gap - gap).abs() < 1e-14, "{touch:?}"));
    }
}

#[test]
fn cylinders_stand_on_and_lie_beside_each_other() {
    let standing = contacts(&tin(), &shift(0.2, 0.0, 1.6), &tin(), &Pose::identity(), 0.01);
    assert_eq!(standing.len(), 4);
    standing.iter().for_each(|touch| assert!(touch.gap.abs() < 1e-14, "{touch:?}"));
    let beside = contacts(&tin(), &shift(0.6, 0.8, 0.4), &tin(), &Pose::identity(), 0.01);
    assert_eq!(beside.len(), 2);
    for touch in &beside {
        assert!(touch.gap.abs() < 1e-14, "{touch:?}");
        assert!((touch.normal - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-12, "{touch:?}");
    }
}
