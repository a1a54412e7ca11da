//! Curves that are drawn, nailed, pulled, saved and opened by hand, by the names of the buttons.

use egui::vec2;
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::app::hand::button;
use crate::app::plane::WIDTH;

struct Window {
    curves: Curves,
    actions: Actions,
}

fn open() -> Harness<'static, Window> {
    let mut curves = Curves::default();
    let read = |path: &Path| sinew_model_files::read_drawing(path).map_err(|it| it.to_string());
    let write = |drawing: &Drawing, path: &Path| {
        sinew_model_files::write_drawing(drawing, path).map_err(|it| it.to_string())
    };
    curves.set_files(Some((read, write)));
    let show = |ui: &mut Ui, it: &mut Window| it.curves.ui(ui, &mut it.actions);
    let state = Window { curves, actions: Actions::default() };
    let mut window = Harness::builder().with_size([900.0, 700.0]).build_ui_state(show, state);
    window.run_steps(2);
    window
}

/// Place in the window of a place of the plane.
fn at(window: &Harness<'_, Window>, [x, y]: [f64; 2]) -> Pos2 {
    let rect = window.get_by_label("drawing of curves").rect();
    let scale = f64::from(rect.width()) / WIDTH;
    rect.center() + vec2((x * scale) as f32, (-y * scale) as f32)
}

fn click(window: &mut Harness<'_, Window>, place: [f64; 2]) {
    let pos = at(window, place);
    window.hover_at(pos);
    window.run_steps(1);
    button(window, pos, true);
    button(window, pos, false);
    window.run_steps(1);
}

/// Drags, and holds for some frames before it lets go.
fn drag(window: &mut Harness<'_, Window>, from: [f64; 2], to: [f64; 2], frames: usize) {
    let [from, to] = [from, to].map(|place| at(window, place));
    window.hover_at(from);
    window.run_steps(1);
    button(window, from, true);
    for part in [0.4, 1.0] {
        window.hover_at(from + (to - from) * part);
        window.run_steps(1);
    }
    window.run_steps(frames);
    button(window, to, false);
}

fn take(window: &mut Harness<'_, Window>, tool: &str) {
    window.get_by_label(tool).click();
    window.run_steps(2);
}

fn type_into(window: &mut Harness<'_, Window>, field: &str, text: &str) {
    window.get_by_label(field).focus();
    window.run_steps(2);
    window.get_by_label(field).type_text(text);
    window.run_steps(2);
}

fn drawing<'w>(window: &'w Harness<'_, Window>) -> &'w Drawing {
    window.state().curves.board().expect("there is one").drawing()
}

#[test]
fn a_circle_is_nailed_to_a_line_pulled_saved_and_opened() {
    let mut window = open();
    take(&mut window, "line");
    drag(&mut window, [-2.0, -0.5], [2.0, -0.5], 0);
    take(&mut window, "circle");
    drag(&mut window, [0.0, 0.5], [0.0, 1.3], 0);
    assert_eq!(drawing(&window).curves.len(), 2, "{:?}", window.state().actions);
    take(&mut window, "Nail");
    click(&mut window, [-2.0, -0.5]);
    click(&mut window, [-2.5, -1.5]);
    click(&mut window, [0.0, -0.3]);
    click(&mut window, [0.0, -0.5]);
    let nails = &drawing(&window).nails;
    assert_eq!(nails.len(), 2, "{:?}", window.state().actions);
    assert!(nails[0].at.is_some() && nails[1].to.is_some(), "{nails:?}");
    window.run_steps(SETTLING);
    let board = window.state().curves.board().unwrap();
    let gap = |board: &DrawingBoard| {
        let nail = &board.drawing().nails[1];
        let [a, b] =
            [Some(&nail.point), nail.to.as_ref()].map(|it| board.place_of(it.unwrap()).unwrap());
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
    assert!(gap(board) < 1e-3, "{}", gap(board));
    let circle = &drawing(&window).curves[1].parameters;
    let top = [circle[0], circle[1] + circle[2]];
    take(&mut window, "Pull");
    drag(&mut window, top, [top[0] + 0.6, top[1] + 0.4], 60);
    let pulled = drawing(&window).clone();
    assert!((pulled.curves[1].parameters[1] - top[1]).abs() < 1.0);
    assert!(gap(window.state().curves.board().unwrap()) < 1e-3);
    assert_ne!(pulled.curves[1].parameters[0], 0.0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("ring{DRAWING_ENDING}"));
    type_into(&mut window, "file of the drawing", &path.display().to_string());
    window.run_steps(SETTLING);
    let rest = drawing(&window).clone();
    take(&mut window, "Save drawing");
    take(&mut window, "Remove curve");
    let line = rest.curves[0].parameters.clone();
    click(&mut window, [0.5 * (line[0] + line[2]) + 1.0, line[1] + (line[3] - line[1]) * 0.75]);
    take(&mut window, "Open drawing");
    assert_eq!(window.state().actions.refusals, Vec::<String>::new());
    assert_eq!(drawing(&window).nails, rest.nails);
    take(&mut window, "Save curves as SVG");
    assert!(window.state().actions.files[0].1.contains("<title>circle1</title>"));
}

#[test]
fn an_equation_is_entered_and_what_is_wrong_with_it_is_told() {
    let mut window = open();
    take(&mut window, "Add curve");
    assert_eq!(drawing(&window).curves[0].names, ["x", "y", "a", "b"]);
    type_into(&mut window, "parameters of the equation", " c");
    take(&mut window, "Add curve");
    assert!(window.state().actions.refusals[0].contains("NAME=NUMBER"));
    take(&mut window, "Undo curve");
    assert!(drawing(&window).curves.is_empty());
    take(&mut window, "Redo curve");
    assert_eq!(drawing(&window).curves.len(), 1);
}
