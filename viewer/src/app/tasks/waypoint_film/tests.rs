//! A film of the waypoints goes to each of them, and back to where the run was.

use egui_kittest::kittest::Queryable;
use sinew::schedule::Command;

use crate::app::commands::{FileCommand, RunCommand, WindowCommand};
use crate::app::tests::{first_session, until, window_in};

#[test]
fn waypoints_at_even_times_are_set_by_a_dialog_and_pictured_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window_in([400.0, 300.0], first_session(), folder.path());
    let context = window.ctx.clone();
    window.state_mut().perform(WindowCommand::File(FileCommand::FilmOfWaypoints), &context);
    window.run_steps(2);
    assert!(window.query_by_label_contains("no waypoint was passed yet").is_some());
    window.state_mut().perform(WindowCommand::Run(RunCommand::EvenWaypoints), &context);
    window.run_steps(3);
    for (field, value) in [("interval of waypoints", 0.05), ("time of the last waypoint", 0.2)] {
        window.get_by_label(field).set_value_accesskit(value);
        window.run_steps(3);
    }
    window.get_by_label("Set waypoints").click();
    until(&mut window, |app| app.status.waypoints.len() == 4);
    window.state_mut().send(Command::RunUntil(0.23));
    until(&mut window, |app| {
        let front = app.session.reader().front().time;
        !app.status.playing && (front - 0.23).abs() < 1e-9
    });
    window.state_mut().perform(WindowCommand::File(FileCommand::FilmOfWaypoints), &context);
    let mut times: Vec<f64> = Vec::new();
    until(&mut window, |app| {
        let time = app.session.reader().front().time;
        if times.last().is_none_or(|last| (last - time).abs() > 1e-9) {
            times.push(time);
        }
        app.film.is_none() && format!("{:?}", app.notes).contains("wrote")
    });
    let told = format!("{:?}", window.state().notes);
    assert!(told.contains("wrote 4 pictures") && told.contains("one a waypoint"), "{told}");
    until(&mut window, |app| (app.session.reader().front().time - 0.23).abs() < 1e-9);
    assert_eq!(window.state().status.waypoints.len(), 4, "none was set to come back to");
    // The edit before the film is taken back next: the film left none.
    window.state_mut().send(Command::Undo);
    until(&mut window, |app| app.status.waypoints.is_empty());
    let names = std::fs::read_dir(folder.path().join("film-1")).unwrap();
    assert_eq!(names.count(), 4);
    assert!(times.iter().any(|time| (time - 0.05).abs() < 1e-9), "{times:?}");
}
