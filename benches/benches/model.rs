//! The living model: single edits of a model of 100,000 components, large ones, looking up, writing
//! and reading, and compiling anew after an edit. Each figure is printed beside its target, which is
//! for the best of all iterations.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::Vec3;
use sinew::component::{ComponentId, ComponentType, Handle};
use sinew::model::{AxialSpring, ChangeSet, Edit, LinearAxial, Model, Particle};
use sinew::schedule::Simulation;
use sinew::snapshot::{Capture, Snapshot, Wanted};
use sinew::solve::SolverSettings;
use sinew::system::Refresh;
use sinew_benches::{Kind, Size, group, label, quick, scene};
use sinew_datasets::beam::beam;

/// One edit, beside compiling [s].
const EDIT: f64 = 1e-3;
/// A path, there and back [s]: a report of a thousand lines is to take a millisecond or two.
const LOOKUP: f64 = 2e-6;
/// Thousands of components at once, or all of them [s].
const LARGE: f64 = 1.0;
/// A frame of a window: from an edit to what shows it [s].
const FRAME: f64 = 16e-3;
/// The beam of 5,000 nodes [s].
const RECOMPILE: f64 = 50e-3;

/// A chain of particles and springs, `count` components in all, every one with a name.
struct Chain {
    model: Model,
    points: Vec<Handle<Particle>>,
    springs: Vec<Handle<AxialSpring>>,
}

impl Chain {
    fn new(count: usize) -> Self {
        let mut model = Model::new("chain");
        let mut points: Vec<Handle<Particle>> = Vec::new();
        let mut springs = Vec::new();
        for k in 0..count / 2 {
            let position = Vec3::x() * (k as f64 * 0.01);
            points.push(model.add(Particle::new(1.0, position).named(format!("p{k}"))));
            if k > 0 {
                let ends = [points[k - 1], points[k]];
                springs.push(model.add(spring(ends, format!("s{k}"))));
            }
        }
        Self { model, points, springs }
    }

    /// One in the middle.
    fn spring(&self) -> Handle<AxialSpring> {
        self.springs[self.springs.len() / 2]
    }

    fn edit(&mut self, edit: Edit) -> (Duration, ChangeSet) {
        let start = Instant::now();
        let change = self.model.edit(edit).expect("a chain takes its edits");
        (start.elapsed(), change)
    }

    fn undo(&mut self, mut change: ChangeSet) -> Duration {
        let start = Instant::now();
        self.model.undo(&mut change).expect("nothing came in between");
        start.elapsed()
    }

    /// Time of an edit, which is then taken back.
    fn there(&mut self, edit: Edit) -> Duration {
        let (time, change) = self.edit(edit);
        self.undo(change);
        time
    }
}

fn spring(ends: [Handle<Particle>; 2], name: String) -> AxialSpring {
    let law = LinearAxial { stiffness: 100.0, damping: 1.0, rest_length: 0.01 };
    AxialSpring::new(ends, law).named(name)
}

/// Measures what `call` says it took, and prints the best against the target [s].
fn against(criterion: &mut Criterion, name: &str, target: f64, mut call: impl FnMut() -> Duration) {
    let mut best = f64::INFINITY;
    let mut group = group(criterion, "model");
    group.bench_function(label(name), |b| {
        b.iter_custom(|iterations| {
            (0..iterations)
                .map(|_| {
                    let time = call();
                    best = best.min(time.as_secs_f64());
                    time
                })
                .sum()
        });
    });
    group.finish();
    if best.is_finite() {
        let (ms, of) = (best * 1e3, target * 1e3);
        println!("model/{name}: best {ms:.4} ms, {:.3} of the target of {of} ms", best / target);
    }
}

fn count() -> usize {
    if quick() { 1000 } else { 100_000 }
}

fn single_edits(criterion: &mut Criterion) {
    let mut chain = Chain::new(count());
    let one = chain.spring();
    let ends = [chain.points[0], chain.points[1]];
    let list = chain.model.parent(one).expect("a spring is in its list");
    let stiffness = chain.model.property_of(one, "material.stiffness").expect("it has one");
    let add = || Edit::add(list, spring(ends, "new".into()));
    against(criterion, "add a spring", EDIT, || chain.there(add()));
    against(criterion, "delete a spring", EDIT, || chain.there(Edit::delete(one)));
    against(criterion, "rename a spring", EDIT, || chain.there(Edit::rename(one, "other")));
    against(criterion, "set a spring", EDIT, || chain.there(Edit::set(stiffness, 7.0)));
    against(criterion, "duplicate a spring", EDIT, || chain.there(Edit::duplicate(one)));
    against(criterion, "undo a deletion", EDIT, || {
        let (_, change) = chain.edit(Edit::delete(one));
        chain.undo(change)
    });
    against(criterion, "delete after a change in code", EDIT, || {
        chain.model[one].rest_length += 1.0;
        chain.there(Edit::delete(one))
    });
    let path = chain.model.path(one);
    against(criterion, "path and back", LOOKUP, || {
        // Some hundred at a time: the clock is no finer than a few of them.
        let start = Instant::now();
        for _ in 0..100 {
            let id = chain.model.find(black_box(&path)).expect("its own path");
            black_box(chain.model.path(id));
        }
        start.elapsed() / 100
    });
}

fn large_edits(criterion: &mut Criterion) {
    let mut chain = Chain::new(count());
    let tenth = chain.springs.len() / 10;
    // Each copy brings along its two ends, one of which its neighbour has too.
    let copied: Vec<ComponentId> = chain.springs[..tenth].iter().map(|s| s.id()).collect();
    let duplicate = || Edit::Duplicate(copied.clone());
    against(criterion, "duplicate a tenth", LARGE, || chain.there(duplicate()));
    // Every other point: all springs but one go along.
    let half = chain.points.iter().step_by(2).map(|p| p.id());
    let gone: Vec<ComponentId> = half.take(chain.points.len() / 4).collect();
    against(criterion, "delete half", LARGE, || chain.there(Edit::Delete(gone.clone())));
    against(criterion, "undo half", LARGE, || {
        let (_, change) = chain.edit(Edit::Delete(gone.clone()));
        chain.undo(change)
    });
    let text = serde_json::to_string(&chain.model).expect("no code in it");
    println!("model/text: {:.1} MB", text.len() as f64 / 1e6);
    against(criterion, "save", LARGE, || {
        let start = Instant::now();
        black_box(serde_json::to_string(&chain.model).expect("no code in it"));
        start.elapsed()
    });
    against(criterion, "load", LARGE, || {
        let start = Instant::now();
        black_box(serde_json::from_str::<Model>(&text).expect("it was just written"));
        start.elapsed()
    });
}

fn recompile(criterion: &mut Criterion) {
    let size = if quick() { Size::K1 } else { Size::K5 };
    for kind in Kind::ALL {
        let scene = scene(kind, size);
        let model = beam(&scene.beam).expect("a scene is a beam");
        compile_after_edits(criterion, &format!("recompile {}", scene.name), RECOMPILE, model);
    }
    let chain = Chain::new(count());
    compile_after_edits(criterion, "recompile the chain", LARGE, chain.model);
}

/// Compiles anew, in turn after a particle was added and after it was taken back.
fn compile_after_edits(criterion: &mut Criterion, name: &str, target: f64, mut model: Model) {
    let main = model.main();
    let mut compiled = model.compile().expect("a bench compiles");
    let mut state = compiled.initial_state();
    let mut added: Option<ChangeSet> = None;
    against(criterion, name, target, || {
        match added.take() {
            Some(mut change) => model.undo(&mut change).expect("nothing came in between"),
            None => {
                let edit = Edit::add(main, Particle::new(1.0, Vec3::z()));
                added = Some(model.edit(edit).expect("there is room"));
            }
        }
        let start = Instant::now();
        let done = model.refresh(&mut compiled, &mut state).expect("a bench compiles");
        let time = start.elapsed();
        assert_eq!(done, Refresh::Recompiled);
        time
    });
}

/// From an edit of a simulation to the snapshot that shows it, as the window waits for it.
fn to_snapshot(criterion: &mut Criterion) {
    let chain = Chain::new(count());
    let (one, list) = (chain.spring(), chain.model.parent(chain.spring()));
    let list = list.expect("a spring is in its list");
    let ends = [chain.points[0], chain.points[1]];
    let stiffness = chain.model.property_of(one, "material.stiffness").expect("it has one");
    let shown = chain.model.property_of(one, "render.visible").expect("it is drawn");
    let mut simulation =
        Simulation::new(chain.model, SolverSettings::default()).expect("a chain compiles");
    let (mut capture, mut snapshot) = (Capture::new(), Snapshot::default());
    let edits: [(&str, &dyn Fn() -> Edit); 5] = [
        ("set", &|| Edit::set(stiffness, 7.0)),
        ("hide", &|| Edit::set(shown, false)),
        ("rename", &|| Edit::rename(one, "other")),
        ("add", &|| Edit::add(list, spring(ends, "new".into()))),
        ("delete", &|| Edit::delete(one)),
    ];
    for (name, edit) in edits {
        against(criterion, &format!("{name} to snapshot"), FRAME, || {
            let start = Instant::now();
            simulation.edit(edit()).expect("a chain takes its edits");
            let made = start.elapsed();
            let wanted = Wanted::default();
            let captured = capture.capture(&mut simulation, 0, &wanted, &mut snapshot);
            captured.expect("a chain is drawn");
            let time = start.elapsed();
            if std::env::var_os("SINEW_PARTS").is_some() {
                println!("{name}: edit and compile {made:?}, capture {:?}", time - made);
            }
            simulation.undo().expect("nothing came in between");
            let captured = capture.capture(&mut simulation, 0, &wanted, &mut snapshot);
            captured.expect("a chain is drawn");
            time
        });
    }
}

criterion_group!(benches, single_edits, large_edits, recompile, to_snapshot);
criterion_main!(benches);
