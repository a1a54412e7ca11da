//! Robots of URDF: poses and moments as MuJoCo 4.0 has them, joints of all types, files that are no robots.

use sinew::model::{Joint, JointCoordinateCoupling, Model, RigidBody};
use sinew::solve::SolverSettings;
use sinew::{Vec3, prelude::Simulation};
use sinew_model_files::{LoadOptions, ModelFile, Report, Severity, load};

use super::{errors, folder, loaded};

/// An arm with turned frames, inertias and axes, a gripper whose fingers follow each other.
const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="column"/><origin xyz="0.1 0 0.2" rpy="0.1 -0.2 0.3"/><axis xyz="0 0 1"/><dynamics damping="0.5" friction="0.1"/></joint>
  <link name="column"><inertial><origin xyz="0 0.02 0.15" rpy="0.3 0.1 -0.2"/><mass value="2"/><inertia ixx="0.03" ixy="0.001" ixz="-0.002" iyy="0.04" iyz="0.003" izz="0.02"/></inertial><collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.04" length="0.3"/></geometry></collision></link>
  <joint name="lift" type="revolute"><parent link="column"/><child link="boom"/><origin xyz="0 0 0.3" rpy="0 0.5 0"/><axis xyz="0 1 0"/><limit lower="-1.5" upper="1.2" effort="30" velocity="2"/></joint>
  <link name="boom"><inertial><origin xyz="0.2 0 0"/><mass value="1.5"/><inertia ixx="0.002" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
  <joint name="reach" type="prismatic"><parent link="boom"/><child link="rod"/><origin xyz="0.4 0 0"/><limit lower="0" upper="0.3" effort="1" velocity="1"/></joint>
  <link name="rod"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="0.0002" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.003"/></inertial></link>
  <joint name="wrist" type="fixed"><parent link="rod"/><child link="hand"/><origin xyz="0.2 0 0" rpy="0 0 1.0"/></joint>
  <link name="hand"><inertial><origin xyz="0.03 0.01 0"/><mass value="0.2"/><inertia ixx="0.0001" ixy="0" ixz="0" iyy="0.0002" iyz="0" izz="0.00025"/></inertial></link>
  <joint name="left" type="revolute"><parent link="hand"/><child link="left_finger"/><origin xyz="0.05 0.03 0"/><axis xyz="0 0 1"/><limit lower="-0.5" upper="1" effort="1" velocity="1"/></joint>
  <link name="left_finger"><inertial><origin xyz="0.03 0 0"/><mass value="0.05"/><inertia ixx="1e-6" ixy="0" ixz="0" iyy="2e-5" iyz="0" izz="2e-5"/></inertial></link>
  <joint name="right" type="revolute"><parent link="hand"/><child link="right_finger"/><origin xyz="0.05 -0.03 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="0.5" effort="1" velocity="1"/><mimic joint="left" multiplier="-1" offset="0.1"/></joint>
  <link name="right_finger"><inertial><origin xyz="0.03 0 0"/><mass value="0.05"/><inertia ixx="1e-6" ixy="0" ixz="0" iyy="2e-5" iyz="0" izz="2e-5"/></inertial></link>
  <transmission name="drive"><type>simple</type><joint name="turn"/></transmission>
</robot>"#;

fn read(text: &str, parameters: &[(&str, &str)]) -> Result<ModelFile, Box<Report>> {
    let folder = folder(&[("robot.urdf", text)]);
    let parameters =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    load(&folder.path().join("robot.urdf"), &LoadOptions { parameters, ..LoadOptions::default() })
}

fn place(model: &Model, name: &str) -> Vec3 {
    let body = model.iter::<RigidBody>().find(|it| it.1.name == name).unwrap();
    body.1.pose.translation.vector
}

/// `mj_forward` of MuJoCo 4.0 on the same file at `turn` 0.4, `lift` 0.3, `reach` 0.12, `left` 0.2: origins of bodies [m].
#[test]
fn links_stand_where_those_of_mujoco_do() {
    let given = [("turn", "0.4"), ("lift", "0.3"), ("reach", "0.12"), ("left", "0.2")];
    let model = read(ARM, &given).unwrap().model;
    for (name, expected) in [
        ("column", [0.1, 0.0, 0.2]),
        ("boom", [0.05219647620760664, -0.04613759939668926, 0.49255109816054476]),
        ("rod", [0.3799095569746459, 0.2411567638453172, 0.2088856516508475]),
        ("left_finger", [0.4690167621891981, 0.39677289659266807, 0.09956081683606913]),
        ("right_finger", [0.5220009648160883, 0.4001155083390271, 0.07160547354170502]),
    ] {
        let off = (place(&model, name) - Vec3::from(expected)).norm();
        assert!(off < 1e-12, "{name}: {off}");
    }
    let mass: f64 = model
        .iter::<RigidBody>()
        .filter(|it| it.1.dynamic)
        .map(|it| it.1.spatial_inertia().unwrap().mass())
        .sum();
    assert!((mass - 4.3).abs() < 1e-12, "{mass}");
}

#[test]
fn joints_have_their_ranges_and_what_drives_them_is_told() {
    let file = read(ARM, &[]).unwrap();
    let joint =
        |name: &str| file.model.iter::<Joint>().find(|it| it.1.name == name).unwrap().1.clone();
    let range = joint("lift").settings.coordinates[0].range;
    assert_eq!((range.lower, range.upper), (Some(-1.5), Some(1.2)));
    // One for the fingers, and one for the damping of the column.
    assert_eq!(file.model.iter::<JointCoordinateCoupling>().count(), 2);
    let told: Vec<&str> = file.report.diagnostics().iter().map(|it| it.message.as_str()).collect();
    for part in ["<transmission> in <robot> is not read", "friction of <dynamics> is not read"] {
        assert!(told.iter().any(|it| it.contains(part)), "{part}: {told:?}");
    }
    let warnings =
        file.report.diagnostics().iter().filter(|it| it.severity == Severity::Warning).count();
    assert_eq!(warnings, 2, "{told:?}");
}

/// A free base falls by g t² / 2, a fixed one stays.
#[test]
fn a_root_link_is_fixed_or_free_as_a_parameter_says() {
    let ball = r#"<robot name="b"><link name="ball"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#;
    let fixed = read(ball, &[("base", "fixed")]).unwrap().model;
    assert!(fixed.iter::<RigidBody>().all(|it| !it.1.dynamic));
    let model = read(ball, &[("base", "free")]).unwrap().model;
    let handle = model.iter::<RigidBody>().next().unwrap().0;
    let mut simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    for _ in 0..10 {
        simulation.step(1e-3).unwrap();
    }
    let height = simulation.pose(handle).unwrap().translation.z;
    // Backward Euler in ten steps.
    let expected = -0.5 * 9.81 * 0.01 * (0.01 + 1e-3);
    assert!((height - expected).abs() < 1e-9, "{height} {expected}");
    let refused = errors(&read(ball, &[("base", "loose")]).unwrap_err());
    assert!(refused[0].contains("base must be fixed or free, got 'loose'"), "{refused:?}");
}

/// A planar joint takes ways across its axis and turns about it; a floating one takes all.
#[test]
fn planar_and_floating_joints_have_three_and_six_degrees_of_freedom() {
    let body = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let robot = |joint: &str| {
        format!(
            r#"<robot name="b"><link name="world"/><link name="a">{body}</link><joint name="j" {joint}><parent link="world"/><child link="a"/><origin xyz="1 2 3"/><axis xyz="0 0.6 0.8"/></joint></robot>"#
        )
    };
    let planar = read(&robot("type=\"planar\""), &[("j", "0.3")]).unwrap().model;
    assert_eq!(planar.iter::<RigidBody>().count(), 1);
    assert!((place(&planar, "a") - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12);
    let moved = read(&robot("type=\"planar\""), &[("j_x", "0.5"), ("j_y", "0.2")]).unwrap().model;
    let way = place(&moved, "a") - Vec3::new(1.0, 2.0, 3.0);
    assert!(
        (way.norm() - 0.29f64.sqrt()).abs() < 1e-12
            && way.dot(&Vec3::new(0.0, 0.6, 0.8)).abs() < 1e-12
    );
    let floating = read(&robot("type=\"floating\""), &[]).unwrap().model;
    assert_eq!(floating.iter::<Joint>().count(), 0);
    assert_eq!(place(&floating, "a"), Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn meshes_of_packages_are_found_around_the_document_and_scaled() {
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let text = r#"<robot name="r"><link name="world"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 5"/><geometry><mesh filename="package://thing/meshes/corner.obj" scale="2 2 2"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint></robot>"#;
    let folder = folder(&[("thing/urdf/r.urdf", text), ("thing/meshes/corner.obj", mesh)]);
    let model = loaded(&folder.path().join("thing/urdf/r.urdf")).model;
    let body = model.iter::<RigidBody>().next().unwrap().1;
    let surface = body.mesh.as_ref().unwrap();
    assert!((surface.signed_volume() - 8.0 / 6.0).abs() < 1e-12);
    assert_eq!(surface.vertices()[0], Vec3::new(0.0, 0.0, 5.0));
}

#[test]
fn files_that_are_no_robots_are_refused_at_their_lines() {
    let link = |name: &str| format!("<link name=\"{name}\"/>");
    let joint = |kind: &str, a: &str, b: &str, inner: &str| {
        format!(
            "<joint name=\"{a}{b}\" type=\"{kind}\"><parent link=\"{a}\"/><child link=\"{b}\"/>{inner}</joint>"
        )
    };
    let chain: String = (0..300)
        .map(|k| {
            link(&format!("l{k}"))
                + &if k == 0 {
                    String::new()
                } else {
                    joint("fixed", &format!("l{}", k - 1), &format!("l{k}"), "")
                }
        })
        .collect();
    let two = link("a") + &link("b");
    let cases = [
        (two.clone(), "links 'a' and 'b' are both below no joint"),
        (two.clone() + &joint("fixed", "a", "c", ""), "there is no link 'c'"),
        (
            two.clone() + &joint("fixed", "a", "b", "") + &joint("fixed", "b", "a", ""),
            "the robot has no link that is below no joint",
        ),
        (
            two.clone()
                + &link("c")
                + &joint("fixed", "b", "c", "")
                + &joint("fixed", "c", "b", ""),
            "link 'b' is below itself",
        ),
        (two.clone() + &link("a"), "link 'a' is there twice"),
        (
            two.clone() + &joint("fixed", "a", "b", "") + &joint("fixed", "a", "b", ""),
            "is the child of two joints",
        ),
        (two.clone() + &joint("spring", "a", "b", ""), "'spring' is no type of joint"),
        (
            two.clone()
                + &joint("floating", "a", "b", "")
                + &link("c")
                + &joint("floating", "b", "c", ""),
            "floats, and its parent is not 'world'",
        ),
        (
            two.clone() + &joint("revolute", "a", "b", "<limit lower=\"1\" upper=\"-1\"/>"),
            "is above the upper one, got 1 and -1",
        ),
        (
            two.clone() + &joint("revolute", "a", "b", "<origin xyz=\"0 nan 0\"/>"),
            "must hold finite numbers, got 'nan'",
        ),
        (two.clone() + &joint("revolute", "a", "b", "<axis xyz=\"0 0 0\"/>"), "has no length"),
        (two.clone() + &joint("revolute", "a", "b", ""), "body 'b' moves and has no mass"),
        (two + "<joint name=\"j\" type=\"fixed\"/>", "joint 'j' has no <parent link="),
        (
            "<link name=\"a\"><collision><geometry><box/></geometry></collision></link>".to_owned(),
            "<box> has no size",
        ),
        ("<link name=\"a\"><inertial/></link>".to_owned(), "has no <mass value>"),
        (chain, "more than 200 links below each other"),
    ];
    for (inner, expected) in cases {
        let text = format!("<robot name=\"r\">{inner}</robot>");
        let report = read(&text, &[]).err().unwrap_or_else(|| panic!("{expected} is read"));
        let found = errors(&report);
        assert!(found.iter().any(|it| it.contains(expected)), "{expected}: {found:?}");
    }
}
