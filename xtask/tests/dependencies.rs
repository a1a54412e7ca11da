//! Forbidden dependencies: of the physics on a GPU or window, of the kernels on physics.

use std::collections::BTreeSet;
use std::process::Command;

/// Names of all packages that `package` is built from, dev-dependencies left out, with every
/// feature.
fn dependencies(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", package, "--all-features"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO_TERM_COLOR", "never")
        .output()
        .expect("cargo runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree --package {package}: {stderr}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    stdout.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_physics_links_neither_gpu_nor_window() {
    let names = dependencies("sinew");
    // The query itself works: what core is known to use is found.
    assert!(names.contains("sinew") && names.contains("nalgebra"), "{names:?}");
    let banned = |name: &&String| {
        let word = name.split('-').next().unwrap_or_default();
        let device = ["wgpu", "winit", "naga", "ash", "egui"].contains(&word);
        device || ["sinew-gpu", "sinew-viewer"].contains(&name.as_str())
    };
    let found: Vec<_> = names.iter().filter(banned).collect();
    assert!(found.is_empty(), "core depends on {found:?}");
}

#[test]
fn meshes_know_no_physics() {
    let names = dependencies("sinew-mesh");
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("sinew")).collect();
    assert_eq!(ours, ["sinew-mesh"], "meshes depend on another room");
}

#[test]
fn linear_algebra_knows_no_models() {
    let names = dependencies("sinew-linalg");
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("sinew")).collect();
    assert_eq!(ours, ["sinew-linalg", "sinew-ordering"], "linear algebra depends on another room");
}

#[test]
fn the_kernels_know_no_physics_and_no_device() {
    let names = dependencies("sinew-shaders");
    assert!(names.contains("bytemuck"), "{names:?}");
    let ours: Vec<_> = names.iter().filter(|name| name.starts_with("sinew")).collect();
    assert_eq!(ours, ["sinew-shaders"], "the kernels depend on another room");
    assert!(!names.iter().any(|name| name.starts_with("wgpu")), "{names:?}");
}

#[test]
fn the_ban_would_be_seen_in_the_room_that_has_a_device() {
    assert!(dependencies("sinew-gpu").contains("wgpu"), "wgpu is not found where it is");
}
