//! Free sheets, shells and membranes without solid elements, touch on both of their sides.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::fem::VolumeMesh;
use sinew::material::{Isotropic, MaterialSpec};
use sinew::model::{Collider, CollisionBehavior, Dirichlet, FemModel, Model, Shell};

use crate::scene::{block_mesh, places, tissue};
use crate::scenes::{EULER, Scene, model_under};

const LAW: MaterialSpec =
    MaterialSpec::NeoHookean(Isotropic { youngs_modulus: 1e6, poissons_ratio: 0.4 });

/// Adds a square sheet of n x n cells and 0.5 mm about a place; its rim is fixed, or it is free.
fn add_sheet(
    model: &mut Model,
    name: &str,
    (n, size): (u32, f64),
    at: Vec3,
    fixed: bool,
) -> Handle<FemModel> {
    let node = |k: u32| {
        let [i, j] = [k % (n + 1), k / (n + 1)].map(|x| f64::from(x) / f64::from(n) - 0.5);
        Vec3::new(i * size, j * size, 0.0) + at
    };
    let mesh = VolumeMesh::new((0..(n + 1) * (n + 1)).map(node).collect());
    let triangles = (0..n * n).flat_map(|cell| {
        let a = cell / n * (n + 1) + cell % n;
        let [b, c, d] = [a + 1, a + n + 2, a + n + 1];
        [[a, b, c], [a, c, d]]
    });
    let triangles: Vec<[u32; 3]> = triangles.collect();
    let rim = (0..).zip(&mesh.nodes).filter(|(_, p)| {
        let from = **p - at;
        from.x.abs().max(from.y.abs()) > 0.499 * size
    });
    let rim: Vec<u32> = rim.map(|(k, _)| k).collect();
    let mut fem = FemModel::new(name, mesh, 1000.0, LAW);
    fem.stiffness_damping = 1e-3;
    if fixed {
        fem.dirichlet.push(Dirichlet::fix(rim));
    }
    let fem = model.add(fem);
    model.add(Shell { thickness: "5e-4".into(), ..Shell::of_triangles(fem, triangles, LAW) });
    fem
}

#[test]
fn a_block_does_not_pass_a_free_sheet_from_either_side() {
    for side in [1.0, -1.0] {
        let mut model = model_under(9.8 * side);
        let sheet = add_sheet(&mut model, "sheet", (4, 0.1), Vec3::zeros(), true);
        let mesh = block_mesh([1, 1, 1], [0.02; 3], Vec3::new(0.003, 0.001, 0.03 * side));
        let block = model.add(tissue("block", mesh, [1e5, 0.3]));
        model.add(CollisionBehavior::new(block, sheet, 0.2));
        let mut scene = Scene::new(&model, EULER);
        for k in 0..model[block].mesh.nodes.len() {
            let row = scene.compiled.block_of_node(block, k);
            scene.state.u[row].z = -side;
        }
        let mut touched = 0;
        for _ in 0..10 {
            scene.step(0.01);
            touched += usize::from(!scene.state.contacts.is_empty());
        }
        let [sheet, block] = [sheet, block].map(|fem| places(&model, &scene, fem));
        let lowest = block.iter().map(|p| p.z * side).fold(f64::INFINITY, f64::min);
        let deepest = sheet.iter().map(|p| p.z * side).fold(f64::INFINITY, f64::min);
        assert!(touched > 0, "{touched} steps with contact");
        assert!(
            lowest > deepest - 2e-3 && deepest > -0.05,
            "{lowest} m, sheet down to {deepest} m"
        );
    }
}

#[test]
fn a_free_sheet_comes_to_rest_on_a_plane_and_one_on_it() {
    let mut model = model_under(9.8);
    let lower = add_sheet(&mut model, "lower", (3, 0.05), Vec3::new(0.0, 0.0, 0.002), false);
    let upper = add_sheet(&mut model, "upper", (2, 0.03), Vec3::new(0.002, 0.001, 0.006), false);
    model.add(Collider::half_space(Pose::identity()).named("floor"));
    model.add(CollisionBehavior::everything(0.3));
    let mut scene = Scene::new(&model, EULER);
    for _ in 0..40 {
        scene.step(0.01);
    }
    let [low, high] = [lower, upper].map(|fem| {
        let places = places(&model, &scene, fem);
        let ends = |a: [f64; 2], p: &Vec3| [a[0].min(p.z), a[1].max(p.z)];
        places.iter().fold([f64::INFINITY, f64::NEG_INFINITY], ends)
    });
    assert!(low[0] > -1e-4 && low[1] < 1e-4, "{low:?} m");
    assert!(high[0] > low[1] && high[1] < 1e-3, "{high:?} m over {low:?} m");
    assert!(scene.kinetic() < 1e-8, "{} J", scene.kinetic());
}
