//! The palette: buttons of all tools, what to do with the one in the hand, and numbers of the gizmos.

use egui::{ComboBox, DragValue, Sense, Ui};
use sinew::component::ComponentId;
use sinew::editing::EditCommand;
use sinew::schedule::Command;
use sinew::snapshot::Snapshot;

use super::gizmo::Gizmo;
use super::motion::{Axes, Motion};
use super::{CONNECTIONS, GIZMOS, Line, PARTS, SURFACES, Tool, Tools};
use crate::panels::Actions;

impl Tools {
    /// Draws the palette, with what is selected.
    pub(in super::super) fn panel(
        &mut self,
        ui: &mut Ui,
        (front, selected): (&Snapshot, &[ComponentId]),
        actions: &mut Actions,
    ) {
        for (title, lines) in [
            ("Parts", &PARTS[..]),
            ("Connections", &CONNECTIONS),
            ("Surfaces", &SURFACES),
            ("What is selected", &GIZMOS),
        ] {
            ui.strong(title);
            ui.horizontal_wrapped(|ui| lines.iter().for_each(|line| self.button(ui, line)));
            ui.add_space(4.0);
        }
        let all = PARTS.iter().chain(&CONNECTIONS).chain(&SURFACES).chain(&GIZMOS);
        match all.into_iter().find(|line| line.tool == self.tool) {
            Some(line) => {
                ui.label(line.hint);
                ui.weak("Escape puts it away. With Ctrl one still pulls.");
            }
            None => drop(ui.weak("Take a tool; while it runs, too.")),
        }
        match self.tool {
            Tool::Gizmo(motion) => {
                let selected = || crate::panels::paths(&front.scene.outline, selected);
                numbers(ui, (&mut self.gizmo, motion), selected, actions);
            }
            Tool::Brush => self.brush.panel(ui, front, actions),
            Tool::Select | Tool::Part(_) | Tool::Connect(_) | Tool::Marker => {}
        }
    }

    fn button(&mut self, ui: &mut Ui, line: &Line) {
        let button = egui::Button::selectable(self.tool == line.tool, line.name);
        let button = ui.add(button.frame_when_inactive(true).sense(Sense::click_and_drag()));
        if button.clicked() {
            self.take(line.tool);
        }
        if let Tool::Part(part) = line.tool {
            let at = ui.input(|input| input.pointer.latest_pos());
            if let Some(at) = at.filter(|at| button.drag_stopped() && !button.rect.contains(*at)) {
                self.dropped = Some((part, at));
            }
        }
        button.on_hover_text(line.hint);
    }
}

/// Axes, snapping, and numbers to be entered.
fn numbers(
    ui: &mut Ui,
    (gizmo, motion): (&mut Gizmo, Motion),
    selected: impl FnOnce() -> Vec<String>,
    actions: &mut Actions,
) {
    ui.separator();
    ComboBox::from_label("axes").selected_text(gizmo.axes.name()).show_ui(ui, |ui| {
        for axes in Axes::ALL {
            ui.selectable_value(&mut gizmo.axes, axes, axes.name());
        }
    });
    if motion == Motion::Mirror {
        return mirrors(ui, gizmo, selected, actions);
    }
    ui.checkbox(&mut gizmo.snaps, "Snap").on_hover_text(
        "Whole steps of a gizmo that is dragged; Ctrl while it is dragged does the other",
    );
    let (unit, neutral) = motion.unit();
    let entry = gizmo.entry_mut(motion);
    ui.horizontal(|ui| {
        for (number, axis) in entry.iter_mut().zip(["x", "y", "z"]) {
            let field = DragValue::new(number).speed(0.01).update_while_editing(false);
            let field = ui.add(field.max_decimals(9));
            crate::panels::name(&field, &format!("{} {axis}", motion.name()));
        }
        ui.label(unit);
    });
    let entry = *entry;
    if ui.button("Apply").clicked()
        && send(selected(), |paths| gizmo.command(motion, paths, entry), actions)
    {
        *gizmo.entry_mut(motion) = [neutral; 3];
    }
}

/// The place of the mirror, and a button an axis.
fn mirrors(
    ui: &mut Ui,
    gizmo: &mut Gizmo,
    selected: impl FnOnce() -> Vec<String>,
    actions: &mut Actions,
) {
    ui.horizontal_wrapped(|ui| {
        ui.label("plane through");
        ui.selectable_value(&mut gizmo.is_about_origin, false, "its middle");
        ui.selectable_value(&mut gizmo.is_about_origin, true, "the origin")
            .on_hover_text("From left to right of a model that is made about the middle");
    });
    let names = ["Mirror x", "Mirror y", "Mirror z"];
    let clicked = ui.horizontal_wrapped(|ui| names.map(|name| ui.button(name).clicked())).inner;
    if let Some(axis) = clicked.into_iter().position(|it| it) {
        send(selected(), |paths| gizmo.mirror(paths, axis), actions);
    }
}

/// Sends an edit of what is selected, or says why there is none; true if it was sent.
fn send(
    selected: Vec<String>,
    edit: impl FnOnce(Vec<String>) -> Option<EditCommand>,
    actions: &mut Actions,
) -> bool {
    let why = match selected.is_empty() {
        true => "nothing is selected",
        false => match edit(selected) {
            Some(command) => {
                actions.commands.push(Command::Edit(vec![command]));
                return true;
            }
            None => "what is selected has no place: select a body, a point or a tissue",
        },
    };
    actions.refusals.push(why.to_owned());
    false
}
