//! References: who goes along, who comes along, who forgets.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::component::{ComponentId, ComponentType, Handle, Kind};
use sinew::constraint::{JointKind, PointConstraint};
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Anchor, Attachment, AxialSpring, BodyLoad, Collider, CollisionBehavior, ComponentList,
    CustomForce, Edit, EditError, FrameAttachment, FrameLoad, FrameMarker, FrameSite, FrameSpring,
    Joint, LinearAxial, Master, MechModel, Model, MultiPointSpring, MuscleExciter, Particle,
    PointConstrainer, PointLoad, PointRef, ReferenceList, RigidBody,
};
use sinew::property::Pose;

use crate::world::{text, tissue};

fn particle(name: &str) -> Particle {
    Particle::new(1.0, Vec3::zeros()).named(name)
}

fn spring(ends: [Handle<Particle>; 2], name: &str) -> AxialSpring {
    AxialSpring::new(ends, LinearAxial::default()).named(name)
}

#[test]
fn a_load_goes_with_its_particle() {
    let mut model = Model::new("m");
    let point = model.add(particle("p"));
    let load = model.add(PointLoad::new(point, Vec3::x()));
    let change = model.edit(Edit::delete(point)).unwrap();
    assert!(!model.contains(load));
    assert_eq!(change.deleted().len(), 2);
}

#[test]
fn a_spring_goes_with_a_particle_of_another_mechanical_model() {
    let mut model = Model::new("m");
    let [jaw, skull] = ["jaw", "skull"].map(|name| model.add(MechModel::new(name)));
    let here = model.add_to(jaw, particle("here")).unwrap();
    let there = model.add_to(skull, particle("there")).unwrap();
    let between = model.add_to(jaw, spring([here, there], "between")).unwrap();
    let mut change = model.edit(Edit::delete(skull)).unwrap();
    assert!(!model.contains(between) && model.contains(here));
    model.undo(&mut change).unwrap();
    assert_eq!(model[between].ends[1], PointRef::Particle(there));
}

#[test]
fn what_acts_on_a_node_goes_with_the_tissue() {
    let mut model = Model::new("m");
    let fem = model.add(tissue("f", 1, Vec3::zeros()));
    let point = model.add(particle("p"));
    let ends: [PointRef; 2] = [point.into(), (fem, 4).into()];
    let spring = model.add(AxialSpring::new(ends, LinearAxial::default()));
    let load = model.add(PointLoad::new((fem, 5), Vec3::x()));
    let body = model.add(BodyLoad::new(fem, Vec3::x()));
    let code = model.add(CustomForce::new(vec![(fem, 6).into(), point.into()], |_, _| {}));
    model.edit(Edit::delete(fem)).unwrap();
    let gone = [spring.id(), load.id(), body.id(), code.id()].map(|id| !model.contains(id));
    assert_eq!((gone, model.contains(point)), ([true; 4], true));
}

#[test]
fn a_group_forgets_and_remembers_in_order() {
    let mut model = Model::new("m");
    let all = ["a", "b", "c"].map(|name| model.add(particle(name)).id());
    let group = model.add(ReferenceList::new("group", vec![all[2], all[0], all[1], all[0]]));
    let mut change = model.edit(Edit::delete(all[0])).unwrap();
    assert_eq!(model[group].members, [all[2], all[1]]);
    assert_eq!(change.changed(), [group.id()]);
    model.undo(&mut change).unwrap();
    assert_eq!(model[group].members, [all[2], all[0], all[1], all[0]]);
}

#[test]
fn references_that_were_set_in_code_are_known_to_the_next_edit() {
    let mut model = Model::new("m");
    let [a, b, c] = ["a", "b", "c"].map(|name| model.add(particle(name)));
    let constrained = model.add(spring([a, b], "s"));
    // The index of references is made by the first deletion.
    let spare = model.add(particle("spare"));
    model.edit(Edit::delete(spare)).unwrap();
    model[constrained].ends[1] = c.into();
    let planned = model.plan(Edit::delete(c)).unwrap();
    assert!(planned.deleted().contains(&constrained.id()), "planned right after the change");
    model.edit(Edit::delete(b)).unwrap();
    assert!(model.contains(constrained), "it holds b no more");
    model.edit(Edit::delete(c)).unwrap();
    assert!(!model.contains(constrained));
}

#[test]
fn a_copy_brings_along_what_it_needs_and_refers_to_it() {
    let mut model = Model::new("m");
    let [a, b] = ["a", "b"].map(|name| model.add(particle(name)));
    let original = model.add(spring([a, b], "s"));
    let change = model.edit(Edit::duplicate(original)).unwrap();
    let copies: Vec<String> = change.added().iter().map(|&id| model.path(id)).collect();
    let main = "/models/m";
    assert_eq!(
        copies,
        [
            format!("{main}/particles/a_2"),
            format!("{main}/particles/b_2"),
            format!("{main}/axial_springs/s_2")
        ]
    );
    let copy: Handle<AxialSpring> = change.added()[2].typed().unwrap();
    let ends = model[copy].ends.map(PointRef::component);
    assert_eq!(ends.to_vec(), change.added()[..2]);
    assert_eq!(model[original].ends, [a.into(), b.into()]);
}

#[test]
fn a_copy_of_a_whole_refers_inside_itself_and_else_to_what_it_did() {
    let mut model = Model::new("m");
    let jaw = model.add(MechModel::new("jaw"));
    let [a, b] = ["a", "b"].map(|name| model.add_to(jaw, particle(name)).unwrap());
    model.add_to(jaw, spring([a, b], "s")).unwrap();
    let outside = model.add(MechModel::new("outside"));
    let other = model.add_to(outside, particle("other")).unwrap();
    let group = ReferenceList::new("group", vec![a.id(), other.id()]);
    model.add_to(jaw, group).unwrap();
    let copy = model.edit(Edit::duplicate(jaw)).unwrap().added()[0];
    assert_eq!(model.path(copy), "/models/jaw_2");
    let s: Handle<AxialSpring> = model.find_handle("/models/jaw_2/axial_springs/s").unwrap();
    let ends = model[s].ends.map(|end| model.path(end.component()));
    assert_eq!(ends, ["/models/jaw_2/particles/a", "/models/jaw_2/particles/b"]);
    let group: Handle<ReferenceList> = model.find_handle("/models/jaw_2/group").unwrap();
    let members: Vec<String> = model[group].members.iter().map(|&id| model.path(id)).collect();
    assert_eq!(members, ["/models/jaw_2/particles/a", "/models/outside/particles/other"]);
}

#[test]
fn a_copy_of_a_load_on_a_node_acts_on_the_copy_of_the_tissue_at_the_same_node() {
    let mut model = Model::new("m");
    let fem = model.add(tissue("f", 1, Vec3::zeros()));
    let load = model.add(PointLoad::new((fem, 5), Vec3::x()).named("l"));
    let change = model.edit(Edit::duplicate(load)).unwrap();
    let copied = |kind: Kind| change.added().into_iter().find(|id| id.kind() == kind).unwrap();
    let copy: Handle<PointLoad> = copied(Kind::PointLoad).typed().unwrap();
    let tissue = copied(Kind::FemModel).typed().unwrap();
    assert_eq!(model[copy].target, PointRef::FemNode(tissue, 5));
    assert_ne!(tissue, fem);
}

#[test]
fn a_copy_of_a_nameless_one_is_nameless_and_of_many_each_has_a_name() {
    let mut model = Model::new("m");
    let nameless = model.add(particle(""));
    let named = model.add(particle("p"));
    let change = model.edit(Edit::duplicate(nameless)).unwrap();
    assert_eq!(model.path(change.added()[0]), "/models/m/particles/2");
    for k in 2..5 {
        let change = model.edit(Edit::duplicate(named)).unwrap();
        assert_eq!(model.path(change.added()[0]), format!("/models/m/particles/p_{k}"));
    }
}

#[test]
fn nothing_becomes_a_part_of_itself() {
    let mut model = Model::new("m");
    let main = model.main();
    let outer = model.add_to(main, ComponentList::new("outer")).unwrap();
    let inner = model.add_to(outer, ComponentList::new("inner")).unwrap();
    let before = text(&model);
    for parent in [outer, inner] {
        let refused = model.edit(Edit::reparent(outer, parent)).unwrap_err();
        assert!(matches!(refused, EditError::Cycle { .. }), "{refused}");
    }
    let inside = model.add_to(outer, MechModel::new("inside")).unwrap();
    let refused = model.edit(Edit::reparent(main, inside)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "/models/m cannot be moved into /models/m/outer/inside, which is a part of it"
    );
    model.edit(Edit::delete(inside)).unwrap();
    assert_eq!(before, text(&model));
}

#[test]
fn the_lists_of_a_mechanical_model_stay() {
    let mut model = Model::new("m");
    let main = model.main();
    let before = text(&model);
    let lists: Vec<ComponentId> = model.children(main).collect();
    assert_eq!(lists.len(), MechModel::lists().len());
    for list in lists {
        for edit in [
            Edit::delete(list),
            Edit::duplicate(list),
            Edit::rename(list, "other"),
            Edit::reparent(list, sinew::component::ROOT),
            Edit::Delete(vec![main.id(), list]),
        ] {
            let refused = model.edit(edit).unwrap_err();
            assert!(matches!(&refused, EditError::Fixed(path) if *path == model.path(list)));
        }
        let name = model.property_of(list, "name").unwrap();
        assert!(model.edit(Edit::set(name, "other")).is_err());
    }
    assert_eq!(before, text(&model));
}

#[test]
fn a_new_component_that_refers_to_nobody_is_refused() {
    let mut model = Model::new("m");
    let [a, b] = ["a", "b"].map(|name| model.add(particle(name)));
    model.edit(Edit::delete(b)).unwrap();
    let main = model.main();
    let refused = model.add_to(main, spring([a, b], "s")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the new AxialSpring 's' refers to (deleted Particle 1), which is not there"
    );
}

fn bone(name: &str) -> RigidBody {
    RigidBody::from_mesh(name, cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap(), 1000.0)
}

#[test]
fn a_body_takes_along_its_markers_joints_attachments_and_muscles_and_exciters_forget() {
    let mut model = Model::new("m");
    let [jaw, skull] = ["jaw", "skull"].map(|name| model.add(bone(name)));
    let [chin, nose] = [jaw, skull].map(|body| model.add(FrameMarker::new(body, Vec3::x())));
    let (c, d) = (FrameSite::on(jaw, Pose::identity()), FrameSite::on(skull, Pose::identity()));
    let hung = model.add(particle("hung"));
    let law = AxialLaw::from_name("linear").unwrap();
    let points = |points: [PointRef; 2]| MultiPointSpring::new(points.to_vec(), law);
    let line = model.add(points([chin.into(), nose.into()]));
    let stays = model.add(points([hung.into(), nose.into()]));
    let ends: [PointRef; 2] = [hung.into(), chin.into()];
    let muscle = model.add(AxialSpring::new(ends, LinearAxial::default()));
    let constrained = PointConstrainer::new(PointConstraint::OnLine, hung, Anchor::Frame(c));
    let to_chin = PointConstrainer::new(PointConstraint::AtPoint, hung, Anchor::Point(chin.into()));
    let others = [
        model.add(Joint::new(JointKind::Hinge, d, c)).id(),
        model.add(FrameSpring::new(c, FrameSite::ground(Pose::identity()))).id(),
        model.add(constrained).id(),
        model.add(to_chin).id(),
        model.add(Attachment::new(vec![hung.into()], Master::Body(jaw))).id(),
        model.add(FrameAttachment::to_points(jaw, vec![hung.into(), nose.into()])).id(),
        model.add(FrameLoad::new(jaw, Vec3::x(), Vec3::y())).id(),
        model.add(PointLoad::new(chin, Vec3::x())).id(),
        chin.id(),
        line.id(),
        muscle.id(),
    ];
    let exciter = model.add(MuscleExciter::new("e", [line.id(), stays.id(), muscle.id()]));
    model[exciter].targets[1].gain = 0.5;
    let before = text(&model);
    let mut change = model.edit(Edit::delete(jaw)).unwrap();
    assert_eq!(others.map(|id| model.contains(id)), [false; 11]);
    assert!([skull.id(), nose.id(), hung.id(), stays.id()].iter().all(|&id| model.contains(id)));
    let left: Vec<_> = model[exciter].targets.iter().map(|e| (e.target, e.gain)).collect();
    assert_eq!(left, [(stays.id(), 0.5)]);
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
}

#[test]
fn a_copy_of_a_muscle_brings_its_markers_and_their_bodies() {
    let mut model = Model::new("m");
    let bodies = ["jaw", "skull"].map(|name| model.add(bone(name)));
    let markers = bodies.map(|body| model.add(FrameMarker::new(body, Vec3::x())));
    let law = AxialLaw::from_name("linear").unwrap();
    let points = markers.map(PointRef::from).to_vec();
    let line = model.add(MultiPointSpring::new(points, law).named("line"));
    let exciter = model.add(MuscleExciter::new("e", [line]));
    let added = model.edit(Edit::duplicate(line)).unwrap().added();
    assert_eq!(added.len(), 5, "two bodies, two markers, the line");
    let copy: Handle<MultiPointSpring> =
        model.find_handle("/models/m/multi_point_springs/line_2").unwrap();
    for (point, name) in model[copy].points.clone().iter().zip(["jaw_2", "skull_2"]) {
        let PointRef::Marker(marker) = *point else { panic!("{point:?}") };
        assert_eq!(model[model[marker].body].name, name);
    }
    assert_eq!(model[exciter].targets.len(), 1, "what drives a muscle does not drive its copy");
}

#[test]
fn a_body_takes_along_its_colliders_and_the_behaviours_that_name_either() {
    let mut model = Model::new("m");
    let [jaw, skull] = ["jaw", "skull"].map(|name| model.add(bone(name)));
    let [condyle, socket] = [jaw, skull].map(|body| model.add(Collider::of_mesh(body)));
    let floor = model.add(Collider::half_space(Pose::identity()));
    let gone = [
        model.add(CollisionBehavior::new(jaw, skull, 0.1)).id(),
        model.add(CollisionBehavior::new(floor, condyle, 0.1)).id(),
        condyle.id(),
    ];
    let main = model.main();
    let stays = model.add(CollisionBehavior::new(main, skull, 0.1)).id();
    let before = text(&model);
    let mut change = model.edit(Edit::delete(jaw)).unwrap();
    assert_eq!(gone.map(|id| model.contains(id)), [false; 3]);
    assert!([socket.id(), floor.id(), stays].iter().all(|&id| model.contains(id)));
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
}

#[test]
fn a_copy_of_a_behaviour_speaks_of_copies() {
    let mut model = Model::new("m");
    let jaw = model.add(bone("jaw"));
    let condyle = model.add(Collider::of_mesh(jaw).named("condyle"));
    let floor = model.add(Collider::half_space(Pose::identity()).named("floor"));
    let behavior = model.add(CollisionBehavior::new(condyle, floor, 0.1).named("contact"));
    let added = model.edit(Edit::duplicate(behavior)).unwrap().added();
    assert_eq!(added.len(), 4, "the body, two colliders, the behaviour");
    let copy: Handle<CollisionBehavior> =
        model.find_handle("/models/m/collision_behaviors/contact_2").unwrap();
    let sides = [model[copy].a, model[copy].b].map(|side| model.path(side.unwrap()));
    assert_eq!(sides, ["/models/m/colliders/condyle_2", "/models/m/colliders/floor_2"]);
    let copy: Handle<Collider> = model.find_handle("/models/m/colliders/condyle_2").unwrap();
    assert_eq!(model.path(model[copy].site.body.unwrap()), "/models/m/rigid_bodies/jaw_2");
}
