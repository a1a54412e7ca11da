//! Probes as a file describes them, in a run.

use std::fs;

use sinew::model::Model;
use sinew::schedule::{Scheduler, SchedulerSettings, Simulation};
use sinew::solve::SolverSettings;
use sinew_datasets::{Params, find};
use sinew_run_files::attach::record_in_memory;
use sinew_run_files::spec::ProbeSet;
use sinew_run_files::{Opening, attach, read};

pub(super) fn built(name: &str) -> Model {
    let mut params = Params::parse::<_, &str>([]).unwrap();
    (find(name).unwrap().build)(&mut params).unwrap()
}

pub(super) fn scheduler(model: Model) -> Scheduler {
    let simulation = Simulation::new(model, SolverSettings::default()).unwrap();
    Scheduler::new(simulation, SchedulerSettings::with_step(0.01)).unwrap()
}

pub(super) fn probes(json: &str) -> ProbeSet {
    serde_json::from_str(json).unwrap()
}

#[test]
fn what_a_description_names_is_fed_and_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    fs::write(root.join("pull.csv"), "time,gx,gz\n0,0,-9.8\n0.1,5,-9.8\n").unwrap();
    let probes = probes(
        r#"{
        "input_probes": [{
            "name": "pull", "properties": ["/models/chain:gravity"],
            "file": "pull.csv", "columns": ["gx", "gx", "gz"]
        }],
        "output_probes": [{
            "name": "motion", "every": 0.01,
            "properties": ["/models/chain/rigid_bodies/link1:position"],
            "expressions": {
                "height": "{/models/chain/rigid_bodies/link1:position.z} * 100",
                "twice": "sqrt({/models/chain/rigid_bodies/link1:pose[2]}^2) + 2*t"
            }
        }],
        "tracing_probes": [{
            "name": "ways", "points": ["/models/chain/rigid_bodies/link0"], "file": "ways.npy", "every": 0.02
        }]
    }"#,
    );
    let mut scheduler = scheduler(built("chain"));
    assert!(probes.check(scheduler.simulation().model(), root).is_empty());
    let recorded = attach(&probes, &mut scheduler, [root, root], Opening::New).unwrap();
    assert_eq!(recorded[0].columns[3..], ["height", "twice"]);
    assert_eq!(recorded[1].columns.len(), 3);
    scheduler.advance(0.1).unwrap();
    scheduler.finish_outputs().unwrap();
    let mut rows = read::open(&root.join("motion.csv")).unwrap();
    let (mut row, mut count) = (Vec::new(), 0);
    while rows.next(&mut row).unwrap() {
        let [time, _, _, z, height, twice] = row[..] else { panic!("{row:?}") };
        assert!((time - 0.01 * f64::from(count)).abs() < 1e-12);
        assert_eq!(height, z * 100.0);
        // The sums of times round.
        assert!((twice - (z.abs() + 2.0 * time)).abs() < 1e-12, "{twice}");
        count += 1;
    }
    assert_eq!(count, 11);
    let gravity = scheduler.simulation().model().property("/models/chain:gravity").unwrap();
    let now = scheduler.simulation_mut().get(&gravity).unwrap();
    assert!(now.numbers().zip([5.0, 5.0, -9.8]).all(|(a, b)| (a - b).abs() < 1e-9), "{now}");
    // 128 bytes of heading and six rows of four numbers.
    assert_eq!(fs::metadata(root.join("ways.npy")).unwrap().len(), 128 + 6 * 4 * 8);
}

#[test]
fn a_table_in_memory_has_the_rows_of_a_file_and_goes_back_with_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let probes = probes(
        r#"{"output_probes": [{
            "name": "motion", "every": 0.02,
            "properties": ["/models/chain/rigid_bodies/link1:position"],
            "expressions": { "height": "{/models/chain/rigid_bodies/link1:position.z} * 100" }
        }]}"#,
    );
    let mut scheduler = scheduler(built("chain"));
    attach(&probes, &mut scheduler, [root, root], Opening::New).unwrap();
    let table = record_in_memory(&probes.output_probes[0], &mut scheduler).unwrap();
    assert_eq!((table.columns().len(), table.width()), (4, 5));
    scheduler.add_waypoint(0.05, false).unwrap();
    scheduler.advance(0.1).unwrap();
    let whole = table.numbers();
    assert_eq!(whole.len(), 6 * table.width());
    scheduler.finish_outputs().unwrap();
    let mut rows = read::open(&root.join("motion.csv")).unwrap();
    let mut row = Vec::new();
    for expected in whole.chunks(table.width()) {
        assert!(rows.next(&mut row).unwrap());
        assert_eq!(row, expected);
    }
    scheduler.rewind(0.05).unwrap();
    assert_eq!(table.numbers(), whole[..3 * table.width()]);
    scheduler.advance(0.1).unwrap();
    assert_eq!(table.numbers(), whole);
}

#[test]
fn angles_of_files_in_degrees_become_radians_and_lengths_do_not() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let text = "x\nversion=1\ninDegrees=yes\nendheader\ntime a b\n0 90 3\n1 90 3\n";
    fs::write(root.join("x.mot"), text).unwrap();
    let mut scheduler = scheduler(built("chain"));
    let joint = "/models/chain/joints/0";
    let rate = "/models/chain/rigid_bodies/link0:angular_velocity";
    let model = scheduler.simulation().model();
    let unit = model.property(rate).unwrap().info().unit;
    assert!(unit.starts_with("rad"), "{unit} of {joint}");
    let probes = probes(&format!(
        r#"{{"input_probes": [{{"name": "x", "properties": ["{rate}", "/models/chain:gravity"],
            "file": "x.mot", "columns": ["a", "a", "a", "b", "b", "b"]}}]}}"#
    ));
    attach(&probes, &mut scheduler, [root, root], Opening::New).unwrap();
    scheduler.step().unwrap();
    let gravity = scheduler.simulation().model().property("/models/chain:gravity").unwrap();
    assert_eq!(scheduler.simulation_mut().get(&gravity).unwrap().to_string(), "3 3 3");
}

#[test]
fn a_name_of_two_columns_is_refused_where_a_column_is_taken_by_it() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    fs::write(root.join("twice.csv"), "time,gx,gy,gx\n0,1,2,3\n1,1,2,3\n").unwrap();
    let model = built("chain");
    let errors = |columns: &str| {
        let probe = format!(
            r#"{{"input_probes": [{{"name": "pull", "properties": ["/models/chain:gravity"],
                "file": "twice.csv", "columns": {columns}}}]}}"#
        );
        probes(&probe).check(&model, root)
    };
    let refused = errors(r#"["gx", "gy", "gy"]"#);
    let text = refused[0].to_string();
    assert!(refused.len() == 1 && text.contains("twice.csv: there are two columns 'gx'"), "{text}");
    // Columns that are not taken, or are taken by their order, may have any name.
    assert!(errors(r#"["gy", "gy", "gy"]"#).is_empty() && errors("[]").is_empty());
}

#[test]
fn all_that_is_wrong_is_told_at_once_by_the_names_of_the_probes() {
    let position = "/models/chain/rigid_bodies/link1:position";
    let json = format!(
        r#"{{
        "input_probes": [
            {{"name": "i0", "properties": ["{position}"], "data": [[0, 1]]}},
            {{"name": "i1", "properties": ["/:energy"], "data": [[0, 1]]}},
            {{"name": "i2", "properties": ["/models/chain:gravety"], "data": [[0, 1]]}},
            {{"name": "i3", "properties": ["/models/chain:gravity"]}},
            {{"name": "i4", "properties": ["/models/chain:gravity"], "file": "missing.csv"}},
            {{"name": "i5", "properties": ["/models/chain:gravity"], "data": [[0, 1, 1, 1], [0, 1, 1, 1]]}}
        ],
        "output_probes": [
            {{"name": "o0", "every": 0.1}},
            {{"name": "o1", "every": -0.1, "properties": ["{position}"]}},
            {{"name": "o2", "expressions": {{"x": "{{{position}}} + 1"}}}},
            {{"name": "o3", "expressions": {{"x": "{{{position}.x}} + y"}}}},
            {{"name": "o4", "expressions": {{"x": "{{{position}.x + 1"}}}},
            {{"name": "o5", "expressions": {{"x": "sin("}}}},
            {{"name": "o6", "properties": ["/models/chain:name"]}},
            {{"properties": ["{position}"]}}
        ]
    }}"#
    );
    let set: ProbeSet = serde_json::from_str(&json).unwrap();
    let model = built("chain");
    let said: Vec<String> = set
        .check(&model, std::path::Path::new("/nowhere"))
        .iter()
        .map(ToString::to_string)
        .collect();
    for (name, what) in [
        ("i0", "take 3 values"),
        ("i1", "can only be read"),
        ("i2", "gravity"),
        ("i3", "'file' or 'data'"),
        ("i4", "missing.csv"),
        ("i5", "times must rise"),
        ("o0", "records nothing"),
        ("o1", "0 or above"),
        ("o2", ".x .y .z"),
        ("o3", "'y' is no property"),
        ("o4", "brace"),
        ("o5", "cannot be read"),
        ("o6", "no fixed count"),
        ("", "a name or a file"),
    ] {
        let found = said.iter().find(|text| text.contains(&format!("'{name}'")));
        let found = found.unwrap_or_else(|| panic!("'{name}' is not among {said:#?}"));
        assert!(found.contains(what), "{found}");
    }
    assert_eq!(said.len(), 14, "{said:#?}");
}

#[test]
fn unknown_fields_are_refused_and_formulas_that_nest_too_deep() {
    let unknown = r#"{"output_probes": [{"name": "a", "evry": 1}]}"#;
    let error = serde_json::from_str::<ProbeSet>(unknown).unwrap_err().to_string();
    assert!(error.contains("evry") && error.contains("every"), "{error}");
    let deep = "(".repeat(5000) + "1" + &")".repeat(5000);
    let set = ProbeSet {
        output_probes: vec![sinew_run_files::spec::OutputProbeSpec {
            name: "deep".into(),
            expressions: [("x".to_owned(), deep)].into(),
            ..Default::default()
        }],
        ..ProbeSet::default()
    };
    let errors = set.check(&built("chain"), std::path::Path::new("."));
    assert!(errors[0].to_string().contains("nested deeper"), "{}", errors[0]);
}
