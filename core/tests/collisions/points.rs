//! Points of tissues and particles: those that a body carries, or that cannot move, do not meet it.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::Member;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Attachment, Collider, CollisionBehavior, Dirichlet, FemModel, Master, Model, PointRef,
    RigidBody,
};

use crate::scene::{bar, bead, compile, cube, floor, names, nodes_at};
use sinew::system::MechSystem;

/// Rows of the points that each pair has, by name.
fn rows(model: &Model) -> Vec<(String, Vec<u32>)> {
    let compiled = compile(model);
    let contacts = &compiled.multibody().unwrap().contacts;
    let set = |member: Member| match member {
        Member::Points(set) => Some(contacts.points[set as usize].rows.clone()),
        Member::Collider(_) | Member::Surface(_) => None,
    };
    let names = names(model);
    let pairs = names.into_iter().zip(&contacts.pairs);
    pairs.filter_map(|(name, pair)| Some((name, set(pair.a).or_else(|| set(pair.b))?))).collect()
}

fn points(fem: Handle<FemModel>, nodes: &[u32]) -> Vec<PointRef> {
    nodes.iter().map(|&node| PointRef::FemNode(fem, node)).collect()
}

#[test]
fn nodes_attached_to_a_body_do_not_meet_it_and_fixed_ones_do_not_meet_the_ground() {
    let mut model = Model::new("m");
    floor(&mut model);
    let jaw = cube(&mut model, "jaw", 0.0);
    cube(&mut model, "other", 1.0);
    let skull = cube(&mut model, "skull", 2.0);
    model[skull].dynamic = false;
    let fem = bar(&mut model);
    let [near, middle, far] = [0.0, 0.2, 0.4].map(|x| nodes_at(&model[fem], x));
    assert_eq!(near.len(), 4);
    model.add(Attachment::new(points(fem, &near), Master::Body(jaw)));
    model.add(Attachment::new(points(fem, &far), Master::Body(skull)));
    model[fem].dirichlet.push(Dirichlet::fix(middle.clone()));
    model.add(CollisionBehavior::everything(0.0));
    let row = |node: &u32| compile(&model).block_of_node(fem, *node as usize) as u32;
    let without = |gone: &[&[u32]]| {
        let gone = gone.concat();
        (0..20).filter(|node| !gone.contains(node)).map(|node| row(&node)).collect::<Vec<_>>()
    };
    let mut found = rows(&model);
    found.sort();
    let expected = [
        ("bar floor", without(&[&middle, &far])),
        ("bar skull", without(&[&middle, &far])),
        ("jaw bar", without(&[&near])),
        ("other bar", without(&[])),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, rows), (expected, nodes)) in found.iter().zip(expected) {
        assert_eq!((name.as_str(), rows), (expected, &nodes));
    }
    let sets = compile(&model).multibody().unwrap().contacts.points.len();
    assert_eq!(sets, 4, "one each: another body is in the way of each but one");
}

#[test]
fn nodes_that_all_bodies_meet_are_one_set() {
    let mut model = Model::new("m");
    floor(&mut model);
    (0..3).for_each(|k| {
        cube(&mut model, "", f64::from(k));
    });
    bar(&mut model);
    model.add(CollisionBehavior::everything(0.0));
    let compiled = compile(&model);
    let contacts = &compiled.multibody().unwrap().contacts;
    assert_eq!(contacts.points.len(), 1);
    assert_eq!(contacts.points[0].rows.len(), 20);
    assert_eq!(contacts.points[0].radius, 0.0);
}

#[test]
fn a_particle_on_a_body_meets_the_others() {
    let mut model = Model::new("m");
    floor(&mut model);
    let [jaw, _] = ["jaw", "other"].map(|name| cube(&mut model, name, 0.0));
    let [tooth, crown] = ["tooth", "crown"].map(|name| bead(&mut model, name, 0.0));
    model.add(Attachment::new(vec![tooth.into()], Master::Body(jaw)));
    model.add(Attachment::new(vec![crown.into()], Master::Particle(tooth)));
    let jaw_and_teeth = |model: &Model| {
        let names = names(model);
        let both = |name: &&String| name.contains("tooth") || name.contains("crown");
        names.iter().filter(both).cloned().collect::<Vec<_>>()
    };
    model.add(CollisionBehavior::everything(0.0));
    let all = ["tooth floor", "crown floor", "other tooth", "other crown"];
    assert_eq!(jaw_and_teeth(&model), all);
    model[jaw].dynamic = false;
    assert_eq!(jaw_and_teeth(&model), ["other tooth", "other crown"], "they are held with it");
}

#[test]
fn a_tissue_all_of_which_is_fixed_meets_no_ground() {
    let mut model = Model::new("m");
    floor(&mut model);
    let fem = bar(&mut model);
    model[fem].dirichlet.push(Dirichlet::fix((0..20).collect()));
    model.add(CollisionBehavior::everything(0.0));
    assert!(compile(&model).multibody().is_none());
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let body = RigidBody::from_mesh("b", mesh, 1000.0).at(Pose::translation(0.0, 0.0, 1.0));
    let body = model.add(body);
    model.add(Collider::of_mesh(body).named("hull"));
    assert_eq!(names(&model), ["b floor", "b bar"]);
}
