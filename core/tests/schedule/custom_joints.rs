//! Custom joints in runs: of registered code and of motions as data, with coordinates that are read, set, locked and led by their
//! names.

use sinew::component::{Affine, ComponentType, Handle, TransformOptions};
use sinew::constraint::spatial::{JointMotion, SpatialAxis, SpatialTransform};
use sinew::constraint::{CoordinateSpec, JointFunctions, Pose, Quantity, Range};
use sinew::dynamics::SpatialInertia;
use sinew::model::{
    CodeRegistry, CoordinateActuator, CustomJoint, Edit, FrameSite, Inertia, JointCoordinate,
    Model, RigidBody,
};
use sinew::property::{Declaration, JointImage, PropertyType, Value};
use sinew::schedule::{InputProbe, Scheduler};
use sinew::{Mat3, Vec3};

use super::scenes::{default_run, real, state, vector};

const G: f64 = 9.8;
const MASS: f64 = 2.0;
const MOMENT: f64 = 0.3;
const NUT: &str = "/models/m/rigid_bodies/nut";
const THREAD: &str = "/models/m/connectors/thread";

/// C turns by `turn` about z of D and advances by `lead` a radian.
fn screw(lead: f64) -> JointFunctions {
    JointFunctions {
        name: "screw".to_owned(),
        coordinates: vec![CoordinateSpec::angle("turn", Range::FREE)],
        rows: vec![
            Quantity::Length,
            Quantity::Length,
            Quantity::Length,
            Quantity::Angle,
            Quantity::Angle,
        ],
        pose: Box::new(move |q| Pose::new(Vec3::z() * lead * q[0], Vec3::z() * q[0])),
        errors: Box::new(move |t, q, g| {
            g[..2].copy_from_slice(&t.position[..2]);
            g[2] = t.position[2] - q[0] * lead;
            g[3..5].copy_from_slice(&t.tilt());
        }),
        readout: Box::new(|t, q| q[0] = t.twist()),
    }
}

fn registry() -> CodeRegistry {
    let mut code = CodeRegistry::default();
    code.add_joint("screw", |parameters| Ok(screw(parameters.number("lead")?)));
    // A mirror turns the thread over, and leaves its angle.
    code.add_joint_image("screw", |parameters, linear| {
        let lead = parameters.number("lead")? * linear[(2, 2)];
        Ok(JointImage { parameters: vec![("lead".to_owned(), lead.into())], ..Default::default() })
    });
    code
}

fn nut(model: &mut Model) -> Handle<RigidBody> {
    let inertia = SpatialInertia::new(MASS, Vec3::zeros(), Mat3::from_diagonal_element(MOMENT));
    model.set_gravity(Vec3::z() * -G);
    model.add(RigidBody::new("nut", Inertia::Explicit(inertia.unwrap())))
}

/// A nut on an upright thread, by registered code.
fn registered(lead: f64) -> Model {
    let mut model = Model::new("m");
    model.set_code(registry());
    let nut = nut(&mut model);
    let site = FrameSite::ground(Pose::identity());
    let thread = CustomJoint::registered("screw", FrameSite::on(nut, Pose::identity()), site);
    let thread = model.add(thread.named("thread"));
    let lead = Declaration::new("lead", PropertyType::Real).unit("m").default_value(lead);
    model.edit(Edit::declare(thread, lead)).unwrap();
    model
}

/// The same by a closure, and as a motion that is data.
fn closure(lead: f64) -> Model {
    let mut model = Model::new("m");
    let nut = nut(&mut model);
    let site = FrameSite::ground(Pose::identity());
    model.add(CustomJoint::new(screw(lead), FrameSite::on(nut, Pose::identity()), site));
    model
}

fn motion(lead: f64) -> Model {
    let mut model = Model::new("m");
    let nut = nut(&mut model);
    let mut transform = SpatialTransform::rest();
    transform.turns =
        [Vec3::z(), Vec3::x(), Vec3::y()].map(|axis| SpatialAxis::constant(axis, 0.0));
    transform.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
    transform.ways[2] = SpatialAxis {
        function: sinew::constraint::spatial::Function::Linear(vec![lead], 0.0),
        ..SpatialAxis::plain(Vec3::z(), 0)
    };
    let variables = JointMotion::variables_from_text("turn at 0").unwrap();
    let motion = JointMotion { variables, transform };
    let site = FrameSite::ground(Pose::identity());
    let joint = CustomJoint::moving("thread", motion, FrameSite::on(nut, Pose::identity()), site);
    model.add(joint.unwrap());
    model
}

/// Acceleration of the turn of a nut that falls along its thread [rad/s²].
fn fall(lead: f64) -> f64 {
    -MASS * G * lead / (MOMENT + MASS * lead * lead)
}

#[test]
fn a_joint_of_registered_code_moves_as_its_closure_does_and_comes_back_from_a_file() {
    let lead = 0.2;
    let named = registered(lead);
    let saved = serde_json::to_string(&named).unwrap();
    let mut again: Model = serde_json::from_str(&saved).unwrap();
    let unknown = again.compile().err().unwrap().to_string();
    assert!(
        unknown.contains("code is 'screw', and no joint of that name is registered"),
        "{unknown}"
    );
    again.set_code(registry());
    assert_eq!(serde_json::to_string(&again).unwrap(), saved);
    let [mut first, mut second, mut third] =
        [closure(lead), named, again].map(|it| default_run(it, 0.01));
    for _ in 0..50 {
        for run in [&mut first, &mut second, &mut third] {
            run.step().unwrap();
        }
        let expected = state(&mut first);
        assert_eq!((&expected.q, &expected.u), (&state(&mut second).q, &state(&mut second).u));
        assert_eq!((&expected.q, &expected.u), (&state(&mut third).q, &state(&mut third).u));
    }
    let turn = real(&mut second, &format!("{THREAD}:coordinate.turn.value"));
    assert!((turn / (0.5 * fall(lead) * 0.25) - 1.0).abs() < 0.03, "{turn}");
    let place = vector(&mut second, &format!("{NUT}:position"));
    assert!((place.z - lead * turn).abs() < 1e-9, "{place} {turn}");
}

#[test]
fn parameters_of_a_joint_of_code_are_those_that_are_declared_on_it_and_can_be_set_and_copied() {
    let mut model = registered(0.1);
    let lead = model.property(&format!("{THREAD}:lead")).unwrap();
    model.set_property(&lead, 0.3).unwrap();
    let thread = model.find_handle::<CustomJoint>(THREAD).unwrap();
    let added = model.edit(Edit::duplicate(thread)).unwrap().added();
    let copy = added.into_iter().find(|id| id.typed::<CustomJoint>().is_some()).unwrap();
    let copied = model.property_of(copy, "lead").unwrap();
    assert_eq!(model.get_real(&copied).unwrap(), 0.3);
    let mut run = default_run(model, 0.01);
    for _ in 0..20 {
        run.step().unwrap();
    }
    let speed = vector(&mut run, &format!("{NUT}:angular_velocity")).z;
    assert!((speed / (fall(0.3) * 0.2) - 1.0).abs() < 1e-2, "{speed}");
    let model = run.simulation().model();
    let mut other = model.clone();
    let clear = other.property(&format!("{THREAD}:code")).unwrap();
    other.set_property(&clear, Value::from("srew")).unwrap_err();
    other.set_property(&clear, Value::from("")).unwrap();
    assert!(other.get(thread).unwrap().motion().is_some(), "a motion that is data again");
    let undeclared = Model::clone(model);
    let property = undeclared.property(&format!("{THREAD}:lead")).unwrap();
    let mut undeclared = undeclared;
    undeclared.edit(Edit::Undeclare(property)).unwrap();
    let error = undeclared.compile().err().unwrap().to_string();
    assert!(error.contains("'lead'"), "{error}");
}

fn map(model: &mut Model, linear: Mat3) -> Result<(), String> {
    let ids = vec![model.find("/models/m").unwrap().component()];
    let (map, options) = (Affine::about(Vec3::zeros(), linear).into(), TransformOptions::default());
    let edit = Edit::Deform { ids, map, options };
    model.edit(edit).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn a_joint_of_code_is_scaled_and_mirrored_by_its_image_and_refused_without_one() {
    let before = registered(0.1);
    let lead = |model: &Model| {
        let property = model.property(&format!("{THREAD}:lead")).unwrap();
        model.get_real(&property).unwrap()
    };
    let mut model = before.clone();
    map(&mut model, Mat3::identity() * 2.0).unwrap();
    assert!((lead(&model) - 0.2).abs() < 1e-15);
    let mut model = before.clone();
    map(&mut model, Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0))).unwrap();
    assert!((lead(&model).abs() - 0.1).abs() < 1e-15, "{}", lead(&model));
    model.compile().unwrap();
    let mut plain = before.clone();
    let mut code = CodeRegistry::default();
    code.add_joint("screw", |parameters| Ok(screw(parameters.number("lead")?)));
    plain.set_code(code);
    let error = map(&mut plain, Mat3::identity() * 2.0).unwrap_err();
    assert!(error.contains("register its image"), "{error}");
    let turn = nalgebra::Rotation3::new(Vec3::x() * 0.4).into_inner();
    map(&mut plain, turn).unwrap();
    assert_eq!(lead(&plain), 0.1);
}

/// A curve of the turn that starts from rest.
fn curve(t: f64) -> [f64; 3] {
    [1.5 * t * t, 3.0 * t, 3.0]
}

#[test]
fn coordinates_of_custom_joints_go_through_keyframes_by_their_names() {
    let lead = 0.2;
    for mut model in [registered(lead), motion(lead)] {
        let list: Vec<f64> =
            (0..=4).flat_map(|k| [0.1 * f64::from(k), curve(0.1 * f64::from(k))[0]]).collect();
        for (name, value) in [
            ("locked", Value::Bool(true)),
            ("keyframes", Value::List(list)),
            ("keyframe_interpolation", Value::from("Spline")),
        ] {
            let property = model.property(&format!("{THREAD}:coordinate.turn.{name}")).unwrap();
            model.set_property(&property, value).unwrap();
        }
        check_prescribed(default_run(model, 0.01), lead, true);
    }
}

#[test]
fn probes_prescribe_coordinates_of_custom_joints_by_their_names() {
    let lead = 0.2;
    for mut model in [registered(lead), motion(lead)] {
        model.set_text(&format!("{THREAD}:coordinate.turn.locked"), "true").unwrap();
        let mut run = default_run(model, 0.01);
        let property =
            run.simulation().property(&format!("{THREAD}:coordinate.turn.value")).unwrap();
        let signal = |t: f64, values: &mut [f64]| values[0] = curve(t)[0];
        run.add_input_probe(InputProbe::new("turn", vec![property], Box::new(signal)).unwrap());
        check_prescribed(run, lead, false);
    }
}

/// Places and velocities along the curve; the lock has the moment that gravity and inertia ask for, from the first frame on where
/// the path is known then.
fn check_prescribed(mut run: Scheduler, lead: f64, is_known: bool) {
    let moment = MOMENT * curve(0.0)[2] + lead * MASS * (lead * curve(0.0)[2] + G);
    let lock = |run: &mut Scheduler| {
        let property = run.simulation().property(&format!("{THREAD}:multipliers")).unwrap();
        run.simulation_mut().get(&property).unwrap().numbers().last().unwrap()
    };
    if is_known {
        let found = lock(&mut run);
        assert!((found / moment - 1.0).abs() < 1e-8, "{found} {moment}");
    }
    for k in 1..=40 {
        run.step().unwrap();
        let [turn, rate, _] = curve(0.01 * f64::from(k));
        let found = real(&mut run, &format!("{THREAD}:coordinate.turn.value"));
        assert!((found - turn).abs() < 1e-9, "{k}: {found} {turn}");
        let place = vector(&mut run, &format!("{NUT}:position")).z;
        assert!((place - lead * turn).abs() < 1e-9);
        let speed = vector(&mut run, &format!("{NUT}:angular_velocity")).z;
        assert!((speed - rate).abs() < 1e-6, "{k}: {speed} {rate}");
        let found = lock(&mut run);
        assert!((found / moment - 1.0).abs() < 1e-5, "{k}: {found} {moment}");
    }
}

#[test]
fn a_coordinate_of_a_custom_joint_that_is_set_moves_what_hangs_on_it() {
    let mut run = default_run(motion(0.2), 0.01);
    let property = run.simulation().property(&format!("{THREAD}:coordinate.turn.value")).unwrap();
    run.simulation_mut().set(&property, 7.0).unwrap();
    let place = vector(&mut run, &format!("{NUT}:position"));
    assert!((place.z - 1.4).abs() < 1e-12, "{place}");
    assert!((real(&mut run, &format!("{THREAD}:coordinate.turn.value")) - 7.0).abs() < 1e-12);
    let error = run.simulation().property(&format!("{THREAD}:coordinate.torn.value")).unwrap_err();
    assert!(error.to_string().contains("coordinate.turn.value"), "{error}");
}

#[test]
fn an_actuator_drives_a_coordinate_of_a_joint_of_code() {
    let mut model = registered(0.2);
    let thread = model.find_handle::<CustomJoint>(THREAD).unwrap();
    let of = JointCoordinate::new(thread, "turn");
    // Against gravity.
    model
        .add(CoordinateActuator { excitation: 1.0, ..CoordinateActuator::new(of, MASS * G * 0.2) });
    let mut run = default_run(model, 0.01);
    run.advance(0.2).unwrap();
    assert!(vector(&mut run, &format!("{NUT}:velocity")).norm() < 1e-9);
}
