//! Soft blocks that lie on each other: CON-fem-block-incline, its stack; rest, threads, momentum.

use sinew::Vec3;
use sinew::model::{CollisionBehavior, Dirichlet, Model};
use sinew_datasets::{Params, find};

use crate::scene::{block_mesh, momentum, nodes_at, places, tissue};
use crate::scenes::{EULER, Scene, model_under};

fn blocks(arguments: &[&str]) -> Model {
    let mut params = Params::parse(arguments).unwrap();
    (find("blocks").unwrap().build)(&mut params).unwrap()
}

#[test]
fn each_block_of_a_stack_carries_what_is_above_and_nothing_jitters() {
    let model = blocks(&["g=9.81"]);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 150);
    let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
    let mut sums: Vec<f64> = Vec::new();
    for contact in scene.compiled.contacts_of(behavior, &scene.state).unwrap() {
        let pair = contact.pair as usize;
        sums.resize(sums.len().max(pair + 1), 0.0);
        sums[pair] += contact.force.z.abs();
    }
    sums.retain(|sum| *sum > 0.0);
    sums.sort_by(f64::total_cmp);
    for (found, expected) in sums.iter().zip([9.81, 19.62, 29.43]) {
        assert!((found / expected - 1.0).abs() < 1e-4, "{sums:?} N");
    }
    assert_eq!(sums.len(), 3, "{sums:?}");
    assert!(scene.kinetic() < 1e-10, "{} J", scene.kinetic());
    let before = scene.state.q.clone();
    scene.steps(0.01, 50);
    let moved = scene.state.q.iter().zip(&before).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    println!("moved by {moved} m, {} J", scene.kinetic());
    assert!(moved < 1e-7, "{moved} m");
}

#[test]
fn blocks_that_collide_keep_their_momentum() {
    for friction in [0.0, 0.5] {
        let mut model = model_under(0.0);
        let mesh = |n, x| block_mesh([n; 3], [0.1; 3], Vec3::new(x, 0.02 * x / 0.1, 0.0));
        let fems =
            [(2, 0.0), (3, 0.11)].map(|(n, x)| model.add(tissue("", mesh(n, x), [2e4, 0.3])));
        model.add(CollisionBehavior::new(fems[0], fems[1], friction));
        let mut scene = Scene::new(&model, EULER);
        for k in 0..model[fems[1]].mesh.nodes.len() {
            let row = scene.compiled.block_of_node(fems[1], k);
            scene.state.u[row] = Vec3::new(-1.0, 0.2, 0.0);
        }
        let before = momentum(&scene);
        let mut touched = 0;
        for _ in 0..30 {
            let start = momentum(&scene);
            scene.step(2e-3);
            touched += usize::from(!scene.state.contacts.is_empty());
            let change = momentum(&scene)[0] - start[0];
            assert!(change.norm() < 1e-9, "{change:?} N s in a step");
        }
        let after = momentum(&scene);
        assert!(touched > 5, "{touched} steps with contact");
        let turn = (after[1] - before[1]).norm() / (before[0].norm() * 0.1);
        println!("friction {friction}: moment lost {turn:e}");
        // Backward Euler keeps angular momentum to first order in the step.
        assert!(turn < 2e-2, "{turn}");
    }
}

/// Two blocks of other grids pressed together: stress through the joint is as uniform as nodes on faces make it.
#[test]
fn a_uniform_pressure_passes_between_grids_that_do_not_match() {
    let mut model = model_under(0.0);
    let (lower, upper) = (
        block_mesh([4, 4, 2], [0.1, 0.1, 0.05], Vec3::new(0.0, 0.0, -0.025)),
        block_mesh([3, 3, 2], [0.1, 0.1, 0.05], Vec3::new(0.0, 0.0, 0.025)),
    );
    let fems = [lower, upper].map(|mesh| {
        let mut fem = tissue("", mesh, [1e5, 0.0]);
        fem.stiffness_damping = 0.01;
        fem
    });
    let [mut low, mut high] = fems;
    low.dirichlet.push(Dirichlet::fix(nodes_at(&low.mesh, -0.05)));
    let pressed = Dirichlet {
        displacement: vec![Vec3::new(0.0, 0.0, -5e-4)],
        ..Dirichlet::fix(nodes_at(&high.mesh, 0.05))
    };
    high.dirichlet.push(pressed);
    let fems = [model.add(low), model.add(high)];
    model.add(CollisionBehavior::new(fems[0], fems[1], 0.0));
    let mut scene = Scene::new(&model, EULER);
    scene.steps(0.01, 100);
    let rest: Vec<Vec3> = model[fems[0]].mesh.nodes.clone();
    let now = places(&model, &scene, fems[0]);
    let tops: Vec<f64> =
        rest.iter().zip(&now).filter(|(p, _)| p.z.abs() < 1e-9).map(|(p, q)| q.z - p.z).collect();
    let mean = tops.iter().sum::<f64>() / tops.len() as f64;
    let spread = tops.iter().map(|z| (z / mean - 1.0).abs()).fold(0.0, f64::max);
    println!("sinks by {mean:e} m, spread {spread:e}, {} rows", scene.state.contacts.len());
    let force = scene.force().z.abs();
    let pressure = -mean / 0.05 * 1e5;
    println!("force {force} N, {} N by the pressure", pressure * 0.01);
    assert!(mean < 0.0 && spread < 0.25, "{mean} m, {spread}");
    assert!((force / (pressure * 0.01) - 1.0).abs() < 0.02, "{force} N");
}
