//! Shapes of colliders as they are compiled, and what is refused.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::Pose;
use sinew::contact::{self, Shape};
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Affine, Collider, ColliderShape, CollisionBehavior, Edit, FrameSite, Model, Problem, RigidBody,
    TransformRefusal,
};

use crate::scene::{floor, near, off_centre, setup};

fn all_shapes() -> [ColliderShape; 7] {
    [
        ColliderShape::HalfSpace,
        ColliderShape::Sphere { radius: 0.1 },
        ColliderShape::Capsule { radius: 0.1, half_length: 0.2 },
        ColliderShape::Cylinder { radius: 0.3, half_length: 0.4 },
        ColliderShape::Box { half_extents: Vec3::new(0.1, 0.2, 0.3) },
        ColliderShape::HULL,
        ColliderShape::vertices(0.005),
    ]
}

/// A body whose centre of mass is not its origin, with a surface and a ball on the ground to touch.
fn scene(shape: ColliderShape) -> Model {
    let mut model = Model::new("m");
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.3, 0.4)).unwrap();
    let place = Pose::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.3, -0.2, 0.5));
    let body = RigidBody { mesh: Some(mesh), ..RigidBody::new("body", off_centre()) }.at(place);
    let body = model.add(body);
    let ball = ColliderShape::Sphere { radius: 1.0 };
    model.add(Collider::new(ball, FrameSite::ground(Pose::translation(0.0, 0.0, 5.0))));
    let frame = Pose::new(Vec3::new(0.4, 0.5, 0.6), Vec3::new(0.1, 0.2, 0.3));
    model.add(Collider::on(body, shape).at(frame).named("shape"));
    model.add(CollisionBehavior::everything(0.0));
    model
}

#[test]
fn every_shape_is_compiled_with_its_sizes_about_the_centre_of_mass_of_its_body() {
    for shape in all_shapes() {
        let model = scene(shape);
        let setup = setup(&model);
        assert_eq!(setup.names, [["/models/m/rigid_bodies/body", "/models/m/colliders/0"]]);
        let [compiled, ground] = &setup.colliders[..] else { panic!("{:?}", setup.colliders) };
        let fits = match (&compiled.shape, shape) {
            (Shape::HalfSpace, ColliderShape::HalfSpace) => true,
            (Shape::Sphere { radius }, ColliderShape::Sphere { .. }) => *radius == 0.1,
            (Shape::Capsule { radius, half_length }, ColliderShape::Capsule { .. }) => {
                [*radius, *half_length] == [0.1, 0.2]
            }
            (Shape::Cylinder { radius, half_length }, ColliderShape::Cylinder { .. }) => {
                [*radius, *half_length] == [0.3, 0.4]
            }
            (Shape::Box { half_extents }, ColliderShape::Box { .. }) => {
                *half_extents == Vec3::new(0.1, 0.2, 0.3)
            }
            (Shape::Convex(_), ColliderShape::HULL) => true,
            (Shape::Points { points, radius }, ColliderShape::Points { .. }) => {
                points.len() == 8 && *radius == 0.005
            }
            _ => false,
        };
        assert!(fits, "{shape:?} became {:?}", compiled.shape);
        assert_eq!((compiled.frame, ground.frame), (0, contact::Collider::GROUND));
        near(compiled.pose.translation.vector, Vec3::new(0.3, 0.7, 0.3));
        let angle = compiled.pose.rotation.scaled_axis();
        near(angle, Vec3::new(0.1, 0.2, 0.3));
        near(ground.pose.translation.vector, Vec3::z() * 5.0);
    }
}

#[test]
fn a_surface_without_a_hull_is_refused_with_the_path_of_its_collider() {
    let mut model = scene(ColliderShape::HULL);
    let flat = Affine::about(Vec3::zeros(), sinew::Mat3::from_diagonal(&Vec3::new(1., 1., 1e-13)));
    let body = model.nth::<RigidBody>(0);
    let mesh = model[body].mesh.take().unwrap();
    model[body].mesh = Some(mesh.transformed(&flat.linear, &flat.translation).unwrap());
    let error = model.compile().err().expect("a refusal").to_string();
    assert!(error.starts_with("/models/m/colliders/shape:shape is refused: "), "{error}");
}

#[test]
fn sizes_are_positive_and_a_shape_of_a_surface_needs_one() {
    let problem = |shape: ColliderShape| scene(shape).check().map_err(|it| it.1);
    assert!(all_shapes().into_iter().all(|shape| problem(shape).is_ok()));
    for (shape, at) in [
        (ColliderShape::Sphere { radius: 0.0 }, "radius"),
        (ColliderShape::Capsule { radius: 0.1, half_length: 0.0 }, "half_length"),
        (ColliderShape::Cylinder { radius: f64::NAN, half_length: 0.1 }, "radius"),
        (ColliderShape::Box { half_extents: Vec3::new(0.1, -0.1, 0.1) }, "half_extents"),
        (ColliderShape::vertices(-1e-9), "radius"),
    ] {
        let error = problem(shape).unwrap_err();
        assert!(matches!(error.problem, Problem::OutOfRange { .. }), "{shape:?}: {error}");
        assert_eq!(error.at, at);
    }
    assert!(problem(ColliderShape::vertices(0.0)).is_ok());
    let mut model = scene(ColliderShape::HULL);
    let body = model.nth::<RigidBody>(0);
    model[body].mesh = None;
    let error = model.check().unwrap_err().1.of("/c");
    let said =
        "/c:shape is hull, which is made of the surface of its body, and it has none: take another";
    assert_eq!(error, said);
    let floor = floor(&mut model);
    model.edit(Edit::delete(body)).unwrap();
    let property = model.property_of(floor, "shape").unwrap();
    let error = model.set_property(&property, "vertices").unwrap_err().to_string();
    assert!(error.contains("made of the surface of its body"), "{error}");
    assert_eq!(model[floor].shape, ColliderShape::HalfSpace, "as it was");
}

#[test]
fn another_shape_keeps_the_sizes_that_both_have() {
    let mut model = scene(ColliderShape::Sphere { radius: 0.3 });
    let at = |name: &str| format!("/models/m/colliders/shape:{name}");
    let shape = |model: &Model| model[model.nth::<Collider>(1)].shape;
    model.set_text(&at("shape"), "cylinder").unwrap();
    assert_eq!(shape(&model), ColliderShape::Cylinder { radius: 0.3, half_length: 0.01 });
    model.set_text(&at("half_length"), "0.2").unwrap();
    model.set_text(&at("shape"), "capsule").unwrap();
    assert_eq!(shape(&model), ColliderShape::Capsule { radius: 0.3, half_length: 0.2 });
    let absent = model.set_text(&at("half_extents"), "1 1 1").unwrap_err().to_string();
    assert!(absent.contains("there is none of that name now"), "{absent}");
    let zero = model.set_text(&at("radius"), "0").unwrap_err().to_string();
    assert!(zero.ends_with("radius is 0; it must be > 0"), "{zero}");
    model.set_text(&at("shape"), "box").unwrap();
    model.set_text(&at("half_extents"), "1 2 3").unwrap();
    assert_eq!(shape(&model), ColliderShape::Box { half_extents: Vec3::new(1.0, 2.0, 3.0) });
    model.set_text(&at("shape"), "vertices").unwrap();
    assert_eq!(shape(&model), ColliderShape::vertices(0.0));
}

#[test]
fn a_collider_on_the_ground_moves_and_grows_and_one_on_a_body_goes_with_that() {
    let mut model = scene(ColliderShape::Capsule { radius: 0.1, half_length: 0.2 });
    let [ball, shape] = [0, 1].map(|k| model.nth::<Collider>(k));
    let start = model.clone();
    let turn = Affine::rotation(Vec3::x(), Vec3::new(0.4, 1.0, -0.3));
    let main = model.main();
    let mut change = model.edit(Edit::transform(main, turn)).unwrap();
    assert_eq!(model[shape], start[shape]);
    assert_eq!(model[ball].shape, start[ball].shape, "to the bit");
    near(model[ball].site.pose.translation.vector, turn.point(&(Vec3::z() * 5.0)));
    model.undo(&mut change).unwrap();
    assert_eq!(model[ball], start[ball]);
    let twice = Affine::scaling(Vec3::zeros(), 2.0);
    model.edit(Edit::transform(ball, twice)).unwrap();
    let ColliderShape::Sphere { radius } = model[ball].shape else { panic!("a ball it was") };
    assert!((radius - 2.0).abs() < 1e-15);
    near(model[ball].site.pose.translation.vector, Vec3::z() * 10.0);
    let stretch = Affine::about(Vec3::zeros(), sinew::Mat3::from_diagonal(&Vec3::new(1., 1., 8.)));
    model.edit(Edit::transform(ball, stretch)).unwrap();
    let ColliderShape::Sphere { radius } = model[ball].shape else { panic!("a ball it was") };
    assert!((radius - 4.0).abs() < 1e-14, "a ball of the volume that it would have: {radius}");
    let flat = Affine::about(Vec3::zeros(), sinew::Mat3::from_diagonal(&Vec3::new(1., 1., 0.)));
    let error = model.edit(Edit::transform(ball, flat)).unwrap_err().to_string();
    assert!(error.contains(&TransformRefusal::Flattens.to_string()), "{error}");
}
