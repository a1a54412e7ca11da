//! Whole steps of 10 ms, backward Euler, one linear solve each, averaged over falls of 0.2 s.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::solve::LinearSolver;
use sinew_benches::{Kind, Scene, Size, Stepper, all_scenes, group, label, quick, scene};
use sinew_datasets::law::Law;

const SOLVERS: [(&str, LinearSolver); 2] =
    [("direct", LinearSolver::Direct), ("cg", LinearSolver::ConjugateGradients)];

/// The beams, and the hyperelastic one that ArtiSynth was timed on.
fn scenes() -> Vec<Scene> {
    let mut scenes = all_scenes();
    let size = if quick() { Size::K1 } else { Size::K5 };
    scenes.push(scene(Kind::Hex, size).with_law(Law::NeoHookean));
    scenes
}

fn step(criterion: &mut Criterion) {
    let mut group = group(criterion, "step");
    for scene in scenes() {
        for (name, solver) in SOLVERS {
            // Made when the filter lets it run, and once.
            let mut stepper = None;
            group.bench_function(label(format!("{} {name}", scene.name)), |b| {
                let stepper = stepper.get_or_insert_with(|| Stepper::new(&scene, solver));
                b.iter(|| stepper.advance());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, step);
criterion_main!(benches);
