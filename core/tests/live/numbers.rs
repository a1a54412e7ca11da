//! Properties that are set while a model runs: the same as a model built with them, without a new
//! compilation where numbers are all that changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::Vec3;
use sinew::backend::{Backend, CpuBackend};
use sinew::model::{MechModel, Model};
use sinew::property::{PropertyError, Value};
use sinew::schedule::{Simulation, SimulationError};

use crate::fixture::{STEP, advance, difference, motion, placed, running, scene, settings};

/// A running model that counts how often it was compiled.
fn counted(model: Model) -> (Simulation, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = count.clone();
    let make = move |system| {
        counter.fetch_add(1, Ordering::Relaxed);
        CpuBackend::new(system, settings()).map(|backend| Box::new(backend) as Box<dyn Backend>)
    };
    (Simulation::with_backend(model, Box::new(make)).unwrap(), count)
}

#[test]
fn numbers_are_put_in_place_and_act_as_if_the_model_had_been_built_with_them() {
    let scene = scene();
    let (left, mech) = (scene.tissues[0], scene.model.first::<MechModel>().unwrap());
    let of =
        |host: sinew::component::ComponentId, name| scene.model.property_of(host, name).unwrap();
    let changes: [(_, Value); 11] = [
        (of(scene.arm.hinge.id(), "compliance"), vec![1e-5; 5].into()),
        (of(scene.arm.body.id(), "rotary_damping"), 0.02.into()),
        (of(scene.arm.muscle.id(), "excitation"), 1.0.into()),
        (of(scene.springs[1].id(), "material.stiffness"), 90.0.into()),
        (of(scene.springs[3].id(), "enabled"), false.into()),
        (of(mech.id(), "gravity"), Vec3::new(1.0, 2.0, -3.0).into()),
        (of(mech.id(), "point_damping"), 0.3.into()),
        (of(left.id(), "material.youngs_modulus"), 5e4.into()),
        (of(left.id(), "density"), 800.0.into()),
        (of(left.id(), "mass_damping"), 3.0.into()),
        (of(scene.particles[2].id(), "mass"), 0.4.into()),
    ];
    for (property, value) in changes {
        let (mut simulation, compiled) = counted(scene.model.clone());
        advance(&mut simulation, 10);
        let mut unset = running(scene.model.clone(), 11);
        simulation.set(&property, value.clone()).unwrap();
        let mut fresh = placed(&simulation.model().clone(), &mut simulation);
        simulation.step(STEP).unwrap();
        fresh.step(STEP).unwrap();
        let name = property.info().name;
        // A solver of a system with bodies scales the residual by the masses that it was made with.
        let most = if ["density", "mass"].contains(&name) { [1e-13, 1e-11] } else { [0.0; 2] };
        let off = difference(&mut simulation, &mut fresh);
        assert!(off[0] <= most[0] && off[1] <= most[1], "{name}: {off:?}");
        assert_ne!(difference(&mut simulation, &mut unset)[1], 0.0, "{name} has an effect");
        assert_eq!(compiled.load(Ordering::Relaxed), 1, "{name} needs no new compilation");
        assert_eq!(simulation.get(&property).unwrap(), value);
    }
}

#[test]
fn names_and_colours_cost_nothing_and_geometry_compiles_anew() {
    let scene = scene();
    let (mut simulation, compiled) = counted(scene.model.clone());
    advance(&mut simulation, 2);
    for (name, value, expected) in
        [("name", Value::from("lad"), 1), ("render.line_color", Value::Colour([1.0, 0.0, 0.0]), 1)]
    {
        let property = simulation.model().property_of(scene.springs[0], name).unwrap();
        simulation.set(&property, value).unwrap();
        advance(&mut simulation, 1);
        assert_eq!(compiled.load(Ordering::Relaxed), expected, "{name}");
    }
    let rest = simulation.property("/models/live/fem_models/left/nodes/26:rest_position").unwrap();
    simulation.set(&rest, Vec3::new(0.11, 0.1, 0.1)).unwrap();
    advance(&mut simulation, 1);
    assert_eq!(compiled.load(Ordering::Relaxed), 2);
}

#[test]
fn the_position_of_a_moving_particle_is_that_of_now() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 10);
    let particle = scene.particles[3];
    let start = scene.model[particle].position;
    let property = simulation.model().property_of(particle, "position").unwrap();
    assert_ne!(simulation.get(&property).unwrap(), Value::Vector(start), "it has moved");
    let [_, velocity] = motion(&mut simulation, particle);
    simulation.set(&property, start).unwrap();
    assert_eq!(motion(&mut simulation, particle), [start, velocity], "back at its start");
    assert_eq!(simulation.model()[particle].position, start, "where it starts is as it was");
    let velocity = simulation.model().property_of(particle, "velocity").unwrap();
    simulation.set(&velocity, Vec3::x()).unwrap();
    assert_eq!(motion(&mut simulation, particle), [start, Vec3::x()]);
}

#[test]
fn a_value_out_of_range_is_refused_and_changes_nothing() {
    let scene = scene();
    let mut simulation = running(scene.model.clone(), 3);
    let mut untouched = running(scene.model.clone(), 3);
    let mass = simulation.model().property_of(scene.particles[2], "mass").unwrap();
    let error = simulation.set(&mass, -1.0).unwrap_err();
    assert!(
        matches!(error, SimulationError::Property(PropertyError::Range { value: -1.0, .. })),
        "{error}"
    );
    let position = simulation.model().property_of(scene.particles[2], "position").unwrap();
    let error = simulation.set(&position, Vec3::new(f64::NAN, 0.0, 0.0)).unwrap_err();
    assert!(matches!(error, SimulationError::Property(PropertyError::Range { .. })), "{error}");
    advance(&mut simulation, 3);
    advance(&mut untouched, 3);
    assert_eq!(difference(&mut simulation, &mut untouched), [0.0; 2]);
}
