//! Settings that contradict each other, parts that are not there, and files that are no models.

use super::messages::{CUBE, assert_each};
use super::{errors, folder};

#[test]
fn worlds_and_drawings_are_no_models() {
    for (name, wanted) in [
        ("crank.world.toml", "is a world of objects, and no model / `sinew world` runs it"),
        ("ring.drawing.toml", "is a drawing of curves, and no model / `sinew view` shows it"),
    ] {
        let folder = folder(&[(name, "version = 1\n")]);
        let options = sinew_model_files::LoadOptions::default();
        let report = sinew_model_files::check(&folder.path().join(name), &options);
        let errors = errors(&report);
        assert!(errors.len() == 1 && errors[0].contains(wanted), "{errors:?}");
        assert!(errors[0].contains(name), "{errors:?}");
    }
}

#[test]
fn settings_that_contradict_each_other() {
    let muscle = "[[particle]]\nname = \"p\"\n[[particle]]\nname = \"q\"\nposition = [1, 0, 0]\n[[axial_spring]]\n\
                  name = \"m\"\nfirst = \"particles/p\"\nsecond = \"particles/q\"\nmaterial = \"constant_muscle\"\n";
    let m = "\"axial_springs/m\"";
    let mistakes = [
        (format!("[inverse]\nexcite = [{m}, {m}]"), "13:10 excite names something twice"),
        ("[inverse]\nexcite = [\"particles/p\"]".to_owned(), "13:10 "),
        (
            format!("[inverse]\nbounds = [{{ of = {m}, lower = 1, upper = 0 }}]"),
            "13:10 bounds have a lower value above the upper one",
        ),
        (
            format!("[inverse]\nratios = [{{ of = {m}, ratio = 2, to = {m} }}]"),
            "13:10 ratios are of two excitations",
        ),
        (
            format!("[inverse]\nexcite = [{m}]\nbounds = [{{ of = \"particles/q\" }}]"),
            "13:10 '/models/model/particles/q' is not excited: the excitations are",
        ),
    ];
    let mistakes: Vec<(&str, &str)> =
        mistakes.iter().map(|(text, it)| (text.as_str(), *it)).collect();
    assert_each(muscle, &mistakes);
    let cube = format!("{CUBE}mesh = {{ box = [1, 1, 1], cells = [1, 1, 1] }}\n");
    assert_each(
        &cube,
        &[(
            "material = { type = \"linear\", bulk_modulus = 1e3 }",
            "5:46 the law linear has no 'bulk_modulus' / known here: youngs_modulus, poissons_ratio",
        )],
    );
    let file =
        crate::read(&format!("version = 1\n{cube}[[fem_model.region]]\n[[fem_model.support]]\n"))
            .unwrap();
    let told: Vec<&str> = file.report.diagnostics().iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        told,
        ["a region without 'elements' does nothing", "a support without 'nodes' does nothing"]
    );
}

#[test]
fn terms_of_couplings_and_parts_of_tables() {
    let joints = "[[rigid_body]]\nname = \"a\"\nshape = { sphere = 1 }\n[[joint]]\nname = \"j\"\nkind = \"hinge\"\n\
                  body_c = \"rigid_bodies/a\"\n[[joint_coordinate_coupling]]\n";
    let term = |rest: &str| format!("terms = [{{ {rest} }}]");
    let whole = "joint = \"connectors/j\", coordinate = \"theta\", polynomial = [1]";
    let mistakes = [
        (term(&format!("{whole}, curv = 3")), "10:76 a term has no 'curv' / did you mean 'curve'?"),
        (term("joint = \"connectors/j\""), "10:10 a term needs a 'coordinate'"),
        (term(&whole.replace("\"connectors/j\"", "3")), "10:20 the path of a joint is asked for"),
        (term(&whole.replace("connectors/j", "connectors/k")), "10:20 path 'connectors/k'"),
        (term(&whole.replace("\"theta\"", "3")), "10:49 the name of a coordinate is asked for"),
        (term(&whole.replace("[1]", "\"x\"")), "10:71 a list of numbers is asked for"),
        (term(&format!("{whole}, curve = 3")), "10:84 a function as text is asked for"),
        (term(&format!("{whole}, curve = \"wave 3\"")), "10:84 "),
    ];
    let mistakes: Vec<(&str, &str)> =
        mistakes.iter().map(|(text, it)| (text.as_str(), *it)).collect();
    assert_each(joints, &mistakes);
    let joint = joints.replace("[[joint_coordinate_coupling]]\n", "");
    let range = "coordinate.theta = { lower = 1.0, upper = -1.0 }";
    let told = "7:8 /models/model/connectors/j:kind is refused: hinge joint: the range of theta is from 1 to -1; its ends";
    assert_each(&joint, &[(range, told)]);
    assert_each(
        "",
        &[
            (
                "[lists.particles]\nrend = {}",
                "3:1 there is no key 'rend' here / did you mean 'render'?",
            ),
            ("[[particle]]\nrender = 3", "3:10 'render' is a table, not 3"),
            (
                "[[particle]]\nkeyframes = \"soon\"",
                "3:13 keyframes is a list of numbers, not 'soon'",
            ),
            ("[[particle]]\ndynamic = 3.5", "3:11 dynamic is true or false, not 3.5"),
            ("[[particle]]\nrender = { point_color = [1, 0] }", "3:"),
        ],
    );
}

#[test]
fn collections_of_meshes_and_files_of_json() {
    let model = "version = 1\n[[render_mesh]]\nname = \"r\"\nmesh = { file = \"all.json\", name = \"bone\" }\n";
    for (text, wanted) in [
        ("{\"meshes\": {\"bones\": {}}}", "4:36 FILE has no mesh 'bone' / did you mean 'bones'?"),
        (
            "{\"mesh\": {}}",
            "4:17 FILE is no collection of meshes / without 'name', a file is one mesh",
        ),
        ("", "1:1 the file is empty"),
        ("{\"meshes\": 3}", "4:17 FILE is no collection of meshes"),
        ("{\"meshes\": {\"bone\": {}}}", "1:21 a mesh needs a 'file'"),
    ] {
        let folder = folder(&[("model.toml", model), ("all.json", text)]);
        let options = sinew_model_files::LoadOptions::default();
        let report = sinew_model_files::check(&folder.path().join("model.toml"), &options);
        let found = errors(&report);
        let file = folder.path().join("all.json").display().to_string();
        let wanted = wanted.replace("FILE", &file);
        assert!(found.len() == 1 && found[0].starts_with(&wanted), "{found:?}");
    }
    for (text, wanted) in [
        ("version = 1", "1:1 "),
        ("[1, 2]", "1:1 a model file is a table of keys"),
        ("{\"version\": 1, \"name\": \"a\", \"name\": \"b\"}", "1:29 'name' is there twice"),
        ("{\"version\": 1e999}", "1:13 1e999 is too large a number"),
        ("{", "1:"),
        ("{\"version\": 1, \"particle\": [{\"mass\": \"x\"}]}", "1:38 mass is a number, not 'x'"),
    ] {
        let folder = folder(&[("model.json", text)]);
        let options = sinew_model_files::LoadOptions::default();
        let report = sinew_model_files::check(&folder.path().join("model.json"), &options);
        let found = errors(&report);
        assert!(found.iter().any(|it| it.starts_with(wanted)), "{text}: {found:?}");
    }
}
