//! Adhesion of two tissues: a block that hangs from another one, whose grids do not match.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::contact::ContactLaw;
use sinew::model::{CollisionBehavior, Dirichlet, Model};

use crate::scene::{block_mesh, nodes_at, tissue};
use crate::scenes::{EULER, Scene, model_under};

/// Edges of the blocks [m], density [kg/m³].
const SIZE: [f64; 3] = [0.1, 0.1, 0.05];
const DENSITY: f64 = 1000.0;
/// Work of adhesion [J/m²] and range [m].
const WORK: f64 = 0.4;
const RANGE: f64 = 1e-3;

/// A block below a fixed one under a gravity whose weight is this share of what adheres.
fn hanging(share: f64, swapped: bool) -> Scene {
    let mut model: Model = model_under(share * WORK / RANGE / (DENSITY * SIZE[2]));
    let block = |name: &str, cells, z: f64| {
        let mut fem = tissue(name, block_mesh(cells, SIZE, Vec3::z() * z), [1e6, 0.0]);
        fem.stiffness_damping = 0.02;
        fem
    };
    let upper = model.add(block("upper", [4, 4, 1], 0.075));
    let lower = model.add(block("lower", [3, 3, 1], 0.025 - 1e-4));
    let top = nodes_at(&model[upper].mesh, 0.1);
    assert!(!top.is_empty());
    model[upper].dirichlet.push(Dirichlet::fix(top));
    let (a, b) = if swapped { (lower, upper) } else { (upper, lower) };
    let law = ContactLaw::default().sticking(WORK, RANGE);
    let behavior = CollisionBehavior::new(a, b, 0.0).with_law(law).named("glue");
    model.add(CollisionBehavior { tolerance: Some(5e-5), ..behavior });
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 250);
    scene
}

#[test]
fn a_block_hangs_from_another_by_the_area_of_both_whichever_is_a() {
    for (swapped, sign) in [(false, -1.0), (true, 1.0)] {
        let scene = hanging(0.9, swapped);
        let weight = 0.9 * WORK / RANGE * 0.01;
        let force = scene.force().z * sign;
        assert!((force / weight - 1.0).abs() < 1e-4, "{force} N of {weight} N");
        let scene = hanging(1.1, swapped);
        assert_eq!(scene.force(), Vec3::zeros());
    }
}
