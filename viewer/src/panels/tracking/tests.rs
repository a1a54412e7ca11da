//! Inverse control in its panel: what is shown, and what is asked for.

use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};

use super::*;

#[derive(Default)]
struct Window {
    status: Option<TrackingStatus>,
    panel: TrackingPanel,
    actions: Actions,
}

fn status() -> TrackingStatus {
    let target = |path: &str, unit, distance| TrackedTarget {
        path: path.to_owned(),
        unit,
        weight: 1.5,
        distance,
        rms: distance.map(|it| 2.0 * it),
        ..TrackedTarget::default()
    };
    let excitation = |name: &str, value, bounds| FoundExcitation {
        path: format!("/models/arm/axial_springs/{name}:excitation"),
        value,
        bounds,
    };
    TrackingStatus {
        on: true,
        targets: vec![
            target("/models/arm/frame_markers/wrist:position", "m", Some(0.00125)),
            target("/models/arm/joints/elbow:coordinate.theta.value", "rad", None),
        ],
        excitations: vec![
            excitation("biceps", 0.25, [0.0, 1.0]),
            excitation("motor", 0.0, [-1.0, 1.0]),
        ],
        recorded: Some([0.0, 0.35]),
        ..TrackingStatus::default()
    }
}

fn open(status: Option<TrackingStatus>) -> Harness<'static, Window> {
    let show = |ui: &mut Ui, it: &mut Window| {
        it.panel.ui(ui, it.status.as_ref(), &mut it.actions);
    };
    let mut window = Harness::new_ui_state(show, Window { status, ..Window::default() });
    window.run();
    window
}

#[test]
fn targets_have_their_distances_and_excitations_their_bars() {
    let window = open(Some(status()));
    assert!(window.query_by_label("wrist:position").is_some());
    assert!(window.query_by_label("1.25 mm").is_some());
    assert!(window.query_by_label("2.5 mm").is_some());
    assert!(window.query_by_label("elbow:coordinate.theta.value").is_some());
    assert!(window.query_by_label("recorded from 0.000 s to 0.350 s").is_some());
    // Bars tell per cent.
    let bar = |label: &str| window.get_by_label(label).accesskit_node().numeric_value();
    assert_eq!(bar("excitation biceps:excitation"), Some(25.0));
    // Half way between -1 and 1.
    assert_eq!(bar("excitation motor:excitation"), Some(50.0));
    assert!(window.query_by_label_contains("out of reach").is_none());
}

#[test]
fn the_search_is_switched_replayed_and_plotted_by_name() {
    let mut window = open(Some(status()));
    window.get_by_label("find excitations").click();
    window.run();
    window.get_by_label("Replay").click();
    window.run();
    window.get_by_label("Plot").click();
    window.run();
    let actions = &window.state().actions;
    let commands = [TrackingEdit::Switch(false), TrackingEdit::Replay].map(Command::EditTracking);
    assert_eq!(actions.commands, commands);
    assert_eq!(actions.follow.len(), 2);
    assert!(actions.follow[0].ends_with("biceps:excitation"), "{:?}", actions.follow);
}

#[test]
fn a_weight_is_set_by_its_field() {
    let mut window = open(Some(status()));
    window.get_by_label("weight of wrist:position").click();
    window.run();
    window.key_press(egui::Key::A);
    window.get_by_label("weight of wrist:position").type_text("4");
    window.key_press(egui::Key::Enter);
    window.run();
    let last = window.state().actions.commands.last().cloned();
    let Some(Command::EditTracking(TrackingEdit::SetWeight { target: 0, weight })) = last else {
        panic!("{last:?}")
    };
    assert!(weight > 0.0 && weight.is_finite(), "{weight}");
}

#[test]
fn a_model_without_targets_says_so_and_a_fault_is_told() {
    assert!(open(None).query_by_label_contains("no inverse control").is_some());
    let fault = Some("reach.csv: no such file".to_owned());
    let window = open(Some(TrackingStatus { fault, ..TrackingStatus::default() }));
    assert!(window.query_by_label("reach.csv: no such file").is_some());
    let nothing = TrackingStatus { recorded: None, ..status() };
    let window = open(Some(nothing));
    assert!(window.get_by_label("Replay").accesskit_node().is_disabled());
    let missed = open(Some(TrackingStatus { missed: true, ..status() }));
    assert!(missed.query_by_label_contains("no excitation leads there").is_some());
}
