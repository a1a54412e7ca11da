//! Forces as targets, and terms and conditions of excitations beside their bounds.

use sinew::Vec3;
use sinew::component::{ComponentId, Handle};
use sinew::constraint::spatial::{JointMotion, SpatialAxis, SpatialTransform};
use sinew::constraint::{JointKind, Pose};
use sinew::fem::ElementFace;
use sinew::inverse::{
    ExcitationTerms, InverseError, LinearConstraint, LinearTerm, MotionTarget, TargetKind,
    TrackedExcitation, TrackingController, TrackingRecord, TrackingRule, TrackingSettings,
};
use sinew::material::MaterialSpec;
use sinew::model::{
    CollisionBehavior, CustomJoint, FemModel, FrameLoad, FrameMarker, FrameSite, Joint,
    JointCoordinate, Model, PointLoad, PointRef, RigidBody,
};
use sinew::property::Value;
use sinew::schedule::Simulation;
use sinew::solve::SolverSettings;

use sinew_datasets::beam::BeamElement;

use crate::models::{Excitable, constant, muscle, resting_box};
use crate::scenes::{grid, hinge, in_plane, shift, solid_box};

/// Length of a step [s].
const H: f64 = 0.01;

/// Least squares next to none.
fn settings() -> TrackingSettings {
    let rule = TrackingRule::Chase { time: H };
    TrackingSettings { rule, regularization: 1e-9, damping: 0.0, ..Default::default() }
}

/// Numbers that do not change are followed for so many steps.
struct Following {
    targets: Vec<MotionTarget>,
    desired: Vec<f64>,
    factors: Option<Vec<f64>>,
    settings: TrackingSettings,
    terms: ExcitationTerms,
    steps: usize,
}

impl Following {
    fn new(targets: Vec<MotionTarget>, desired: Vec<f64>) -> Self {
        let terms = ExcitationTerms::default();
        Self { targets, desired, factors: None, settings: settings(), terms, steps: 50 }
    }

    /// The last step.
    fn run(self, Excitable { model, excited, .. }: Excitable) -> (Simulation, TrackingRecord) {
        let excitations = excited.into_iter().map(TrackedExcitation::new).collect();
        let desired = self.desired;
        let signal = Box::new(move |_: f64, values: &mut [f64]| values.copy_from_slice(&desired));
        let solver = SolverSettings::default();
        let following = (self.targets, signal as Box<dyn sinew::schedule::Signal>);
        let settings = (self.settings, solver);
        let made = TrackingController::new(&model, following, excitations, settings).unwrap();
        let mut controller = made.with_terms(self.terms).unwrap();
        if let Some(factors) = self.factors {
            controller = controller.with_factors(Box::new(move |_: f64, values: &mut [f64]| {
                values.copy_from_slice(&factors);
            }));
        }
        let log = controller.log();
        let mut simulation = Simulation::new(model, solver).unwrap();
        simulation.add_controller_object("inverse", Box::new(controller));
        for _ in 0..self.steps {
            simulation.step(H).unwrap();
        }
        let record = log.lock().unwrap().clone();
        (simulation, record)
    }
}

/// A lever at rest against a moment [N m], with muscles of 40 N m and 24 N m at an excitation of 1.
fn loaded(moment: f64) -> (Excitable, MotionTarget) {
    let (scene, _, target) = pulled([(0.04, 1000.0), (0.03, 800.0)], moment);
    (scene, target)
}

/// The same with muscles of other arms [m] and forces [N], and its hinge.
fn pulled(muscles: [(f64, f64); 2], moment: f64) -> (Excitable, Handle<Joint>, MotionTarget) {
    let mut model = in_plane(0.0);
    let body = model.add(solid_box("lever", 1.0, [0.2, 0.1, 0.1]));
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    let excited = muscles.map(|(arm, force)| {
        let ends = (Vec3::new(-0.5, arm, 0.0), body, Vec3::y() * arm);
        muscle(&mut model, ends, constant(force)).into()
    });
    model.add(FrameLoad::new(body, Vec3::zeros(), Vec3::z() * -moment));
    let target = MotionTarget::new(TargetKind::Coordinate(JointCoordinate::new(joint, "theta")));
    (Excitable { model, excited: excited.to_vec(), level: 0.5 }, joint, target)
}

/// Excitations of the loaded lever in the end.
fn shares(terms: ExcitationTerms, settings: TrackingSettings) -> Vec<f64> {
    let (scene, target) = loaded(20.0);
    let following = Following { terms, settings, ..Following::new(vec![target], vec![0.0]) };
    following.run(scene).1.excitations
}

fn assert_near(found: &[f64], expected: &[f64], bound: f64) {
    let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < bound, "{found:?} for {expected:?}");
}

#[test]
fn amounts_choose_the_strongest_muscle_where_squares_share_the_load() {
    let none = ExcitationTerms::default;
    assert_near(&shares(none(), settings()), &[0.36764706, 0.22058824], 1e-6);
    let sparse = TrackingSettings { regularization: 0.0, sparsity: 1e-9, ..settings() };
    assert_near(&shares(none(), sparse), &[0.5, 0.0], 1e-6);
}

#[test]
fn proportional_excitations_and_synergies_keep_their_ratios() {
    let ratio = LinearConstraint::proportional(2, 1, (0.5, 0));
    let terms = ExcitationTerms { constraints: vec![ratio], ..Default::default() };
    assert_near(&shares(terms, settings()), &[20.0 / 52.0, 10.0 / 52.0], 1e-6);
    let terms = ExcitationTerms { synergies: vec![vec![1.0, 2.0]], ..Default::default() };
    assert_near(&shares(terms, settings()), &[20.0 / 88.0, 40.0 / 88.0], 1e-6);
    // Two patterns span all excitations that are not negative: those of least squares are found.
    let synergies = vec![vec![1.0, 0.2], vec![0.1, 1.0]];
    let terms = ExcitationTerms { synergies, ..Default::default() };
    assert_near(&shares(terms, settings()), &[0.36764706, 0.22058824], 1e-6);
}

#[test]
fn a_sum_that_is_asked_for_decides_where_the_motion_does_not() {
    // Of all excitations with 40 a + 24 b = 20 that with b - a = 0.1.
    let sum = LinearTerm { coefficients: vec![-1.0, 1.0], target: 0.1, weight: 1e-3 };
    let terms = ExcitationTerms { sums: vec![sum], ..Default::default() };
    let expected = [(20.0 - 2.4) / 64.0, (20.0 - 2.4) / 64.0 + 0.1];
    assert_near(&shares(terms, settings()), &expected, 1e-5);
}

#[test]
fn amounts_of_actuators_of_either_sign_are_counted_without_their_sign() {
    let mut model = in_plane(0.0);
    let body = model.add(solid_box("lever", 1.0, [0.2, 0.1, 0.1]));
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    let of = JointCoordinate::new(joint, "theta");
    let excited = [30.0, 50.0]
        .map(|moment| model.add(sinew::model::CoordinateActuator::new(of.clone(), moment)).into());
    model.add(FrameLoad::new(body, Vec3::zeros(), Vec3::z() * 10.0));
    let scene = Excitable { model, excited: excited.to_vec(), level: 0.5 };
    let target = MotionTarget::new(TargetKind::Coordinate(of));
    let settings = TrackingSettings { regularization: 0.0, sparsity: 1e-9, ..settings() };
    let following = Following { settings, ..Following::new(vec![target], vec![0.0]) };
    assert_near(&following.run(scene).1.excitations, &[0.0, -0.2], 1e-6);
}

/// A moment of 10 N m and a force of 10 N at 0.2 m hold a lever against 6 N m: of all that do, those of least squares.
#[test]
fn loads_on_bodies_and_points_are_excited() {
    let mut model = in_plane(0.0);
    let body = model.add(solid_box("lever", 1.0, [0.2, 0.1, 0.1]));
    let joint = hinge(&mut model, [Some(body), None], Vec3::zeros(), Vec3::z());
    model.add(FrameLoad::new(body, Vec3::zeros(), Vec3::z() * -6.0));
    let tip = model.add(FrameMarker::new(body, Vec3::x() * 0.2));
    let moment = FrameLoad::new(body, Vec3::zeros(), Vec3::z() * 10.0);
    let moment = model.add(FrameLoad { excitation: 0.0, ..moment });
    let force = PointLoad::new(tip, Vec3::y() * 10.0);
    let force = model.add(PointLoad { excitation: 0.0, ..force });
    let scene = Excitable { model, excited: vec![moment.into(), force.into()], level: 0.5 };
    let target = MotionTarget::new(TargetKind::Coordinate(JointCoordinate::new(joint, "theta")));
    let (_, record) = Following::new(vec![target], vec![0.0]).run(scene);
    assert_near(&record.excitations, &[60.0 / 104.0, 12.0 / 104.0], 1e-6);
}

/// A box of 2 kg on the ground whose weight a muscle of 6 N takes a part of.
#[test]
fn a_contact_force_is_met() {
    let scene = resting_box(2.0);
    let (pair, _) = scene.model.iter::<CollisionBehavior>().next().unwrap();
    let path = format!("{}:force", scene.model.path(pair));
    let mut target = MotionTarget::at(&scene.model, &path).unwrap();
    assert_eq!(target.path(&scene.model), path);
    target.directions = [0.0, 1.0, 0.0];
    // On the ground, which is side A.
    let desired = 3.0 - 2.0 * 9.81;
    let following = Following::new(vec![target.clone()], vec![0.0, desired, 0.0]);
    let (mut simulation, record) = following.run(scene);
    let reached = target.now(&mut simulation).unwrap();
    assert!((reached[1] - desired).abs() < 1e-6 * desired.abs(), "{reached:?} for {desired}");
    assert!((record.excitations[0] - 0.5).abs() < 1e-4, "{record:?}");
    assert!(!record.out_of_reach, "{record:?}");
}

/// Two muscles against each other, 40 a - 24 b = 20 N m, and a hinge that takes 1000 a + 800 b = 1000 N.
#[test]
fn a_posture_and_the_reaction_of_a_joint_are_met_together() {
    let (scene, joint, angle) = pulled([(0.04, 1000.0), (-0.03, 800.0)], 20.0);
    let mut reaction = MotionTarget::new(TargetKind::JointForce(joint.into()));
    reaction.directions = [1.0, 0.0, 0.0];
    reaction.weight = 1e-2;
    let desired = vec![0.0, 1000.0, 0.0, 0.0];
    let following = Following::new(vec![angle, reaction.clone()], desired);
    let (mut simulation, record) = following.run(scene);
    let force = reaction.now(&mut simulation).unwrap()[0];
    assert!((force - 1000.0).abs() < 1e-2, "{force} {record:?}");
    assert_near(&record.excitations, &[1.0 / 1.4, 0.5 / 1.4], 1e-5);
}

/// A hinge about z through the origin, of its kind or as a motion, and its coordinate.
fn pivot(model: &mut Model, body: Handle<RigidBody>, own: bool) -> (ComponentId, &'static str) {
    let (c, d) = (FrameSite::on(body, shift(-0.3, 0.0, 0.0)), FrameSite::ground(Pose::identity()));
    if !own {
        return (model.add(Joint::new(JointKind::Hinge, c, d)).into(), "theta");
    }
    let mut transform = SpatialTransform::rest();
    transform.turns =
        [Vec3::z(), Vec3::x(), Vec3::y()].map(|axis| SpatialAxis::constant(axis, 0.0));
    transform.turns[0] = SpatialAxis::plain(Vec3::z(), 0);
    let variables = JointMotion::variables_from_text("turn at 0").unwrap();
    let motion = JointMotion { variables, transform };
    (model.add(CustomJoint::moving("pivot", motion, c, d).unwrap()).into(), "turn")
}

/// A moment of 8 N m across the axis and 10 N m about it, and a force of 20 N at 0.3 m: 10 a = 6 N m, and 8 a - 6 b = 1.8 N m.
#[test]
fn the_moment_that_a_joint_takes_across_its_axis_is_met_beside_its_posture() {
    for own in [false, true] {
        let mut model = in_plane(0.0);
        let body = solid_box("lever", 1.0, [0.2, 0.1, 0.1]).at(shift(0.3, 0.0, 0.0));
        let body = model.add(body);
        let (joint, name) = pivot(&mut model, body, own);
        model.add(FrameLoad::new(body, Vec3::zeros(), Vec3::z() * -6.0));
        let turning = FrameLoad::new(body, Vec3::zeros(), Vec3::new(0.0, 8.0, 10.0));
        let pulling = FrameLoad::new(body, Vec3::z() * 20.0, Vec3::zeros());
        let excited =
            [turning, pulling].map(|it| model.add(FrameLoad { excitation: 0.0, ..it }).into());
        let path = format!("{}:moment", model.path(joint));
        let mut reaction = MotionTarget::at(&model, &path).unwrap();
        assert_eq!((reaction.path(&model), reaction.size()), (path, 3));
        (reaction.directions, reaction.weight) = ([0.0, 1.0, 0.0], 1e-2);
        let angle = MotionTarget::new(TargetKind::Coordinate(JointCoordinate::new(joint, name)));
        let scene = Excitable { model, excited: excited.to_vec(), level: 0.5 };
        let following = Following::new(vec![angle, reaction.clone()], vec![0.0, 0.0, -1.8, 0.0]);
        let (mut simulation, record) = following.run(scene);
        assert_near(&record.excitations, &[0.6, 0.5], 1e-5);
        let moment = reaction.now(&mut simulation).unwrap();
        assert!((moment[1] + 1.8).abs() < 1e-4, "{moment:?} {record:?}");
    }
}

/// Loads of 5 N on the eight nodes of a block of 1 kg hold the mean place of these against its weight: alike by least squares.
#[test]
fn surfaces_of_tissue_are_followed_by_the_mean_of_their_nodes() {
    for set in ["node_sets.all", "face_sets.all"] {
        let mut model = in_plane(9.81);
        let mut mesh = grid(BeamElement::Hex, [1, 1, 1], [0.1, 0.1, 0.1], Vec3::zeros());
        mesh.node_sets.insert("all".to_owned(), (0..8).collect());
        let faces = (0..6).map(|face| ElementFace { element: 0, face });
        mesh.face_sets.insert("all".to_owned(), faces.collect());
        let law = MaterialSpec::from_name("neo_hookean").unwrap();
        let fem = model.add(FemModel::new("block", mesh, 1000.0, law));
        let load = |node| PointLoad::new(PointRef::FemNode(fem, node), Vec3::y() * 5.0);
        let loads = (0..8).map(|node| PointLoad { excitation: 0.0, ..load(node) });
        let excited: Vec<_> = loads.map(|it| model.add(it).into()).collect();
        let path = format!("{}:{set}.position", model.path(fem));
        let target = MotionTarget::at(&model, &path).unwrap();
        assert_eq!(target.columns(&model).unwrap()[1], format!("{path}.y"));
        let absent = MotionTarget::at(&model, &path.replace("all", "none")).unwrap_err();
        assert!(absent.to_string().contains("face_sets"), "{absent}");
        let scene = Excitable { model, excited, level: 0.5 };
        let following =
            Following { steps: 3, ..Following::new(vec![target.clone()], vec![0.05; 3]) };
        let (mut simulation, record) = following.run(scene);
        assert_near(&record.excitations, &[9.81 / 40.0; 8], 1e-6);
        let place = target.now(&mut simulation).unwrap();
        assert!(place.iter().all(|x| (x - 0.05).abs() < 1e-8), "{place:?}");
    }
}

#[test]
fn what_bounds_keep_out_of_reach_is_said() {
    let (scene, target) = loaded(80.0);
    let (_, record) = Following::new(vec![target], vec![0.0]).run(scene);
    assert!(record.out_of_reach && record.excitations == [1.0, 1.0], "{record:?}");
    let (scene, target) = loaded(20.0);
    let (_, record) = Following::new(vec![target], vec![0.0]).run(scene);
    assert!(!record.out_of_reach, "{record:?}");
}

/// Beyond the end of the lever.
#[test]
fn what_no_excitation_leads_to_is_said_to_be_missed() {
    for (x, missed) in [(0.2, false), (0.3, true)] {
        let (mut scene, _) = loaded(20.0);
        let lever = scene.model.find_handle("/models/mechanism/rigid_bodies/lever").unwrap();
        let tip = scene.model.add(FrameMarker::new(lever, Vec3::x() * 0.2));
        let target = MotionTarget::new(TargetKind::Point(tip.into()));
        let (_, record) = Following::new(vec![target], vec![x, 0.0, 0.0]).run(scene);
        assert_eq!(record.missed, missed, "{record:?}");
    }
}

#[test]
fn factors_of_weights_leave_targets_out() {
    let (mut scene, target) = loaded(0.0);
    for &id in &scene.excited {
        let property = scene.model.property_of(id, "excitation").unwrap();
        scene.model.set_property(&property, Value::Real(0.25)).unwrap();
    }
    let settings = TrackingSettings { regularization: 0.0, damping: 1e-3, ..settings() };
    let factors = Some(vec![0.0]);
    let following =
        Following { factors, settings, steps: 3, ..Following::new(vec![target], vec![0.0]) };
    let (_, record) = following.run(scene);
    assert_near(&record.excitations, &[0.25, 0.25], 1e-12);
}

#[test]
fn conditions_that_contradict_bounds_and_lists_of_another_length_are_refused() {
    let (Excitable { model, excited, .. }, target) = loaded(20.0);
    let controller = |model: &Model| {
        let still: Box<dyn sinew::schedule::Signal> =
            Box::new(|_: f64, values: &mut [f64]| values.fill(0.0));
        let excitations = excited.iter().map(|&id| TrackedExcitation::new(id)).collect();
        let settings = (settings(), SolverSettings::default());
        TrackingController::new(model, (vec![target.clone()], still), excitations, settings)
    };
    let short = ExcitationTerms { synergies: vec![vec![1.0]], ..Default::default() };
    let error = controller(&model).unwrap().with_terms(short).err().unwrap();
    assert_eq!(error, InverseError::Coefficients { found: 1, expected: 2 });
    let beyond = LinearConstraint { coefficients: vec![1.0, 1.0], lower: 3.0, upper: 4.0 };
    let terms = ExcitationTerms { constraints: vec![beyond], ..Default::default() };
    let made = controller(&model).unwrap().with_terms(terms).unwrap();
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    simulation.add_controller_object("inverse", Box::new(made));
    let error = simulation.step(H).unwrap_err().to_string();
    assert!(error.contains("contradict"), "{error}");
}
