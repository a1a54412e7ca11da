//! Code of users in model files: by the names that it is registered under.

use std::sync::Arc;

use sinew::Vec3;
use sinew::constraint::{CoordinateSpec, JointFunctions, Pose, Quantity, Range};
use sinew::model::{CodeRegistry, CustomJoint, KeyframeInterpolation};
use sinew::property::Value;
use sinew_model_files::{LoadOptions, SaveOptions, load, save};

use crate::round_trip::document;
use crate::{errors, errors_of, folder};

const TEXT: &str = "version = 1\nname = \"m\"\n\
    [[particle]]\nname = \"kite\"\nmass = 0.1\n\
    [[custom_force]]\nname = \"gust\"\ncode = \"wind\"\npoints = [\"particles/kite\"]\n\
    declared = { push = { type = \"vector\", unit = \"N\", value = [0, 3, 0] } }\n\
    [[custom_constrainer]]\nname = \"rod\"\ncode = \"rod\"\nrows = 1\ncompliance = [0.001]\n\
    points = [\"particles/kite\"]\n\
    [[property_controller]]\nname = \"sum\"\nlaw = \"code\"\ncode = \"sum\"\n\
    input = \"t\"\ntarget = \"particles/kite\"\nproperty = \"mass\"\n";

fn registry() -> Arc<CodeRegistry> {
    let mut code = CodeRegistry::default();
    code.add_force("wind", |parameters| {
        let push = parameters.vector("push")?;
        Ok(Box::new(move |_, forces: &mut [Vec3]| forces.iter_mut().for_each(|it| *it += push)))
    });
    code.add_constraint("rod", |_| {
        Ok(Box::new(|input, sheet| {
            sheet.set_value(0, input.positions[0].z);
            sheet.set_point(0, 0, Vec3::z());
        }))
    });
    code.add_controller("sum", |_| Err("is never made here".into()));
    Arc::new(code)
}

#[test]
fn registered_code_is_read_by_name_and_saved_to_the_bit() {
    let folder = folder(&[("model.toml", TEXT)]);
    let options = LoadOptions { code: registry(), ..LoadOptions::default() };
    let read = |file: &str| {
        let file = load(&folder.path().join(file), &options);
        file.unwrap_or_else(|report| panic!("{}", report.render(false))).model
    };
    let model = read("model.toml");
    let push = model.property("/models/m/force_effectors/gust:push").unwrap();
    assert_eq!(model.get_property(&push).unwrap().to_string(), "0 3 0");
    let rows = model.property("/models/m/constrainers/rod:compliance").unwrap();
    assert_eq!(model.get_property(&rows).unwrap().to_string(), "0.001");
    model.compile().unwrap();
    for file in ["again.toml", "again.json"] {
        save(&model, &folder.path().join(file), &SaveOptions::default()).unwrap();
        assert!(document(&read(file)) == document(&model), "{file}");
    }
}

#[test]
fn code_that_is_not_registered_is_told_at_its_component() {
    let told = errors_of(TEXT);
    assert_eq!(told.len(), 3, "{told:?}");
    for (error, (line, part)) in told.iter().zip([
        ("8:", "code is 'wind', and no force of that name is registered"),
        ("13:", "code is 'rod', and no constraint of that name is registered"),
        ("20:", "code is 'sum', and no controller of that name is registered"),
    ]) {
        assert!(error.contains(part), "{error}");
        assert!(error.starts_with(line), "{error}");
    }
    let folder = folder(&[("model.toml", TEXT)]);
    let mut code = CodeRegistry::default();
    code.add_force("wind", |_| Ok(Box::new(|_, _: &mut [Vec3]| {})));
    let options = LoadOptions { code: Arc::new(code), ..LoadOptions::default() };
    let told = errors(&load(&folder.path().join("model.toml"), &options).unwrap_err());
    assert_eq!(told.len(), 2, "{told:?}");
}

/// A nut on a thread by code, and a shank on a knee that is data; angles are degrees.
const JOINTS: &str = r#"version = 1
name = "m"
units = { angle = "deg" }
[[rigid_body]]
name = "nut"
mass = 2.0
inertia = [[0.02, 0, 0], [0, 0.01, 0], [0, 0, 0.02]]
[[rigid_body]]
name = "shank"
mass = 2.0
inertia = [[0.02, 0, 0], [0, 0.01, 0], [0, 0, 0.02]]
[[custom_joint]]
name = "thread"
code = "screw"
body_c = "rigid_bodies/nut"
declared = { lead = { type = "number", unit = "m", value = 0.002 } }
coordinate = { turn = { locked = true, keyframes = [0.0, 0.0, 1.0, 90.0], keyframe_interpolation = "Spline" } }
[[custom_joint]]
name = "knee"
body_c = "rigid_bodies/shank"
coordinate = { bend = { lower = -90.0, upper = 10.0, restitution = 0.5 } }
variables = "bend at 0"
motion = """turn 0 0 1 of 0 by linear 0 1; turn 0 1 0 by constant 0; turn 1 0 0 by constant 0;
way 1 0 0 by constant 0; way 0 1 0 by constant 0; way 0 0 1 by constant 0"""
"#;

fn joints() -> Arc<CodeRegistry> {
    let mut code = CodeRegistry::default();
    code.add_joint("screw", |parameters| {
        let lead = parameters.number("lead")?;
        let (length, angle) = (Quantity::Length, Quantity::Angle);
        Ok(JointFunctions {
            name: "screw".to_owned(),
            coordinates: vec![CoordinateSpec::angle("turn", Range::FREE)],
            rows: vec![length, length, length, angle, angle],
            pose: Box::new(move |q| Pose::new(Vec3::z() * lead * q[0], Vec3::z() * q[0])),
            errors: Box::new(move |t, q, g| {
                g[..2].copy_from_slice(&t.position[..2]);
                g[2] = t.position[2] - q[0] * lead;
                g[3..5].copy_from_slice(&t.tilt());
            }),
            readout: Box::new(|t, q| q[0] = t.twist()),
        })
    });
    Arc::new(code)
}

#[test]
fn joints_of_code_and_of_data_have_their_coordinates_by_name_and_are_saved_to_the_bit() {
    let folder = folder(&[("model.toml", JOINTS)]);
    let options = LoadOptions { code: joints(), ..LoadOptions::default() };
    let read = |file: &str| {
        let file = load(&folder.path().join(file), &options);
        file.unwrap_or_else(|report| panic!("{}", report.render(false))).model
    };
    let model = read("model.toml");
    let get = |path: &str| {
        let property = model.property(&format!("/models/m/connectors/{path}")).unwrap();
        model.get_property(&property).unwrap()
    };
    assert_eq!(get("thread:code"), Value::Text("screw".to_owned()));
    let quarter = std::f64::consts::FRAC_PI_2;
    assert_eq!(get("thread:coordinate.turn.keyframes"), Value::List(vec![0.0, 0.0, 1.0, quarter]));
    assert_eq!(get("knee:coordinate.bend.lower"), Value::Real(-quarter));
    assert_eq!(get("knee:coordinate.bend.restitution"), Value::Real(0.5));
    let mut joints = model.iter::<CustomJoint>();
    let turn = &joints.next().unwrap().1.coordinates[0];
    assert!(turn.locked && turn.keyframe_interpolation == KeyframeInterpolation::Spline);
    model.compile().unwrap();
    for file in ["again.toml", "again.json"] {
        save(&model, &folder.path().join(file), &SaveOptions::default()).unwrap();
        assert!(document(&read(file)) == document(&model), "{file}");
    }
    let wrong = |from: &str, to: &str| {
        std::fs::write(folder.path().join("wrong.toml"), JOINTS.replace(from, to)).unwrap();
        errors(&load(&folder.path().join("wrong.toml"), &options).unwrap_err()).join("\n")
    };
    let told = wrong("bend = {", "bent = {");
    assert!(
        told.contains("coordinate.bent.lower") && told.contains("coordinate.bend.lower"),
        "{told}"
    );
    let told = wrong("restitution = 0.5", "bounce = 0.5");
    assert!(told.contains("coordinate.bend.bounce"), "{told}");
    let told = wrong("code = \"screw\"", "code = \"screws\"");
    assert!(told.contains("no joint of that name is registered (did you mean 'screw'?)"), "{told}");
}
