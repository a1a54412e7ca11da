//! The large display of a probe: its curves with axes, whose points are moved by hand; a table of them; files.

use egui::{
    CollapsingHeader, ComboBox, DragValue, Grid, PointerButton, Pos2, ScrollArea, TextEdit, Ui,
};
use egui_plot::{Legend, Line, Plot, PlotPoint, PlotPoints, PlotResponse, Points};
use sinew::component::ComponentId;
use sinew::model::ProbeInterpolation;
use sinew::schedule::{Command, ProbeCurve, ProbeEdit, ProbeTrack, Status};

use super::probes::{edit, placed, set};
use crate::panels::{Actions, curve_color, name};

/// Distance within which the pointer takes a point [point].
const REACH: f32 = 9.0;
/// Size of the display when it opens, and height of its table [point].
const SIZE: [f32; 2] = [560.0, 380.0];
const TABLE: f32 = 110.0;
/// Least width of the numbers beside the plot [point].
const AXIS: f32 = 40.0;

/// A point of a curve: its place, and the column.
type Knot = (usize, usize);

/// The probe that is shown large.
#[derive(Debug)]
pub(super) struct Display {
    probe: ComponentId,
    /// Path of a file to import or export.
    file: String,
    /// The point in the hand, and whether its edit goes on.
    grabbed: Option<(Knot, bool)>,
    /// The point under the pointer.
    near: Option<Knot>,
    /// Place of the last right click: a time [s], and the point there.
    asked: (f64, Option<Knot>),
}

impl Display {
    pub(super) fn of(probe: ComponentId) -> Self {
        Self { probe, file: String::new(), grabbed: None, near: None, asked: (0.0, None) }
    }

    /// Draws it over the window; false once it was closed, or its probe is gone.
    pub(super) fn ui(&mut self, ui: &Ui, status: &Status, actions: &mut Actions) -> bool {
        let Some((_, track)) = placed(status).find(|(at, _)| *at == self.probe) else {
            return false;
        };
        let mut open = true;
        let screen = ui.ctx().content_rect();
        let size = egui::Vec2::from(SIZE).min(screen.size() - egui::vec2(40.0, 60.0));
        egui::Window::new(format!("Probe {}", track.name))
            .id(egui::Id::unique("large display of a probe"))
            .default_size(size)
            .default_pos(screen.center() - 0.5 * size)
            .max_size(screen.size() - egui::vec2(20.0, 40.0))
            .open(&mut open)
            .show(ui.ctx(), |ui| {
                self.bar(ui, track, actions);
                if track.feeds {
                    let header = CollapsingHeader::new("Points").id_salt("points of a probe");
                    header.show(ui, |ui| self.table(ui, &track.curve, actions));
                }
                self.plot(ui, &track.curve, actions);
            });
        open
    }

    /// Switch, interpolation, files.
    fn bar(&mut self, ui: &mut Ui, track: &ProbeTrack, actions: &mut Actions) {
        let probe = self.probe;
        ui.horizontal_wrapped(|ui| {
            let mut on = track.enabled;
            if ui.checkbox(&mut on, "On").clicked() {
                set(actions, track, "enabled", on.to_string());
            }
            if let Some(now) = track.interpolation {
                let list = ComboBox::from_label("interpolation").selected_text(now.name());
                list.show_ui(ui, |ui| {
                    for &interpolation in ProbeInterpolation::ALL {
                        let same = now == interpolation;
                        if ui.selectable_label(same, interpolation.name()).clicked() && !same {
                            set(actions, track, "interpolation", interpolation.name().to_owned());
                        }
                    }
                });
            }
            let field = TextEdit::singleline(&mut self.file).hint_text("path of a table");
            name(&ui.add(field.desired_width(170.0)), "path of a table");
            let file = std::path::PathBuf::from(self.file.trim());
            ui.add_enabled_ui(!self.file.trim().is_empty(), |ui| {
                let import = egui::Button::new("Import");
                if ui.add_enabled(track.feeds, import).clicked() {
                    edit(actions, ProbeEdit::Import { probe, file: file.clone() }, false);
                }
                if ui.button("Export").clicked() {
                    actions.commands.push(Command::ExportProbe { probe, file });
                }
            });
        });
    }

    /// Times and values of the points, to be typed.
    fn table(&self, ui: &mut Ui, curve: &ProbeCurve, actions: &mut Actions) {
        if !curve.editable {
            ui.weak("its table is too long to be edited by hand: edit its file, and import that");
            return;
        }
        let probe = self.probe;
        let gaps = curve.times.windows(2).map(|it| (it[1] - it[0], 0.5 * (it[0] + it[1])));
        let widest = gaps.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, middle)| middle);
        let time = widest.or_else(|| Some(curve.times.first()? + 1.0));
        let add = ui.button("Add a point").on_hover_text("In the middle of the longest gap");
        if let Some(time) = time.filter(|_| add.clicked()) {
            edit(actions, ProbeEdit::AddPoint { probe, time }, false);
        }
        let height = ui.spacing().interact_size.y;
        let scroll = ScrollArea::both().max_height(TABLE).auto_shrink([false, true]);
        scroll.show_rows(ui, height, curve.times.len(), |ui, rows| {
            let grid = Grid::new("points").striped(true).num_columns(curve.width() + 2);
            grid.show(ui, |ui| {
                for point in rows {
                    self.row(ui, curve, point, actions);
                    ui.end_row();
                }
            });
        });
    }

    fn row(&self, ui: &mut Ui, curve: &ProbeCurve, point: usize, actions: &mut Actions) {
        let (probe, number) = (self.probe, point + 1);
        let (mut time, mut values) = (curve.times[point], curve.point(point).to_vec());
        let mut changed = false;
        let mut field = |ui: &mut Ui, x: &mut f64, unit: &str, label: String| {
            // A drag of the mouse is for the curve.
            let field = DragValue::new(x).speed(0.0).suffix(unit).max_decimals(6);
            let field = ui.add(field.update_while_editing(false));
            name(&field, &label);
            changed |= field.changed();
        };
        field(ui, &mut time, " s", format!("time of point {number}"));
        let many = values.len() > 1;
        for (column, x) in values.iter_mut().enumerate() {
            let nth = if many { format!(" {}", column + 1) } else { String::new() };
            field(ui, x, "", format!("value{nth} of point {number}"));
        }
        if changed {
            edit(actions, ProbeEdit::SetPoint { probe, point, time, values }, false);
        }
        let remove = ui.small_button("Remove");
        name(&remove, &format!("remove point {number}"));
        if remove.clicked() {
            edit(actions, ProbeEdit::RemovePoint { probe, point }, false);
        }
    }

    fn plot(&mut self, ui: &mut Ui, curve: &ProbeCurve, actions: &mut Actions) {
        let free = self.near.is_none() && self.grabbed.is_none();
        let plot = Plot::new("large display").allow_drag(free).allow_double_click_reset(false);
        let mut plot = plot.height(ui.available_height().max(120.0)).y_axis_min_width(AXIS);
        if curve.width() > 1 {
            plot = plot.legend(Legend::default());
        }
        let drawn = plot.show(ui, |plot| {
            for (column, path) in curve.columns.iter().enumerate() {
                let title = path.rsplit('/').next().unwrap_or(path).to_owned();
                let color = curve_color(column);
                let line: PlotPoints<'_> = curve.line(column).map(|(t, x)| [t, x]).collect();
                plot.line(Line::new(title.clone(), line).color(color));
                if curve.editable {
                    let points = curve.times.iter().enumerate();
                    let points: PlotPoints<'_> =
                        points.map(|(k, &t)| [t, curve.point(k)[column]]).collect();
                    plot.points(Points::new(title, points).radius(4.0).color(color));
                }
            }
        });
        if curve.editable {
            self.take_points(ui, curve, &drawn, actions);
        }
    }

    /// Moves, adds and removes points by the pointer.
    fn take_points(
        &mut self,
        ui: &Ui,
        curve: &ProbeCurve,
        drawn: &PlotResponse<()>,
        actions: &mut Actions,
    ) {
        let (probe, response) = (self.probe, &drawn.response);
        self.near = response.hover_pos().and_then(|at| knot_near(curve, drawn, at));
        let pressed = ui.input(|input| input.pointer.press_origin());
        if let Some(at) = pressed.filter(|_| response.drag_started_by(PointerButton::Primary)) {
            self.grabbed = knot_near(curve, drawn, at).map(|knot| (knot, false));
        }
        if self.near.or(self.grabbed.map(|it| it.0)).is_some() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        }
        self.drag_point(ui, curve, drawn, actions);
        let pointer = response.interact_pointer_pos();
        if let Some(at) = pointer.filter(|_| response.double_clicked() && self.near.is_none()) {
            let time = drawn.transform.value_from_position(at).x;
            edit(actions, ProbeEdit::AddPoint { probe, time }, false);
        }
        if let Some(at) = pointer.filter(|_| response.secondary_clicked()) {
            let time = drawn.transform.value_from_position(at).x;
            self.asked = (time, knot_near(curve, drawn, at));
        }
        response.context_menu(|ui| self.point_menu(ui, actions));
    }

    /// Moves the point in the hand to the pointer.
    fn drag_point(
        &mut self,
        ui: &Ui,
        curve: &ProbeCurve,
        drawn: &PlotResponse<()>,
        actions: &mut Actions,
    ) {
        let (probe, response) = (self.probe, &drawn.response);
        let latest = ui.input(|input| input.pointer.latest_pos());
        if let (Some(((point, column), goes_on)), Some(at)) = (&mut self.grabbed, latest)
            && response.dragged()
            && *point < curve.times.len()
        {
            let to = drawn.transform.value_from_position(at);
            let mut values = curve.point(*point).to_vec();
            values[*column] = to.y;
            let (point, time) = (*point, to.x);
            edit(actions, ProbeEdit::SetPoint { probe, point, time, values }, *goes_on);
            *goes_on = true;
        }
        if response.drag_stopped() {
            self.grabbed = None;
        }
    }

    /// The menu of the place of the last right click.
    fn point_menu(&self, ui: &mut Ui, actions: &mut Actions) {
        let (probe, (time, knot)) = (self.probe, self.asked);
        if ui.button("Add a point here").clicked() {
            edit(actions, ProbeEdit::AddPoint { probe, time }, false);
            ui.close();
        }
        if let Some((point, _)) = knot
            && ui.button("Remove this point").clicked()
        {
            edit(actions, ProbeEdit::RemovePoint { probe, point }, false);
            ui.close();
        }
    }
}

/// The point of a curve that is nearest to a place, within reach.
fn knot_near(curve: &ProbeCurve, drawn: &PlotResponse<()>, at: Pos2) -> Option<Knot> {
    let knots =
        (0..curve.times.len()).flat_map(|k| (0..curve.width()).map(move |column| (k, column)));
    let off = |&(k, column): &Knot| {
        let point = PlotPoint::new(curve.times[k], curve.point(k)[column]);
        drawn.transform.position_from_point(&point).distance(at)
    };
    let near = knots.filter(|knot| off(knot) < REACH);
    near.min_by(|a, b| off(a).total_cmp(&off(b)))
}
