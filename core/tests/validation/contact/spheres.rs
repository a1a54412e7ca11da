//! MB-rolling-sphere and CON-sphere-drop.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{Compliance, Pose};
use sinew::contact::ContactLaw;
use sinew::model::{Collider, CollisionBehavior, RigidBody};
use sinew_datasets::sphere::{SphereParams, sphere};

use super::absolute;
use crate::table::Row;
use crate::touching::{Scene, TRAPEZOIDAL, add_sphere, model_under};

const G: f64 = 9.81;
/// Acceleration without slip at 20 degrees [m/s²], and the least coefficient of friction for it.
const ROLLING: [f64; 2] = [2.396584004303436, 0.10399149550462923];
/// At 40 degrees and mu = 0.1: acceleration, and angular acceleration times the radius [m/s²].
const SLIPPING: [f64; 2] = [5.554256852325232, 1.8787239967492937];
/// 5 m/s without rotation at mu = 0.2: time [s], velocity [m/s] and distance [m] when slip ends.
const BOWLING: [f64; 3] = [0.7281199941750399, 3.5714285714285716, 3.1205142607501712];
/// Deepest overlap of 1 kg at 2 m/s on 1e5 N/m, and at rest [m].
const SINKING: [f64; 2] = [0.006423416087754033, 9.81e-05];

fn rolling(angle: f64, friction: f64, velocity: f64) -> (Scene, Handle<RigidBody>) {
    let params = SphereParams { angle, friction, velocity, gravity: G, ..SphereParams::default() };
    let model = sphere(&params).unwrap();
    let ball = model.iter::<RigidBody>().find(|(_, body)| body.name == "sphere").unwrap().0;
    (Scene::new(&model, TRAPEZOIDAL), ball)
}

/// Speed of the centre, and of the surface about it [m/s].
fn speeds(scene: &Scene, ball: Handle<RigidBody>) -> [f64; 2] {
    [scene.velocity(ball).norm(), 0.1 * scene.angular_velocity(ball).norm()]
}

/// Both after 1 s from rest, in steps of 1 ms.
fn after_one_second(angle: f64, friction: f64) -> [f64; 2] {
    let (mut scene, ball) = rolling(angle, friction, 0.0);
    scene.steps(1e-3, 1000);
    speeds(&scene, ball)
}

fn slopes() -> Vec<Row> {
    let case = |name: &str| format!("MB-rolling-sphere, {name}, 1 ms");
    let [speed, surface] = after_one_second(20.0, 0.5);
    let [more, less] = [1.01, 0.99].map(|share| {
        let [speed, surface] = after_one_second(20.0, share * ROLLING[1]);
        speed - surface
    });
    // What is missing of friction drives slip: 7/2 of it, and all of it is 2/7 of the weight along the slope.
    let slip = 0.01 * G * 20f64.to_radians().sin();
    let [fast, rolled] = after_one_second(40.0, 0.1);
    let steep = || case("40 degrees, mu = 0.1");
    vec![
        Row::new(case("20 degrees"), "acceleration [m/s²]", (ROLLING[0], speed), 5e-3),
        Row::of_error(case("20 degrees"), "slip after 1 s [m/s]", (speed - surface).abs(), 1e-9),
        Row::of_error(case("1 % above the least mu"), "slip after 1 s [m/s]", more.abs(), 1e-9),
        Row::new(case("1 % below the least mu"), "slip after 1 s [m/s]", (slip, less), 5e-3),
        Row::new(steep(), "acceleration [m/s²]", (SLIPPING[0], fast), 5e-3),
        Row::new(steep(), "angular acceleration times radius [m/s²]", (SLIPPING[1], rolled), 5e-3),
    ]
}

fn bowling() -> [Row; 3] {
    let (mut scene, ball) = rolling(0.0, 0.2, 5.0);
    let start = scene.place(ball);
    let slips = |scene: &Scene| {
        let [speed, surface] = speeds(scene, ball);
        speed - surface > 1e-9
    };
    while slips(&scene) && scene.state.time < 2.0 {
        scene.step(1e-3);
    }
    let found = [scene.state.time, speeds(&scene, ball)[0], (scene.place(ball) - start).norm()];
    let row = |k: usize, metric: &str| {
        Row::new("MB-rolling-sphere, bowling, 1 ms", metric, (BOWLING[k], found[k]), 5e-3)
    };
    [row(0, "time until it rolls [s]"), row(1, "velocity then [m/s]"), row(2, "distance then [m]")]
}

/// 1 kg that arrives at 2 m/s.
fn dropped(compliance: Compliance) -> (Scene, Handle<RigidBody>) {
    let mut model = model_under(G);
    let ball = add_sphere(&mut model, "ball", 1.0, 0.1, Vec3::z() * 0.1);
    model[ball].velocity = Vec3::z() * -2.0;
    model.add(Collider::half_space(Pose::identity()));
    let law = ContactLaw { compliance, ..ContactLaw::default() };
    model.add(CollisionBehavior::default().with_law(law));
    (Scene::new(&model, TRAPEZOIDAL), ball)
}

fn drops() -> Vec<Row> {
    let (mut scene, ball) = dropped(Compliance { compliance: 1e-5, damping: 0.0 });
    let mut deepest = 0.0f64;
    for _ in 0..800 {
        scene.step(1e-5);
        deepest = deepest.max(0.1 - scene.place(ball).z);
    }
    let (mut damped, heavy) = dropped(Compliance { compliance: 1e-5, damping: 300.0 });
    damped.steps(1e-3, 500);
    let (mut rigid, light) = dropped(Compliance::default());
    rigid.step(1e-3);
    let speed = rigid.velocity(light).norm();
    rigid.steps(1e-3, 100);
    let rest = 0.1 - rigid.place(light).z;
    vec![
        Row::new(
            "CON-sphere-drop, 1e5 N/m, 10 us",
            "deepest overlap [m]",
            (SINKING[0], deepest),
            1e-2,
        ),
        Row::new(
            "CON-sphere-drop, 1e5 N/m with damping, 1 ms",
            "overlap at rest [m]",
            (SINKING[1], 0.1 - damped.place(heavy).z),
            1e-6,
        ),
        absolute("CON-sphere-drop, rigid, 1 ms", "speed after one step [m/s]", (0.0, speed), 1e-7),
        absolute("CON-sphere-drop, rigid, 1 ms", "overlap after 0.1 s [m]", (0.0, rest), 1e-5),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = slopes();
    rows.extend(bowling());
    rows.extend(drops());
    rows
}
