//! Requests from widgets of control panels.

use std::sync::Arc;

use egui::Key;
use egui::accesskit::Role;
use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};

use super::*;

#[derive(Default)]
struct Window {
    panels: Vec<ShownPanel>,
    readings: Readings,
    controls: Controls,
    actions: Actions,
}

/// Path of the panel of these tests.
const JAW: &str = "/m/panels/Jaw";

fn item(property: &str, label: Option<&str>, widget: ControlWidget, high: f64) -> ControlItem {
    let (property, label) = (property.to_owned(), label.map(str::to_owned));
    let high = Some(high).filter(|high| *high > 0.0);
    ControlItem { property, label, widget, low: high.map(|_| 0.0), high }
}

fn open() -> Harness<'static, Window> {
    let items = vec![
        item("/m/opener:excitation", Some("Open"), ControlWidget::Auto, 2.0),
        item("/m/jaw:dynamic", Some("Moves"), ControlWidget::Checkbox, 0.0),
        item("/m/jaw:unknown", Some("Unknown"), ControlWidget::Auto, 0.0),
        item("/m/closer:rest_length", None, ControlWidget::Auto, 0.0),
        item("/m/opener:excitation", Some("The same"), ControlWidget::Auto, 2.0),
    ];
    let panels = vec![ShownPanel { name: "Jaw".to_owned(), path: Some(JAW.to_owned()), items }];
    let readings = Readings {
        paths: Arc::new(Controls::paths(&panels)),
        offsets: vec![0, 1, 2, 3, 4],
        numbers: vec![0.25, 0.0, f64::NAN, 7.0],
    };
    let show = |ui: &mut Ui, it: &mut Window| {
        it.controls.ui(ui, &it.panels, &it.readings, &mut it.actions);
    };
    let state = Window { panels, readings, ..Default::default() };
    let mut window = Harness::new_ui_state(show, state);
    window.run();
    window
}

fn sets(window: &Harness<'_, Window>) -> Vec<(String, Option<String>)> {
    let commands = window.state().actions.commands.iter();
    let each = commands.flat_map(|command| match command {
        Command::Set { assignments, .. } => assignments.clone(),
        other => panic!("{other:?}"),
    });
    each.map(|it| (it.path, it.value)).collect()
}

fn number(window: &Harness<'_, Window>) -> Option<f64> {
    let slider = window.get_by_role_and_label(Role::Slider, "Open");
    slider.accesskit_node().numeric_value()
}

#[test]
fn paths_of_panels_come_once_and_labels_and_what_has_no_number_are_shown() {
    let window = open();
    let paths = Controls::paths(&window.state().panels);
    let expected =
        ["/m/opener:excitation", "/m/jaw:dynamic", "/m/jaw:unknown", "/m/closer:rest_length"];
    assert_eq!(paths, expected);
    assert!(window.query_by_label("no number").is_some());
    assert!(window.query_by_role_and_label(Role::Label, "Unknown").is_some());
    let field = window.get_by_role_and_label(Role::SpinButton, "closer:rest_length");
    assert_eq!(field.accesskit_node().numeric_value(), Some(7.0));
}

#[test]
fn a_slider_spans_its_bounds_and_sets_its_property_once() {
    let mut window = open();
    let slider = window.get_by_role_and_label(Role::Slider, "Open");
    let node = slider.accesskit_node();
    assert_eq!((node.min_numeric_value(), node.max_numeric_value()), (Some(0.0), Some(2.0)));
    slider.set_value_accesskit(0.75);
    window.run_steps(3);
    let expected = ("/m/opener:excitation".to_owned(), Some("0.75".to_owned()));
    assert_eq!(sets(&window), [expected]);
}

#[test]
fn what_was_set_stays_while_the_readings_lag_and_then_follows_them() {
    let mut window = open();
    window.get_by_role_and_label(Role::Slider, "Open").set_value_accesskit(0.75);
    window.run_steps(3);
    assert_eq!(number(&window), Some(0.75), "the readings still say 0.25");
    window.state_mut().readings.numbers[0] = 0.75;
    window.step();
    window.state_mut().readings.numbers[0] = 0.5;
    window.step();
    assert_eq!(number(&window), Some(0.5));
    // What is refused falls back.
    window.get_by_role_and_label(Role::Slider, "Open").set_value_accesskit(1.0);
    window.run_steps(2);
    assert_eq!(number(&window), Some(1.0));
    window.run_steps(10);
    assert_eq!(number(&window), Some(0.5));
}

#[test]
fn a_slider_in_hand_is_not_moved_by_what_comes_in() {
    let mut window = open();
    let rect = window.get_by_role_and_label(Role::Slider, "Open").rect();
    window.drag_at(rect.center());
    window.step();
    let drawn = number(&window);
    assert_ne!(drawn, Some(0.25));
    window.state_mut().readings.numbers[0] = 1.9;
    window.run_steps(40);
    assert_eq!(number(&window), drawn);
    window.drop_at(rect.center());
    window.run_steps(3);
    assert_eq!(number(&window), drawn, "the model may not have it yet");
    window.run_steps(12);
    assert_eq!(number(&window), Some(1.9));
}

#[test]
fn a_panel_is_deleted_by_the_menu_of_its_title() {
    let mut window = open();
    window.get_by_label("Jaw").click_secondary();
    window.run();
    window.get_by_label("Delete").click();
    window.run();
    let expected = EditCommand::Delete { paths: vec![JAW.to_owned()] };
    assert_eq!(window.state().actions.commands, [Command::Edit(vec![expected])]);
}

#[test]
fn a_checkbox_sets_true() {
    let mut window = open();
    window.get_by_role_and_label(Role::CheckBox, "Moves").click();
    window.run();
    assert_eq!(sets(&window), [("/m/jaw:dynamic".to_owned(), Some("true".to_owned()))]);
}

#[test]
fn the_menu_of_a_label_plots_by_right_click_and_by_the_keyboard() {
    let mut window = open();
    window.get_by_role_and_label(Role::Label, "Open").click_secondary();
    window.run();
    window.get_by_label("Plot").click();
    window.run();
    assert_eq!(window.state().actions.follow, ["/m/opener:excitation"]);
    window.get_by_role_and_label(Role::Label, "Moves").focus();
    window.run();
    window.key_press(Key::Enter);
    window.run();
    assert!(window.query_by_label("Plot").is_some());
}
