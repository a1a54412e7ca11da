//! Overlaps that are known in closed form.

use sinew_mesh::Vec3;
use sinew_mesh::geometry::{
    Contour, Operand, Overlap, OverlapSurface, SurfaceMesh, cuboid_mesh, icosphere_mesh,
};

use super::assert_near;
use super::solids::{cuboid, joined, moved, sheet, torus};

/// Length of a contour [m].
fn length(overlap: &Overlap, contour: &Contour) -> f64 {
    let points = overlap.points(contour);
    let step = |k: usize| (points[(k + 1) % points.len()].position - points[k].position).norm();
    let steps = if contour.is_closed { points.len() } else { points.len() - 1 };
    (0..steps).map(step).sum()
}

#[test]
fn boxes_that_overlap_have_one_contour_and_the_box_between() {
    let a = cuboid(Vec3::zeros(), Vec3::new(3.0, 2.0, 2.0));
    let b = cuboid(Vec3::new(2.5, 0.3, 0.4), Vec3::new(5.0, 1.2, 1.6));
    let overlap = Overlap::of(&a, &b);
    let solid = overlap.solid().unwrap();
    let size = Vec3::new(0.5, 0.9, 1.2);
    assert_near(solid.volume, size.product(), 1.0);
    assert!((solid.centroid().unwrap() - Vec3::new(2.75, 0.75, 1.0)).norm() < 1e-13);
    let [contour] = overlap.contours() else { panic!("{:?}", overlap.contours()) };
    assert!(contour.is_closed && contour.region == Some(0));
    assert_near(length(&overlap, contour), 2.0 * (0.9 + 1.2), 1.0);
    let [region] = overlap.regions() else { panic!("{:?}", overlap.regions()) };
    let face = size.y * size.z;
    assert_near(region.parts[0].area, face, 1.0);
    assert_near(region.parts[1].area, face + 2.0 * size.x * (size.y + size.z), 1.0);
    assert!((region.parts[0].area_vector - Vec3::x() * face).norm() < 1e-13);
    assert!((region.normal().unwrap() + Vec3::x()).norm() < 1e-13);
    assert_near(region.mean_depth().unwrap(), size.x, 1.0);
}

/// Points of a contour lie on the edge and on the triangle that they name, and on both triangles of
/// their segment.
#[test]
fn points_of_contours_lie_where_they_say() {
    let a = icosphere_mesh(1.0, 2).unwrap();
    let b = moved(&torus(0.3, 24, 12), Vec3::new(0.8, 0.1, 0.05));
    let overlap = Overlap::of(&a, &b);
    let surfaces = [&a, &b];
    let height = |surface: &SurfaceMesh, t: u32, p: &Vec3| {
        let normal = surface.area_normal(t as usize).normalize();
        normal.dot(&(p - surface.corners(t as usize)[0])).abs()
    };
    assert!(overlap.contours().len() > 1);
    for contour in overlap.contours() {
        let points = overlap.points(contour);
        assert!(contour.is_closed && points.len() > 5);
        for (k, point) in points.iter().enumerate() {
            let (own, other) = (point.edge_of.index(), point.edge_of.other().index());
            let [p, q] = point.edge.map(|v| surfaces[own].vertices()[v as usize]);
            assert!((p + (q - p) * point.along - point.position).norm() < 1e-14);
            assert!(height(surfaces[other], point.triangle, &point.position) < 1e-13);
            let next = &points[(k + 1) % points.len()];
            let [t, s] = point.segment.unwrap();
            for end in [point, next] {
                assert!(height(&a, t, &end.position) < 1e-13);
                assert!(height(&b, s, &end.position) < 1e-13);
            }
            // Along n_A x n_B.
            let way = a.area_normal(t as usize).cross(&b.area_normal(s as usize));
            let step = next.position - point.position;
            assert!(way.dot(&step) >= -1e-14, "{}", way.dot(&step));
        }
    }
}

#[test]
fn a_solid_wholly_inside_is_a_region_without_contour() {
    let (large, small) = (icosphere_mesh(1.0, 2).unwrap(), icosphere_mesh(0.3, 1).unwrap());
    let small = moved(&small, Vec3::new(0.2, 0.1, -0.3));
    let integrals = small.solid_integrals().unwrap();
    for (overlap, own) in
        [(Overlap::of(&large, &small), 1), (Overlap::of(&small.clone().flipped(), &large), 0)]
    {
        assert!(overlap.contours().is_empty());
        let solid = overlap.solid().unwrap();
        assert_near(solid.volume, integrals.volume, integrals.volume);
        assert!((solid.centroid().unwrap() - integrals.centroid).norm() < 1e-13);
        let [region] = overlap.regions() else { panic!("{:?}", overlap.regions()) };
        assert_near(region.parts[own].area, small.surface_integrals().area, 1.0);
        assert_eq!(region.parts[1 - own].area, 0.0);
        assert!(region.normal().is_none() && region.mean_depth().is_none());
    }
    let apart = Overlap::of(&large, &moved(&small, Vec3::x() * 5.0));
    assert!(apart.regions().is_empty() && apart.solid().unwrap().volume == 0.0);
    assert!(apart.part(Operand::First).unwrap().area == 0.0);
}

#[test]
fn a_torus_and_a_plate_across_it_have_two_contours_each_in_its_region() {
    let ring = torus(0.3, 32, 16);
    let plate = cuboid(Vec3::new(-2.0, -0.05, -1.0), Vec3::new(2.0, 0.05, 1.0));
    let overlap = Overlap::of(&ring, &plate);
    // Both faces of the plate cut both sides of the tube.
    assert_eq!(overlap.contours().len(), 4);
    assert_eq!(overlap.regions().len(), 2);
    let [one, other] = [0, 1].map(|k| overlap.regions()[k].solid.volume);
    assert_near(one, other, one);
    // The middle of the tube at y = 0 is a polygon of 16 corners on a circle.
    let section = 0.5 * 16.0 * 0.09 * (std::f64::consts::TAU / 16.0).sin();
    assert!((one / (0.1 * section) - 1.0).abs() < 0.01, "{one}");
    let across = Overlap::of(&ring, &sheet(3.0, 0.01, 1));
    assert_eq!(across.contours().len(), 2);
    assert!(across.solid().is_none() && across.part(Operand::First).is_none());
    // Inside the ring the sheet has an annulus: its two loops hang together.
    let [region] = across.regions() else { panic!("{:?}", across.regions()) };
    let factor = 0.5 * 32.0 * (std::f64::consts::TAU / 32.0).sin();
    let reach = {
        let [b0, b1] = [0.0, std::f64::consts::TAU / 16.0];
        let share = 0.01 / (0.3 * b1.sin());
        0.3 * (f64::cos(b0) + share * (b1.cos() - f64::cos(b0)))
    };
    let annulus = factor * ((1.0 + reach).powi(2) - (1.0 - reach).powi(2));
    // Diagonals of the quadrilaterals bend the outline by second order.
    assert!(
        (region.parts[1].area / annulus - 1.0).abs() < 1e-3,
        "{} {annulus}",
        region.parts[1].area
    );
}

#[test]
fn a_box_through_a_box_has_two_loops_and_one_region() {
    let block = cuboid(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    let bar = cuboid(Vec3::new(-3.0, -0.2, -0.3), Vec3::new(3.0, 0.25, 0.35));
    let overlap = Overlap::of(&block, &bar);
    assert_eq!(overlap.contours().len(), 2);
    let [region] = overlap.regions() else { panic!("{:?}", overlap.regions()) };
    assert_near(region.solid.volume, 2.0 * 0.45 * 0.65, 1.0);
    assert_near(region.parts[0].area, 2.0 * 0.45 * 0.65, 1.0);
    assert_near(region.parts[1].area, 4.0 * (0.45 + 0.65), 1.0);
    assert!(region.parts[0].area_vector.norm() < 1e-13);
    let bars = joined(&bar, &moved(&bar, Vec3::new(0.0, 0.7, 0.6)));
    let two = Overlap::of(&bars, &block);
    assert_eq!((two.contours().len(), two.regions().len()), (4, 2));
    assert!(two.contours().iter().all(|contour| contour.region.is_some()));
    assert_near(two.solid().unwrap().volume, 2.0 * (2.0 * 0.45 * 0.65), 1.0);
}

/// A post with a bore stands in one triangle of a plate: a loop within a loop, and in it a pin.
#[test]
fn loops_within_loops_of_one_triangle_hang_together_where_the_inside_is_between() {
    let tall = |half: f64| cuboid(Vec3::new(-half, -half, -1.0), Vec3::new(half, half, 1.0));
    let pipe = joined(&tall(0.4), &tall(0.3).flipped());
    let pin = tall(0.1);
    let sheet = SurfaceMesh::new(
        vec![Vec3::new(-5.0, -5.0, 0.1), Vec3::new(9.0, -4.0, 0.1), Vec3::new(-4.0, 9.0, 0.1)],
        vec![[0, 1, 2]],
    )
    .unwrap();
    let overlap = Overlap::of(&sheet, &joined(&pipe, &pin));
    assert_eq!((overlap.contours().len(), overlap.regions().len()), (3, 2));
    let mut areas: Vec<f64> = overlap.regions().iter().map(|r| r.parts[0].area).collect();
    areas.sort_by(f64::total_cmp);
    assert_near(areas[0], 0.04, 1.0);
    assert_near(areas[1], 0.64 - 0.36, 1.0);
    let hollow = Overlap::of(&sheet, &pipe);
    assert_eq!((hollow.contours().len(), hollow.regions().len()), (2, 1));
}

#[test]
fn a_sheet_through_a_box_has_a_loop_and_two_sheets_an_open_contour() {
    let block = cuboid(Vec3::new(-0.3, -0.2, -0.5), Vec3::new(0.4, 0.25, 0.5));
    let sheet = sheet(1.0, 0.1, 3);
    let overlap = Overlap::of(&sheet, &block);
    let [contour] = overlap.contours() else { panic!("{:?}", overlap.contours()) };
    assert!(contour.is_closed);
    assert_near(length(&overlap, contour), 2.0 * (0.7 + 0.45), 1.0);
    assert_near(overlap.part(Operand::First).unwrap().area, 0.7 * 0.45, 1.0);
    assert!(overlap.part(Operand::Second).is_none() && overlap.solid().is_none());
    let normal = overlap.regions()[0].normal().unwrap();
    assert!((normal + Vec3::z()).norm() < 1e-13, "{normal}");
    let upright = SurfaceMesh::new(
        vec![Vec3::new(-0.5, 0.1, -1.0), Vec3::new(0.7, 0.1, -1.0), Vec3::new(0.1, 0.1, 1.1)],
        vec![[0, 1, 2]],
    );
    let upright = upright.unwrap();
    let crossed = Overlap::of(&upright, &sheet);
    let [contour] = crossed.contours() else { panic!("{:?}", crossed.contours()) };
    assert!(!contour.is_closed && contour.region.is_none() && crossed.regions().is_empty());
    // The triangle is 1.2 wide at z = -1 and ends at z = 1.1.
    assert_near(length(&crossed, contour), 1.2 * 1.0 / 2.1, 1.0);
    let points = crossed.points(contour);
    assert!(points.last().unwrap().segment.is_none());
    assert!(points[..points.len() - 1].iter().all(|point| point.segment.is_some()));
}

#[test]
fn a_small_overlap_far_from_the_origin_keeps_its_digits() {
    let far = Vec3::new(100.0, -70.0, 40.0);
    let a = moved(&icosphere_mesh(0.05, 3).unwrap(), far);
    let b = moved(&a, Vec3::new(0.099, 0.001, 0.0005));
    let near = Overlap::of(&moved(&a, -far), &moved(&b, -far)).solid().unwrap().volume;
    let found = Overlap::of(&a, &b).solid().unwrap();
    // Coordinates carry 1e-14 m of a depth of 1e-3 m.
    assert!(near > 0.0 && (found.volume - near).abs() < 1e-9 * near, "{} {near}", found.volume);
    assert!((found.centroid().unwrap() - far).norm() < 0.06);
}

#[test]
fn a_query_that_is_used_again_gives_what_a_new_one_gives() {
    let (a, b) = (icosphere_mesh(1.0, 2).unwrap(), cuboid_mesh(&Vec3::repeat(1.3)).unwrap());
    let (first, mut second) = (OverlapSurface::new(&a), OverlapSurface::new(&b));
    let mut overlap = Overlap::default();
    for shift in [Vec3::zeros(), Vec3::new(0.9, 0.2, 0.1), Vec3::x() * 9.0, Vec3::repeat(0.4)] {
        let here = moved(&b, shift);
        second.set_vertices(here.vertices()).unwrap();
        overlap.update(&first, &second);
        let fresh = Overlap::of(&a, &here);
        assert_eq!(overlap.solid(), fresh.solid());
        assert_eq!(overlap.contours(), fresh.contours());
        assert_eq!(overlap.regions(), fresh.regions());
    }
    assert!(second.set_vertices(&[Vec3::zeros()]).is_err());
    assert!(second.set_vertices(&[Vec3::repeat(f64::NAN); 8]).is_err());
}
