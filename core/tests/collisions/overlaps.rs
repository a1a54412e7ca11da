//! Things that begin inside each other.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::contact::ColliderShape;
use sinew::geometry::cuboid_mesh;
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::system::PairOverlap;

use crate::scene::{bar, compile, cube, floor};

fn overlaps(model: &Model) -> Vec<PairOverlap> {
    let compiled = compile(model);
    compiled.at(&compiled.initial_state()).overlaps().unwrap()
}

/// A cube of 10 cm at x [m] whose solid is its mesh.
fn mesh_cube(model: &mut Model, name: &str, x: f64) -> Handle<RigidBody> {
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let place = sinew::constraint::Pose::translation(x, 0.0, 0.05);
    let body = model.add(RigidBody::from_mesh(name, mesh, 1000.0).at(place));
    model.add(Collider::on(body, ColliderShape::MESH).named(name));
    body
}

#[test]
fn cubes_inside_each_other_are_told_with_their_common_solid() {
    type Add = fn(&mut Model, &str, f64) -> Handle<RigidBody>;
    // Corners of the flush meshes lie in walls of the other: contact finds no depth, and the solid tells all.
    for (add, deep) in [(cube as Add, 0.01), (mesh_cube, 0.0)] {
        let mut model = Model::new("m");
        add(&mut model, "a", 0.0);
        add(&mut model, "b", 0.09);
        add(&mut model, "c", 0.3);
        model.add(CollisionBehavior::everything(0.0));
        let found = overlaps(&model);
        let [PairOverlap { between, depth, common }] = &found[..] else { panic!("{found:?}") };
        assert_eq!(*between, ["/models/m/rigid_bodies/a", "/models/m/rigid_bodies/b"]);
        assert!((depth - deep).abs() < 1e-12, "{depth}");
        let common = common.expect("both are closed");
        assert!((common.volume - 1e-4).abs() < 1e-15, "{common:?}");
        // A face and strips of its four neighbours; the side walls of both lie in the same planes, and half of them
        // counts.
        assert!(common.area > 0.0099 && common.area < 0.0141, "{common:?}");
        assert!(common.normal.unwrap().x < -0.98, "{common:?}");
    }
}

#[test]
fn what_rests_or_is_apart_is_not_told() {
    let mut model = Model::new("m");
    floor(&mut model);
    for (name, x) in [("a", 0.0), ("b", 0.1)] {
        cube(&mut model, name, x);
    }
    model.add(CollisionBehavior::everything(0.0));
    assert_eq!(overlaps(&model), []);
}

#[test]
fn tissue_below_a_floor_is_told_with_its_depth() {
    let mut model = Model::new("m");
    bar(&mut model);
    let low = sinew::constraint::Pose::translation(0.0, 0.0, 0.02);
    model.add(Collider::half_space(low).named("floor"));
    model.add(CollisionBehavior::everything(0.0));
    let found = overlaps(&model);
    let [PairOverlap { depth, common: None, .. }] = &found[..] else { panic!("{found:?}") };
    let lowest = model.fems().flat_map(|(_, fem)| &fem.mesh.nodes).map(|node| node.z);
    let expected = 0.02 - lowest.fold(f64::INFINITY, f64::min);
    assert!((depth - expected).abs() < 1e-12, "{depth} for {expected}");
}

#[test]
fn tissue_inside_a_body_is_told_with_their_common_solid() {
    let mut model = Model::new("m");
    bar(&mut model);
    // The bar ends at x = 0.2 m, half as high over the origin as the cube.
    for (add, name, x) in
        [(mesh_cube as fn(&mut Model, &str, f64) -> _, "a", 0.24), (cube, "b", -0.24)]
    {
        add(&mut model, name, x);
    }
    model.add(CollisionBehavior::everything(0.0));
    let found = overlaps(&model);
    assert_eq!(found.len(), 2, "{found:?}");
    for PairOverlap { common, .. } in found {
        let common = common.expect("both are closed");
        assert!((common.volume - 0.01 * 0.1 * 0.05).abs() < 1e-15, "{common:?}");
    }
}
