//! Readings of sensors as targets: distances, angles, angular velocities, accelerations, forces.

use sinew::Vec3;
use sinew::axial::AxialLaw;
use sinew::axial::passive::LinearSpring;
use sinew::component::ComponentId;
use sinew::inverse::{
    InverseError, MotionTarget, TargetKind, TrackedExcitation, TrackingController, TrackingSettings,
};
use sinew::model::{
    AxialSpring, FrameMarker, Measurand, Measured, Model, Particle, PointRef, Sensor,
};
use sinew::property::Value;
use sinew::schedule::{Signal, Simulation};
use sinew::solve::SolverSettings;
use sinew::system::State;

use crate::models::{Excitable, constant, hexapod};
use crate::twins::{H, exact};

/// Quantities that are measured.
const MEASURED: [&str; 5] = ["distance", "angle", "turning", "acceleration", "tension"];

/// A body on six muscles, and a sensor of a quantity of it.
fn scene(quantity: &str) -> (Excitable, MotionTarget) {
    let (mut scene, body) = hexapod(|_| constant(5.0));
    let model = &mut scene.model;
    let [far, aside] = [[0.5, 0.6, -0.7], [-0.6, 0.1, 0.3]]
        .map(|at| PointRef::from(model.add(Particle::new(1.0, Vec3::from(at)).fixed())));
    let near = PointRef::from(model.add(FrameMarker::new(body, Vec3::new(0.05, 0.03, 0.1))));
    let points = |list: &[PointRef]| list.iter().map(|it| Measured::Point(*it)).collect();
    let sensor = match quantity {
        "distance" => Sensor::new(Measurand::Distance, points(&[near, far])),
        "angle" => Sensor::new(Measurand::Angle, points(&[far, near, aside])),
        "turning" => {
            Sensor::new(Measurand::AngularAcceleration, vec![Measured::Component(body.id())])
        }
        "acceleration" => Sensor::new(Measurand::SpecificForce, points(&[near])),
        _ => {
            let law = AxialLaw::Linear(LinearSpring { stiffness: 40.0, damping: 2.0 });
            let mut spring = AxialSpring::with_law([near, far], law);
            spring.rest_length = 0.1;
            let spring = model.add(spring);
            Sensor {
                property: "tension".to_owned(),
                ..Sensor::new(Measurand::Property, vec![Measured::Component(spring.id())])
            }
        }
    };
    let sensor = model.add(sensor);
    (scene, MotionTarget::new(TargetKind::Sensor(sensor)))
}

fn excite(model: &mut Model, id: ComponentId, value: f64) {
    let property = model.property_of(id, "excitation").unwrap();
    model.set_property(&property, Value::Real(value)).unwrap();
}

/// A run that begins at a state.
fn from(model: &Model, start: &State) -> Simulation {
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    simulation.set_state(start).unwrap();
    simulation
}

/// Reading at the end of one step.
fn reading(model: &Model, start: &State, path: &str) -> f64 {
    let mut simulation = from(model, start);
    simulation.step(H).unwrap();
    let property = simulation.model().property(path).unwrap();
    let Value::Real(value) = simulation.get(&property).unwrap() else { panic!("a number") };
    value
}

/// Excitation that a controller of one finds where a reading is asked for.
fn found(
    model: &Model,
    start: &State,
    (target, id): (&MotionTarget, ComponentId),
    asked: f64,
) -> f64 {
    let desired = move |_: f64, values: &mut [f64]| values.fill(asked);
    let following = (vec![target.clone()], Box::new(desired) as Box<dyn Signal>);
    let settings = TrackingSettings { regularization: 0.0, iterations: 1, ..exact() };
    let tracked = vec![TrackedExcitation::new(id)];
    let settings = (settings, SolverSettings::default());
    let controller = TrackingController::new(model, following, tracked, settings).unwrap();
    let (log, mut simulation) = (controller.log(), from(model, start));
    simulation.add_controller_object("inverse", Box::new(controller));
    simulation.step(H).unwrap();
    log.lock().unwrap().excitations[0]
}

/// The response of a reading is the derivative of the whole step, excitation by excitation.
#[test]
fn responses_of_readings_are_the_derivative_of_the_step() {
    const DELTA: f64 = 1e-3;
    for quantity in MEASURED {
        let (Excitable { mut model, excited, .. }, target) = scene(quantity);
        let path = target.path(&model);
        excited.iter().for_each(|&id| excite(&mut model, id, 0.3));
        let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
        for _ in 0..15 {
            simulation.step(H).unwrap();
        }
        let start = simulation.state().unwrap().clone();
        excited.iter().for_each(|&id| excite(&mut model, id, 0.5));
        let now = reading(&model, &start, &path);
        let mut at = |id, by: f64| {
            excite(&mut model, id, 0.5 + by);
            let value = reading(&model, &start, &path);
            excite(&mut model, id, 0.5);
            value
        };
        let slopes: Vec<f64> =
            excited.iter().map(|&id| (at(id, DELTA) - at(id, -DELTA)) / (2.0 * DELTA)).collect();
        let largest = slopes.iter().fold(0f64, |most, it| most.max(it.abs()));
        for (&id, slope) in excited.iter().zip(slopes) {
            if slope.abs() < 1e-2 * largest {
                continue;
            }
            let change = found(&model, &start, (&target, id), now + 0.1 * slope) - 0.5;
            let response = 0.1 * slope / change;
            assert!(
                (response - slope).abs() < 2e-3 * slope.abs(),
                "{quantity}: {response} for {slope}"
            );
        }
    }
}

#[test]
fn sensors_of_muscles_themselves_are_refused() {
    let (Excitable { mut model, excited, .. }, _) = scene("distance");
    let mut own = Sensor::new(Measurand::Property, vec![Measured::Component(excited[0])]);
    (own.name, own.property) = ("own".to_owned(), "tension".to_owned());
    let own = model.add(own);
    let error = MotionTarget::at(&model, &format!("{}:value", model.path(own))).unwrap_err();
    assert!(matches!(error, InverseError::SensorOfMuscle(_)), "{error}");
}
