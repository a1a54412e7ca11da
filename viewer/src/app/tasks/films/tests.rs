//! A film from its first picture to its last.

use sinew::schedule::Command;

use crate::app::commands::{FileCommand, WindowCommand};
use crate::app::tests::{first_session, until, window_in};

#[test]
fn a_film_is_25_pictures_a_second_in_a_folder_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("film-1")).unwrap();
    let mut window = window_in([400.0, 300.0], first_session(), folder.path());
    let context = window.ctx.clone();
    window.state_mut().perform(WindowCommand::File(FileCommand::Film), &context);
    window.state_mut().send(Command::RunUntil(0.2));
    until(&mut window, |app| app.film.as_ref().unwrap().picture_count() == 5);
    window.run_steps(2);
    assert!(egui_kittest::kittest::Queryable::query_by_label(&window, "film: 5").is_some());
    window.state_mut().perform(WindowCommand::File(FileCommand::Film), &context);
    // The note comes with the frame after the one that misses the thread.
    until(&mut window, |app| app.film.is_none() && format!("{:?}", app.notes).contains("wrote"));
    let told = format!("{:?}", window.state().notes);
    assert!(told.contains("wrote 5 pictures"), "{told}");
    // Steps of 0.01 s from 0.01 s on: pictures at 0.01, 0.05, .. 0.17.
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("film-2")).unwrap().collect();
    names.sort_by_key(|it| it.as_ref().unwrap().file_name());
    let names = names.into_iter().map(|it| it.unwrap().file_name().into_string().unwrap());
    let expected: Vec<_> = (1..=5).map(|k| format!("frame_{k:05}.png")).collect();
    assert_eq!(names.collect::<Vec<_>>(), expected);
}
