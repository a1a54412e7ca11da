//! Boxes and hulls on each other: the same corners step by step, with exact gaps.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{ContactPoint, ConvexHull, Shape};

use crate::scenes::*;

fn places(found: &[ContactPoint]) -> Vec<[i64; 2]> {
    let round = |x: f64| (x * 1e6).round() as i64;
    let mut places: Vec<_> =
        found.iter().map(|touch| [round(touch.point_b.x), round(touch.point_b.y)]).collect();
    places.sort_unstable();
    places
}

/// Stacks one on the other at a series of gaps with rounding in the pose.
fn assert_corners(upper: &Shape, lower: &Shape, half: [f64; 2], corners: &[[i64; 2]]) {
    let mut detector = two(upper, lower, 0.01);
    let mut numbers = Numbers(1);
    let mut keys: Option<Vec<u64>> = None;
    for gap in [1e-3, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -1e-4, 0.0, 1e-4] {
        for noise in [0.0, 1e-16, 1e-14, 1e-12] {
            let top = half[0] + half[1] + gap;
            let pose = Pose::new(Vec3::z() * top + numbers.vector(noise), numbers.vector(noise));
            let found = detect(&mut detector, &pose, &Pose::identity());
            assert_eq!(places(&found), corners, "gap {gap:e} noise {noise:e}");
            let now = found.iter().map(|touch| touch.key).collect();
            assert_eq!(keys.get_or_insert(now), &found.iter().map(|t| t.key).collect::<Vec<_>>());
            for touch in &found {
                let error = touch.gap - gap;
                assert!(error.abs() <= 1e-15 + 4.0 * noise, "{error:e} at {gap:e}, {noise:e}");
                assert!((touch.normal - Vec3::z()).norm() <= 4.0 * noise);
            }
        }
    }
}

#[test]
fn stacked_boxes_touch_at_the_same_four_corners_with_exact_gaps() {
    let unit = [[-500000, -500000], [-500000, 500000], [500000, -500000], [500000, 500000]];
    let half = [0.5, 0.5];
    assert_corners(&cuboid(0.5, 0.5, 0.5), &cuboid(0.5, 0.5, 0.5), half, &unit);
    assert_corners(&cuboid(0.5, 0.5, 0.5), &cuboid(2.0, 2.0, 0.5), half, &unit);
    assert_corners(&cuboid(2.0, 2.0, 0.5), &cuboid(0.5, 0.5, 0.5), half, &unit);
    assert_corners(&cuboid(0.5, 3.0, 0.5), &cuboid(4.0, 0.5, 0.5), half, &unit);
    assert_corners(&box_hull(0.5, 0.5, 0.5), &cuboid(0.5, 0.5, 0.5), half, &unit);
    assert_corners(&box_hull(0.5, 0.5, 0.5), &box_hull(2.0, 2.0, 0.5), half, &unit);
}

#[test]
fn a_turned_box_on_its_equal_keeps_its_four_contacts_over_a_thousand_steps() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let mut detector = two(&cube, &cube, 0.01);
    let mut numbers = Numbers(2);
    let turn = Vec3::z() * 0.25 * std::f64::consts::PI;
    let mut keys: Option<Vec<u64>> = None;
    for _ in 0..1000 {
        let pose =
            Pose::new(Vec3::z() * 0.9999 + numbers.vector(1e-6), turn + numbers.vector(1e-6));
        let found = detect(&mut detector, &pose, &Pose::identity());
        assert_eq!(found.len(), 4);
        let now: Vec<u64> = found.iter().map(|touch| touch.key).collect();
        assert_eq!(keys.get_or_insert(now.clone()), &now);
    }
}

#[test]
fn the_contacts_of_faces_span_the_overlap() {
    // Two squares of side 1 turned by 45 degrees overlap in an octagon; four of its corners span
    // at least 0.7 of its area of 2 (sqrt 2 - 1).
    let cube = cuboid(0.5, 0.5, 0.5);
    let pose = Pose::new(Vec3::z() * 0.9999, Vec3::z() * 0.25 * std::f64::consts::PI);
    let found = contacts(&cube, &pose, &cube, &Pose::identity(), 0.01);
    let p: Vec<Vec3> = found.iter().map(|touch| touch.point_b).collect();
    let cross = |a: usize, b: usize, c: usize, d: usize| {
        ((p[b] - p[a]).cross(&(p[d] - p[c])).z / 2.0).abs()
    };
    let area = cross(0, 1, 2, 3).max(cross(0, 2, 1, 3)).max(cross(0, 3, 1, 2));
    assert!(area > 0.7 * 2.0 * (2f64.sqrt() - 1.0), "{area}");
}

#[test]
fn boxes_edge_to_edge_and_corner_to_corner_are_as_far_apart_as_these() {
    let cube = cuboid(0.5, 0.5, 0.5);
    for k in 1..20 {
        let d = 0.01 * f64::from(k);
        let one = contacts(&cube, &shift(1.0 + d, 1.0 + d, 0.3), &cube, &Pose::identity(), 1.0);
        assert_eq!(one.len(), 2, "edges face each other along a stretch");
        one.iter().for_each(|touch| assert!((touch.gap - d * 2f64.sqrt()).abs() < 1e-14));
        let pose = shift(1.0 + d, 1.0 + d, 1.0 + d);
        let one = contacts(&cube, &pose, &cube, &Pose::identity(), 1.0);
        assert_eq!(one.len(), 1);
        assert!((one[0].gap - d * 3f64.sqrt()).abs() < 1e-14, "{:?}", one[0]);
    }
}

#[test]
fn hulls_merge_what_lies_in_one_plane() {
    let grid: Vec<[f64; 3]> =
        (0..64).map(|i| [i % 4, i / 4 % 4, i / 16].map(|k| f64::from(k) / 3.0)).collect();
    let Shape::Convex(hull) = hull(&grid) else { panic!() };
    assert_eq!((hull.corners().len(), hull.face_count()), (8, 6));
}

#[test]
fn hulls_close_over_points_that_are_noisy_at_any_scale() {
    for digit in 0..=10 {
        let noise = 10f64.powi(-16 + digit);
        let mut numbers = Numbers(u64::from(digit.unsigned_abs()) + 1);
        for round in 0..20 {
            let points: Vec<Vec3> = (0..125)
                .map(|i| Vec3::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)) / 4.0)
                .map(|p| p + numbers.vector(noise))
                .collect();
            let hull = ConvexHull::new(&points).unwrap_or_else(|e| panic!("{noise:e} {round} {e}"));
            let shape = Shape::Convex(hull);
            let far = extent(&shape, &Pose::identity(), &Vec3::z());
            assert!((far - 1.0).abs() < 1e-15 + 4.0 * noise, "{far} {noise:e}");
        }
    }
}

#[test]
fn hulls_of_prisms_and_of_spheres_have_the_faces_they_should() {
    let rim = |k: u32, z: f64| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 64.0).sin_cos();
        Vec3::new(cos, sin, z)
    };
    let prism: Vec<Vec3> = (0..64).flat_map(|k| [rim(k, -1.0), rim(k, 1.0)]).collect();
    assert_eq!(ConvexHull::new(&prism).unwrap().face_count(), 66);
    let mut numbers = Numbers(8);
    let ball: Vec<Vec3> = (0..500).map(|_| numbers.direction()).collect();
    let hull = ConvexHull::new(&ball).unwrap();
    assert_eq!((hull.corners().len(), hull.face_count()), (500, 996));
}

#[test]
fn stacked_boxes_anywhere_in_the_world_keep_their_corners_and_gaps() {
    let (upper, lower) = (cuboid(0.5, 0.5, 0.5), cuboid(0.7, 0.5, 0.3));
    let mut numbers = Numbers(6);
    let mut keys: Option<Vec<u64>> = None;
    for _ in 0..500 {
        let common = numbers.pose(10.0);
        for gap in [0.0, -1e-4, 1e-3] {
            let at = common * shift(0.0, 0.0, 0.8 + gap);
            let found = contacts(&upper, &at, &lower, &common, 0.01);
            assert_eq!(found.len(), 4);
            let now: Vec<u64> = found.iter().map(|touch| touch.key).collect();
            assert_eq!(keys.get_or_insert(now.clone()), &now);
            found.iter().for_each(|touch| assert!((touch.gap - gap).abs() < 2e-14, "{touch:?}"));
        }
    }
}
