//! Readings of sensors as targets: distances, angular velocities, accelerations, forces.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::inverse::{InverseError, MotionTarget, TargetKind, TrackedExcitation};
use sinew::model::{
    AxialSpring, FrameMarker, Measurand, Measured, Model, Particle, PointRef, RigidBody, Sensor,
};
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;

use crate::models::{Excitable, constant, hexapod};
use crate::twins::{H, drive, exact, follow, motion, pulses};

/// A body on six muscles with a point of it and a point of the world, and a spring between them.
fn scene() -> (Excitable, [PointRef; 2], sinew::component::Handle<RigidBody>) {
    let (mut scene, body) = hexapod(|_| constant(5.0));
    let far = scene.model.add(Particle::new(1.0, Vec3::new(0.5, 0.6, -0.7)).fixed());
    let near = scene.model.add(FrameMarker::new(body, Vec3::new(0.05, 0.03, 0.1)));
    (scene, [near.into(), far.into()], body)
}

fn sensor(model: &mut Model, quantity: Measurand, of: impl Into<Vec<Measured>>) -> MotionTarget {
    let target = MotionTarget::new(TargetKind::Sensor(model.add(Sensor::new(quantity, of.into()))));
    // Millimetres count: excitations are found where their squares are far above rounding.
    MotionTarget { weight: 1e6, ..target }
}

fn elastic() -> AxialLaw {
    AxialLaw::Linear(LinearSpring { stiffness: 40.0, damping: 2.0 })
}

/// One muscle alone has one number to find it by.
#[test]
fn an_excitation_is_found_again_from_the_reading_of_a_sensor() {
    for quantity in ["distance", "turning", "acceleration", "tension"] {
        let (Excitable { mut model, excited }, [near, far], body) = scene();
        let points = [near, far].map(Measured::Point);
        let target = match quantity {
            "distance" => sensor(&mut model, Measurand::Distance, points),
            "turning" => {
                let target = sensor(
                    &mut model,
                    Measurand::SemicircularCanal,
                    [Measured::Component(body.id())],
                );
                let TargetKind::Sensor(handle) = target.kind else { unreachable!() };
                model[handle].axis = Vec3::new(0.3, 1.0, 0.2);
                target
            }
            "acceleration" => sensor(&mut model, Measurand::SpecificForce, [Measured::Point(near)]),
            _ => {
                let mut spring = AxialSpring::with_law([near, far], elastic());
                spring.rest_length = 0.1;
                let spring = model.add(spring);
                let target =
                    sensor(&mut model, Measurand::Property, [Measured::Component(spring.id())]);
                let TargetKind::Sensor(handle) = target.kind else { unreachable!() };
                model[handle].property = "tension".to_owned();
                target
            }
        };
        let excited = &excited[..1];
        let paths = [target.path(&model)];
        let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
        drive(&mut simulation, excited, pulses);
        let rows = motion(&mut simulation, &paths, 30);
        let tracked = excited.iter().copied().map(TrackedExcitation::new).collect();
        let found = follow(model, (vec![target], rows), tracked, exact());
        for (step, excitations) in found.excitations.iter().enumerate().skip(4) {
            let (a, expected) = (excitations[0], pulses(0, (step + 1) as f64 * H));
            assert!((a - expected).abs() < 0.01, "{quantity}, step {step}: {a} for {expected}");
        }
    }
}

#[test]
fn sensors_of_muscles_themselves_are_refused() {
    let (Excitable { mut model, excited }, ..) = scene();
    let mut own = Sensor::new(Measurand::Property, vec![Measured::Component(excited[0])]);
    (own.name, own.property) = ("own".to_owned(), "tension".to_owned());
    let own = model.add(own);
    let error = MotionTarget::at(&model, &format!("{}:value", model.path(own))).unwrap_err();
    assert!(matches!(error, InverseError::SensorOfMuscle(_)), "{error}");
}
