//! A window looks in the next session as it did in the last one.

use std::path::Path;
use std::time::{Duration, Instant};

use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::app::Library;
use crate::app::pane::Pane;
use crate::app::tests::{first_session, window_with};

fn open(file: &Path) -> Harness<'static, App> {
    let library = Library { preferences: Some(file.to_owned()), ..Library::default() };
    let mut window = window_with([1280.0, 800.0], first_session(), Path::new("pictures"), library);
    window.run_steps(3);
    window
}

/// Waits until the file has a text.
fn await_text(window: &mut Harness<'_, App>, file: &Path, has: impl Fn(&Preferences) -> bool) {
    let begun = Instant::now();
    while !Preferences::read(file).is_some_and(|it| has(&it)) {
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", std::fs::read_to_string(file));
        window.run_steps(10);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn theme_panes_and_display_are_kept_and_the_tour_begins_in_the_first_session_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state/preferences.json");
    let mut window = open(&file);
    assert!(window.query_by_label("1 of 5").is_some(), "the first session has a tour");
    window.get_by_label("No tour").click();
    window.run_steps(2);
    let app = window.state_mut();
    app.dock.set_open(Pane::Plots, true);
    app.dock.set_open(Pane::Tree, false);
    app.dock.set_open(Pane::View, true);
    let options = &mut app.workspace.picture_mut().view.options;
    (options.nodes, options.grid, options.shrink) = (true, false, 0.5);
    window.ctx.set_theme(egui::Theme::Light);
    await_text(&mut window, &file, |it| {
        it.knows_tour && it.dark == Some(false) && it.display.as_ref().is_some_and(|it| it.nodes)
    });
    let seen = window.state().dock.seen();
    drop(window);
    let window = open(&file);
    let app = window.state();
    assert_eq!(app.dock.seen(), seen);
    let options = &app.workspace.picture().view.options;
    assert!(options.nodes && !options.grid);
    assert_eq!(options.shrink, 0.0, "it belongs to what was looked at");
    assert_eq!(window.ctx.theme(), egui::Theme::Light);
    assert!(window.query_by_label("1 of 5").is_none(), "the tour is known");
}

#[test]
fn a_part_that_cannot_be_read_is_as_in_a_first_session_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("preferences.json");
    let text = "{\"dark\": false, \"knows_tour\": true, \"panes\": {\"tabs\": {\"parts\": [], \
                \"front\": 3}}, \"display\": {\"no_such_option\": 1}}";
    std::fs::write(&file, text).unwrap();
    let window = open(&file);
    let first = crate::app::dock::Dock::default().seen();
    assert_eq!(window.state().dock.seen(), first);
    assert_eq!(window.ctx.theme(), egui::Theme::Light);
    assert!(window.query_by_label("1 of 5").is_none());
    let other = folder.path().join("other.json");
    std::fs::write(&other, "no json").unwrap();
    assert!(open(&other).query_by_label("1 of 5").is_some());
}
