//! Shapes of bodies, axes of joints, defaults of kinds: short forms, and what they stand for.

use std::f64::consts::PI;

use sinew::Vec3;
use sinew::axial::Constants;
use sinew::geometry::SurfaceMesh;
use sinew::material::Value;
use sinew::model::{
    AxialSpring, Collider, ColliderShape, FemModel, Inertia, Joint, Model, RigidBody,
};

use crate::{errors_of, folder, loaded, read};

fn model_of(text: &str) -> Model {
    read(text).unwrap_or_else(|report| panic!("{}", report.render(false))).model
}

fn body_of(shape: &str) -> (Model, RigidBody) {
    let model = model_of(&format!(
        "version = 1\n[units]\nlength = \"mm\"\nmass = \"g\"\n[[rigid_body]]\nname = \"b\"\ndensity = 2e-3\nshape = {shape}\n"
    ));
    let body = model.iter::<RigidBody>().next().unwrap().1.clone();
    (model, body)
}

fn block(rest: &str) -> String {
    let mesh = "mesh = { box = [0.1, 0.1, 0.1], cells = [1, 1, 1] }";
    format!("version = 1\n[[fem_model]]\nname = \"block\"\n{mesh}\n{rest}\n")
}

#[test]
fn quantities_are_taken_by_the_names_of_textbooks_and_of_the_command_line() {
    let tissue = |rest: &str| model_of(&block(rest)).iter::<FemModel>().next().unwrap().1.clone();
    let by_properties = tissue(
        "density = 1100\nmass_damping = 2\nmaterial = { type = \"neo_hookean\", youngs_modulus = 2e4, poissons_ratio = 0.4 }",
    );
    let others =
        tissue("rho = 1100\nalpha = 2\nmaterial = { nu = 0.4, law = \"Neo-Hookean\", E = 2e4 }");
    assert_eq!(by_properties.material, others.material);
    assert_eq!((others.density, others.mass_damping), (1100.0, 2.0));
    assert_eq!(by_properties.density, others.density);
    let defaults = "[defaults.fem_model]\nmaterial = { type = \"corot\", E = 3e4 }\nrho = 900\n";
    let merged = block("density = 1000\nmaterial = { youngs_modulus = 4e4 }").replacen(
        "[[",
        &format!("{defaults}[["),
        1,
    );
    let (_, merged) =
        model_of(&merged).iter::<FemModel>().next().map(|(id, fem)| (id, fem.clone())).unwrap();
    assert_eq!(merged.density, 1000.0);
    assert_eq!(merged.material.get("youngs_modulus"), Some(Value::Number(4e4)));
}

#[test]
fn words_of_other_programs_are_taken_or_answered_with_the_key_that_is_meant() {
    let schema = include_str!("../../schema/model.schema.json");
    let page = include_str!("../../../docs/reference/model-file.md");
    let is_key = |name: &str| schema.contains(&format!("\"{name}\": {{"));
    for names in sinew::component::SYNONYMS {
        assert!(is_key(names[0]), "no file has a key '{}'", names[0]);
        for name in names {
            assert!(page.contains(&format!("`{name}`")), "the page does not tell '{name}'");
        }
    }
    for (own, _) in sinew::component::RELATED {
        let is_word = schema.contains(&format!("\"const\": \"{own}\""));
        assert!(is_key(own) || is_word, "no file has a key or a word '{own}'");
    }
    let body = |key: &str, joint: &str| {
        format!(
            "version = 1\n[[rigid_body]]\nname = \"arm\"\nmass = 1\n{key} = [[2, 0, 0], [0, 3, 0], [0, 0, 4]]\n\
             [[joint]]\nbody_c = \"rigid_bodies/arm\"\n{joint} = \"slider\"\n"
        )
    };
    let [ours, theirs] = [("inertia", "kind"), ("rotational_inertia", "type")]
        .map(|(key, joint)| model_of(&body(key, joint)));
    let inertia = |model: &Model| {
        model.iter::<RigidBody>().next().unwrap().1.spatial_inertia().unwrap().rotational()
    };
    assert_eq!(inertia(&ours), inertia(&theirs));
    let kind = |model: &Model| model.iter::<Joint>().next().unwrap().1.settings.kind;
    assert_eq!(kind(&ours), kind(&theirs));
    let joint = "version = 1\n[[joint]]\nparent = \"a\"\n[[body]]\n[solver]\ndt = 1\n";
    let errors = errors_of(joint).join("\n");
    for wanted in ["did you mean 'body_d'", "did you mean 'rigid_body'", "did you mean 'step'"] {
        assert!(errors.contains(wanted), "no {wanted} in {errors}");
    }
}

#[test]
fn a_quantity_by_two_names_is_refused() {
    for (rest, wanted) in [
        ("density = 1\nrho = 2", "6:1 'rho' is 'density', which is there too"),
        (
            "material = { E = 1e4, young_modulus = 2e4 }",
            "5:23 'young_modulus' is 'youngs_modulus', which is there too",
        ),
        (
            "material = { type = \"corot\", law = \"corot\" }",
            "5:30 'law' is 'type', which is there too",
        ),
    ] {
        let errors = errors_of(&block(rest));
        assert!(errors.iter().any(|it| it.starts_with(wanted)), "{errors:?}");
    }
}

/// The surface is of many facets, so that its solid is nearly the exact one.
#[test]
fn a_shape_is_drawn_has_the_exact_inertia_and_collides() {
    for (shape, volume, close) in [
        ("{ box = [10, 20, 40], centre = [1, 2, 3], axis = [1, 0, 0] }", 8e-6, 1e-12),
        ("{ sphere = 10, centre = [1, 2, 3], facets = 160 }", 4.0 / 3.0 * PI * 1e-6, 3e-3),
        ("{ cylinder = [10, 30], axis = [0, 1, 1], facets = 200 }", PI * 3e-6, 1e-3),
        (
            "{ capsule = [10, 30], centre = [0, 5, 0], axis = [0, 0, -1], facets = 200 }",
            PI * 3e-6 + 4.0 / 3.0 * PI * 1e-6,
            1e-3,
        ),
    ] {
        let (model, body) = body_of(shape);
        let Inertia::Explicit(inertia) = &body.inertia else { panic!("{shape}: not exact") };
        let (mass, exact) = (inertia.mass(), 2000.0 * volume);
        assert!((mass - exact).abs() < 1e-12 * exact, "{shape}: {mass} {exact}");
        let surface: &SurfaceMesh = body.mesh.as_ref().unwrap();
        let facets = sinew::dynamics::SpatialInertia::from_mesh_mass(surface, mass).unwrap();
        let far = (inertia.rotational() - facets.rotational()).norm();
        assert!(far < close * facets.rotational().norm(), "{shape}: {far}");
        assert!((inertia.center_of_mass() - facets.center_of_mass()).norm() < 1e-9, "{shape}");

        let (_, collider) = model.iter::<Collider>().next().unwrap();
        assert_eq!(collider.name, "b");
        assert!(collider.site.body.is_some());
        // No point of the surface is outside of the solid that collides, and the ends of its axis are on it.
        let reach = |p: &Vec3| {
            let p = collider.site.pose.inverse_transform_point(&(*p).into()).coords;
            match collider.shape {
                ColliderShape::Box { half_extents } => p.abs().component_div(&half_extents).max(),
                ColliderShape::Sphere { radius } => p.norm() / radius,
                ColliderShape::Cylinder { radius, half_length } => {
                    (p.xy().norm() / radius).max(p.z.abs() / half_length)
                }
                ColliderShape::Capsule { radius, half_length } => {
                    (p - Vec3::z() * p.z.clamp(-half_length, half_length)).norm() / radius
                }
                other => panic!("{other:?}"),
            }
        };
        let furthest = surface.vertices().iter().map(reach).fold(0.0, f64::max);
        assert!((furthest - 1.0).abs() < 1e-12, "{shape}: {furthest}");
    }
    let (model, _) = body_of("{ sphere = 1, collide = false }");
    assert!(model.iter::<Collider>().next().is_none());
}

#[test]
fn a_shape_is_saved_as_what_it_stands_for() {
    let folder = folder(&[(
        "model.toml",
        "version = 1\n[[rigid_body]]\nname = \"b\"\nmass = 2.0\nshape = { capsule = [0.1, 0.3], axis = [1, 2, 3] }\n",
    )]);
    let first = loaded(&folder.path().join("model.toml")).model;
    let saved = folder.path().join("saved.json");
    sinew_model_files::save(&first, &saved, &sinew_model_files::SaveOptions::default()).unwrap();
    let second = loaded(&saved).model;
    let [first, second] = [first, second].map(|model| serde_json::to_string(&model).unwrap());
    assert_eq!(first, second);
}

#[test]
fn a_joint_by_position_and_axis_is_assembled_where_the_bodies_are() {
    let text = r#"version = 1
[units]
length = "mm"
angle = "deg"
[[rigid_body]]
name = "upper"
mass = 1.0
shape = { sphere = 10 }
pose = { position = [0, 0, 100], axis = [1, 1, 0], angle = 40 }
[[rigid_body]]
name = "lower"
mass = 1.0
shape = { sphere = 10 }
pose = { position = [0, 50, 0], axis = [0, 1, 3], angle = 70 }
[[joint]]
kind = "hinge"
body_c = "rigid_bodies/lower"
body_d = "rigid_bodies/upper"
position = [0, 20, 50]
axis = [1, 0, 0]
[[joint]]
name = "down"
kind = "slider"
body_c = "rigid_bodies/lower"
axis = [0, 0, -2]
"#;
    let model = model_of(text);
    for (joint, axis, place) in
        [("0", Vec3::x(), Vec3::new(0.0, 0.02, 0.05)), ("down", -Vec3::z(), Vec3::zeros())]
    {
        let handle = model.find_handle::<Joint>(&format!("/models/model/connectors/{joint}"));
        let it = model.get(handle.unwrap()).unwrap();
        for site in [&it.c, &it.d] {
            let pose = site.world_pose(&model).unwrap();
            assert!((pose.translation.vector - place).norm() < 1e-15, "{joint}: {pose}");
            assert!((pose.rotation * Vec3::z() - axis).norm() < 1e-15, "{joint}: {pose}");
        }
        let errors = model.property(&format!("/models/model/connectors/{joint}:errors")).unwrap();
        let errors = model.get_property(&errors).unwrap();
        assert!(errors.numbers().all(|x| x.abs() < 1e-15), "{joint}: {errors}");
    }
    // A finger's second hinge would be told twice where it is.
    let both = text
        .replace("axis = [1, 0, 0]\n[[joint]]", "frame_c = { position = [1, 0, 0] }\n[[joint]]");
    let errors = errors_of(&both);
    assert!(
        errors.len() == 1 && errors[0].contains("'position' and 'axis', or 'frame_c'"),
        "{errors:?}"
    );
    let errors = errors_of(&text.replace("axis = [1, 0, 0]", "axis = [0, 0, 0]"));
    assert!(
        errors.len() == 1 && errors[0].contains("20:8 an axis has a length above 0"),
        "{errors:?}"
    );
}

const SPRINGS: &str = r#"version = 1
[defaults.axial_spring]
material = { type = "simple_muscle", max_force = 20.0, damping = 0.5 }
excitation = 0.25
[[particle]]
[[particle]]
position = [1, 0, 0]
[[axial_spring]]
first = "particles/0"
second = "particles/1"
[[axial_spring]]
first = "particles/0"
second = "particles/1"
excitation = 0.5
material = { max_force = 30.0 }
[[axial_spring]]
first = "particles/0"
second = "particles/1"
material = { type = "linear", stiffness = 3.0 }
[[axial_spring]]
first = "particles/0"
second = "particles/1"
material = "constant"
"#;

#[test]
fn components_have_the_defaults_of_their_kind_where_they_say_nothing() {
    let model = model_of(SPRINGS);
    let value = |k: usize, name: &str| {
        let path = format!("/models/model/axial_springs/{k}:{name}");
        model.get_property(&model.property(&path).unwrap()).unwrap().to_string()
    };
    let springs: Vec<&AxialSpring> = model.iter::<AxialSpring>().map(|(_, it)| it).collect();
    let names: Vec<&str> = springs.iter().map(|it| it.material.kind().name).collect();
    assert_eq!(names, ["simple_muscle", "simple_muscle", "linear", "constant"]);
    assert_eq!([0, 1].map(|k| value(k, "material.max_force")), ["20", "30"]);
    assert_eq!([0, 1].map(|k| value(k, "material.damping")), ["0.5", "0.5"]);
    assert_eq!([0, 1, 2].map(|k| value(k, "excitation")), ["0.25", "0.5", "0.25"]);
    assert_eq!(value(2, "material.stiffness"), "3");
}

#[test]
fn defaults_of_a_file_do_not_reach_those_that_it_includes() {
    let folder = folder(&[
        (
            "model.toml",
            "version = 1\n[defaults.particle]\nmass = 3.0\n[[particle]]\n[[include]]\nfile = \"other.toml\"\n",
        ),
        ("other.toml", "version = 1\n[[particle]]\n"),
    ]);
    let model = loaded(&folder.path().join("model.toml")).model;
    let masses: Vec<f64> = model.iter::<sinew::model::Particle>().map(|(_, it)| it.mass).collect();
    assert_eq!(masses, [3.0, 1.0]);
}

#[test]
fn slips_in_defaults_are_told_once() {
    let errors = errors_of(
        &SPRINGS.replace("excitation = 0.25", "excitaton = 0.25\n[defaults.axial_sprin]"),
    );
    assert_eq!(
        errors,
        [
            "4:1 there is no default 'excitaton' of a AxialSpring / did you mean 'excitation'?",
            "5:11 there is no kind of component 'axial_sprin' / did you mean 'axial_spring'?"
        ]
    );
    let errors = errors_of(&SPRINGS.replace("excitation = 0.25", "excitation = 2.5"));
    assert!(errors.len() == 1 && errors[0].starts_with("4:14"), "{errors:?}");
    let errors = errors_of(&SPRINGS.replace("damping = 0.5", "dampin = 0.5"));
    assert!(errors.len() == 1 && errors[0].contains("'dampin'"), "{errors:?}");
}
