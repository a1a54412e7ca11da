//! The fuzz targets, which need nightly Rust to fuzz, on their seeds; their binaries are one line each.

#[path = "../../../fuzz/targets.rs"]
mod targets;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

/// Gathers the seeds and runs all targets on theirs, which each has.
#[cfg(unix)]
#[test]
fn fuzz_targets_take_their_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let done = Command::new("sh").arg(fuzz().join("seeds.sh")).arg(folder.path()).status();
    assert!(done.unwrap().success());
    let expected: BTreeSet<String> = targets::TARGETS.iter().map(|it| it.0.to_owned()).collect();
    assert_eq!(names(folder.path()), expected);
    for name in &expected {
        let seeds = fs::read_dir(folder.path().join(name)).unwrap();
        for seed in seeds {
            targets::run(name, &fs::read(seed.unwrap().path()).unwrap());
        }
    }
}

/// The binaries have nothing that is not compiled here, and the manifest lists them.
#[test]
fn binaries_of_fuzz_targets_only_call_them() {
    let folder = fuzz().join("fuzz_targets");
    let expected: BTreeSet<String> = targets::TARGETS.iter().map(|it| it.0.to_owned()).collect();
    assert_eq!(names(&folder), expected);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for name in expected {
        let text = fs::read_to_string(folder.join(format!("{name}.rs"))).unwrap();
        let call = format!("fuzz_target!(|bytes: &[u8]| targets::run(\"{name}\", bytes));");
        assert!(text.contains(&call) && text.lines().count() == 7, "{name}: {text}");
        let entry = format!("[[bin]]\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n");
        assert!(manifest.contains(&entry), "{name} in fuzz/Cargo.toml");
    }
}
