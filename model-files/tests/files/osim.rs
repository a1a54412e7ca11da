//! Documents of OpenSim: both generations, kinematics against numbers by hand, what is told, what is refused.

use sinew::axial::AxialLaw;
use sinew::axial::active::TendonModel;
use sinew::constraint::JointKind;
use sinew::contact::NormalLaw;
use sinew::model::{
    Collider, CollisionBehavior, CoordinateActuator, CustomJoint, FrameSpring,
    JointCoordinateCoupling, WrapSide, WrapSurface,
};
use sinew::prelude::*;
use sinew::solve::{ImplicitMode, Integrator, NewtonSettings};
use sinew_model_files::{LoadOptions, ModelFile, Report, SaveOptions, Severity, load, save};

use super::{errors, folder};

/// Reading of a text.
pub(super) fn read(text: &str) -> Result<ModelFile, Box<Report>> {
    let folder = folder(&[("model.osim", text)]);
    load(&folder.path().join("model.osim"), &LoadOptions::default())
}

pub(super) fn good(text: &str) -> ModelFile {
    read(text).unwrap_or_else(|report| panic!("{}", report.render(false)))
}

/// Warnings and notes: `line: message`.
pub(super) fn told(file: &ModelFile) -> Vec<String> {
    let list = file.report.diagnostics().iter();
    let line = |d| file.report.place(d).map_or(0, |(_, line, _)| line);
    list.map(|d| format!("{}: {}", line(d), d.message)).collect()
}

/// A document of version 4 with these bodies, joints, forces and other sets.
pub(super) fn document(bodies: &str, joints: &str, rest: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<OpenSimDocument Version=\"40000\"><Model name=\"it\">\n\
         <gravity>0 -9.81 0</gravity>\n<BodySet><objects>{bodies}</objects></BodySet>\n\
         <JointSet><objects>{joints}</objects></JointSet>\n{rest}\n</Model></OpenSimDocument>\n"
    )
}

pub(super) fn body(name: &str) -> String {
    format!(
        "<Body name=\"{name}\"><mass>2</mass><mass_center>0 -0.1 0</mass_center>\
         <inertia>0.02 0.01 0.02 0.001 0 0</inertia></Body>"
    )
}

/// A joint between frames at the origins of two bodies.
pub(super) fn joint(class: &str, name: &str, sides: [&str; 2], rest: &str) -> String {
    let [parent, child] = sides;
    format!(
        "<{class} name=\"{name}\"><socket_parent_frame>{parent}</socket_parent_frame>\
         <socket_child_frame>{child}</socket_child_frame>{rest}</{class}>"
    )
}

pub(super) fn coordinate(name: &str, value: f64, rest: &str) -> String {
    format!("<Coordinate name=\"{name}\"><default_value>{value}</default_value>{rest}</Coordinate>")
}

pub(super) fn axis(name: &str, coordinates: &str, axis: &str, function: &str) -> String {
    format!(
        "<TransformAxis name=\"{name}\"><coordinates>{coordinates}</coordinates><axis>{axis}</axis>\
         {function}</TransformAxis>"
    )
}

const STRAIGHT: &str = "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>";
const PARABOLA: &str =
    "<PolynomialFunction><coefficients>0.1 -0.2 0</coefficients></PolynomialFunction>";
const POINTS: &str = "<x>-2 -1 0 1</x><y>0.012 0.003 0 0.003</y>";
const ZERO: &str = "<Constant><value>0</value></Constant>";
const DOUBLE: &str = "<MultiplierFunction><function><Constant><value>-0.2</value></Constant></function><scale>2</scale></MultiplierFunction>";

/// A thigh on a pin, and a shank on a knee along a spline and a parabola.
fn leg() -> String {
    let spline = format!("<SimmSpline>{POINTS}</SimmSpline>");
    let knee = [
        axis("rotation1", "knee", "0 0 1", STRAIGHT),
        axis("rotation2", "knee", "0 1 0", PARABOLA),
        axis("rotation3", "", "1 0 0", ZERO),
        axis("translation1", "knee", "1 0 0", &spline),
        axis("translation2", "", "0 1 0", DOUBLE),
        axis("translation3", "", "0 0 1", ZERO),
    ];
    let frames = "<frames><PhysicalOffsetFrame name=\"hip_in_ground\"><socket_parent>/ground</socket_parent>\
         <translation>0 1 0</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame></frames>";
    let hip = format!(
        "<coordinates>{}</coordinates>{frames}",
        coordinate("hip", 0.5, "<default_speed_value>2</default_speed_value>")
    );
    let knee = format!(
        "<coordinates>{}</coordinates><SpatialTransform>{}</SpatialTransform>",
        coordinate("knee", -0.5, "<range>-2 1</range><clamped>true</clamped>"),
        knee.concat()
    );
    let joints = joint("PinJoint", "hip", ["hip_in_ground", "/bodyset/thigh"], &hip)
        + &joint("CustomJoint", "knee", ["/bodyset/thigh", "/bodyset/shank"], &knee);
    document(&(body("thigh") + &body("shank")), &joints, "")
}

/// The same in the words of version 3.
fn old_leg() -> String {
    let inside = |parent: &str, joint: &str, place: &str, rest: &str, class: &str| {
        format!(
            "<Joint><{class} name=\"{joint}\"><parent_body>{parent}</parent_body>\
             <location_in_parent>{place}</location_in_parent><orientation_in_parent>0 0 0</orientation_in_parent>\
             <location>0 0 0</location><orientation>0 0 0</orientation>{rest}</{class}></Joint>"
        )
    };
    let function = |text: &str| format!("<function>{text}</function>");
    let spline = format!("<NaturalCubicSpline>{POINTS}</NaturalCubicSpline>");
    let knee = [
        axis("rotation1", "knee", "0 0 1", &function(STRAIGHT)),
        axis("rotation2", "knee", "0 1 0", &function(PARABOLA)),
        axis("translation1", "knee", "1 0 0", &function(&spline)),
        axis("translation2", "", "0 1 0", &function("<Constant><value>-0.4</value></Constant>")),
    ];
    let set = |text: &str| format!("<CoordinateSet><objects>{text}</objects></CoordinateSet>");
    let hip = set(&coordinate("hip", 0.5, "<default_speed_value>2</default_speed_value>"));
    let knee = set(&coordinate("knee", -0.5, "<range>-2 1</range><clamped>true</clamped>"))
        + &format!("<SpatialTransform>{}</SpatialTransform>", knee.concat());
    let with =
        |name: &str, joint: String| body(name).replace("</Body>", &format!("{joint}</Body>"));
    let bodies = "<Body name=\"ground\"><mass>0</mass><Joint/></Body>".to_owned()
        + &with("thigh", inside("ground", "hip", "0 1 0", &hip, "PinJoint"))
        + &with("shank", inside("thigh", "knee", "0 0 0", &knee, "CustomJoint"));
    document(&bodies, "", "").replace("40000", "30000")
}

fn pose(file: &ModelFile, name: &str) -> sinew::constraint::Pose {
    file.model.iter::<RigidBody>().find(|it| it.1.name == name).unwrap().1.pose
}

#[test]
fn a_knee_of_functions_stands_where_it_is_computed_by_hand() {
    for text in [leg(), old_leg()] {
        let file = good(&text);
        let thigh = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.5);
        assert!((pose(&file, "thigh").translation.vector - Vec3::y()).norm() < 1e-15);
        // The spline is the parabola 0.003 x², the polynomial 0.1 x² - 0.2 x.
        let origin = Vec3::y() + thigh * Vec3::new(0.003 * 0.25, -0.4, 0.0);
        let shank = thigh
            * nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), -0.5)
            * nalgebra::Rotation3::from_axis_angle(&Vec3::y_axis(), 0.1 * 0.25 + 0.2 * 0.5);
        let found = pose(&file, "shank");
        assert!((found.translation.vector - origin).norm() < 1e-15, "{found} {origin}");
        let found = found.rotation.to_rotation_matrix().into_inner();
        assert!((found - shank.into_inner()).amax() < 1e-15, "{found} {shank}");
        let bodies: Vec<_> = file.model.iter::<RigidBody>().map(|it| it.1.clone()).collect();
        assert!((bodies[0].angular_velocity - Vec3::z() * 2.0).norm() < 1e-15);
        let swung = (Vec3::z() * 2.0).cross(&(origin - Vec3::y()));
        assert!((bodies[1].velocity - swung).norm() < 1e-15, "{}", bodies[1].velocity);
    }
}

#[test]
fn both_generations_are_the_same_model() {
    let [new, old] = [leg(), old_leg()].map(|text| good(&text).model);
    let bodies =
        |model: &Model| model.iter::<RigidBody>().map(|it| it.1.clone()).collect::<Vec<_>>();
    assert_eq!(bodies(&new), bodies(&old));
    let hinge = |model: &Model| model.iter::<Joint>().next().unwrap().1.clone();
    assert_eq!(hinge(&new), hinge(&old));
    assert_eq!(hinge(&new).settings.kind, JointKind::Hinge);
    // Its coordinate is found by its name of the document.
    assert_eq!(hinge(&new).coordinate_names, ["hip"]);
    let (id, _) = new.iter::<Joint>().next().unwrap();
    let value = new.property_of(id, "coordinate.hip.value").unwrap();
    assert_eq!(value.info().name, "coordinate.theta.value");
    assert!(new.property_of(id, "coordinate.hop.value").is_err());
    let knee = |model: &Model| {
        let joint = model.iter::<CustomJoint>().next().unwrap().1.clone();
        let range = joint.coordinates[0].range;
        (joint.functions().coordinates.clone(), range, joint.c, joint.d)
    };
    assert_eq!(knee(&new), knee(&old));
    // Nothing keeps to a range in a simulation.
    assert_eq!(knee(&new).1, sinew::constraint::Range::FREE);
}

#[test]
fn a_leg_of_functions_swings_with_its_energy_and_joints_kept() {
    let file = good(&leg());
    let settings = SolverSettings {
        integrator: Integrator::Trapezoidal(ImplicitMode::Newton(NewtonSettings::default())),
        ..SolverSettings::default()
    };
    let mut simulation = Simulation::new(file.model.clone(), settings).unwrap();
    let start = simulation.state().unwrap().coordinates.clone();
    assert!((start[0] - 0.5).abs() < 1e-14 && (start[1] + 0.5).abs() < 1e-14, "{start:?}");
    let energy = |simulation: &mut Simulation| {
        let state = simulation.state().unwrap().clone();
        simulation.compiled().at(&state).measure().energies
    };
    let before = energy(&mut simulation);
    for _ in 0..100 {
        simulation.step(1e-3).unwrap();
    }
    let after = energy(&mut simulation);
    let turned = (after.kinetic - before.kinetic).abs();
    let lost = (after.total() - before.total()).abs();
    // The rule of the trapezoid keeps it to a few 1e-12 here.
    assert!(lost < 1e-10 * turned, "{lost:e} of {turned:e} J");
    let end = simulation.state().unwrap().coordinates.clone();
    assert!((end[0] - start[0]).abs() > 0.05 && (end[1] - start[1]).abs() > 0.01, "{end:?}");
}

#[test]
fn a_body_without_mass_is_part_of_what_it_is_welded_to() {
    let light = body("plate").replace("<mass>2</mass>", "<mass>0</mass>");
    let offset = "<frames><PhysicalOffsetFrame name=\"o\"><socket_parent>/bodyset/thigh</socket_parent>\
                  <translation>0.1 0 0</translation><orientation>0 0 1.5707963267948966</orientation></PhysicalOffsetFrame></frames>";
    let joints = joint("PinJoint", "hip", ["/ground", "/bodyset/thigh"], "")
        + &joint("WeldJoint", "plate", ["o", "/bodyset/plate"], offset);
    let markers = "<MarkerSet><objects><Marker name=\"m\"><socket_parent_frame>/bodyset/plate</socket_parent_frame>\
                   <location>0.2 0 0</location></Marker></objects></MarkerSet>";
    let file = good(&document(&(body("thigh") + &light), &joints, markers));
    assert_eq!(file.model.iter::<RigidBody>().count(), 1);
    assert_eq!(file.model.iter::<Joint>().count(), 1);
    let marker = file.model.iter::<FrameMarker>().next().unwrap().1;
    assert!((marker.location - Vec3::new(0.1, 0.2, 0.0)).norm() < 1e-15, "{}", marker.location);
    // Welded to the ground it is a fixed body.
    let joints = joint("WeldJoint", "plate", ["/ground", "/bodyset/plate"], "");
    let file = good(&document(&light, &joints, ""));
    let plate = file.model.iter::<RigidBody>().next().unwrap().1;
    assert!(!plate.dynamic && file.model.iter::<Joint>().count() == 0);
}

#[test]
fn coupled_coordinates_start_together_and_stay_so() {
    let pin = |name: &str, value: f64| {
        format!("<coordinates>{}</coordinates>", coordinate(name, value, ""))
    };
    let joints = joint("PinJoint", "a", ["/ground", "/bodyset/thigh"], &pin("lead", 0.3))
        + &joint("PinJoint", "b", ["/bodyset/thigh", "/bodyset/shank"], &pin("follow", 0.0));
    let coupler = |function: &str| {
        format!(
            "<ConstraintSet><objects><CoordinateCouplerConstraint name=\"gear\">\
             <coupled_coordinates_function>{function}</coupled_coordinates_function>\
             <independent_coordinate_names>lead</independent_coordinate_names>\
             <dependent_coordinate_name>follow</dependent_coordinate_name><scale_factor>2</scale_factor>\
             </CoordinateCouplerConstraint></objects></ConstraintSet>"
        )
    };
    let bodies = body("thigh") + &body("shank");
    let line = "<LinearFunction><coefficients>-0.5 0.1</coefficients></LinearFunction>";
    let file = good(&document(&bodies, &joints, &coupler(line)));
    let follow = 2.0 * (-0.5 * 0.3 + 0.1);
    let turn = pose(&file, "shank").rotation.scaled_axis().z;
    assert!((turn - 0.3 - follow).abs() < 1e-15, "{turn}");
    let coupling = file.model.iter::<JointCoordinateCoupling>().next().unwrap().1;
    let list: Vec<_> = coupling.terms.iter().map(|it| it.polynomial.clone()).collect();
    assert_eq!(list, [vec![0.0, 1.0], vec![-0.2, 1.0]]);
    let spline = "<SimmSpline><x>-1 0 1</x><y>0 1 0</y></SimmSpline>";
    let file = good(&document(&bodies, &joints, &coupler(spline)));
    let follow = 2.0 * (1.0 - 0.09);
    let turn = pose(&file, "shank").rotation.scaled_axis().z;
    assert!((turn - 0.3 - follow).abs() < 1e-14, "{turn}");
    assert!(told(&file).is_empty(), "{:?}", told(&file));
    let coupling = file.model.iter::<JointCoordinateCoupling>().next().unwrap().1;
    let curve = coupling.terms[1].curve.as_ref().unwrap();
    // Three points give their parabola 1 - x².
    assert!((curve.of(&[0.3]).unwrap() + follow).abs() < 1e-14, "{curve:?}");
    let mut simulation = Simulation::new(file.model, SolverSettings::default()).unwrap();
    for _ in 0..20 {
        simulation.step(1e-3).unwrap();
    }
    let [lead, follow] = simulation.state().unwrap().coordinates[..] else { panic!("two") };
    assert!((lead - 0.3).abs() > 1e-4, "{lead}");
    assert!((follow - 2.0 * (1.0 - lead * lead)).abs() < 1e-9, "{lead} {follow}");
}

pub(super) fn muscle(class: &str, path: &str, rest: &str) -> String {
    format!(
        "<ForceSet><objects><{class} name=\"flexor\"><GeometryPath><PathPointSet><objects>{path}</objects>\
         </PathPointSet></GeometryPath>{rest}</{class}></objects></ForceSet>"
    )
}

pub(super) fn path_point(name: &str, frame: &str, place: &str) -> String {
    format!(
        "<PathPoint name=\"{name}\"><socket_parent_frame>{frame}</socket_parent_frame>\
         <location>{place}</location></PathPoint>"
    )
}

/// A body on a pin, with these forces.
pub(super) fn forced(forces: &str) -> String {
    let joints = joint("PinJoint", "hip", ["/ground", "/bodyset/thigh"], "");
    document(&body("thigh"), &joints, forces)
}

pub(super) fn points() -> String {
    path_point("p1", "/ground", "0.1 0.2 0") + &path_point("p2", "/bodyset/thigh", "0.1 -0.2 0")
}

#[test]
fn muscles_take_the_numbers_of_their_classes() {
    let sizes = "<max_isometric_force>800</max_isometric_force><optimal_fiber_length>0.13</optimal_fiber_length>\
                 <tendon_slack_length>0.14</tendon_slack_length><Af>0.3</Af><Flen>1.8</Flen>";
    let file = good(&forced(&muscle("Thelen2003Muscle", &points(), sizes)));
    let line = file.model.iter::<AxialSpring>().next().unwrap().1;
    let AxialLaw::Thelen2003(law) = line.material else { panic!("{:?}", line.material) };
    assert_eq!(
        (law.max_isometric_force, law.velocity_shape, law.lengthening_force),
        (800.0, 0.3, 1.8)
    );
    assert_eq!((law.activation_time, law.deactivation_time, law.passive_shape), (0.015, 0.05, 5.0));
    let ends = line.ends.map(|end| match end {
        PointRef::Marker(marker) => file.model.get(marker).unwrap().position(&file.model).unwrap(),
        other => panic!("{other:?}"),
    });
    assert_eq!(ends, [Vec3::new(0.1, 0.2, 0.0), Vec3::new(0.1, -0.2, 0.0)]);
    let rest = "<ignore_tendon_compliance>true</ignore_tendon_compliance>\
                <TendonForceLengthCurve><strain_at_one_norm_force>0.1</strain_at_one_norm_force></TendonForceLengthCurve>";
    let three = points() + &path_point("p3", "thigh", "0 -0.3 0");
    let file = good(&forced(&muscle("Millard2012EquilibriumMuscle", &three, rest)));
    let path = file.model.iter::<MultiPointSpring>().next().unwrap().1;
    let AxialLaw::Millard2012(law) = path.material else { panic!("{:?}", path.material) };
    assert_eq!((law.tendon_strain, law.fibre_damping, law.tendon), (0.1, 0.1, TendonModel::Rigid));
    assert_eq!((path.points.len(), law.least_active_force), (3, 0.1));
}

#[test]
fn defaults_of_a_class_stand_for_what_a_muscle_does_not_say() {
    let text = forced(&muscle("Thelen2003Muscle", &points(), "")).replace(
        "<gravity>",
        "<defaults><Thelen2003Muscle name=\"default\"><KshapePassive>3.5</KshapePassive></Thelen2003Muscle></defaults><gravity>",
    );
    let file = good(&text);
    let AxialLaw::Thelen2003(law) = file.model.iter::<AxialSpring>().next().unwrap().1.material
    else {
        panic!("no muscle of Thelen");
    };
    assert_eq!(law.passive_shape, 3.5);
}

#[test]
fn actuators_drive_coordinates_by_their_names() {
    let actuator = "<ForceSet><objects><CoordinateActuator name=\"motor\"><coordinate>hip_coord_0</coordinate>\
                    <optimal_force>30</optimal_force></CoordinateActuator></objects></ForceSet>";
    let file = good(&forced(actuator));
    let motor = file.model.iter::<CoordinateActuator>().next().unwrap().1;
    assert_eq!((motor.max_force, motor.of.coordinate.as_str()), (30.0, "theta"));
    assert!(file.model.compile().is_ok());
}

#[test]
fn what_is_not_read_is_told_once_with_its_count_and_line() {
    let forces = muscle("Delp1990Muscle_Deprecated", &points(), "").replace(
        "</objects></ForceSet>",
        "\n<ToyForce name=\"foot\"><x>1</x></ToyForce>\
                 <ToyForce name=\"heel\"><stiffness>1</stiffness></ToyForce></objects></ForceSet>",
    );
    let rest = format!("{forces}\n<ControllerSet><objects/></ControllerSet><credits>us</credits>");
    let file = good(&forced(&rest));
    let told = told(&file);
    let expected = [
        "6: Delp1990Muscle_Deprecated has a law of its own: Thelen's muscle of the same sizes stands for it, in every muscle of this class",
        "7: <ToyForce> in <objects> is not read, 2 times, first here",
        "8: <credits> in <Model> is not read: it has no effect on motion",
    ];
    for line in expected {
        assert!(told.iter().any(|it| it == line), "{line}\n{}", told.join("\n"));
    }
    assert_eq!(told.len(), expected.len(), "{}", told.join("\n"));
    let warned = |d: &&sinew_model_files::Diagnostic| d.severity == Severity::Warning;
    assert_eq!(file.report.diagnostics().iter().filter(warned).count(), 2);
}

/// A coordinate of the hip of [`forced`], and points that move with it and come and go.
fn moving_points() -> String {
    let coordinate = |axis: &str| {
        format!("<socket_{axis}coordinate>/jointset/hip/hip_coord_0</socket_{axis}coordinate>")
    };
    let frame = "<socket_parent_frame>/bodyset/thigh</socket_parent_frame>";
    let place =
        |axis: &str, function: &str| format!("<{axis}_location>{function}</{axis}_location>");
    let moving = format!(
        "<MovingPathPoint name=\"m\">{frame}{}{}{}{}{}{}</MovingPathPoint>",
        coordinate("x_"),
        coordinate("y_"),
        coordinate("z_"),
        place("x", "<SimmSpline><x>-1 0 1</x><y>0.1 0.12 0.16</y></SimmSpline>"),
        place("y", "<PiecewiseLinearFunction><x>-1 1</x><y>0 0.1</y></PiecewiseLinearFunction>"),
        place("z", "<Constant><value>0.02</value></Constant>"),
    );
    let conditional = format!(
        "<ConditionalPathPoint name=\"c\">{frame}<location>0 0.3 0</location>{}<range>0.5 2</range></ConditionalPathPoint>",
        coordinate("")
    );
    points() + &moving + &conditional
}

#[test]
fn points_that_move_and_come_and_go_are_read_with_their_coordinates() {
    let text = forced(&muscle("Thelen2003Muscle", &moving_points(), ""));
    let file = good(&text);
    assert!(told(&file).is_empty(), "{:?}", told(&file));
    let marker = |name: &str| {
        file.model.iter::<FrameMarker>().find(|it| it.1.name == name).unwrap().1.clone()
    };
    let moving = marker("m");
    assert_eq!(moving.moves.len(), 2);
    let at = moving.position(&file.model).unwrap();
    assert!((at - Vec3::new(0.12, 0.05, 0.02)).norm() < 1e-15, "{at}");
    let active = marker("c").active.unwrap();
    assert_eq!((active.of.coordinate.as_str(), active.range), ("theta", [0.5, 2.0]));
    let path = file.model.iter::<MultiPointSpring>().next().unwrap();
    let compiled = file.model.compile().unwrap();
    let length = compiled.stretch_of_line(path.0, &compiled.initial_state()).unwrap()[0];
    let [a, b] = [Vec3::new(0.1, 0.2, 0.0), Vec3::new(0.1, -0.2, 0.0)];
    assert!((length - (b - a).norm() - (at - b).norm()).abs() < 1e-15, "{length}");
    let wrong = text.replace("<range>0.5 2</range>", "<range>2 0.5</range>");
    let found = errors(&read(&wrong).err().unwrap()).join("\n");
    assert!(found.contains("must rise, got 2 and 0.5"), "{found}");
    // OpenSim 4 may write a property of one object as the object of that name.
    let named = text
        .replace("<x_location><SimmSpline>", "<SimmSpline name=\"x_location\">")
        .replace("</SimmSpline></x_location>", "</SimmSpline>");
    assert!(named != text && told(&good(&named)).is_empty());
    let again = good(&named).model;
    let markers: Vec<_> = again.iter::<FrameMarker>().map(|it| it.1.clone()).collect();
    assert!(markers.contains(&moving), "{markers:?}");
}

/// A muscle that passes round wrap objects of the ground, on a body on a pin.
fn wrapped_muscle(objects: &str, wraps: &str) -> String {
    let ground = format!(
        "<Ground name=\"ground\"><WrapObjectSet name=\"wrapobjectset\"><objects>{objects}</objects></WrapObjectSet></Ground>"
    );
    let wraps = format!("<PathWrapSet><objects>{wraps}</objects></PathWrapSet></GeometryPath>");
    let forces = muscle("Thelen2003Muscle", &points(), "").replace("</GeometryPath>", &wraps);
    forced(&(ground + &forces))
}

fn path_wrap(object: &str, range: &str) -> String {
    format!(
        "<PathWrap><wrap_object>{object}</wrap_object><method>hybrid</method><range>{range}</range></PathWrap>"
    )
}

#[test]
fn wrap_objects_bend_the_paths_that_name_them() {
    let cylinder = "<WrapCylinder name=\"c\"><xyz_body_rotation>0 0 0</xyz_body_rotation>\
                    <translation>0.08 0 0</translation><quadrant>+x</quadrant><radius>0.05</radius>\
                    <length>0.2</length></WrapCylinder>";
    let file = good(&wrapped_muscle(cylinder, &path_wrap("c", "-1 -1")));
    assert!(told(&file).is_empty(), "{:?}", told(&file));
    let surface = file.model.iter::<WrapSurface>().next().unwrap().1;
    assert_eq!((surface.side, surface.half_length), (WrapSide::PositiveX, 0.1));
    let length = |file: &ModelFile| {
        let path = file.model.iter::<MultiPointSpring>().next().unwrap();
        let compiled = file.model.compile().unwrap();
        compiled.stretch_of_line(path.0, &compiled.initial_state()).unwrap()[0]
    };
    // From (0.1, 0.2) to (0.1, -0.2) round a circle about (0.08, 0): 0.02 beside its middle.
    let (r, d) = (0.05f64, 0.02f64.hypot(0.2));
    let apart = 2.0 * (0.2f64).atan2(0.02);
    let round = 2.0 * (d * d - r * r).sqrt() + r * (apart - 2.0 * (r / d).acos());
    assert!((length(&file) - round).abs() < 1e-14, "{} {round}", length(&file));
    let far = cylinder.replace("+x", "-x");
    let found = length(&good(&wrapped_muscle(&far, &path_wrap("c", "-1 -1"))));
    let back =
        2.0 * (d * d - r * r).sqrt() + r * (std::f64::consts::TAU - apart - 2.0 * (r / d).acos());
    assert!((found - back).abs() < 1e-14, "{found} {back}");
    let others = "<WrapSphere name=\"s\"><translation>0.1 0 0.01</translation><radius>0.05</radius></WrapSphere>\
                  <WrapEllipsoid name=\"e\"><translation>0.1 0.1 0</translation><dimensions>0.02 0.03 0.04</dimensions></WrapEllipsoid>\
                  <WrapTorus name=\"t\"><translation>0.1 -0.1 0</translation><xyz_body_rotation>1.5707963267948966 0 0</xyz_body_rotation>\
                  <inner_radius>0.01</inner_radius><outer_radius>0.03</outer_radius></WrapTorus>";
    let wraps = ["s", "e", "t"].map(|object| path_wrap(object, "1 2")).concat();
    let file = good(&wrapped_muscle(others, &wraps));
    let line = file.model.iter::<MultiPointSpring>().next().unwrap().1;
    assert_eq!(line.wraps.len(), 3);
    // Through the middle of the ring, and round the others.
    assert!(length(&file) > 0.405, "{}", length(&file));
}

#[test]
fn what_is_wrong_with_wrap_objects_is_said_at_its_line() {
    let sphere = "<WrapSphere name=\"s\"><radius>0.05</radius></WrapSphere>";
    let cases = [
        (wrapped_muscle(sphere, &path_wrap("knee", "-1 -1")), "there is no wrap object 'knee'"),
        (wrapped_muscle(&sphere.replace("0.05", "-1"), ""), "must be > 0, got -1"),
        (wrapped_muscle(&sphere.replace("Sphere", "Cone"), ""), "is no kind of wrap object"),
        (
            wrapped_muscle(&sphere.replace("<radius>", "<quadrant>w</quadrant><radius>"), ""),
            "must be all or an axis with a sign, got 'w'",
        ),
        (
            wrapped_muscle(
                "<WrapTorus name=\"t\"><inner_radius>2</inner_radius><outer_radius>1</outer_radius></WrapTorus>",
                "",
            ),
            "must be more than <inner_radius>, got 1 and 2",
        ),
    ];
    for (text, expected) in cases {
        let found = errors(&read(&text).err().unwrap()).join("\n");
        assert!(found.contains(expected), "expected: {expected}\nfound: {found}");
    }
    let file = good(&wrapped_muscle(sphere, &path_wrap("s", "2 2")));
    assert!(told(&file)[0].contains("no segment of the path between its points"));
}

#[test]
fn documents_that_make_no_model_are_refused_at_their_lines() {
    let pin = |sides: [&str; 2]| joint("PinJoint", "hip", sides, "");
    let one = |joints: &str| document(&body("thigh"), joints, "");
    let tied = pin(["/ground", "/bodyset/thigh"]);
    let custom = |axes: &str| {
        let rest = format!(
            "<coordinates>{}</coordinates><SpatialTransform>{axes}</SpatialTransform>",
            coordinate("knee", 0.0, "")
        );
        one(&joint("CustomJoint", "hip", ["ground", "thigh"], &rest))
    };
    let circle = joint("PinJoint", "a", ["thigh", "shank"], "")
        + &joint("PinJoint", "b", ["shank", "thigh"], "");
    let frame = "<frames><PhysicalOffsetFrame name=\"f\"><socket_parent>f</socket_parent></PhysicalOffsetFrame></frames>";
    let cases: [(String, &str); 19] = [
        (leg()[..leg().len() / 2].to_owned(), "the file is no XML"),
        ("no xml at all".to_owned(), "the file is no XML"),
        ("<Model/>".to_owned(), "1:1 <Model> is no OpenSimDocument with a version"),
        (one(&tied).replace("40000", "10000"), "2:1 version 10000 is older than 20000"),
        (
            document(&(body("thigh") + &body("thigh")), &tied, ""),
            "4:137 body 'thigh' is there twice",
        ),
        (
            one(&pin(["/ground", "/bodyset/shin"])),
            "5:20 PinJoint 'hip': there is no body or frame 'shin'",
        ),
        (one(&pin(["/bodyset/thigh", "/bodyset/thigh"])), "joins a body to itself"),
        (document(&(body("thigh") + &body("shank")), &circle, ""), "is part of a circle of joints"),
        (one(&joint("PinJoint", "hip", ["f", "thigh"], frame)), "others, or on itself"),
        (
            one(&tied).replace("<mass>2", "<mass>-2"),
            "4:38 the mass of body 'thigh' must be >= 0, got -2",
        ),
        (
            one(&tied).replace("<mass>2", "<mass>nan"),
            "<mass> of Body 'thigh' must hold finite numbers, got 'nan'",
        ),
        (one(&tied).replace("0.02 0.01 0.02", "0.02 -0.01 0.02"), "negative moment of inertia"),
        (one(&tied).replace("0 -0.1 0", "0 -0.1"), "must be three numbers, got 2"),
        (one(&tied).replace("PinJoint", "RollJoint"), "is no kind of joint that is read"),
        (
            one(&tied).replace("PinJoint", "EllipsoidJoint"),
            "<radii_x_y_z> of EllipsoidJoint 'hip' must be three numbers > 0",
        ),
        (
            custom(&axis("rotation1", "knee", "0 0 1", "<GCVSpline><x>0 1</x></GCVSpline>")),
            "<GCVSpline> has 2 x and 0 y",
        ),
        (
            custom(&axis("rotation1", "elbow", "0 0 1", "<Constant><value>1</value></Constant>")),
            "the joint has no coordinate 'elbow'",
        ),
        (custom(&axis("rotation1", "knee", "0 0 0", "")), "has no axis"),
        (
            forced(&muscle("Thelen2003Muscle", &path_point("p1", "thigh", "0 0 0"), "")),
            "has 1 points, it must have two",
        ),
    ];
    for (text, expected) in cases {
        let report = read(&text).err().unwrap_or_else(|| panic!("{expected}: {text}"));
        let found = errors(&report).join("\n");
        assert!(found.contains(expected), "expected: {expected}\nfound: {found}");
    }
}

#[test]
fn a_coordinate_that_cannot_be_read_from_poses_stays_and_is_told() {
    let square = "<PolynomialFunction><coefficients>0.1 0 0</coefficients></PolynomialFunction>";
    let rest = format!(
        "<coordinates>{}{}</coordinates><SpatialTransform>{}{}</SpatialTransform>",
        coordinate("slide", 0.5, ""),
        coordinate("turn", 0.2, ""),
        axis("rotation1", "turn", "0 0 1", ""),
        axis("translation1", "slide", "1 0 0", square),
    );
    let joint = joint("CustomJoint", "hip", ["ground", "thigh"], &rest);
    let file = good(&document(&body("thigh"), &joint, ""));
    let told = told(&file).join("\n");
    assert!(told.contains("coordinate 'slide' of CustomJoint 'hip' cannot be read"), "{told}");
    let joint = file.model.iter::<CustomJoint>().next().unwrap().1;
    assert_eq!(joint.functions().coordinates.len(), 1);
    let place = pose(&file, "thigh").translation.vector;
    assert!((place - Vec3::x() * 0.025).norm() < 1e-16, "{place}");
    assert!(file.model.compile().is_ok());
}

#[test]
fn laws_of_muscles_out_of_range_are_refused_at_the_muscle() {
    let rest = "<optimal_fiber_length>-0.1</optimal_fiber_length>";
    let report = read(&forced(&muscle("Thelen2003Muscle", &points(), rest))).err().unwrap();
    let found = errors(&report).join("\n");
    assert!(found.starts_with("6:20 ") && found.contains("optimal_fibre_length"), "{found}");
}

#[test]
fn documents_are_saved_as_model_files_and_come_back_to_the_bit() {
    let sphere = "<WrapSphere name=\"s\"><radius>0.05</radius></WrapSphere>";
    let texts = [
        forced(&muscle("Thelen2003Muscle", &points(), "")),
        leg(),
        forced(&muscle("Thelen2003Muscle", &moving_points(), "")),
        wrapped_muscle(sphere, &path_wrap("s", "1 2")),
    ];
    for text in texts {
        let model = good(&text).model;
        let out = folder(&[]);
        for file in ["model.toml", "model.json"] {
            // Saving compares each property of what would be read with that of the model.
            let path = out.path().join(file);
            save(&model, &path, &SaveOptions::default()).unwrap();
            let read = super::loaded(&path).model;
            let document = |model: &Model| serde_json::to_string(model).unwrap();
            assert_eq!(document(&read), document(&model), "{file} is another model");
        }
        let run = |model: &Model| {
            let mut simulation = Simulation::new(model.clone(), SolverSettings::default()).unwrap();
            (0..20).for_each(|_| simulation.step(1e-3).map(|_| ()).unwrap());
            simulation.state().unwrap().clone()
        };
        let back = super::loaded(&out.path().join("model.toml")).model;
        let (one, other) = (run(&model), run(&back));
        assert_eq!((one.q, one.u), (other.q, other.u));
    }
}

#[test]
fn a_document_that_ends_or_differs_at_any_byte_is_read_or_refused() {
    let folder = folder(&[]);
    let path = folder.path().join("model.osim");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        sinew_model_files::check(&path, &LoadOptions::default()).error_count()
    };
    for text in [leg(), old_leg(), forced(&muscle("Thelen2003Muscle", &points(), ""))] {
        let text = text.trim_end();
        assert_eq!(read(text.as_bytes()), 0);
        for at in 0..text.len() {
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

/// A shank that slides along a curve of a knee, with a marker that moves in it and comes and goes.
const KNEE: &str = r#"version = 1
[[rigid_body]]
name = "shank"
mass = 2.0
inertia = [[0.02, 0, 0], [0, 0.01, 0], [0, 0, 0.02]]
position = [0, -0.4, 0]

[[custom_joint]]
name = "knee"
body_c = "rigid_bodies/shank"
frame_d = [0, -0.4, 0, 0, 0, 0, 1]
variables = "knee_angle at 0 from -2 to 1"
motion = """turn 0 0 1 of 0 by linear 0 1; turn 0 1 0 by constant 0; turn 1 0 0 by constant 0;
way 1 0 0 of 0 by spline -2 0.012 -1 0.003 0 0 1 0.003; way 0 1 0 by constant 0; way 0 0 1 by constant 0"""
ranges = [-2, 1]

[[frame_marker]]
name = "patellar"
body = "rigid_bodies/shank"
location = [0.05, 0, 0]
move_joints = ["connectors/knee"]
moves = "x of knee_angle by spline -2 0.01 -1 0.03 0 0.05"
active_joint = "connectors/knee"
active_coordinate = "knee_angle"
active_range = [-2, 0.2]
"#;

#[test]
fn a_joint_of_functions_and_a_point_that_moves_are_written_by_hand() {
    let file = match super::read(KNEE) {
        Ok(file) => file,
        Err(report) => panic!("{}", report.render(false)),
    };
    let joint = file.model.iter::<CustomJoint>().next().unwrap().1;
    assert_eq!(joint.coordinates[0].range, sinew::constraint::Range::new(-2.0, 1.0));
    assert_eq!(joint.functions().rows.len(), 5);
    let marker = file.model.iter::<FrameMarker>().next().unwrap().1;
    assert_eq!(marker.position(&file.model).unwrap(), Vec3::new(0.05, -0.4, 0.0));
    let mut simulation = Simulation::new(file.model.clone(), SolverSettings::default()).unwrap();
    simulation.step(1e-3).unwrap();
    let wrong = |from: &str, to: &str| super::errors_of(&KNEE.replace(from, to)).join("\n");
    let found = wrong("turn 0 0 1 of 0", "turn 0 0 1 of 1");
    assert!(found.contains("axis 1 is a function of 1 coordinates"), "{found}");
    let found = wrong("x of knee_angle", "w of knee_angle");
    assert!(found.contains("it must be like 'x of knee_angle"), "{found}");
    let found = wrong("active_coordinate = \"knee_angle\"", "active_coordinate = \"hip\"");
    assert!(found.contains("its coordinates are: knee_angle"), "{found}");
}

#[test]
fn springs_stops_and_contacts_of_documents_are_read() {
    let sides =
        "<socket_frame1>/ground</socket_frame1><socket_frame2>/bodyset/thigh</socket_frame2>";
    let forces = format!(
        "<ForceSet><objects>\
         <BushingForce name=\"bush\">{sides}<rotational_stiffness>3 3 3</rotational_stiffness>\
         <translational_stiffness>10 20 30</translational_stiffness><rotational_damping>0 0 0</rotational_damping>\
         <translational_damping>1 1 1</translational_damping></BushingForce>\
         <PointToPointSpring name=\"pp\"><socket_body1>/ground</socket_body1><socket_body2>/bodyset/thigh</socket_body2>\
         <point1>0 1 0</point1><point2>0 0.2 0</point2><stiffness>50</stiffness><rest_length>0.3</rest_length></PointToPointSpring>\
         <SpringGeneralizedForce name=\"spring\"><coordinate>hip_coord_0</coordinate><stiffness>4</stiffness>\
         <rest_length>0.1</rest_length><viscosity>0.2</viscosity></SpringGeneralizedForce>\
         <CoordinateLimitForce name=\"limit\"><coordinate>hip_coord_0</coordinate><upper_stiffness>2</upper_stiffness>\
         <upper_limit>90</upper_limit><lower_stiffness>1</lower_stiffness><lower_limit>-45</lower_limit>\
         <damping>0.01</damping><transition>9</transition></CoordinateLimitForce>\n\
         <HuntCrossleyForce name=\"foot\"><HuntCrossleyForce::ContactParametersSet name=\"contact_parameters\"><objects>\
         <HuntCrossleyForce::ContactParameters><geometry>floor heel</geometry><stiffness>1e6</stiffness>\
         <dynamic_friction>0.7</dynamic_friction></HuntCrossleyForce::ContactParameters></objects>\
         </HuntCrossleyForce::ContactParametersSet></HuntCrossleyForce></objects></ForceSet>"
    );
    let geometry = "<ContactGeometrySet><objects><ContactHalfSpace name=\"floor\"><socket_frame>/ground</socket_frame>\
         <location>0 -3 0</location><orientation>0 0 -1.5707963267948966</orientation></ContactHalfSpace>\
         <ContactSphere name=\"heel\"><socket_frame>/bodyset/thigh</socket_frame><location>0 -0.5 0</location>\
         <radius>0.05</radius></ContactSphere></objects></ContactGeometrySet>";
    let file = good(&forced(&(geometry.to_owned() + &forces)));
    assert_eq!(told(&file), Vec::<String>::new());
    let bush = file.model.iter::<FrameSpring>().next().unwrap().1;
    assert_eq!((bush.stiffness, bush.rotary_stiffness.x), (Vec3::new(10.0, 20.0, 30.0), 3.0));
    assert_eq!(file.model.iter::<AxialSpring>().next().unwrap().1.rest_length, 0.3);
    let springs: Vec<_> = file.model.iter::<CoordinateActuator>().map(|it| it.1.spring).collect();
    assert_eq!((springs[0].stiffness, springs[0].rest, springs[0].damping), (4.0, 0.1, 0.2));
    // Degrees.
    let degree = std::f64::consts::PI / 180.0;
    assert_eq!(springs[1].force(0.5, 1.0), 0.0);
    let beyond = springs[1].force(1.8, 0.0) + 2.0 / degree * (1.8 - 90.0 * degree);
    assert!(beyond.abs() < 1e-12, "{beyond}");
    let floor = file.model.iter::<Collider>().next().unwrap().1;
    assert!((floor.site.pose.rotation * Vec3::z() - Vec3::y()).norm() < 1e-15);
    let law = file.model.iter::<CollisionBehavior>().next().unwrap().1.law;
    assert_eq!((law.friction, law.normal), (0.7, NormalLaw::HuntCrossley));
    // Two equal surfaces in a row.
    let modulus = 1e6 / 2f64.powf(1.5);
    assert!((law.hunt_crossley.effective_modulus / modulus - 1.0).abs() < 1e-12);
    let mut simulation = Simulation::new(file.model.clone(), SolverSettings::default()).unwrap();
    for _ in 0..20 {
        simulation.step(1e-3).unwrap();
    }
}
