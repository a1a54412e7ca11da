//! A tissue that touches itself.

use sinew::model::{CollisionBehavior, FemModel, Model};
use sinew_datasets::{Params, find};

use crate::scene::places;
use crate::scenes::{EULER, Scene};

fn fold() -> Model {
    (find("fold").unwrap().build)(&mut Params::parse([""; 0]).unwrap()).unwrap()
}

/// Least height of the upper arm's lower side over the lower arm's upper side [m], by nodes of the free end.
fn opening(model: &Model, scene: &Scene) -> f64 {
    let (fem, tissue) = model.iter::<FemModel>().next().unwrap();
    let now = places(model, scene, fem);
    let rest = &tissue.mesh.nodes;
    let upper = rest.iter().zip(&now).filter(|(p, _)| p.x > 0.0 && p.z > 0.0);
    upper.map(|(_, q)| q.z).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_folded_slab_comes_to_lie_on_itself() {
    let model = fold();
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 150);
    let found = opening(&model, &scene);
    let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
    let contacts = scene.compiled.contacts_of(behavior, &scene.state).unwrap().count();
    println!("{found} m, {contacts} contacts, {} J", scene.kinetic());
    assert!(contacts >= 3 && found > -0.006 && found < -0.004, "{found} m, {contacts} contacts");
    assert!(scene.kinetic() < 1e-9, "{} J", scene.kinetic());
}

#[test]
fn without_a_behaviour_the_same_slab_passes_through_itself() {
    let mut model = fold();
    let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
    model[behavior].enabled = false;
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 150);
    let found = opening(&model, &scene);
    assert!(found < -0.0065, "{found} m");
}
