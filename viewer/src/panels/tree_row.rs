//! A row of the tree: a name behind its sign, all of the width to be clicked.

use egui::{Align2, Pos2, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};
use sinew::snapshot::OutlineRow;

/// Indent of a generation [point].
const INDENT: f32 = 12.0;

/// What is done to a row.
pub(super) struct Touched {
    pub(super) row: Response,
    /// It is to be opened or closed.
    pub(super) turned: bool,
}

/// Draws a row; `open` is `None` where it has nothing below it.
pub(super) fn draw(ui: &mut Ui, data: &OutlineRow, open: Option<bool>, selected: bool) -> Touched {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (rect, row) = ui.allocate_exact_size(size, Sense::click());
    row.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, selected, &data.label));
    let left = rect.left() + INDENT * f32::from(data.depth);
    write(ui, data, rect, left + INDENT + 4.0, (&row, selected));
    let turned = open.is_some_and(|open| sign(ui, data, open, pos2(left + 8.0, rect.center().y)));
    Touched { row, turned }
}

fn write(ui: &Ui, data: &OutlineRow, rect: Rect, left: f32, (row, selected): (&Response, bool)) {
    let visuals = ui.style().interact_selectable(row, selected);
    if selected || row.hovered() || row.has_focus() {
        ui.painter().rect_filled(rect, 2.0, visuals.weak_bg_fill);
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let font = TextStyle::Body.resolve(ui.style());
    let at = pos2(left, rect.center().y);
    let name = painter.text(at, Align2::LEFT_CENTER, &data.label, font, visuals.text_color());
    let small = TextStyle::Small.resolve(ui.style());
    let beside = pos2(name.right() + 8.0, rect.center().y);
    let weak = ui.visuals().weak_text_color();
    painter.text(beside, Align2::LEFT_CENTER, data.id.kind().name(), small, weak);
}

/// A triangle, drawn: fonts need not have one. Whether it was clicked.
fn sign(ui: &Ui, data: &OutlineRow, open: bool, center: Pos2) -> bool {
    let area = Rect::from_center_size(center, vec2(INDENT, ui.spacing().interact_size.y));
    let response = ui.interact(area, ui.scope_id().with(("open", data.id)), Sense::click());
    let label = format!("{} {}", if open { "close" } else { "open" }, data.label);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let icon = Rect::from_center_size(center, vec2(7.0, 7.0));
    let corners = if open {
        vec![icon.left_top(), icon.right_top(), icon.center_bottom()]
    } else {
        vec![icon.left_top(), icon.right_center(), icon.left_bottom()]
    };
    let color = ui.style().interact(&response).text_color();
    ui.painter().add(egui::Shape::convex_polygon(corners, color, egui::Stroke::NONE));
    response.clicked()
}
