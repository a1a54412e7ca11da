//! 1,000 numbers set through handles before each step, and what was compiled refreshed: beside a
//! step of the default model, which carries the 1,000 springs whose numbers they are.

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::model::{AxialSpring, LinearAxial, Model, PointRef};
use sinew::property::PropertyRef;
use sinew::solve::{MechSystemSolver, SolverSettings};
use sinew_benches::{STEP, group, label};
use sinew_datasets::Params;

const COUNT: u32 = 1000;

/// The tongue with springs between nodes that follow each other, and a handle on each stiffness.
fn model() -> (Model, Vec<PropertyRef>) {
    let tongue = sinew_datasets::find("tongue").expect("the tongue is built in");
    let mut params = Params::parse::<_, &str>([]).expect("no parameter is wrong");
    let mut model = (tongue.build)(&mut params).expect("the defaults are in range");
    let fem = model.nth(0);
    let nodes = model.fem(0).mesh.nodes.len() as u32;
    let law = LinearAxial { stiffness: 0.1, damping: 0.0, rest_length: 0.01 };
    let spring = |k: u32| {
        let ends = [k % nodes, (k + 1 + k / nodes) % nodes];
        AxialSpring::new(ends.map(|node| PointRef::FemNode(fem, node)), law)
    };
    let springs: Vec<_> = (0..COUNT).map(|k| model.add(spring(k))).collect();
    let stiffness = |&spring| model.property_of(spring, "material.stiffness");
    let handles = springs.iter().map(stiffness).collect::<Result<_, _>>();
    let handles = handles.expect("springs have a stiffness");
    (model, handles)
}

fn properties(criterion: &mut Criterion) {
    let mut group = group(criterion, "properties");
    let (mut model, handles) = model();
    let mut compiled = model.compile().expect("the tongue compiles");
    let mut state = compiled.initial_state();
    let mut stiffness = 0.1;
    group.bench_function(label("set 1,000 and refresh"), |bencher| {
        bencher.iter(|| {
            stiffness = if stiffness > 0.2 { 0.1 } else { stiffness + 1e-3 };
            for handle in &handles {
                model.set_property(handle, stiffness).expect("in range");
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
