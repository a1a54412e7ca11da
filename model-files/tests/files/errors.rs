//! All errors at once, each at its line and column, with the name that was meant.

use sinew::component::Kind;
use sinew::property::{PropertyInfo, PropertyType};

use crate::{errors_of, folder, read};

const HAND: &str = r#"version = 1
[[rigid_body]]
name = "ulna"
mass = 0.1
inertia = [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 1e-4]]
"#;

fn with(more: &str) -> Vec<String> {
    errors_of(&format!("{HAND}{more}"))
}

fn assert_has(errors: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(errors.iter().any(|error| error.contains(wanted)), "no '{wanted}' in {errors:#?}");
    }
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
}

#[test]
fn a_small_model_is_read_without_a_word() {
    let file = read(HAND).unwrap();
    assert!(file.report.diagnostics().is_empty());
    assert_eq!(file.model.name(), "model");
    assert!(file.model.find("/models/model/rigid_bodies/ulna").is_ok());
}

#[test]
fn unknown_keys_and_words_are_refused_with_the_name_that_was_meant() {
    let errors = with(
        "denisty = 3.0\n[[axial_sprng]]\nname = \"a\"\n[[joint]]\nkind = \"hing\"\nbody_c = \"rigid_bodies/ulna\"\n",
    );
    assert_has(
        &errors,
        &[
            "6:1 there is no key 'denisty' in a RigidBody / did you mean 'density'?",
            "7:3 there is no key 'axial_sprng' in a MechModel / did you mean 'axial_spring'?",
            "10:8 'hing' is no kind / did you mean 'hinge'",
        ],
    );
}

#[test]
fn types_ranges_and_references_are_all_told_at_once() {
    let errors = with(
        r#"pose = [1.0, 2.0]
frame_damping = -1.0
dynamic = "yes"
[[frame_marker]]
body = "rigid_bodies/radius"
[[frame_marker]]
location = [0.0, 0.0, 1.0]
[[axial_spring]]
first = "frame_markers/1"
second = "frame_markers/0"
material = { type = "linear", stiffnes = 10.0 }
"#,
    );
    assert_has(
        &errors,
        &[
            "6:8 pose is a table of position",
            "7:17 /models/model/rigid_bodies/ulna:frame_damping must be >= 0, got -1",
            "8:11 dynamic is true or false, not 'yes'",
            "10:8 path 'rigid_bodies/radius'",
            "11:1 a FrameMarker needs 'body'",
            "16:31 there is no key 'stiffnes' in 'material' / did you mean 'stiffness'",
        ],
    );
}

#[test]
fn absurd_constants_of_contact_are_refused_at_their_lines() {
    let infos = Kind::CollisionBehavior.properties().into_iter();
    let is_number = |it: &&PropertyInfo| it.value_type == PropertyType::Real && !it.read_only;
    let bounded = infos.filter(|it| is_number(it) && it.range.high().0.is_finite());
    let mut count = 0;
    for info in bounded {
        for value in ["1e300", "-1e300"] {
            let text = format!("version = 1\n[[collision_behavior]]\n{} = {value}\n", info.name);
            let errors = errors_of(&text);
            let wanted = format!(":{} must be {}, got", info.name, info.range);
            assert!(errors[0].starts_with("3:") && errors[0].contains(&wanted), "{errors:?}");
        }
        count += 1;
    }
    assert!(count > 20, "{count} constants");
}

#[test]
fn sections_tell_all_that_is_wrong_with_them() {
    let errors = with(
        "[units]\nlength = \"milimetre\"\nmas = \"g\"\n[solver]\nstep = \"fast\"\nintegrator = \"euler\"\n",
    );
    assert_has(
        &errors,
        &[
            "7:10 'milimetre' is not one of the words for this",
            "8:1 there is no key 'mas' here / did you mean 'mass'?",
            "10:8 a number is asked for, not 'fast'",
            "11:14 'euler' is not one of the words for this",
        ],
    );
    assert_has(&with("[solver]\nstep = 0.0\n"), &["7:8 step must be positive"]);
}

#[test]
fn a_file_too_deep_to_be_read_is_told_alone() {
    let deep = format!("{{{} = [", vec!["a"; 70].join(".")).repeat(38);
    let errors = errors_of(&format!("version = 1\nx = {deep}"));
    assert!(errors.len() == 1 && errors[0].contains("100 tables and lists"), "{errors:#?}");
}

#[test]
fn several_errors_of_syntax_are_found_in_one_pass() {
    let errors = errors_of("version = 1\nname = \nmass == 2\n[[rigid_body]\n");
    assert!(errors.len() >= 3, "{errors:#?}");
    assert!(errors.iter().any(|error| error.starts_with("2:")), "{errors:#?}");
    assert!(errors.iter().any(|error| error.starts_with("4:")), "{errors:#?}");
}

#[test]
fn what_only_the_whole_component_can_tell_is_found_too() {
    let errors = with(
        "[[joint]]\nbody_c = \"rigid_bodies/ulna\"\nbody_d = \"rigid_bodies/ulna\"\n[[rigid_body]]\nname = \"bare\"\n",
    );
    assert_has(
        &errors,
        &[
            "8:10 /models/model/connectors/0:body_d is /models/model/rigid_bodies/ulna",
            "9:1 the body needs a 'mesh', or 'mass' and 'inertia'",
        ],
    );
}

#[test]
fn a_version_is_needed_and_another_one_is_refused() {
    assert!(errors_of("name = \"a\"\n")[0].contains("does not say its version"));
    let newer = errors_of("version = 7\n");
    assert!(newer[0].starts_with("1:11 the file has version 7"), "{newer:?}");
}

#[test]
fn files_are_looked_for_below_the_folder_of_the_model_alone() {
    let model = "version = 1\n[[fem_model]]\nmesh = \"../secret.msh\"\n";
    let folder = folder(&[("in/model.toml", model), ("secret.msh", "")]);
    let path = folder.path().join("in/model.toml");
    let report = sinew_model_files::check(&path, &sinew_model_files::LoadOptions::default());
    let errors = crate::errors(&report);
    assert!(errors[0].contains("3:8 '../secret.msh' leads out of"), "{errors:?}");
    let absolute = errors_of("version = 1\n[[fem_model]]\nmesh = \"/etc/passwd\"\n");
    assert!(absolute[0].contains("is no relative path"), "{absolute:?}");
    let missing = errors_of("version = 1\n[[fem_model]]\nmesh = \"liver.msh\"\n");
    assert!(missing[0].contains("3:8") && missing[0].contains("is not there"), "{missing:?}");
}

#[test]
fn a_checksum_that_does_not_fit_names_the_one_that_does() {
    let model = "version = 1\n[[render_mesh]]\nmesh = { file = \"a.obj\", sha256 = \"00\" }\n";
    let folder =
        folder(&[("model.toml", model), ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]);
    let path = folder.path().join("model.toml");
    let report = sinew_model_files::check(&path, &sinew_model_files::LoadOptions::default());
    let error = &crate::errors(&report)[0];
    let sum = error.split("its sha256 is ").nth(1).unwrap()[..64].to_owned();
    std::fs::write(&path, model.replace("00", &sum)).unwrap();
    assert_eq!(crate::loaded(&path).model.iter::<sinew::model::RenderMesh>().count(), 1);
}

#[test]
fn what_does_not_compile_is_told_at_the_component() {
    let model = r#"version = 1
[[fem_model]]
name = "flat"
[fem_model.mesh]
nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
elements = { tet4 = [[0, 1, 2, 3]] }
"#;
    let folder = folder(&[("model.toml", model)]);
    let options = sinew_model_files::LoadOptions::default();
    let report = sinew_model_files::check(&folder.path().join("model.toml"), &options);
    let errors = crate::errors(&report);
    assert!(errors[0].starts_with("2:1 element 0 of"), "{errors:?}");
    let text = report.render(false);
    assert!(text.contains("model.toml:2:1") && text.contains("[[fem_model]]"), "{text}");
}
