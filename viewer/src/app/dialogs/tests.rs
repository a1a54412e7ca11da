//! Requests from dialogs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egui::accesskit::Role;
use egui_kittest::{Harness, kittest::Queryable};

use super::*;

fn library() -> Library {
    let parameter = |key: &str, default: &str, choices: &[&str]| Parameter {
        key: key.to_owned(),
        default: default.to_owned(),
        unit: "-".to_owned(),
        doc: format!("what {key} is"),
        choices: choices.iter().map(|&it| it.to_owned()).collect(),
    };
    Library {
        builtins: vec![("tongue".to_owned(), "a tongue".to_owned())],
        parameters: vec![
            parameter("unit", "m", &["m", "mm"]),
            parameter("clamp", "lowest 5 %", &[]),
            parameter("material", "corot", &["corot", "mr"]),
        ],
        ..Library::default()
    }
}

fn open(dialogs: Dialogs) -> Harness<'static, (Dialogs, Vec<Request>)> {
    let show = |ui: &mut Ui, (dialogs, done): &mut (Dialogs, Vec<Request>)| {
        done.extend(dialogs.ui(ui));
    };
    let state = (dialogs, Vec::new());
    let mut window = Harness::builder().with_size([900.0, 700.0]).build_ui_state(show, state);
    window.run_steps(3);
    window
}

#[test]
fn a_mesh_is_imported_and_a_model_or_a_name_is_opened() {
    let library = library();
    let request = |path: &str| library.request_for(PathBuf::from(path));
    assert_eq!(request("a/liver.vtu"), Request::Import("a/liver.vtu".into()));
    for path in ["a/jaw.toml", "jaw.json", "tongue"] {
        assert_eq!(request(path), Request::Open { path: path.into(), params: Vec::new() });
    }
}

#[test]
fn a_built_in_model_is_opened_by_a_click() {
    let mut dialogs = Dialogs::new(library());
    dialogs.open_model();
    let mut window = open(dialogs);
    window.get_by_label("tongue").click();
    window.run_steps(2);
    let expected = Request::Open { path: "tongue".into(), params: Vec::new() };
    assert_eq!(window.state().1, [expected]);
    assert!(!window.state().0.is_open());
}

#[test]
fn a_mesh_is_imported_with_the_parameters_that_were_given_and_previewed_with_them() {
    let reads = Arc::new(AtomicUsize::new(0));
    let seen = reads.clone();
    let read = move |path: &Path, params: &[String]| {
        seen.fetch_add(1, Ordering::SeqCst);
        Err(format!("{} {}", path.display(), params.join(" ")))
    };
    let library = Library { preview: Some(Arc::new(read)), ..library() };
    let mut dialogs = Dialogs::new(library);
    dialogs.import(Some("a/liver.vtu".into()));
    let mut window = open(dialogs);
    let wait = |window: &mut Harness<'_, (Dialogs, Vec<Request>)>, text: &str| {
        let begun = std::time::Instant::now();
        while window.query_by_label(text).is_none() {
            assert!(begun.elapsed().as_secs() < 60, "{text} is not shown");
            std::thread::sleep(std::time::Duration::from_millis(2));
            window.run_steps(1);
        }
    };
    wait(&mut window, "a/liver.vtu ");
    window.get_by_role_and_label(Role::ComboBox, "unit").click();
    window.run_steps(3);
    window.get_all_by_label("mm").last().unwrap().click();
    window.run_steps(3);
    wait(&mut window, "a/liver.vtu unit=mm");
    assert_eq!(reads.load(Ordering::SeqCst), 2, "once for each choice");
    window.get_by_label("Import").click();
    window.run_steps(2);
    let params = vec!["unit=mm".to_owned()];
    assert_eq!(window.state().1, [Request::Open { path: "a/liver.vtu".into(), params }]);
}

#[test]
fn the_size_of_a_saved_picture_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t0.png");
    let mut dialogs = Dialogs::new(library());
    dialogs.save_picture(&path, [700, 500]);
    let mut window = open(dialogs);
    window.get_by_label("width").set_value_accesskit(3000.0);
    window.run_steps(2);
    window.get_by_label("Save").click();
    window.run_steps(2);
    let expected = Request::SavePicture { path, size: [3000, 500], transparent: false };
    assert_eq!(window.state().1, [expected]);
}

#[test]
fn a_file_that_is_there_is_replaced_when_it_is_asked_for_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "").unwrap();
    let mut dialogs = Dialogs::new(library());
    dialogs.save_model(&path);
    let mut window = open(dialogs);
    window.get_by_label("Save").click();
    window.run_steps(2);
    assert!(window.state().1.is_empty() && window.state().0.is_open());
    assert!(window.query_by_label_contains("again to replace it").is_some());
    window.get_by_label("Save").click();
    window.run_steps(2);
    assert_eq!(window.state().1, [Request::SaveModel(path)]);
}

#[test]
fn a_path_that_leads_nowhere_is_told_in_the_dialog() {
    let mut dialogs = Dialogs::new(library());
    dialogs.open_model();
    let mut window = open(dialogs);
    window.get_by_label("path of the file").click();
    window.run_steps(2);
    window.get_by_label("path of the file").type_text("/nowhere/a.toml");
    window.run_steps(2);
    window.get_by_label("Open").click();
    window.run_steps(2);
    assert!(window.query_by_label("/nowhere/a.toml: there is no such file").is_some());
    assert!(window.state().1.is_empty() && window.state().0.is_open());
}
