//! Schema and documentation for editors say what the reader knows.

use std::path::Path;

use crate::validator::is_valid;

/// Compares a committed file with what it should be, or writes it.
fn assert_current(file: &str, new: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("SINEW_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, new).unwrap();
        return;
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        old == new,
        "{file} is not what the tables say; SINEW_BLESS=1 rewrites it\n{differs:?}"
    );
}

#[test]
fn the_schema_is_current() {
    assert_current("schema/model.schema.json", &sinew_model_files::schema());
}

#[test]
fn the_reference_is_current() {
    assert_current("../docs/reference/model-file-reference.md", &sinew_model_files::reference());
}

#[test]
fn the_schema_refuses_unknown_keys_and_lists_words_everywhere() {
    let schema: serde_json::Value = serde_json::from_str(&sinew_model_files::schema()).unwrap();
    let definitions = schema["definitions"].as_object().unwrap();
    for (name, definition) in definitions {
        // Declared properties have names of their own, and a schema each.
        let more = &definition["additionalProperties"];
        let open = definition["type"] == "object" && *more != false && !more.is_object();
        assert!(!open, "{name} takes any key");
    }
    assert_eq!(schema["additionalProperties"], false);
    let text = definitions["joint"].to_string();
    assert!(text.contains("\"slotted_hinge\"") && text.contains("\"theta\""), "{text}");
    assert!(definitions["rigid_body"].to_string().contains("inertia_method"));
}

/// True if an editor would underline nothing.
fn is_clean(document: &serde_json::Value) -> bool {
    let schema = serde_json::from_str(&sinew_model_files::schema()).unwrap();
    is_valid(&schema, &schema, document)
}

fn from_toml(text: &str) -> serde_json::Value {
    serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap()
}

#[test]
fn examples_and_saved_models_are_as_the_schema_says() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in
        ["beam.toml", "liver.toml", "tongue.toml", "finger.toml", "hands.toml", "flexion.toml"]
    {
        let text = std::fs::read_to_string(examples.join(name)).unwrap();
        assert!(is_clean(&from_toml(&text)), "{name}");
    }
    for model in [crate::round_trip::built("jaw-tongue-hyoid"), crate::everything::everything()] {
        let options = sinew_model_files::SaveOptions::default();
        let (text, _) = sinew_model_files::to_toml(&model, &options, "meshes.json").unwrap();
        assert!(is_clean(&from_toml(&text)), "{}", model.name());
        let json = sinew_model_files::to_json(&model, &options).unwrap();
        assert!(is_clean(&serde_json::from_str(&json).unwrap()), "{}", model.name());
    }
}

/// The model that the blocks of a page make together.
fn model_of_page(page: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.filter(|block| block.starts_with(&format!("# {name}"))).collect()
}

#[test]
fn models_of_the_pages_are_read_and_are_as_the_schema_says() {
    for (page, name) in
        [("tutorial/first-model.md", "elbow.toml"), ("howto/select-nodes.md", "bar.toml")]
    {
        let text = model_of_page(page, name);
        let file = crate::read(&text).unwrap_or_else(|report| panic!("{}", report.render(false)));
        assert!(file.report.diagnostics().is_empty(), "{page}: {}", file.report.render(false));
        assert!(is_clean(&from_toml(&text)), "{page}");
    }
}

#[test]
fn short_forms_are_as_the_schema_says() {
    for text in [
        "version = 1\n[defaults.axial_spring]\nmaterial = \"peck\"",
        "version = 1\n[[rigid_body]]\nshape = { box = [1, 2, 3], axis = [1, 0, 0], collide = false }",
        "version = 1\n[[joint]]\nposition = [1, 2, 3]\naxis = [0, 0, 1]",
        "version = 1\n[[fem_model]]\nsupport = [{ nodes = [\"a\", 3, { where = \"z < 1\" }] }]",
        "version = 1\n[[fem_model]]\nregion = [{ elements = { material = 2 } }]",
        "version = 1\n[[attachment]]\npoints = { of = \"fem_models/t\", near = [1, 2, 3] }",
        "version = 1\n[[attachment]]\npoints = [\"particles/0\", { of = \"t\", set = \"a\" }]",
        "version = 1\n[[point_load]]\ntargets = { of = \"t\", box = [[0, 0, 0], [1, 1, 1]] }",
        "version = 1\n[[muscle_bundle]]\nelements = \"left\"",
    ] {
        assert!(is_clean(&from_toml(text)), "{text}");
    }
    for text in [
        "version = 1\n[defaults.axial_sprin]\nexcitation = 1",
        "version = 1\n[[rigid_body]]\nshape = { cube = 1 }",
        "version = 1\n[[joint]]\naxis = [0, 1]",
        "version = 1\n[[fem_model]]\nsupport = [{ nodes = { were = \"z < 1\" } }]",
        "version = 1\n[[point_load]]\ntargets = \"a\"",
    ] {
        assert!(!is_clean(&from_toml(text)), "{text}");
    }
}

#[test]
fn editors_underline_slips() {
    for slip in [
        "version = 2",
        "version = 1\n[[rigid_body]]\ndenisty = 1.0",
        "version = 1\n[[joint]]\nkind = \"hing\"",
        "version = 1\n[solver]\nintegrator = \"euler\"",
        "version = 1\n[[particle]]\nmass = -1.0",
        "version = 1\n[[input_probes]]\nfil = \"a.csv\"",
        "version = 1\n[[input_probes]]\ngaps = \"close\"",
        "version = 1\n[[output_probes]]\nexpressions = { a = 1 }",
        "version = 1\n[[axial_spring]]\nmaterial = { type = \"linear\", stiffnes = 1.0 }",
        "version = 1\n[[fem_model]]\nregion = [{ element = [1] }]",
    ] {
        assert!(!is_clean(&from_toml(slip)), "{slip}");
    }
}
