//! The reader of model files over any bytes, as TOML or as JSON (from a brace on): it may refuse them,
//! but not panic, hang or exhaust memory. The file lies alone in a folder that it may not lead out of.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sinew_model_files::{LoadOptions, check};

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the file");
    folder
});

fuzz_target!(|bytes: &[u8]| {
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    let path = FOLDER.join(if is_json { "model.json" } else { "model.toml" });
    std::fs::write(&path, bytes).expect("a file of the folder");
    let _ = check(&path, &LoadOptions::default()).render(false);
});
