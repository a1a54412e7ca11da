//! Mechanisms and attachments: MB-* of the reference data, and closed forms.

use sinew::Vec3;

use super::scenes::{
    Runner, TRAPEZOIDAL, bricard, chain, double_pendulum, dumbbell, four_bar, slider_crank,
};
use super::table::{Group, Row};

/// MB-double-pendulum: angles of the arms from below at 2 s [rad].
const DOUBLE_PENDULUM: [f64; 2] = [-0.4829715342517698, -1.3240487123022966];
/// MB-A02-Nfourbar: x and y of the first tip at 10 s [m].
const FOUR_BARS: [(usize, [f64; 2]); 4] = [
    (1, [0.478385057712137, 0.8781501788178121]),
    (2, [0.3284581114942197, 0.9445185381948047]),
    (10, [0.204353560948042, 0.9788971458370154]),
    (40, [0.18051222664818029, 0.9835727405893862]),
];
/// MB-A04-bricard: end of the third rod at 5 s [m].
const BRICARD: [f64; 3] = [0.99999999773874, -1.0000672473393268, 0.9999327503995735];

/// A row whose error is the largest of absolute ones.
fn absolute(case: &str, metric: &str, pair: (f64, f64), error: f64, allowed: f64) -> Row {
    Row::new(case, format!("{metric}; error: absolute, of all"), pair, allowed).with_error(error)
}

fn pendula() -> Vec<Row> {
    let (model, _) = chain(1);
    let run = Runner::new(&model, TRAPEZOIDAL).run(0.01, 1.0);
    let case = "bar on a hinge, 1 s at 10 ms";
    let mut rows =
        vec![Row::of_error(case, "change of energy [J]", run.most.max(-run.least), 1e-8)];
    let (model, [a, b]) = double_pendulum();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.run(2e-4, 2.0);
    let [a, b] = [a, b].map(|p| runner.place(p));
    let angles = [a, b - a].map(|v| v.x.atan2(-v.y));
    let errors = [0, 1].map(|k| (angles[k] - DOUBLE_PENDULUM[k]).abs());
    let (case, pair) = ("MB-double-pendulum, 0.2 ms", (DOUBLE_PENDULUM[1], angles[1]));
    rows.push(absolute(
        case,
        "angle of the lower arm at 2 s [rad]",
        pair,
        errors[0].max(errors[1]),
        1e-4,
    ));
    let (model, _) = dumbbell();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.run(1e-3, 1.0);
    let tension = -runner.state.multipliers[0];
    rows.push(Row::new(
        "MB-witkin, dumbbell, 1 ms",
        "tension of the rod [N]",
        (0.375, tension),
        1e-6,
    ));
    rows
}

/// At an angle of 1 rad of the crank, by the closed form.
fn crank() -> Row {
    let (model, slider) = slider_crank();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.run(2e-4, 0.1);
    let (sin, cos) = 1f64.sin_cos();
    let x = 0.1 * cos + (0.16 - (0.1 * sin).powi(2)).sqrt();
    let found = runner.place(slider).x;
    absolute(
        "MB-slider-crank, 0.2 ms",
        "place of the slider [m]",
        (x, found),
        (found - x).abs(),
        1e-6,
    )
}

fn four_bars() -> Vec<Row> {
    let one = |(windows, [x, y]): (usize, [f64; 2])| {
        let (model, post) = four_bar(windows);
        let mut runner = Runner::new(&model, TRAPEZOIDAL);
        let run = runner.run(0.01, 10.0);
        let tip = runner.point(post, Vec3::x() * 0.5);
        let error = (tip - Vec3::new(x, y, 0.0)).amax();
        let case = format!("MB-A02, {windows} four-bars, 10 ms");
        let change = Row::of_error(&*case, "change of energy [J]", run.most.max(-run.least), 0.1);
        // There are 20 J and more.
        let change = Row { scale: 20.0, ..change };
        [absolute(&case, "x of the first tip at 10 s [m]", (x, tip.x), error, 1e-2), change]
    };
    FOUR_BARS.into_iter().flat_map(one).collect()
}

fn overconstrained() -> Row {
    let (model, rod) = bricard();
    let mut runner = Runner::new(&model, TRAPEZOIDAL);
    runner.run(2.5e-3, 5.0);
    let end = runner.point(rod, Vec3::x() * 0.5);
    let error = (end - Vec3::from(BRICARD)).amax();
    absolute(
        "MB-A04-bricard, 2.5 ms",
        "y of the third rod's end at 5 s [m]",
        (BRICARD[1], end.y),
        error,
        1e-3,
    )
}

pub(crate) fn groups() -> Vec<Group> {
    let mut rows = pendula();
    rows.push(crank());
    rows.extend(four_bars());
    rows.push(overconstrained());
    vec![Group {
        title: "Bodies and constraints",
        text: "Mechanisms of the reference data, built as models and stepped by the trapezoidal rule with the steps \
               given. A chain of 100 links without damping, falling from the horizontal (3100 J above hanging \
               straight), 10 s at 10 ms: backward Euler gains nothing at any step and loses 949 J; the trapezoidal \
               rule gains 4e-8 J at most and loses 629 J in the parts of 38 steps (CHAIN_SECONDS=10 for the tests in \
               core/tests/bodies/chains.rs). References: closed forms, and reduced equations integrated to 1e-12.",
        rows,
    }]
}

#[test]
fn mechanisms_move_as_their_references_say() {
    groups().iter().for_each(Group::check);
}
