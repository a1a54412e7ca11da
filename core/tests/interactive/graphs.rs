//! Claims of graphs of function blocks.

use sinew::interactive::{Dependence, Graph, GraphError, Port};

use crate::random::{Random, RandomGraph, random_graph};

/// Values of variables moved by `size` along `direction`, and the time by `size`.
fn moved(it: &mut RandomGraph, from: &[Vec<f64>], direction: &[Vec<f64>], size: f64) {
    for ((&source, x), d) in it.sources.iter().zip(from).zip(direction) {
        let values: Vec<f64> = x.iter().zip(d).map(|(x, d)| x + size * d).collect();
        it.graph.set_values(source, &values).expect("values");
    }
    it.graph.set_time(0.7 + size).expect("the time");
}

fn all_values(it: &mut RandomGraph) -> Vec<f64> {
    it.ports.clone().into_iter().map(|port| it.graph.value(port).expect("a value")).collect()
}

fn dense_row(graph: &mut Graph, port: Port, rate: bool) -> Vec<f64> {
    let mut row = vec![0.0; graph.column_count()];
    let (columns, values) =
        if rate { graph.row_rate(port) } else { graph.row(port) }.expect("a row");
    columns.iter().zip(values).for_each(|(&column, value)| row[column as usize] += value);
    row
}

/// Directions that move one variable each.
fn units(count: usize) -> impl Iterator<Item = Vec<Vec<f64>>> {
    (0..2 * count).map(move |k| {
        let unit = |source: usize| vec![f64::from(k == 2 * source), f64::from(k == 2 * source + 1)];
        (0..count).map(unit).collect()
    })
}

/// Relative to values and derivatives of size one: truncation 1e-10 times third derivatives, rounding 1e-11.
const CLOSE: f64 = 2e-6;

#[test]
fn jacobians_and_rates_are_central_differences_over_a_thousand_random_graphs() {
    let mut random = Random(1);
    for case in 0..1000 {
        let mut it = random_graph(&mut random);
        it.graph.request_rows(&it.ports.clone()).expect("rows");
        let start: Vec<Vec<f64>> = it
            .sources
            .iter()
            .map(|&s| it.graph.motion(s).expect("a source").iter().map(|m| m[0]).collect())
            .collect();
        let rates: Vec<Vec<f64>> =
            start.iter().map(|x| x.iter().map(|_| random.range(-1.0, 1.0)).collect()).collect();
        moved(&mut it, &start, &rates, 0.0);
        for (&source, (x, v)) in it.sources.iter().zip(start.iter().zip(&rates)) {
            let motion: Vec<[f64; 3]> = x.iter().zip(v).map(|(&x, &v)| [x, v, 0.0]).collect();
            it.graph.set_motion(source, &motion).expect("a motion");
        }
        let motions: Vec<[f64; 3]> =
            it.ports.clone().iter().map(|&p| it.graph.motion_of(p).expect("rates")).collect();
        let rows: Vec<Vec<f64>> =
            it.ports.clone().iter().map(|&p| dense_row(&mut it.graph, p, false)).collect();
        let row_rates: Vec<Vec<f64>> =
            it.ports.clone().iter().map(|&p| dense_row(&mut it.graph, p, true)).collect();
        let close = |a: f64, b: f64, of: &str| {
            assert!(
                (a - b).abs() <= CLOSE * (1.0 + a.abs() + motions.len() as f64),
                "{case}, {of}: {a}, {b}"
            );
        };
        let step = 1e-5;
        // By each variable, at a fixed time.
        for (column, direction) in units(it.sources.len()).enumerate() {
            let [before, after] = [-step, step].map(|size| {
                moved(&mut it, &start, &direction, size);
                it.graph.set_time(0.7).expect("the time");
                all_values(&mut it)
            });
            for (k, row) in rows.iter().enumerate() {
                close(row[column], (after[k] - before[k]) / (2.0 * step), "slope");
            }
        }
        // Along the motion.
        let [before, at, after] = [-step, 0.0, step].map(|size| {
            moved(&mut it, &start, &rates, size);
            let values = all_values(&mut it);
            let rows: Vec<Vec<f64>> =
                it.ports.clone().iter().map(|&p| dense_row(&mut it.graph, p, false)).collect();
            let rates: Vec<f64> = it
                .ports
                .clone()
                .iter()
                .map(|&p| it.graph.motion_of(p).expect("rates")[1])
                .collect();
            (values, rows, rates)
        });
        for k in 0..it.ports.len() {
            close(motions[k][0], at.0[k], "value");
            close(motions[k][1], (after.0[k] - before.0[k]) / (2.0 * step), "rate");
            close(motions[k][2], (after.2[k] - before.2[k]) / (2.0 * step), "second rate");
            for (column, rate) in row_rates[k].iter().enumerate() {
                close(
                    *rate,
                    (after.1[k][column] - before.1[k][column]) / (2.0 * step),
                    "rate of slope",
                );
            }
        }
        moved(&mut it, &start, &rates, 0.0);
        pullback_is_the_transposed_jacobian(&mut it, &rows, &mut random);
    }
}

fn pullback_is_the_transposed_jacobian(
    it: &mut RandomGraph,
    rows: &[Vec<f64>],
    random: &mut Random,
) {
    let forces: Vec<f64> = rows.iter().map(|_| random.range(-1.0, 1.0)).collect();
    let mut sums = vec![0.0; it.graph.column_count()];
    let on = it.ports.iter().copied().zip(forces.iter().copied());
    it.graph.add_pullback(on, &mut sums).expect("a product");
    for (column, sum) in sums.iter().enumerate() {
        let expected: f64 = rows.iter().zip(&forces).map(|(row, f)| row[column] * f).sum();
        let size: f64 = rows.iter().zip(&forces).map(|(row, f)| (row[column] * f).abs()).sum();
        assert!((sum - expected).abs() <= 1e-12 * (1.0 + size), "{sum}, {expected}");
    }
}

#[test]
fn outputs_that_are_called_affine_have_rows_that_never_change() {
    let (mut random, mut affine) = (Random(5), 0);
    for _ in 0..200 {
        let mut it = random_graph(&mut random);
        it.graph.request_rows(&it.ports.clone()).expect("rows");
        let rows_at = |it: &mut RandomGraph, random: &mut Random| -> Vec<Vec<f64>> {
            for &source in &it.sources {
                let values = [random.range(-1.0, 1.0), random.range(0.3, 1.0)];
                it.graph.set_values(source, &values).expect("values");
            }
            it.graph.set_time(random.range(0.0, 3.0)).expect("the time");
            it.ports.clone().iter().map(|&p| dense_row(&mut it.graph, p, false)).collect()
        };
        let (first, second) = (rows_at(&mut it, &mut random), rows_at(&mut it, &mut random));
        for (k, &port) in it.ports.iter().enumerate() {
            if it.graph.dependence(port).expect("a port") <= Dependence::Affine {
                assert_eq!(first[k], second[k]);
                affine += usize::from(first[k].iter().any(|slope| *slope != 0.0));
            }
        }
    }
    // Sources aside: the test has something to test.
    assert!(affine > 1000, "{affine}");
}

fn two_blocks() -> (Graph, Port, Port, Port) {
    let mut graph = Graph::default();
    let x = graph.add_variables("x", &["0"], &[3.0]).expect("a variable").port(0);
    let square = graph.add_formula("square", "x^2", &[("x", x)]).expect("a block").port(0);
    let half = graph.add_formula("half", "a/2", &[("a", square)]).expect("a block").port(0);
    (graph, x, square, half)
}

#[test]
fn a_graph_is_edited_while_it_is_evaluated() {
    let (mut graph, x, square, half) = two_blocks();
    graph.request_rows(&[half]).expect("a row");
    assert_eq!(graph.value(half), Ok(4.5));
    assert_eq!(graph.row(half), Ok((&[0][..], &[3.0][..])));
    graph.set_formula(square.block, "x^3").expect("another formula");
    assert_eq!(graph.value(half), Ok(13.5));
    assert_eq!(graph.row(half), Ok((&[0][..], &[13.5][..])));
    let y = graph.add_variables("y", &["0"], &[8.0]).expect("a variable").port(0);
    graph.rewire_input(half.block, "a", y).expect("another wire");
    assert_eq!(graph.value(half), Ok(4.0));
    assert_eq!(graph.row(half), Ok((&[1][..], &[0.5][..])));
    graph.remove(square.block).expect("nobody uses it");
    assert_eq!(graph.value(square), Err(GraphError::Gone));
    let sum = graph.add_expression("sum", "half + y*x").expect("a block").port(0);
    assert_eq!(graph.value(sum), Ok(28.0));
    assert_eq!(graph.value(square), Err(GraphError::Gone), "its place has another block");
    graph.set_values(x.block, &[1.0]).expect("values");
    assert_eq!(graph.value(sum), Ok(12.0));
}

#[test]
fn circles_are_refused_by_the_names_along_them() {
    let (mut graph, _, square, half) = two_blocks();
    let error = graph.rewire(square.block, 0, half).expect_err("a circle");
    assert_eq!(
        error.to_string(),
        "block 'square' cannot depend on itself: square -> half -> square"
    );
    let error = graph.set_formula(square.block, "x + half").expect_err("a circle");
    assert!(matches!(error, GraphError::Cycle { .. }), "{error}");
    assert_eq!(graph.value(half), Ok(4.5), "what is refused changes nothing");
}

#[test]
fn refusals_name_the_block_and_the_column() {
    let (mut graph, x, square, half) = two_blocks();
    let texts = [
        graph.add_formula("bad", "x + ", &[("x", x)]).expect_err("an end"),
        graph.add_expression("bad", "x + circle.r").expect_err("no circle"),
        graph.add_expression("half", "x").expect_err("taken"),
        graph.add_expression("2x", "x").expect_err("no name"),
        graph.remove(square.block).expect_err("in use"),
        graph.value(half.block.port(7)).expect_err("no output"),
        graph.set_formula(half.block, "square/2 + u").expect_err("no u"),
        graph.set_values(half.block, &[1.0]).expect_err("no source"),
        graph.set_values(x.block, &[1.0; 2]).expect_err("one value"),
        graph.rewire_input(half.block, "u", x).expect_err("no input"),
    ];
    assert_eq!(
        texts.map(|error| error.to_string()),
        [
            "block 'bad': column 5: found the end where a number, a name or '(' is expected",
            "block 'bad': column 5: 'circle.r' is no output of a block; name one, as in 'circle.x'",
            "there is a block 'half' already; use another name",
            "'2x' cannot name a block; use letters, digits and '_', a letter first",
            "block 'square' is used by half; rewire or remove these first",
            "block 'half' has 1 output(s), there is no number 7",
            "block 'half': column 12: 'u' is no output of a block; name one, as in 'circle.x'",
            "block 'half' is no source of values",
            "block 'x' takes 1 value(s), got 2",
            "block 'half' has no input 'u'",
        ]
    );
}

#[test]
fn a_value_that_is_none_names_the_block_and_the_operation() {
    let (mut graph, x, ..) = two_blocks();
    let root = graph.add_formula("root", "1 + sqrt(x - 5)", &[("x", x)]).expect("a block").port(0);
    let error = graph.value(root).expect_err("no root");
    assert_eq!(
        error.to_string(),
        "block 'root', output 0, is NaN: column 5: the value is NaN here; keep the inputs where the formula has a value"
    );
    graph.set_values(x.block, &[9.0]).expect("values");
    assert_eq!(graph.value(root), Ok(3.0));
    // The root of 0 is a number, its slope is none.
    graph.set_values(x.block, &[5.0]).expect("values");
    graph.request_rows(&[root]).expect("a row");
    assert_eq!(graph.value(root), Ok(1.0));
    assert!(matches!(graph.row(root), Err(GraphError::Value { value: 1.0, .. })));
}
