//! Pairs of things that may touch, by behaviours and by fixation.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Pose};
use sinew::contact::Member;
use sinew::model::{
    Attachment, Collider, ColliderShape, CollisionBehavior, Edit, FrameSite, Joint, Master,
    MechModel, Model, RigidBody,
};
use sinew::system::MechSystem;

use crate::scene::{bar, bead, compile, cube, floor, names, setup};

#[test]
fn without_a_behaviour_nothing_touches() {
    let mut model = Model::new("m");
    floor(&mut model);
    bead(&mut model, "bead", 0.0);
    assert!(compile(&model).multibody().is_none());
    let behavior = model.add(CollisionBehavior::everything(0.0));
    assert_eq!(names(&model), ["bead floor"]);
    model.edit(Edit::delete(behavior)).unwrap();
    assert!(compile(&model).multibody().is_none());
}

#[test]
fn what_moves_meets_everything_but_itself_and_points_meet_no_points() {
    let mut model = Model::new("m");
    floor(&mut model);
    let ball = ColliderShape::Sphere { radius: 0.1 };
    model.add(Collider::new(ball, FrameSite::ground(Pose::identity())).named("stone"));
    let jaw = cube(&mut model, "jaw", 0.0);
    model.add(Collider::sphere(jaw, 0.1).named("second"));
    let skull = cube(&mut model, "skull", 1.0);
    model[skull].dynamic = false;
    let prescribed = cube(&mut model, "led", 2.0);
    model[prescribed].dynamic = false;
    let hidden = cube(&mut model, "hidden", 3.0);
    let its = model.nth::<Collider>(6);
    assert_eq!(model[its].site.body, Some(hidden));
    model[its].enabled = false;
    bar(&mut model);
    bead(&mut model, "bead", 0.0);
    let pin = bead(&mut model, "pin", 0.0);
    model[pin].fixed = true;
    model.add(CollisionBehavior::everything(0.0));
    let expected = [
        "jaw floor",
        "jaw stone",
        "bar floor",
        "bar stone",
        "bead floor",
        "bead stone",
        "jaw skull",
        "jaw led",
        "bar jaw",
        "bead jaw",
        "jaw pin",
        "bar skull",
        "bar led",
        "bead skull",
        "bead led",
    ];
    let mut expected: Vec<String> = expected.map(str::to_owned).to_vec();
    // The jaw has two colliders.
    let twice: Vec<String> = expected.iter().filter(|name| name.contains("jaw")).cloned().collect();
    expected.extend(twice);
    expected.sort();
    let swapped = |name: &String| match name.as_str() {
        "jaw bar" => "bar jaw".to_owned(),
        "jaw bead" => "bead jaw".to_owned(),
        name => name.to_owned(),
    };
    let mut found: Vec<String> = names(&model).iter().map(swapped).collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn two_planes_and_two_clouds_never_touch() {
    let mut model = Model::new("m");
    floor(&mut model);
    let bodies = [0.0, 1.0].map(|x| cube(&mut model, "b", x));
    for k in [2, 1] {
        let collider = model.nth::<Collider>(k);
        model.edit(Edit::delete(collider)).unwrap();
    }
    model.add(Collider::on(bodies[0], ColliderShape::HalfSpace));
    bodies.iter().for_each(|&body| {
        model.add(Collider::of_vertices(body, 0.0));
    });
    bead(&mut model, "bead", 0.0);
    bar(&mut model);
    model.add(CollisionBehavior::everything(0.0));
    let setup = setup(&model);
    let kind = |member: Member| match member {
        Member::Surface(_) | Member::Points(_) => "points",
        Member::Collider(c) => match setup.colliders[c as usize].shape {
            sinew::contact::Shape::HalfSpace => "plane",
            _ => "cloud",
        },
    };
    let mut kinds: Vec<_> = setup.pairs.iter().map(|pair| [kind(pair.a), kind(pair.b)]).collect();
    kinds.iter_mut().for_each(|two| two.sort_unstable());
    kinds.sort_unstable();
    // Both clouds and the floor, the far cloud and the plane of the other body, the bead and the bar
    // and both planes.
    let [cloud, points] = [["cloud", "plane"], ["plane", "points"]];
    assert_eq!(kinds, [cloud, cloud, cloud, points, points, points, points]);
}

#[test]
fn the_last_behaviour_that_speaks_of_a_pair_holds() {
    let mut model = Model::new("m");
    floor(&mut model);
    let [a, b, c] = ["a", "b", "c"].map(|name| cube(&mut model, name, 0.0));
    model.add(CollisionBehavior::everything(0.1));
    model.add(CollisionBehavior::new(a, b, 0.2));
    let off = model.add(CollisionBehavior::off(b, c));
    let frictions = |model: &Model| {
        let setup = setup(model);
        let of = |pair: &str| {
            let place = names(model).iter().position(|name| name == pair)?;
            Some(setup.behaviors[place].law.friction)
        };
        ["a floor", "a b", "a c", "b c"].map(of)
    };
    assert_eq!(frictions(&model), [Some(0.1), Some(0.2), Some(0.1), None]);
    model.set_text("/models/m/collision_behaviors/2:enabled", "true").unwrap();
    assert_eq!(frictions(&model), [Some(0.1), Some(0.2), Some(0.1), Some(0.0)]);
    model.edit(Edit::delete(off)).unwrap();
    model.add(CollisionBehavior { enabled: false, ..CollisionBehavior::everything(0.0) });
    assert_eq!(frictions(&model), [None; 4]);
    model.add(CollisionBehavior { b: None, ..CollisionBehavior::new(a, b, 0.4) });
    assert_eq!(frictions(&model), [Some(0.4), Some(0.4), Some(0.4), None]);
}

#[test]
fn joined_bodies_touch_only_where_a_behaviour_names_both() {
    let mut model = Model::new("m");
    floor(&mut model);
    let [a, b] = ["a", "b"].map(|name| cube(&mut model, name, 0.0));
    let site = |body| FrameSite::on(body, Pose::identity());
    let joint = model.add(Joint::new(JointKind::Hinge, site(a), site(b)));
    let ground = FrameSite::ground(Pose::identity());
    model.add(Joint { enabled: false, ..Joint::new(JointKind::Hinge, site(b), ground) });
    model.add(CollisionBehavior::everything(0.0));
    let main = model.main();
    model.add(CollisionBehavior::new(main, a, 0.0));
    assert_eq!(names(&model), ["floor a", "b floor"]);
    // What is attached to a body is none.
    let tooth = bead(&mut model, "tooth", 0.0);
    model.add(Attachment::new(vec![tooth.into()], Master::Body(a)));
    assert_eq!(names(&model), ["floor a", "b floor", "tooth floor", "b tooth"]);
    model.edit(Edit::delete(tooth)).unwrap();
    let its = model.nth::<Collider>(1);
    let named = model.add(CollisionBehavior::new(its, b, 0.5));
    // Those of all are later than this one, and still do not speak of the two.
    let later = model.add(CollisionBehavior::everything(0.2));
    assert_eq!(names(&model), ["a floor", "b floor", "a b"]);
    let frictions: Vec<f64> = setup(&model).behaviors.iter().map(|it| it.law.friction).collect();
    assert_eq!(frictions, [0.2, 0.2, 0.5]);
    model[later].enabled = false;
    assert!(names(&model).is_empty(), "a later one switches all off");
    model.edit(Edit::Delete(vec![named.id(), later.id()])).unwrap();
    model[joint].enabled = false;
    assert_eq!(names(&model), ["floor a", "b floor", "b a"], "as side A has it");
}

#[test]
fn a_mechanical_model_speaks_of_all_below_it_and_a_is_on_its_side() {
    let mut model = Model::new("m");
    let floor = floor(&mut model);
    cube(&mut model, "outside", 0.0);
    let main = model.main();
    let inner = model.add_to(main, MechModel::new("inner")).unwrap();
    let mesh = sinew::geometry::cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let body = RigidBody::from_mesh("inside", mesh, 1000.0);
    let body = model.add_to(inner, body).unwrap();
    // In the list of the model around it.
    model.add(Collider::of_mesh(body));
    let bead = sinew::model::Particle::new(0.1, Vec3::z()).named("bead");
    model.add_to(inner, bead).unwrap();
    model.add(CollisionBehavior::new(floor, inner, 0.0));
    assert_eq!(names(&model), ["floor inside", "floor bead"]);
    model.add(CollisionBehavior::new(inner, inner, 0.0));
    assert_eq!(
        names(&model),
        ["floor inside", "floor bead", "bead inside"]
            .map(|name| { if name == "bead inside" { "inside bead" } else { name } })
    );
    model.add(CollisionBehavior::new(inner, floor, 0.0));
    assert_eq!(names(&model), ["inside floor", "bead floor", "inside bead"]);
}

#[test]
fn two_hundred_bodies_are_all_pairs() {
    let mut model = Model::new("m");
    for k in 0..200 {
        cube(&mut model, "", f64::from(k));
    }
    model.add(CollisionBehavior::everything(0.0));
    let setup = setup(&model);
    assert_eq!(setup.pairs.len(), 200 * 199 / 2);
    let members = |k: usize| (setup.pairs[k].a, setup.pairs[k].b);
    let mut seen = std::collections::BTreeSet::new();
    for k in 0..setup.pairs.len() {
        let (Member::Collider(a), Member::Collider(b)) = members(k) else { panic!("{k}") };
        assert!(a != b && seen.insert([a.min(b), a.max(b)]), "{a} {b}");
    }
    assert_eq!(setup.names.len(), setup.pairs.len());
    assert_eq!(setup.behaviors.len(), setup.pairs.len());
}

#[test]
fn sides_that_cannot_touch_are_refused() {
    let mut model = Model::new("m");
    cube(&mut model, "cube", 0.0);
    bar(&mut model);
    bead(&mut model, "bead", 0.0);
    model.add(CollisionBehavior::default().named("c"));
    let at = |name: &str| format!("/models/m/collision_behaviors/c:{name}");
    let set = |model: &mut Model, name: &str, to: &str| {
        model.set_text(&at(name), to).map_err(|error| error.to_string())
    };
    set(&mut model, "a", "/models/m/rigid_bodies/cube").unwrap();
    let error = set(&mut model, "b", "/models/m/rigid_bodies/cube").unwrap_err();
    assert!(error.ends_with("which is on the other side already"), "{error}");
    let error = set(&mut model, "b", "/models/m/rigid_bodies").unwrap_err();
    assert!(error.contains("it must lead to a collider, a rigid body, a tissue"), "{error}");
    set(&mut model, "b", "/models/m/fem_models/bar").unwrap();
    let error = set(&mut model, "a", "/models/m/particles/bead").unwrap_err();
    assert!(error.contains("points do not touch points"), "{error}");
    assert_eq!(names(&model), ["cube bar"]);
    set(&mut model, "a", "").unwrap();
    set(&mut model, "b", "/models/m").unwrap();
    set(&mut model, "a", "/models/m").unwrap();
}

#[test]
fn clouds_that_are_to_touch_and_cannot_are_named() {
    let mut model = Model::new("m");
    let fem = bar(&mut model);
    bead(&mut model, "bead", 0.0);
    let body = cube(&mut model, "cube", 1.0);
    let cloud = Collider::on(body, ColliderShape::vertices(0.0));
    model.add(cloud.named("cloud"));
    assert!(compile(&model).pairs_without_contact().is_empty());
    model.add(CollisionBehavior::everything(0.0));
    let paths = [model.path(body), model.path(fem)];
    assert_eq!(compile(&model).pairs_without_contact(), [paths]);
}

#[test]
fn tissues_touch_each_other_and_themselves_only_where_a_behaviour_names_one_twice() {
    let mut model = Model::new("m");
    let first = bar(&mut model);
    let second = bar(&mut model);
    model.add(CollisionBehavior::everything(0.0));
    let members =
        |model: &Model| setup(model).pairs.iter().map(|pair| [pair.a, pair.b]).collect::<Vec<_>>();
    let [one, two] = [0, 1].map(Member::Surface);
    assert_eq!(members(&model), [[one, two]]);
    assert!(compile(&model).pairs_without_contact().is_empty());
    model.add(CollisionBehavior::new(second, second, 0.0));
    assert_eq!(members(&model), [[one, two], [two, two]]);
    model.add(CollisionBehavior::off(first, second));
    assert_eq!(members(&model), [[Member::Surface(0); 2]]);
}
