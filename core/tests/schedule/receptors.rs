//! Sensors of the vestibular organ and of tendons in a run, against closed forms.

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    AxialSpring, CoordinateActuator, FrameMarker, FrameSite, Inertia, Joint, JointCoordinate,
    LinearAxial, Measurand, Measured, Model, Particle, PointRef, RigidBody, Sensor,
};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;

use super::scenes::{default_run, real, vector};

/// A head whose frame is turned about x, at rest or turning about z of the world, with sensors of the vestibular organ.
fn head(roll: f64, turning: Vec3, sensors: &[(&str, Measurand, Vec<f64>)]) -> Model {
    let mut model = Model::new("m");
    let inertia = SpatialInertia::new(4.0, Vec3::zeros(), sinew::Mat3::from_diagonal_element(0.02));
    let mut body = RigidBody::new("head", Inertia::Explicit(inertia.unwrap()));
    body.pose = Pose::rotation(Vec3::x() * roll);
    body.angular_velocity = turning;
    let body = model.add(body);
    let ear = model.add(FrameMarker::new(body, Vec3::new(0.1, 0.0, 0.0)).named("ear"));
    let hold = FrameSite::on(body, Pose::rotation(Vec3::x() * -roll));
    let pivot = Joint::new(JointKind::Hinge, hold, FrameSite::ground(Pose::identity()));
    let pivot = model.add(pivot.named("pivot"));
    let of = JointCoordinate::new(pivot, "theta");
    // 0.5 rad/s² about z.
    model.add(CoordinateActuator { excitation: 1.0, ..CoordinateActuator::new(of, 0.01) });
    for (name, quantity, constants) in sensors {
        let of = match quantity {
            Measurand::Otolith | Measurand::SpecificForce => {
                vec![Measured::Point(PointRef::Marker(ear))]
            }
            _ => vec![Measured::Component(body.id())],
        };
        let axis = Vec3::new(0.5, 0.5, 0.5_f64.sqrt());
        let sensor = Sensor { axis, constants: constants.clone(), ..Sensor::new(*quantity, of) };
        model.add(sensor.named(*name));
    }
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    model
}

/// Reading after one step.
fn first(model: Model, step: f64, sensor: &str) -> Vec3 {
    let mut run = default_run(model, step);
    run.step().unwrap();
    vector(&mut run, &format!("/models/m/sensors/{sensor}:vector"))
}

/// The cases of the vestibular organ in vestibular.json: closed forms, to 1e-9.
#[test]
fn vestibular_sensors_read_specific_force_and_the_turning_about_their_canals() {
    let still = |angle: f64| {
        let sensors = [("felt", Measurand::SpecificForce, Vec::new())];
        let mut run = default_run(head(angle, Vec3::zeros(), &sensors), 1e-3);
        vector(&mut run, "/models/m/sensors/felt:vector")
    };
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let expected = Vec3::new(0.0, 9.81 * sine, 9.81 * cosine);
    assert!((still(20.0_f64.to_radians()) - expected).norm() < 1e-9);

    // Means over a first step, taken to the instant at its begin by Richardson's extrapolation.
    let turning = Vec3::new(0.0, 0.0, 2.0);
    let felt = |step: f64| {
        first(head(0.0, turning, &[("felt", Measurand::SpecificForce, Vec::new())]), step, "felt")
    };
    let rows = [1e-3, 5e-4, 2.5e-4, 1.25e-4].map(felt);
    let once = [0, 1, 2].map(|k| rows[k + 1] * 2.0 - rows[k]);
    let twice = [0, 1].map(|k| (once[k + 1] * 4.0 - once[k]) / 3.0);
    let felt = (twice[1] * 8.0 - twice[0]) / 7.0;
    let expected = Vec3::new(-0.4, 0.05, 9.81);
    assert!((felt - expected).xy().norm() < 1e-9, "{felt} {expected}");
    // The hinge that bears the weight yields by 2e-8 of it in a step.
    assert!((felt - expected).z.abs() < 1e-7 * 9.81, "{felt} {expected}");

    // A canal without lags tells the angular velocity about its axis; its rate is that of the acceleration.
    let canal = [("canal", Measurand::SemicircularCanal, vec![0.0, 0.0])];
    let mut run = default_run(head(0.0, turning, &canal), 1e-3);
    let before = real(&mut run, "/models/m/sensors/canal:value");
    assert!((before - 2.0_f64.sqrt()).abs() < 1e-9, "{before}");
    run.step().unwrap();
    let after = real(&mut run, "/models/m/sensors/canal:value");
    assert!(((after - before) / 1e-3 - 0.125_f64.sqrt()).abs() < 1e-9, "{after} {before}");
}

#[test]
fn a_canal_forgets_a_turn_that_goes_on_and_otoliths_tell_a_tilt_at_their_gain() {
    let sensors = [
        ("canal", Measurand::SemicircularCanal, Vec::new()),
        ("otolith", Measurand::Otolith, Vec::new()),
    ];
    let mut model = head(0.0, Vec3::zeros(), &sensors);
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    let mut run = default_run(model, 0.01);
    run.advance(3.0).unwrap();
    let lag = |c: f64| 0.5 * (3.0 - c + c * (-3.0 / c).exp());
    let expected = 0.5_f64.sqrt() * (lag(0.003) - lag(5.73)) * 5.73 / (5.73 - 0.003);
    let told = real(&mut run, "/models/m/sensors/canal:value");
    // The turning is linear in time, for which lags are exact.
    assert!((told - expected).abs() < 1e-9, "{told} {expected}");
    let felt = vector(&mut run, "/models/m/sensors/otolith:vector");
    assert!((felt.z - 0.4 * 9.81).abs() < 1e-9, "{felt}");
}

/// VES-tendon-force-sensor of vestibular.json: a mass that is let go on a tendon, to 1e-3.
#[test]
fn a_tendon_tells_its_tension_and_its_organ_and_spindle_their_rates() {
    let (mass, stiffness) = (2.0, 4000.0);
    let mut model = Model::new("m");
    model.set_gravity(Vec3::new(0.0, 0.0, -9.81));
    let top = model.add(Particle::new(1.0, Vec3::z()).fixed());
    let bob = model.add(Particle::new(mass, Vec3::zeros()));
    let law = LinearAxial { stiffness, damping: 0.0, rest_length: 1.0 };
    let tendon = model.add(AxialSpring::new([top, bob], law).named("tendon"));
    model.add(Sensor::of_property(tendon, "tension").named("tension"));
    let of = || vec![Measured::Component(tendon.id())];
    model.add(Sensor::new(Measurand::TendonOrgan, of()).named("organ"));
    model.add(Sensor::new(Measurand::MuscleSpindle, of()).named("spindle"));
    let settings = SolverSettings {
        integrator: sinew::solve::Integrator::Trapezoidal(sinew::solve::ImplicitMode::default()),
        ..SolverSettings::default()
    };
    let simulation = Simulation::new(model, settings).unwrap();
    let mut run = Scheduler::new(simulation, SchedulerSettings::with_step(1e-3)).unwrap();
    let weight = mass * 9.81;
    let rate = (stiffness / mass).sqrt();
    let (mut peak, mut off) = (0.0_f64, 0.0_f64);
    for k in 1..=200 {
        run.step().unwrap();
        let t = 1e-3 * f64::from(k);
        let tension = real(&mut run, "/models/m/sensors/tension:value");
        peak = peak.max(tension);
        off = off.max((tension - weight * (1.0 - (rate * t).cos())).abs());
    }
    assert!((peak - 2.0 * weight).abs() < 1e-3 * 2.0 * weight, "{peak}");
    // The rule's phase is late by (w h)² / 12 a radian: 0.0015 after 200 steps.
    assert!(off < 4e-3 * weight, "{off}");
    let organ = real(&mut run, "/models/m/sensors/organ:value");
    let spindle = real(&mut run, "/models/m/sensors/spindle:value");
    assert!(organ > 0.0 && spindle > 0.0, "{organ} {spindle}");
}
