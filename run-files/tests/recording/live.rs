//! Probes that are edited while they run: curves, undo in one order with the model, saving, ways back.

use std::fs;

use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::schedule::{ProbeEdit, ProbeTrack, Scheduler};
use sinew_run_files::spec::ProbeSet;
use sinew_run_files::{Recordings, follow};
use tempfile::TempDir;

use super::attached::{built, probes, scheduler};

const PULL: &str = "/models/chain/probes/pull";
const WAY: &str = "/models/chain/probes/way";

/// A chain whose gravity is fed and one of whose links is recorded.
fn open() -> (TempDir, Scheduler) {
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
    set.add_to(run.simulation_mut().model_mut()).unwrap();
    let curves = Recordings::Curves(folder.path().to_owned());
    follow(&mut run, folder.path(), curves).unwrap();
    (folder, run)
}

/// The component of a probe.
fn id(run: &Scheduler, path: &str) -> ComponentId {
    run.simulation().model().find(path).unwrap().component()
}

fn set_of(run: &Scheduler) -> ProbeSet {
    ProbeSet::of(run.simulation().model())
}

/// Does a command, as the shell, Python and the window do.
fn command(run: &mut Scheduler, text: &str) {
    run.apply(&[text.parse::<EditCommand>().unwrap()]).unwrap();
}

fn edit(run: &mut Scheduler, edit: ProbeEdit) {
    run.edit_probe(&edit, false).unwrap();
}

fn track(run: &mut Scheduler, at: usize) -> ProbeTrack {
    run.probe_tracks().remove(at)
}

#[test]
fn curves_are_moved_stretched_bent_and_undone_to_the_start() {
    let (_folder, mut run) = open();
    let pull = id(&run, PULL);
    let start = set_of(&run);
    let before = track(&mut run, 0);
    assert_eq!((before.span, before.curve.width()), ([0.1, 0.30000000000000004], 3));
    assert_eq!(before.curve.range(0), Some([0.0, 4.0]));
    edit(&mut run, ProbeEdit::SetSpan { probe: pull, start: 0.2, end: 0.6 });
    let moved = track(&mut run, 0);
    assert!((moved.curve.times[1] - 0.4).abs() < 1e-12, "{:?}", moved.curve.times);
    let values = vec![8.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: pull, point: 1, time: 0.5, values });
    edit(&mut run, ProbeEdit::AddPoint { probe: pull, time: 0.35 });
    command(&mut run, &format!("set {PULL}:interpolation spline"));
    let bent = track(&mut run, 0);
    assert_eq!(bent.curve.times.len(), 4);
    assert!((bent.curve.point(1)[0] - 4.0).abs() < 1e-9, "it was added on the line");
    assert!(bent.curve.range(0).unwrap()[1] > 8.0, "a spline goes beyond its points");
    edit(&mut run, ProbeEdit::RemovePoint { probe: pull, point: 1 });
    command(&mut run, &format!("set {PULL}:enabled false"));
    edit(&mut run, ProbeEdit::Copy(pull));
    assert_eq!(track(&mut run, 1).name, "pull_2");
    assert!((track(&mut run, 1).span[0] - 0.6).abs() < 1e-9, "it begins where the first one ends");
    assert!(!track(&mut run, 0).enabled);
    while run.undo().unwrap() {}
    assert_eq!(set_of(&run), start);
    while run.redo().unwrap() {}
    assert_eq!(run.probe_tracks().len(), 3);
}

#[test]
fn a_drag_is_one_edit_and_goes_back_in_one_order_with_edits_of_the_model() {
    let (_folder, mut run) = open();
    let pull = id(&run, PULL);
    let start = set_of(&run);
    let mass = EditCommand::Set {
        property: "/models/chain/rigid_bodies/link1:mass".to_owned(),
        value: "2".to_owned(),
    };
    let heavier = run.simulation_mut().apply(&mass);
    heavier.unwrap();
    for k in 0..5 {
        let values = vec![f64::from(k), 0.0, -9.0];
        let moved = ProbeEdit::SetPoint { probe: pull, point: 1, time: 0.2, values };
        run.edit_probe(&moved, k > 0).unwrap();
        run.step().unwrap();
    }
    run.simulation_mut().apply(&mass).unwrap();
    assert_eq!(track(&mut run, 0).curve.point(1)[0], 4.0);
    assert!(run.undo().unwrap() && run.undo().unwrap());
    assert_eq!(set_of(&run), start);
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
    let (_folder, mut run) = open();
    let pull = id(&run, PULL);
    let values = vec![1.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: pull, point: 1, time: 7.0, values });
    let times = track(&mut run, 0).curve.times.clone();
    assert!(times[1] < times[2] && times[2] - times[1] < 1e-5, "{times:?}");
    let before = set_of(&run);
    let point = |point, values| ProbeEdit::SetPoint { probe: pull, point, time: 0.2, values };
    for (refused, why) in [
        (point(9, vec![0.0; 3]), "there is none at 9"),
        (point(0, vec![0.0]), "a point has 3 values, got 1"),
        (point(0, vec![f64::NAN; 3]), "finite"),
        (ProbeEdit::AddPoint { probe: pull, time: 0.1 }, "already"),
        (ProbeEdit::AddPoint { probe: id(&run, WAY), time: 0.1 }, "no points"),
        (ProbeEdit::SetSpan { probe: pull, start: 1.0, end: 0.5 }, "begins before it ends"),
        (ProbeEdit::RemovePoint { probe: sinew::component::ROOT, point: 0 }, "no such probe"),
        (ProbeEdit::Feed("/models/chain:name".to_owned()), "name"),
    ] {
        let error = run.edit_probe(&refused, false).unwrap_err().to_string();
        assert!(error.contains(why), "{refused:?}: {error}");
    }
    assert_eq!(set_of(&run), before);
}

#[test]
fn a_recording_that_is_dropped_and_put_back_goes_on_and_its_curve_has_its_rows() {
    let (folder, mut run) = open();
    let way = id(&run, WAY);
    run.advance(0.1).unwrap();
    run.add_waypoint(0.1, false).unwrap();
    run.advance(0.2).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 21);
    command(&mut run, &format!("delete {WAY}"));
    run.advance(0.25).unwrap();
    run.undo().unwrap();
    run.rewind(0.1).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 11);
    run.advance(0.2).unwrap();
    let out = folder.path().join("kept.csv");
    run.export_probe(way, &out).unwrap();
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 22, "{text}");
    // Later samples alone, at another time.
    edit(&mut run, ProbeEdit::SetSpan { probe: way, start: 0.255, end: 0.285 });
    run.advance(0.4).unwrap();
    assert_eq!(track(&mut run, 1).curve.times.len(), 21 + 4);
}

#[test]
fn a_table_that_is_exported_is_imported_as_it_was() {
    let (folder, mut run) = open();
    let pull = id(&run, PULL);
    let file = folder.path().join("pull.csv");
    run.export_probe(pull, &file).unwrap();
    let before = track(&mut run, 0).curve;
    let values = vec![100.0, 0.0, -9.0];
    edit(&mut run, ProbeEdit::SetPoint { probe: pull, point: 2, time: 0.9, values });
    edit(&mut run, ProbeEdit::Import { probe: pull, file: file.clone() });
    assert_eq!(track(&mut run, 0).curve, before);
    assert!(set_of(&run).input_probes[0].file.is_none(), "the points are those of the model");
    let no = ProbeEdit::Import { probe: pull, file: folder.path().join("way.csv") };
    assert!(run.edit_probe(&no, false).is_err());
    let ending = folder.path().join("pull.txt");
    assert!(run.export_probe(pull, &ending).unwrap_err().to_string().contains(".csv"));
}

#[test]
fn a_property_is_fed_from_what_it_is_and_a_probe_comes_back_with_its_component() {
    let (_folder, mut run) = open();
    let mass = "/models/chain/rigid_bodies/link1:mass".to_owned();
    edit(&mut run, ProbeEdit::Feed(mass.clone()));
    let curve = track(&mut run, 1).curve;
    assert_eq!((curve.times.len(), curve.point(0)[0]), (2, curve.point(1)[0]));
    let paths = vec!["/models/chain/rigid_bodies/link1".to_owned()];
    run.simulation_mut().apply(&EditCommand::Delete { paths }).unwrap();
    run.step().unwrap();
    assert_eq!(run.probe_tracks().len(), 1, "a probe goes with what it is of");
    let saved = set_of(&run);
    assert_eq!((saved.input_probes.len(), saved.output_probes.len()), (1, 0));
    run.undo().unwrap();
    run.step().unwrap();
    assert!(track(&mut run, 1).enabled);
    assert_eq!(set_of(&run).input_probes[1].properties, [mass]);
}

#[test]
fn probes_are_added_listed_renamed_copied_set_and_deleted_by_the_commands_of_all_components() {
    let (folder, mut run) = open();
    let link = "/models/chain/rigid_bodies/link0";
    run.advance(0.05).unwrap();
    command(
        &mut run,
        &format!(
            "add output_probe low properties={link}:position \
             expressions=\"height = {{{link}:position.z}} * 100\" file=low.npy every=0.02"
        ),
    );
    command(&mut run, &format!("rename {link} first"));
    command(&mut run, "duplicate /models/chain/probes/low");
    command(&mut run, "rename /models/chain/probes/low_2 high");
    command(&mut run, &format!("set {WAY}:start 0.08"));
    let model = run.simulation().model();
    let list = model.find("/models/chain/probes").unwrap().component();
    let names: Vec<String> = model.children(list).map(|it| model.path(it)).collect();
    let path = |name: &str| format!("/models/chain/probes/{name}");
    assert_eq!(names, ["pull", "way", "low", "high"].map(path));
    let set = set_of(&run);
    let high = &set.output_probes[2];
    assert_eq!(high.file.as_deref(), Some(std::path::Path::new("low_2.npy")), "one of its own");
    assert_eq!(high.expressions["height"], "{/models/chain/rigid_bodies/first:position.z} * 100");
    run.advance(0.1).unwrap();
    run.finish_outputs().unwrap();
    assert!(folder.path().join("low.npy").exists() && folder.path().join("low_2.npy").exists());
    let tracks = run.probe_tracks();
    let rows: Vec<usize> = tracks.iter().map(|it| it.curve.times.len()).collect();
    // From 0.05 s on every 0.02 s; until 0.05 s and from 0.08 s on every 0.01 s.
    assert_eq!(rows, [3, 6 + 3, 3, 3]);
    for _ in 0..5 {
        assert!(run.undo().unwrap());
    }
    assert_eq!(run.probe_tracks().len(), 2);
    while run.redo().unwrap() {}
    assert_eq!(set_of(&run), set);
}

#[test]
fn a_probe_that_cannot_be_made_is_refused_and_leaves_the_model_as_it_was() {
    let (folder, mut run) = open();
    let link = "/models/chain/rigid_bodies/link0";
    let before = set_of(&run);
    for (text, why) in [
        (format!("add output_probe way properties={link}:position"), "way"),
        (format!("add output_probe a properties={link}:position file=way.csv"), "way.csv"),
        (format!("add output_probe a properties={link}:position file=a.xls"), "no format"),
        (format!("add output_probe a properties={link}:name"), "no fixed count of numbers"),
        (format!("add input_probe a properties={link}:mass file=none.csv"), "none.csv"),
        (format!("add input_probe a properties={link}:mass"), "either a file or data"),
        (format!("add input_probe a properties={link}:mass data=\"0 1 2\""), "rows of a time"),
        (
            "add input_probe a properties=/models/chain:kinetic_energy data=\"0 1\"".to_owned(),
            "only be read",
        ),
        (format!("set {PULL}:file none.csv"), "none.csv"),
        (format!("set {PULL}:stretch 0"), "stretch"),
        (format!("add output_probe a properties={link}:mas"), "mass"),
    ] {
        let error = run.apply(&[text.parse().unwrap()]).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
        assert_eq!(set_of(&run), before, "{text}");
        assert!(!run.redo().unwrap(), "{text}");
    }
    assert!(!run.has_edits());
    run.advance(0.05).unwrap();
    drop(folder);
}
