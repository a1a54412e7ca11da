//! Maps that deform: scaling laws, models in a mirror, warps by landmarks; what is on a body goes with it.

use sinew::axial::{AxialLaw, Constants};
use sinew::component::{ComponentType, Handle};
use sinew::constraint::{JointKind, PointConstraint, Range};
use sinew::dynamics::SpatialInertia;
use sinew::editing::EditCommand;
use sinew::geometry::cuboid_mesh;
use sinew::model::{
    Affine, Anchor, AxialSpring, Collider, ColliderShape, CoordinateActuator, CustomJoint, Edit,
    EditError, FemModel, FieldWarp, FrameMarker, FrameSite, Grid, History, Inertia, Joint,
    JointCoordinate, JointCoordinateCoupling, LandmarkWarp, LineLengths, LinearAxial, MassRule,
    Model, Particle, PointConstrainer, RigidBody, SpatialMap, TransformOptions, TransformRefusal,
    WrapSurface,
};
use sinew::property::{Pose, Value};
use sinew::schedule::Simulation;
use sinew::simulated::Simulated;
use sinew::solve::SolverSettings;
use sinew::{Mat3, Vec3};
use sinew_datasets::jaw::excitation::Task;
use sinew_datasets::jaw::joint::Fossa;
use sinew_datasets::jaw_tongue_hyoid::{JawParams, jaw_tongue_hyoid};

use crate::world::{text, tissue};

fn place(x: f64) -> Pose {
    Pose::new(Vec3::new(x, 0.2, 0.1), Vec3::new(0.1, x, -0.2))
}

/// Three bodies with their inertia given in three ways, the first with all that can be on one.
fn bodies() -> Model {
    let mut model = Model::new("m");
    let mesh = || cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let first = model.add(RigidBody::from_mesh("first", mesh(), 1e3).at(place(0.4)));
    let mass = RigidBody { mesh: Some(mesh()), ..RigidBody::new("mass", Inertia::Mass(2.0)) };
    let second = model.add(mass.at(place(0.1)));
    let given = SpatialInertia::from_mesh_density(&mesh(), 1e3).unwrap();
    model.add(RigidBody::new("given", Inertia::Explicit(given)).at(place(-0.3)));
    let site = FrameSite::on(first, place(0.05));
    model.add(FrameMarker::new(first, Vec3::new(0.1, -0.3, 0.2)));
    model.add(FrameMarker::new(second, Vec3::new(0.0, 0.1, 0.0)));
    model.add(Collider::on(first, ColliderShape::Box { half_extents: Vec3::new(0.1, 0.2, 0.3) }));
    model.add(WrapSurface::ellipsoid(site, Vec3::new(0.01, 0.02, 0.03)));
    let at = model[first].pose * Pose::translation(0.1, 0.0, 0.0);
    let on_second = FrameSite::on(second, model[second].pose.inverse() * at);
    let on_first = FrameSite::on(first, Pose::translation(0.1, 0.0, 0.0));
    model.add(Joint::new(JointKind::Cylindrical, on_first, on_second));
    let ends = [0, 1].map(|k| model.nth::<FrameMarker>(k));
    let law = LinearAxial { stiffness: 1.0, damping: 0.0, rest_length: 0.3 };
    model.add(AxialSpring::new(ends, law));
    let hill = AxialLaw::from_name("hill_rigid_tendon").unwrap();
    model.add(AxialSpring::with_law(ends, hill));
    model.add(Particle::new(3.0, Vec3::new(0.2, 0.1, 0.0)));
    model.add(tissue("brick", 1, Vec3::y()));
    model
}

fn inertia(model: &Model, k: usize) -> SpatialInertia {
    model[model.nth::<RigidBody>(k)].spatial_inertia().unwrap()
}

/// Total mass [kg].
fn mass(model: &Model) -> f64 {
    let compiled = model.compile().unwrap();
    let state = compiled.initial_state();
    let now = Simulated { model, compiled: &compiled, state: &state };
    match now.get_property(&model.property("/:mass").unwrap()).unwrap() {
        Value::Real(mass) => mass,
        other => panic!("{other:?}"),
    }
}

#[test]
fn scaling_by_s_scales_lengths_by_s_masses_by_s3_and_inertias_by_s5() {
    let start = bodies();
    let mut model = start.clone();
    let before = text(&model);
    let s = 0.9;
    let main = model.main();
    let map = Affine::scaling(Vec3::new(0.1, -0.2, 0.3), s);
    let mut change = model.edit(Edit::transform(main, map)).unwrap();
    // Sums over 12 triangles, some ten operations each.
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    for k in 0..3 {
        let [was, is] = [inertia(&start, k), inertia(&model, k)];
        near(is.mass(), was.mass() * s.powi(3));
        let ratio = is.rotational().norm() / was.rotational().norm();
        near(ratio, s.powi(5));
        assert!(
            (is.rotational() - was.rotational() * s.powi(5)).norm()
                < 1e-12 * is.rotational().norm()
        );
    }
    near(mass(&model), mass(&start) * s.powi(3));
    let spring = model.nth::<AxialSpring>(0);
    near(model[spring].rest_length, start[spring].rest_length * s);
    let muscle = model.nth::<AxialSpring>(1);
    let optimal = |m: &Model| match m[muscle].material.get("optimal_fibre_length") {
        Some(sinew::axial::Value::Number(x)) => x,
        other => panic!("{other:?}"),
    };
    near(optimal(&model), optimal(&start) * s);
    for k in 0..2 {
        let marker = start.nth::<FrameMarker>(k);
        let [was, is] = [&start, &model].map(|m| m[marker].position(m).unwrap());
        assert!((is - map.point(&was)).norm() < 1e-14, "{is}");
    }
    let collider = model.nth::<Collider>(0);
    let ColliderShape::Box { half_extents } = model[collider].shape else { panic!("a box") };
    assert!((half_extents - Vec3::new(0.1, 0.2, 0.3) * s).norm() < 1e-14);
    let wrap = model.nth::<WrapSurface>(0);
    assert!((model[wrap].radii - start[wrap].radii * s).norm() < 1e-14);
    model.undo(&mut change).unwrap();
    assert_eq!(before, text(&model), "taken back to the bit");
}

#[test]
fn lengths_and_masses_stay_where_that_is_asked_for() {
    let start = bodies();
    let optimal = |m: &Model| m[m.nth::<AxialSpring>(1)].material.get("optimal_fibre_length");
    for lengths in [LineLengths::All, LineLengths::Rest, LineLengths::Keep] {
        let mut model = start.clone();
        let ids = vec![model.main().id()];
        let options = TransformOptions { lengths, masses: MassRule::Mass };
        let map = SpatialMap::from(Affine::about(
            Vec3::x(),
            Mat3::from_diagonal(&Vec3::new(2.0, 1.5, 1.0)),
        ));
        model.edit(Edit::Deform { ids, map, options }).unwrap();
        for k in 0..3 {
            let [was, is] = [inertia(&start, k), inertia(&model, k)];
            assert!((is.mass() / was.mass() - 1.0).abs() < 1e-12, "{k}");
        }
        assert!((mass(&model) / mass(&start) - 1.0).abs() < 1e-12);
        let spring = model.nth::<AxialSpring>(0);
        let length = |m: &Model| {
            let [a, b] = [0, 1].map(|k| m[m.nth::<FrameMarker>(k)].position(m).unwrap());
            (a - b).norm()
        };
        let growth = length(&model) / length(&start);
        assert!(growth > 1.1);
        let expected = if lengths == LineLengths::Keep { 0.3 } else { 0.3 * growth };
        assert!((model[spring].rest_length - expected).abs() < 1e-14);
        assert_eq!(optimal(&model) == optimal(&start), lengths != LineLengths::All);
    }
}

#[test]
fn what_is_on_a_body_goes_along_when_the_body_alone_is_deformed() {
    let start = bodies();
    let mut model = start.clone();
    let body = model.nth::<RigidBody>(0);
    let stretch = Affine::about(Vec3::y(), Mat3::new(1.5, 0.1, 0.0, 0.0, 0.8, 0.2, 0.0, 0.0, 1.2));
    model.edit(Edit::transform(body, stretch)).unwrap();
    let marker = model.nth::<FrameMarker>(0);
    let [was, is] = [&start, &model].map(|m| m[marker].position(m).unwrap());
    assert!((is - stretch.point(&was)).norm() < 1e-14, "{is}");
    for (p, q) in model[body]
        .mesh
        .as_ref()
        .unwrap()
        .vertices()
        .iter()
        .zip(start[body].mesh.as_ref().unwrap().vertices())
    {
        let world = |m: &Model, p: &Vec3| m[body].pose.transform_point(&(*p).into()).coords;
        assert!((world(&model, p) - stretch.point(&world(&start, q))).norm() < 1e-14);
    }
    let other = model.nth::<FrameMarker>(1);
    assert_eq!(model[other], start[other], "on a body that stays");
    let spring = model.nth::<AxialSpring>(0);
    assert_eq!(model[spring], start[spring], "its length is nobody's who was named");
    // The given inertia deforms as that of the solid that has it.
    let mut both = start.clone();
    let main = both.main();
    both.edit(Edit::transform(main, stretch)).unwrap();
    let solid = |k: usize| inertia(&both, k);
    assert!(
        (solid(2).mass()
            / (start[start.nth::<RigidBody>(2)].spatial_inertia().unwrap().mass()
                * stretch.linear.determinant())
            - 1.0)
            .abs()
            < 1e-12
    );
}

/// A joint at a pose between bodies, or a body and the ground, with a range of its first coordinate.
fn ranged_joint(
    model: &mut Model,
    kind: JointKind,
    bodies: [Option<Handle<RigidBody>>; 2],
    at: Pose,
    name: &str,
) -> Handle<Joint> {
    let [c, d] = bodies.map(|body| match body {
        None => FrameSite::ground(at),
        Some(body) => FrameSite::on(body, model[body].pose.inverse() * at),
    });
    let mut joint = Joint::new(kind, c, d).named(name);
    joint.settings.coordinates[0].range = Range::new(-0.02, 0.9);
    model.add(joint)
}

/// A hinge and a slider with ranges, a motor, a coupling between both, and a muscle: a model with no symmetry.
fn mechanism() -> Model {
    let mut model = Model::new("m");
    let bone = || cuboid_mesh(&Vec3::new(0.1, 0.2, 0.3)).unwrap();
    let upper =
        model.add(RigidBody::from_mesh("upper", bone(), 1e3).at(Pose::translation(0.1, 0.02, 0.0)));
    let lower = model
        .add(RigidBody::from_mesh("lower", bone(), 1e3).at(Pose::translation(0.1, 0.02, -0.3)));
    let turned = Pose::rotation(Vec3::new(0.3, 0.8, -0.2));
    let at = Pose::translation(0.1, 0.0, 0.15) * turned;
    let hinge = ranged_joint(&mut model, JointKind::Universal, [Some(upper), None], at, "hip");
    let at = Pose::translation(0.1, 0.0, -0.15) * turned;
    let slider = ranged_joint(&mut model, JointKind::Slider, [Some(lower), Some(upper)], at, "leg");
    let pitch = JointCoordinate::new(hinge, "pitch");
    let z = JointCoordinate::new(slider, "z");
    model
        .add(CoordinateActuator { excitation: 0.5, ..CoordinateActuator::new(pitch.clone(), 3.0) });
    let coupling = JointCoordinateCoupling::following(z, pitch, &[0.0, 0.05, 0.02]);
    model.add(coupling);
    let marker = model.add(FrameMarker::new(lower, Vec3::new(0.04, 0.03, -0.1)));
    let anchor = model.add(Particle::new(1.0, Vec3::new(0.3, -0.2, 0.1)).fixed());
    let law = LinearAxial { stiffness: 50.0, damping: 0.5, rest_length: 0.3 };
    model.add(AxialSpring::new([marker.into(), sinew::model::PointRef::from(anchor)], law));
    model.set_gravity(Vec3::new(0.0, 0.0, -9.8));
    model
}

/// Positions of all markers, and of bodies, after some steps.
fn run(model: &Model, steps: usize, h: f64) -> Vec<Vec3> {
    let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
    for _ in 0..steps {
        simulation.step(h).unwrap();
    }
    let markers: Vec<_> = model.iter::<FrameMarker>().map(|(handle, _)| handle).collect();
    let mut all: Vec<Vec3> = markers.iter().map(|&m| simulation.position(m).unwrap()).collect();
    let bodies: Vec<_> = model.iter::<RigidBody>().map(|(handle, _)| handle).collect();
    all.extend(bodies.iter().map(|&b| simulation.pose(b).unwrap().translation.vector));
    all
}

fn mirror(normal: Vec3) -> Affine {
    let n = normal.normalize();
    Affine::about(Vec3::new(0.02, 0.01, 0.0), Mat3::identity() - n * n.transpose() * 2.0)
}

/// The run of a model in a mirror against the mirrored run of the model, largest distance [m], and the way made [m].
fn mirrored_run(start: &Model, map: Affine, (steps, h): (usize, f64)) -> [f64; 2] {
    let mut model = start.clone();
    let main = model.main();
    model.edit(Edit::transform(main, map)).unwrap();
    model.check().unwrap();
    let (was, is) = (run(start, steps, h), run(&model, steps, h));
    let rest = run(start, 0, h);
    let largest = |pairs: Vec<f64>| pairs.into_iter().fold(0.0, f64::max);
    let apart = was.iter().zip(&is).map(|(a, b)| (map.point(a) - b).norm()).collect();
    let way = was.iter().zip(&rest).map(|(a, b)| (a - b).norm()).collect();
    [largest(apart), largest(way)]
}

#[test]
fn a_mechanism_in_a_mirror_moves_as_the_mirror_image() {
    for normal in [Vec3::x(), Vec3::new(1.0, -0.4, 0.0)] {
        let [apart, way] = mirrored_run(&mechanism(), mirror(normal), (40, 0.005));
        assert!(way > 0.02, "{way}");
        // Solutions of equations by other pivots, over 40 steps.
        assert!(apart < 1e-9, "{apart}");
    }
}

#[test]
fn a_jaw_on_planes_or_curves_in_a_mirror_runs_as_the_mirror_image() {
    [Fossa::Planes, Fossa::Curved].into_iter().for_each(assert_mirrors);
}

fn assert_mirrors(fossa: Fossa) {
    let params = JawParams { task: Task::Open, tongue: None, fossa, ..JawParams::default() };
    let mut jaw = jaw_tongue_hyoid(&params).unwrap();
    // Bones and muscles; elements in a mirror have tests of their own.
    let tongue = jaw.nth::<FemModel>(0);
    jaw.edit(Edit::delete(tongue)).unwrap();
    // Stops begin on the kink of their law, where rounding would decide whether they pull.
    let springs: Vec<_> = jaw.iter::<AxialSpring>().map(|(handle, _)| handle).collect();
    for &spring in &springs {
        if jaw[spring].material.kind().name == "unidirectional_linear" {
            jaw[spring].rest_length *= 1.01;
        }
    }
    // One side alone, so that the image is another motion.
    jaw[springs[0]].excitation = 0.4;
    let [apart, way] = mirrored_run(&jaw, mirror(Vec3::y()), (5, 0.01));
    assert!(way > 1e-3, "{way}");
    // Solutions of equations by other pivots, over 5 steps.
    assert!(apart < 1e-9, "{apart}");
}

/// A rail of a spline, to the height of which a body is bound.
#[test]
fn a_joint_of_functions_scales_with_its_model() {
    let mut jaw =
        jaw_tongue_hyoid(&JawParams { fossa: Fossa::Curved, tongue: None, ..JawParams::default() })
            .unwrap();
    let before = jaw[jaw.nth::<CustomJoint>(0)]
        .motion()
        .unwrap()
        .transform
        .pose(&[0.1, 0.0, 0.0, 5e-3, 0.0]);
    let main = jaw.main();
    jaw.edit(Edit::transform(main, Affine::about(Vec3::zeros(), Mat3::identity() * 0.5))).unwrap();
    jaw.check().unwrap();
    let after = jaw[jaw.nth::<CustomJoint>(0)]
        .motion()
        .unwrap()
        .transform
        .pose(&[0.1, 0.0, 0.0, 5e-3, 0.0]);
    assert!((after.translation.vector - before.translation.vector * 0.5).norm() < 1e-15);
    assert!(after.rotation.angle_to(&before.rotation) < 1e-15);
}

#[test]
fn one_side_of_a_joint_is_not_mirrored_alone() {
    let mut model = mechanism();
    let body = model.nth::<RigidBody>(1);
    let refused = model.edit(Edit::transform(body, mirror(Vec3::x()))).unwrap_err();
    assert!(
        matches!(refused, EditError::Transform { refusal: TransformRefusal::HalfMirrored, .. }),
        "{refused}"
    );
}

#[test]
fn a_tissue_in_a_mirror_is_sound() {
    let mut model = Model::new("m");
    let fem = model.add(tissue("brick", 2, Vec3::y()));
    model.edit(Edit::transform(fem, mirror(Vec3::x()))).unwrap();
    let it = &model[fem];
    for e in 0..it.mesh.element_count() {
        assert!(it.mesh.jacobian_ratio(e, it.quadrature) > 0.0);
    }
    assert!(model.compile().is_ok());
}

/// Landmarks at the corners of a box, and images that bend it.
fn warp() -> LandmarkWarp {
    let corner = |k: u32| Vec3::from([0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 3.0 - 1.5));
    let from: Vec<Vec3> = (0..8).map(corner).collect();
    let bent = |x: &Vec3| x * 1.1 + Vec3::new(0.05 * x.y * x.z, -0.04 * x.x, 0.03 * x.x * x.y);
    LandmarkWarp::new(from.clone(), from.iter().map(bent).collect()).unwrap()
}

/// The same displacements at the points of a grid.
fn field() -> FieldWarp {
    let counts = [7; 3];
    let (origin, spacing) = (Vec3::repeat(-1.5), Vec3::repeat(0.5));
    let places = (0..343).map(|k| [k / 49, k / 7 % 7, k % 7].map(|i| i as f64));
    let points = places.map(|place| origin + spacing.component_mul(&Vec3::from(place)));
    let warp = warp();
    let displacements = points.map(|x| warp.point(&x) - x).collect();
    FieldWarp::new(Grid { origin, spacing, counts, displacements }).unwrap()
}

#[test]
fn a_warp_takes_points_of_all_sorts_to_their_images_and_back() {
    for warp in [SpatialMap::from(warp()), field().into()] {
        let start = bodies();
        let mut model = start.clone();
        let before = text(&model);
        let main = model.main();
        let mut change = model.edit(Edit::deform(main, warp.clone())).unwrap();
        for k in 0..2 {
            let marker = start.nth::<FrameMarker>(k);
            let [was, is] = [&start, &model].map(|m| m[marker].position(m).unwrap());
            assert!((is - warp.point(&was)).norm() < 1e-13, "{is}");
        }
        let fem = model.nth::<FemModel>(0);
        for (x, y) in start[fem].mesh.nodes.iter().zip(&model[fem].mesh.nodes) {
            assert_eq!(warp.point(x), *y);
        }
        model.compile().unwrap();
        model.undo(&mut change).unwrap();
        assert_eq!(before, text(&model));
    }
}

#[test]
fn a_warp_that_folds_is_refused() {
    let corner = |k: u32| Vec3::from([0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 3.0 - 1.5));
    let from: Vec<Vec3> = (0..8).map(corner).chain([Vec3::new(0.4, 1.3, 0.4)]).collect();
    let mut to = from.clone();
    to[8] = Vec3::new(3.5, 4.0, 0.4);
    let warp = LandmarkWarp::new(from, to).unwrap();
    let mut model = Model::new("m");
    let fem = model.add(tissue("brick", 3, Vec3::y()));
    let refused = model.edit(Edit::deform(fem, warp)).unwrap_err();
    assert!(
        matches!(refused, EditError::Transform { refusal: TransformRefusal::Inverts, .. }),
        "{refused}"
    );
}

#[test]
fn planes_of_half_spaces_and_constraints_stay_planes_of_the_points_on_them() {
    let mut model = Model::new("m");
    let pose = Pose::new(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.4, -0.7, 0.2));
    model.add(Collider::half_space(pose));
    let point = model.add(Particle::new(1.0, Vec3::zeros()));
    let site = Anchor::Frame(FrameSite::ground(pose));
    model.add(PointConstrainer::new(PointConstraint::OnPlane, point, site));
    for map in [
        Affine::about(Vec3::y(), Mat3::new(1.5, 0.4, 0.0, 0.3, 0.8, 0.2, 0.0, 0.5, 1.2)),
        Affine::about(Vec3::y(), Mat3::new(-1.5, 0.4, 0.0, 0.3, 0.8, 0.2, 0.0, 0.5, 1.2)),
    ] {
        let mut moved = model.clone();
        let main = moved.main();
        moved.edit(Edit::transform(main, map)).unwrap();
        let on_plane = (pose * nalgebra_point(0.3, -0.8, 0.0)).coords;
        let below = (pose * nalgebra_point(0.3, -0.8, -0.5)).coords;
        let Anchor::Frame(site) = moved[moved.nth::<PointConstrainer>(0)].anchor else {
            panic!("a frame")
        };
        let half_space = moved[moved.nth::<Collider>(0)].site.pose;
        for pose in [site.pose, half_space] {
            let seen = pose.inverse_transform_point(&map.point(&on_plane).into());
            assert!(seen.z.abs() < 1e-14, "{}", seen.z);
        }
        assert!(half_space.inverse_transform_point(&map.point(&below).into()).z < -0.1);
    }
}

fn nalgebra_point(x: f64, y: f64, z: f64) -> nalgebra::Point3<f64> {
    nalgebra::Point3::new(x, y, z)
}

#[test]
fn a_running_simulation_goes_on_when_it_is_scaled() {
    let mut simulation = Simulation::new(mechanism(), SolverSettings::default()).unwrap();
    for _ in 0..5 {
        simulation.step(0.005).unwrap();
    }
    let body = simulation.model().nth::<RigidBody>(1);
    let before = simulation.pose(body).unwrap().translation.vector;
    let command: EditCommand = "transform \"scale 1.25 about 0 0 0\" /models/m".parse().unwrap();
    simulation.apply(&command).unwrap();
    simulation.step(1e-6).unwrap();
    let after = simulation.pose(body).unwrap().translation.vector;
    // The way of a microsecond.
    assert!((after - before * 1.25).norm() < 1e-5, "{before} {after}");
}

#[test]
fn commands_name_maps_and_refuse_those_that_are_none() {
    let mut model = bodies();
    let mut history = History::default();
    let start = text(&model);
    let mut apply = |line: &str| {
        line.parse::<EditCommand>()
            .unwrap()
            .apply(&mut model, &mut history)
            .map_err(|e| e.to_string())
    };
    let report =
        apply("transform \"mirror 1 0 0 through 0.1 0 0, masses mass\" /models/m").unwrap();
    assert!(report.changed.contains(&"/models/m/frame_markers/0".to_owned()), "{report:?}");
    for (line, part) in [
        ("transform \"mirror 0 0 0\" /models/m", "normal"),
        ("transform \"landmarks 0 0 0 1 1 1\" /models/m", "4 at least"),
        ("transform \"field 0 0 0 1 1 1 2 2 2 0 0 0\" /models/m", "8 points"),
        ("transform \"scale 0\" /models/m", "flat"),
    ] {
        let error = apply(line).unwrap_err();
        assert!(error.contains(part), "{line}: {error}");
    }
    apply("undo").unwrap();
    assert_eq!(start, text(&model));
    for wrong in [
        "transform \"scale\" /m",
        "transform \"fly 1\" /m",
        "transform \"scale 1 2\" /m",
        "transform \"scale 2, lengths some\" /m",
    ] {
        assert!(wrong.parse::<EditCommand>().is_err(), "{wrong}");
    }
}
