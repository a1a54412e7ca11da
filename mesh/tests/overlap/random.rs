//! Random convex polyhedra against the clipper, invariance, and soups of triangles.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use proptest::prelude::*;
use sinew_mesh::geometry::{Operand, Overlap, SurfaceMesh};
use sinew_mesh::{Mat3, Vec3};

use super::assert_near;
use super::clipper::Polyhedron;
use super::solids::{Random, joined, moved, torus};

/// The hull of points near an ellipsoid.
fn convex(random: &mut Random) -> SurfaceMesh {
    let stretch = Vec3::from_fn(|_, _| 0.6 + 0.4 * random.signed());
    let count = 8 + random.below(30);
    let turn = random.turn();
    let points: Vec<Vector> = (0..count)
        .map(|_| turn * (random.vector() + Vec3::repeat(1e-3)).normalize().component_mul(&stretch))
        .map(|p| Vector::new(p.x, p.y, p.z))
        .collect();
    let (corners, triangles) = try_convex_hull(&points).unwrap();
    let corners = corners.iter().map(|p| Vec3::new(p.x, p.y, p.z)).collect();
    SurfaceMesh::new(corners, triangles).unwrap()
}

#[test]
fn a_thousand_pairs_of_convex_polyhedra_agree_with_a_clipper() {
    let mut random = Random(7);
    let mut overlapping = 0;
    for _ in 0..1000 {
        let a = convex(&mut random);
        let b = moved(&convex(&mut random), random.vector() * 0.7);
        let overlap = Overlap::of(&a, &b);
        let solid = overlap.solid().unwrap();
        let clipped = Polyhedron::of(&a).cut_by_all(&b);
        let volume = clipped.volume();
        assert_near(solid.volume, volume, volume.max(1e-6));
        let [of_a, of_b] = clipped.areas();
        let found = [Operand::First, Operand::Second].map(|of| overlap.part(of).unwrap());
        assert_near(found[0].area, of_a, (of_a + of_b).max(1e-6));
        assert_near(found[1].area, of_b, (of_a + of_b).max(1e-6));
        assert!((found[0].area_vector + found[1].area_vector).norm() < 1e-12);
        if volume > 1e-4 {
            overlapping += 1;
            let apart = (solid.centroid().unwrap() - clipped.centroid()).norm();
            assert!(apart < 1e-10, "{apart}");
            assert_eq!(overlap.regions().len(), 1);
        }
    }
    assert!(overlapping > 500, "{overlapping}");
}

/// Invariance under exchange of both and under rigid motion.
#[test]
fn an_overlap_is_the_same_for_the_other_order_and_in_another_place() {
    let mut random = Random(11);
    for _ in 0..60 {
        let a = joined(&convex(&mut random), &moved(&convex(&mut random), Vec3::x() * 1.5));
        let b = torus(0.4, 12, 7).transformed(&random.turn(), &random.vector()).unwrap();
        let one = Overlap::of(&a, &b);
        let other = Overlap::of(&b, &a);
        let (turn, by) = (random.turn(), random.vector());
        let placed = |mesh: &SurfaceMesh| mesh.transformed(&turn, &by).unwrap();
        let there = Overlap::of(&placed(&a), &placed(&b));
        let [x, y, z] = [&one, &other, &there].map(|overlap| overlap.solid().unwrap());
        let areas = [(&one, [0, 1]), (&other, [1, 0]), (&there, [0, 1])].map(|(overlap, order)| {
            let parts = [Operand::First, Operand::Second].map(|of| overlap.part(of).unwrap());
            order.map(|k| parts[k].area)
        });
        for (solid, areas_of) in [(y, areas[1]), (z, areas[2])] {
            assert_near(solid.volume, x.volume, x.volume.max(1e-3));
            (0..2).for_each(|k| assert_near(areas_of[k], areas[0][k], areas[0][k].max(1e-3)));
        }
        for overlap in [&other, &there] {
            assert_eq!(overlap.contours().len(), one.contours().len());
            assert_eq!(overlap.regions().len(), one.regions().len());
        }
        if x.volume > 1e-3 {
            let moved = turn * x.centroid().unwrap() + by;
            assert!((moved - z.centroid().unwrap()).norm() < 1e-9);
        }
    }
}

/// Regions bound solids of their own: volumes are positive and sum to the volume of both.
#[test]
fn every_region_of_two_rings_has_a_positive_volume() {
    let mut random = Random(5);
    let mut several = 0;
    for _ in 0..80 {
        let a = torus(0.25, 14, 8);
        let b = a.transformed(&random.turn(), &(random.vector() * 0.8)).unwrap();
        let overlap = Overlap::of(&a, &b);
        several += usize::from(overlap.regions().len() > 1);
        for region in overlap.regions() {
            assert!(region.solid.volume > 0.0, "{region:?}");
            assert!((region.parts[0].area_vector + region.parts[1].area_vector).norm() < 1e-12);
        }
        assert!(overlap.contours().iter().all(|contour| contour.is_closed));
    }
    assert!(several > 20, "{several}");
}

/// Points of few values: most placements are degenerate. Indices repeat within triangles.
fn soup() -> impl Strategy<Value = SurfaceMesh> {
    let coordinate = prop_oneof![
        4 => (-2..3_i32).prop_map(f64::from),
        1 => -2.0..2.0_f64,
        1 => Just(1e-300),
        1 => prop_oneof![Just(1e150), Just(-1e300), Just(1e-17)],
    ];
    let points = prop::collection::vec(prop::array::uniform3(coordinate), 3..9);
    points.prop_flat_map(|points| {
        let count = points.len() as u32;
        let triangles = prop::collection::vec(prop::array::uniform3(0..count), 0..16);
        triangles.prop_map(move |triangles| {
            let points = points.iter().map(|p| Vec3::from(*p)).collect();
            SurfaceMesh::new(points, triangles).unwrap()
        })
    })
}

/// The surface and its mirror image wound the other way: every edge is passed both ways.
fn doubled(mesh: &SurfaceMesh) -> SurfaceMesh {
    let back = mesh.clone().flipped();
    let triangles = [mesh.triangles(), back.triangles()].concat();
    SurfaceMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soups_never_panic_and_every_contour_has_its_points(a in soup(), b in soup()) {
        for (a, b) in [(a.clone(), b.clone()), (doubled(&a), b.clone()), (doubled(&a), doubled(&b))] {
            let overlap = Overlap::of(&a, &b);
            for contour in overlap.contours() {
                let points = overlap.points(contour);
                prop_assert!(points.len() > 1);
                let opens = points.iter().filter(|point| point.segment.is_none()).count();
                prop_assert_eq!(opens, usize::from(!contour.is_closed));
            }
        }
    }

    /// A closed surface that bounds nothing has no overlap with anything, and only closed contours.
    #[test]
    fn a_soup_that_is_doubled_has_no_volume(a in soup(), turn in any::<u64>()) {
        let fits = a.vertices().iter().all(|p| p.amax() < 10.0);
        prop_assume!(fits);
        let mut random = Random(turn);
        let solid = convex(&mut random).transformed(&Mat3::identity(), &random.vector()).unwrap();
        let overlap = Overlap::of(&doubled(&a), &solid);
        if let Some(common) = overlap.solid() {
            prop_assert!(common.volume.abs() < 1e-13, "{}", common.volume);
            prop_assert!(overlap.contours().iter().all(|contour| contour.is_closed));
        }
    }
}
