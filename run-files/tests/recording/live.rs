//! Probes that are edited while they run: curves, undo in one order with the model, saving, ways back.

use std::fs;

use sinew::editing::EditCommand;
use sinew::schedule::{Interpolation, ProbeAt, ProbeEdit, ProbeTrack, Scheduler};
use sinew_run_files::LiveProbes;
use sinew_run_files::spec::ProbeSet;
use tempfile::TempDir;

use super::attached::{built, probes, scheduler};

const PULL: ProbeAt = ProbeAt { feeds: true, at: 0 };
const WAY: ProbeAt = ProbeAt { feeds: false, at: 0 };

/// A chain whose gravity is fed and one of whose links is recorded.
fn open() -> (TempDir, Scheduler, LiveProbes) {
    let folder = tempfile::tempdir().unwrap();
    let set = probes(
        r#"{
        "input_probes": [{
            "name": "pull", "properties": ["/models/chain:gravity"], "start": 0.1,
            "data": [[0, 0, 0, -9], [0.1, 4, 0, -9], [0.2, 0, 0, -9]]
        }],
        "output_probes": [{
            "name": "way", "every": 0.01, "properties": ["/models/chain/rigid_bodies/link1:position"]
        }]
    }"#,
    );
    let mut run = scheduler(built("chain"));
    let live = LiveProbes::attach(&set, &mut run, [folder.path(), folder.path()]).unwrap();
    (folder, run, live)
}

fn edit(run: &mut Scheduler, edit: ProbeEdit) {
    run.edit_probe(&edit, false).unwrap();
}

fn track(run: &mut Scheduler, at: usize) -> ProbeTrack {
    run.probe_tracks().remove(at)
}

#[test]
fn curves_are_moved_stretched_bent_and_undone_to_the_start() {
    let (_folder, mut run, live) = open();
    let start = live.set(&run);
    let before = track(&mut run, 0);
    assert_eq!((before.span, before.curve.width()), ([0.1, 0.30000000000000004], 3));
    assert_eq!(before.curve.range(0), Some([0.0, 4.0]));
    edit(&mut run, ProbeEdit::SetSpan { probe: PULL, start: 0.2, end: 0.6 });
    let moved = track(&mut run, 0);
    assert!((moved.curve.times[1] - 0.4).abs() < 1e-12, "{:?}", moved.curve.times);
    let values = vec![8.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: PULL, point: 1, time: 0.5, values });
    edit(&mut run, ProbeEdit::AddPoint { probe: PULL, time: 0.35 });
    edit(&mut run, ProbeEdit::Interpolate { probe: PULL, interpolation: Interpolation::Spline });
    let bent = track(&mut run, 0);
    assert_eq!(bent.curve.times.len(), 4);
    assert!((bent.curve.point(1)[0] - 4.0).abs() < 1e-9, "it was added on the line");
    assert!(bent.curve.range(0).unwrap()[1] > 8.0, "a spline goes beyond its points");
    edit(&mut run, ProbeEdit::RemovePoint { probe: PULL, point: 1 });
    edit(&mut run, ProbeEdit::Mute { probe: PULL, muted: true });
    edit(&mut run, ProbeEdit::Copy(PULL));
    assert_eq!(track(&mut run, 1).name, "pull_2");
    assert!((track(&mut run, 1).span[0] - 0.6).abs() < 1e-9, "it begins where the first one ends");
    assert!(!track(&mut run, 0).enabled);
    while run.undo().unwrap() {}
    assert_eq!(live.set(&run), start);
    while run.redo().unwrap() {}
    assert_eq!(run.probe_tracks().len(), 3);
}

#[test]
fn a_drag_is_one_edit_and_goes_back_in_one_order_with_edits_of_the_model() {
    let (_folder, mut run, live) = open();
    let start = live.set(&run);
    let mass = EditCommand::Set {
        property: "/models/chain/rigid_bodies/link1:mass".to_owned(),
        value: "2".to_owned(),
    };
    let heavier = run.simulation_mut().apply(&mass);
    heavier.unwrap();
    for k in 0..5 {
        let values = vec![f64::from(k), 0.0, -9.0];
        let moved = ProbeEdit::SetPoint { probe: PULL, point: 1, time: 0.2, values };
        run.edit_probe(&moved, k > 0).unwrap();
        run.step().unwrap();
    }
    run.simulation_mut().apply(&mass).unwrap();
    assert_eq!(track(&mut run, 0).curve.point(1)[0], 4.0);
    assert!(run.undo().unwrap() && run.undo().unwrap());
    assert_eq!(live.set(&run), start);
    assert!(run.simulation().has_edits(), "the mass is still there");
    assert!(run.redo().unwrap());
    assert_eq!(track(&mut run, 0).curve.point(1)[0], 4.0);
    run.undo().unwrap();
    run.simulation_mut().apply(&mass).unwrap();
    // What was taken back before a new edit is not done again.
    assert!(!run.redo().unwrap());
}

#[test]
fn points_keep_their_order_and_what_does_not_fit_is_refused_in_words() {
    let (_folder, mut run, live) = open();
    let values = vec![1.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: PULL, point: 1, time: 7.0, values });
    let times = track(&mut run, 0).curve.times.clone();
    assert!(times[1] < times[2] && times[2] - times[1] < 1e-5, "{times:?}");
    let before = live.set(&run);
    let point = |point, values| ProbeEdit::SetPoint { probe: PULL, point, time: 0.2, values };
    for (refused, why) in [
        (point(9, vec![0.0; 3]), "there is none at 9"),
        (point(0, vec![0.0]), "a point has 3 values, got 1"),
        (point(0, vec![f64::NAN; 3]), "finite"),
        (ProbeEdit::AddPoint { probe: PULL, time: 0.1 }, "already"),
        (ProbeEdit::AddPoint { probe: WAY, time: 0.1 }, "no points"),
        (ProbeEdit::SetSpan { probe: PULL, start: 1.0, end: 0.5 }, "begins before it ends"),
        (ProbeEdit::Remove(ProbeAt { feeds: true, at: 4 }), "no such probe"),
        (ProbeEdit::Feed("/models/chain:name".to_owned()), "name"),
    ] {
        let error = run.edit_probe(&refused, false).unwrap_err().to_string();
        assert!(error.contains(why), "{refused:?}: {error}");
    }
    assert_eq!(live.set(&run), before);
}

#[test]
fn a_recording_that_is_dropped_and_put_back_goes_on_and_its_curve_has_its_rows() {
    let (folder, mut run, _live) = open();
    run.advance(0.1).unwrap();
    run.add_waypoint(0.1, false).unwrap();
    run.advance(0.2).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 21);
    edit(&mut run, ProbeEdit::Remove(WAY));
    run.advance(0.25).unwrap();
    run.undo().unwrap();
    run.rewind(0.1).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 11);
    run.advance(0.2).unwrap();
    let out = folder.path().join("kept.csv");
    run.export_probe(WAY, &out).unwrap();
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 22, "{text}");
    // Later samples alone, at another time.
    edit(&mut run, ProbeEdit::SetSpan { probe: WAY, start: 0.255, end: 0.285 });
    run.advance(0.4).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 21 + 4);
}

#[test]
fn a_table_that_is_exported_is_imported_as_it_was() {
    let (folder, mut run, live) = open();
    let file = folder.path().join("pull.csv");
    run.export_probe(PULL, &file).unwrap();
    let before = track(&mut run, 0).curve;
    let values = vec![100.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: PULL, point: 2, time: 0.9, values });
    edit(&mut run, ProbeEdit::Import { probe: PULL, file: file.clone() });
    assert_eq!(track(&mut run, 0).curve, before);
    assert!(live.set(&run).input_probes[0].file.is_none(), "the points are those of the model");
    let no = ProbeEdit::Import { probe: PULL, file: folder.path().join("way.csv") };
    assert!(run.edit_probe(&no, false).is_err());
    let ending = folder.path().join("pull.txt");
    assert!(run.export_probe(PULL, &ending).unwrap_err().to_string().contains(".csv"));
}

#[test]
fn a_property_is_fed_from_what_it_is_and_a_probe_survives_a_component_that_comes_back() {
    let (_folder, mut run, live) = open();
    let mass = "/models/chain/rigid_bodies/link1:mass".to_owned();
    edit(&mut run, ProbeEdit::Feed(mass.clone()));
    let curve = track(&mut run, 1).curve;
    assert_eq!((curve.times.len(), curve.point(0)[0]), (2, curve.point(1)[0]));
    let paths = vec!["/models/chain/rigid_bodies/link1".to_owned()];
    run.simulation_mut().apply(&EditCommand::Delete { paths }).unwrap();
    run.step().unwrap();
    assert!(!track(&mut run, 1).enabled);
    let saved: ProbeSet = live.set(&run);
    assert_eq!((saved.input_probes.len(), saved.output_probes.len()), (1, 0));
    run.undo().unwrap();
    run.step().unwrap();
    assert!(track(&mut run, 1).enabled);
    assert_eq!(live.set(&run).input_probes[1].properties, [mass]);
}
