//! What editors and readers of the documentation are given is what the reader knows.

use std::path::Path;

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
    assert_current("schema/model.schema.json", &sinew_files::schema());
}

#[test]
fn the_reference_is_current() {
    assert_current("../docs/model-file-reference.md", &sinew_files::reference());
}

#[test]
fn the_schema_refuses_unknown_keys_and_lists_words_everywhere() {
    let schema: serde_json::Value = serde_json::from_str(&sinew_files::schema()).unwrap();
    let definitions = schema["definitions"].as_object().unwrap();
    for (name, definition) in definitions {
        let open = definition["type"] == "object" && definition["additionalProperties"] != false;
        assert!(!open, "{name} takes any key");
    }
    assert_eq!(schema["additionalProperties"], false);
    let text = definitions["joint"].to_string();
    assert!(text.contains("\"slotted_hinge\"") && text.contains("\"theta\""), "{text}");
    assert!(definitions["rigid_body"].to_string().contains("inertia_method"));
}
