//! Probes of model files: read with all errors at their places, saved and read again as they are.

use sinew::model::OutputProbe;
use sinew_model_files::{LoadOptions, SaveOptions, load, save, to_toml};
use sinew_run_files::spec::{Extension, Interpolation, ProbeSet, SamplingSpec};

use crate::{errors_of, folder, loaded, read};

const BOB: &str = "version = 1\nname = \"m\"\n[[particle]]\nname = \"bob\"\nmass = 1.0\n";

/// Two components and every kind of probe.
const PROBES: &str = r#"
[units]
length = "mm"
time = "ms"

[[particle]]
name = "bob"
mass = 1.0

[[input_probes]]
name = "tilt"
properties = [":gravity", "particles/bob:velocity"]
data = [[0, 0, 0, -0.008, 0, 0, 0], [500, 0.001, 0, -0.008, 2, 0, 0]]
interpolation = "cubic"
extension = "repeat"
scale = 2.0
start = 100
stop = 900
sampling = "cut"
disabled = true

[[input_probes]]
properties = ["/models/m/particles/bob:mass"]
file = "signals/mass.csv"
columns = ["b"]

[[output_probes]]
name = "way"
properties = ["particles/bob:position"]
expressions = { height = "{particles/bob:position.z} + {/:energy} * t", "g [m/s²]" = "{:gravity[2]}" }
file = "way.npy"
every = 10
start = 20
stop = 500
sampling = "cut"

[[tracing_probes]]
name = "trace"
points = ["particles/bob"]
every = 5
"#;

fn with_probes() -> tempfile::TempDir {
    let text = format!("version = 1\nname = \"m\"\n{PROBES}");
    folder(&[("model.toml", &text), ("signals/mass.csv", "time,a,b\n0,1,2\n")])
}

#[test]
fn probes_are_read_with_absolute_paths_in_si_units() {
    let folder = with_probes();
    let model = loaded(&folder.path().join("model.toml")).model;
    let ProbeSet { input_probes, output_probes, .. } = ProbeSet::of(&model);
    let tilt = &input_probes[0];
    assert_eq!(tilt.properties, ["/models/m:gravity", "/models/m/particles/bob:velocity"]);
    assert_eq!(tilt.data[1], [0.5, 1.0, 0.0, -8.0, 2.0, 0.0, 0.0], "mm/ms² and mm/ms");
    assert_eq!((tilt.start, tilt.stop, tilt.scale), (Some(0.1), Some(0.9), Some(2.0)));
    assert_eq!(tilt.interpolation, Some(Interpolation::Cubic));
    assert_eq!((tilt.extension, tilt.sampling), (Extension::Repeat, SamplingSpec::Cut));
    assert!(tilt.disabled);
    assert_eq!(input_probes[1].file, Some(folder.path().join("signals/mass.csv")));
    let way = &output_probes[0];
    assert_eq!((way.every, way.start, way.stop), (0.01, 0.02, Some(0.5)));
    let height = "{/models/m/particles/bob:position.z} + {/:energy} * t";
    assert_eq!(way.expressions["height"], height);
    assert_eq!(way.expressions["g [m/s²]"], "{/models/m:gravity[2]}");
    assert_eq!(output_probes[1].properties, ["/models/m/particles/bob:position"]);
    assert_eq!(output_probes[1].every, 0.005);
    let paths = model.iter::<OutputProbe>().map(|(it, _)| model.path(it));
    assert!(paths.eq(["way", "trace"].map(|name| format!("/models/m/probes/{name}"))));
}

#[test]
fn saved_probes_are_the_same_ones() {
    let folder = with_probes();
    let file = loaded(&folder.path().join("model.toml"));
    let (options, before) = (SaveOptions::default(), ProbeSet::of(&file.model));
    for name in ["again.toml", "again.json"] {
        let path = folder.path().join(name);
        save(&file.model, &path, &options).unwrap();
        let read = loaded(&path);
        let mut probes = ProbeSet::of(&read.model);
        // The same file, by way of the folder without its links.
        probes.input_probes[1].file.clone_from(&before.input_probes[1].file);
        assert_eq!(probes, before, "{name}");
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"signals/mass.csv\""));
    }
    let elsewhere = folder.path().join("signals/deep.toml");
    save(&file.model, &elsewhere, &options).unwrap();
    assert!(std::fs::read_to_string(&elsewhere).unwrap().contains("\"mass.csv\""));
    std::fs::create_dir(folder.path().join("other")).unwrap();
    let error = save(&file.model, &folder.path().join("other/m.toml"), &options).unwrap_err();
    assert!(error.to_string().contains("mass.csv is to stand in"), "{error}");
}

/// The errors of a model with these lines of probes, which begin at line 6.
fn errors_with(probes: &str) -> Vec<String> {
    errors_of(&format!("{BOB}{probes}"))
}

fn assert_has(errors: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(errors.iter().any(|error| error.contains(wanted)), "no '{wanted}' in {errors:#?}");
    }
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
}

#[test]
fn wrong_paths_of_properties_are_told_where_they_stand() {
    let errors = errors_with(
        r#"[[input_probes]]
properties = ["particles/bob:mass", "particles/bob:mas"]
data = [[0, 1, 1]]
[[output_probes]]
name = "a"
properties = ["particles/bub:position", "particles/bob"]
expressions = { z = "{particles/bob:position.w}", u = "{:gravty.z}", v = "2 *", w = "{bob}" }
[[tracing_probes]]
name = "b"
points = ["particles/bob", "/models/m"]
"#,
    );
    assert_has(
        &errors,
        &[
            "7:37 ",
            "11:15 path 'particles/bub'",
            "11:41 'particles/bob' names no property",
            "12:21 ",
            "12:55 ",
            "12:74 ",
            "12:85 'bob' names no property",
            "15:28 ",
        ],
    );
    assert!(errors[0].contains("mas") && errors[0].contains("'mass'"), "{errors:#?}");
}

#[test]
fn fields_and_files_that_do_not_do_are_told_where_they_stand() {
    let errors = errors_with(
        r#"[[input_probes]]
properties = ["particles/bob:mass"]
file = "none.csv"
[[input_probes]]
properties = ["particles/bob:velocity"]
data = [[0, 1]]
[[input_probes]]
properties = ["particles/bob:speed"]
interpolaton = "linear"
[[input_probes]]
properties = ["particles/bob:mass"]
[[input_probes]]
properties = ["particles/bob:acceleration"]
data = [[0, 1, 2, 3]]
interpolation = "quintic"
[[output_probes]]
properties = ["particles/bob:mass"]
[[output_probes]]
name = "a"
file = "../a.csv"
properties = ["particles/bob:mass"]
every = -1
"#,
    );
    assert_has(
        &errors,
        &[
            "8:8 ",
            "11:8 ",
            "14:1 there is no key 'interpolaton' here / did you mean 'interpolation'?",
            "15:1 probe '': either 'file' or 'data' is expected",
            "20:17 'quintic' is not one of the words for this",
            "21:1 probe '': a name or a file is expected",
            "25:8 probe 'a': '../a.csv' is no plain name of a file",
            "23:1 probe 'a': every, start and stop",
        ],
    );
}

#[test]
fn two_probes_do_not_share_a_file() {
    let probe = "[[output_probes]]\nname = \"a\"\nproperties = [\"particles/bob:mass\"]\n";
    let errors = errors_with(&format!(
        "{probe}[[tracing_probes]]\npoints = [\"particles/bob\"]\nfile = \"a.csv\"\n"
    ));
    assert_has(&errors, &["11:8 probe '': it records to a.csv as probe 'a' does"]);
}

#[test]
fn columns_and_rows_of_files_are_looked_at() {
    let model = |more: &str| {
        format!(
            "{BOB}[[input_probes]]\nname = \"in\"\nproperties = [\"particles/bob:mass\"]\nfile = \"m.csv\"\n{more}"
        )
    };
    for (more, csv, wanted) in [
        ("columns = [\"c\"]", "time,a\n0,1\n", "10:12 probe 'in':"),
        ("", "time,a,b\n0,1,1\n", "9:8 probe 'in': the data has 2 columns"),
        ("", "0,1\n", "9:8 probe 'in':"),
        ("", "time,a\n", "9:8 probe 'in':"),
        ("", "time,a\n0,x\n", "9:8 probe 'in':"),
    ] {
        let folder = folder(&[("model.toml", &model(more)), ("m.csv", csv)]);
        let path = folder.path().join("model.toml");
        let report = load(&path, &LoadOptions::default()).unwrap_err();
        assert_has(&crate::errors(&report), &[wanted]);
    }
}

#[test]
fn files_of_probes_are_looked_for_below_the_folder_of_the_model_alone() {
    let model = format!(
        "{BOB}[[input_probes]]\nproperties = [\"particles/bob:mass\"]\nfile = \"../m.csv\"\n"
    );
    let folder = folder(&[("in/model.toml", &model), ("m.csv", "time,a\n0,1\n")]);
    let path = folder.path().join("in/model.toml");
    let report = load(&path, &LoadOptions::default()).unwrap_err();
    assert_has(&crate::errors(&report), &["8:8 '../m.csv' leads out of"]);
    let root = Some(folder.path().to_owned());
    assert!(load(&path, &LoadOptions { root, ..LoadOptions::default() }).is_ok());
}

#[test]
fn a_file_without_components_can_have_probes() {
    let file =
        read("version = 1\n[root]\n[[output_probes]]\nname = \"e\"\nproperties = [\"/:energy\"]\n");
    assert_eq!(ProbeSet::of(&file.unwrap().model).output_probes[0].properties, ["/:energy"]);
}

#[test]
fn probes_stand_in_any_model_and_list_and_have_what_all_components_have() {
    let text = format!(
        "{BOB}[[mech_model]]\nname = \"inner\"\n[[mech_model.particle]]\nname = \"pin\"\nmass = 2.0\n\
         [[mech_model.output_probes]]\nname = \"deep\"\nproperties = [\"particles/pin:mass\"]\n\
         number = 3\ndeclared = {{ note = {{ type = \"text\", value = \"by hand\" }} }}\n\
         [[component_list]]\nname = \"mine\"\n[[component_list.input_probes]]\nname = \"pull\"\n\
         properties = [\"particles/bob:mass\"]\ndata = [[0, 1], [1, 2]]\nrender = {{ visible = false }}\n"
    );
    let model = read(&text).unwrap().model;
    let note = model.property("/models/m/models/inner/probes/3:note").unwrap();
    assert_eq!(model.get_property(&note).unwrap().to_string(), "by hand");
    assert!(model.find("/models/m/mine/pull").is_ok());
    let (saved, _) = to_toml(&model, &SaveOptions::default(), "").unwrap();
    let again = read(&saved).unwrap().model;
    assert_eq!(to_toml(&again, &SaveOptions::default(), "").unwrap().0, saved);
    assert!(
        saved.contains("[[mech_model.output_probes]]") && saved.contains("number = 3"),
        "{saved}"
    );
}
