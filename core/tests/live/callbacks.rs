//! The user's own code before and after each step.

use std::sync::{Arc, Mutex};

use sinew::Vec3;
use sinew::model::{CustomForce, Particle};
use sinew::property::Value;
use sinew::schedule::{Simulation, SimulationError};

use crate::fixture::{STEP, advance, motion, scene, settings};

#[test]
fn controllers_act_on_the_step_that_follows_and_monitors_see_what_came_of_it() {
    let scene = scene();
    let spring = scene.springs[3];
    let mut simulation = Simulation::new(scene.model, settings()).unwrap();
    let stiffness = simulation.model().property_of(spring, "material.stiffness").unwrap();
    let tension = simulation.model().property_of(spring, "tension").unwrap();
    simulation.add_controller("stiffen", move |run| {
        let value = 40.0 + 1000.0 * run.time();
        Ok(run.set(&stiffness, value)?)
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = seen.clone();
    simulation.add_monitor("record", move |run| {
        let row = [run.get(&stiffness)?, run.get(&tension)?];
        record.lock().unwrap().push((run.time(), row));
        Ok(())
    });
    advance(&mut simulation, 3);
    let seen = seen.lock().unwrap();
    let times: Vec<f64> = seen.iter().map(|row| row.0).collect();
    // Sums of three steps.
    assert!(
        times.iter().zip(1..).all(|(t, k)| (t - STEP * f64::from(k)).abs() < 1e-15),
        "{times:?}"
    );
    for (k, (_, [stiffness, _])) in seen.iter().enumerate() {
        let Value::Real(value) = *stiffness else { panic!("{stiffness}") };
        // Set at the start of the step.
        assert!((value - (40.0 + 1000.0 * STEP * k as f64)).abs() < 1e-12, "{value}");
    }
    let Value::Real(last) = seen[2].1[1] else { panic!("a number") };
    drop(seen);
    let Value::Real(now) = simulation.get(&tension).unwrap() else { panic!("a number") };
    assert_eq!(now, last, "a monitor reads the state after the step");
}

#[test]
fn a_controller_that_gives_up_is_named_and_nothing_has_moved() {
    let scene = scene();
    let particle = scene.particles[3];
    let mut simulation = Simulation::new(scene.model, settings()).unwrap();
    simulation.add_controller("timid", |run| {
        if run.time() > 1.5 * STEP { Err("it goes too fast".into()) } else { Ok(()) }
    });
    advance(&mut simulation, 2);
    let before = motion(&mut simulation, particle);
    let error = simulation.step(STEP).unwrap_err();
    assert_eq!(error.to_string(), "'timid' stopped the run at t = 0.01 s: it goes too fast");
    assert!(matches!(error, SimulationError::Callback { .. }));
    assert_eq!(motion(&mut simulation, particle), before);
}

#[test]
fn a_force_in_code_acts_like_the_spring_that_it_describes() {
    let mut scene = scene();
    let hung = scene.particles[3];
    let stiffness = 30.0;
    scene.model.add(CustomForce::new(vec![hung.into()], move |points, forces| {
        forces[0] -= points.positions[0] * stiffness;
    }));
    let mut simulation = Simulation::new(scene.model, settings()).unwrap();
    let [before, _] = motion(&mut simulation, hung);
    let mass = simulation.model()[hung].mass;
    // Explicit in the force: the first step from rest moves by h² f / m, springs and weight apart.
    let mut without = Simulation::new(crate::fixture::scene().model, settings()).unwrap();
    let other = without.model().iter::<Particle>().nth(3).unwrap().0;
    advance(&mut simulation, 1);
    advance(&mut without, 1);
    let difference = motion(&mut simulation, hung)[0] - motion(&mut without, other)[0];
    let explicit = -before * (stiffness * STEP * STEP / mass);
    // The springs' share of the matrix, h² k / m = 2 %, takes a part of it.
    assert!((difference - explicit).norm() < 0.05 * explicit.norm(), "{difference} {explicit}");
    assert!(difference.dot(&Vec3::y()) < 0.0);
}
