//! 1,000 excitations set through handles before each step, and the compiled model refreshed: beside
//! a step of the default model, which carries the 1,000 muscles that they excite.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::axial::AxialLaw;
use sinew::axial::active::PeckMuscle;
use sinew::model::{AxialSpring, Model, PointRef};
use sinew::property::PropertyRef;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_benches::{STEP, group, label};
use sinew_datasets::Params;

const COUNT: u32 = 1000;

/// The tongue with muscles between nodes that follow each other, and a handle on each excitation.
fn model() -> (Model, Vec<PropertyRef>) {
    let tongue = sinew_datasets::find("tongue").expect("the tongue is built in");
    let mut params = Params::parse::<_, &str>([]).expect("no parameter is wrong");
    let mut model = (tongue.build)(&mut params).expect("the defaults are in range");
    let fem = model.nth(0);
    let nodes = model.fem(0).mesh.nodes.len() as u32;
    let law = AxialLaw::Peck(PeckMuscle {
        max_force: 0.01,
        optimal_length: 0.01,
        max_length: 0.015,
        ..PeckMuscle::default()
    });
    let muscle = |k: u32| {
        let ends = [k % nodes, (k + 1 + k / nodes) % nodes];
        AxialSpring::with_law(ends.map(|node| PointRef::FemNode(fem, node)), law)
    };
    let muscles: Vec<_> = (0..COUNT).map(|k| model.add(muscle(k))).collect();
    let excitation = |&muscle| model.property_of(muscle, "excitation");
    let handles = muscles.iter().map(excitation).collect::<Result<_, _>>();
    let handles = handles.expect("muscles have an excitation");
    (model, handles)
}

fn properties(criterion: &mut Criterion) {
    let mut group = group(criterion, "properties");
    let (mut model, handles) = model();
    let mut compiled = model.compile().expect("the tongue compiles");
    let mut state = compiled.initial_state();
    let mut excitation = 0.1;
    group.bench_function(label("set 1,000 and refresh"), |bencher| {
        bencher.iter(|| {
            excitation = if excitation > 0.2 { 0.1 } else { excitation + 1e-3 };
            for handle in &handles {
                model.set_property(handle, excitation).expect("in range");
            }
            model.refresh(&mut compiled, &mut state).expect("still sound")
        });
    });
    let start = state.clone();
    let mut solver =
        MechSystemSolver::new(&compiled, SolverSettings::default()).expect("it has a solver");
    solver.step(&compiled, &mut state, STEP).expect("the tongue steps");
    let mut taken = 0;
    group.bench_function(label("step of the tongue"), |bencher| {
        bencher.iter(|| {
            taken += 1;
            if taken % 20 == 0 {
                state.clone_from(&start);
            }
            solver.step(&compiled, &mut state, STEP).expect("the tongue steps")
        });
    });
    group.finish();
}

criterion_group!(benches, properties);
criterion_main!(benches);
