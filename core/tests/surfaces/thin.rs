//! Thin and fast bodies do not pass through.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::model::{CollisionBehavior, Dirichlet, FemModel, Model};

use crate::scene::{block_mesh, nodes_at, places, tissue};
use crate::scenes::{EULER, Scene, model_under};

/// A sheet of 0.5 mm whose rim is fixed, and a small block that falls on it at a velocity [m/s].
fn struck_sheet(speed: f64) -> (Model, Scene, [Handle<FemModel>; 2]) {
    let mut model = model_under(9.8);
    let mesh = block_mesh([8, 8, 1], [0.1, 0.1, 5e-4], Vec3::zeros());
    let rim = (0..).zip(&mesh.nodes).filter(|(_, p)| p.x.abs().max(p.y.abs()) > 0.0499);
    let rim: Vec<u32> = rim.map(|(k, _)| k).collect();
    let mut sheet = tissue("sheet", mesh, [1e6, 0.4]);
    sheet.stiffness_damping = 1e-3;
    sheet.dirichlet.push(Dirichlet::fix(rim));
    let sheet = model.add(sheet);
    let mesh = block_mesh([3, 3, 3], [0.02; 3], Vec3::new(0.003, 0.001, 0.045));
    let block = model.add(tissue("block", mesh, [1e5, 0.3]));
    model.add(CollisionBehavior::new(block, sheet, 0.2));
    let mut scene = Scene::new(&model, EULER);
    for k in 0..model[block].mesh.nodes.len() {
        let row = scene.compiled.block_of_node(block, k);
        scene.state.u[row].z = -speed;
    }
    (model, scene, [sheet, block])
}

#[test]
fn a_fast_block_does_not_pass_a_sheet_of_half_a_millimetre() {
    for speed in [1.0, 5.0] {
        let (model, mut scene, [sheet, block]) = struck_sheet(speed);
        let mut touched = 0;
        for _ in 0..40 {
            scene.step(0.01);
            touched += usize::from(!scene.state.contacts.is_empty());
            let (sheet, block) = (places(&model, &scene, sheet), places(&model, &scene, block));
            // The block stays above the middle of the sheet's nearest column of nodes.
            for p in &block {
                let near = sheet.iter().min_by(|a, b| {
                    let from = |q: &Vec3| (q - p).xy().norm();
                    from(a).total_cmp(&from(b))
                });
                assert!(p.z > near.unwrap().z - 5e-3, "{p} through {near:?} at {speed} m/s");
            }
        }
        assert!(touched > 0, "{touched} steps with contact at {speed} m/s");
    }
}

/// Two sheets of 0.5 mm, one falling flat on the other that is fixed: their layers keep their order.
#[test]
fn a_sheet_does_not_pass_a_sheet() {
    let mut model = model_under(9.8);
    let mesh = |n, z| block_mesh([n, n, 1], [0.05, 0.05, 5e-4], Vec3::new(0.0, 0.0, z));
    let mut lower = tissue("lower", mesh(5, 0.0), [1e5, 0.3]);
    lower.dirichlet.push(Dirichlet::fix(nodes_at(&lower.mesh, -2.5e-4)));
    let lower = model.add(lower);
    let upper = model.add(tissue("upper", mesh(4, 5e-3), [1e5, 0.3]));
    model.add(CollisionBehavior::new(upper, lower, 0.2));
    let mut scene = Scene::new(&model, EULER);
    for k in 0..model[upper].mesh.nodes.len() {
        let row = scene.compiled.block_of_node(upper, k);
        scene.state.u[row].z = -3.0;
    }
    for _ in 0..60 {
        scene.step(0.01);
        let lowest = places(&model, &scene, upper).iter().map(|p| p.z).fold(1.0, f64::min);
        assert!(lowest > 2.4e-4, "{lowest} m");
    }
    assert!(scene.kinetic() < 1e-8, "{} J", scene.kinetic());
}
