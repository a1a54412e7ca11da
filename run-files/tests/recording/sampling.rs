//! Values of tables between their rows and outside them.

use std::path::Path;

use sinew::model::Model;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_run_files::attach::input_probe;
use sinew_run_files::spec::{Extension, Gaps, InputProbeSpec, Interpolation, SamplingSpec};

const STEP: f64 = 0.01;

/// A model with nothing in it but gravity, which is fed.
fn scheduler() -> Scheduler {
    let mut model = Model::new("m");
    model.add(sinew::model::Particle::new(1.0, sinew::Vec3::zeros()));
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(STEP)).unwrap()
}

/// Time [s] after each step until `end` [s], and the value that was fed in it.
fn fed(spec: &InputProbeSpec, end: f64) -> Vec<(f64, f64)> {
    let mut scheduler = scheduler();
    let model = scheduler.simulation().model();
    let probe = input_probe(spec, model, Path::new(".")).unwrap();
    let mass = model.property("/models/m/particles/0:mass").unwrap();
    scheduler.add_input_probe(probe);
    let mut seen = Vec::new();
    scheduler
        .run_while(end, |scheduler, _| {
            let value = scheduler.simulation().model().get_real(&mass).unwrap();
            seen.push((scheduler.time(), value));
            true
        })
        .unwrap();
    seen
}

fn spec(data: &[[f64; 2]]) -> InputProbeSpec {
    InputProbeSpec {
        name: "weight".into(),
        properties: vec!["/models/m/particles/0:mass".into()],
        data: data.iter().map(|row| row.to_vec()).collect(),
        ..InputProbeSpec::default()
    }
}

fn assert_fed(spec: &InputProbeSpec, end: f64, expected: impl Fn(f64) -> f64) {
    let seen = fed(spec, end);
    assert!(!seen.is_empty());
    for (time, value) in seen {
        let right = expected(time);
        // Times are sums of rounded steps, and slopes are up to 1e3.
        assert!((value - right).abs() < 1e-9, "{value}, not {right}, at t = {time} s of {spec:?}");
    }
}

const RAMP: [[f64; 2]; 3] = [[0.02, 2.0], [0.035, 5.0], [0.055, 3.0]];

fn ramp(t: f64) -> f64 {
    if t < 0.035 { 2.0 + (t - 0.02) * 200.0 } else { 5.0 - (t - 0.035) * 100.0 }
}

#[test]
fn lines_go_from_row_to_row_and_are_constant_outside() {
    assert_fed(&spec(&RAMP), 0.1, |t| ramp(t.clamp(0.02, 0.055)));
}

#[test]
fn extensions_hold_repeat_go_on_or_leave_alone() {
    let with = |extension| InputProbeSpec { extension, ..spec(&RAMP) };
    // Above zero at the start too.
    let raised = RAMP.map(|[t, value]| [t, value + 3.0]);
    let linear = InputProbeSpec { extension: Extension::Linear, ..spec(&raised) };
    assert_fed(&linear, 0.07, |t| ramp(t) + 3.0);
    let repeated = |t: f64| ramp(0.02 + (t - 0.02).rem_euclid(0.035));
    // A step that ends at the seam takes either side.
    let seen = fed(&with(Extension::Repeat), 0.5);
    let off_seam = |t: f64| ((t - 0.02) / 0.035 - ((t - 0.02) / 0.035).round()).abs() > 1e-6;
    for (t, value) in seen.iter().filter(|(t, _)| off_seam(*t)) {
        assert!((value - repeated(*t)).abs() < 1e-9, "{value}, not {}, at {t}", repeated(*t));
    }
    let alone = fed(&with(Extension::None), 0.1);
    assert_eq!(alone[0].1, 1.0, "before the first row the mass is the model's");
    assert!((alone[9].1 - ramp(0.05)).abs() < 1e-9, "after the last row it stays: {alone:?}");
}

#[test]
fn steps_are_those_of_the_row_before_and_change_where_the_row_is() {
    let stepped = InputProbeSpec {
        interpolation: Some(Interpolation::Step),
        sampling: SamplingSpec::Cut,
        ..spec(&RAMP)
    };
    let seen = fed(&stepped, 0.08);
    let times: Vec<f64> = seen.iter().map(|row| row.0).collect();
    for knot in [0.035, 0.055] {
        assert!(times.iter().any(|t| (t - knot).abs() < 1e-12), "{knot} is not in {times:?}");
    }
    for (time, value) in seen {
        let begun = time - 1e-6;
        let right = if begun < 0.035 {
            2.0
        } else if begun < 0.055 {
            5.0
        } else {
            3.0
        };
        assert_eq!(value, right, "in the step that ends at {time}");
    }
}

#[test]
fn cubics_and_splines_are_exact_where_they_should_be() {
    let parabola = |t: f64| 2.0 + 30.0 * t * (1.0 - 3.0 * t);
    let data: Vec<[f64; 2]> =
        [0.0, 0.05, 0.08, 0.15, 0.2].map(|t| [t, parabola(t)]).into_iter().collect();
    let cubic = InputProbeSpec { interpolation: Some(Interpolation::Cubic), ..spec(&data) };
    // With neighbours on both sides; at the ends slopes are those of lines.
    for (t, value) in fed(&cubic, 0.2).into_iter().filter(|(t, _)| (0.05..0.15).contains(t)) {
        assert!((value - parabola(t)).abs() < 1e-9, "{value}, not {} at {t}", parabola(t));
    }
    let line = |t: f64| 1.0 + 3.0 * t;
    let data: Vec<[f64; 2]> = [0.0, 0.05, 0.08, 0.2].map(|t| [t, line(t)]).into_iter().collect();
    let spline = InputProbeSpec { interpolation: Some(Interpolation::Spline), ..spec(&data) };
    assert_fed(&spline, 0.2, line);
}

#[test]
fn start_stop_and_scale_move_the_data() {
    let late =
        InputProbeSpec { start: Some(0.03), stop: Some(0.06), scale: Some(2.0), ..spec(&RAMP) };
    let of = |t: f64| 2.0 * ramp((t - 0.03).clamp(0.02, 0.055));
    assert_fed(&late, 0.12, |t| if t < 0.03 - 1e-9 { 1.0 } else { of(t.min(0.06)) });
}

#[test]
fn going_back_in_time_finds_the_same_values() {
    let mut scheduler = scheduler();
    let model = scheduler.simulation().model();
    let mass = model.property("/models/m/particles/0:mass").unwrap();
    let spec = InputProbeSpec { extension: Extension::Repeat, ..spec(&RAMP) };
    let probe = input_probe(&spec, model, Path::new(".")).unwrap();
    scheduler.add_input_probe(probe);
    scheduler.add_waypoint(0.05, false).unwrap();
    let run = |scheduler: &mut Scheduler| {
        let mut seen = Vec::new();
        scheduler
            .run_while(0.2, |it, _| {
                seen.push(it.simulation().model().get_real(&mass).unwrap());
                true
            })
            .unwrap();
        seen
    };
    let first = run(&mut scheduler);
    scheduler.rewind(0.05).unwrap();
    assert_eq!(run(&mut scheduler), first[5..]);
    scheduler.reset().unwrap();
    assert_eq!(run(&mut scheduler), first);
}

/// Three columns with gaps at the begin, in the middle and at the end, and one with none.
const GAPS: &str = "time,a,b,c,whole\n0.01,,1,1,1\n0.02,,2,,2\n0.03,3,NaN,,1\n0.04,,nan,,2\n0.05,5,5,,1\n\
0.06,,6,,2\n";

fn of_column(column: &str, gaps: Gaps, folder: &Path) -> InputProbeSpec {
    let path = folder.join("gaps.csv");
    std::fs::write(&path, GAPS).unwrap();
    let (columns, file) = (vec![column.to_owned()], Some(path));
    InputProbeSpec { columns, file, gaps, ..spec(&[]) }
}

#[test]
fn gaps_are_closed_from_their_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let fed_of = |column: &str| fed(&of_column(column, Gaps::Interpolate, folder.path()), 0.07);
    let assert_rows = |column: &str, expected: [f64; 7]| {
        for ((time, value), expected) in fed_of(column).into_iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{column}: {value} at {time} s");
        }
    };
    assert_rows("a", [3.0, 3.0, 3.0, 4.0, 5.0, 5.0, 5.0]);
    assert_rows("b", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0]);
    assert_rows("c", [1.0; 7]);
    // Gaps of a column that is not fed are nobody's business.
    let whole = of_column("whole", Gaps::Refuse, folder.path());
    assert!((fed(&whole, 0.07)[1].1 - 2.0).abs() < 1e-12);
}

#[test]
fn rows_that_are_gone_back_over_close_their_gaps_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut scheduler = scheduler();
    let model = scheduler.simulation().model();
    let mass = model.property("/models/m/particles/0:mass").unwrap();
    let spec = of_column("b", Gaps::Interpolate, folder.path());
    let probe = input_probe(&spec, model, Path::new(".")).unwrap();
    scheduler.add_input_probe(probe);
    let run = |scheduler: &mut Scheduler| {
        let mut seen = Vec::new();
        let each = |scheduler: &mut Scheduler, _: &_| {
            seen.push(scheduler.simulation().model().get_real(&mass).unwrap().to_bits());
            true
        };
        scheduler.run_while(0.06, each).unwrap();
        seen
    };
    let first = run(&mut scheduler);
    scheduler.reset().unwrap();
    assert_eq!(run(&mut scheduler), first);
}

#[test]
fn gaps_are_refused_with_line_and_column_where_that_was_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let model = scheduler();
    let model = model.simulation().model();
    let refused = |spec: &InputProbeSpec| {
        input_probe(spec, model, Path::new(".")).err().map(|error| error.to_string())
    };
    let error = refused(&of_column("a", Gaps::Refuse, folder.path())).unwrap();
    assert!(error.contains("gaps.csv, line 2: 'a' has no number here"), "{error}");
    let mut spec = of_column("a", Gaps::Interpolate, folder.path());
    std::fs::write(spec.file.as_ref().unwrap(), "time,a\n0,\n1,\n").unwrap();
    let error = refused(&spec).unwrap();
    assert!(error.contains("'a' has not one number"), "{error}");
    spec.interpolation = Some(Interpolation::Spline);
    assert!(refused(&spec).is_some());
}
