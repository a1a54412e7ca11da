//! Bodies of the fuzz targets, by name: each may refuse any bytes, but not panic, hang or exhaust memory. `fuzz_targets/` has
//! a binary of each; `model-files/tests/files/fuzz.rs` runs them on their seeds in every test run.

use std::path::PathBuf;
use std::sync::LazyLock;

use sinew::io::{ReadOptions, SurfaceFormat, VolumeFormat, read_surface_as, read_volume_bytes};
use sinew::solve::MechSystemSolver;
use sinew_datasets::random::{Draws, random_scene};
use sinew_model_files::{LoadOptions, check};

/// Name of a target, and what it does with bytes.
pub(crate) type Target = (&'static str, fn(&[u8]));

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    ("abaqus", |bytes| volume(&[bytes], VolumeFormat::Abaqus)),
    ("ansys", ansys),
    ("febio", |bytes| volume(&[bytes], VolumeFormat::Febio)),
    ("gmsh", |bytes| volume(&[bytes], VolumeFormat::Gmsh)),
    ("medit", |bytes| volume(&[bytes], VolumeFormat::Medit)),
    ("model", model),
    ("nastran", |bytes| volume(&[bytes], VolumeFormat::Nastran)),
    ("obj", |bytes| surface(bytes, SurfaceFormat::Obj)),
    ("ply", |bytes| surface(bytes, SurfaceFormat::Ply)),
    ("recognize", |bytes| {
        let _ = read_volume_bytes(&[bytes], None, &ReadOptions::default());
    }),
    ("step", step),
    ("stl", |bytes| {
        surface(bytes, SurfaceFormat::StlAscii);
        surface(bytes, SurfaceFormat::StlBinary);
    }),
    ("tetgen", |bytes| volume(&parts(bytes), VolumeFormat::TetGen)),
    ("ucd", |bytes| volume(&[bytes], VolumeFormat::Ucd)),
    ("vega", |bytes| volume(&[bytes], VolumeFormat::Vega)),
    ("vtk_legacy", |bytes| volume(&[bytes], VolumeFormat::VtkLegacy)),
    ("vtk_polydata", |bytes| surface(bytes, SurfaceFormat::VtkPolyData)),
    ("vtp", |bytes| surface(bytes, SurfaceFormat::Vtp)),
    ("vtu", |bytes| volume(&[bytes], VolumeFormat::Vtu)),
];

/// Steps of one model.
const STEPS: usize = 5;

/// Runs the target of this name on bytes.
pub(crate) fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.0 == name);
    target.unwrap_or_else(|| panic!("no target {name}")).1(bytes);
}

/// The parser of a mesh format.
fn volume(files: &[&[u8]], format: VolumeFormat) {
    let _ = read_volume_bytes(files, Some(format), &ReadOptions::default());
}

/// The reader of a surface format; what it reads makes a surface.
fn surface(bytes: &[u8], format: SurfaceFormat) {
    if let Ok(file) = read_surface_as(format, bytes, &ReadOptions::default()) {
        file.surface.mesh().expect("indices in range and finite points");
    }
}

/// Files that lines `%%` part.
fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut files = vec![bytes];
    while let Some(i) = files[files.len() - 1].windows(4).position(|w| w == b"\n%%\n") {
        let last = files.len() - 1;
        let rest = &files[last][i + 4..];
        files[last] = &files[last][..i];
        files.push(rest);
    }
    files
}

/// A pair of files, or an archive.
fn ansys(bytes: &[u8]) {
    match parts(bytes)[..] {
        [archive] => volume(&[archive], VolumeFormat::AnsysArchive),
        ref files => volume(files, VolumeFormat::Ansys),
    }
}

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("sinew-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the file");
    folder
});

/// A model file, as TOML or (from a brace on) as JSON, alone in a folder that it may not lead out of.
fn model(bytes: &[u8]) {
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    let path = FOLDER.join(if is_json { "model.json" } else { "model.toml" });
    std::fs::write(&path, bytes).expect("a file of the folder");
    let _ = check(&path, &LoadOptions::default()).render(false);
}

/// Steps of a model built from the bytes: one may be refused, but leaves no state with numbers that are none.
fn step(bytes: &[u8]) {
    let scene = random_scene(&mut Draws::from_bytes(bytes));
    let compiled = scene.model.compile().expect("random scenes compile");
    let Ok(mut solver) = MechSystemSolver::new(&compiled, scene.settings) else { return };
    let mut state = compiled.initial_state();
    for _ in 0..STEPS {
        let ended = solver.step(&compiled, &mut state, scene.step).is_err();
        assert!(state.q.iter().chain(&state.u).flatten().all(|x| x.is_finite()));
        if ended {
            return;
        }
    }
}
