//! Documents of MuJoCo: kinematics, masses, tendons, forces and runs against numbers of MuJoCo, what is told, what is
//! refused.

use std::path::Path;

use nalgebra::UnitQuaternion;
use sinew::axial::{AxialInput, AxialLaw, Past, TensionLaw};
use sinew::constraint::Pose;
use sinew::model::{
    CoordinateActuator, CustomJoint, JointCoordinateCoupling, MultiPointSpring, WrapSurface,
    WrapTurn,
};
use sinew::prelude::*;
use sinew::solve::{Integrator, NewtonSettings};
use sinew_model_files::{LoadOptions, ModelFile, Report, SaveOptions, Severity, load, save};

use super::mjcf_models::{ARM, CHAIN, LEG, PENDULUM};
use super::{errors, folder};

fn read_with(text: &str, parameters: &[(&str, &str)]) -> Result<ModelFile, Box<Report>> {
    let folder = folder(&[("model.xml", text)]);
    let parameters = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    load(&folder.path().join("model.xml"), &LoadOptions { parameters, ..LoadOptions::default() })
}

fn good_with(text: &str, parameters: &[(&str, &str)]) -> ModelFile {
    read_with(text, parameters).unwrap_or_else(|report| panic!("{}", report.render(false)))
}

pub(super) fn good(text: &str) -> ModelFile {
    good_with(text, &[])
}

/// A document with these children of the world and sections beside it.
pub(super) fn world(children: &str, rest: &str) -> String {
    format!("<mujoco>\n<worldbody>\n{children}\n</worldbody>\n{rest}\n</mujoco>")
}

/// Errors of a text: `line:column message`.
pub(super) fn refused(text: &str) -> String {
    let report = read_with(text, &[]).err().unwrap_or_else(|| panic!("it is read: {text}"));
    errors(&report).join("\n")
}

/// Warnings and notes: `line: message`.
pub(super) fn told(file: &ModelFile) -> Vec<String> {
    let list = file.report.diagnostics().iter();
    let line = |d| file.report.place(d).map_or(0, |(_, line, _)| line);
    list.map(|d| format!("{}: {}", line(d), d.message)).collect()
}

fn body(model: &Model, name: &str) -> Handle<RigidBody> {
    let mut bodies = model.iter::<RigidBody>();
    bodies.find(|it| it.1.name == name).unwrap_or_else(|| panic!("no body {name}")).0
}

fn line(model: &Model, name: &str) -> Handle<MultiPointSpring> {
    let mut lines = model.iter::<MultiPointSpring>();
    lines.find(|it| it.1.name == name).unwrap_or_else(|| panic!("no line {name}")).0
}

/// Length of a line at the start [m].
fn length(model: &Model, name: &str) -> f64 {
    let compiled = model.compile().unwrap();
    compiled.stretch_of_line(line(model, name), &compiled.initial_state()).unwrap()[0]
}

fn pose_of(place: [f64; 3], [w, x, y, z]: [f64; 4]) -> Pose {
    let turn = UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
    Pose::from_parts(Vec3::from(place).into(), turn)
}

/// The model at its start, for runs by the implicit midpoint rule.
fn started(model: Model) -> Simulation {
    let integrator = Integrator::Midpoint(NewtonSettings::default());
    let settings = SolverSettings { integrator, ..SolverSettings::default() };
    Simulation::new(model, settings).unwrap()
}

/// The model after a run.
fn run(model: Model, step: f64, count: usize) -> Simulation {
    let mut simulation = started(model);
    for _ in 0..count {
        simulation.step(step).unwrap();
    }
    simulation
}

fn place(simulation: &mut Simulation, name: &str) -> Vec3 {
    let handle = body(simulation.model(), name);
    simulation.pose(handle).unwrap().translation.vector
}

#[test]
fn bodies_stand_and_move_where_mujoco_has_them() {
    let file = good_with(CHAIN, &[("key", "bent")]);
    for (name, place, turn, velocity, rate) in POSES {
        let found = file.model.get(body(&file.model, name)).unwrap();
        let expected = pose_of(*place, *turn);
        let off = (found.pose.translation.vector - expected.translation.vector).norm();
        let turned = found.pose.rotation.angle_to(&expected.rotation);
        assert!(off < 1e-14 && turned < 1e-7, "{name}: {off} {turned}");
        let off = (found.velocity - Vec3::from(*velocity)).norm();
        let turning = (found.angular_velocity - Vec3::from(*rate)).norm();
        assert!(off < 1e-14 && turning < 1e-14, "{name}: {off} {turning}");
    }
    // Coordinates by name say the same as the keyframe.
    let q = ["0.1", "0.5", "-0.4", "0.3", "1.2", "0.05"];
    let names = ["lift", "swing", "twist", "bend", "roll", "slip"];
    let given: Vec<(&str, &str)> = names.into_iter().zip(q).collect();
    let other = good_with(CHAIN, &given).model;
    let [a, b] = [&file.model, &other].map(|model| model.get(body(model, "hand")).unwrap().pose);
    assert_eq!(a, b);
}

/// xpos, xquat, and velocities by `mj_objectVelocity` of CHAIN in its keyframe.
type Placed = (&'static str, [f64; 3], [f64; 4], [f64; 3], [f64; 3]);
const POSES: &[Placed] = &[
    (
        "upper",
        [0.07720665960467843, -0.1803752375501367, 1.0177891474005654],
        [0.9473256664370528, 0.21865283379174721, -0.02279990244868868, 0.23290595619855325],
        [-0.015681243333650743, 0.06429657828963643, 0.056593691370901075],
        [-0.16481248273863028, 0.22162830234339273, -0.17373486960691653],
    ),
    (
        "lower",
        [0.06787076653215499, -0.07034510111041531, 0.7887586256852869],
        [0.4597409263938918, 0.3414278057923954, -0.020832630202788915, 0.8195311681376798],
        [-0.0579702131722859, 0.03042878322323245, 0.044198301560966956],
        [-0.19868841151018, 0.717722848467433, -0.5771485812675978],
    ),
    (
        "hand",
        [-0.005497088367617989, -0.08008110351333725, 0.6388553821288162],
        [-0.3040726347530011, 0.15380173967501165, -0.015398280516218638, 0.9400253989251841],
        [0.16898294483922036, -0.44577437165498934, 0.025300508220357634],
        [-0.19868841151018, 0.717722848467433, -0.5771485812675978],
    ),
];

#[test]
fn masses_of_geoms_are_those_of_mujoco() {
    let file = good(CHAIN);
    for (name, mass, centre, moments) in MASSES {
        let inertia = file.model.get(body(&file.model, name)).unwrap().spatial_inertia().unwrap();
        let mut found: [f64; 3] = inertia.principal().0.into();
        found.sort_by(|a, b| b.total_cmp(a));
        let off = (inertia.center_of_mass() - Vec3::from(*centre)).norm();
        assert!((inertia.mass() / mass - 1.0).abs() < 1e-12 && off < 1e-12, "{name}: {inertia:?}");
        for (found, expected) in found.iter().zip(moments) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found} {expected}");
        }
    }
    let total = CHAIN.replace("<compiler ", "<compiler settotalmass=\"10\" ");
    let model = good(&total).model;
    let masses = model.iter::<RigidBody>().map(|it| it.1.spatial_inertia().unwrap().mass());
    // Bodies between joints have a millionth.
    assert!((masses.sum::<f64>() - 10.0).abs() < 1e-5);
}

/// body_mass, body_ipos, body_inertia of CHAIN.
const MASSES: &[(&str, f64, [f64; 3], [f64; 3])] = &[
    (
        "upper",
        1.6014549274878862,
        [0.01, 0.0, -0.05],
        [0.017486125774537106, 0.017486125774537106, 0.0012425600514629977],
    ),
    (
        "lower",
        0.6107256118578558,
        [0.0, 0.0, 0.0],
        [0.0030945127460830966, 0.0030945127460830966, 0.00026566564115816725],
    ),
    (
        "hand",
        0.8604849375055419,
        [0.01743203087724402, 0.006571720816932033, 0.011829097470477655],
        [0.00233766984455848, 0.0019132951268477519, 0.0011020824185738044],
    ),
];

#[test]
fn a_chain_with_turns_about_several_points_falls_as_in_mujoco() {
    let file = good_with(CHAIN, &[("key", "bent")]);
    let joints = told(&file);
    assert!(
        joints.iter().any(|it| it.contains("the joints of body 'lower' are no single joint")),
        "{joints:?}"
    );
    let mut simulation = run(file.model, 2e-3, 100);
    let found = place(&mut simulation, "hand");
    // xpos of `hand` after 0.2 s by the qpos below, of mjINT_RK4 with a step of 1e-4 s.
    let q = [
        "-0.04132747138771339",
        "0.4257284201386234",
        "-0.32561185745873467",
        "0.3289167722570091",
        "1.3694344284935613",
        "0.06707014450704377",
    ];
    let names = ["lift", "swing", "twist", "bend", "roll", "slip"];
    let given: Vec<(&str, &str)> = names.into_iter().zip(q).collect();
    let model = good_with(CHAIN, &given).model;
    let expected = model.get(body(&model, "hand")).unwrap().pose.translation.vector;
    // A way of 0.13 m; a second-order step of 2 ms.
    assert!((found - expected).norm() < 2e-5, "{found} {expected}");
}

#[test]
fn wrapped_tendons_have_the_lengths_and_moment_arms_of_mujoco() {
    for &(q, expected, moments) in TENDON {
        let at = |q: [f64; 2]| {
            let [a, b] = q.map(|x| format!("{x}"));
            length(&good_with(ARM, &[("shoulder", &a), ("elbow", &b)]).model, "biceps")
        };
        assert!((at(q) - expected).abs() < 1e-12, "{q:?}: {} {expected}", at(q));
        for k in 0..2 {
            let moved = |by: f64| {
                let mut q = q;
                q[k] += by;
                at(q)
            };
            let arm = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((arm - moments[k]).abs() < 1e-8, "{q:?} {k}: {arm} {}", moments[k]);
        }
    }
    let model = good(ARM).model;
    let surfaces: Vec<_> =
        model.iter::<WrapSurface>().map(|it| (it.1.turn, it.1.side_point)).collect();
    assert!(surfaces.iter().all(|it| it.0 == WrapTurn::Side), "{surfaces:?}");
    assert!((surfaces[0].1 - Vec3::new(0.1, 0.0, 0.0)).norm() < 1e-15, "{surfaces:?}");
}

/// qpos, ten_length and its moment of ARM.
const TENDON: &[([f64; 2], f64, [f64; 2])] = &[
    ([-0.8, 0.1], 0.44035012017662223, [0.06820718622795123, -0.02860605435625623]),
    ([0.3, 0.7], 0.46119876291489026, [0.030000000000000006, -0.05688902835182615]),
    ([0.9, 2.1], 0.3742862938639022, [0.029999999999999995, -0.07350935945262686]),
];

#[test]
fn muscles_without_a_force_are_scaled_as_by_mujoco() {
    let file = good_with(ARM, &[("shoulder", "0.3"), ("elbow", "0.7")]);
    let found = file.model.get(line(&file.model, "biceps")).unwrap();
    let AxialLaw::MujocoMuscle(law) = found.material else { panic!("{:?}", found.material) };
    // actuator_acc0 of ARM, which has an armature, and its scale.
    assert!((law.max_force / (150.0 / 6.490504978001616) - 1.0).abs() < 1e-7, "{law:?}");
    let times = (found.activation.activation_time, found.activation.deactivation_time);
    assert_eq!((times, found.activation.least), ((0.02, 0.06), 0.0));
    let length = length(&file.model, "biceps");
    let input = AxialInput { length, excitation: 0.6, ..AxialInput::default() };
    // actuator_force at act = 0.6 and rest.
    let force = law.tension(&input, &Past::NONE).force;
    assert!((force / 14.337479852090771 - 1.0).abs() < 1e-6, "{force}");
}

#[test]
fn a_muscle_without_a_range_of_lengths_takes_that_of_its_joints() {
    let text = ARM.replace(" lengthrange=\"0.3 0.45\"", "");
    let file = good(&text);
    let told = told(&file);
    assert!(told.iter().any(|it| it.contains("muscle 'biceps' has no lengthrange")), "{told:?}");
    let found = file.model.get(line(&file.model, "biceps")).unwrap().material;
    let AxialLaw::MujocoMuscle(law) = found else { panic!("{found:?}") };
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for i in 0..=6 {
        for j in 0..=6 {
            let (a, b) =
                ((i as f64 / 3.0 - 1.0) * 60f64.to_radians(), j as f64 / 6.0 * 130f64.to_radians());
            let (a, b) = (format!("{a}"), format!("{b}"));
            let at = length(&good_with(&text, &[("shoulder", &a), ("elbow", &b)]).model, "biceps");
            ends = [ends[0].min(at), ends[1].max(at)];
        }
    }
    // The same grid, looked at along one coordinate after the other.
    let off = (law.short_length - ends[0]).abs().max((law.long_length - ends[1]).abs());
    assert!(off < 1e-6, "{law:?} {ends:?}");
}

#[test]
fn an_arm_with_muscle_motors_servo_and_springs_moves_as_in_mujoco() {
    let mut model = good_with(ARM, &[("shoulder", "0.1"), ("elbow", "0.4")]).model;
    // ctrl 0.2 of 2, 0.6 of 2, 0.1.
    for (name, excitation) in [("push", 0.1), ("servo", 0.3), ("both_1", 0.1), ("both_2", 0.1)] {
        let found = model.iter::<CoordinateActuator>().find(|it| it.1.name == name).unwrap().0;
        model.get_mut(found).unwrap().excitation = excitation;
    }
    // Activations begin at 0, as in MuJoCo, with excitations that begin after the start.
    let mut simulation = started(model);
    let muscle = line(simulation.model(), "biceps");
    simulation.model_mut().get_mut(muscle).unwrap().excitation = 0.5;
    for _ in 0..200 {
        simulation.step(1e-3).unwrap();
    }
    let found = place(&mut simulation, "fore");
    // qpos after 0.2 s by mjINT_RK4: 0.34346241, 0.67427944.
    let expected =
        Vec3::new(-0.3 * 0.3434624147973878f64.sin(), 0.0, -0.3 * 0.3434624147973878f64.cos());
    assert!((found - expected).norm() < 3e-5, "{found} {expected}");
    let handle = body(simulation.model(), "fore");
    let turn = simulation.pose(handle).unwrap().rotation.angle();
    let expected: f64 = 0.6742794373694194 - 0.3434624147973878;
    assert!((turn - expected).abs() < 2e-4, "{turn} {expected}");
}

#[test]
fn springs_dampers_and_armatures_of_joints_move_as_in_mujoco() {
    let off = |step: f64| {
        let mut simulation = run(good(PENDULUM).model, step, (0.5 / step).round() as usize);
        // xpos of `slider` after 0.5 s by mjINT_RK4.
        let expected = Vec3::new(-0.10653989759089724, 0.0, -1.0196099269684789);
        (place(&mut simulation, "slider") - expected).norm()
    };
    let [coarse, fine] = [4e-3, 2e-3].map(off);
    assert!(fine < 3e-5 && fine < 0.35 * coarse, "{coarse} {fine}");
}

#[test]
fn armatures_count_in_sums_of_rates_too() {
    let settings =
        SolverSettings { integrator: Integrator::RungeKutta4, ..SolverSettings::default() };
    let mut simulation = Simulation::new(good(PENDULUM).model, settings).unwrap();
    for _ in 0..500 {
        simulation.step(1e-3).unwrap();
    }
    let expected = Vec3::new(-0.10653989759089724, 0.0, -1.0196099269684789);
    let found = place(&mut simulation, "slider");
    assert!((found - expected).norm() < 1e-8, "{found} {expected}");
}

#[test]
fn joints_follow_polynomials_of_others() {
    let given = [("hip", "0.5"), ("knee", "0.9")];
    let file = good_with(LEG, &given);
    // xpos with all equalities satisfied.
    let places = [
        ("shank", [-0.17894117346043487, 0.0, 0.6435379318572663]),
        ("foot", [-0.5517568078473254, 0.0, 0.4985948300665969]),
    ];
    for (name, place) in places {
        let found = file.model.get(body(&file.model, name)).unwrap().pose.translation.vector;
        assert!((found - Vec3::from(place)).norm() < 1e-14, "{name} {found}");
    }
    let couplings: Vec<_> =
        file.model.iter::<JointCoordinateCoupling>().map(|it| &it.1.name).collect();
    assert_eq!(couplings, ["a", "b", "c"]);
    let joint = file.model.iter::<CustomJoint>().next().unwrap().1;
    let names: Vec<_> =
        joint.functions().coordinates.iter().map(|it| it.name.to_string()).collect();
    assert_eq!(names, ["glide", "knee", "turn"]);
    let mut simulation = run(file.model, 1e-3, 200);
    let found = place(&mut simulation, "foot");
    // MuJoCo's constraints yield a little: their ankle is off by 4e-9 rad.
    let expected = Vec3::new(-0.4227145349513418, 0.0, 0.3374335638995067);
    assert!((found - expected).norm() < 5e-5, "{found} {expected}");
}

#[test]
fn orientations_in_all_forms_are_the_same() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let forms = [
        format!("quat=\"{half} 0 {half} 0\""),
        "axisangle=\"0 2 0 90\"".to_owned(),
        "euler=\"0 90 0\"".to_owned(),
        "xyaxes=\"0 0 -1 0 1 0\"".to_owned(),
        "zaxis=\"3 0 0\"".to_owned(),
    ];
    for form in forms {
        let text =
            world(&format!("<body name=\"a\" {form}><freejoint/><geom size=\".1\"/></body>"), "");
        let model = good(&text).model;
        let turn = model.get(body(&model, "a")).unwrap().pose.rotation;
        let expected =
            UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        assert!(turn.angle_to(&expected) < 1e-7, "{form}: {turn}");
    }
    let radians = world(
        "<body name=\"a\" euler=\"0 1 0\"><geom size=\".1\"/></body>",
        "<compiler angle=\"radian\"/>",
    );
    let model = good(&radians).model;
    let turn = model.get(body(&model, "a")).unwrap().pose.rotation.angle();
    assert!((turn - 1.0).abs() < 1e-12, "{turn}");
}

#[test]
fn welded_bodies_without_mass_share_that_of_the_others() {
    let inner = "<body name=\"root\"><freejoint/><body name=\"trunk\" pos=\"0 0 0.3\" euler=\"30 0 0\">\
                 <inertial pos=\"0.1 0 0\" mass=\"7\" fullinertia=\"0.3 0.2 0.25 0.01 0 0.02\"/></body></body>";
    let model = good(&world(inner, "")).model;
    let parts: Vec<_> = ["root", "trunk"]
        .map(|name| model.get(body(&model, name)).unwrap().clone())
        .into_iter()
        .map(|it| {
            let inertia = it.spatial_inertia().unwrap();
            inertia.transformed(&it.pose.rotation, &it.pose.translation.vector)
        })
        .collect();
    let all = SpatialInertia::composed(&parts).unwrap();
    let own = Mat3::new(0.3, 0.01, 0.0, 0.01, 0.2, 0.02, 0.0, 0.02, 0.25);
    let turn = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), 30f64.to_radians());
    let expected = SpatialInertia::new(7.0, Vec3::new(0.1, 0.0, 0.0), own).unwrap();
    let expected = expected.transformed(&turn, &Vec3::new(0.0, 0.0, 0.3));
    assert!((all.mass() - 7.0).abs() < 1e-12);
    assert!((all.center_of_mass() - expected.center_of_mass()).norm() < 1e-12);
    assert!((all.rotational() - expected.rotational()).amax() < 1e-12);
    // They stay together.
    let mut simulation = run(model, 1e-3, 20);
    let apart = place(&mut simulation, "trunk") - place(&mut simulation, "root");
    assert!((apart.norm() - 0.3).abs() < 1e-9, "{apart}");
}

/// Moments by MuJoCo 4.0: bounds come before the balance, and both are of principal moments.
#[test]
fn moments_of_no_solid_are_bounded_and_balanced_as_mujoco_does() {
    let diagonal = "diaginertia=\"1.3e-5 2.3e-4 2.98e-4\"";
    let full = "fullinertia=\"2.6e-07 7.1e-07 2.9e-07 1e-07 4e-08 -6e-08\"";
    let cases = [
        ("balanceinertia=\"true\"", diagonal, [1.803_333_333_333e-4; 3]),
        ("balanceinertia=\"true\" boundinertia=\"1e-4\"", diagonal, [1e-4, 2.3e-4, 2.98e-4]),
        ("boundinertia=\"1e-4\"", diagonal, [1e-4, 2.3e-4, 2.98e-4]),
        ("balanceinertia=\"true\"", full, [4.2e-7; 3]),
    ];
    for (compiler, inertia, expected) in cases {
        let inner = format!(
            "<body name=\"a\"><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" {inertia}/></body>"
        );
        let model = good(&world(&inner, &format!("<compiler {compiler}/>"))).model;
        let made = model.get(body(&model, "a")).unwrap().spatial_inertia().unwrap();
        let mut moments: Vec<f64> = made.principal().0.iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        for (found, expected) in moments.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-9, "{compiler}: {moments:?}");
        }
    }
}

#[test]
fn points_and_bodies_stay_together() {
    let bodies = "<body name=\"a\" pos=\"0 0 1\"><joint axis=\"0 1 0\"/><geom name=\"ga\" type=\"box\" size=\".1 .1 .1\" pos=\".2 0 0\"/></body>\
                  <body name=\"b\" pos=\"0.5 0 1\"><freejoint/><geom name=\"gb\" size=\".1\"/></body>\
                  <body name=\"c\" pos=\"0.5 0 0.5\" quat=\"0 1 0 0\"><freejoint/><geom name=\"gc\" size=\".1\"/></body>";
    let rest = "<equality><connect body1=\"b\" body2=\"a\" anchor=\"-0.1 0 0\"/><weld body1=\"b\" body2=\"c\"/></equality>\
                <contact><exclude body1=\"b\" body2=\"c\"/><exclude body1=\"a\" body2=\"b\"/><exclude body1=\"a\" body2=\"c\"/></contact>";
    let mut simulation = run(good(&world(bodies, rest)).model, 2e-3, 100);
    let [a, b, c] = ["a", "b", "c"].map(|name| body(simulation.model(), name));
    let [a, b, c] = [a, b, c].map(|it| simulation.pose(it).unwrap());
    let at = |pose: &Pose, point: Vec3| pose.transform_point(&point.into()).coords;
    let gap = at(&a, Vec3::new(0.4, 0.0, 0.0)) - at(&b, Vec3::new(-0.1, 0.0, 0.0));
    let seen = b.inv_mul(&c);
    assert!(gap.norm() < 1e-9, "{gap}");
    assert!((seen.translation.vector - Vec3::new(0.0, 0.0, -0.5)).norm() < 1e-9, "{seen}");
    assert!(b.translation.vector.z < 0.9, "{b}");
}

#[test]
fn geoms_touch_by_their_bits_and_pairs() {
    let bodies = "<geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>\
        <body name=\"falls\" pos=\"0 0 0.12\"><freejoint/><geom name=\"g1\" size=\".1\"/></body>\
        <body name=\"passes\" pos=\"1 0 0.12\"><freejoint/><geom name=\"g2\" size=\".1\" contype=\"2\" conaffinity=\"0\"/></body>\
        <body name=\"paired\" pos=\"2 0 0.12\"><freejoint/><geom name=\"g3\" size=\".1\" contype=\"0\" conaffinity=\"0\"/></body>\
        <body name=\"apart\" pos=\"3 0 0.12\"><freejoint/><geom name=\"g4\" type=\"capsule\" size=\".1 .1\"/></body>";
    let rest = "<contact><pair geom1=\"floor\" geom2=\"g3\"/><exclude body1=\"world\" body2=\"apart\"/></contact>";
    let mut simulation = run(good(&world(bodies, rest)).model, 2e-3, 150);
    let heights = ["falls", "passes", "paired", "apart"].map(|name| place(&mut simulation, name).z);
    assert!((heights[0] - 0.1).abs() < 1e-3 && (heights[2] - 0.1).abs() < 1e-3, "{heights:?}");
    assert!(heights[1] < -0.1 && heights[3] < -0.1, "{heights:?}");
}

#[test]
fn includes_stand_where_they_are_named_and_cycles_are_refused() {
    let main = "<mujoco>\n<include file=\"parts/defaults.xml\"/>\n<worldbody>\n<body name=\"a\">\n\
                <include file=\"parts/inside.xml\"/>\n</body></worldbody></mujoco>";
    let defaults =
        "<mujocoinclude><default><geom size=\"0.2\" density=\"500\"/></default></mujocoinclude>";
    let inside = "<mujocoinclude><freejoint/>\n<geom/><joint3/></mujocoinclude>";
    let files = [
        ("model/main.xml", main),
        ("model/parts/defaults.xml", defaults),
        ("model/parts/inside.xml", inside),
    ];
    let made = folder(&files);
    let file = super::loaded(&made.path().join("model/main.xml"));
    let mass = file.model.get(body(&file.model, "a")).unwrap().spatial_inertia().unwrap().mass();
    assert!((mass - 500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.008).abs() < 1e-9);
    assert_eq!(file.files.len(), 3);
    // What is told of an included file has its line there.
    let d = file.report.diagnostics().iter().find(|d| d.message.contains("joint3")).unwrap();
    let (path, line, _) = file.report.place(d).unwrap();
    assert!(path.ends_with("parts/inside.xml") && line == 2, "{path:?}:{line}");

    let own = "<mujoco><include file=\"model.xml\"/></mujoco>";
    assert!(refused(own).contains("'model.xml' is included twice, or includes itself"));
    let twice = main.replace("parts/inside.xml", "parts/defaults.xml");
    let made = folder(&[("model/main.xml", &twice), files[1], files[2]]);
    let report = load(&made.path().join("model/main.xml"), &LoadOptions::default()).unwrap_err();
    assert!(
        errors(&report)[0].starts_with("5:10 'parts/defaults.xml' is included twice"),
        "{:?}",
        errors(&report)
    );
    let out = "<mujoco><include file=\"../../../../etc/passwd\"/></mujoco>";
    assert!(refused(out).contains("leads out of"), "{}", refused(out));
}

#[test]
fn what_is_not_read_is_told_with_its_line() {
    let text = "<mujoco>\n<option timestep=\"0.001\" integrator=\"RK4\"/>\n<worldbody>\n\
        <light pos=\"0 0 1\"/>\n<body name=\"a\">\n<joint name=\"j\" type=\"ball\" damping=\"1\" frictionloss=\"0.1\"/>\n\
        <geom size=\".1\" rgba=\"1 0 0 1\" solref=\"0.01 1\"/>\n<geom type=\"ellipsoid\" size=\".1 .1 .2\"/></body>\n\
        <geom type=\"plane\" size=\"1 1 1\"/>\n</worldbody>\n\
        <sensor>\n<jointpos name=\"s\" joint=\"j\"/></sensor>\n\
        <actuator>\n<adhesion name=\"sticky\" body=\"a\" ctrlrange=\"0 1\" gain=\"1\"/></actuator>\n<flexcomp/></mujoco>";
    let found = told(&good(text)).join("\n");
    let expected = [
        "2: timestep 0.001: give it to a run as --step 0.001",
        "2: integrator 'RK4' is MuJoCo's",
        "4: <light> in <worldbody> is not read: it has no effect on motion",
        "6: stiffness, damping and armature of 'j' are not kept",
        "6: frictionloss of <joint> is not read",
        "7: rgba of <geom> is not read: it has no effect on motion",
        "7: solref of <geom> is not read",
        "8: <geom> touches nothing: shapes that touch are",
        "12: 1 sensors are not read: jointpos 's'",
        "14: adhesion 'sticky' is not read",
        "15: <flexcomp> in <mujoco> is not read",
    ];
    for line in expected {
        assert!(found.contains(line), "expected: {line}\n{found}");
    }
}

#[test]
fn documents_that_make_no_model_are_refused_at_their_lines() {
    let ball = "<body name=\"a\"><joint/><geom name=\"g\" size=\".1\"/><site name=\"s\"/></body>";
    let tendon = |inner: &str| {
        world(ball, &format!("<tendon><spatial name=\"t\">{inner}</spatial></tendon>"))
    };
    let joint =
        |joint: &str| world(&format!("<body name=\"a\">{joint}<geom size=\".1\"/></body>"), "");
    let cases = [
        ("<mujoco><worldbody>".to_owned(), "the file is no XML"),
        ("<robot/>".to_owned(), "1:1 the robot has no link that is below no joint"),
        (tendon("<site site=\"s\"/><site site=\"zzz\"/>"), "5:49 there is no site 'zzz'"),
        (tendon("<site site=\"s\"/>"), "must begin and end at sites, two at least"),
        (tendon("<geom geom=\"g\"/><site site=\"s\"/>"), "is not between two sites"),
        (
            tendon("<site site=\"s\"/><geom geom=\"g\"/><geom geom=\"g\"/>"),
            "is not between two sites",
        ),
        (
            world(ball, "<tendon><fixed><joint joint=\"k\"/></fixed></tendon>"),
            "'k' is no hinge or slide",
        ),
        (world(ball, "<actuator><motor joint=\"q\"/></actuator>"), "'q' is no hinge or slide"),
        (world(ball, "<actuator><motor tendon=\"q\"/></actuator>"), "there is no tendon 'q'"),
        (world(ball, "<equality><joint joint1=\"q\"/></equality>"), "'q' is no hinge or slide"),
        (
            world(ball, "<equality><weld body1=\"q\"/></equality>"),
            "there is no body 'q' / known here: world, a",
        ),
        (world(ball, "<compiler coordinate=\"global\"/>"), "global coordinates are not read"),
        (world(ball, "<compiler eulerseq=\"xy\"/>"), "eulerseq must be three of x y z X Y Z"),
        (world(&(ball.to_owned() + ball), ""), "body 'a' is there twice"),
        (
            world("<body class=\"b\"><geom class=\"none\" size=\"1\"/></body>", ""),
            "there is no default class 'none'",
        ),
        (joint("<joint type=\"screw\"/>"), "3:23 <joint>: 'screw' is no type of joint"),
        (joint("<joint axis=\"0 0 0\"/>"), "axis of <joint> has no length"),
        (joint("<joint range=\"2 1\"/>"), "range of <joint> must rise, got 2 to 1"),
        (joint("<joint damping=\"-1\"/>"), "damping of <joint> must be >= 0, got -1"),
        (joint("<joint pos=\"0 0\"/>"), "pos of <joint> must be 3 numbers, got 2"),
        (joint("<joint pos=\"0 0 nan\"/>"), "must hold finite numbers, got 'nan'"),
        (joint("<freejoint/><joint/>"), "has other joints beside a free one"),
        (world("<joint/>", ""), "the world has no joints"),
        (world("<body><joint/></body>", ""), "moves and has no mass"),
        (
            world("<body><joint/><inertial mass=\"1\" diaginertia=\"1 1 5\"/></body>", ""),
            "or set balanceinertia",
        ),
        (
            world("<geom type=\"capsule\" size=\"1\"/>", ""),
            "must be 2 positive numbers for a capsule",
        ),
        (
            world("<body><joint/><geom type=\"mesh\" mesh=\"m\"/></body>", ""),
            "there is no mesh 'm'",
        ),
        (
            world("<body quat=\"1 0 0 0\" euler=\"0 0 0\"/>", ""),
            "has two orientations, quat and euler",
        ),
    ];
    for (text, expected) in cases {
        let found = refused(&text);
        assert!(found.contains(expected), "expected: {expected}\nfound: {found}");
    }
    let error = errors(&read_with(CHAIN, &[("key", "none")]).err().unwrap()).join("");
    assert!(error.contains("there is no keyframe 'none' among 1"), "{error}");
    let error = errors(&read_with(CHAIN, &[("swinh", "1")]).err().unwrap()).join("");
    assert!(error.contains("did you mean 'swing'"), "{error}");
}

#[test]
fn bad_documents_of_the_collection_are_refused_by_what_is_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad/mjcf");
    for (name, expected) in [
        ("include_self.xml", "'include_self.xml' is included twice, or includes itself"),
        ("tendon_unknown_site.xml", "there is no site 'zzz'"),
    ] {
        let report = load(&folder.join(name), &LoadOptions::default()).err().unwrap();
        let found = errors(&report).join("\n");
        assert!(found.contains(expected), "{name}: {found}");
    }
}

#[test]
fn coordinates_and_keyframes_are_declared_as_parameters() {
    let folder = folder(&[("model.xml", CHAIN)]);
    let found = sinew_model_files::declared_parameters(&folder.path().join("model.xml")).unwrap();
    let names: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(names, ["key", "lift", "swing", "twist", "bend", "roll", "slip"]);
    assert_eq!(found[1].1, "0.05");
}

#[test]
fn meshes_have_masses_and_are_surfaces_of_bodies() {
    let tetra = "<mesh name=\"t\" scale=\"2 1 1\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 2 1 0 1 3 1 2 3 0 3 2\"/>";
    let inner = "<body name=\"a\"><freejoint/><geom type=\"mesh\" mesh=\"t\" density=\"600\" pos=\"0 0 1\"/></body>";
    let model = good(&world(inner, &format!("<asset>{tetra}</asset>"))).model;
    let found = model.get(body(&model, "a")).unwrap();
    let inertia = found.spatial_inertia().unwrap();
    assert!((inertia.mass() - 600.0 * 2.0 / 6.0).abs() < 1e-9, "{inertia:?}");
    assert!((inertia.center_of_mass() - Vec3::new(0.5, 0.25, 1.25)).norm() < 1e-12, "{inertia:?}");
    assert_eq!(found.mesh.as_ref().unwrap().triangles().len(), 4);
}

#[test]
fn a_document_of_hinges_is_saved_and_read_again() {
    let out = folder(&[]);
    let path = out.path().join("model.toml");
    let model = good(ARM).model;
    save(&model, &path, &SaveOptions::default()).unwrap();
    let back = super::loaded(&path).model;
    assert_eq!(back.component_count(), model.component_count());
    assert!((length(&back, "biceps") - length(&model, "biceps")).abs() < 1e-15);
    let [a, b] = [model, back].map(|model| {
        let mut simulation = run(model, 1e-3, 20);
        place(&mut simulation, "fore")
    });
    assert!((a - b).norm() < 1e-12, "{a} {b}");
}

#[test]
fn a_document_that_ends_or_differs_at_any_byte_is_read_or_refused() {
    let folder = folder(&[]);
    let path: &Path = &folder.path().join("model.xml");
    let read = |bytes: &[u8]| {
        std::fs::write(path, bytes).unwrap();
        sinew_model_files::check(path, &LoadOptions::default()).error_count()
    };
    for text in [ARM, LEG] {
        assert_eq!(read(text.as_bytes()), 0);
        for at in (0..text.len()).step_by(7) {
            let others = [0, b'"', b'<', b'>', b'9', b'-', b'/', 0xff];
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = others[at % 8];
            read(&bytes);
            if at % 3 == 0 {
                assert!(read(&text.as_bytes()[..at]) > 0, "{at}");
            }
        }
    }
}

#[test]
fn a_scene_without_bodies_is_noted() {
    let folder =
        folder(&[("scene.xml", "<mujoco>\n<asset><texture name=\"t\"/></asset></mujoco>")]);
    let file = load(&folder.path().join("scene.xml"), &LoadOptions::default()).unwrap();
    let first = &file.report.diagnostics()[0];
    let expected = "the document has no <worldbody>: it is a scene without bodies";
    assert_eq!((first.severity, first.message.as_str()), (Severity::Note, expected));
    assert_eq!(file.model.iter::<RigidBody>().count(), 0);
}
