//! The pane of curves: a drawing on a board, whose curves are drawn, pulled and nailed together by hand
//! (Witkin1990, section 5.2). The board moves them; `paint` shows them.

mod paint;

use std::path::{Path, PathBuf};

use egui::{PointerButton, Pos2, Response, TextEdit, Ui};
use sinew::interactive::{CurveKind, Drawing, DrawingBoard, DrawnCurve, NearPoint};

use super::plane::{Plane, PlaneView, REACH};
use crate::panels::{Actions, name};

/// Ending of the names of files of drawings.
pub const DRAWING_ENDING: &str = ".drawing.toml";

/// Time of a step [s], and frames for which nails are brought together after an edit.
const STEP: f64 = 1.0 / 60.0;
const SETTLING: usize = 90;

/// Reads a drawing from a file; the error is in words.
pub type ReadDrawing = fn(&Path) -> Result<Drawing, String>;
/// Writes a drawing into a file; the error is in words.
pub type WriteDrawing = fn(&Drawing, &Path) -> Result<(), String>;

/// A tool of the pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CurveTool {
    #[default]
    Pull,
    Nail,
    Remove,
    Draw(CurveKind),
}

/// The pane of curves.
pub(super) struct Curves {
    board: Option<DrawingBoard>,
    tool: CurveTool,
    view: PlaneView,
    /// Begin of a curve that is drawn.
    begun: Option<[f64; 2]>,
    /// The point that was clicked first with the nail.
    first: Option<NearPoint>,
    /// Equation of a curve, and its parameters with values.
    equation: [String; 2],
    file: String,
    /// Frames until what was nailed rests.
    settling: usize,
    files: Option<(ReadDrawing, WriteDrawing)>,
}

impl Default for Curves {
    fn default() -> Self {
        Self {
            board: DrawingBoard::new(Drawing::default()).ok(),
            tool: CurveTool::default(),
            view: PlaneView::default(),
            begun: None,
            first: None,
            equation: ["x + a*s; y + b*sin(s)".to_owned(), "x=-1 y=0 a=0.4 b=0.5".to_owned()],
            file: String::new(),
            settling: 0,
            files: None,
        }
    }
}

impl Curves {
    /// Takes readers and writers of files.
    pub(super) fn set_files(&mut self, files: Option<(ReadDrawing, WriteDrawing)>) {
        self.files = files;
    }

    /// The board, for what is tested.
    #[cfg(test)]
    pub(super) fn board(&self) -> Option<&DrawingBoard> {
        self.board.as_ref()
    }

    /// Opens a drawing; the reason in words where it cannot be.
    pub(super) fn open(&mut self, path: &Path) -> Result<(), String> {
        let (read, _) = self.files.ok_or("no drawings are read here")?;
        let board = DrawingBoard::new(read(path)?).map_err(|error| error.to_string())?;
        self.board = Some(board);
        self.file = path.display().to_string();
        self.settling = SETTLING;
        Ok(())
    }

    /// Draws the pane and takes in what is done in it.
    pub(super) fn ui(&mut self, ui: &mut Ui, actions: &mut Actions) {
        let told = self.bars(ui, actions).and_then(|()| self.plane(ui));
        if let Err(why) = told {
            actions.refusals.push(why);
        }
    }

    fn bars(&mut self, ui: &mut Ui, actions: &mut Actions) -> Result<(), String> {
        ui.horizontal_wrapped(|ui| {
            let mut tools = vec![
                ("Pull", CurveTool::Pull, "Drag any point of a curve"),
                (
                    "Nail",
                    CurveTool::Nail,
                    "Click a point of a curve, then one of another; or twice",
                ),
                ("Remove curve", CurveTool::Remove, "Click a curve"),
            ];
            let kinds = CurveKind::ALL.into_iter().filter(|kind| *kind != CurveKind::Equation);
            let hint = "Drag: from end to end, or from the centre outwards";
            tools.extend(kinds.map(|kind| (kind.name(), CurveTool::Draw(kind), hint)));
            for (label, tool, hint) in tools {
                let button = ui.selectable_label(self.tool == tool, label).on_hover_text(hint);
                if button.clicked() {
                    (self.tool, self.first) = (tool, None);
                }
            }
        });
        let mut told = Ok(());
        ui.horizontal_wrapped(|ui| told = self.equation_bar(ui));
        ui.horizontal_wrapped(|ui| told = told.clone().and(self.file_bar(ui, actions)));
        told
    }

    /// A curve by an equation of its own.
    fn equation_bar(&mut self, ui: &mut Ui) -> Result<(), String> {
        ui.label("equation x(s); y(s)");
        let field = TextEdit::singleline(&mut self.equation[0]).desired_width(170.0);
        name(&ui.add(field), "equation of a curve");
        let field = TextEdit::singleline(&mut self.equation[1]).desired_width(150.0);
        name(&ui.add(field), "parameters of the equation");
        if !ui.button("Add curve").on_hover_text("s goes from 0 to 2 π").clicked() {
            return Ok(());
        }
        let (mut names, mut parameters) = (Vec::new(), Vec::new());
        for word in self.equation[1].split_whitespace() {
            let pair = word.split_once('=').and_then(|(name, x)| Some((name, x.parse().ok()?)));
            let (name, x): (&str, f64) =
                pair.ok_or_else(|| format!("'{word}' is no parameter: enter NAME=NUMBER"))?;
            names.push(name.to_owned());
            parameters.push(x);
        }
        let (equation, kind) = (self.equation[0].clone(), CurveKind::Equation);
        self.edit(|drawing| {
            let name = drawing.free_name(kind);
            let curve = DrawnCurve::new(name, kind, parameters);
            drawing.curves.push(DrawnCurve { equation, names, ..curve });
        })
    }

    fn file_bar(&mut self, ui: &mut Ui, actions: &mut Actions) -> Result<(), String> {
        let undone = match [ui.button("Undo curve").clicked(), ui.button("Redo curve").clicked()] {
            [true, _] => self.board_mut()?.undo(),
            [_, true] => self.board_mut()?.redo(),
            _ => Ok(true),
        };
        undone.map_err(|error| error.to_string())?;
        let hint = format!("NAME{DRAWING_ENDING}");
        let field = TextEdit::singleline(&mut self.file).hint_text(hint).desired_width(190.0);
        name(&ui.add(field), "file of the drawing");
        let there = !self.file.trim().is_empty();
        let path = PathBuf::from(self.file.trim());
        if ui.add_enabled(there, egui::Button::new("Open drawing")).clicked() {
            self.open(&path)?;
        }
        if ui.add_enabled(there, egui::Button::new("Save drawing")).clicked() {
            let (_, write) = self.files.ok_or("no drawings are written here")?;
            if !self.file.trim().ends_with(DRAWING_ENDING) {
                return Err(format!("{}: the name must end with {DRAWING_ENDING}", path.display()));
            }
            write(self.board_mut()?.drawing(), &path)?;
        }
        if ui.button("Save curves as SVG").clicked() {
            let board = self.board_mut()?;
            actions.files.push(("curves.svg".to_owned(), board.to_svg()));
        }
        Ok(())
    }

    fn board_mut(&mut self) -> Result<&mut DrawingBoard, String> {
        self.board.as_mut().ok_or_else(|| "there is no drawing".to_owned())
    }

    fn edit(&mut self, change: impl FnOnce(&mut Drawing)) -> Result<(), String> {
        self.settling = SETTLING;
        self.board_mut()?.edit(change).map_err(|error| error.to_string())
    }

    fn plane(&mut self, ui: &mut Ui) -> Result<(), String> {
        let (plane, response) = self.view.show(ui, "drawing of curves");
        let done = self.take_in(ui, &response, plane);
        let moved = self.advance(ui);
        if let Some(board) = &self.board {
            let near = response.hover_pos().and_then(|at| near(board, plane, at));
            paint::board(ui, plane, board, near.as_ref(), self.first.as_ref());
            let latest = ui.input(|input| input.pointer.latest_pos());
            if let (Some(from), CurveTool::Draw(kind), Some(at)) = (self.begun, self.tool, latest) {
                paint::draft(ui, plane, kind, [from, plane.to_plane(at)]);
            }
        }
        done.and(moved)
    }

    fn take_in(&mut self, ui: &Ui, response: &Response, plane: Plane) -> Result<(), String> {
        let pressed = ui.input(|input| input.pointer.press_origin());
        let latest = ui.input(|input| input.pointer.latest_pos());
        let begun = pressed.filter(|_| response.drag_started_by(PointerButton::Primary));
        match self.tool {
            CurveTool::Pull => self.pull(response, begun, latest, plane),
            CurveTool::Draw(kind) => {
                self.begun = begun.map(|at| plane.to_plane(at)).or(self.begun);
                let ended = response.drag_stopped_by(PointerButton::Primary);
                let (true, Some(from), Some(at)) = (ended, self.begun, latest) else {
                    return Ok(());
                };
                self.begun = None;
                let parameters = kind.drawn(from, plane.to_plane(at));
                self.edit(|drawing| {
                    let name = drawing.free_name(kind);
                    drawing.curves.push(DrawnCurve::new(name, kind, parameters));
                })
            }
            CurveTool::Nail | CurveTool::Remove => {
                let clicked = response.clicked().then(|| response.interact_pointer_pos()).flatten();
                let Some(at) = clicked else { return Ok(()) };
                if self.tool == CurveTool::Nail {
                    self.nail(plane, at)
                } else {
                    self.remove(plane, at)
                }
            }
        }
    }

    fn pull(
        &mut self,
        response: &Response,
        begun: Option<Pos2>,
        latest: Option<Pos2>,
        plane: Plane,
    ) -> Result<(), String> {
        let board = self.board.as_mut().ok_or("there is no drawing")?;
        let words = |error: sinew::interactive::BoardError| error.to_string();
        if let Some(near) = begun.and_then(|at| near(board, plane, at)) {
            board.pull(&near.point, near.place).map_err(words)?;
        }
        if let (true, Some(at)) = (board.is_pulled(), latest) {
            board.move_pull(plane.to_plane(at)).map_err(words)?;
        }
        if board.is_pulled() && response.drag_stopped() {
            board.release().map_err(words)?;
            self.settling = SETTLING;
        }
        Ok(())
    }

    /// The first click takes a point, the second one a point of another curve, or the ground.
    fn nail(&mut self, plane: Plane, at: Pos2) -> Result<(), String> {
        let board = self.board.as_mut().ok_or("there is no drawing")?;
        let Some(first) = self.first.take() else {
            self.first = near(board, plane, at);
            let none = "no curve is here: click a point of one";
            return self.first.is_some().then_some(()).ok_or_else(|| none.to_owned());
        };
        let other = board.nearest(plane.to_plane(at), Some(&first.point.curve));
        let other = other.filter(|other| other.distance * plane.scale <= f64::from(REACH));
        self.settling = SETTLING;
        board.nail(first, other.map(|other| other.point)).map_err(|error| error.to_string())
    }

    fn remove(&mut self, plane: Plane, at: Pos2) -> Result<(), String> {
        let board = self.board.as_mut().ok_or("there is no drawing")?;
        match near(board, plane, at) {
            Some(near) => board.remove(&near.point.curve).map_err(|error| error.to_string()),
            None => Err("no curve is here: click a point of one".to_owned()),
        }
    }

    /// A step of time, while something moves.
    fn advance(&mut self, ui: &Ui) -> Result<(), String> {
        let Some(board) = &mut self.board else { return Ok(()) };
        if !board.is_pulled() && self.settling == 0 {
            return Ok(());
        }
        self.settling = self.settling.saturating_sub(1);
        ui.ctx().request_repaint();
        board.step(STEP).map_err(|error| {
            self.settling = 0;
            error.to_string()
        })
    }
}

/// The point of a curve that is near the pointer.
fn near(board: &DrawingBoard, plane: Plane, at: Pos2) -> Option<NearPoint> {
    let found = board.nearest(plane.to_plane(at), None);
    found.filter(|near| near.distance * plane.scale <= f64::from(REACH))
}

#[cfg(test)]
mod tests;
