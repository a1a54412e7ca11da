//! Transformations: of everything below, where they have a meaning, and back.

use sinew::component::{Edit, EditError};
use sinew::model::{
    Affine, AxialSpring, ComponentList, LinearAxial, Model, Particle, TransformRefusal,
};
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
    let mirror = Affine::about(Vec3::zeros(), Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0)));
    let fem = model.nth::<sinew::model::FemModel>(0);
    for (id, map, refusal) in [
        (main.id(), stretch, TransformRefusal::NotSimilar),
        (fem.id(), mirror, TransformRefusal::Inverts),
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
