//! Degenerate placements of cubes and tetrahedra, exact and perturbed: no NaN, sane normals, gaps as
//! they should be.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::Shape;

use crate::scenes::*;

/// Contacts at a placement and at perturbations of it; the deepest gap differs by no more than the
/// perturbation, the direction pushes A away from B or is one of the shortest ways out.
fn assert_robust(a: &Shape, b: &Shape, at: &Pose, gap: f64, normals: &[Vec3]) {
    let mut numbers = Numbers(61);
    for size in [0.0, 1e-14, 1e-12, 1e-9] {
        for _ in 0..27 {
            let nudge = Pose::new(numbers.vector(size), numbers.vector(size));
            let at = nudge * at;
            let found = contacts(a, &at, b, &Pose::identity(), 0.01);
            {
                let best = deepest(&found);
                assert!((best.gap - gap).abs() < 1e-13 + 10.0 * size, "{best:?} at {size:e}");
                assert_exact(a, &at, b, &Pose::identity(), best, 2e-9);
                for touch in &found {
                    let sane = |n: &Vec3| (touch.normal - n).norm() < 1e-6;
                    let any = normals.is_empty() || normals.iter().any(sane);
                    assert!(any, "{touch:?} at {size:e}");
                    let numbers = [touch.point_a, touch.point_b, touch.normal];
                    assert!(numbers.iter().all(|v| v.iter().all(|x| x.is_finite())));
                }
            }
        }
    }
}

fn unit() -> Vec<Shape> {
    vec![cuboid(0.5, 0.5, 0.5), box_hull(0.5, 0.5, 0.5)]
}

fn tetrahedron() -> Shape {
    hull(&[[0.0, 0.0, 0.0], [0.5, 0.0, 1.0], [-0.3, 0.4, 1.0], [-0.3, -0.4, 1.0]])
}

#[test]
fn cubes_with_coplanar_faces_touch_without_overlap() {
    for cube in unit() {
        assert_robust(&cube, &cuboid(0.5, 0.5, 0.5), &shift(1.0, 0.0, 0.0), 0.0, &[Vec3::x()]);
        let at = shift(0.3, 0.2, 1.0);
        assert_robust(&cube, &cuboid(0.5, 0.5, 0.5), &at, 0.0, &[Vec3::z()]);
    }
}

#[test]
fn identical_cubes_part_along_the_first_axis() {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()];
    for cube in unit() {
        assert_robust(&cube, &cube, &Pose::identity(), -1.0, &axes);
        let first = contacts(&cube, &Pose::identity(), &cube, &Pose::identity(), 0.0);
        let second = contacts(&cube, &shift(1e-14, 0.0, -1e-14), &cube, &Pose::identity(), 0.0);
        assert!((first[0].normal - second[0].normal).norm() < 1e-12);
    }
}

#[test]
fn a_corner_on_a_face_touches_along_its_normal() {
    let table = cuboid(2.0, 2.0, 0.5);
    assert_robust(&tetrahedron(), &table, &shift(0.1, 0.2, 0.5), 0.0, &[Vec3::z()]);
    let on_plane =
        contacts(&tetrahedron(), &shift(0.1, 0.2, 0.0), &Shape::HalfSpace, &Pose::identity(), 0.1);
    assert_eq!((on_plane.len(), on_plane[0].gap, on_plane[0].normal), (1, 0.0, Vec3::z()));
}

#[test]
fn a_corner_on_an_edge_or_corner_has_a_direction_between_its_faces() {
    let table = cuboid(1.0, 1.0, 0.5);
    assert_robust(&tetrahedron(), &table, &shift(1.0, 0.2, 0.5), 0.0, &[]);
    assert_robust(&tetrahedron(), &table, &shift(1.0, 1.0, 0.5), 0.0, &[]);
}

#[test]
fn edges_that_cross_at_a_point_touch_across_both() {
    let bar = cuboid(1.0, 0.1, 0.1);
    let diagonal = |axis: Vec3| nalgebra::UnitQuaternion::new(axis * 0.25 * std::f64::consts::PI);
    let quarter = nalgebra::UnitQuaternion::new(Vec3::z() * 0.5 * std::f64::consts::PI);
    // Two bars on their edges, crosswise.
    let upper = Pose::from_parts(
        Vec3::new(0.0, 0.0, 0.2 * 2f64.sqrt()).into(),
        quarter * diagonal(Vec3::x()),
    );
    let mut numbers = Numbers(67);
    for size in [0.0, 1e-14, 1e-12, 1e-9] {
        for _ in 0..27 {
            let nudge = Pose::new(numbers.vector(size), numbers.vector(size));
            let lower = Pose::from_parts(Vec3::zeros().into(), diagonal(Vec3::x()));
            let at = nudge * upper;
            let found = contacts(&bar, &at, &bar, &lower, 0.01);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].gap.abs() < 1e-13 + 10.0 * size);
            assert!((found[0].normal - Vec3::z()).norm() < 1e-12 + 10.0 * size);
            assert_exact(&bar, &at, &bar, &lower, &found[0], 1e-9);
        }
    }
}

#[test]
fn a_contained_cube_leaves_by_the_nearest_face() {
    let (small, large) = (cuboid(0.25, 0.25, 0.25), cuboid(0.5, 0.5, 0.5));
    assert_robust(&small, &large, &shift(0.0, 0.0, 0.1), -0.65, &[Vec3::z()]);
}

#[test]
fn coincident_round_shapes_have_a_direction() {
    for shape in solids() {
        let found = contacts(&shape, &Pose::identity(), &shape, &Pose::identity(), 0.0);
        assert!(!found.is_empty(), "{}", shape.kind());
        assert_exact(&shape, &Pose::identity(), &shape, &Pose::identity(), deepest(&found), 1e-9);
    }
}

#[test]
fn poses_that_are_not_finite_touch_nothing() {
    for a in solids() {
        for b in solids() {
            let lost = shift(f64::NAN, 0.0, 0.0);
            assert!(contacts(&a, &lost, &b, &Pose::identity(), 0.1).is_empty());
        }
        let lost = shift(0.0, 0.0, f64::INFINITY);
        assert!(contacts(&a, &lost, &Shape::HalfSpace, &Pose::identity(), 0.1).is_empty());
    }
}
