//! Models as documents of OpenSim: read again they are the same mechanism; what they cannot say is told.

use std::path::Path;

use sinew::axial::active::{ConstantMuscle, Millard2012, Thelen2003};
use sinew::axial::passive::{CurveLigament, UnidirectionalSpring};
use sinew::axial::{ActivationModel, AxialLaw};
use sinew::constraint::spatial::Function;
use sinew::constraint::{JointKind, Pose, Skew};
use sinew::contact::{ContactLaw, HuntCrossley, NormalLaw};
use sinew::force::{CoordinateSpring, CoordinateStops};
use sinew::model::{
    Collider, CollisionBehavior, CoordinateActuator, CoupledCoordinate, FrameSpring, Inertia,
    JointCoordinate, JointCoordinateCoupling, MarkerRange, MultiPointSpring, PointAxis, PointMove,
    PointRef, WrapSide, WrapSurface,
};
use sinew::prelude::*;
use sinew::system::CompiledModel;
use sinew_model_files::{Exported, SaveError, SaveOptions, export_osim, save};

use super::{folder, loaded};

/// A model as a document and read again, with what was told.
fn again(model: &Model) -> (Model, Vec<String>) {
    let folder = folder(&[]);
    let path = folder.path().join("model.osim");
    let Exported { files, notes } = export_osim(model, &path).unwrap();
    assert_eq!(files[0], path);
    assert!(files.iter().all(|file| file.is_file()), "{files:?}");
    (loaded(&path).model, notes)
}

fn body(model: &mut Model, name: &str, pose: Pose) -> Handle<RigidBody> {
    let rotational = Mat3::new(0.02, 0.001, 0.0, 0.001, 0.01, 0.0, 0.0, 0.0, 0.02);
    let inertia = SpatialInertia::new(2.0, Vec3::new(0.0, -0.1, 0.02), rotational).unwrap();
    model.add(RigidBody::new(name, Inertia::Explicit(inertia)).at(pose))
}

fn pose(place: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose::new(Vec3::from(place), Vec3::from(turn))
}

fn named<'m>(model: &'m Model, name: &str) -> &'m RigidBody {
    let mut bodies = model.iter::<RigidBody>();
    bodies.find(|it| it.1.name == name).unwrap_or_else(|| panic!("no body {name}")).1
}

fn assert_same_bodies(model: &Model, other: &Model, most: f64) {
    for (_, body) in model.iter::<RigidBody>() {
        let found = named(other, &body.name);
        let distance = (found.pose.translation.vector - body.pose.translation.vector).norm();
        let angle = found.pose.rotation.angle_to(&body.pose.rotation);
        assert!(distance < most && angle < most, "{}: {distance} m, {angle} rad", body.name);
        if body.name == "ground" {
            continue;
        }
        let [a, b] = [body, found].map(|body| body.spatial_inertia().unwrap());
        assert!((a.mass() - b.mass()).abs() <= 1e-12 * a.mass(), "{}", body.name);
        assert!((a.rotational() - b.rotational()).norm() <= 1e-12 * a.rotational().norm());
        assert!((a.center_of_mass() - b.center_of_mass()).norm() < 1e-14);
    }
}

#[test]
fn joints_of_all_kinds_come_back_with_places_rates_and_locks() {
    let kinds = [
        JointKind::Solid,
        JointKind::Hinge,
        JointKind::Slider,
        JointKind::Cylindrical,
        JointKind::SlottedHinge,
        JointKind::Universal,
        JointKind::SkewedUniversal(Skew { skew_angle: 0.3 }),
        JointKind::RollPitch,
        JointKind::Gimbal,
        JointKind::Spherical,
        JointKind::SphericalRpy,
        JointKind::Planar,
        JointKind::PlanarTranslation,
        JointKind::Free,
        JointKind::FixedAxis,
    ];
    let mut model = Model::new("joints");
    let (c, d) = (pose([0.0, 0.2, 0.0], [0.3, 0.0, 0.4]), pose([1.0, 0.0, 0.5], [0.0, -0.6, 0.2]));
    for (k, kind) in kinds.into_iter().enumerate() {
        let q: Vec<f64> =
            (0..kind.coordinate_specs().len()).map(|k| 0.4 - 0.3 * k as f64).collect();
        let at = d * kind.pose(&q) * c.inverse();
        let handle = body(&mut model, &format!("body {k}"), at);
        if kind == JointKind::Hinge {
            let axis = d.rotation * Vec3::z();
            let hung = &mut model[handle];
            hung.angular_velocity = axis * 1.5;
            hung.velocity =
                hung.angular_velocity.cross(&(at.translation.vector - d.translation.vector));
        }
        let mut joint = Joint::new(kind, FrameSite::on(handle, c), FrameSite::ground(d));
        joint.name = format!("joint {k}");
        if let Some(last) = joint.settings.coordinates.last_mut() {
            last.locked = k % 2 == 0;
        }
        model.add(joint);
    }
    let loose = body(&mut model, "loose", pose([0.0, 3.0, 0.0], [0.5, 1.0, -0.7]));
    model[loose].velocity = Vec3::new(1.0, -2.0, 0.5);
    model[loose].angular_velocity = Vec3::new(0.2, 0.7, -0.4);
    let fixed = body(&mut model, "fixed", pose([0.0, -1.0, 0.0], [0.0, 0.0, 2.0]));
    model[fixed].dynamic = false;
    let (back, notes) = again(&model);
    assert_eq!(notes, [] as [String; 0]);
    // Names are words there.
    let mut expected = model.clone();
    let bodies: Vec<_> = expected.iter::<RigidBody>().map(|it| it.0).collect();
    bodies.iter().for_each(|it| expected[*it].name = expected[*it].name.replace(' ', "_"));
    assert_same_bodies(&expected, &back, 1e-12);
    for name in ["body_1", "loose"] {
        let [a, b] = [named(&expected, name), named(&back, name)];
        let off =
            (a.velocity - b.velocity).norm() + (a.angular_velocity - b.angular_velocity).norm();
        assert!(off < 1e-9, "{name}: {off}");
    }
    assert!(!named(&back, "fixed").dynamic && named(&back, "loose").dynamic);
    // What is welded to the ground rests there, without the six rows of a joint.
    let rows = |model: &Model| model.compile().unwrap().row_count();
    assert_eq!(rows(&back) + 6, rows(&model));
}

/// A knee with a muscle over a cylinder and through points that move and come and go.
fn knee() -> Model {
    let mut model = Model::new("a knee");
    model.set_gravity(Vec3::new(0.0, -9.81, 0.0));
    let (legs, [hip, knee]) = add_leg(&mut model);
    let angle = JointCoordinate::new(knee, "theta");
    add_vasti(&mut model, legs, &angle);
    add_back_lines(&mut model, legs);
    add_motor(&mut model, &angle);
    add_coupling(&mut model, hip, angle);
    add_bushing(&mut model, legs[1]);
    add_foot(&mut model, legs[1]);
    model
}

type Body = Handle<RigidBody>;

/// Thigh and shank, hip and knee.
fn add_leg(model: &mut Model) -> ([Body; 2], [Handle<Joint>; 2]) {
    let thigh = body(model, "thigh", Pose::identity());
    let shank = body(model, "shank", pose([0.0, -0.4, 0.0], [0.0, 0.0, -0.3]));
    let hip = Joint::new(
        JointKind::Universal,
        FrameSite::on(thigh, Pose::identity()),
        FrameSite::ground(Pose::identity()),
    );
    let hip = model.add(Joint { name: "hip".into(), ..hip });
    let knee = Joint::new(
        JointKind::Hinge,
        FrameSite::on(shank, Pose::identity()),
        FrameSite::on(thigh, pose([0.0, -0.4, 0.0], [0.0; 3])),
    );
    let knee = model.add(Joint { name: "knee".into(), ..knee });
    ([thigh, shank], [hip, knee])
}

fn marker(model: &mut Model, body: Body, at: [f64; 3], name: &str) -> Handle<FrameMarker> {
    model.add(FrameMarker { name: name.into(), ..FrameMarker::new(body, Vec3::from(at)) })
}

fn add_vasti(model: &mut Model, [thigh, shank]: [Body; 2], angle: &JointCoordinate) {
    let origin = marker(model, thigh, [0.03, -0.05, 0.0], "origin");
    let via = marker(model, thigh, [0.05, -0.3, 0.0], "via");
    model[via].active = Some(MarkerRange { of: angle.clone(), range: [-2.0, 0.1] });
    let moving = marker(model, shank, [0.03, -0.02, 0.0], "moving");
    let line = Function::Polynomial(vec![-0.02, 0.01, 0.003]);
    let function = Function::Within([-2.0, 0.2], Box::new(line));
    model[moving].moves = vec![PointMove { axis: PointAxis::Y, of: angle.clone(), function }];
    let insertion = marker(model, shank, [0.03, -0.1, 0.0], "insertion");
    let cylinder =
        WrapSurface::cylinder(FrameSite::on(thigh, pose([0.0, -0.4, 0.0], [0.1, 0.0, 0.0])), 0.025);
    let cylinder = WrapSurface { half_length: 0.05, side: WrapSide::PositiveX, ..cylinder };
    let cylinder = model.add(WrapSurface { name: "condyles".into(), ..cylinder });
    let law = Thelen2003 {
        max_isometric_force: 800.0,
        optimal_fibre_length: 0.2,
        tendon_slack_length: 0.12,
        activation: ActivationModel::Bilinear,
        tendon_strain: 0.05,
        lengthening_factor: 2.0,
        start_activation: 0.2,
        ..Thelen2003::default()
    };
    let points = [origin, via, moving, insertion].map(PointRef::Marker).to_vec();
    let vasti = MultiPointSpring::new(points, AxialLaw::Thelen2003(law)).over(cylinder);
    model.add(MultiPointSpring { name: "vasti".into(), ..vasti });
}

/// A muscle, a ligament, a spring and an actuator behind the knee.
fn add_back_lines(model: &mut Model, [thigh, shank]: [Body; 2]) {
    let law = Millard2012 {
        max_isometric_force: 500.0,
        optimal_fibre_length: 0.15,
        tendon_slack_length: 0.18,
        pennation: 0.2,
        activation: ActivationModel::Bilinear,
        fibre_damping: 0.1,
        ..Millard2012::default()
    };
    let back = [
        marker(model, thigh, [-0.03, -0.05, 0.01], "back"),
        marker(model, shank, [-0.02, -0.05, 0.01], "calf"),
    ];
    let ends = back.map(PointRef::Marker);
    let add = |model: &mut Model, name: &str, law, rest_length| {
        let made = AxialSpring::with_law(ends, law);
        model.add(AxialSpring { name: name.into(), rest_length, ..made });
    };
    add(model, "hamstrings", AxialLaw::Millard2012(law), 0.0);
    let ligament = CurveLigament { max_force: 200.0, slack_length: 0.38, damping: 0.0 };
    add(model, "ligament", AxialLaw::AxialLigament(ligament), 0.0);
    let band = UnidirectionalSpring { stiffness: 1000.0, damping: 0.0 };
    add(model, "band", AxialLaw::UnidirectionalLinear(band), 0.37);
    let pull = ConstantMuscle { max_force: 30.0, ..ConstantMuscle::default() };
    add(model, "pull", AxialLaw::ConstantMuscle(pull), 0.0);
}

fn add_motor(model: &mut Model, angle: &JointCoordinate) {
    let spring = CoordinateSpring {
        stiffness: 2.0,
        rest: -0.1,
        damping: 0.3,
        stops: Some(CoordinateStops {
            ends: [-2.2, 0.0],
            stiffness: [50.0, 60.0],
            transition: 0.1,
            damping: 0.5,
        }),
    };
    let motor = CoordinateActuator {
        name: "motor".into(),
        spring,
        ..CoordinateActuator::new(angle.clone(), 40.0)
    };
    model.add(motor);
}

/// A coupling of the angle of the knee with the roll of the hip.
fn add_coupling(model: &mut Model, hip: Handle<Joint>, angle: JointCoordinate) {
    let terms = [
        (JointCoordinate::new(hip, "roll"), vec![0.0, 2.0, 0.0], None),
        (
            angle,
            Vec::new(),
            Some(Function::Sine { amplitude: 0.0, omega: 1.0, phase: 0.0, offset: 0.0 }),
        ),
    ];
    let terms = terms.map(|(of, polynomial, curve)| CoupledCoordinate { of, polynomial, curve });
    let coupling = JointCoordinateCoupling::linear([]);
    model.add(JointCoordinateCoupling { name: "follow".into(), terms: terms.to_vec(), ..coupling });
}

fn add_bushing(model: &mut Model, shank: Body) {
    let bushing = FrameSpring::new(
        FrameSite::on(shank, pose([0.0, -0.3, 0.0], [0.2, 0.0, 0.0])),
        FrameSite::ground(pose([0.0, -0.7, 0.0], [0.0, 0.3, 0.0])),
    );
    model.add(FrameSpring {
        name: "bushing".into(),
        stiffness: Vec3::new(100.0, 200.0, 300.0),
        rotary_stiffness: Vec3::repeat(5.0),
        damping: Vec3::repeat(2.0),
        rotary_damping: Vec3::repeat(0.1),
        ..bushing
    });
}

/// A ball under the shank and a floor.
fn add_foot(model: &mut Model, shank: Body) {
    let foot = Collider::sphere(shank, 0.03).at(pose([0.0, -0.4, 0.0], [0.0; 3]));
    let foot = model.add(Collider { name: "foot".into(), ..foot });
    let up = Pose::new(Vec3::new(0.0, -0.8, 0.0), Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let floor = model.add(Collider { name: "floor".into(), ..Collider::half_space(up) });
    let law = ContactLaw {
        normal: NormalLaw::HuntCrossley,
        hunt_crossley: HuntCrossley { effective_modulus: 2e6, ..HuntCrossley::default() },
        dissipation: 0.4,
        ..ContactLaw::rough(0.7)
    };
    model.add(CollisionBehavior::new(foot, floor, 0.0).with_law(law));
}

/// Length and rate of every line, by name.
fn lengths(model: &Model) -> Vec<(String, f64)> {
    let compiled: CompiledModel = model.compile().unwrap();
    let state = compiled.initial_state();
    let springs = model.iter::<AxialSpring>().map(|(id, it)| {
        (it.name.clone(), compiled.stretch_of(id, &state).expect("a spring of the model")[0])
    });
    let lines = model.iter::<MultiPointSpring>().map(|(id, it)| {
        (it.name.clone(), compiled.stretch_of_line(id, &state).expect("a line of the model")[0])
    });
    let mut all: Vec<_> = springs.chain(lines).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn assert_same_lengths(model: &Model, other: &Model, most: f64) {
    let [own, others] = [model, other].map(lengths);
    assert_eq!(own.len(), others.len());
    for ((name, a), (other, b)) in own.iter().zip(&others) {
        assert_eq!(name, other);
        assert!((a - b).abs() < most, "{name}: {a} m and {b} m");
    }
}

#[test]
fn muscles_springs_couplings_and_contacts_come_back() {
    let model = knee();
    let (back, notes) = again(&model);
    assert_eq!(notes, [] as [String; 0]);
    assert_same_bodies(&model, &back, 1e-12);
    assert_same_lengths(&model, &back, 1e-12);
    let law = |model: &Model, name: &str| {
        let line = model.iter::<MultiPointSpring>().find(|it| it.1.name == name);
        let spring = model.iter::<AxialSpring>().find(|it| it.1.name == name);
        line.map(|it| it.1.material).or(spring.map(|it| it.1.material)).unwrap()
    };
    for name in ["vasti", "hamstrings", "ligament", "band", "pull"] {
        assert_eq!(law(&back, name), law(&model, name), "{name}");
    }
    let marker = |model: &Model, name: &str| {
        model.iter::<FrameMarker>().find(|it| it.1.name == name).unwrap().1.clone()
    };
    assert_eq!(
        marker(&back, "moving").moves[0].function,
        marker(&model, "moving").moves[0].function
    );
    assert_eq!(marker(&back, "via").active.unwrap().range, [-2.0, 0.1]);
    let springs: Vec<_> = back.iter::<CoordinateActuator>().map(|it| it.1.clone()).collect();
    let own = &model.iter::<CoordinateActuator>().next().unwrap().1;
    assert_eq!((springs[0].spring.stiffness, springs[0].spring.damping), (2.0, 0.3));
    let [stops, there] = [springs[1].spring.stops.unwrap(), own.spring.stops.unwrap()];
    assert!((stops.stiffness[1] - there.stiffness[1]).abs() < 1e-12, "{stops:?}");
    assert!((stops.ends[0] - there.ends[0]).abs() < 1e-12, "{stops:?}");
    assert_eq!(springs[2].max_force, 40.0);
    let spring = |model: &Model| model.iter::<FrameSpring>().next().unwrap().1.clone();
    assert_eq!(spring(&back).stiffness, spring(&model).stiffness);
    let [contact, there] =
        [&back, &model].map(|model| model.iter::<CollisionBehavior>().next().unwrap().1.law);
    let off = contact.hunt_crossley.effective_modulus / there.hunt_crossley.effective_modulus - 1.0;
    assert!(off.abs() < 1e-12 && (contact.dissipation - 0.4).abs() < 1e-12, "{contact:?}");
    let coupling = back.iter::<JointCoordinateCoupling>().next().unwrap().1;
    assert_eq!(coupling.terms.len(), 2);
    // Both fall alike.
    let fallen = |model: &Model| {
        let settings = SolverSettings::default();
        let mut simulation = Simulation::new(model.clone(), settings).unwrap();
        (0..20).for_each(|_| simulation.step(1e-3).map(|_| ()).unwrap());
        let shank =
            simulation.model().iter::<RigidBody>().find(|it| it.1.name == "shank").unwrap().0;
        simulation.pose(shank).unwrap().translation.vector
    };
    let off = (fallen(&model) - fallen(&back)).norm();
    assert!(off < 1e-9, "{off} m apart after 20 ms");
}

#[test]
fn what_a_document_cannot_say_is_told() {
    let mut model = knee();
    let particle = model.add(Particle::new(0.1, Vec3::zeros()));
    let marker = model.iter::<FrameMarker>().next().unwrap().0;
    let law = AxialLaw::Linear(sinew::axial::passive::LinearSpring::default());
    model.add(AxialSpring::with_law([PointRef::Particle(particle), PointRef::Marker(marker)], law));
    let fed = model.iter::<MultiPointSpring>().next().unwrap().0;
    model[fed].excitation = 0.5;
    let (back, notes) = again(&model);
    assert_eq!(back.iter::<AxialSpring>().count(), 4);
    let told = notes.join("\n");
    for word in ["Particle", "law linear", "excitations are not there"] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn an_ending_of_opensim_is_never_a_model_file() {
    let folder = folder(&[]);
    let path = folder.path().join("model.osim");
    let refused = save(&knee(), &path, &SaveOptions::default());
    assert!(matches!(refused, Err(SaveError::NotWhole(_))), "{refused:?}");
    assert!(!path.exists());
}

/// Documents of OpenSim's users, where they lie beside the repository.
#[test]
fn published_models_come_back_as_they_were() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let shared = std::env::var_os("SINEW_SHARED").map_or(beside, std::path::PathBuf::from);
    for name in ["arm26.osim", "gait2392_thelen2003muscle.osim"] {
        let path = shared.join("datasets/msk_osim").join(name);
        if !path.is_file() {
            println!("{} is not there: nothing to compare", path.display());
            continue;
        }
        let model = loaded(&path).model;
        let (back, notes) = again(&model);
        assert_eq!(notes, [] as [String; 0], "{name}");
        assert_same_bodies(&model, &back, 1e-10);
        assert_same_lengths(&model, &back, 1e-10);
        let count = |model: &Model| {
            (model.iter::<JointCoordinateCoupling>().count(), model.compile().unwrap().row_count())
        };
        assert_eq!(count(&back), count(&model), "{name}");
    }
}
