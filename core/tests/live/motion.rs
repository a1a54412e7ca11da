//! Bodies and joints that are put somewhere while a model runs.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::constraint::{JointKind, Pose};
use sinew::geometry::cuboid_mesh;
use sinew::model::{FrameMarker, FrameSite, Joint, Model, RigidBody};
use sinew::property::Value;
use sinew::schedule::{Simulation, SimulationError};

use crate::fixture::{advance, motion, scene, settings};

/// Links of 0.2 m in a row along x, hinged about y, the first one to the ground at the origin.
fn chain(links: usize) -> (Model, Vec<Handle<RigidBody>>, Vec<Handle<Joint>>) {
    let mut model = Model::new("chain");
    let mesh = cuboid_mesh(&Vec3::new(0.2, 0.04, 0.04)).unwrap();
    let about_y =
        |x: f64| Pose::new(Vec3::new(x, 0.0, 0.0), Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for k in 0..links {
        let body = RigidBody::from_mesh(format!("link{k}"), mesh.clone(), 1000.0);
        let body = model.add(body.at(Pose::translation(0.2 * k as f64 + 0.1, 0.0, 0.0)));
        let d = match bodies.last() {
            None => FrameSite::ground(about_y(0.0)),
            Some(&before) => FrameSite::on(before, about_y(0.1)),
        };
        joints.push(model.add(Joint::new(JointKind::Hinge, FrameSite::on(body, about_y(-0.1)), d)));
        bodies.push(body);
    }
    (model, bodies, joints)
}

fn get(
    simulation: &mut Simulation,
    host: impl Into<sinew::component::ComponentId>,
    name: &str,
) -> Value {
    let property = simulation.model().property_of(host.into(), name).unwrap();
    simulation.get(&property).unwrap()
}

fn set(
    simulation: &mut Simulation,
    host: impl Into<sinew::component::ComponentId>,
    name: &str,
    to: impl Into<Value>,
) {
    let property = simulation.model().property_of(host.into(), name).unwrap();
    simulation.set(&property, to).unwrap();
}

fn position(simulation: &mut Simulation, body: Handle<RigidBody>) -> Vec3 {
    match get(simulation, body, "position") {
        Value::Vector(x) => x,
        other => panic!("{other}"),
    }
}

fn angle(simulation: &mut Simulation, joint: Handle<Joint>) -> f64 {
    match get(simulation, joint, "coordinate.theta.value") {
        Value::Real(x) => x,
        other => panic!("{other}"),
    }
}

#[test]
fn a_coordinate_that_is_set_moves_what_hangs_on_the_joint() {
    let (model, bodies, joints) = chain(3);
    let mut simulation = Simulation::new(model, settings()).unwrap();
    set(&mut simulation, joints[1], "coordinate.theta.value", 0.5);
    assert!((angle(&mut simulation, joints[1]) - 0.5).abs() < 1e-14);
    for k in [0, 2] {
        assert!(angle(&mut simulation, joints[k]).abs() < 1e-14, "joint {k}");
    }
    assert_eq!(position(&mut simulation, bodies[0]), Vec3::x() * 0.1);
    // About y from x towards -z.
    let along = Vec3::new(0.5_f64.cos(), 0.0, -(0.5_f64.sin()));
    let tip = position(&mut simulation, bodies[2]);
    assert!((tip - (Vec3::x() * 0.2 + along * 0.3)).norm() < 1e-14, "{tip}");
    // Nothing is left for the next step to bring onto the rows.
    let state = simulation.state().unwrap().clone();
    let rows = simulation.compiled().row_values(&state);
    assert!(rows.iter().all(|row| row[0].abs() < 1e-14), "{rows:?}");
    set(&mut simulation, joints[0], "coordinate.theta.value", -0.5);
    let tip = position(&mut simulation, bodies[2]);
    let root = Vec3::new(0.5_f64.cos(), 0.0, 0.5_f64.sin()) * 0.2;
    assert!((tip - (root + Vec3::x() * 0.3)).norm() < 1e-14, "the whole chain turns: {tip}");
}

#[test]
fn in_a_ring_one_body_moves_and_the_next_step_brings_the_rest_along() {
    let (mut model, bodies, joints) = chain(3);
    let about_y = Pose::new(Vec3::new(0.1, 0.0, 0.0), Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let ground = Pose::from_parts(Vec3::new(0.6, 0.0, 0.0).into(), about_y.rotation);
    let slot = Joint::new(
        JointKind::SlottedHinge,
        FrameSite::on(bodies[2], about_y),
        FrameSite::ground(ground),
    );
    let slot = model.add(slot);
    let mut simulation = Simulation::new(model, settings()).unwrap();
    set(&mut simulation, joints[1], "coordinate.theta.value", 0.2);
    assert!((angle(&mut simulation, joints[1]) - 0.2).abs() < 1e-14);
    assert_eq!(
        position(&mut simulation, bodies[2]),
        Vec3::x() * 0.5,
        "the ring is not torn further"
    );
    advance(&mut simulation, 1);
    for joint in joints.into_iter().chain([slot]) {
        let Value::List(errors) = get(&mut simulation, joint, "errors") else { panic!("a list") };
        assert!(errors.iter().all(|x| x.abs() < 1e-9), "{errors:?}");
    }
    assert!(position(&mut simulation, bodies[1]).z.abs() > 1e-3, "it is not back");
}

#[test]
fn a_pose_that_is_set_takes_markers_along_and_keeps_the_velocity_of_the_frame() {
    let scene = scene();
    let mut model = scene.model.clone();
    let body = scene.arm.body;
    let free = RigidBody { name: "free".into(), ..model[body].clone() };
    let free = RigidBody { velocity: Vec3::x(), angular_velocity: Vec3::z(), ..free };
    let free = model.add(free.at(Pose::translation(0.0, 2.0, 0.0)));
    let tip = model.add(FrameMarker::new(free, Vec3::x() * 0.1));
    let start = model[free].pose;
    let mut simulation = Simulation::new(model, settings()).unwrap();
    let pose =
        Pose::new(Vec3::new(0.3, 2.0, 0.1), Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    set(&mut simulation, free, "pose", pose);
    let Value::Pose(now) = get(&mut simulation, free, "pose") else { panic!("a pose") };
    assert!((now.inverse() * pose).rotation.angle() < 1e-14, "{now}");
    assert!((now.translation.vector - pose.translation.vector).norm() < 1e-15, "{now}");
    assert_eq!(get(&mut simulation, free, "velocity"), Value::Vector(Vec3::x()));
    let [q, u] = motion(&mut simulation, tip);
    assert!((q - Vec3::new(0.3, 2.1, 0.1)).norm() < 1e-15, "{q}");
    // 1 rad/s about z at an arm of 0.1 m along y.
    assert!((u - Vec3::new(0.9, 0.0, 0.0)).norm() < 1e-15, "{u}");
    assert_eq!(simulation.model()[free].pose, start, "where it starts is as it was");
    set(&mut simulation, free, "position", Vec3::zeros());
    set(&mut simulation, free, "velocity", Vec3::y());
    set(&mut simulation, free, "angular_velocity", Vec3::zeros());
    let [q, u] = motion(&mut simulation, tip);
    assert!((q - Vec3::y() * 0.1).norm() < 1e-15 && (u - Vec3::y()).norm() < 1e-15, "{q} {u}");
    // A hinged one is on its hinge again after a step.
    set(&mut simulation, body, "position", Vec3::new(0.1, 1.02, 0.0));
    assert!(simulation.state().unwrap().multipliers.is_empty());
    advance(&mut simulation, 1);
    let Value::List(errors) = get(&mut simulation, scene.arm.hinge, "errors") else {
        panic!("a list")
    };
    assert!(errors.iter().all(|x| x.abs() < 1e-9), "{errors:?}");
}

#[test]
fn a_coordinate_of_what_is_fixed_is_refused() {
    let (mut model, bodies, joints) = chain(1);
    model[bodies[0]].dynamic = false;
    let mut simulation = Simulation::new(model, settings()).unwrap();
    let theta = simulation.model().property_of(joints[0], "coordinate.theta.value").unwrap();
    let error = simulation.set(&theta, 0.1).unwrap_err();
    assert!(matches!(error, SimulationError::Property(_)), "{error}");
    assert!(error.to_string().contains("no side of the joint is free to move"), "{error}");
    let error = simulation.set(&theta, f64::NAN).unwrap_err().to_string();
    assert!(error.contains("finite"), "{error}");
    let mut model = simulation.model().clone();
    let error = model.set_property(&theta, 0.1).unwrap_err().to_string();
    assert!(error.contains("it is set in a simulation"), "{error}");
    assert!(model.get_property(&theta).is_err());
}
