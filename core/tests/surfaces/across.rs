//! The same bits on any number of threads.

use sinew::Vec3;
use sinew::model::{CollisionBehavior, Dirichlet, Model};

use crate::scene::{block_mesh, nodes_at, tissue};
use crate::scenes::{EULER, Scene, model_under};

fn two_blocks() -> Model {
    let mut model = model_under(9.8);
    let mesh = |n, at| block_mesh([n, n, 2], [0.1, 0.1, 0.05], at);
    let mut lower = tissue("lower", mesh(5, Vec3::zeros()), [2e4, 0.4]);
    lower.dirichlet.push(Dirichlet::fix(nodes_at(&lower.mesh, -0.025)));
    let lower = model.add(lower);
    let upper = model.add(tissue("upper", mesh(4, Vec3::new(0.02, 0.0, 0.06)), [2e4, 0.4]));
    model.add(CollisionBehavior::new(upper, lower, 0.3));
    model
}

#[test]
fn tissues_that_touch_move_bit_for_bit_the_same_on_any_number_of_threads() {
    let model = two_blocks();
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut scene = Scene::new(&model, EULER);
            scene.steps(0.01, 30);
            assert!(scene.state.contacts.len() > 9, "{}", scene.state.contacts.len());
            let numbers = scene.state.q.iter().chain(&scene.state.u).flat_map(|v| v.iter());
            numbers.map(|x| x.to_bits()).collect::<Vec<u64>>()
        })
    };
    assert_eq!(bits(1), bits(2));
}
