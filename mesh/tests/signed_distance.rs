//! Signed distances against closed forms and against a search through all triangles, for surfaces that are
//! closed, inside-out, torn, tangled, or open.

use std::f64::consts::PI;

use proptest::prelude::*;
use sinew_mesh::Vec3;
use sinew_mesh::geometry::{
    SignedDistance, SurfaceMesh, SurfaceSide, cuboid_mesh, icosphere_mesh, nearest_on_triangle,
};

/// A thick bowl that is open upwards: a closed surface that is not convex. Radii 1 and 0.7 m.
fn bowl() -> SurfaceMesh {
    const AROUND: u32 = 24;
    const DOWN: u32 = 8;
    let mut vertices = Vec::new();
    let mut profile = Vec::new();
    for (radius, order) in [(1.0, [0, DOWN]), (0.7, [DOWN, 0])] {
        for k in 0..=DOWN {
            let k = if order[0] == 0 { k } else { DOWN - k };
            // From the rim to just before the pole.
            let angle = 0.5 * PI * 0.98 * f64::from(k) / f64::from(DOWN);
            profile.push([radius * angle.cos(), -radius * angle.sin()]);
        }
    }
    let rings = profile.len() as u32;
    for [r, z] in &profile {
        for j in 0..AROUND {
            let turn = 2.0 * PI * f64::from(j) / f64::from(AROUND);
            vertices.push(Vec3::new(r * turn.cos(), r * turn.sin(), *z));
        }
    }
    let at = |ring: u32, j: u32| (ring % rings) * AROUND + j % AROUND;
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for j in 0..AROUND {
            let [a, b, c, d] = [at(ring, j), at(ring, j + 1), at(ring + 1, j + 1), at(ring + 1, j)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    SurfaceMesh::new(vertices, triangles).unwrap()
}

/// Distance and winding number by a pass through all triangles.
fn searched(surface: &SurfaceMesh, p: &Vec3) -> (f64, f64) {
    let mut far = f64::INFINITY;
    let mut angle = 0.0;
    for t in 0..surface.triangles().len() {
        let corners = surface.corners(t);
        far = far.min((p - nearest_on_triangle(p, &corners).point).norm());
        let [a, b, c] = corners.map(|corner| corner - p);
        let rest = a.norm() * b.norm() * c.norm()
            + a.dot(&b) * c.norm()
            + b.dot(&c) * a.norm()
            + c.dot(&a) * b.norm();
        angle += 2.0 * a.dot(&b.cross(&c)).atan2(rest);
    }
    (far, angle / (4.0 * PI))
}

fn any_point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.5..1.5f64).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_distance_of_a_bowl_is_that_of_a_search(p in any_point()) {
        let bowl = bowl();
        let found = SignedDistance::new(&bowl).unwrap();
        prop_assert_eq!(found.side(), SurfaceSide::Closed);
        let foot = found.foot(&p).unwrap();
        let (far, winding) = searched(found.surface(), &p);
        prop_assert!((foot.distance.abs() - far).abs() < 1e-12);
        prop_assert_eq!(foot.distance < 0.0, winding > 0.5, "{} {}", foot.distance, winding);
    }

    #[test]
    fn what_is_torn_tangled_and_inside_out_has_the_side_of_its_winding_number(
        p in any_point(), seed in 0usize..1000
    ) {
        // One triangle in 40 is missing, one in 29 turned, all of it inside-out.
        let bowl = bowl().flipped();
        let mut triangles: Vec<[u32; 3]> = bowl.triangles().iter().enumerate()
            .filter(|(t, _)| (t + seed) % 40 != 0).map(|(_, triangle)| *triangle).collect();
        triangles.iter_mut().step_by(29).for_each(|triangle| triangle.swap(0, 1));
        let torn = SurfaceMesh::new(bowl.vertices().to_vec(), triangles).unwrap();
        let found = SignedDistance::new(&torn).unwrap();
        prop_assert_eq!(found.side(), SurfaceSide::Solid);
        let (far, winding) = searched(found.surface(), &p);
        let foot = found.foot(&p).unwrap();
        prop_assert!((foot.distance.abs() - far).abs() < 1e-12);
        // Groups count by one moment: near one half either side will do.
        prop_assume!((winding - 0.5).abs() > 0.02);
        prop_assert_eq!(foot.distance < 0.0, winding > 0.5, "{} {}", foot.distance, winding);
    }

    #[test]
    fn the_normal_is_the_gradient_of_the_distance(p in any_point()) {
        let found = SignedDistance::new(&bowl()).unwrap();
        let at = |p: Vec3| found.foot(&p).unwrap();
        let foot = at(p);
        let by = 1e-6;
        let slope = |axis: Vec3| (at(p + axis * by).distance - at(p - axis * by).distance) / (2.0 * by);
        let gradient = Vec3::new(slope(Vec3::x()), slope(Vec3::y()), slope(Vec3::z()));
        // Where two places are equally near there is no gradient: its length tells.
        prop_assume!((gradient.norm() - 1.0).abs() < 1e-6);
        prop_assert!((gradient - foot.normal).norm() < 1e-4, "{} {}", gradient, foot.normal);
    }

    #[test]
    fn the_distance_of_a_box_is_its_closed_form(p in any_point()) {
        let half = Vec3::new(0.5, 0.8, 0.3);
        let found = SignedDistance::new(&cuboid_mesh(&(half * 2.0)).unwrap()).unwrap();
        let beyond = p.abs() - half;
        let expected = beyond.sup(&Vec3::zeros()).norm() + beyond.max().min(0.0);
        let foot = found.foot(&p).unwrap();
        prop_assert!((foot.distance - expected).abs() < 1e-12, "{} {expected}", foot.distance);
        prop_assert!((foot.normal.norm() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_sheet_has_two_sides() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let vertices = corners.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
    let sheet = SurfaceMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let found = SignedDistance::new(&sheet).unwrap();
    assert_eq!(found.side(), SurfaceSide::Sheet);
    let foot = |z: f64| found.foot(&Vec3::new(0.3, 0.4, z)).unwrap();
    assert!((foot(0.2).distance - 0.2).abs() < 1e-15 && (foot(-0.2).distance + 0.2).abs() < 1e-15);
    for z in [0.2, -0.2] {
        assert!((foot(z).normal - Vec3::z()).norm() < 1e-12, "{}", foot(z).normal);
    }
    // On it, at a corner and on an edge: a direction all the same.
    for at in [Vec3::zeros(), Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.2, 0.1, 0.0)] {
        let foot = found.foot(&at).unwrap();
        assert!(
            foot.distance.abs() < 1e-15 && (foot.normal - Vec3::z()).norm() < 1e-12,
            "{foot:?}"
        );
    }
}

#[test]
fn a_ball_that_touches_another_along_nothing_and_one_without_triangles_are_taken() {
    assert!(SignedDistance::new(&SurfaceMesh::default()).is_none());
    // Two balls share one mesh, and a vertex of no triangle.
    let ball = icosphere_mesh(0.5, 3).unwrap();
    let count = ball.vertices().len() as u32;
    let mut vertices = ball.vertices().to_vec();
    vertices.extend(ball.vertices().iter().map(|p| p + Vec3::x() * 2.0));
    vertices.push(Vec3::repeat(9.0));
    let mut triangles = ball.triangles().to_vec();
    triangles.extend(ball.triangles().iter().map(|t| t.map(|v| v + count)));
    let two = SignedDistance::new(&SurfaceMesh::new(vertices, triangles).unwrap()).unwrap();
    let distance = |x: f64| two.foot(&Vec3::new(x, 0.0, 0.0)).unwrap().distance;
    assert!(distance(0.0) < -0.49 && distance(2.0) < -0.49 && (distance(1.0) - 0.5).abs() < 0.01);
    assert!(two.foot(&Vec3::repeat(f64::NAN)).is_none());
}
