//! Classes of OpenSim beside the usual ones: joints on ellipsoids, muscles with laws of their own, actuators, old names.

use nalgebra::UnitQuaternion;
use sinew::axial::AxialLaw;
use sinew::constraint::{JointKind, Pose};
use sinew::contact::NormalLaw;
use sinew::model::{CollisionBehavior, CoordinateActuator, FrameLoad, PointLoad};
use sinew::prelude::*;
use sinew_model_files::export_osim;

use super::osim::{
    body, coordinate, document, forced, good, joint, muscle, path_point, points, told,
};

fn pose(model: &Model, name: &str) -> Pose {
    model.iter::<RigidBody>().find(|it| it.1.name == name).unwrap().1.pose
}

fn assert_place(model: &Model, name: &str, expected: [f64; 3]) {
    let found = pose(model, name).translation.vector;
    assert!((found - Vec3::from(expected)).norm() < 1e-14, "{name}: {found} not {expected:?}");
}

fn coordinates(values: &[f64]) -> String {
    let made = |(k, value): (usize, &f64)| coordinate(&format!("q{k}"), *value, "");
    let all: String = values.iter().enumerate().map(made).collect();
    format!("<coordinates>{all}</coordinates>")
}

/// The origin of the child is at (a sin q1, -b sin q0 cos q1, c cos q0 cos q1), its axes are turned by q0 about x, q1
/// about y and q2 about z.
#[test]
fn a_joint_on_an_ellipsoid_stands_where_its_equation_says() {
    let q = [0.4_f64, -0.3, 0.7];
    let rest = coordinates(&q) + "<radii_x_y_z>0.1 0.2 0.15</radii_x_y_z>";
    let joints = joint("EllipsoidJoint", "j", ["/ground", "/bodyset/b"], &rest);
    let file = good(&document(&body("b"), &joints, ""));
    assert_eq!(told(&file), Vec::<String>::new());
    let ([s0, c0], [s1, c1]) = ([q[0].sin(), q[0].cos()], [q[1].sin(), q[1].cos()]);
    assert_place(&file.model, "b", [0.1 * s1, -0.2 * s0 * c1, 0.15 * c0 * c1]);
    let turns = [Vec3::x() * q[0], Vec3::y() * q[1], Vec3::z() * q[2]].map(UnitQuaternion::new);
    let expected = turns[0] * turns[1] * turns[2];
    assert!(pose(&file.model, "b").rotation.angle_to(&expected) < 1e-14);
    let made = file.model.iter::<Joint>().next().unwrap().1;
    assert!(matches!(made.settings.kind, JointKind::Ellipsoid3d(_)), "{:?}", made.settings.kind);
    let mut simulation = Simulation::new(file.model, SolverSettings::default()).unwrap();
    let found = simulation.state().unwrap().coordinates.clone();
    assert!(found.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    simulation.step(1e-3).unwrap();
}

/// With abduction alone the blade is at (rx sin q0, 0, rz cos q0); with winging alone it turns about an axis along y
/// through (x, y) of it: it is at (x (1 - cos q3), 0, rz + x sin q3).
#[test]
fn a_blade_on_a_thorax_slides_and_wings() {
    let blade = |q: &[f64]| {
        let rest = coordinates(q)
            + "<thoracic_ellipsoid_radii_x_y_z>0.1 0.2 0.15</thoracic_ellipsoid_radii_x_y_z>\
               <scapula_winging_axis_origin>0.03 0.02</scapula_winging_axis_origin>";
        let joints = joint("ScapulothoracicJoint", "j", ["/ground", "/bodyset/b"], &rest);
        good(&document(&body("b"), &joints, "")).model
    };
    let q: f64 = 0.4;
    assert_place(&blade(&[q, 0.0, 0.0, 0.0]), "b", [0.1 * q.sin(), 0.0, 0.15 * q.cos()]);
    let model = blade(&[0.0, 0.0, 0.0, q]);
    assert_place(&model, "b", [0.03 * (1.0 - q.cos()), 0.0, 0.15 + 0.03 * q.sin()]);
    let expected = UnitQuaternion::new(Vec3::y() * q);
    assert!(pose(&model, "b").rotation.angle_to(&expected) < 1e-14);
    assert_eq!(model.iter::<Joint>().count(), 2);
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    simulation.step(1e-3).unwrap();
}

#[test]
fn a_joint_on_an_ellipsoid_is_written_and_read_again() {
    let rest = coordinates(&[0.4, -0.3, 0.7]) + "<radii_x_y_z>0.1 0.2 0.15</radii_x_y_z>";
    let joints = joint("EllipsoidJoint", "j", ["/ground", "/bodyset/b"], &rest);
    let model = good(&document(&body("b"), &joints, "")).model;
    let folder = super::folder(&[]);
    let path = folder.path().join("back.osim");
    let notes = export_osim(&model, &path).unwrap().notes;
    assert_eq!(notes, Vec::<String>::new());
    let back = super::loaded(&path).model;
    let [a, b] = [&model, &back].map(|it| pose(it, "b"));
    assert!((a.translation.vector - b.translation.vector).norm() < 1e-12, "{a} {b}");
    assert!(a.rotation.angle_to(&b.rotation) < 1e-12, "{a} {b}");
    let made = back.iter::<Joint>().next().unwrap().1;
    assert!(matches!(made.settings.kind, JointKind::Ellipsoid3d(_)), "{:?}", made.settings.kind);
}

/// Poses of OpenSim 4.6 for joints between frames that are off and turned.
#[test]
fn joints_on_ellipsoids_stand_where_opensim_has_them() {
    let frame = |name: &str, on: &str, place: &str, turn: &str| {
        format!(
            "<PhysicalOffsetFrame name=\"{name}\"><socket_parent>{on}</socket_parent><translation>{place}</translation>\
             <orientation>{turn}</orientation></PhysicalOffsetFrame>"
        )
    };
    let frames = frame("p", "/ground", "0.1 0.2 0.3", "0.1 0.2 0.3")
        + &frame("c", "/bodyset/b", "0.01 -0.2 0.02", "0.3 -0.1 0.2");
    let place = |class: &str, count: usize, rest: &str| {
        let rest = format!("<frames>{frames}</frames>")
            + &coordinates(&[0.1, 0.2, 0.3, 0.4][..count])
            + rest;
        let model = good(&document(&body("b"), &joint(class, "j", ["p", "c"], &rest), "")).model;
        pose(&model, "b")
    };
    let found = place("EllipsoidJoint", 3, "<radii_x_y_z>0.1 0.2 0.15</radii_x_y_z>");
    let expected = Vec3::new(0.0414681404616657, 0.34033230827111793, 0.42519118825257063);
    assert!((found.translation.vector - expected).norm() < 1e-14, "{found}");
    let rest = "<thoracic_ellipsoid_radii_x_y_z>0.1 0.2 0.15</thoracic_ellipsoid_radii_x_y_z>\
                <scapula_winging_axis_origin>0.01 0.02</scapula_winging_axis_origin>\
                <scapula_winging_axis_direction>0.5</scapula_winging_axis_direction>";
    let found = place("ScapulothoracicJoint", 4, rest);
    let expected = Vec3::new(-0.006824498789648387, 0.34009660079503823, 0.35574562582917346);
    assert!((found.translation.vector - expected).norm() < 1e-14, "{found}");
    let column = found.rotation * Vec3::x();
    let expected = Vec3::new(0.7416896453775454, 0.27475318288214956, -0.6118881911230671);
    assert!((column - expected).norm() < 1e-14, "{column}");
}

#[test]
fn a_coordinate_name_of_two_joints_means_that_of_the_first() {
    let listed = |value| format!("<coordinates>{}</coordinates>", coordinate("q", value, ""));
    let joints = joint("PinJoint", "a", ["/ground", "/bodyset/a"], &listed(0.3))
        + &joint("PinJoint", "b", ["/bodyset/a", "/bodyset/b"], &listed(0.2));
    let motor = "<ForceSet><objects><CoordinateActuator name=\"m\"><coordinate>q</coordinate></CoordinateActuator></objects></ForceSet>";
    let file = good(&document(&(body("a") + &body("b")), &joints, motor));
    let told = told(&file);
    assert!(told.len() == 1 && told[0].contains("means that of the first joint"), "{told:?}");
    let actuator = file.model.iter::<CoordinateActuator>().next().unwrap().1;
    let first = file.model.iter::<Joint>().find(|it| it.1.name == "a").unwrap().0;
    assert_eq!(actuator.of.joint, first.id());
    assert!((pose(&file.model, "b").rotation.angle() - 0.5).abs() < 1e-14);
}

fn law(text: &str) -> AxialLaw {
    good(text).model.iter::<AxialSpring>().next().unwrap().1.material
}

#[test]
fn muscles_begin_with_the_activations_of_the_file() {
    let start = |class: &str, rest: &str| match law(&forced(&muscle(class, &points(), rest))) {
        AxialLaw::Thelen2003(it) => it.start_activation,
        AxialLaw::Millard2012(it) => it.start_activation,
        AxialLaw::DeGrooteFregly2016(it) => it.start_activation,
        other => panic!("{other:?}"),
    };
    let given = "<default_activation>0.3</default_activation><default_fiber_length>0.1</default_fiber_length>";
    let classes = [
        ("Thelen2003Muscle", 0.05),
        ("Millard2012EquilibriumMuscle", 0.05),
        ("DeGrooteFregly2016Muscle", 0.5),
    ];
    for (class, default) in classes {
        assert_eq!([start(class, ""), start(class, given)], [default, 0.3], "{class}");
    }
    let text = forced(&muscle("Thelen2003Muscle", &points(), given));
    assert_eq!(told(&good(&text)), Vec::<String>::new());
}

#[test]
fn thelens_muscle_has_the_lengthening_curve_of_opensim() {
    let AxialLaw::Thelen2003(it) = law(&forced(&muscle("Thelen2003Muscle", &points(), ""))) else {
        panic!("no muscle of Thelen");
    };
    assert_eq!((it.lengthening_factor, it.linear_threshold), (2.0, 0.95));
}

#[test]
fn the_muscle_of_de_groote_and_fregly_has_a_law_of_its_own() {
    let rest = "<fiber_damping>0.01</fiber_damping><active_force_width_scale>1.2</active_force_width_scale>\
                <passive_fiber_strain_at_one_norm_force>0.7</passive_fiber_strain_at_one_norm_force>\
                <tendon_strain_at_one_norm_force>0.1</tendon_strain_at_one_norm_force>";
    let found = law(&forced(&muscle("DeGrooteFregly2016Muscle", &points(), rest)));
    let AxialLaw::DeGrooteFregly2016(it) = found else { panic!("{found:?}") };
    let numbers = [it.fibre_damping, it.active_width, it.muscle_strain, it.tendon_strain];
    assert_eq!(numbers, [0.01, 1.2, 0.7, 0.1]);
    assert_eq!([it.activation_time, it.deactivation_time], [0.015, 0.06]);
}

#[test]
fn the_muscle_of_schutte_has_a_law_of_its_own() {
    let class = "Schutte1993Muscle_Deprecated";
    let curve = |y: &str| {
        format!(
            "<tendon_force_length_curve><SimmSpline><x>0 0.1 0.2 0.3</x><y>{y}</y></SimmSpline></tendon_force_length_curve>"
        )
    };
    let file = good(&forced(&muscle(class, &points(), "<time_scale>0.2</time_scale>")));
    assert_eq!(told(&file), Vec::<String>::new());
    let AxialLaw::Schutte1993(it) = file.model.iter::<AxialSpring>().next().unwrap().1.material
    else {
        panic!("no muscle of Schutte");
    };
    assert_eq!((it.max_contraction_velocity, it.fibre_damping), (5.0, 0.1));
    assert!((it.activation_time - 0.2 / (7.667 + 1.459_854)).abs() < 1e-15);
    assert!((it.deactivation_time - 0.2 / 1.459_854).abs() < 1e-15);
    let file = good(&forced(&muscle(class, &points(), &curve("0 1 2 3"))));
    let told = told(&file).join(" ");
    assert!(told.contains("<tendon_force_length_curve> of Schutte1993Muscle_Deprecated"), "{told}");
}

fn forces(inner: &str) -> String {
    forced(&format!("<ForceSet><objects>{inner}</objects></ForceSet>"))
}

#[test]
fn torques_and_forces_along_axes_of_the_ground_are_loads_with_excitations() {
    let torque = |a: &str, b: &str| {
        format!(
            "<TorqueActuator name=\"t\"><bodyA>{a}</bodyA><bodyB>{b}</bodyB><axis>0 0 2</axis><optimal_force>5</optimal_force></TorqueActuator>"
        )
    };
    let ends = [("thigh", "ground", 5.0), ("/ground", "/bodyset/thigh", -5.0)];
    for (a, b, moment) in ends {
        let file = good(&forces(&torque(a, b)));
        assert_eq!(told(&file), Vec::<String>::new());
        let load = file.model.iter::<FrameLoad>().next().unwrap().1;
        assert_eq!((load.moment, load.excitation), (Vec3::new(0.0, 0.0, moment), 0.0));
    }
    let push = "<PointActuator name=\"p\"><body>thigh</body><point>0 -0.2 0</point><direction>1 0 0</direction>\
                <force_is_global>true</force_is_global><optimal_force>7</optimal_force></PointActuator>";
    let file = good(&forces(push));
    assert_eq!(told(&file), Vec::<String>::new());
    let load = file.model.iter::<PointLoad>().next().unwrap().1;
    assert_eq!((load.force, load.excitation), (Vec3::new(7.0, 0.0, 0.0), 0.0));
    // Its axes turn with the body.
    let file = good(&forces(&push.replace("force_is_global>true", "force_is_global>false")));
    assert_eq!((file.model.iter::<PointLoad>().count(), told(&file).len()), (0, 1));
}

#[test]
fn a_muscle_along_a_path_of_functions_is_left_out_alone() {
    let path = "<FunctionBasedPath name=\"path\"><coordinates>/jointset/hip/q</coordinates></FunctionBasedPath>";
    let moving = "<MovingPathPoint name=\"m\"><socket_parent_frame>/ground</socket_parent_frame>\
                  <x_location><MagicFunction/></x_location></MovingPathPoint>";
    let inner = format!(
        "<Thelen2003Muscle name=\"a\">{path}</Thelen2003Muscle>\n\
         <Thelen2003Muscle name=\"b\"><GeometryPath><PathPointSet><objects>{moving}{moving}</objects></PathPointSet></GeometryPath></Thelen2003Muscle>\n\
         <PathActuator name=\"c\"><GeometryPath><PathPointSet><objects>{}</objects></PathPointSet></GeometryPath></PathActuator>",
        points()
    );
    let file = good(&forces(&inner));
    assert_eq!(file.model.iter::<AxialSpring>().count(), 1);
    let told = told(&file).join("\n");
    for line in [
        "Thelen2003Muscle 'a' is left out: FunctionBasedPath 'path' is no path through points",
        "Thelen2003Muscle 'b' is left out: function <MagicFunction> is not known",
    ] {
        assert!(told.contains(line), "{told}");
    }
}

#[test]
fn a_smoothed_contact_is_that_of_hunt_and_crossley() {
    let geometry = "<ContactGeometrySet><objects><ContactHalfSpace name=\"floor\"><socket_frame>/ground</socket_frame>\
         <location>0 -3 0</location></ContactHalfSpace><ContactSphere name=\"heel\"><socket_frame>/bodyset/thigh</socket_frame>\
         <radius>0.05</radius></ContactSphere></objects></ContactGeometrySet>";
    let force = "<ForceSet><objects><SmoothSphereHalfSpaceForce name=\"foot\"><socket_sphere>/contactgeometryset/heel</socket_sphere>\
         <socket_half_space>/contactgeometryset/floor</socket_half_space><stiffness>1e6</stiffness><static_friction>0.8</static_friction>\
         <dynamic_friction>0.8</dynamic_friction><hertz_smoothing>300</hertz_smoothing></SmoothSphereHalfSpaceForce></objects></ForceSet>";
    let file = good(&forced(&(geometry.to_owned() + force)));
    let law = file.model.iter::<CollisionBehavior>().next().unwrap().1.law;
    assert_eq!(law.normal, NormalLaw::HuntCrossley);
    assert!((law.friction - 0.8).abs() < 1e-12, "{}", law.friction);
    let modulus = 1e6 / 2f64.powf(1.5);
    assert!((law.hunt_crossley.effective_modulus / modulus - 1.0).abs() < 1e-12);
    assert!(told(&file).iter().all(|it| it.contains("without its smoothing")), "{:?}", told(&file));
}

#[test]
fn old_names_of_sets_and_actuators_are_read() {
    let path = path_point("p1", "/ground", "0.1 0.2 0") + &path_point("p2", "thigh", "0.1 -0.2 0");
    let inner = format!(
        "<ActuatorSet><objects><PathActuator name=\"a\"><GeometryPath><MusclePointSet><objects>{path}</objects></MusclePointSet>\
         </GeometryPath></PathActuator><GeneralizedForce name=\"g\"><coordinate>hip_coord_0</coordinate></GeneralizedForce></objects></ActuatorSet>"
    );
    let model = good(&forced(&inner)).model;
    assert_eq!(
        (model.iter::<AxialSpring>().count(), model.iter::<CoordinateActuator>().count()),
        (1, 1)
    );
}

#[test]
fn limits_are_in_degrees_where_a_turn_is_the_coordinate_itself() {
    let limited = |function: &str| {
        let axis = super::osim::axis("rotation1", "q", "0 0 1", function);
        let rest = coordinates(&[0.0]).replace("q0", "q")
            + "<SpatialTransform>"
            + &axis
            + "</SpatialTransform>";
        let joints = joint("CustomJoint", "hip", ["/ground", "/bodyset/thigh"], &rest);
        let limit = "<ForceSet><objects><CoordinateLimitForce name=\"l\"><coordinate>q</coordinate>\
                     <upper_limit>90</upper_limit></CoordinateLimitForce></objects></ForceSet>";
        let file = good(&document(&body("thigh"), &joints, limit));
        let actuator = file.model.iter::<CoordinateActuator>().next().unwrap().1;
        actuator.spring.stops.unwrap().ends[1]
    };
    let linear = |factor: f64| {
        format!("<LinearFunction><coefficients>{factor} 0</coefficients></LinearFunction>")
    };
    assert_eq!(
        [-1.0, 2.0].map(|factor| limited(&linear(factor))),
        [90.0 * (std::f64::consts::PI / 180.0), 90.0]
    );
}

#[test]
fn a_range_without_ends_is_none() {
    let rest =
        format!("<coordinates>{}</coordinates>", coordinate("q", 0.1, "<range>-Inf Inf</range>"));
    let file = good(&document(
        &body("thigh"),
        &joint("PinJoint", "hip", ["/ground", "/bodyset/thigh"], &rest),
        "",
    ));
    assert_eq!(told(&file), Vec::<String>::new());
}
