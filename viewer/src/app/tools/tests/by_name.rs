//! Edits through menus, forms and the timeline, each widget found by its name.

use egui::accesskit::Role;

use super::*;

/// Selects a component, so that its row of the tree is in sight.
fn select(bench: &mut Bench, row: &str) {
    let app = bench.window.state_mut();
    let outline = app.session.reader().front().scene.outline.clone();
    let id = outline.rows.iter().find(|it| it.label == row).expect("it is there").id;
    app.workspace.selection.set(vec![id]);
    until(&mut bench.window, |app| app.session.reader().front().sheets.len() == 1);
    bench.window.run_steps(2);
}

/// Chooses an entry of the menu of a row of the tree.
fn choose(bench: &mut Bench, row: &str, entry: &str) {
    bench.window.get_by_role_and_label(Role::TreeItem, row).click_secondary();
    bench.window.run_steps(3);
    bench.window.get_by_label(entry).click();
    bench.window.run_steps(3);
}

/// The field for a name in a form, which lies over the property of that name.
fn name_of_the_form(bench: &Bench) -> egui_kittest::Node<'_> {
    let fields = bench.window.get_all_by_role_and_label(Role::TextInput, "name");
    fields.last().expect("the form is open")
}

fn undo(bench: &mut Bench) {
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.window.run_steps(2);
}

/// A probe feeds the excitation of a muscle, its curve is edited in the large display and on its track, and all of it is
/// undone.
pub(super) fn edit_a_probe_of(bench: &mut Bench, muscle: &str) {
    select(bench, muscle);
    bench.window.get_by_label("filter of properties").focus();
    bench.window.run_steps(2);
    bench.window.get_by_label("filter of properties").type_text("excitation");
    bench.window.run_steps(3);
    bench.window.get_by_role_and_label(Role::Label, "excitation").click();
    bench.window.run_steps(3);
    bench.window.get_by_label("Feed").click();
    until(&mut bench.window, |app| app.status.probes.len() == 1);
    bench.window.run_steps(2);
    let track = format!("track {muscle}_excitation");
    bench.window.get_by_label(&track).click_secondary();
    bench.window.run_steps(3);
    bench.window.get_by_label("Expand").click();
    bench.window.run_steps(4);
    bench.window.get_by_label("Points").click();
    bench.window.run_steps(20);
    bench.window.get_by_label("value of point 2").set_value_accesskit(0.5);
    let value = |app: &App| app.status.probes[0].curve.values[1];
    until(&mut bench.window, |app| value(app) == 0.5);
    bench.window.get_by_label("Add a point").click();
    until(&mut bench.window, |app| app.status.probes[0].curve.times.len() == 3);
    assert_eq!(value(bench.window.state()), 0.25, "it is on the line");
    bench.window.get_by_label("remove point 2").click();
    until(&mut bench.window, |app| app.status.probes[0].curve.times.len() == 2);
    bench.window.get_by_label(&format!("{muscle}_excitation is on")).click();
    until(&mut bench.window, |app| !app.status.probes[0].enabled);
    for _ in 0..4 {
        undo(bench);
    }
    until(&mut bench.window, |app| app.status.probes[0].enabled && value(app) == 0.0);
    drag_the_track(bench, &track);
    undo(bench);
    undo(bench);
    until(&mut bench.window, |app| app.status.probes.is_empty());
}

/// A bar that is dragged by its middle begins later, and is as long as before.
fn drag_the_track(bench: &mut Bench, track: &str) {
    let [start, end] = bench.window.state().status.probes[0].span;
    let bar = bench.window.get_by_label(track).rect();
    let share = |part: f32| bar.min + vec2(part * bar.width(), 0.5 * bar.height());
    // The ruler goes to 2 s, the bar to 1 s.
    bench.drag(share(0.25), share(0.5));
    bench.button(share(0.5), false);
    until(&mut bench.window, |app| app.status.probes[0].span[0] > start);
    bench.window.run_steps(3);
    let now = bench.window.state().status.probes[0].span;
    assert!((now[0] - start - 0.5).abs() < 0.02, "{now:?}");
    assert!((now[1] - now[0] - (end - start)).abs() < 1e-9, "{now:?}");
}

#[test]
fn a_component_is_renamed_and_deleted_by_its_menu_and_comes_back() {
    let mut bench = Bench::on(bench());
    select(&mut bench, "origin");
    choose(&mut bench, "origin", "Rename...");
    name_of_the_form(&bench).focus();
    bench.window.run_steps(2);
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    bench.window.run_steps(1);
    name_of_the_form(&bench).type_text("anchor");
    bench.window.run_steps(2);
    bench.window.get_by_label("Do it").click();
    bench.await_row("anchor");
    assert!(!has_row(bench.window.state_mut(), "origin"));
    undo(&mut bench);
    bench.await_row("origin");
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.window.key_press(Key::Escape);
    select(&mut bench, "ball1");
    choose(&mut bench, "ball1", "Delete");
    until(&mut bench.window, |app| !has_row(app, "ball1"));
    undo(&mut bench);
    bench.await_row("ball1");
}
