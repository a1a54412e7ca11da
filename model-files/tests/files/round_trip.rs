//! Models that are saved and loaded are the same: the same document, the same start, the same
//! steps, to the bit.

use std::path::Path;

use sinew::model::Model;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_datasets::{BUILTINS, Params};
use sinew_model_files::{LoadOptions, SaveOptions, load, save};

pub(crate) fn built(name: &str) -> Model {
    let builtin = BUILTINS.iter().find(|builtin| builtin.name == name).unwrap();
    (builtin.build)(&mut Params::parse([""; 0]).unwrap()).unwrap()
}

/// Model that comes back from a file of this name.
pub(crate) fn back(model: &Model, folder: &Path, file: &str) -> Model {
    let path = folder.join(file);
    save(model, &path, &SaveOptions::default()).unwrap();
    match load(&path, &LoadOptions::default()) {
        Ok(read) => read.model,
        Err(report) => panic!("{file}:\n{}", report.render(false)),
    }
}

pub(crate) fn document(model: &Model) -> String {
    serde_json::to_string(model).unwrap()
}

/// Positions and velocities at the start and after some steps.
fn motion(model: &Model, steps: usize) -> Vec<u64> {
    let compiled = model.compile().unwrap();
    let mut state = compiled.initial_state();
    let mut solver = MechSystemSolver::new(&compiled, SolverSettings::default()).unwrap();
    let mut bits = Vec::new();
    for step in 0..=steps {
        bits.extend(state.q.iter().chain(&state.u).flatten().map(|x| x.to_bits()));
        if step < steps {
            solver.step(&compiled, &mut state, 0.005).unwrap();
        }
    }
    bits
}

#[test]
fn every_builtin_model_comes_back_to_the_bit_and_moves_as_before() {
    let folder = tempfile::tempdir().unwrap();
    for builtin in BUILTINS {
        let model = built(builtin.name);
        let expected = document(&model);
        // Of large tissues each step counts more, and takes longer.
        let steps = if model.fems().all(|(_, fem)| fem.mesh.nodes.len() < 2000) { 10 } else { 1 };
        let moved = motion(&model, steps);
        for ending in ["toml", "json"] {
            let file = format!("{}.{ending}", builtin.name);
            let read = back(&model, folder.path(), &file);
            assert!(document(&read) == expected, "{file} is another model");
            assert!(motion(&read, steps) == moved, "{file} moves otherwise");
        }
    }
}

#[test]
fn a_document_of_version_0_is_read_with_a_note_and_saves_as_version_1() {
    let folder = tempfile::tempdir().unwrap();
    let model = built("plate");
    let text = document(&model);
    let path = folder.path().join("old.json");
    std::fs::write(&path, &text).unwrap();
    let file = crate::loaded(&path);
    assert!(document(&file.model) == text);
    assert!(file.report.diagnostics()[0].message.contains("version 0"));
    assert!(document(&back(&file.model, folder.path(), "new.toml")) == text);
    let cut = &text[..text.len() / 2];
    std::fs::write(&path, cut).unwrap();
    let report = load(&path, &LoadOptions::default()).unwrap_err();
    let (_, line, column) = report.place(&report.diagnostics()[0]).unwrap();
    assert_eq!((line, column), (1, cut.len()));
}
