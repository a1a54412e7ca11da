//! Clicks, keys, filters, paths, and a million rows.

use egui::accesskit::Role;
use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};
use sinew::Vec3;
use sinew::model::{Model, Particle};
use sinew::snapshot::OutlineRow;

use super::*;

#[derive(Default)]
struct Window {
    outline: Arc<Outline>,
    navigation: Navigation,
    selection: Selection,
    actions: Actions,
}

fn open(outline: Outline) -> Harness<'static, Window> {
    let show = |ui: &mut Ui, it: &mut Window| {
        it.navigation.ui(ui, &it.outline, &mut it.selection, &mut it.actions);
    };
    let state = Window { outline: Arc::new(outline), ..Default::default() };
    let mut window =
        Harness::builder().with_size([400.0, 600.0]).with_step_dt(0.05).build_ui_state(show, state);
    window.run();
    window
}

/// A list of particles, and their ids.
fn particles(names: &[&str]) -> (Outline, Vec<ComponentId>) {
    let mut model = Model::new("chain");
    let ids = names.iter().map(|name| {
        let mut particle = Particle::new(1.0, Vec3::zeros());
        particle.name = (*name).to_owned();
        model.add(particle).id()
    });
    let ids = ids.collect();
    (Outline::of(&model), ids)
}

fn three() -> (Harness<'static, Window>, Vec<ComponentId>) {
    let (outline, ids) = particles(&["tip", "middle", "root"]);
    let mut window = open(outline);
    window.state_mut().selection.set(vec![ids[0]]);
    window.run();
    (window, ids)
}

fn rows(window: &Harness<'_, Window>) -> usize {
    window.query_all_by_role(Role::TreeItem).count()
}

fn type_into(window: &mut Harness<'_, Window>, field: &str, text: &str) {
    window.get_by_label(field).click();
    window.run();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label(field).type_text(text);
    window.run();
}

fn selected(window: &Harness<'_, Window>) -> Vec<ComponentId> {
    window.state().selection.ids().to_vec()
}

#[test]
fn a_click_selects_ctrl_adds_and_takes_out_and_shift_selects_what_is_between() {
    let (mut window, ids) = three();
    let click = |window: &mut Harness<'_, Window>, name, modifiers| {
        window.get_by_role_and_label(Role::TreeItem, name).click_modifiers(modifiers);
        window.run();
        selected(window)
    };
    assert_eq!(click(&mut window, "middle", Modifiers::NONE), [ids[1]]);
    assert_eq!(click(&mut window, "root", Modifiers::COMMAND), [ids[1], ids[2]]);
    assert_eq!(click(&mut window, "root", Modifiers::COMMAND), [ids[1]]);
    assert_eq!(click(&mut window, "tip", Modifiers::NONE), [ids[0]]);
    assert_eq!(click(&mut window, "root", Modifiers::SHIFT), ids);
    assert_eq!(click(&mut window, "middle", Modifiers::SHIFT), ids[..2]);
}

#[test]
fn a_range_begins_at_what_was_selected_in_the_picture() {
    let (mut window, ids) = three();
    window.get_by_role_and_label(Role::TreeItem, "tip").click();
    window.run();
    window.state_mut().selection.set(vec![ids[2]]);
    window.run();
    window.get_by_role_and_label(Role::TreeItem, "middle").click_modifiers(Modifiers::SHIFT);
    window.run();
    assert_eq!(selected(&window), ids[1..]);
}

#[test]
fn a_double_click_shows_a_component() {
    let (mut window, ids) = three();
    let tip = window.get_by_role_and_label(Role::TreeItem, "tip");
    tip.click();
    tip.click();
    window.run();
    assert_eq!(window.state().actions.look_at, Some(ids[0]));
}

#[test]
fn a_filter_that_is_typed_leaves_what_holds_it_and_what_is_above() {
    let (mut window, ids) = three();
    type_into(&mut window, "filter of the tree", "MID");
    assert!(window.query_by_role_and_label(Role::TreeItem, "middle").is_some());
    assert!(window.query_by_role_and_label(Role::TreeItem, "tip").is_none());
    let outline = window.state().outline.clone();
    let above = outline.rows[outline.row(ids[1]).expect("it is in the tree")].depth;
    assert_eq!(rows(&window), usize::from(above) + 1);
    type_into(&mut window, "filter of the tree", "particle root");
    assert!(window.query_by_role_and_label(Role::TreeItem, "root").is_some());
    assert!(window.query_by_role_and_label(Role::TreeItem, "middle").is_none());
}

#[test]
fn what_is_selected_elsewhere_comes_into_sight_and_its_parent_is_a_button_away() {
    let names: Vec<String> = (0..500).map(|k| format!("p{k}")).collect();
    let (outline, ids) = particles(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut window = open(outline);
    assert!(window.query_by_role_and_label(Role::TreeItem, "p400").is_none());
    assert!(window.get_by_label("Parent").accesskit_node().is_disabled());
    window.state_mut().selection.set(vec![ids[400]]);
    window.run();
    assert!(window.query_by_role_and_label(Role::TreeItem, "p400").is_some());
    window.get_by_label("Parent").click();
    window.run();
    let outline = window.state().outline.clone();
    let row = outline.row(ids[400]).expect("it is in the tree");
    assert_eq!(selected(&window), [outline.rows[outline.rows[row].parent as usize].id]);
}

#[test]
fn a_path_is_shown_and_can_be_typed_and_a_wrong_one_is_told_and_selects_nothing_else() {
    let (mut window, ids) = three();
    let outline = window.state().outline.clone();
    let path = |id| outline.path(outline.row(id).expect("it is in the tree"));
    assert_eq!(window.get_by_label("path").value(), Some(path(ids[0])));
    type_into(&mut window, "path", &path(ids[2]));
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(selected(&window), [ids[2]]);
    type_into(&mut window, "path", "/no/such/thing");
    assert!(window.query_by_label("no component has this path").is_none());
    window.key_press(Key::Enter);
    window.run();
    assert!(window.query_by_label("no component has this path").is_some());
    assert_eq!(selected(&window), [ids[2]]);
    window.get_by_role_and_label(Role::TreeItem, "tip").click();
    window.run();
    assert!(window.query_by_label("no component has this path").is_none());
    assert_eq!(window.get_by_label("path").value(), Some(path(ids[0])));
}

#[test]
fn arrows_go_through_the_tree_and_open_and_close_it() {
    let (mut window, ids) = three();
    window.get_by_role_and_label(Role::TreeItem, "tip").click();
    window.run();
    let press = |window: &mut Harness<'_, Window>, key| {
        window.key_press(key);
        window.run();
        selected(window)
    };
    assert_eq!(press(&mut window, Key::ArrowDown), [ids[1]]);
    assert_eq!(press(&mut window, Key::ArrowUp), [ids[0]]);
    let list = press(&mut window, Key::ArrowUp);
    assert_ne!(list, [ids[0]]);
    press(&mut window, Key::ArrowLeft);
    assert!(window.query_by_role_and_label(Role::TreeItem, "tip").is_none());
    press(&mut window, Key::ArrowRight);
    assert!(window.query_by_role_and_label(Role::TreeItem, "tip").is_some());
    assert_eq!(selected(&window), list);
}

#[test]
fn of_a_million_rows_only_those_in_sight_are_built_and_the_tree_is_gathered_once() {
    let (small, ids) = particles(&["one"]);
    let mut outline = Outline::default();
    let row = |k: u32, depth, end| OutlineRow {
        id: if k == 0 { small.rows[0].id } else { ids[0] },
        label: format!("row {k}"),
        depth,
        parent: 0,
        end,
        drawn: false,
        visible: true,
        alpha: 1.0,
    };
    outline.rows.push(row(0, 0, 1_000_001));
    outline.rows.extend((1..=1_000_000).map(|k| row(k, 1, k + 1)));
    let mut window = open(outline);
    assert_eq!(window.state().navigation.tree.shown().len(), 1_000_001);
    for _ in 0..5 {
        window.hover_at(egui::pos2(200.0, 400.0));
        let delta = egui::vec2(0.0, -5000.0);
        let (unit, modifiers) = (egui::MouseWheelUnit::Point, Modifiers::NONE);
        let (phase, source) = (egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
        window.event(egui::Event::MouseWheel { unit, delta, phase, source, modifiers });
        window.run_steps(8);
        let built = rows(&window);
        assert!((5..60).contains(&built), "{built} rows are built");
    }
    assert!(window.query_by_role_and_label(Role::TreeItem, "row 1").is_none());
    assert_eq!(window.state().navigation.tree.searches, 1);
}
