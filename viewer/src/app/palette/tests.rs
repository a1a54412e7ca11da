//! Commands are found by parts of their names, and done by Enter.

use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::app::commands::{FileCommand, PictureCommand};

struct Window {
    palette: Palette,
    done: Vec<WindowCommand>,
}

fn open() -> Harness<'static, Window> {
    let show = |ui: &mut Ui, it: &mut Window| it.done.extend(it.palette.ui(ui));
    let mut palette = Palette::default();
    palette.open();
    let state = Window { palette, done: Vec::new() };
    let mut window = Harness::builder().with_size([600.0, 500.0]).build_ui_state(show, state);
    window.run_steps(3);
    window
}

fn type_and_enter(window: &mut Harness<'_, Window>, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
}

#[test]
fn a_part_of_a_name_and_enter_perform_a_command_once_and_close() {
    let mut window = open();
    type_and_enter(&mut window, "wirefr");
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(window.state().done, [WindowCommand::Picture(PictureCommand::Wireframe)]);
    assert!(!window.state().palette.open);
    window.state_mut().palette.open();
    window.run_steps(2);
    assert_eq!(window.state().palette.text, "", "it opens anew");
}

#[test]
fn every_command_of_the_menus_is_reached_by_its_name() {
    for line in TABLE {
        let mut window = open();
        type_and_enter(&mut window, line.name);
        assert_eq!(window.state().done, [line.command], "{}", line.name);
    }
}

#[test]
fn arrows_choose_and_a_click_does_too() {
    let mut window = open();
    window.event(egui::Event::Text("from the".to_owned()));
    window.run_steps(2);
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert_eq!(window.state().done, [found("from the")[1].command]);
    window.state_mut().palette.open();
    window.run_steps(3);
    window.get_by_label_contains("Save picture").click();
    window.run_steps(2);
    assert_eq!(window.state().done[1..], [WindowCommand::File(FileCommand::SavePicture)]);
}

#[test]
fn escape_closes_and_does_nothing() {
    let mut window = open();
    window.key_press(Key::Escape);
    window.run_steps(2);
    assert!(!window.state().palette.open && window.state().done.is_empty());
}

#[test]
fn parts_of_words_in_any_order_find_a_command() {
    let names = |text| found(text).iter().map(|line| line.name).collect::<Vec<_>>();
    assert_eq!(names("pict sav"), ["Save picture"]);
    assert_eq!(names("").len(), TABLE.len());
    assert!(names("nothing like it").is_empty());
}
