//! Probes: inputs before steps and records after them.

use sinew::property::PropertyRef;
use sinew::schedule::{
    CallbackError, InputProbe, OutputProbe, SampleTimes, Sampling, Scheduler, Signal,
};
use sinew::solve::LinearSolver;

use crate::scenes::{Rows, built, scheduler};

fn chain() -> (Scheduler, PropertyRef) {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    let position = "/models/chain/rigid_bodies/1:position";
    let property = scheduler.simulation_mut().property(position).unwrap();
    (scheduler, property)
}

fn record(times: SampleTimes) -> (Scheduler, Rows) {
    let (mut scheduler, position) = chain();
    let rows = Rows::default();
    let probe = OutputProbe::new("way", times, vec![position], Box::new(rows.clone())).unwrap();
    assert_eq!(probe.size(), 3);
    scheduler.add_output_probe(probe);
    (scheduler, rows)
}

fn assert_times(rows: &Rows, expected: &[f64]) {
    let times = rows.times();
    let near = times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near && times.len() == expected.len(), "{times:?}, not {expected:?}");
}

#[test]
fn samples_come_at_their_interval_between_start_and_stop() {
    let times = SampleTimes { start: 0.02, stop: 0.05, ..SampleTimes::every(0.015) };
    let (mut scheduler, rows) = record(times);
    scheduler.advance(0.1).unwrap();
    assert_times(&rows, &[0.02, 0.035, 0.05]);
    let (mut scheduler, rows) = record(SampleTimes::every(0.0));
    scheduler.advance(0.03).unwrap();
    assert_times(&rows, &[0.0, 0.01, 0.02, 0.03]);
}

#[test]
fn samples_between_steps_lie_on_the_line_between_their_ends() {
    let (mut scheduler, rows) = record(SampleTimes::every(0.0025));
    scheduler.advance(0.1).unwrap();
    let rows = rows.all();
    assert_eq!(rows.len(), 41);
    for k in 0..10 {
        let [a, b] = [&rows[4 * k].1, &rows[4 * k + 4].1];
        for part in 1..4 {
            let share = part as f64 / 4.0;
            for axis in 0..3 {
                let line = a[axis] + share * (b[axis] - a[axis]);
                let error = (rows[4 * k + part].1[axis] - line).abs();
                // Times are sums of rounded steps.
                assert!(error < 1e-12, "{error} m at {}", rows[4 * k + part].0);
            }
        }
    }
}

#[test]
fn a_probe_that_cuts_steps_sees_the_state_itself() {
    let cut = SampleTimes { sampling: Sampling::Cut, ..SampleTimes::every(0.004) };
    let (mut scheduler, rows) = record(cut);
    let mut times = Vec::new();
    scheduler
        .run_while(0.02, |scheduler, _| {
            times.push(scheduler.time());
            true
        })
        .unwrap();
    let expected = [0.004, 0.008, 0.01, 0.012, 0.016, 0.02];
    let near = times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near && times.len() == expected.len(), "{times:?}");
    assert_times(&rows, &[0.0, 0.004, 0.008, 0.012, 0.016, 0.02]);
}

#[test]
fn a_probe_that_is_switched_off_misses_samples_and_does_not_make_them_up() {
    let (mut scheduler, rows) = record(SampleTimes::every(0.02));
    scheduler.advance(0.03).unwrap();
    scheduler.output_probes_mut()[0].enabled = false;
    scheduler.advance(0.07).unwrap();
    scheduler.output_probes_mut()[0].enabled = true;
    scheduler.advance(0.11).unwrap();
    assert_times(&rows, &[0.0, 0.02, 0.08, 0.1]);
}

#[test]
fn what_is_derived_is_computed_at_the_ends_of_steps() {
    let (mut scheduler, position) = chain();
    let rows = Rows::default();
    let probe =
        OutputProbe::new("r", SampleTimes::every(0.01), vec![position], Box::new(rows.clone()))
            .unwrap()
            .deriving(
                2,
                Box::new(|time, position, out| {
                    out[0] = position.iter().map(|x| x * x).sum::<f64>();
                    out[1] = 2.0 * time;
                }),
            );
    assert_eq!(probe.size(), 2);
    scheduler.add_output_probe(probe);
    scheduler.advance(0.05).unwrap();
    let position = scheduler.simulation_mut().get(&position).unwrap();
    let square: f64 = position.numbers().map(|x| x * x).sum();
    let rows = rows.all();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[5].1[0], square);
    assert!((rows[5].1[1] - 0.1).abs() < 1e-12);
}

/// Pulls of 0 and then of 1 from a knot on.
struct Knot(f64);

impl Signal for Knot {
    fn sample(&mut self, step: [f64; 2], values: &mut [f64]) -> Result<bool, CallbackError> {
        values.fill(if step[0] >= self.0 - 1e-9 { 1.0 } else { 0.0 });
        Ok(step[0] < 0.04)
    }

    fn next_knot(&mut self, time: f64) -> Option<f64> {
        (time < self.0).then_some(self.0)
    }
}

#[test]
fn inputs_act_from_their_knot_on_and_are_left_alone_where_they_have_no_value() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    let gravity = scheduler.simulation_mut().property("/models/chain:gravity").unwrap();
    let probe = InputProbe::new("pull", vec![gravity], Box::new(Knot(0.0234))).unwrap();
    assert_eq!(probe.size(), 3);
    scheduler.add_input_probe(probe);
    let mut seen = Vec::new();
    scheduler
        .run_while(0.06, |scheduler, _| {
            let now = scheduler.simulation_mut().get(&gravity).unwrap();
            seen.push((scheduler.time(), now.numbers().next().unwrap()));
            scheduler.time() < 0.045
        })
        .unwrap();
    let expected = [(0.01, 0.0), (0.02, 0.0), (0.0234, 0.0), (0.03, 1.0), (0.04, 1.0), (0.05, 1.0)];
    let near = seen.iter().zip(expected).all(|(a, b)| (a.0 - b.0).abs() < 1e-12 && a.1 == b.1);
    assert!(near && seen.len() == expected.len(), "{seen:?}");
    scheduler.simulation_mut().set(&gravity, sinew::Vec3::x() * 3.0).unwrap();
    scheduler.step().unwrap();
    let now = scheduler.simulation_mut().get(&gravity).unwrap();
    assert_eq!(now.to_string(), "3 0 0", "the signal has ended");
}

#[test]
fn the_first_sample_has_what_is_fed_at_the_start_and_a_reset_takes_it_back() {
    let mut scheduler = scheduler(built("chain", &["n=2"]), LinearSolver::Auto, 0.01);
    let gravity = scheduler.simulation_mut().property("/models/chain:gravity").unwrap();
    let ramp = |time: f64, values: &mut [f64]| values.copy_from_slice(&[0.0, 0.0, 0.5 + time]);
    scheduler.add_input_probe(InputProbe::new("ramp", vec![gravity], Box::new(ramp)).unwrap());
    let rows = Rows::default();
    let times = SampleTimes::every(0.01);
    let probe = OutputProbe::new("g", times, vec![gravity], Box::new(rows.clone())).unwrap();
    scheduler.add_output_probe(probe);
    for _ in 0..2 {
        scheduler.advance(0.02).unwrap();
        let seen: Vec<f64> = rows.all().iter().map(|row| row.1[2]).collect();
        let near = seen.iter().zip([0.5, 0.51, 0.52]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near && seen.len() == 3, "{seen:?}");
        scheduler.reset().unwrap();
        let now = scheduler.simulation_mut().get(&gravity).unwrap();
        assert_eq!(now.to_string(), "0 0 -9.8");
    }
}

#[test]
fn where_a_body_is_can_be_fed_too() {
    let mut scheduler = scheduler(built("boxes", &["n=1"]), LinearSolver::Auto, 0.01);
    let place = "/models/boxes/rigid_bodies/b0:velocity";
    let velocity = scheduler.simulation_mut().property(place).unwrap();
    let up = |_: f64, values: &mut [f64]| values.copy_from_slice(&[0.0, 0.0, 1.0]);
    scheduler.add_input_probe(InputProbe::new("up", vec![velocity], Box::new(up)).unwrap());
    scheduler.advance(0.1).unwrap();
    let position = "/models/boxes/rigid_bodies/b0:position";
    let position = scheduler.simulation_mut().property(position).unwrap();
    let position = scheduler.simulation_mut().get(&position).unwrap();
    let height = position.numbers().nth(2).unwrap();
    // Each step of 10 ms begins at 1 m/s and loses 0.098 m/s before it moves on.
    let expected = 0.1 + 0.001 + 0.1 * (1.0 - 0.098);
    assert!((height - expected).abs() < 1e-6, "{height} m, not {expected} m");
}

#[test]
fn what_is_no_number_or_read_only_is_refused() {
    let (mut scheduler, _) = chain();
    let simulation = scheduler.simulation_mut();
    let energy = simulation.property("/:energy").unwrap();
    let name = simulation.property("/models/chain:name").unwrap();
    let nothing = |_: f64, _: &mut [f64]| {};
    assert!(InputProbe::new("e", vec![energy], Box::new(nothing)).is_err());
    assert!(InputProbe::new("n", vec![name], Box::new(nothing)).is_err());
    let rows = Box::new(Rows::default());
    assert!(OutputProbe::new("n", SampleTimes::every(0.1), vec![name], rows).is_err());
}
