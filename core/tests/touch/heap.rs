//! Many bodies of several shapes in a box come to rest.

use sinew::Vec3;

use super::heap_scene::{half_width, heap};
use super::scenes::{EULER, Scene};

#[test]
fn a_small_heap_settles_and_stays() {
    // HEAP=200 HEAP_SECONDS=10 for a larger one, in a release build.
    let number =
        |name, else_: usize| std::env::var(name).map_or(else_, |n| n.parse().expect("a number"));
    let (count, seconds) = (number("HEAP", 11), number("HEAP_SECONDS", 2));
    let across = if count > 100 {
        6
    } else if count > 16 {
        4
    } else {
        2
    };
    let (model, bodies) = heap(count, across);
    let mut settings = sinew::solve::SolverSettings { integrator: EULER, ..Default::default() };
    if std::env::var("DENSE").is_ok() {
        settings.contact_method = sinew::solve::ContactMethod::Dense;
    }
    let mut scene = Scene::with(&model, settings);
    let (mut deepest, mut linear_solves, mut parts, start) =
        (0.0f64, 0, 0, std::time::Instant::now());
    for k in 0..200 * seconds {
        scene.step(0.005);
        // Neighbours of a large heap begin up to 9 mm inside each other.
        if k >= 40 {
            deepest = deepest.max(scene.depth());
        }
        linear_solves = linear_solves.max(scene.last.linear_solves);
        parts = parts.max(scene.last.substeps);
        if k % 40 == 39 {
            println!(
                "{:.2} s: KE {:.3e} J, {:?}, deepest {deepest:.2e} m, {:?}",
                scene.state.time,
                scene.kinetic(),
                (scene.last.unilateral_rows, linear_solves, parts),
                start.elapsed()
            );
        }
    }
    let settled: Vec<Vec3> = bodies.iter().map(|&body| scene.place(body)).collect();
    scene.steps(0.005, 40);
    let moved = bodies.iter().zip(&settled).map(|(&body, at)| (scene.place(body) - at).norm());
    let moved = moved.fold(0.0, f64::max);
    println!("moved {moved:e} m in 0.2 s, {:?}", start.elapsed());
    for at in &settled {
        let inside = at.z > 0.0 && at.xy().amax() < half_width(across);
        assert!(inside, "a body is at {at:?}");
    }
    assert!(scene.kinetic() < 1e-4, "{} J", scene.kinetic());
    assert!(moved < 1e-3, "{moved} m in 0.2 s");
    assert!(deepest < 5e-3, "{deepest} m");
}
