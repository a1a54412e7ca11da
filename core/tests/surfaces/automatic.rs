//! Compliance of contact by material and size of the tissues: blocks at rest.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::{AutomaticCompliance, ContactLaw, ElasticFoundation, NormalLaw};
use sinew::model::{Collider, CollisionBehavior, Dirichlet, FemModel, Model};

use crate::scene::{block_mesh, nodes_at, tissue};
use crate::scenes::{EULER, Scene, add_box, model_under};

const G: f64 = 9.81;
/// Edges of the blocks [m], and their volume by their surface [m].
const SIZE: [f64; 3] = [0.1, 0.1, 0.05];
const DEPTH: f64 = 0.0125;
const YOUNG: f64 = 2e4;

fn automatic() -> ContactLaw {
    ContactLaw { normal: NormalLaw::Automatic, ..ContactLaw::default() }
}

/// A block whose base is at a height [m].
fn block(
    model: &mut Model,
    name: &str,
    (cells, young): ([usize; 3], f64),
    z: f64,
) -> Handle<FemModel> {
    let mut fem = tissue(name, block_mesh(cells, SIZE, Vec3::z() * (z + 0.025)), [young, 0.0]);
    fem.stiffness_damping = 0.02;
    model.add(fem)
}

/// Mean overlap of the contacts by their forces [m].
fn overlap(scene: &Scene) -> f64 {
    let all = || scene.state.contacts.iter().map(|it| (it.force.norm(), -it.gap));
    all().map(|(force, depth)| force * depth).sum::<f64>() / all().map(|it| it.0).sum::<f64>()
}

/// Weight over area, times the layer over its modulus: how far a block sinks.
fn sinks(layers: f64) -> f64 {
    1000.0 * G * 0.05 * layers * 0.1 * DEPTH / YOUNG
}

#[test]
fn a_block_sinks_into_the_ground_by_its_layer_however_fine_its_mesh() {
    for cells in [[2, 2, 1], [4, 4, 2], [6, 6, 3]] {
        let mut model = model_under(G);
        block(&mut model, "block", (cells, YOUNG), 0.0);
        model.add(Collider::half_space(Pose::identity()));
        model.add(CollisionBehavior::default().with_law(automatic()));
        let mut scene = Scene::new(&model, EULER);
        scene.steps(5e-3, 200);
        let (found, expected) = (overlap(&scene), sinks(1.0));
        assert!((scene.force().z / (0.5 * G) - 1.0).abs() < 1e-6, "{}", scene.force());
        assert!((found / expected - 1.0).abs() < 1e-3, "{cells:?}: {found} {expected}");
    }
}

/// Sum of the stiffnesses of all contacts at rest [N/m].
fn stiffness(scene: &Scene) -> f64 {
    scene.state.contacts.iter().map(|it| it.force.dot(&it.normal) / -it.gap).sum()
}

/// A block of these cells at rest on a fixed one of 4 x 4 x 2, which friction keeps from turning.
fn on_each_other(law: ContactLaw, cells: [usize; 3]) -> Scene {
    let mut model = model_under(G);
    let upper = block(&mut model, "upper", (cells, 1e6), 0.05 + 1e-4);
    let lower = block(&mut model, "lower", ([4, 4, 2], 1e6), 0.0);
    let base = nodes_at(&model[lower].mesh, 0.0);
    model[lower].dirichlet.push(Dirichlet::fix(base));
    let behavior =
        CollisionBehavior::new(upper, lower, 0.0).with_law(ContactLaw { friction: 0.5, ..law });
    model.add(CollisionBehavior { tolerance: Some(5e-5), ..behavior });
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 400);
    scene
}

#[test]
fn two_blocks_give_way_by_both_layers_and_share_a_foundation_by_its_area() {
    let foundation =
        ElasticFoundation { youngs_modulus: 1e5, poissons_ratio: 0.0, thickness: 1e-2 };
    let layer =
        ContactLaw { normal: NormalLaw::ElasticFoundation, foundation, ..ContactLaw::default() };
    // Layers that give way more than elements do, so that the pressure is nearly uniform.
    let automatic = ContactLaw {
        automatic: AutomaticCompliance { layer_share: 4.0, ..AutomaticCompliance::default() },
        ..automatic()
    };
    let pressure = 1000.0 * G * 0.05;
    let laws = [(automatic, pressure * 2.0 * 4.0 * DEPTH / 1e6), (layer, pressure * 1e-2 / 1e5)];
    for (law, expected) in laws {
        for cells in [[3, 3, 1], [4, 4, 2], [5, 5, 2]] {
            let scene = on_each_other(law, cells);
            let force = scene.force().z;
            assert!((force / (0.5 * G) - 1.0).abs() < 1e-5, "{force}");
            // Vertices of both sides stand for the whole area, each for half, however the pressure is spread.
            let (name, found) = (law.normal, force / stiffness(&scene));
            println!("{name:?} {cells:?}: {found} {expected}, by forces {}", overlap(&scene));
            assert!(
                (found / expected - 1.0).abs() < 0.02,
                "{name:?} {cells:?}: {found} {expected}"
            );
        }
        let found = overlap(&on_each_other(law, [4, 4, 1]));
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn bodies_are_rigid_where_compliance_is_automatic_and_tissue_on_them_is_not() {
    let mut model = model_under(G);
    let half = Vec3::new(0.1, 0.1, 0.05);
    let body = add_box(&mut model, "box", 2.0, half, Pose::translation(0.0, 0.0, 0.05));
    block(&mut model, "block", ([4, 4, 2], YOUNG), 0.1);
    model.add(Collider::half_space(Pose::identity()));
    let behavior = CollisionBehavior::default().with_law(automatic());
    model.add(CollisionBehavior { tolerance: Some(1e-6), ..behavior });
    let mut scene = Scene::new(&model, EULER);
    scene.steps(5e-3, 400);
    let sunk = 0.05 - scene.place(body).z;
    assert!(sunk.abs() < 2e-6, "{sunk} m");
    let soft = scene.state.contacts.iter().map(|it| -it.gap).fold(0.0, f64::max);
    assert!((soft / sinks(1.0) - 1.0).abs() < 1e-2, "{soft} m");
}

#[test]
fn numbers_of_the_tissue_and_the_behaviour_are_put_in_place() {
    let mut model = model_under(G);
    let fem = block(&mut model, "block", ([4, 4, 2], YOUNG), 0.0);
    model.add(Collider::half_space(Pose::identity()));
    let behavior = model.add(CollisionBehavior::default().with_law(automatic()).named("rest"));
    let mut scene = Scene::new(&model, EULER);
    let modulus = format!("{}:material.youngs_modulus", model.path(fem));
    let share = format!("{}:layer_share", model.path(behavior));
    let mut put = |scene: &mut Scene, path: &str, value: f64| {
        model.set_text(path, &value.to_string()).unwrap();
        model.refresh(&mut scene.compiled, &mut scene.state).unwrap();
        scene.steps(5e-3, 400);
        overlap(scene)
    };
    let found = put(&mut scene, &share, 0.2);
    assert!((found / sinks(2.0) - 1.0).abs() < 1e-3, "{found}");
    let found = put(&mut scene, &modulus, 2.0 * YOUNG);
    assert!((found / sinks(1.0) - 1.0).abs() < 1e-3, "{found}");
}
