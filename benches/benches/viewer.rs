//! Frames of pictures: a beam of 250,000 tetrahedra and the tongue, each moved before every frame as a
//! running model is. The adapter is printed: figures of one that computes on the processor say nothing
//! of a graphics card.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use sinew::model::Model;
use sinew::schedule::Simulation;
use sinew::snapshot::{Capture, Quantity, Snapshot, Wanted};
use sinew::solve::{LinearSolver, SolverSettings};
use sinew_benches::{group, kuhn_scene, quick};
use sinew_datasets::Params;
use sinew_datasets::beam::beam;
use sinew_viewer::{Camera, Studio, View, ViewOptions, bounds_of};

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

/// One frame after another of a snapshot that moves, fitted into pictures of a size [pixel], or so many times
/// as far away.
fn drawn(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    studio: &mut Studio,
    (snapshot, options, size, far): (&mut Snapshot, ViewOptions, [u32; 2], f64),
) {
    let mut view = View { camera: Camera::default(), options };
    view.camera.fit(bounds_of(snapshot), size);
    view.camera.distance *= far;
    group.bench_function(name, |b| {
        b.iter(|| {
            snapshot.serial += 1;
            snapshot.points.iter_mut().for_each(|p| p[2] += 1e-7);
            studio.draw_only(snapshot, &view, size).expect("it is drawn");
        });
    });
}

fn frames(c: &mut Criterion) {
    let mut studio = Studio::open().expect("an adapter");
    println!("adapter: {}", studio.adapter());
    let cells = if quick() { 4 } else { CELLS };
    let solid = beam(&kuhn_scene(cells).beam).expect("the beam is built");
    let scenes = [(format!("{} tets", 24 * cells.pow(3)), solid), ("tongue".to_owned(), tongue())];
    let mut window = Studio::as_in_window().expect("an adapter");
    let mut group = group(c, "viewer/frame");
    for (name, model) in scenes {
        let mut snapshot = captured(model);
        let scene = (&mut snapshot, ViewOptions::default(), SIZE, 1.0);
        drawn(&mut group, &name, &mut studio, scene);
        let scene = (&mut snapshot, ViewOptions::default(), SIZE, 1.0);
        drawn(&mut group, &format!("{name} in a window"), &mut window, scene);
    }
    group.finish();
}

/// Parts of a frame of the tongue: each left out in turn; the tongue so far away that it covers a
/// few pixels; a picture of a hundredth of the pixels, which leaves what does not depend on them.
fn parts(c: &mut Criterion) {
    let mut studio = Studio::open().expect("an adapter");
    let all = ViewOptions::default;
    let none = ViewOptions { ambient_occlusion: false, grid: false, axes: false, ..all() };
    let cases = [
        ("all", all(), SIZE, 1.0),
        ("no occlusion", ViewOptions { ambient_occlusion: false, ..all() }, SIZE, 1.0),
        ("no grid", ViewOptions { grid: false, ..all() }, SIZE, 1.0),
        ("no grid, axes, bar, occlusion", ViewOptions { color_bar: false, ..none }, SIZE, 1.0),
        ("far away", all(), SIZE, 100.0),
        ("a hundredth of the pixels", all(), SIZE.map(|side| side / 10), 1.0),
    ];
    let mut snapshot = captured(tongue());
    let mut group = group(c, "viewer/tongue");
    for (name, options, size, far) in cases {
        drawn(&mut group, name, &mut studio, (&mut snapshot, options, size, far));
    }
    group.finish();
}

criterion_group!(benches, frames, parts);
criterion_main!(benches);
