//! Transformations: of everything below, where they have a meaning, and back.

use sinew::axial::AxialLaw;
use sinew::constraint::{JointKind, PointConstraint};
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Affine, Anchor, AxialSpring, ComponentList, Edit, EditError, FrameMarker, FrameSite,
    FrameSpring, Joint, Keyframe, LinearAxial, Model, MultiPointSpring, Particle, PointConstrainer,
    RigidBody, TransformRefusal,
};
use sinew::property::Pose;
use sinew::{Mat3, Vec3};

use crate::world::{text, tissue};

/// Two particles a metre apart, a spring of that length, and a brick, below one model.
fn scene() -> Model {
    let mut model = Model::new("m");
    let ends = [0.0, 1.0].map(|x| model.add(Particle::new(1.0, Vec3::x() * x)));
    let law = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 1.0 };
    model.add(AxialSpring::new(ends, law));
    model.add(tissue("brick", 1, Vec3::y()));
    model
}

#[test]
fn a_model_goes_with_all_that_is_in_it() {
    let mut model = scene();
    let before = text(&model);
    let main = model.main();
    let map = Affine::scaling(Vec3::zeros(), 2.0);
    let mut change = model.edit(Edit::transform(main, map)).unwrap();
    assert_eq!(change.changed().len(), 4);
    assert_eq!(model[model.nth::<Particle>(1)].position, Vec3::x() * 2.0);
    assert_eq!(model[model.nth::<AxialSpring>(0)].rest_length, 2.0);
    let [low, high] = model.fem(0).mesh.bounding_box().unwrap();
    assert_eq!((low, high), (Vec3::y() * 2.0, Vec3::new(2.0, 4.0, 2.0)));
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model), "taken back as it was, not by the inverse map");
}

#[test]
fn one_that_is_named_twice_goes_once() {
    let mut model = scene();
    let main = model.main();
    let point = model.nth::<Particle>(1);
    let ids = vec![point.id(), main.id(), point.id()];
    model.edit(Edit::Transform { ids, map: Affine::translation(Vec3::x()) }).unwrap();
    assert_eq!(model[point].position, Vec3::x() * 2.0);
}

#[test]
fn what_has_no_meaning_for_one_is_refused_for_all() {
    let mut model = scene();
    let before = text(&model);
    let main = model.main();
    let stretch = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 2.0)));
    let flat = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(0.0, 1.0, 1.0)));
    let fem = model.nth::<sinew::model::FemModel>(0);
    for (id, map, refusal) in [
        (main.id(), flat, TransformRefusal::Flattens),
        (fem.id(), flat, TransformRefusal::Inverts),
        (main.id(), Affine::translation(Vec3::x() * f64::NAN), TransformRefusal::NotFinite),
    ] {
        let refused = model.edit(Edit::transform(id, map)).unwrap_err();
        assert!(
            matches!(&refused, EditError::Transform { refusal: why, .. } if *why == refusal),
            "{refused}"
        );
        assert_eq!(before, text(&model));
    }
    assert!(model.edit(Edit::transform(fem, stretch)).is_ok(), "a brick can be stretched");
}

#[test]
fn an_empty_subtree_can_be_moved_and_nothing_is_done() {
    let mut model = scene();
    let main = model.main();
    let list = model.add_to(main, ComponentList::new("empty")).unwrap();
    let change = model.edit(Edit::transform(list, Affine::translation(Vec3::x()))).unwrap();
    assert!(change.changed().is_empty());
}

/// A body that hangs from the ground by a joint and a spring, one that goes through keyframes, a marker
/// on each, and a particle on a plane of the ground.
fn hanging() -> Model {
    let mut model = Model::new("m");
    let bone = || cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let place = |x: f64| Pose::new(Vec3::new(x, 0.2, 0.1), Vec3::new(0.1, x, -0.2));
    let jaw = RigidBody { velocity: Vec3::x(), ..RigidBody::from_mesh("jaw", bone(), 1e3) };
    let jaw = model.add(jaw.at(place(0.4)));
    let keyframe = |time: f64| Keyframe { time, pose: place(time) };
    let keyframes = vec![keyframe(0.0), keyframe(0.5)];
    let skull = RigidBody { keyframes, ..RigidBody::from_mesh("skull", bone(), 1e3).fixed() };
    let skull = model.add(skull.at(place(0.0)));
    for body in [jaw, skull] {
        model.add(FrameMarker::new(body, Vec3::new(0.1, -0.3, 0.2)));
    }
    let (c, d) = (FrameSite::on(jaw, place(0.3)), FrameSite::ground(place(0.7)));
    model.add(Joint::new(JointKind::Free, c, d));
    model.add(FrameSpring::new(d, c));
    let constrained = model.add(Particle::new(1.0, Vec3::y()));
    model.add(PointConstrainer::new(PointConstraint::OnPlane, constrained, Anchor::Frame(d)));
    let law = AxialLaw::from_name("linear").unwrap();
    let points = [0, 1].map(|k| model.nth::<FrameMarker>(k).into()).to_vec();
    model.add(MultiPointSpring { rest_length: 0.5, ..MultiPointSpring::new(points, law) });
    model
}

/// Coordinates of the free joint, which are the pose of the body seen from the ground's frame.
fn coordinates(model: &Model) -> Vec<f64> {
    let coordinates = model.property_of(model.nth::<Joint>(0), "coordinates").unwrap();
    model.get_property(&coordinates).unwrap().numbers().collect()
}

#[test]
fn a_model_of_bodies_moves_as_one() {
    let start = hanging();
    let mut model = start.clone();
    let before = text(&model);
    let map = Affine::rotation(Vec3::new(0.3, 0.1, -0.2), Vec3::new(0.4, 1.0, -0.3));
    let main = model.main();
    let mut change = model.edit(Edit::transform(main, map)).unwrap();
    let near = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-14, "{a} {b}");
    for k in 0..2 {
        let marker = start.nth::<FrameMarker>(k);
        let [was, is] = [&start, &model].map(|m| m[marker].position(m).unwrap());
        near(is, map.point(&was));
        assert_eq!(model[marker].location, start[marker].location);
    }
    for (a, b) in coordinates(&start).iter().zip(coordinates(&model)) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
    let joint = &model[model.nth::<Joint>(0)];
    assert_eq!(joint.c, start[start.nth::<Joint>(0)].c, "it goes with its body");
    assert_eq!(model[model.nth::<FrameSpring>(0)].c, joint.d, "on the ground as the joint is");
    let anchor = model[model.nth::<PointConstrainer>(0)].anchor;
    assert_eq!(anchor, Anchor::Frame(joint.d));
    let skull = model.nth::<RigidBody>(1);
    let origin = |m: &Model| m[skull].keyframes[1].pose.translation.vector;
    near(origin(&model), map.point(&origin(&start)));
    near(model[model.nth::<RigidBody>(0)].velocity, map.linear * Vec3::x());
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
}

#[test]
fn a_line_and_a_frame_on_the_ground_grow_by_themselves() {
    let mut model = hanging();
    let twice = Affine::scaling(Vec3::x(), 2.0);
    let line = model.nth::<MultiPointSpring>(0);
    let joint = model.nth::<Joint>(0).id();
    model.edit(Edit::transform(line, twice)).unwrap();
    assert_eq!(model[line].rest_length, 1.0);
    model.edit(Edit::transform(joint, twice)).unwrap();
    let moved = model[model.nth::<Joint>(0)].d.pose.translation.vector;
    // A few roundings.
    assert!((moved - Vec3::new(0.4, 0.4, 0.2)).norm() < 1e-15, "{moved}");
}
