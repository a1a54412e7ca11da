//! The examples are read without a warning, and move.

use std::path::{Path, PathBuf};

use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_files::{LoadOptions, ModelFile, check, load};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Takes three steps as the file says; the largest displacement of a row [m].
fn moved(file: &ModelFile) -> f64 {
    let compiled = file.model.compile().unwrap();
    let mut state = compiled.initial_state();
    let start = state.q.clone();
    let settings = file.solver.settings(SolverSettings::default());
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    for _ in 0..3 {
        solver.step(&compiled, &mut state, file.solver.step.unwrap()).unwrap();
    }
    let moves = state.q.iter().zip(&start).map(|(x, x0)| (x - x0).norm());
    moves.fold(0.0, f64::max)
}

#[test]
fn every_example_is_read_without_a_word_and_moves() {
    for name in ["beam.toml", "liver.toml", "finger.toml", "hands.toml", "flexion.toml"] {
        let path = examples().join(name);
        let report = check(&path, &LoadOptions::default());
        assert!(report.diagnostics().is_empty(), "{name}:\n{}", report.render(false));
        let mut file = crate::loaded(&path);
        file.solver.step.get_or_insert(0.001);
        let most = moved(&file);
        assert!(most > 1e-6 && most < 0.1, "{name} moves by {most} m");
    }
}

#[test]
fn the_beam_hangs_by_its_clamped_end() {
    let file = crate::loaded(&examples().join("beam.toml"));
    let fem = file.model.fem(0);
    assert_eq!(fem.dirichlet[0].nodes, [0, 1, 2, 3]);
    assert_eq!(
        file.panels[0].items[0].property,
        "/models/beam/fem_models/beam:material.youngs_modulus"
    );
}

/// The folder of the reference data, where it is.
fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let root = std::env::var_os("SINEW_SHARED").map_or_else(beside, PathBuf::from);
    let datasets = root.join("datasets");
    if !datasets.is_dir() {
        println!("no shared data at {}: nothing tested", root.display());
        return None;
    }
    Some(datasets)
}

#[test]
fn tongue_and_liver_run_on_the_reference_meshes_where_they_are() {
    let Some(datasets) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: PathBuf, to: &str| {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    };
    for name in ["tongue.toml", "liver.toml"] {
        copy(examples().join(name), name);
    }
    for ending in ["node", "ele"] {
        let name = format!("tongue.1.{ending}");
        copy(datasets.join("tongue").join(&name), &format!("data/{name}"));
    }
    copy(datasets.join("formats_good/liver_7k_ascii.vtu"), "liver_7k_ascii.vtu");
    let with = |file: &str, parameters: &[(&str, &str)]| {
        let parameters = parameters.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let options = LoadOptions { parameters: parameters.collect(), ..LoadOptions::default() };
        let read = load(&folder.path().join(file), &options);
        read.unwrap_or_else(|report| panic!("{}", report.render(false)))
    };
    let tongue = with("tongue.toml", &[]);
    assert!(moved(&tongue) > 1e-6);
    let liver = with("liver.toml", &[("mesh", "liver_7k_ascii.vtu"), ("unit", "cm")]);
    assert!(moved(&liver) > 1e-6);
}
