//! Files in other units, and values in the shapes that people write.

use sinew::component::Handle;
use sinew::model::{AxialSpring, ControlPanel, ControlWidget, Joint, Particle, RigidBody};
use sinew::property::Value;

use crate::read;

const MM: &str = r#"version = 1
gravity = [0.0, 0.0, -9800.0]
[units]
length = "mm"
mass = "g"
angle = "deg"
[[particle]]
name = "a"
mass = 1.5
position = [1.5, 0.0, 0.0]
keyframes = [[0.0, 1.0, 2.0, 3.0], [0.5, 4.0, 5.0, 6.0]]
dynamic = false
[[particle]]
name = "b"
[[axial_spring]]
first = "particles/a"
second = "particles/b"
material = { type = "linear", stiffness = 1000.0, damping = 5.0 }
[[rigid_body]]
name = "bone"
mass = 1000.0
inertia = [1e6, 0, 0, 0, 1e6, 0, 0, 0, 1e6]
pose = { position = [10, 20, 30], axis = [0, 0, 2], angle = 90 }
[[joint]]
kind = "cylindrical"
body_c = "rigid_bodies/bone"
coordinate = { z = { lower = -5.0, upper = 5.0 }, theta = { lower = -30.0 } }
"#;

#[test]
fn numbers_in_millimetres_grams_and_degrees_become_si() {
    let model = read(MM).unwrap_or_else(|report| panic!("{}", report.render(false))).model;
    let get = |path: &str| {
        let path = format!("/models/model{path}");
        model.get_property(&model.property(&path).unwrap()).unwrap()
    };
    let a = &model[model.first::<Particle>().unwrap()];
    assert_eq!((a.mass, a.position.x), (0.0015, 0.0015));
    assert_eq!((a.keyframes[1].time, a.keyframes[1].position.y), (0.5, 0.005));
    let spring = model.path(model.first::<AxialSpring>().unwrap());
    assert!(spring.ends_with("axial_springs/0"));
    // 1000 g/s² is 1 N/m.
    assert_eq!(get("/axial_springs/0:material.stiffness"), Value::Real(1.0));
    assert_eq!(get("/axial_springs/0:material.damping"), Value::Real(0.005));
    assert_eq!(get(":gravity"), Value::Vector(sinew::Vec3::new(0.0, 0.0, -9.8)));
    let bone = &model[model.first::<RigidBody>().unwrap()];
    assert_eq!(bone.spatial_inertia().unwrap().rotational()[(0, 0)], 0.001);
    assert!((bone.pose.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(bone.pose.translation.vector, sinew::Vec3::new(0.01, 0.02, 0.03));
    assert!(model.first::<Joint>().is_some());
    assert_eq!(get("/connectors/0:coordinate.z.lower"), Value::Real(-0.005));
    let Value::Real(theta) = get("/connectors/0:coordinate.theta.lower") else { panic!() };
    assert!((theta + std::f64::consts::FRAC_PI_6).abs() < 1e-15, "{theta}");
    assert_eq!(get("/connectors/0:coordinate.theta.upper"), Value::Real(f64::INFINITY));
}

#[test]
fn settings_and_panels_come_along() {
    let text = r#"version = 1
[solver]
step = 2.0
integrator = "trapezoidal"
newton = true
[units]
time = "ms"
[[particle]]
name = "bob"
[[panels]]
name = "mass"
items = [{ property = "particles/bob:mass", widget = "slider", low = 0.1, high = 2.0 }]
"#;
    let file = read(text).unwrap_or_else(|report| panic!("{}", report.render(false)));
    assert_eq!(file.solver.step, Some(0.002));
    let settings = file.solver.settings(sinew::solve::SolverSettings::default());
    assert!(matches!(settings.integrator, sinew::solve::Integrator::Trapezoidal(_)));
    let item = |model: &sinew::model::Model| {
        let panel: Handle<ControlPanel> = model.find_handle("/models/model/panels/mass").unwrap();
        model[panel].items[0].clone()
    };
    let there = item(&file.model);
    assert_eq!(there.property.path(&file.model), "/models/model/particles/bob:mass");
    assert_eq!(
        (there.low, there.high, there.widget),
        (Some(0.1), Some(2.0), ControlWidget::Slider)
    );
    let saved = sinew_model_files::to_toml(&file.model, &Default::default(), "meshes").unwrap().0;
    let again = read(&saved).unwrap_or_else(|report| panic!("{}", report.render(false)));
    assert_eq!(item(&again.model), there, "{saved}");
    // What is not there is told, and left out.
    let file = read(&text.replace("bob:mass", "bob:mas")).unwrap();
    let told = file.report.render(false);
    assert!(
        told.contains("12:23") && told.contains("'mass'") && told.contains("left out"),
        "{told}"
    );
    let (_, panel) = file.model.iter::<ControlPanel>().next().unwrap();
    assert_eq!((panel.name.as_str(), panel.items.len()), ("mass", 0));
    let errors = crate::errors_of(&text.replace("high = 2.0", "high = 0.1"));
    assert!(errors[0].contains("no way to go"), "{errors:?}");
}

#[test]
fn panels_stand_in_nested_models_too_and_beside_a_root_in_its_first_model() {
    let nested = r#"version = 1
[[mech_model]]
name = "inner"
[[mech_model.particle]]
name = "bob"
[[mech_model.panels]]
name = "mass"
items = [{ property = "particles/bob:mass" }]
"#;
    let root = r#"version = 1
[[panels]]
name = "mass"
items = [{ property = "/models/inner/particles/bob:mass" }]
[[root.mech_model]]
name = "inner"
[[root.mech_model.particle]]
name = "bob"
"#;
    for (text, path) in
        [(nested, "/models/model/models/inner/panels/mass"), (root, "/models/inner/panels/mass")]
    {
        let file = read(text).unwrap_or_else(|report| panic!("{}", report.render(false)));
        let saved = sinew_model_files::to_toml(&file.model, &Default::default(), "meshes");
        let saved = saved.unwrap().0;
        let again = read(&saved).unwrap_or_else(|report| panic!("{}", report.render(false)));
        for model in [&file.model, &again.model] {
            let panel: Handle<ControlPanel> = model.find_handle(path).unwrap();
            assert!(model[panel].items[0].property.path(model).ends_with("bob:mass"), "{saved}");
        }
    }
}

#[test]
fn waypoints_are_read_in_the_unit_of_the_file_and_saved_with_the_model() {
    let text = r#"version = 1
[units]
time = "ms"
[[particle]]
name = "bob"
[[waypoint]]
name = "half"
time = 500.0
[[waypoint]]
time = 750.0
breakpoint = true
"#;
    let file = read(text).unwrap_or_else(|report| panic!("{}", report.render(false)));
    let saved = sinew_model_files::to_toml(&file.model, &Default::default(), "meshes").unwrap().0;
    let again = read(&saved).unwrap_or_else(|report| panic!("{}", report.render(false)));
    for model in [&file.model, &again.model] {
        let all: Vec<_> = model.iter::<sinew::model::Waypoint>().map(|(_, it)| it).collect();
        let told: Vec<_> =
            all.iter().map(|it| (it.name.as_str(), it.time, it.breakpoint)).collect();
        assert_eq!(told, [("half", 0.5, false), ("", 0.75, true)], "{saved}");
        assert!(model.find("/models/model/waypoints/half").is_ok());
    }
    let errors = crate::errors_of(&text.replace("500.0", "\"soon\""));
    assert!(errors[0].starts_with("8:8"), "{errors:?}");
}
