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
use crate::twins::{Found, H, difference, drive, exact, follow, motion, pulses};

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

/// Points of the world and of the body whose distances are read: six of these tell where the body is and how it is turned.
const LENGTHS: [([f64; 3], [f64; 3]); 6] = [
    ([0.5, 0.6, -0.7], [0.1, 0.05, -0.15]),
    ([-0.6, 0.1, 0.3], [-0.1, 0.05, 0.15]),
    ([0.3, -0.5, 0.4], [0.1, -0.05, 0.15]),
    ([-0.4, 0.5, -0.5], [-0.1, 0.05, -0.15]),
    ([0.6, 0.1, 0.5], [0.1, 0.05, 0.15]),
    ([-0.2, -0.6, -0.3], [-0.1, -0.05, -0.15]),
];

/// A body on six muscles with so many lengths that are read, as a run begins.
fn measured(count: usize) -> (Excitable, Vec<MotionTarget>) {
    let (mut scene, body) = hexapod(|_| constant(5.0));
    let model = &mut scene.model;
    let mut targets = Vec::new();
    for (k, (from, to)) in LENGTHS.into_iter().take(count).enumerate() {
        let from = PointRef::from(model.add(Particle::new(1.0, from.into()).fixed()));
        let to = PointRef::from(model.add(FrameMarker::new(body, to.into())));
        let points = vec![Measured::Point(from), Measured::Point(to)];
        let mut sensor = Sensor::new(Measurand::Distance, points);
        sensor.name = format!("length {k}");
        targets.push(MotionTarget::new(TargetKind::Sensor(model.add(sensor))));
    }
    scene.excited.iter().for_each(|&id| excite(&mut scene.model, id, 0.35));
    (scene, targets)
}

/// Readings of a run that pulses drive.
fn readings((scene, targets): &(Excitable, Vec<MotionTarget>)) -> Vec<Vec<f64>> {
    let paths: Vec<String> = targets.iter().map(|target| target.path(&scene.model)).collect();
    let mut simulation = Simulation::new(scene.model.clone(), SolverSettings::default()).unwrap();
    drive(&mut simulation, &scene.excited, pulses);
    motion(&mut simulation, &paths, 40)
}

fn followed((scene, targets): (Excitable, Vec<MotionTarget>), rows: Vec<Vec<f64>>) -> Found {
    let tracked = scene.excited.into_iter().map(TrackedExcitation::new).collect();
    let settings = TrackingSettings { iterations: 8, tolerance: 1e-8, ..exact() };
    follow(scene.model, (targets, rows), tracked, settings)
}

/// Singular values of the response of readings to the excitations, by differences of a step from the start, the largest first.
fn singular_values((scene, targets): &(Excitable, Vec<MotionTarget>)) -> Vec<f64> {
    const DELTA: f64 = 1e-3;
    let mut model = scene.model.clone();
    let compiled = model.compile().unwrap();
    let start = compiled.initial_state();
    let mut response = nalgebra::DMatrix::zeros(targets.len(), scene.excited.len());
    for (row, target) in targets.iter().enumerate() {
        let path = target.path(&model);
        for (column, &id) in scene.excited.iter().enumerate() {
            let [low, high] = [-DELTA, DELTA].map(|by| {
                excite(&mut model, id, 0.35 + by);
                reading(&model, &start, &path)
            });
            excite(&mut model, id, 0.35);
            response[(row, column)] = (high - low) / (2.0 * DELTA);
        }
    }
    let mut values = response.singular_values().as_slice().to_vec();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// A step has as many equations as there are readings: one of them has one singular value, six have six.
#[test]
fn six_excitations_are_found_from_six_readings_that_tell_them_apart() {
    let scene = measured(6);
    let values = singular_values(&scene);
    assert!(values[5] > 1e-2 * values[0], "{values:?}");
    let rows = readings(&scene);
    let found = followed(scene, rows.clone());
    let moved = difference(&found.motion, &rows);
    assert!(moved < 1e-3, "readings differ by {moved:.1e} of their size");
    for (step, excitations) in found.excitations.iter().enumerate() {
        for (k, a) in excitations.iter().enumerate() {
            let expected = pulses(k, (step + 1) as f64 * H);
            // In step 27 the wrenches of the six muscles are nearly dependent.
            let bound = if step == 27 { 0.02 } else { 0.01 };
            assert!((a - expected).abs() < bound, "step {step}, muscle {k}: {a} for {expected}");
        }
    }
}

/// From one reading alone: all excitations that make it are along five directions, and of these the smallest are found, which
/// their own reading has found again.
#[test]
fn of_one_reading_the_smallest_excitations_are_found() {
    let scene = measured(1);
    assert_eq!(singular_values(&scene).len(), 1);
    let rows = readings(&scene);
    let first = followed(measured(1), rows.clone());
    let moved = difference(&first.motion, &rows);
    assert!(moved < 1e-3, "the reading differs by {moved:.1e} of its size");
    let squares = |rows: &[Vec<f64>]| rows.iter().flatten().map(|a| a * a).sum::<f64>();
    let made: Vec<Vec<f64>> = (1..=rows.len() - 1)
        .map(|step| (0..6).map(|k| pulses(k, step as f64 * H)).collect())
        .collect();
    let [smallest, all] = [squares(&first.excitations), squares(&made)];
    assert!(smallest < 0.8 * all, "{smallest} of {all}");
    let second = followed(measured(1), first.motion.clone());
    let worst = difference(&second.excitations, &first.excitations);
    assert!(worst < 0.01, "excitations differ by {worst:.1e} of their size");
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
