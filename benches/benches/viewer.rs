//! Frames of pictures: a beam of 250,000 tetrahedra and the tongue, each moved before every frame as a
//! running model is. The adapter is printed: figures of one that computes on the processor say nothing
//! of a graphics card.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::model::Model;
use sinew::schedule::Simulation;
use sinew::snapshot::{Capture, Quantity, Snapshot, Wanted};
use sinew::solve::{LinearSolver, SolverSettings};
use sinew_benches::{group, kuhn_scene, quick};
use sinew_datasets::Params;
use sinew_datasets::beam::beam;
use sinew_viewer::{Camera, Studio, View, bounds_of};

/// Size of the pictures [pixel].
const SIZE: [u32; 2] = [900, 600];

/// Cells across the beam: 24 n³ tetrahedra, 255,552 of them.
const CELLS: usize = 22;

fn captured(model: Model) -> Snapshot {
    // Nothing is stepped, so nothing is to be factored.
    let linear_solver = LinearSolver::ConjugateGradients;
    let settings = SolverSettings { linear_solver, ..SolverSettings::default() };
    let mut simulation = Simulation::new(model, settings).expect("the model compiles");
    let wanted = Wanted { quantity: Quantity::VonMises, ..Wanted::default() };
    let mut snapshot = Snapshot::default();
    let captured = Capture::new().capture(&mut simulation, 0, &wanted, &mut snapshot);
    captured.expect("a model at its start is captured");
    snapshot
}

fn tongue() -> Model {
    let builtin = sinew_datasets::find("tongue").expect("it is a built-in");
    let mut params = Params::parse(&["resolution=2".to_owned()]).expect("it is well formed");
    (builtin.build)(&mut params).expect("it is in range")
}

fn frames(c: &mut Criterion) {
    let mut studio = Studio::open().expect("an adapter");
    println!("adapter: {}", studio.adapter());
    let cells = if quick() { 4 } else { CELLS };
    let solid = beam(&kuhn_scene(cells).beam).expect("the beam is built");
    let scenes = [(format!("{} tets", 24 * cells.pow(3)), solid), ("tongue".to_owned(), tongue())];
    let mut group = group(c, "viewer/frame");
    for (name, model) in scenes {
        let mut snapshot = captured(model);
        let mut view = View { camera: Camera::default(), ..View::default() };
        view.camera.fit(bounds_of(&snapshot), SIZE);
        group.bench_function(name, |b| {
            b.iter(|| {
                snapshot.serial += 1;
                snapshot.points.iter_mut().for_each(|p| p[2] += 1e-7);
                studio.draw_only(&snapshot, &view, SIZE).expect("it is drawn");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, frames);
criterion_main!(benches);
