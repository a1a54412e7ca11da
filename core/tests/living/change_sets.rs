//! Change sets: undone exactly, applied where they belong, logging what they make stale and no more.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::component::{ComponentId, ComponentType, Handle, Invalidates, Kind, ROOT};
use sinew::constraint::{JointKind, PointConstraint, Range};
use sinew::geometry::cuboid_mesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{
    Affine, Anchor, Attachment, AxialSpring, BodyLoad, Collider, ColliderShape, CollisionBehavior,
    Component, ComponentList, Edit, EditError, FemModel, FrameLoad, FrameMarker, FrameSite,
    FrameSpring, History, Joint, LinearAxial, MAX_DEPTH, Master, MechModel, Model,
    MultiPointSpring, MuscleExciter, Particle, PointConstrainer, PointLoad, ReferenceList,
    RigidBody,
};
use sinew::property::{Declaration, Pose, PropertyType, Setting, Value};

use crate::world::{compiled, text, tissue, value, walk};

/// One of everything that can be written.
fn everything() -> Model {
    let mut model = Model::new("all");
    let ends = ["a", "b"].map(|name| model.add(Particle::new(1.0, Vec3::x()).named(name)));
    let law = LinearAxial { stiffness: 10.0, damping: 0.0, rest_length: 1.0 };
    model.add(AxialSpring::new(ends, law).named("s"));
    // Constants that no law has by default.
    let constants = Isotropic { youngs_modulus: 1234.0, poissons_ratio: 0.2 };
    let material = MaterialSpec::Corotated(constants);
    let fem = model.add(FemModel { material, ..tissue("f", 2, Vec3::zeros()) });
    model.add(PointLoad::new(ends[0], Vec3::x()).named("l"));
    model.add(BodyLoad::new(fem, Vec3::x()).named("body"));
    joined(&mut model, ends);
    model.add(ComponentList::new("mine"));
    model.add(ReferenceList::new("group", vec![fem.id(), ends[1].id()]));
    model
}

/// Two bodies with what joins, holds and moves them, and what a particle is held to and another
/// attached.
fn joined(model: &mut Model, [constrained, hung]: [Handle<Particle>; 2]) {
    let box_of = |x: f64| cuboid_mesh(&Vec3::new(x, 0.2, 0.3)).unwrap();
    let jaw = model.add(RigidBody::from_mesh("jaw", box_of(0.1), 1234.5));
    let skull = model.add(RigidBody::from_mesh("skull", box_of(0.2), 1000.0).fixed());
    let place = |x: f64| Pose::new(Vec3::new(x, 0.1, 0.2), Vec3::new(0.3, x, -0.1));
    let sides = [FrameSite::on(jaw, place(0.1)), FrameSite::on(skull, place(0.2))];
    let [c, d] = sides;
    let mut universal = Joint::new(JointKind::Universal, c, d).named("joint");
    // What another kind has by default.
    universal.settings.coordinates[0].range = Range::HALF_TURN;
    universal.settings.rows[1].compliance = 0.5;
    model.add(universal);
    model.add(FrameSpring { stiffness: Vec3::x(), ..FrameSpring::new(c, d) }.named("bush"));
    let marker = model.add(FrameMarker::new(jaw, Vec3::y()).named("chin"));
    let rod = PointConstraint::AtDistance { length: 0.7 };
    model.add(PointConstrainer::new(rod, constrained, Anchor::Frame(d)).named("rod"));
    model.add(Attachment::new(vec![hung.into()], Master::Body(jaw)).named("attachment"));
    let law = AxialLaw::from_name("peck").unwrap();
    let points = vec![marker.into(), hung.into(), constrained.into()];
    let line = model.add(MultiPointSpring::new(points, law).named("line"));
    model.add(FrameLoad::new(jaw, Vec3::x(), Vec3::y()).named("push"));
    model.add(MuscleExciter::new("exciter", [line]));
    // Sizes that no shape has by default.
    let shape = ColliderShape::Capsule { radius: 0.03, half_length: 0.04 };
    let collider = model.add(Collider::on(jaw, shape).at(place(0.1)).named("condyle"));
    let behavior = CollisionBehavior::new(collider, skull, 0.2).named("contact");
    model.add(CollisionBehavior {
        tolerance: Some(1e-3),
        penetration_limit: Some(0.5),
        ..behavior
    });
}

fn find(model: &Model, kind: Kind) -> ComponentId {
    walk(model).into_iter().filter(|id| id.kind() == kind).max().unwrap()
}

#[test]
fn every_property_that_is_set_is_unset_exactly() {
    let mut tried = 0;
    for id in walk(&everything()) {
        for property in everything().properties(id) {
            let words = match property.info().value_type {
                PropertyType::Choice(words) => words.len() as u32,
                _ => 1,
            };
            // Draws whose value is in most ranges; every word of a choice.
            for draw in [1, 2, 3, 5].into_iter().chain((0..words).map(|k| 32 * words + k)) {
                let mut model = everything();
                let before = text(&model);
                let setting = Setting::Explicit(value(property.info(), draw));
                let Ok(mut change) = model.edit(Edit::Set { property, setting }) else { continue };
                tried += 1;
                let after = text(&model);
                model.undo(&mut change).unwrap();
                assert_eq!(before, text(&model), "{}", model.property_path(&property));
                model.apply(&mut change).unwrap();
                assert_eq!(after, text(&model), "{}", model.property_path(&property));
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn another_law_and_back_keeps_the_constants_and_what_was_set_in_between() {
    let mut model = everything();
    let fem = find(&model, Kind::FemModel);
    let of = |model: &Model, name: &str| model.property_of(fem, name).unwrap();
    let (law, modulus) = (of(&model, "material"), of(&model, "material.youngs_modulus"));
    let density = of(&model, "density");
    model.set_property(&modulus, 1234.5).unwrap();
    let start = text(&model);
    let mut change = model.edit(Edit::set(law, "mr")).unwrap();
    assert!(model.get_property(&modulus).is_err(), "Mooney and Rivlin have none");
    let c10 = of(&model, "material.c10");
    let mut second = model.edit(Edit::set(c10, 77.0)).unwrap();
    let end = text(&model);
    // Setting is no edit, and stands apart from what is undone.
    model.set_property(&density, 1111.0).unwrap();
    model.undo(&mut second).unwrap();
    model.undo(&mut change).unwrap();
    assert_eq!(model.get_real(&density), Ok(1111.0));
    model.set_property(&density, 1000.0).unwrap();
    assert_eq!(start, text(&model));
    model.apply(&mut change).unwrap();
    model.apply(&mut second).unwrap();
    assert_eq!(end, text(&model));
}

#[test]
fn a_change_logs_what_it_makes_stale_and_no_more() {
    let mut model = everything();
    let id = |kind| find(&everything(), kind);
    let (particle, fem, group) = (id(Kind::Particle), id(Kind::FemModel), id(Kind::ReferenceList));
    let mine = walk(&model).into_iter().find(|&it| model.path(it).ends_with("mine")).unwrap();
    let shift = Affine::translation(Vec3::x());
    let mass = model.property_of(particle, "mass").unwrap();
    let law = model.property_of(fem, "material").unwrap();
    for (edit, said) in [
        (Edit::add(mine, ComponentList::new("inner")), "nothing"),
        (Edit::add(mine, MechModel::new("empty")), "nothing"),
        (Edit::add(mine, Particle::default()), "structure, render"),
        (Edit::rename(particle, "other"), "render"),
        (Edit::declare(particle, Declaration::new("age", PropertyType::Real)), "render"),
        (Edit::set(mass, 2.0), "mass"),
        (Edit::set(law, "neohook"), "parameter"),
        (Edit::transform(particle, shift), "geometry, render"),
        (Edit::transform(id(Kind::AxialSpring), shift), "parameter"),
        (Edit::transform(fem, shift), "mass, geometry, render"),
        (Edit::transform(id(Kind::Joint), shift), "geometry"),
        (Edit::transform(id(Kind::FrameMarker), shift), "nothing"),
        (Edit::transform(group, shift), "nothing"),
        (Edit::reparent(group, mine), "nothing"),
        (Edit::reparent(id(Kind::PointLoad), mine), "structure, render"),
        (Edit::delete(group), "nothing"),
        (Edit::delete(particle), "structure, render"),
    ] {
        for back in [false, true] {
            let mut model = model.clone();
            let mut seen = model.changes().now();
            let mut change = model.edit(edit.clone()).unwrap();
            if back {
                seen = model.changes().now();
                model.undo(&mut change).unwrap();
            }
            assert_eq!(model.invalidated_since(seen).describe(), said, "{edit:?}");
        }
    }
    // A group that forgets, and nothing else.
    let empty = model.edit(Edit::add(mine, ComponentList::new("empty"))).unwrap().added()[0];
    let seen = model.changes().now();
    let group = model.edit(Edit::add(mine, ReferenceList::new("g", vec![empty]))).unwrap();
    let change = model.edit(Edit::delete(empty)).unwrap();
    assert_eq!((change.changed(), change.deleted().len()), (group.added(), 1));
    assert!(!model.invalidated_since(seen).touches(Invalidates::STRUCTURE));
}

#[test]
fn a_reader_misses_nothing_of_a_large_edit() {
    let mut model = Model::new("m");
    for _ in 0..10_000 {
        model.add(Particle::default());
    }
    let list = model.parent(model.nth::<Particle>(0)).unwrap();
    let seen = model.changes().now();
    model.edit(Edit::transform(list, Affine::translation(Vec3::x()))).unwrap();
    assert_eq!(model.changes().since(seen).unwrap().count(), 10_000);
}

#[test]
fn names_stay_apart_however_they_are_set() {
    let mut model = everything();
    let [a, b] = [0, 1].map(|k| model.nth::<Particle>(k));
    let name = model.property_of(b, "name").unwrap();
    let before = text(&model);
    for edit in [
        Edit::rename(b, "a"),
        Edit::set(name, "a"),
        Edit::add(model.parent(a).unwrap(), Particle::default().named("a")),
        Edit::Batch(vec![Edit::rename(b, "c"), Edit::rename(a, "c")]),
    ] {
        let refused = model.edit(edit).unwrap_err();
        assert!(matches!(refused, EditError::NameTaken { .. }), "{refused}");
    }
    assert_eq!(before, text(&model));
    // Two plans that fit one by one do not both fit.
    let [mut first, mut second] = [a, b].map(|it| model.plan(Edit::rename(it, "c")).unwrap());
    model.apply(&mut first).unwrap();
    assert_eq!(model.apply(&mut second), Err(EditError::Stale));
    // To free a name and take it is one edit.
    model.undo(&mut first).unwrap();
    let swap = ["x", "a", "b"].iter().zip([a, b, a]);
    model.edit(Edit::Batch(swap.map(|(name, it)| Edit::rename(it, *name)).collect())).unwrap();
    assert_eq!((model[a].name.as_str(), model[b].name.as_str()), ("b", "a"));
}

#[test]
fn a_batch_is_undone_as_one_and_done_as_a_whole_or_not_at_all() {
    let mut model = everything();
    let before = text(&model);
    let main = model.main();
    let mut change = model
        .batch(|batch| {
            let inner = batch.add_to(main, MechModel::new("inner"))?;
            let ends = [0.0, 1.0].map(|x| batch.add_to(inner, Particle::new(1.0, Vec3::x() * x)));
            let [a, b] = ends;
            batch.add_to(inner, AxialSpring::new([a?, b?], LinearAxial::default()))?;
            batch.edit(Edit::delete(batch.first::<PointLoad>().unwrap()))?;
            Ok::<(), EditError>(())
        })
        .unwrap();
    let after = text(&model);
    assert!(compiled(&model).is_ok());
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
    model.apply(&mut change).unwrap();
    assert_eq!(after, text(&model));
    model.undo(&mut change).unwrap();
    let failed: Result<_, EditError> = model.batch(|batch| {
        batch.add_to(main, Particle::default())?;
        batch.edit(Edit::rename(main, "else"))?;
        batch.edit(Edit::delete(ROOT)).map(|_| ())
    });
    assert!(matches!(failed, Err(EditError::Fixed(_))));
    assert_eq!(before, text(&model));
    model.apply(&mut change).unwrap();
    assert_eq!(after, text(&model), "what failed left no trace");
}

#[test]
fn a_planned_batch_changes_nothing_until_it_is_applied() {
    let mut model = everything();
    let before = text(&model);
    let point = model.nth::<Particle>(0);
    let edits = vec![Edit::rename(point, "first"), Edit::duplicate(point), Edit::delete(point)];
    let mut change = model.plan(Edit::Batch(edits)).unwrap();
    assert_eq!(before, text(&model));
    let lines = model.preview(&change);
    assert_eq!(lines[0], "rename /models/all/particles/a to 'first'");
    assert_eq!(lines[1], "add Particle 'first_2' as number 2 of /models/all/particles");
    model.apply(&mut change).unwrap();
    assert!(!model.contains(point) && model.find("/models/all/particles/first_2").is_ok());
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
}

#[test]
fn another_model_is_taken_in_as_a_whole() {
    let mut model = everything();
    let before = text(&model);
    let mut change = model.edit(Edit::import(ROOT, everything())).unwrap();
    let spring = model.find_handle::<AxialSpring>("/models/all_2/axial_springs/s").unwrap();
    let ends = model[spring].ends.map(|end| model.path(end.component()));
    assert_eq!(ends, ["/models/all_2/particles/a", "/models/all_2/particles/b"]);
    assert!(compiled(&model).is_ok());
    let main = model.main();
    let nested = model.edit(Edit::import(main, everything())).unwrap();
    assert_eq!(model.path(nested.added()[0]), "/models/all/models/all");
    let mut nested = nested;
    model.undo(&mut nested).unwrap();
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model));
    // A group of a guest forgets what stays behind.
    let mut guest = everything();
    let inside = guest.main().id();
    guest.add_to(ROOT, ReferenceList::new("all", vec![ROOT, inside])).unwrap();
    let mut taken = model.edit(Edit::import(ROOT, guest)).unwrap();
    let group = model.find_handle::<ReferenceList>("/all").unwrap();
    assert_eq!(model[group].members, [model.find("/models/all_2").unwrap().component()]);
    model.undo(&mut taken).unwrap();
    // A guest whose reference was broken in code is not let in.
    let mut broken = everything();
    let point = broken.nth::<Particle>(0);
    let other = everything().add(Particle::default());
    broken.fem_mut(0).name = "still fine".into();
    let spring = broken.nth::<AxialSpring>(0);
    broken[spring].ends = [point.into(), other.into()];
    let refused = model.edit(Edit::import(ROOT, broken)).unwrap_err();
    assert!(matches!(refused, EditError::Dangling { .. }), "{refused}");
    assert_eq!(before, text(&model));
}

#[test]
fn a_change_set_belongs_to_one_state_of_one_model() {
    let mut model = everything();
    let mut other = model.clone();
    let main = model.main();
    let mut here = model.edit(Edit::add(main, ComponentList::new("here"))).unwrap();
    let mut there = other.edit(Edit::add(main, ComponentList::new("there"))).unwrap();
    let (texts, of_other) = (text(&model), text(&other));
    assert_eq!(other.undo(&mut here), Err(EditError::Stale));
    assert_eq!(model.undo(&mut there), Err(EditError::Stale));
    assert_eq!((texts, of_other), (text(&model), text(&other)));
    model.main_mut().gravity = None;
    assert_eq!(model.undo(&mut here), Err(EditError::Stale), "changed in code since");
    let name = other.property_of(main, "name").unwrap();
    other.set_property(&name, "renamed").unwrap();
    assert_eq!(other.undo(&mut there), Err(EditError::Stale), "renamed since");
}

#[test]
fn history_goes_back_and_forth_and_forgets_what_was_left_behind() {
    let (mut model, mut history) = (everything(), History::default());
    let main = model.main();
    for name in ["one", "two"] {
        history.apply(&mut model, Edit::add(main, ComponentList::new(name))).unwrap();
    }
    assert!(history.undo(&mut model).unwrap());
    history.apply(&mut model, Edit::rename(main, "head")).unwrap();
    assert!(!history.redo(&mut model).unwrap(), "the second list is gone for good");
    while history.undo(&mut model).unwrap() {}
    assert_eq!(text(&model), text(&everything()));
}

#[test]
fn a_copy_of_a_fixed_list_is_a_container_like_others() {
    let mut model = everything();
    let main = model.main();
    let list = model.parent(model.nth::<Particle>(0)).unwrap().typed::<ComponentList>().unwrap();
    let copy: Component = model[list].clone().named("copy").into();
    let id = model.edit(Edit::add(main, copy)).unwrap().added()[0];
    model.edit(Edit::rename(id, "renamed")).unwrap();
    assert!(serde_json::from_str::<Model>(&text(&model)).is_ok());
}

#[test]
fn a_tree_is_as_deep_as_it_may_be_and_no_deeper() {
    let mut model = Model::new("deep");
    let main = model.main();
    // The root, its list, and the model stand above.
    let mut at: ComponentId = main.into();
    for _ in 0..MAX_DEPTH - 2 {
        at = model.add_to(at, ComponentList::new("d")).unwrap().id();
    }
    let before = text(&model);
    let refused = model.edit(Edit::add(at, Particle::default())).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "nothing more fits below ComponentList 'd': a tree has at most 1000 generations"
    );
    let above = model.parent(at).unwrap();
    assert!(model.edit(Edit::add(above, MechModel::new("lists"))).is_err());
    assert!(model.edit(Edit::add(above, Particle::default().named("leaf"))).is_ok());
    // What has a child does not fit where one without does.
    let spare = model.add_to(main, ComponentList::new("spare")).unwrap();
    let child = model.add_to(spare, ComponentList::new("child")).unwrap();
    assert!(matches!(model.edit(Edit::reparent(spare, above)), Err(EditError::TooDeep { .. })));
    assert!(model.edit(Edit::reparent(child, above)).is_ok());
    assert!(model.edit(Edit::import(above, everything())).is_err());
    // A tree of full depth is compiled, written, read, copied and deleted.
    assert!(compiled(&model).is_ok());
    let read: Model = serde_json::from_str(&text(&model)).unwrap();
    assert_eq!(text(&read), text(&model));
    let top = model.find("/models/deep/d").unwrap().component();
    let copies = model.edit(Edit::duplicate(top)).unwrap().added().len();
    assert_eq!(copies, MAX_DEPTH);
    let mut change = model.edit(Edit::delete(top)).unwrap();
    model.undo(&mut change).unwrap();
    assert!(before.len() < text(&model).len());
}

#[test]
fn a_setting_that_does_not_fit_is_refused_when_it_is_planned() {
    let mut model = everything();
    let fem = model.nth::<FemModel>(0);
    let of = |name| model.property_of(fem, name).unwrap();
    let cases = [
        Edit::set(of("density"), -1.0),
        Edit::set(of("density"), f64::NAN),
        Edit::set(of("density"), "heavy"),
        Edit::set(of("material"), "rubber"),
        Edit::set(of("material.c10"), 1.0),
        Edit::set(of("node_count"), Value::Int(3)),
        Edit::inherit(of("density")),
    ];
    let before = text(&model);
    for edit in cases {
        assert!(matches!(model.plan(edit.clone()), Err(EditError::Property(_))), "{edit:?}");
        assert!(model.edit(edit).is_err());
    }
    assert_eq!(before, text(&model));
    let density = model.property_of(fem, "density").unwrap();
    model.edit(Edit::delete(fem)).unwrap();
    assert!(matches!(model.plan(Edit::set(density, 1.0)), Err(EditError::Gone(_))));
}
