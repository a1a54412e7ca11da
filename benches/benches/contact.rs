//! Steps of bodies and tissues in contact: a soft cube at rest on a plate, stacks, heaps; detection between surfaces
//! alone.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::Vec3;
use sinew::contact::{Detector, Member, Motion, Pair, Surface, Travel};
use sinew::model::Model;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew::system::{CompiledModel, State};
use sinew_benches::quick;
use sinew_datasets::Params;

// The models of the tests of contact, of which these are the heaps.
#[path = "../../core/tests/touch/heap_scene.rs"]
mod heap_scene;
#[allow(dead_code)]
#[path = "../../core/tests/touch/scenes.rs"]
mod scenes;

struct Run {
    compiled: CompiledModel,
    solver: MechSystemSolver,
    state: State,
    /// Length of a step [s].
    h: f64,
}

impl Run {
    /// A built-in model after so many steps of `h`.
    fn new(name: &str, params: &[&str], (h, steps): (f64, usize)) -> Self {
        let builtin = sinew_datasets::find(name).expect("it is a built-in");
        let mut params = Params::parse(params).expect("parameters are well formed");
        Self::of(&(builtin.build)(&mut params).expect("they are in range"), (h, steps))
    }

    fn of(model: &Model, (h, steps): (f64, usize)) -> Self {
        let compiled = model.compile().expect("the model compiles");
        let solver = MechSystemSolver::new(&compiled, SolverSettings::default());
        let solver = solver.expect("it can be solved");
        let state = compiled.initial_state();
        let mut run = Self { compiled, solver, state, h };
        (0..steps).for_each(|_| run.step());
        run
    }

    fn step(&mut self) {
        self.solver.step(&self.compiled, &mut self.state, self.h).expect("the step is taken");
    }
}

/// In contact from the ninth step of 5 ms on, as in the runs of ArtiSynth: 26 ms a step at n = 8 and 377 ms at
/// n = 16 there.
fn plates(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/plate");
    group.sample_size(10);
    for cells in if quick() { &["n=4"][..] } else { &["n=4", "n=8", "n=16"] } {
        let mut run = Run::new("plate", &[cells], (0.005, 20));
        assert!(!run.state.contacts.is_empty(), "the cube touches the plate");
        group.bench_function(*cells, |b| b.iter(|| run.step()));
    }
    group.finish();
}

fn stacks(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/boxes");
    for count in if quick() { &["n=3"][..] } else { &["n=3", "n=20"] } {
        let mut run = Run::new("boxes", &[count], (0.01, 30));
        group.bench_function(*count, |b| b.iter(|| run.step()));
    }
    group.finish();
}

/// After 0.5 s, when they lie on each other.
fn heaps(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/heap");
    group.sample_size(10);
    for count in if quick() { &[8][..] } else { &[8, 40] } {
        let (model, _) = heap_scene::heap(*count, if *count > 16 { 4 } else { 2 });
        let mut run = Run::of(&model, (0.005, 100));
        group.bench_function(count.to_string(), |b| b.iter(|| run.step()));
    }
    group.finish();
}

/// Distance at which the sheets touch [m], that of a model of their size; they are twice that apart.
const TOUCH: f64 = 1.5e-5;

/// Two wavy sheets of 0.1 m, the second above the first, of n x n cells of two triangles each.
struct Sheets {
    detector: Detector,
    q: Vec<Vec3>,
    steps: Vec<Vec3>,
    cells: u32,
}

impl Sheets {
    fn new(cells: u32) -> Self {
        let row = cells + 1;
        let count = row * row;
        let cell = |k: u32| {
            let v = k / cells * row + k % cells;
            [[v, v + 1, v + row], [v + 1, v + row + 1, v + row]]
        };
        // They face each other.
        let facing =
            |first: u32, [a, b, c]: [u32; 3]| if first == 0 { [a, b, c] } else { [a, c, b] };
        let surface = |first: u32| Surface {
            rows: (first..first + count).collect(),
            triangles: (0..cells * cells).flat_map(cell).map(|it| facing(first, it)).collect(),
            holders: vec![Surface::FREE; count as usize],
            sheet_vertices: 0,
        };
        let pair = Pair {
            a: Member::Surface(1),
            b: Member::Surface(0),
            margin: 5.0 * TOUCH,
            thickness: TOUCH,
        };
        let surfaces = vec![surface(0), surface(count)];
        let detector = Detector::with_surfaces(vec![], vec![], surfaces, vec![pair]);
        let q = vec![Vec3::zeros(); 2 * count as usize];
        let steps = vec![Vec3::zeros(); q.len()];
        let detector = detector.expect("the surfaces are sound");
        let mut sheets = Self { detector, q, steps, cells };
        sheets.bend(0.0);
        sheets
    }

    /// Waves of 2 mm that have gone on by a phase.
    fn bend(&mut self, phase: f64) {
        let row = (self.cells + 1) as usize;
        let size = 0.1 / f64::from(self.cells);
        for (k, q) in self.q.iter_mut().enumerate() {
            let (sheet, v) = (k / (row * row), k % (row * row));
            let (x, y) = (((v % row) as f64 + 0.37 * sheet as f64) * size, (v / row) as f64 * size);
            let height = 1e-3 * ((90.0 * x + phase).sin() + (70.0 * y).cos());
            *q = Vec3::new(x, y, height + 2.0 * TOUCH * sheet as f64);
        }
    }

    /// Contacts, and the question whether the sheets pass through each other: what a step asks once at least.
    fn detect(&mut self) -> usize {
        let mut out = Vec::new();
        let travel = Travel { rows: &self.steps, ..Travel::default() };
        self.detector.detect_ahead(&[], &self.q, travel, &mut out);
        let crossing =
            self.detector.crossing(Motion { poses: [&[]; 2], q: [&self.q; 2] }, &|_| true);
        assert_eq!(crossing, None, "the sheets stay apart");
        out.len()
    }
}

/// Of two meshes of so many triangles each.
fn detection(c: &mut Criterion) {
    let mut group = c.benchmark_group("contact/detection");
    group.sample_size(10);
    for (name, cells) in if quick() { &[("10k", 71)][..] } else { &[("10k", 71), ("100k", 224)] } {
        let mut sheets = Sheets::new(*cells);
        assert!(sheets.detect() > 0, "the sheets touch");
        group.bench_function(format!("{name}/resting"), |b| b.iter(|| sheets.detect()));
        let mut phase = 0.0;
        group.bench_function(format!("{name}/deforming"), |b| {
            b.iter(|| {
                phase += 0.01;
                sheets.bend(phase);
                sheets.detect()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, plates, stacks, heaps, detection);
criterion_main!(benches);
