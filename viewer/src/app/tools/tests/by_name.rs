//! Edits through menus, forms and the timeline, each widget found by its name.

use egui::accesskit::Role;
use sinew::fem::{ElementKind, grid_mesh};
use sinew::material::MaterialSpec;
use sinew::model::FemModel;
use sinew::property::Value;

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
    stretch_the_track(bench, &track);
    undo(bench);
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

/// A bar that is dragged by its end begins as before, and ends earlier.
fn stretch_the_track(bench: &mut Bench, track: &str) {
    let [start, end] = bench.window.state().status.probes[0].span;
    let track = bench.window.get_by_label(track).rect();
    // The ruler goes to 2 s.
    let at = |time: f64| track.left_center() + vec2(track.width() * (0.5 * time) as f32, 0.0);
    bench.drag(at(end), at(end - 0.5));
    bench.button(at(end - 0.5), false);
    until(&mut bench.window, |app| app.status.probes[0].span[1] < end);
    bench.window.run_steps(3);
    let now = bench.window.state().status.probes[0].span;
    assert!((now[0] - start).abs() < 1e-9, "{now:?}");
    assert!((now[1] - end + 0.5).abs() < 0.03, "{now:?}");
}

/// Supports of the tissue that is selected.
fn support_count(app: &mut App) -> Option<Value> {
    let sheet = app.session.reader().front().sheets.first()?;
    let row = sheet.rows.iter().find(|row| row.info.name == "support_count");
    row.map(|row| row.value.clone())
}

/// Fills in the one field of a form.
fn enter(bench: &mut Bench, field: &str, text: &str) {
    bench.window.get_by_role_and_label(Role::TextInput, field).focus();
    bench.window.run_steps(2);
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    bench.window.run_steps(1);
    bench.window.get_by_role_and_label(Role::TextInput, field).type_text(text);
    bench.window.run_steps(2);
    bench.window.get_by_label("Do it").click();
    bench.window.run_steps(2);
}

#[test]
fn nodes_of_a_tissue_are_fixed_and_released_by_its_menu() {
    let mesh = grid_mesh([1, 1, 1], ElementKind::Hex8, |x| x * 0.1).unwrap();
    let law = MaterialSpec::from_name("linear").unwrap();
    let mut model = Model::new("m");
    model.add(FemModel::new("soft", mesh, 1000.0, law));
    let mut bench = Bench::on(model);
    select(&mut bench, "soft");
    choose(&mut bench, "soft", "Fix nodes...");
    enter(&mut bench, "nodes", "0 1 2");
    until(&mut bench.window, |app| support_count(app) == Some(Value::Int(1)));
    choose(&mut bench, "soft", "Remove a support...");
    enter(&mut bench, "support", "0");
    until(&mut bench.window, |app| support_count(app) == Some(Value::Int(0)));
    undo(&mut bench);
    until(&mut bench.window, |app| support_count(app) == Some(Value::Int(1)));
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

#[test]
fn a_rectangle_selects_the_classes_that_are_chosen_in_the_menu() {
    let mut bench = Bench::on(bench());
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.window.key_press(Key::Escape);
    bench.window.run_steps(2);
    let boxed = |bench: &mut Bench| {
        let canvas = bench.window.state().workspace.picture().canvas.rect.expect("it is drawn");
        let (from, to) = (canvas.min + vec2(30.0, 30.0), canvas.max - vec2(30.0, 30.0));
        bench.window.event(Event::ModifiersChanged(Modifiers::SHIFT));
        bench.drag(from, to);
        bench.button(to, false);
        bench.window.event(Event::ModifiersChanged(Modifiers::NONE));
        bench.window.run_steps(2);
        let ids = bench.window.state().workspace.selection.ids();
        let mut kinds: Vec<&str> = ids.iter().map(|id| id.kind().name()).collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(boxed(&mut bench), ["FrameMarker", "Particle", "RigidBody"]);
    let menu = |bench: &mut Bench, entries: &[&str]| {
        bench.window.get_by_label("Edit").click();
        bench.window.run_steps(3);
        bench.window.get_by_label_contains("Rectangles select").click();
        bench.window.run_steps(3);
        for entry in entries {
            bench.window.get_by_label(entry).click();
            bench.window.run_steps(3);
        }
        for _ in 0..3 {
            bench.window.key_press(Key::Escape);
            bench.window.run_steps(2);
        }
    };
    menu(&mut bench, &["Nothing", "markers"]);
    assert_eq!(boxed(&mut bench), ["FrameMarker"]);
    menu(&mut bench, &["bodies"]);
    assert_eq!(boxed(&mut bench), ["FrameMarker", "RigidBody"]);
    menu(&mut bench, &["Everything"]);
    assert_eq!(boxed(&mut bench).len(), 3);
}

#[test]
fn a_row_that_is_dragged_onto_another_gets_it_as_its_parent_or_is_told_why_not() {
    let mut bench = Bench::on(bench());
    // All rows are in sight.
    bench.window.set_size(vec2(1280.0, 1600.0));
    bench.window.run_steps(3);
    let group = ["add component_list group".parse().expect("it is a command")].to_vec();
    bench.window.state_mut().send(sinew::schedule::Command::Edit(group));
    bench.await_row("group");
    bench.take("Ball");
    bench.click(Vec3::new(0.1, 0.0, 0.1));
    bench.await_row("ball1");
    bench.window.key_press(Key::Escape);
    bench.window.run_steps(2);
    let parent = |app: &mut App| {
        let outline = app.session.reader().front().scene.outline.clone();
        let row = outline.rows.iter().find(|row| row.label == "origin").expect("it is there");
        outline.rows[row.parent as usize].label.clone()
    };
    let before = parent(bench.window.state_mut());
    let drag = |bench: &mut Bench, from: &str, to: &str| {
        select(bench, to);
        select(bench, from);
        let row = |name| bench.window.get_by_role_and_label(Role::TreeItem, name).rect().center();
        let (from, to) = (row(from), row(to));
        bench.drag(from, to);
        assert!(egui::DragAndDrop::has_any_payload(&bench.window.ctx), "{from} to {to}");
        bench.button(to, false);
        bench.window.run_steps(3);
    };
    drag(&mut bench, "origin", "group");
    until(&mut bench.window, |app| parent(app) == "group");
    undo(&mut bench);
    until(&mut bench.window, |app| parent(app) == before);
    // A tool is taken as before.
    bench.take("Ball");
    bench.click(Vec3::new(-0.2, 0.0, 0.1));
    until(&mut bench.window, |app| {
        let told = format!("{:?}", app.notes);
        assert!(!told.contains("Refused"), "{told}");
        has_row(app, "ball2")
    });
    bench.window.key_press(Key::Escape);
    bench.window.run_steps(2);
    let notes = format!("{:?}", bench.window.state().notes);
    drag(&mut bench, "origin", "ball1");
    until(&mut bench.window, |app| format!("{:?}", app.notes) != notes);
    let told = format!("{:?}", bench.window.state().notes);
    assert!(told.contains("Refused") && told.contains("ball1"), "{told}");
    assert_eq!(parent(bench.window.state_mut()), before);
}

#[test]
fn a_property_is_put_on_a_panel_by_its_menu_and_by_being_dragged_and_taken_back() {
    let mut bench = Bench::on(bench());
    select(&mut bench, "origin");
    bench.window.key_press(Key::F3);
    bench.window.run_steps(3);
    let items = |app: &App| -> Vec<(String, usize)> {
        app.status.panels.iter().map(|panel| (panel.name.clone(), panel.items.len())).collect()
    };
    let name = |bench: &Bench, property: &str| {
        bench.window.get_by_role_and_label(Role::Label, property).rect().center()
    };
    let choose = |bench: &mut Bench, property: &str, entry: &str| {
        bench.window.get_by_role_and_label(Role::Label, property).click();
        bench.window.run_steps(3);
        bench.window.get_by_label_contains("Add to panel").click();
        bench.window.run_steps(3);
        // A panel of this name has a header among the controls, too, which are to the right.
        {
            let mut entries = bench.window.get_all_by_label(entry);
            let in_menu = entries.find(|node| node.rect().right() < 800.0);
            in_menu.expect("it is in the menu").click();
        }
        bench.window.run_steps(3);
    };
    choose(&mut bench, "mass", "A new panel");
    until(&mut bench.window, |app| items(app) == [("Panel 1".to_owned(), 1)]);
    let item = bench.window.state().status.panels[0].items[0].clone();
    assert!(item.property.ends_with("/origin:mass"), "{item:?}");
    bench.window.run_steps(3);
    let on_panel = bench.window.get_all_by_label("origin:mass").next();
    let panel = on_panel.expect("it is among the controls").rect().center();
    // Dragged to the panel, and beside it for a new one.
    let from = name(&bench, "point_damping");
    bench.drag(from, panel);
    bench.button(panel, false);
    until(&mut bench.window, |app| items(app) == [("Panel 1".to_owned(), 2)]);
    let beside = panel + vec2(0.0, 300.0);
    bench.drag(from, beside);
    bench.button(beside, false);
    until(&mut bench.window, |app| items(app).len() == 2);
    // What is on it already is told, and nothing changes.
    choose(&mut bench, "mass", "Panel 1");
    until(&mut bench.window, |app| format!("{:?}", app.notes).contains("already"));
    for left in [1, 1, 0] {
        undo(&mut bench);
        until(&mut bench.window, |app| items(app).len() == left);
    }
    bench.window.key_press_modifiers(Modifiers::COMMAND, Key::Y);
    until(&mut bench.window, |app| items(app) == [("Panel 1".to_owned(), 1)]);
}

#[test]
fn a_wheel_is_drawn_from_its_hub_to_its_rim_and_turns_on_a_hinge() {
    let mut bench = Bench::on(bench());
    bench.take("Wheel");
    bench.draw(Vec3::new(-0.1, 0.0, 0.0), Vec3::new(0.1, 0.0, 0.0));
    bench.await_row("wheel1");
    bench.take("Hinge");
    for place in [Vec3::new(-0.1, 0.0, 0.0), Vec3::new(0.35, 0.0, 0.35)] {
        bench.click(place);
    }
    bench.await_row("hinge1");
    let model = bench.model(Path::new("bench"));
    let (_, wheel) = model.iter::<RigidBody>().next().unwrap();
    // Water in a disk of a radius of 0.2 m and three tenths of that wide.
    let mass = 1000.0 * std::f64::consts::PI * 0.04 * 0.06;
    let drawn = wheel.spatial_inertia().unwrap().mass();
    // Places of a drag are those of whole pixels: some thousandths of the width of the picture.
    assert!((drawn / mass - 1.0).abs() < 0.05, "{drawn} kg of {mass} kg");
    let (_, joint) = model.iter::<Joint>().next().unwrap();
    let center = wheel.pose.translation.vector;
    assert!((joint.d.pose.translation.vector - center).norm() < 1e-9, "it turns about its hub");
    assert_eq!(model.iter::<FrameMarker>().count(), 5);
}
