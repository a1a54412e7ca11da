//! Interactive dynamics: a graph of 10,000 blocks evaluated anew, with its rates and its Jacobians; a step of nailed
//! troids over one factor. The throughput counts blocks.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::interactive::{BlockId, Graph, Order, Port, Troid, TroidElasticity, World};

/// Blocks of formulas.
const BLOCKS: usize = 10_000;

/// Chains of formulas of three blocks each over ten variables, and the last ports of all chains.
fn chains() -> (Graph, BlockId, Vec<Port>) {
    let mut graph = Graph::default();
    let names: Vec<String> = (0..10).map(|k| format!("x{k}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let x = graph.add_variables("v", &names, &[0.3; 10]).expect("variables");
    let mut ends = Vec::new();
    for k in 0..BLOCKS / 3 {
        let inputs = [("a", x.port(k % 10)), ("b", x.port((k + 3) % 10)), ("t", graph.time())];
        let turned = "a*cos(t) - b*sin(t); a*sin(t) + b*cos(t)";
        let turned = graph.add_formula(&format!("turned{k}"), turned, &inputs).expect("a block");
        let inputs = [("a", turned.port(0)), ("b", turned.port(1))];
        let length = graph.add_formula(&format!("length{k}"), "hypot(a, 1 + b)", &inputs);
        let inputs = [("a", length.expect("a block").port(0)), ("b", x.port((k + 7) % 10))];
        let end = graph.add_formula(&format!("end{k}"), "exp(-a)*b + a^2", &inputs);
        ends.push(end.expect("a block").port(0));
    }
    (graph, x, ends)
}

fn blocks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("blocks");
    group.throughput(Throughput::Elements(BLOCKS as u64));
    let (mut graph, x, ends) = chains();
    graph.request_rows(&ends).expect("rows");
    let mut place = 0.3;
    let mut motion = || {
        place = 1.0 - place;
        [[place, 1.0, 0.0]; 10]
    };
    group.bench_function("values", |bencher| {
        bencher.iter(|| {
            graph.set_motion(x, &motion()).expect("a motion");
            graph.update_values().expect("values");
        });
    });
    group.bench_function("values and rates", |bencher| {
        bencher.iter(|| {
            graph.set_motion(x, &motion()).expect("a motion");
            graph.update_rates().expect("rates");
        });
    });
    group.bench_function("values and Jacobians", |bencher| {
        bencher.iter(|| {
            graph.set_motion(x, &motion()).expect("a motion");
            graph.update_rows().expect("rows");
        });
    });
    group.finish();
}

/// A strip of troids, pinned to each other and nailed at its beginning.
fn troids(criterion: &mut Criterion) {
    let mut world = World::default();
    let mut last: Option<BlockId> = None;
    for k in 0..50 {
        let at = Troid::<2>::rest([0.2 * k as f64, 0.0]);
        let troid = Troid::<2>::of_box(0.1, [0.2, 0.1]);
        let id = world.add_object(&format!("troid{k}"), troid, Order::Second, &at).expect("one");
        let ports = world.ports(id).expect("ports");
        let elasticity = TroidElasticity::<2> { measure: 0.02, shape: 100.0, dilation: 100.0 };
        let name = format!("elasticity{k}");
        world.add_behaviour(&name, elasticity.behaviour(), &ports[2..]).expect("elasticity");
        let left = world.add_point(&format!("left{k}"), id, &[-0.1, 0.0]).expect("a point");
        match last {
            Some(last) => world.join(&format!("pin{k}"), last, left).expect("a pin"),
            None => world.nail("nail", left, &[-0.1, 0.0]).expect("a nail"),
        };
        last = Some(world.add_point(&format!("right{k}"), id, &[0.1, 0.0]).expect("a point"));
    }
    criterion.bench_function("step of 50 nailed troids", |bencher| {
        bencher.iter(|| world.step(1e-3).expect("a step"));
    });
    assert_eq!(world.statistics().factorizations, 1);
}

criterion_group!(benches, blocks, troids);
criterion_main!(benches);
