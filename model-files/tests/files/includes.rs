//! Included files: parameters, names, places; circles and explosions are refused.

use sinew::model::{FrameMarker, RigidBody};
use sinew_model_files::{LoadOptions, check};

use crate::{errors, folder, loaded};

const HAND: &str = r#"version = 1
name = "hand"
[parameters]
side = "none"
mass = 0.4
[[rigid_body]]
name = "${side}_palm"
mass = "${mass}"
inertia = [[1e-4, 0, 0], [0, 2e-4, 0], [0, 0, 3e-4]]
pose = { position = [0.1, 0.0, 0.0] }
[[frame_marker]]
name = "tip"
body = "/models/hand/rigid_bodies/${side}_palm"
location = [0.0, 0.1, 0.0]
"#;

const BOTH: &str = r#"version = 1
[[include]]
file = "parts/hand.toml"
name = "left"
parameters = { side = "l" }
placement = { position = [0.0, 0.5, 0.0] }
[[include]]
file = "parts/hand.toml"
name = "right"
parameters = { side = "r", mass = 0.5 }
placement = { position = [0.0, -0.5, 0.0], axis = [0, 0, 1], angle = 3.141592653589793 }
"#;

#[test]
fn a_hand_is_included_twice_with_its_own_parameters_name_and_place() {
    let folder = folder(&[("both.toml", BOTH), ("parts/hand.toml", HAND)]);
    let model = loaded(&folder.path().join("both.toml")).model;
    let at = |side: &str, name: &str| {
        let path = format!("/models/both/models/{side}/rigid_bodies/{name}");
        model[model.find_handle::<RigidBody>(&path).unwrap()].clone()
    };
    let (left, right) = (at("left", "l_palm"), at("right", "r_palm"));
    assert_eq!(left.pose.translation.vector.as_slice(), [0.1, 0.5, 0.0]);
    let off = right.pose.translation.vector - sinew::Vec3::new(-0.1, -0.5, 0.0);
    // Sine of pi in binary numbers.
    assert!(off.norm() < 1e-16, "{off}");
    assert_eq!(left.spatial_inertia().unwrap().mass(), 0.4);
    assert_eq!(right.spatial_inertia().unwrap().mass(), 0.5);
    let tips: Vec<_> = model.iter::<FrameMarker>().map(|(_, tip)| model.path(tip.body)).collect();
    assert_eq!(tips[1], "/models/both/models/right/rigid_bodies/r_palm");
}

/// A pendulum of MuJoCo with a parameter for its angle.
const PENDULUM: &str = "<mujoco model=\"pendulum\"><worldbody><body name=\"rod\" pos=\"0 0 1\">\
    <joint name=\"swing\" type=\"hinge\" axis=\"0 1 0\"/>\
    <geom type=\"capsule\" fromto=\"0 0 0 0 0 -0.5\" size=\"0.02\"/></body></worldbody>\n<keyframes/></mujoco>";

#[test]
fn documents_of_other_programs_are_included_with_their_parameters_and_reached_by_path() {
    let text = "version = 1\n[[include]]\nfile = \"pendulum.xml\"\nname = \"left\"\nparameters = { swing = 0.5 }\n\
        placement = { position = [0, 2, 0] }\n[[include]]\nfile = \"cube.feb\"\n[[frame_marker]]\nname = \"end\"\n\
        body = \"models/left/rigid_bodies/rod\"\nlocation = [0, 0, -0.5]\n[[attachment]]\n\
        master = \"models/left/rigid_bodies/rod\"\npoints = [\"models/cube/fem_models/tissue/nodes/0\"]\n";
    let cube = "<febio_spec version=\"2.5\"><Material><material id=\"1\" type=\"neo-Hookean\"><E>1e4</E><v>0.3</v></material></Material>\
        <Geometry><Nodes><node id=\"1\">0,0,0</node><node id=\"2\">1,0,0</node><node id=\"3\">0,1,0</node>\
        <node id=\"4\">0,0,1</node></Nodes><Elements type=\"tet4\" mat=\"1\"><elem id=\"1\">1,2,3,4</elem></Elements></Geometry></febio_spec>";
    let folder = folder(&[("both.toml", text), ("pendulum.xml", PENDULUM), ("cube.feb", cube)]);
    let file = loaded(&folder.path().join("both.toml"));
    let rod = file.model.find_handle::<RigidBody>("/models/both/models/left/rigid_bodies/rod");
    let pose = file.model[rod.unwrap()].pose;
    assert_eq!(pose.translation.vector.as_slice(), [0.0, 2.0, 1.0]);
    assert!((pose.rotation.angle() - 0.5).abs() < 1e-12, "{pose}");
    assert_eq!(file.model.iter::<FrameMarker>().count(), 1);
    assert_eq!(file.model.fem(0).mesh.nodes.len(), 4);
    file.model.compile().unwrap();
    // What is told of a document keeps its place there, and its files are those of the model.
    let told: Vec<String> = file.report.diagnostics().iter().map(|d| file.report.line(d)).collect();
    assert!(
        told.iter().any(|it| it.contains("pendulum.xml:2:") && it.contains("<keyframes>")),
        "{told:?}"
    );
    assert!(file.files.iter().any(|it| it.ends_with("cube.feb")), "{:?}", file.files);
    // A fault in it is an error of the whole.
    std::fs::write(folder.path().join("cube.feb"), cube.replace("neo-Hookean", "jelly")).unwrap();
    let report = check(&folder.path().join("both.toml"), &LoadOptions::default());
    assert!(errors(&report).iter().any(|it| it.contains("'jelly'")), "{:?}", errors(&report));
    let wrong = text.replace("swing = 0.5", "swong = 0.5");
    std::fs::write(folder.path().join("both.toml"), wrong).unwrap();
    let report = check(&folder.path().join("both.toml"), &LoadOptions::default());
    assert!(errors(&report).iter().any(|it| it.contains("swong")), "{:?}", errors(&report));
}

#[test]
fn an_included_model_saves_as_one_file_and_comes_back() {
    let folder = folder(&[("both.toml", BOTH), ("parts/hand.toml", HAND)]);
    let model = loaded(&folder.path().join("both.toml")).model;
    let again = crate::round_trip::back(&model, folder.path(), "whole.toml");
    assert_eq!(crate::round_trip::document(&again), crate::round_trip::document(&model));
}

#[test]
fn parameters_that_are_not_declared_or_of_another_sort_are_refused() {
    let text = BOTH.replace("side = \"l\"", "sdie = \"l\"").replace("mass = 0.5", "mass = true");
    let folder = folder(&[("both.toml", &text), ("parts/hand.toml", HAND)]);
    let report = check(&folder.path().join("both.toml"), &LoadOptions::default());
    let errors = errors(&report);
    assert!(
        errors[0].starts_with("5:16 the file has no parameter 'sdie' / did you mean 'side'"),
        "{errors:?}"
    );
    assert!(
        errors.iter().any(|e| e.starts_with("10:35 parameter 'mass' is like 0.4")),
        "{errors:?}"
    );
}

#[test]
fn parameters_of_the_command_line_come_before_defaults() {
    let folder = folder(&[("hand.toml", HAND)]);
    let parameters =
        vec![("side".to_owned(), "left".to_owned()), ("mass".to_owned(), "0.25".to_owned())];
    let options = LoadOptions { parameters, ..LoadOptions::default() };
    let model = sinew_model_files::load(&folder.path().join("hand.toml"), &options).unwrap().model;
    let palm = model.find_handle::<RigidBody>("/models/hand/rigid_bodies/left_palm").unwrap();
    assert_eq!(model[palm].spatial_inertia().unwrap().mass(), 0.25);
}

#[test]
fn circles_and_explosions_of_includes_are_refused() {
    let circle = "version = 1\n[[include]]\nfile = \"b.toml\"\n";
    let back = "version = 1\n[[include]]\nfile = \"a.toml\"\n";
    let own = "version = 1\n[[include]]\nfile = \"c.toml\"\n";
    let mut files =
        vec![("a.toml".to_owned(), circle.to_owned()), ("b.toml".to_owned(), back.to_owned())];
    files.push(("c.toml".to_owned(), own.to_owned()));
    // Ten files, each of which includes the next ten times.
    for k in 0..10 {
        let next = format!("[[include]]\nfile = \"x{}.toml\"\n", k + 1).repeat(10);
        files.push((format!("x{k}.toml"), format!("version = 1\n{next}")));
    }
    files.push(("x10.toml".to_owned(), "version = 1\n".to_owned()));
    let list: Vec<_> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let folder = folder(&list);
    for (file, wanted) in [
        ("a.toml", "includes itself"),
        ("c.toml", "includes itself"),
        ("x0.toml", "more than 1000 files"),
    ] {
        let report = check(&folder.path().join(file), &LoadOptions::default());
        let errors = errors(&report);
        assert!(errors.iter().any(|error| error.contains(wanted)), "{file}: {errors:?}");
    }
}

#[test]
fn an_included_file_cannot_reach_out() {
    let inner = "version = 1\n[[frame_marker]]\nbody = \"../../rigid_bodies/palm\"\n";
    let outer = "version = 1\n[[include]]\nfile = \"inner.toml\"\n[[rigid_body]]\nname = \"palm\"\nmass = 1\ninertia = [1,0,0,0,1,0,0,0,1]\n";
    let folder = folder(&[("outer.toml", outer), ("inner.toml", inner)]);
    let report = check(&folder.path().join("outer.toml"), &LoadOptions::default());
    let errors = errors(&report);
    assert!(errors[0].contains("leads out of the included file"), "{errors:?}");
}
