//! Boxes on planes and on each other.

use sinew::solve::Integrator;

use super::scenes::{EULER, Scene, TRAPEZOIDAL, block_on_slope, stack, stray};

/// Distance down a slope [m] after so many steps.
fn slide(angle: f64, friction: f64, integrator: Integrator, (h, count): (f64, usize)) -> f64 {
    let (model, block, down) = block_on_slope(angle, friction, 0.0);
    let mut scene = Scene::new(&model, integrator);
    let start = scene.place(block);
    scene.steps(h, count);
    (scene.place(block) - start).dot(&down)
}

#[test]
fn a_box_slides_down_a_slope_with_the_acceleration_of_coulomb() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let distance = slide(30f64.to_radians(), 0.3, integrator, (2e-3, 1000));
        // g (sin - mu cos) t² / 2; first order at 1000 steps.
        assert!((distance / 4.712574473324793 - 1.0).abs() < 2e-3, "{distance}");
    }
}

#[test]
fn a_box_sticks_just_below_the_angle_of_friction_and_slides_just_above() {
    for integrator in [EULER, TRAPEZOIDAL] {
        let critical = 0.3f64.atan().to_degrees();
        for (share, moves) in [(-0.1, false), (0.1, true)] {
            let angle = (critical + share).to_radians();
            let distance = slide(angle, 0.3, integrator, (5e-3, 400));
            assert_eq!(distance.abs() > 1e-4, moves, "{integrator:?} {share}: {distance} m");
        }
    }
}

#[test]
fn ten_boxes_stand_for_ten_seconds() {
    // STACK_SECONDS=60 for the figures of docs/theory/validation.md.
    let seconds: f64 =
        std::env::var("STACK_SECONDS").map_or(10.0, |s| s.parse().expect("a number"));
    let (model, bodies, faces) = stack(0.2, &[8.0; 10], 1e-3);
    let mut scene = Scene::new(&model, EULER);
    let count = (seconds / 0.01) as usize;
    scene.steps(0.01, 50);
    let heights: Vec<f64> = bodies.iter().map(|&body| scene.place(body).z).collect();
    scene.steps(0.01, count - 50);
    for (&body, height) in bodies.iter().zip(&heights) {
        let (side, tilt) = stray(&scene.pose(body));
        let sunk = height - scene.place(body).z;
        assert!(side < 1e-6 && tilt < 1e-6 && sunk.abs() < 1e-6, "{side} m, {tilt}, {sunk} m");
    }
    let forces: Vec<f64> = faces.iter().map(|&face| scene.force_of(face).z).collect();
    let top = bodies.last().map(|&body| scene.place(body)).unwrap();
    println!("{seconds} s: top at {top:?}, KE {:e} J, forces {forces:?}", scene.kinetic());
    for (k, force) in forces.iter().enumerate() {
        let weight = 9.81 * 8.0 * (10 - k) as f64;
        assert!((force / weight - 1.0).abs() < 1e-6, "face {k}: {force} N of {weight} N");
    }
    assert!(scene.kinetic() < 1e-12, "{} J", scene.kinetic());
}
