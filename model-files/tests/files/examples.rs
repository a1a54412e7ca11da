//! The examples are read without a warning, and move.

use std::path::{Path, PathBuf};

use sinew::Vec3;
use sinew::component::Handle;
use sinew::fem::{Field, directions_along};
use sinew::io::{AnyMesh, LengthUnit, ReadOptions, read_mesh, read_volume, write_mesh};
use sinew::model::{ControlPanel, FemModel, RigidBody};
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_model_files::{LoadOptions, ModelFile, check, load};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Takes three steps as the file says; the displacement of each row [m].
fn displacements(file: &ModelFile) -> Vec<Vec3> {
    let compiled = file.model.compile().unwrap();
    let mut state = compiled.initial_state();
    let start = state.q.clone();
    let settings = file.solver.settings(SolverSettings::default());
    let mut solver = MechSystemSolver::new(&compiled, settings).unwrap();
    for _ in 0..3 {
        solver.step(&compiled, &mut state, file.solver.step.unwrap()).unwrap();
    }
    state.q.iter().zip(&start).map(|(x, x0)| x - x0).collect()
}

/// The largest displacement of a row in three steps [m].
fn moved(file: &ModelFile) -> f64 {
    displacements(file).iter().map(|d| d.norm()).fold(0.0, f64::max)
}

#[test]
fn every_example_is_read_without_a_word_and_moves() {
    for name in [
        "beam.toml",
        "liver.toml",
        "finger.toml",
        "hands.toml",
        "flexion.toml",
        "balance.toml",
        "foot-pad.toml",
    ] {
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
    let (_, panel) = file.model.iter::<ControlPanel>().next().unwrap();
    assert_eq!(
        panel.items[0].property.path(&file.model),
        "/models/beam/fem_models/beam:material.youngs_modulus"
    );
}

#[test]
fn an_imported_leg_stands_on_a_pad_that_is_attached_to_it_by_path() {
    let file = crate::loaded(&examples().join("foot-pad.toml"));
    let foot = file.model.find_handle("/models/foot-pad/models/leg/rigid_bodies/foot");
    let foot: Handle<RigidBody> = foot.unwrap();
    let pad = file.model.nth::<FemModel>(0);
    let lower = file.model[pad].mesh.node_sets["y_min"].clone();
    let settings = file.solver.settings(SolverSettings::default());
    let mut simulation = Simulation::new(file.model, settings).unwrap();
    let start = simulation.pose(foot).unwrap().translation.vector;
    for _ in 0..150 {
        simulation.step(0.002).unwrap();
    }
    let down = start.y - simulation.pose(foot).unwrap().translation.vector.y;
    // A gap of 0.2 mm, then 4.5 kg on 0.016 m² of a layer of 20 mm that is fixed to the foot: below 44/(0.016 E) of 20 mm,
    // 0.37 mm, at its middle; the foot tips by its muscles' slack.
    assert!((2e-4..1.5e-3).contains(&down), "the foot sinks by {down} m");
    let rows: Vec<usize> =
        lower.iter().map(|&n| simulation.compiled().block_of_node(pad, n as usize)).collect();
    let state = simulation.state().unwrap();
    let lowest = rows.iter().map(|&row| state.q[row].y).fold(f64::INFINITY, f64::min);
    assert!(lowest > -2e-4, "the pad is in the floor by {lowest} m");
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

/// The hexahedra of the tongue with a field for each group of its lines, in a file.
fn with_fibres(tongue: &Path, to: &Path) {
    let options = ReadOptions { unit: LengthUnit::Metre };
    let mut mesh = read_volume(&tongue.join("tongue.node"), &options).unwrap().mesh;
    let AnyMesh::Surface(lines) = read_mesh(&tongue.join("tongueFibres.obj"), &options).unwrap()
    else {
        panic!("no lines")
    };
    let lines = lines.surface;
    for (name, own) in &lines.polyline_sets {
        let point = |&k: &u32| lines.points[k as usize];
        let line = |&k: &u32| lines.polylines[k as usize].iter().map(point).collect();
        let own: Vec<Vec<Vec3>> = own.iter().map(line).collect();
        let directions = directions_along(&mesh, &own, 4e-3).into_iter();
        let values = directions.flat_map(|d| <[f64; 3]>::from(d.unwrap_or_else(Vec3::zeros)));
        let field = Field { components: 3, values: values.collect() };
        mesh.element_fields.insert(name.clone(), field);
    }
    write_mesh(to, &mesh).unwrap();
}

#[test]
fn the_tongue_with_measured_fibres_runs_and_its_genioglossus_draws_the_root_forward() {
    let Some(datasets) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    for name in ["badin_badinjaw.obj", "badin_badinhyoid.obj"] {
        let to = folder.path().join("data").join(name);
        std::fs::copy(datasets.join("tongue").join(name), to).unwrap();
    }
    with_fibres(&datasets.join("tongue"), &folder.path().join("fibres.vtu"));
    let path = folder.path().join("tongue-muscles.toml");
    std::fs::copy(examples().join("tongue-muscles.toml"), &path).unwrap();
    let root = |excitation: f64| {
        let mut file = crate::loaded(&path);
        let text = excitation.to_string();
        file.model.set_text("/models/tongue/exciters/GGP:excitation", &text).unwrap();
        let fem = file.model.nth::<FemModel>(0);
        let settings = file.solver.settings(SolverSettings::default());
        let simulation = Simulation::new(file.model, settings).unwrap();
        let mut scheduler = Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap();
        for _ in 0..30 {
            scheduler.step().unwrap();
        }
        let simulation = scheduler.simulation_mut();
        let (state, compiled) = (simulation.state().unwrap().clone(), simulation.compiled());
        let change =
            compiled.at(&state).volume() / compiled.at(&compiled.initial_state()).volume() - 1.0;
        assert!(change.abs() < 5e-3, "the volume changes by {change}");
        // The hindmost nodes of the root, from 12.5 cm on.
        let rest = compiled.initial_state();
        let rows = (0..946).map(|n| compiled.block_of_node(fem, n));
        let back: Vec<usize> = rows.filter(|&row| rest.q[row].x > 0.125).collect();
        back.iter().map(|&row| state.q[row].x).sum::<f64>() / back.len() as f64
    };
    let forward = root(0.0) - root(0.4);
    assert!(forward > 1e-3, "the root moves forward by {forward} m");
}

#[test]
fn examples_of_published_data_run_where_these_are() {
    let Some(datasets) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: PathBuf, to: &str| {
        let to = folder.path().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(from, to).unwrap();
    };
    for name in ["tongue.toml", "liver.toml", "palate.toml", "larynx-cartilages.toml"] {
        copy(examples().join(name), name);
    }
    for ending in ["node", "ele"] {
        let name = format!("tongue.1.{ending}");
        copy(datasets.join("tongue").join(&name), &format!("data/{name}"));
    }
    let palate = "softPalateHigh_AVS-UCD.inp";
    copy(datasets.join("palate").join(palate), &format!("data/{palate}"));
    for name in ["Thyroid.obj", "Cricoid.obj"] {
        copy(datasets.join("bones/head_neck").join(name), &format!("data/{name}"));
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
    // The levators raise the velum and draw it back.
    let [still, raised] = ["0.0", "0.3"].map(|levator| {
        let moves = displacements(&with("palate.toml", &[("levator", levator)]));
        moves.iter().sum::<Vec3>() / moves.len() as f64
    });
    let pulled = raised - still;
    assert!(still.norm() > 1e-6 && pulled.z > 1e-6 && pulled.y < -1e-6, "{still} {raised}");
    assert!(moved(&with("larynx-cartilages.toml", &[])) > 1e-6);
    let liver = with("liver.toml", &[("mesh", "liver_7k_ascii.vtu"), ("unit", "cm")]);
    assert!(moved(&liver) > 1e-6);
}
