//! Notes come and go, and are in nobody's way.

use egui_kittest::{Harness, kittest::Queryable};

use super::*;

/// Notes over a button, and how often that was clicked.
fn open(notes: &[(NoteKind, &str)]) -> Harness<'static, (Notes, usize)> {
    let mut shown = Notes::default();
    notes.iter().for_each(|(kind, text)| shown.add(*kind, (*text).to_owned()));
    let show = |ui: &mut Ui, (notes, clicks): &mut (Notes, usize)| {
        let place = egui::Rect::from_min_size(egui::pos2(10.0, 10.0), egui::vec2(80.0, 20.0));
        *clicks += usize::from(ui.put(place, egui::Button::new("Under")).clicked());
        notes.ui(ui);
    };
    let harness = Harness::builder().with_size([600.0, 400.0]).with_step_dt(0.1);
    let mut window = harness.build_ui_state(show, (shown, 0));
    window.run_steps(3);
    window
}

#[test]
fn what_is_under_notes_can_be_used_while_they_are_shown() {
    let mut window = open(&[(NoteKind::Failed, "a step failed"), (NoteKind::Done, "saved")]);
    assert!(window.query_by_label("a step failed").is_some());
    window.get_by_label("Under").click();
    window.run_steps(2);
    assert_eq!(window.state().1, 1);
    assert!(window.query_by_label("a step failed").is_some());
}

#[test]
fn a_click_closes_a_note_and_leaves_the_others() {
    let mut window = open(&[(NoteKind::Failed, "first"), (NoteKind::Refused, "second")]);
    window.get_by_label("first").click();
    window.run_steps(3);
    assert!(window.query_by_label("first").is_none());
    assert!(window.query_by_label("second").is_some());
    window.state_mut().0.clear();
    window.run_steps(2);
    assert!(window.query_by_label("second").is_none());
}

#[test]
fn notes_go_after_their_time_and_failures_stay_until_they_are_read() {
    let mut window = open(&[(NoteKind::Done, "saved"), (NoteKind::Failed, "failed")]);
    window.run_steps(40);
    assert!(window.query_by_label("saved").is_some());
    // The same again is shown as long again.
    window.state_mut().0.add(NoteKind::Done, "saved".to_owned());
    window.run_steps(40);
    assert_eq!(window.query_all_by_label("saved").count(), 1);
    window.run_steps(30);
    assert!(window.query_by_label("saved").is_none());
    assert!(window.query_by_label("failed").is_some());
}

#[test]
fn of_many_notes_the_last_ones_are_shown() {
    let texts: Vec<String> = (0..20).map(|k| format!("note {k}")).collect();
    let notes: Vec<_> = texts.iter().map(|text| (NoteKind::Refused, text.as_str())).collect();
    let window = open(&notes);
    assert_eq!(window.query_all_by_label_contains("note").count(), MOST);
    assert!(window.query_by_label("note 19").is_some());
}
