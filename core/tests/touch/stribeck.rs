//! Friction by the speed of the slip: Coulomb's with Stribeck's fall from rest and a viscous part.

use sinew::Vec3;
use sinew::component::{ComponentType, Handle};
use sinew::constraint::Pose;
use sinew::contact::{ContactLaw, Stribeck};
use sinew::model::{Collider, CollisionBehavior, Model, RigidBody};
use sinew::solve::Integrator;

use super::scenes::{EULER, Scene, TRAPEZOIDAL, add_box, block_on_slope, model_under};

const G: f64 = 9.81;

fn law(friction: f64, stribeck: Stribeck) -> ContactLaw {
    ContactLaw { friction, stribeck, ..ContactLaw::default() }
}

/// A block of 2 kg on level ground, sliding at 1 m/s.
fn sliding(law: ContactLaw) -> (Model, Handle<RigidBody>) {
    let mut model = model_under(G);
    let half = Vec3::new(0.2, 0.2, 0.02);
    let block = add_box(&mut model, "block", 2.0, half, Pose::translation(0.0, 0.0, 0.02));
    model[block].velocity = Vec3::x();
    model.add(Collider::half_space(Pose::identity()).named("ground"));
    model.add(CollisionBehavior::default().with_law(law));
    (model, block)
}

/// Velocity after a time [s], from 1 m/s under dv/dt = -g mu(v), mu written out here.
fn slowed(friction: f64, stribeck: Stribeck, time: f64) -> f64 {
    let Stribeck { static_friction, velocity, viscous } = stribeck;
    let rate = |v: f64| {
        let fall = (static_friction - friction) * f64::exp(-v * v / (velocity * velocity));
        -G * (friction + fall + viscous * v)
    };
    let (count, mut v) = (20_000, 1.0);
    let h = time / f64::from(count);
    for _ in 0..count {
        let a = rate(v);
        let b = rate(v + 0.5 * h * a);
        let c = rate(v + 0.5 * h * b);
        let d = rate(v + h * c);
        v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    v
}

fn speed_after(law: ContactLaw, integrator: Integrator, time: f64, count: usize) -> f64 {
    let (model, block) = sliding(law);
    let mut scene = Scene::new(&model, integrator);
    scene.steps(time / count as f64, count);
    scene.velocity(block).x
}

#[test]
fn a_block_slows_down_by_viscous_friction_as_the_closed_form_says() {
    // dv/dt = -g (c + k v).
    let (c, k, time) = (0.1, 0.4, 0.3);
    let viscous = Stribeck { viscous: k, ..Stribeck::default() };
    let expected = (1.0 + c / k) * f64::exp(-G * k * time) - c / k;
    let found = speed_after(law(c, viscous), EULER, time, 3000);
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
}

#[test]
fn steps_converge_to_stribecks_curve_in_the_first_order() {
    let curve = Stribeck { static_friction: 0.5, velocity: 0.6, viscous: 0.05 };
    let (friction, time) = (0.15, 0.25);
    let expected = slowed(friction, curve, time);
    let rules = [EULER, TRAPEZOIDAL, Integrator::SymplecticEuler, Integrator::RungeKutta4];
    for integrator in rules {
        let errors = [50, 100, 200].map(|count| {
            (speed_after(law(friction, curve), integrator, time, count) - expected).abs()
        });
        assert!(errors[2] < 3e-3, "{integrator:?}: {errors:?}");
        for pair in errors.windows(2) {
            let ratio = pair[0] / pair[1];
            assert!((1.8..2.2).contains(&ratio), "{integrator:?}: {errors:?}");
        }
    }
}

#[test]
fn what_rests_stays_up_to_the_friction_of_rest_and_what_slides_goes_on() {
    let slope = 0.3f64.atan();
    let put = |model: &mut Model| {
        let behavior = model.iter::<CollisionBehavior>().next().unwrap().0;
        model[behavior].law.stribeck = Stribeck { static_friction: 0.5, ..Stribeck::default() };
    };
    let (mut model, block, _) = block_on_slope(slope, 0.2, 0.0);
    put(&mut model);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 100);
    let start = scene.place(block);
    scene.steps(2e-3, 500);
    let crept = (scene.place(block) - start).norm();
    assert!(crept < 1e-9, "{crept} m");
    // Faster than the fall it slides on under the friction of sliding.
    let (mut model, block, down) = block_on_slope(slope, 0.2, 0.3);
    put(&mut model);
    let mut scene = Scene::new(&model, EULER);
    scene.steps(2e-3, 200);
    let expected = 0.3 + 0.4 * G * (slope.sin() - 0.2 * slope.cos());
    let found = scene.velocity(block).dot(&down);
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
}
