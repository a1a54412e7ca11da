//! A row of the tree: a name behind its sign, all of the width to be clicked; opacity, a mark to show it alone
//! and an eye at its right end.

use egui::{Align2, Color32, Pos2, Rect, Response, Role, Sense, Stroke, TextStyle, Ui, WidgetInfo};
use egui::{pos2, vec2};
use sinew::snapshot::OutlineRow;

/// Indent of a generation [point].
const INDENT: f32 = 12.0;
/// Width of the eye, and of the mark beside it [point].
const ICON: f32 = 18.0;
/// Width of the field for opacity [point].
const OPACITY: f32 = 34.0;

/// Actions of the user on a row.
pub(super) struct Touched {
    pub(super) row: Response,
    /// It is to be opened or closed.
    pub(super) turned: bool,
    /// The eye was clicked.
    pub(super) eye: bool,
    /// The mark to show it alone was clicked.
    pub(super) isolate: bool,
    /// Opacity that was entered [-], and whether it is still being drawn.
    pub(super) opacity: Option<f64>,
}

/// Look of a row.
#[derive(Clone, Copy)]
pub(super) struct Looks<'a> {
    /// `None` where it has nothing below it.
    pub(super) open: Option<bool>,
    pub(super) selected: bool,
    /// True if it is shown alone.
    pub(super) isolated: bool,
    /// Text beside the name.
    pub(super) title: &'a str,
}

/// Draws a row.
pub(super) fn draw(ui: &mut Ui, data: &OutlineRow, looks: Looks<'_>) -> Touched {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (rect, row) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let selected = looks.selected;
    row.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, &data.label));
    let left = rect.left() + INDENT * f32::from(data.depth);
    // They come under the pointer, and stay where something is not as it was.
    let pointed = ui.rect_contains_pointer(rect) || selected || row.has_focus();
    let changed = !data.visible || looks.isolated || data.alpha < 1.0;
    let tools = data.drawn && (pointed || changed);
    let right = rect.right() - if tools { 2.0 * ICON + OPACITY + 6.0 } else { 0.0 };
    let words = Rect::from_min_max(rect.min, pos2(right.max(rect.left()), rect.bottom()));
    write(ui, data, (rect, words), left + INDENT + 4.0, (&row, looks));
    let turned =
        looks.open.is_some_and(|open| sign(ui, data, open, pos2(left + 8.0, rect.center().y)));
    let mut touched = Touched { row, turned, eye: false, isolate: false, opacity: None };
    if tools {
        touched.eye = eye(ui, data, pos2(rect.right() - 0.5 * ICON, rect.center().y));
        touched.isolate =
            isolate(ui, data, looks.isolated, pos2(rect.right() - 1.5 * ICON, rect.center().y));
        let field = Rect::from_center_size(
            pos2(rect.right() - 2.0 * ICON - 0.5 * OPACITY - 2.0, rect.center().y),
            vec2(OPACITY, rect.height()),
        );
        touched.opacity = opacity(ui, data, field);
    }
    touched
}

fn write(
    ui: &Ui,
    data: &OutlineRow,
    (rect, words): (Rect, Rect),
    left: f32,
    (row, looks): (&Response, Looks<'_>),
) {
    let visuals = ui.style().interact_selectable(row, looks.selected);
    if looks.selected || row.hovered() || row.has_focus() {
        ui.painter().rect_filled(rect, 2.0, visuals.weak_bg_fill);
    }
    let painter = ui.painter().with_clip_rect(words.intersect(ui.clip_rect()));
    let font = TextStyle::Body.resolve(ui.style());
    let at = pos2(left, rect.center().y);
    let weak = ui.visuals().weak_text_color();
    let ink = if data.visible { visuals.text_color() } else { weak };
    let name = painter.text(at, Align2::LEFT_CENTER, &data.label, font, ink);
    let small = TextStyle::Small.resolve(ui.style());
    let beside = pos2(name.right() + 8.0, rect.center().y);
    painter.text(beside, Align2::LEFT_CENTER, looks.title, small, weak);
}

/// A triangle, drawn: fonts need not have one. Whether it was clicked.
fn sign(ui: &Ui, data: &OutlineRow, open: bool, center: Pos2) -> bool {
    let what = if open { "close" } else { "open" };
    let area = Rect::from_center_size(center, vec2(INDENT, ui.spacing().interact_size.y));
    let (response, color) = button(ui, data, what, area);
    let icon = Rect::from_center_size(center, vec2(7.0, 7.0));
    let corners = if open {
        vec![icon.left_top(), icon.right_top(), icon.center_bottom()]
    } else {
        vec![icon.left_top(), icon.right_center(), icon.left_bottom()]
    };
    ui.painter().add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
    response.clicked()
}

/// A button in a row, which tells its name, and the colour of its icon.
fn button(ui: &Ui, data: &OutlineRow, what: &str, area: Rect) -> (Response, Color32) {
    let response = ui.interact(area, ui.scope_id().with((what, data.id)), Sense::click());
    let label = format!("{what} {}", data.label);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let color = ui.style().interact(&response).text_color();
    (response.on_hover_text(label), color)
}

/// An eye, crossed where it sees nothing. Whether it was clicked.
fn eye(ui: &Ui, data: &OutlineRow, center: Pos2) -> bool {
    let area = Rect::from_center_size(center, vec2(ICON, ui.spacing().interact_size.y));
    let (response, color) = button(ui, data, if data.visible { "hide" } else { "show" }, area);
    let stroke = Stroke::new(1.2, color);
    let lid = |side: f32| {
        let point = |k: i32| {
            let x = k as f32 / 4.0;
            pos2(center.x + 6.0 * x, center.y + side * 3.6 * (1.0 - x * x))
        };
        (-4..=4).map(point).collect::<Vec<_>>()
    };
    for side in [-1.0, 1.0] {
        ui.painter().add(egui::Shape::line(lid(side), stroke));
    }
    if data.visible {
        ui.painter().circle_filled(center, 1.8, color);
    } else {
        let ends = [center + vec2(-5.0, 5.0), center + vec2(5.0, -5.0)];
        ui.painter().line_segment(ends, stroke);
    }
    response.clicked()
}

/// A dot in a frame: one alone. Whether it was clicked.
fn isolate(ui: &Ui, data: &OutlineRow, isolated: bool, center: Pos2) -> bool {
    let area = Rect::from_center_size(center, vec2(ICON, ui.spacing().interact_size.y));
    let (response, color) = button(ui, data, if isolated { "unisolate" } else { "isolate" }, area);
    let frame = Rect::from_center_size(center, vec2(10.0, 10.0));
    let stroke = Stroke::new(1.2, color);
    ui.painter().rect_stroke(frame, 2.0, stroke, egui::StrokeKind::Middle);
    ui.painter().circle_filled(center, if isolated { 3.2 } else { 1.8 }, color);
    response.clicked()
}

/// A field for the opacity, as it is now; what was entered, if that is another one [-].
fn opacity(ui: &mut Ui, data: &OutlineRow, area: Rect) -> Option<f64> {
    let before = f64::from(data.alpha);
    let mut now = before;
    let field = egui::DragValue::new(&mut now).speed(0.01).max_decimals(2);
    let response = ui.put(area, field.update_while_editing(false));
    super::value::name(&response, &format!("opacity of {}", data.label));
    let response = response.on_hover_text("Opacity, 0 to 1");
    if response.dragged() {
        now = now.clamp(0.0, 1.0);
    }
    (response.changed() && (now - before).abs() > 1e-4).then_some(now)
}
