//! Placements in which faces, edges and vertices lie on each other.

use sinew_mesh::geometry::{Operand, Overlap, SurfaceMesh, cuboid_mesh, icosphere_mesh};
use sinew_mesh::{Mat3, Vec3};

use super::assert_near;
use super::clipper::Polyhedron;
use super::solids::{Random, cuboid, joined, moved, sheet, torus};

fn whole(random: &mut Random, most: u64) -> Vec3 {
    Vec3::from_fn(|_, _| random.below(most + 1) as f64)
}

/// A box between points of a grid of 0 to 3.
fn whole_box(random: &mut Random) -> [Vec3; 2] {
    let low = whole(random, 2);
    [low, low + whole(random, 1) + Vec3::repeat(1.0)]
}

/// A tetrahedron of points of the grid that is not flat, outward.
fn whole_tetrahedron(random: &mut Random) -> SurfaceMesh {
    loop {
        let points: Vec<Vec3> = (0..4).map(|_| whole(random, 3)).collect();
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = SurfaceMesh::new(points, triangles).unwrap();
        match mesh.signed_volume() {
            v if v > 0.1 => return mesh,
            v if v < -0.1 => return mesh.flipped(),
            _ => {}
        }
    }
}

#[test]
fn boxes_of_a_grid_have_the_volume_and_the_surface_of_the_box_between() {
    let mut random = Random(3);
    let mut touching = 0;
    for _ in 0..300 {
        let [a, b] = [0, 1].map(|_| whole_box(&mut random));
        let (low, high) = (a[0].sup(&b[0]), a[1].inf(&b[1]));
        let size = (high - low).sup(&Vec3::zeros());
        let overlap = Overlap::of(&cuboid(a[0], a[1]), &cuboid(b[0], b[1]));
        assert_near(overlap.solid().unwrap().volume, size.product(), 1.0);
        if size.product() > 0.0 {
            let surface = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
            let parts = [Operand::First, Operand::Second].map(|of| overlap.part(of).unwrap());
            assert_near(parts[0].area + parts[1].area, surface, 1.0);
            assert_eq!(overlap.regions().len(), 1);
            let middle = overlap.solid().unwrap().centroid().unwrap();
            assert!((middle - (low + high) * 0.5).norm() < 1e-12);
        } else {
            touching += 1;
        }
        assert!(overlap.contours().iter().all(|contour| contour.is_closed));
    }
    assert!(touching > 50, "{touching}");
}

#[test]
fn tetrahedra_of_a_grid_agree_with_a_clipper() {
    let mut random = Random(4);
    for _ in 0..400 {
        let (a, b) = (whole_tetrahedron(&mut random), whole_tetrahedron(&mut random));
        let overlap = Overlap::of(&a, &b);
        let clipped = Polyhedron::of(&a).cut_by_all(&b);
        assert_near(overlap.solid().unwrap().volume, clipped.volume(), 1.0);
        if clipped.volume() > 1e-6 {
            let [x, y] = clipped.areas();
            let parts = [Operand::First, Operand::Second].map(|of| overlap.part(of).unwrap());
            assert_near(parts[0].area + parts[1].area, x + y, 1.0);
        }
        let back = Overlap::of(&b, &a).solid().unwrap().volume;
        assert_near(back, clipped.volume(), 1.0);
    }
}

/// Boxes in a row, as one surface, against a grid of boxes: everything flush.
#[test]
fn several_flush_boxes_sum_up() {
    let mut random = Random(6);
    for _ in 0..60 {
        let boxes = [0, 1, 2, 3].map(|_| whole_box(&mut random));
        let mesh = |[low, high]: &[Vec3; 2]| cuboid(*low, *high);
        let (a, b) = (
            joined(&mesh(&boxes[0]), &mesh(&boxes[1])),
            joined(&mesh(&boxes[2]), &mesh(&boxes[3])),
        );
        // What is inside twice counts twice.
        let mut expected = 0.0;
        for one in &boxes[..2] {
            for other in &boxes[2..] {
                let size = one[1].inf(&other[1]) - one[0].sup(&other[0]);
                expected += size.sup(&Vec3::zeros()).product();
            }
        }
        assert_near(Overlap::of(&a, &b).solid().unwrap().volume, expected, 1.0);
    }
}

#[test]
fn identical_surfaces_have_their_own_volume_in_common() {
    let solids = [
        cuboid_mesh(&Vec3::new(1.0, 2.0, 3.0)).unwrap(),
        icosphere_mesh(1.0, 3).unwrap(),
        torus(0.3, 20, 10),
    ];
    for solid in solids {
        let integrals = solid.solid_integrals().unwrap();
        let overlap = Overlap::of(&solid, &solid);
        assert_near(overlap.solid().unwrap().volume, integrals.volume, integrals.volume);
        let parts = [Operand::First, Operand::Second].map(|of| overlap.part(of).unwrap());
        let area = solid.surface_integrals().area;
        assert_near(parts[0].area + parts[1].area, area, area);
        assert!((overlap.solid().unwrap().centroid().unwrap() - integrals.centroid).norm() < 1e-12);
        // Scaled about the middle of a face: faces of one plane that are not the same.
        let half = solid.transformed(&(Mat3::identity() * 0.5), &Vec3::zeros()).unwrap();
        let placed = moved(&half, Vec3::new(0.25, 0.0, 0.0));
        let one = Overlap::of(&solid, &placed).solid().unwrap().volume;
        let other = Overlap::of(&placed, &solid).solid().unwrap().volume;
        assert_near(one, other, 1.0);
    }
}

/// The vertices of one are in the middles of the faces of the other, and the other way round.
#[test]
fn a_cube_and_the_octahedron_in_it_touch_everywhere() {
    let cube = cuboid_mesh(&Vec3::repeat(2.0)).unwrap();
    let corners = [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().flat_map(|axis| [axis, -axis]);
    let triangles =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let octahedron = SurfaceMesh::new(corners.collect(), triangles.to_vec()).unwrap();
    assert_near(octahedron.signed_volume(), 4.0 / 3.0, 1.0);
    for (a, b) in [(&cube, &octahedron), (&octahedron, &cube)] {
        let overlap = Overlap::of(a, b);
        assert_near(overlap.solid().unwrap().volume, 4.0 / 3.0, 1.0);
    }
}

/// Edges with four triangles, and a triangle without area in a closed surface.
#[test]
fn surfaces_that_are_no_manifolds_have_their_volume() {
    let low = cuboid(Vec3::zeros(), Vec3::repeat(1.0));
    let high = cuboid(Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 2.0, 1.0));
    let two = welded(&joined(&low, &high));
    assert_eq!(two.topology().non_manifold_edges, 1);
    let across = cuboid(Vec3::new(0.5, 0.5, 0.25), Vec3::new(1.5, 1.5, 3.0));
    let overlap = Overlap::of(&two, &across);
    assert_near(overlap.solid().unwrap().volume, 2.0 * 0.25 * 0.75, 1.0);
    assert!(overlap.contours().iter().all(|contour| contour.is_closed));

    // One side of the square at the bottom is parted by a vertex that only one triangle has.
    let mut vertices = low.vertices().to_vec();
    vertices.push((vertices[0] + vertices[2]) * 0.5);
    let mut triangles = low.triangles().to_vec();
    let whole = triangles.iter().position(|t| sides(t).contains(&[0, 2])).unwrap();
    let apex = triangles[whole].into_iter().find(|v| ![0, 2].contains(v)).unwrap();
    triangles.remove(whole);
    triangles.extend([[0, 8, apex], [8, 2, apex], [0, 2, 8]]);
    let split = SurfaceMesh::new(vertices, triangles).unwrap();
    assert!(split.topology().is_closed());
    assert_eq!(split.degenerate_triangles(0.0).len(), 1);
    let half = cuboid(Vec3::new(-1.0, 0.25, -1.0), Vec3::new(0.75, 3.0, 0.5));
    for (a, b) in [(&split, &half), (&half, &split)] {
        let overlap = Overlap::of(a, b);
        assert_near(overlap.solid().unwrap().volume, 0.75 * 0.75 * 0.5, 1.0);
        assert_eq!(overlap.contours().len(), 1);
    }
}

fn sides(t: &[u32; 3]) -> [[u32; 2]; 3] {
    [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]
}

fn welded(mesh: &SurfaceMesh) -> SurfaceMesh {
    let stand_in = sinew_mesh::geometry::coincident_points(mesh.vertices(), 0.0);
    let triangles = mesh.triangles().iter().map(|t| t.map(|v| stand_in[v as usize])).collect();
    SurfaceMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

/// A grid of a plane of the box: the area inside is that of the face, or nothing.
#[test]
fn a_sheet_on_a_face_is_wholly_inside_or_wholly_outside() {
    let block = cuboid(Vec3::new(-1.0, -1.0, 0.0), Vec3::repeat(1.0));
    for z in [0.0, 1.0] {
        let overlap = Overlap::of(&sheet(2.0, z, 4), &block);
        let area = overlap.part(Operand::First).unwrap().area;
        assert!(area.abs() < 1e-12 || (area - 4.0).abs() < 1e-12, "{area}");
    }
}
