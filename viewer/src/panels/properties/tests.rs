//! Requests from widgets of properties, of one component and of several.

use egui::accesskit::Role;
use egui::{Key, OutputCommand};
use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};
use sinew::Vec3;
use sinew::component::{ComponentId, Kind};
use sinew::model::{Model, Particle};
use sinew::property::{Pose, Source};
use sinew::schedule::Assignment;
use sinew::snapshot::SheetRow;

use super::*;

mod edits;

#[derive(Default)]
struct Window {
    sheets: Vec<Sheet>,
    properties: Properties,
    actions: Actions,
}

fn row(kind: Kind, name: &str, value: Value, source: Source) -> SheetRow {
    let info = kind.properties().into_iter().find(|info| info.name == name);
    SheetRow { info: info.expect("the kind has it"), value, source }
}

fn owners() -> [ComponentId; 2] {
    let mut model = Model::new("two");
    [1.0, 2.0].map(|mass| model.add(Particle::new(mass, Vec3::zeros())).id())
}

/// Two components, of which the second is told by k = 1.
fn two(rows: impl Fn(f64) -> Vec<SheetRow>) -> Vec<Sheet> {
    let sheet = |(owner, k): (_, f64)| Sheet { owner, path: format!("/p{k}"), rows: rows(k) };
    owners().into_iter().zip([0.0, 1.0]).map(sheet).collect()
}

/// Two particles that differ in name, mass, damping and the y of their positions.
fn sheets() -> Vec<Sheet> {
    let row = |name, value, source| row(Kind::Particle, name, value, source);
    two(|k| {
        vec![
            row("name", Value::Text(format!("tip{k}")), Source::Own),
            row("position", Value::Vector(Vec3::new(1.0, k, 3.0)), Source::Own),
            row("mass", Value::Real(1.0 + k), Source::Own),
            row("dynamic", Value::Bool(true), Source::Own),
            row("point_damping", Value::Real(0.5 + k), Source::Explicit),
            row("force", Value::Vector(Vec3::new(0.0, 0.0, -2.5)), Source::Computed),
            row("render.alpha", Value::Real(1.0 - 0.5 * k), Source::Default),
            row("render.point_style", Value::Choice("point"), Source::Default),
        ]
    })
}

fn open(sheets: Vec<Sheet>) -> Harness<'static, Window> {
    let show = |ui: &mut Ui, it: &mut Window| {
        it.properties.ui(ui, &it.sheets, &mut it.actions);
    };
    let state = Window { sheets, ..Default::default() };
    let mut window = Harness::builder().with_size([600.0, 700.0]).build_ui_state(show, state);
    window.run();
    if window.query_by_label("render").is_some() {
        window.get_by_label("render").click();
        window.run();
    }
    window
}

fn one() -> Harness<'static, Window> {
    open(sheets().into_iter().take(1).collect())
}

fn set<'p>(assignments: impl IntoIterator<Item = (&'p str, Option<&'p str>)>) -> Command {
    let one = |(path, value): (&str, Option<&str>)| Assignment {
        path: path.to_owned(),
        value: value.map(str::to_owned),
    };
    Command::set(assignments.into_iter().map(one).collect())
}

fn commands(window: &Harness<'_, Window>) -> Vec<Command> {
    window.state().actions.commands.clone()
}

fn shown(window: &Harness<'_, Window>, role: Role, label: &str) -> Option<f64> {
    window.get_by_role_and_label(role, label).accesskit_node().numeric_value()
}

#[test]
fn a_row_tells_its_unit_and_its_tooltip_what_it_is_and_what_it_takes() {
    let mut window = one();
    assert!(window.query_by_label("kg").is_some());
    window.get_by_role_and_label(Role::Label, "mass").hover();
    window.run_steps(8);
    let info = Kind::Particle.properties().into_iter().find(|info| info.name == "mass").unwrap();
    let tip = window.get_by_label_contains(info.doc);
    let text = tip.accesskit_node().label().or(tip.value()).unwrap_or_default();
    assert!(text.contains("/p0:mass") && text.contains("[kg]") && text.contains("> 0"), "{text}");
}

#[test]
fn inheriting_is_none_and_a_value_of_its_own_is_the_one_that_each_had() {
    let mut window = open(sheets());
    window.get_by_label("own").click();
    window.run();
    let inherit = ["/p0:point_damping", "/p1:point_damping"].map(|path| (path, None));
    assert_eq!(commands(&window), [set(inherit)]);
    window.get_all_by_label("inherited").next().expect("alpha is").click();
    window.run();
    let own = [("/p0:render.alpha", Some("1")), ("/p1:render.alpha", Some("0.5"))];
    assert_eq!(commands(&window)[1..], [set(own)]);
    let state = window.state_mut();
    state.sheets[1].rows[4].source = Source::Default;
    window.run();
    assert!(window.query_by_label("some own").is_some());
}

#[test]
fn what_is_only_read_is_grey_and_what_can_be_set_is_not() {
    let window = one();
    let force = window.get_by_label("0  0  -2.5");
    assert!(force.accesskit_node().is_disabled());
    let mass = window.get_by_role_and_label(Role::SpinButton, "mass");
    assert!(!mass.accesskit_node().is_disabled());
}

#[test]
fn a_right_click_plots_a_number_and_not_a_word_and_copies_the_path_and_resets() {
    let mut window = open(sheets());
    window.get_by_role_and_label(Role::Label, "force").click_secondary();
    window.run();
    window.get_by_label("Plot").click();
    window.run();
    assert_eq!(window.state().actions.follow, ["/p0:force", "/p1:force"]);
    window.get_by_role_and_label(Role::Label, "point_style").click_secondary();
    window.run();
    assert!(window.query_by_label("Plot").is_none());
    window.get_by_label("Copy path").click();
    window.step();
    let copied =
        OutputCommand::CopyText("/p0:render.point_style\n/p1:render.point_style".to_owned());
    assert!(window.output().platform_output.commands.contains(&copied));
    window.run();
    window.get_by_role_and_label(Role::Label, "mass").click_secondary();
    window.run();
    window.get_by_label("Reset to default").click();
    window.run();
    let info = Kind::Particle.properties().into_iter().find(|info| info.name == "mass").unwrap();
    let default = info.default.to_string();
    let both = ["/p0:mass", "/p1:mass"].map(|path| (path, Some(default.as_str())));
    assert_eq!(commands(&window), [set(both)]);
}

#[test]
fn the_menu_of_a_property_opens_by_the_keyboard() {
    let mut window = one();
    window.get_by_role_and_label(Role::Label, "mass").focus();
    window.run();
    window.key_press(Key::Enter);
    window.run();
    assert!(window.query_by_label("Plot").is_some());
}

#[test]
fn which_values_and_parts_differ_is_known() {
    let sheets = sheets();
    let rows = common(&sheets);
    let row = |name| rows.iter().find(|row| row.info.name == name).expect("both have it");
    assert_eq!(row("position").mixed_parts, [false, true, false]);
    assert!(row("mass").mixed && !row("dynamic").mixed);
    let mut fewer = sheets.clone();
    fewer[1].rows.remove(2);
    assert!(common(&fewer).iter().all(|row| row.info.name != "mass"));
    assert_eq!(common(&fewer).len(), rows.len() - 1);
}

#[test]
fn a_filter_leaves_the_properties_that_have_it_in_their_names() {
    let mut window = one();
    window.get_by_label("filter of properties").click();
    window.run();
    window.get_by_label("filter of properties").type_text("mas");
    window.run();
    assert!(window.query_by_role_and_label(Role::SpinButton, "mass").is_some());
    assert!(window.query_by_role_and_label(Role::SpinButton, "position x").is_none());
}
