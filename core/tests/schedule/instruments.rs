//! Sensors, controllers and events of a model in a run, against closed forms.

use std::f64::consts::FRAC_PI_2;

use sinew::Vec3;
use sinew::component::ComponentType;
use sinew::constraint::{JointKind, Pose};
use sinew::dynamics::SpatialInertia;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    AxialSpring, Collider, CollisionBehavior, CoordinateActuator, Event, FrameMarker, FrameSite,
    Inertia, Joint, JointCoordinate, LinearAxial, Measurand, Measured, Model, Particle, PointRef,
    PropertyController, RigidBody, Sensor,
};
use sinew::property::Value;
use sinew::schedule::{Halt, Scheduler, Simulation, SimulationError};
use sinew::solve::SolverSettings;

use super::scenes::{default_run, read, real, vector};

const G: f64 = 9.8;

/// Mass [kg], moment about the centre of mass [kg m²] and distance of that from the pivot [m] of the pendulum.
const PENDULUM: [f64; 3] = [2.0, 0.03, 0.4];

/// A compound pendulum at the origin, which turns about y, a quarter of a turn from rest.
fn pendulum() -> Model {
    let [mass, moment, length] = PENDULUM;
    let mut model = Model::new("m");
    let inertia =
        SpatialInertia::new(mass, Vec3::zeros(), sinew::Mat3::from_diagonal_element(moment))
            .unwrap();
    let place = Pose::translation(length, 0.0, 0.0);
    let body = model.add(RigidBody::new("bob", Inertia::Explicit(inertia)).at(place));
    let axis = Pose::rotation(Vec3::x() * -FRAC_PI_2);
    let c = FrameSite::on(body, place.inverse() * axis);
    model.add(Joint::new(JointKind::Hinge, c, FrameSite::ground(axis)).named("pivot"));
    model.add(FrameMarker::new(body, Vec3::zeros()).named("centre"));
    let of = || vec![Measured::Component(body.id())];
    for (name, quantity) in [
        ("acceleration", Measurand::Acceleration),
        ("turning", Measurand::AngularAcceleration),
        ("felt", Measurand::SpecificForce),
    ] {
        model.add(Sensor::new(quantity, of()).named(name));
    }
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    model
}

#[test]
fn accelerations_of_a_pendulum_are_those_of_its_closed_form() {
    let [mass, moment, length] = PENDULUM;
    let about_pivot = moment + mass * length * length;
    let step = 5e-4;
    let mut run = default_run(pendulum(), step);
    let body = "/models/m/rigid_bodies/bob";
    let (mut largest, mut before) = (0.0_f64, vector(&mut run, &format!("{body}:position")));
    for _ in 0..600 {
        run.step().unwrap();
        let now = vector(&mut run, &format!("{body}:position"));
        let r = (now + before) * 0.5;
        before = now;
        let alpha = r.cross(&Vec3::new(0.0, 0.0, -mass * G)) / about_pivot;
        // From rest at the height of the pivot.
        let rate_squared = 2.0 * mass * G * -r.z / about_pivot;
        let expected = alpha.cross(&r) - r * rate_squared;
        let read = vector(&mut run, "/models/m/sensors/acceleration:vector");
        largest = largest.max((read - expected).norm());
        let turning = vector(&mut run, "/models/m/sensors/turning:vector");
        assert!((turning - alpha).norm() < 0.02 * G / length, "{turning} {alpha}");
        let Value::Pose(pose) = read_pose(&mut run, body) else { panic!("a pose") };
        let felt = vector(&mut run, "/models/m/sensors/felt:vector");
        assert!((pose.rotation * felt - (read + Vec3::z() * G)).norm() < 1e-12);
    }
    // Of first order in the step: energy that is lost, and means over it.
    assert!(largest < 0.02 * G, "{largest}");
    assert!(before.z < -0.3, "it has swung: {before}");
}

fn read_pose(run: &mut Scheduler, body: &str) -> Value {
    read(run, &format!("{body}:pose"))
}

#[test]
fn an_accelerometer_at_rest_feels_its_weight_and_one_that_falls_feels_nothing() {
    let mut model = Model::new("m");
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let tilted = Pose::rotation(Vec3::x() * 0.5);
    let still = model.add(RigidBody::from_mesh("still", mesh, 1e3).at(tilted).fixed());
    let stone = model.add(Particle::new(1.0, Vec3::z()));
    model.add(
        Sensor::new(Measurand::SpecificForce, vec![Measured::Component(still.id())]).named("still"),
    );
    let of = vec![Measured::Point(PointRef::Particle(stone))];
    model.add(Sensor::new(Measurand::SpecificForce, of).named("stone"));
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let mut run = default_run(model, 0.01);
    let weight = tilted.rotation.inverse() * (Vec3::z() * G);
    assert!(
        (vector(&mut run, "/models/m/sensors/still:vector") - weight).norm() < 1e-14,
        "before the first step"
    );
    run.advance(0.1).unwrap();
    assert!((vector(&mut run, "/models/m/sensors/still:vector") - weight).norm() < 1e-13);
    // Roundings of velocities of 1 m/s over a step of 10 ms.
    assert!(vector(&mut run, "/models/m/sensors/stone:vector").norm() < 1e-12);
}

#[test]
fn reactions_of_a_driven_slider_are_those_of_its_closed_form() {
    let (mass, force, drop) = (3.0, 6.0, 0.2);
    let mut model = Model::new("m");
    let inertia =
        SpatialInertia::new(mass, Vec3::zeros(), sinew::Mat3::from_diagonal_element(0.1)).unwrap();
    // The centre of mass hangs below the line.
    let place = Pose::translation(0.0, 0.0, -drop);
    let body = model.add(RigidBody::new("sled", Inertia::Explicit(inertia)).at(place));
    let along_x = Pose::rotation(Vec3::y() * FRAC_PI_2);
    let c = FrameSite::on(body, place.inverse() * along_x);
    let rail =
        model.add(Joint::new(JointKind::Slider, c, FrameSite::ground(along_x)).named("rail"));
    let of = JointCoordinate::new(rail, "z");
    model.add(CoordinateActuator { excitation: 1.0, ..CoordinateActuator::new(of, force) });
    model.add(Sensor::of_property(rail, "force").named("force"));
    model.add(Sensor::of_property(rail, "moment").named("moment"));
    model
        .add(Sensor::new(Measurand::Acceleration, vec![Measured::Component(body.id())]).named("a"));
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let mut run = default_run(model, 0.01);
    let gravity = Vec3::new(0.0, 0.0, -G);
    let acceleration = Vec3::x() * (force / mass);
    // Momentum: reaction + weight is what is across the rail; moment of momentum about the origin of C.
    let expected =
        [-gravity * mass, Vec3::new(0.0, 0.0, -drop).cross(&((acceleration - gravity) * mass))];
    // Before the first step, by the accelerations there.
    for (name, expected) in [("force", expected[0]), ("moment", expected[1])] {
        for path in [format!("sensors/{name}:vector"), format!("connectors/rail:{name}")] {
            let read = vector(&mut run, &format!("/models/m/{path}"));
            assert!((read - expected).norm() < 1e-6, "{path}: {read} {expected}");
        }
    }
    for _ in 0..30 {
        run.step().unwrap();
        let [force, moment] = ["force", "moment"]
            .map(|name| vector(&mut run, &format!("/models/m/sensors/{name}:vector")));
        // Rows yield a little: 2e-8 of forces of 30 N, and of gravity across the rail.
        assert!((force - expected[0]).norm() < 3e-6, "{force}");
        assert!((moment - expected[1]).norm() < 3e-6, "{moment} {}", expected[1]);
        let read = vector(&mut run, "/models/m/sensors/a:vector");
        assert!((read - acceleration).norm() < 1e-6, "{read}");
    }
}

/// A pole that stands on a cart, leaning a little; the cart slides along x and is pushed by an actuator.
fn pole_on_cart(controlled: bool) -> Model {
    let mut model = Model::new("m");
    let solid = |mass: f64| {
        SpatialInertia::new(mass, Vec3::zeros(), sinew::Mat3::from_diagonal_element(0.02 * mass))
            .unwrap()
    };
    let cart = model.add(RigidBody::new("cart", Inertia::Explicit(solid(1.0))));
    let lean = Pose::rotation(Vec3::y() * 0.1);
    let middle = lean * Pose::translation(0.0, 0.0, 0.5);
    let pole = model.add(RigidBody::new("pole", Inertia::Explicit(solid(0.2))).at(middle));
    let along_x = Pose::rotation(Vec3::y() * FRAC_PI_2);
    let rail =
        Joint::new(JointKind::Slider, FrameSite::on(cart, along_x), FrameSite::ground(along_x));
    let rail = model.add(rail.named("rail"));
    let about_y = Pose::rotation(Vec3::x() * -FRAC_PI_2);
    let c = FrameSite::on(pole, Pose::translation(0.0, 0.0, -0.5) * about_y);
    model.add(Joint::new(JointKind::Hinge, c, FrameSite::on(cart, about_y)).named("pivot"));
    model.add(FrameMarker::new(pole, Vec3::z() * 0.5).named("tip"));
    let motor = CoordinateActuator::new(JointCoordinate::new(rail, "z"), 0.0);
    let motor = model.add(CoordinateActuator { excitation: 1.0, ..motor }.named("motor"));
    let ends = [
        Measured::Point(PointRef::Marker(model.nth::<FrameMarker>(0))),
        Measured::Component(cart.id()),
    ];
    model.add(Sensor::new(Measurand::Distance, ends.to_vec()).named("length"));
    if controlled {
        // The lean, and a little of the place and the speed of the cart.
        let error = "{/models/m/frame_markers/tip:position.x} - {/models/m/rigid_bodies/cart:position.x} \
                     + 0.02 * {/models/m/rigid_bodies/cart:position.x} + 0.03 * {/models/m/rigid_bodies/cart:velocity.x}";
        let controller = PropertyController::new(error, motor, "max_force").pid(60.0, 0.0, 12.0);
        model.add(PropertyController { lower: -50.0, upper: 50.0, ..controller }.named("balance"));
    }
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    model
}

/// Largest lean over the last second of four [rad].
fn last_lean(controlled: bool) -> f64 {
    let mut run = default_run(pole_on_cart(controlled), 0.005);
    run.advance(3.0).unwrap();
    let mut largest = 0.0_f64;
    for _ in 0..200 {
        run.step().unwrap();
        let length = real(&mut run, "/models/m/sensors/length:value");
        assert!((length - 1.0).abs() < 1e-6, "{length}");
        let tip = vector(&mut run, "/models/m/frame_markers/tip:position");
        let cart = vector(&mut run, "/models/m/rigid_bodies/cart:position");
        let up = tip - cart;
        largest = largest.max(up.x.hypot(up.y).atan2(up.z));
    }
    largest
}

#[test]
fn feedback_keeps_a_pole_on_a_cart_upright_and_without_it_the_pole_falls() {
    let [balanced, free] = [true, false].map(last_lean);
    assert!(free > 1.0, "{free}");
    assert!(balanced < 0.02, "{balanced}");
}

/// A particle that falls from 1 m.
fn falling() -> Model {
    let mut model = Model::new("m");
    model.add(Particle::new(1.0, Vec3::z()).named("p"));
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    model
}

const HEIGHT: &str = "{/models/m/particles/p:position.z}";

#[test]
fn an_event_acts_after_the_step_in_which_its_value_crosses_and_is_taken_back_with_time() {
    let mut model = falling();
    model.add(Event::new(HEIGHT, 0.5, "set /models/m:gravity 0 0 0").named("float"));
    let mut run = default_run(model, 0.01);
    run.add_waypoint(0.1, false).unwrap();
    let velocity = |run: &mut Scheduler| vector(run, "/models/m/particles/p:velocity").z;
    let mut crossed = None;
    let mut first = Vec::new();
    for k in 0..60 {
        let before = vector(&mut run, "/models/m/particles/p:position").z;
        let speed = velocity(&mut run);
        run.step().unwrap();
        let now = vector(&mut run, "/models/m/particles/p:position").z;
        first.push(now);
        if before >= 0.5 && now < 0.5 {
            crossed = Some(k);
            assert!(
                (velocity(&mut run) - speed + G * 0.01).abs() < 1e-12,
                "the step itself is as ever"
            );
        } else if crossed.is_some() {
            assert!((velocity(&mut run) - speed).abs() < 1e-14, "it floats");
        }
    }
    assert!(crossed.is_some());
    assert!((run.rewind(0.1).unwrap() - 0.1).abs() < 1e-12);
    assert_eq!(vector(&mut run, "/models/m:gravity"), Vec3::new(0.0, 0.0, -G), "as it was there");
    for k in 10..60 {
        run.step().unwrap();
        assert_eq!(vector(&mut run, "/models/m/particles/p:position").z, first[k], "{k}");
    }
}

#[test]
fn events_halt_runs_save_waypoints_and_edit_the_model() {
    let mut model = falling();
    model.add(Event { once: true, ..Event::new(HEIGHT, 0.9, "waypoint") }.named("mark"));
    model.add(Event::new(HEIGHT, 0.7, "add particle q position=\"1 0 0\"").named("born"));
    model.add(Event::new(HEIGHT, 0.5, "stop").named("halt"));
    let mut run = default_run(model, 0.01);
    assert_eq!(run.run_until(1.0).unwrap(), Halt::Breakpoint);
    let height = vector(&mut run, "/models/m/particles/p:position").z;
    assert!(height < 0.5 && height > 0.45, "{height}");
    let q = vector(&mut run, "/models/m/particles/q:position");
    assert!(q.z < 0.0, "it falls since: {q}");
    let marks: Vec<f64> = run.waypoints().map(|(time, ..)| time).collect();
    assert_eq!(marks.len(), 2, "{marks:?}");
    assert_eq!(run.run_until(1.0).unwrap(), Halt::Reached);
}

#[test]
fn what_cannot_be_done_names_the_component_and_the_reason() {
    let refused = |add: &dyn Fn(&mut Model)| {
        let mut model = falling();
        add(&mut model);
        match Simulation::new(model, SolverSettings::default()) {
            Err(error) => error.to_string(),
            Ok(mut simulation) => simulation.step(0.01).unwrap_err().to_string(),
        }
    };
    let p = falling().nth::<Particle>(0);
    for (error, parts) in [
        (
            refused(&|m| {
                m.add(Event::new("{/models/m/nobody:x}", 0.0, "stop").named("e"));
            }),
            ["/models/m/events/e:when", "nobody"],
        ),
        (
            refused(&|m| {
                m.add(Event::new(HEIGHT, 0.0, "jump high").named("e"));
            }),
            ["/models/m/events/e", "unknown edit 'jump'"],
        ),
        (
            refused(&|m| {
                m.add(PropertyController::new("1 +", p, "mass").named("c"));
            }),
            ["controllers/c:input", "no formula"],
        ),
        (
            refused(&|m| {
                m.add(PropertyController::new("1", p, "position").named("c"));
            }),
            ["controllers/c:property", "one number"],
        ),
        (
            refused(&|m| {
                m.add(PropertyController::new("0 - t - 1", p, "mass").named("c"));
            }),
            ["controllers/c", "mass must be > 0"],
        ),
        (
            refused(&|m| {
                m.add(PropertyController::new("1 / t", p, "mass").named("c"));
            }),
            ["controllers/c", "finite"],
        ),
        (
            refused(&|m| {
                m.add(Sensor::of_property(p, "colour").named("s"));
            }),
            ["sensors/s:property", "colour"],
        ),
        (
            refused(&|m| {
                m.add(Sensor::new(Measurand::Angle, vec![Measured::Point(p.into())]).named("s"));
            }),
            ["sensors/s:of", "needs 3"],
        ),
    ] {
        assert!(parts.iter().all(|part| error.contains(part)), "{error} has not {parts:?}");
    }
}

#[test]
fn controllers_set_properties_by_expressions_and_tables() {
    let mut model = falling();
    let p = model.nth::<Particle>(0);
    let q = model.add(Particle::new(1.0, Vec3::x()).fixed());
    let law = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 1.0 };
    let spring = model.add(AxialSpring::new([p, q], law).named("s"));
    model.add(PropertyController::new("0.5 + t", spring, "rest_length"));
    let table = vec![[0.0, 1.0], [0.1, 3.0]];
    model.add(PropertyController::new("t", spring, "material.stiffness").by_table(table));
    let mut run = default_run(model, 0.01);
    for k in 0..20 {
        run.step().unwrap();
        let time = 0.01 * f64::from(k);
        let length = real(&mut run, "/models/m/axial_springs/s:rest_length");
        assert!((length - 0.5 - time).abs() < 1e-12, "{length}");
        let stiffness = real(&mut run, "/models/m/axial_springs/s:material.stiffness");
        assert!((stiffness - (1.0 + 20.0 * time).min(3.0)).abs() < 1e-9, "{stiffness}");
    }
}

#[test]
fn feedback_sums_its_error_up_and_its_integral_goes_to_the_end_of_the_output_and_no_further() {
    let mut model = falling();
    let p = model.nth::<Particle>(0);
    let feedback = PropertyController::new("2 - t", p, "mass").pid(0.0, 10.0, 0.0);
    model.add(PropertyController { lower: 0.5, upper: 5.0, ..feedback });
    let mut run = default_run(model, 0.25);
    let mut masses = Vec::new();
    for _ in 0..12 {
        run.step().unwrap();
        masses.push(real(&mut run, "/models/m/particles/p:mass"));
    }
    // The error times 2.5 is added in each step: 5, more than which is refused until the error is negative, from 2.25 s on.
    assert_eq!(masses[..9], [5.0; 9]);
    assert_eq!(masses[9..], [4.375, 3.125, 1.25]);
}

#[test]
fn readings_come_late_and_hold_between_samples() {
    let mut model = falling();
    let p = model.nth::<Particle>(0);
    let height = Sensor::of_property(p, "position");
    model.add(Sensor { interval: 0.05, ..height.clone() }.named("slow"));
    model.add(Sensor { delay: 0.03, ..height.clone() }.named("late"));
    let noisy = Sensor { noise: 0.1, seed: 7, ..height };
    model.add(noisy.clone().named("noisy"));
    model.add(Sensor { seed: 8, ..noisy }.named("other"));
    let mut run = default_run(model, 0.01);
    let mut heights = vec![1.0];
    let mut differences = Vec::new();
    for k in 1..=20_usize {
        run.step().unwrap();
        heights.push(vector(&mut run, "/models/m/particles/p:position").z);
        let read = |run: &mut Scheduler, name: &str| {
            vector(run, &format!("/models/m/sensors/{name}:vector")).z
        };
        assert_eq!(read(&mut run, "slow"), heights[k / 5 * 5], "{k}");
        assert_eq!(read(&mut run, "late"), heights[k.saturating_sub(3)], "{k}");
        let [a, b] = ["noisy", "other"].map(|name| read(&mut run, name) - heights[k]);
        assert!(a != b && a.abs() < 0.6 && a != 0.0);
        differences.push(a);
    }
    let mean: f64 = differences.iter().sum::<f64>() / 20.0;
    // Four standard errors.
    assert!(mean.abs() < 4.0 * 0.1 / 20.0_f64.sqrt(), "{mean}");
}

#[test]
fn a_run_with_sensors_controllers_and_events_comes_the_same_way_again() {
    let mut model = pole_on_cart(true);
    let tip = model.nth::<FrameMarker>(0);
    let noisy = Sensor {
        noise: 0.01,
        seed: 3,
        delay: 0.02,
        interval: 0.01,
        ..Sensor::of_property(tip, "position")
    };
    model.add(noisy.named("eye"));
    let pull = "{/models/m/sensors/eye:vector.x} + t";
    model.add(Event::new(pull, 0.4, "set /models/m:gravity 0 0 -8").named("lighter"));
    let mut run = default_run(model, 0.005);
    run.add_waypoint(0.2, false).unwrap();
    run.advance(0.6).unwrap();
    let state = |run: &mut Scheduler| run.simulation_mut().state().unwrap().clone();
    let first = state(&mut run);
    let eye = vector(&mut run, "/models/m/sensors/eye:vector");
    assert_eq!(vector(&mut run, "/models/m:gravity").z, -8.0);
    run.rewind(0.2).unwrap();
    run.advance(0.6).unwrap();
    assert_eq!(state(&mut run), first);
    assert_eq!(vector(&mut run, "/models/m/sensors/eye:vector"), eye);
}

#[test]
fn the_centre_of_pressure_of_a_block_at_rest_is_below_its_weight() {
    let mut model = Model::new("m");
    let mesh = cuboid_mesh(&Vec3::repeat(0.1)).unwrap();
    let block =
        model.add(RigidBody::from_mesh("block", mesh, 1e3).at(Pose::translation(0.3, 0.2, 0.0501)));
    model.add(Collider::boxed(block, Vec3::repeat(0.05)));
    model.add(Collider::half_space(Pose::identity()));
    let touch = model.add(CollisionBehavior::everything(0.3).named("all"));
    let of = vec![Measured::Component(touch.id())];
    model.add(Sensor::new(Measurand::CenterOfPressure, of).named("cop"));
    model.add(Sensor::of_property(touch, "force").named("force"));
    model.set_gravity(Vec3::new(0.0, 0.0, -G));
    let mut run = default_run(model, 0.01);
    let before = vector(&mut run, "/models/m/sensors/cop:vector");
    assert!(before.iter().all(|x| x.is_finite()), "nothing touches yet: {before}");
    run.advance(0.5).unwrap();
    let place = vector(&mut run, "/models/m/sensors/cop:vector");
    assert!((place - Vec3::new(0.3, 0.2, 0.0)).norm() < 1e-3, "{place}");
    let force = real(&mut run, "/models/m/sensors/force:value");
    assert!((force - G).abs() < 1e-3 * G, "{force}");
}

#[test]
fn a_step_that_fails_in_a_controller_names_it_and_the_time() {
    let mut model = falling();
    let p = model.nth::<Particle>(0);
    model.add(PropertyController::new("0.05 - t", p, "mass").named("thin"));
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    let error = (0..20).find_map(|_| simulation.step(0.01).err()).expect("the mass ends");
    let SimulationError::Callback { name, time, .. } = &error else { panic!("{error}") };
    assert_eq!(name, "/models/m/controllers/thin");
    assert!((time - 0.05).abs() < 1e-9);
}
