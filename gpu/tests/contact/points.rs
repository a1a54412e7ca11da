//! No point that may touch a mesh is missing, told by signed distances in f64, and most of the others are left out.

use sinew::Vec3;
use sinew::constraint::Pose;
use sinew::contact::{
    CandidateFinder, Collider, Member, MeshSolid, Pair, PointSet, PointsBeside, Shape,
};
use sinew::geometry::{SignedDistance, SurfaceMesh, SurfaceSide, icosphere_mesh};
use sinew_gpu::testing::test_device;
use sinew_gpu::{DeviceFinder, Touching};
use sinew_shaders::samples::noise;

use crate::scene::options;

/// A ball of 0.1 m with dents, at a place; its uppermost part is a sheet.
fn dented(at: Vec3, is_part: bool) -> SurfaceMesh {
    let ball = icosphere_mesh(0.1, 3).unwrap();
    let bumps = noise(ball.vertices().len(), 5);
    let moved = ball.vertices().iter().zip(bumps);
    let vertices = moved.map(|(p, bump)| at + p * (1.0 + 0.05 * bump)).collect();
    let is_upper = |t: &&[u32; 3]| t.iter().all(|&v| ball.vertices()[v as usize].z > 0.07);
    let triangles = ball.triangles().iter().filter(|t| !is_part || is_upper(t));
    SurfaceMesh::new(vertices, triangles.copied().collect()).unwrap()
}

#[test]
fn no_point_that_may_touch_a_mesh_is_missing() {
    for (at, is_part) in [(Vec3::zeros(), false), (Vec3::new(3.0, -40.0, 8.0), true)] {
        let surface = dented(at, is_part);
        let distance = SignedDistance::new(&surface).unwrap();
        assert_eq!(distance.side() == SurfaceSide::Sheet, is_part);
        let numbers = noise(4 * 2_000, 9);
        let rows = numbers.as_chunks::<4>().0;
        let points: Vec<Vec3> =
            rows.iter().map(|&[x, y, z, _]| at + Vec3::new(x, y, z) * 0.12).collect();
        let limits: Vec<f64> = rows.iter().map(|row| 5e-3 * row[3].abs()).collect();
        let shape = Shape::Mesh(MeshSolid::new(&surface).unwrap());
        let colliders = [Collider { shape, frame: Collider::GROUND, pose: Pose::identity() }];
        let set = [PointSet::new((0..2_000).collect(), 0.0)];
        let (a, b) = (Member::Points(0), Member::Collider(0));
        let pairs = [Pair { a, b, margin: 1e-3, thickness: 0.0 }];
        let of = Touching { colliders: &colliders, points: &set, pairs: &pairs, surfaces: &[] };
        let finders = [
            DeviceFinder::on_twins(&options(), of, &points),
            DeviceFinder::on_device(test_device(), &options(), of, &points),
        ];
        for finder in finders {
            let mut finder = finder.unwrap().expect("there is a mesh");
            assert_eq!((finder.takes_points(0), finder.calls(0)), (true, Some(1)));
            let mut flags = Vec::new();
            let beside = PointsBeside { pair: 0, points: &points, limits: &limits };
            assert!(finder.find_points(&beside, &mut flags));
            let [mut near, mut left_out, mut far] = [0; 3];
            for (k, p) in points.iter().enumerate() {
                let gap = distance.foot(p).unwrap().distance;
                let may_touch = gap <= limits[k];
                assert!(!may_touch || flags[k], "{p} at {gap} of {}", limits[k]);
                near += usize::from(may_touch);
                far += usize::from(!may_touch);
                left_out += usize::from(!flags[k]);
            }
            println!("{near} near, {far} far, {left_out} left out");
            assert!(near > 300 && 10 * left_out > 8 * far, "{near}, {far}, {left_out}");
        }
    }
}
