//! Rows of the tree that are dragged onto others: components that get another parent, by the edit of *Move to...*.

use std::collections::HashSet;

use egui::{Align2, Response, TextStyle, Ui, vec2};
use sinew::component::{ComponentId, ROOT};
use sinew::editing::EditCommand;
use sinew::schedule::Command;
use sinew::snapshot::Outline;

use super::{Actions, Selection, frame_target, paths};

/// Components whose rows are dragged.
struct DraggedRows(Vec<ComponentId>);

/// Takes in a drag of a row, and rows that are let go of over it; what came of it is one edit. Of several that are selected
/// all are dragged.
pub(super) fn drag(
    ui: &Ui,
    response: &Response,
    (outline, row): (&Outline, usize),
    selection: &Selection,
    actions: &mut Actions,
) {
    let id = outline.rows[row].id;
    if response.drag_started_by(egui::PointerButton::Primary) && id != ROOT {
        let several = selection.is_selected(id) && !selection.is_selected(ROOT);
        let dragged = if several { selection.ids().to_vec() } else { vec![id] };
        response.dnd_set_drag_payload(DraggedRows(dragged));
    }
    if let Some(over) = response.dnd_hover_payload::<DraggedRows>()
        && !over.0.contains(&id)
    {
        frame_target(ui, response);
        tell(ui, (outline, row), &over.0);
    }
    if let Some(dropped) = response.dnd_release_payload::<DraggedRows>()
        && !dropped.0.contains(&id)
    {
        let parent = outline.path(row);
        let to = |path| EditCommand::Move { path, parent: parent.clone() };
        let edits = paths(outline, &uppermost(outline, &dropped.0)).into_iter().map(to);
        actions.commands.push(Command::Edit(edits.collect()));
    }
}

/// Components of which nothing above is among them: what is below goes along.
fn uppermost(outline: &Outline, ids: &[ComponentId]) -> Vec<ComponentId> {
    let known: HashSet<ComponentId> = ids.iter().copied().collect();
    let goes_along = |id: ComponentId| {
        let mut row = outline.row(id).unwrap_or_default();
        while row != 0 {
            row = outline.rows[row].parent as usize;
            if known.contains(&outline.rows[row].id) {
                return true;
            }
        }
        false
    };
    ids.iter().copied().filter(|&id| !goes_along(id)).collect()
}

/// Says beside the pointer what would go where.
fn tell(ui: &Ui, (outline, row): (&Outline, usize), dragged: &[ComponentId]) {
    let Some(at) = ui.input(|input| input.pointer.latest_pos()) else { return };
    let what = match dragged {
        [one] => outline.row(*one).map_or("", |row| outline.rows[row].label.as_str()).to_owned(),
        several => format!("{} components", several.len()),
    };
    let text = format!("{what} to {}", outline.rows[row].label);
    let visuals = ui.visuals();
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("dragged rows"));
    let painter = ui.ctx().layer_painter(layer);
    let font = TextStyle::Body.resolve(ui.style());
    let galley = painter.layout_no_wrap(text, font, visuals.text_color());
    let words = Align2::LEFT_TOP.anchor_size(at + vec2(14.0, 6.0), galley.size());
    painter.rect_filled(words.expand(4.0), 3.0, visuals.extreme_bg_color);
    painter.galley(words.min, galley, visuals.text_color());
}
