//! The part that is selected, as it stands in files: its numbers are edited as text, and it is taken away.

use egui::{Rect, ScrollArea, TextEdit, TextStyle, Ui};
use sinew::interactive::{PartId, PartList, PartText, WorldCommand, WorldSnapshot};

use super::build::Builder;
use crate::panels::name;

/// Height of the sheet [point], and its largest share of the list.
const HEIGHT: f32 = 190.0;
const SHARE: f32 = 0.5;

/// The text that is typed.
#[derive(Default)]
pub(super) struct Sheet {
    draft: Option<PartText>,
}

impl Sheet {
    /// Room of the list, and of the sheet below it, which is empty where nothing is selected.
    pub(super) fn split(room: Rect, builder: &Builder) -> [Rect; 2] {
        let height = match builder.selected() {
            None => 0.0,
            Some(_) => HEIGHT.min(SHARE * room.height()),
        };
        let (list, sheet) = room.split_top_bottom_at_y(room.bottom() - height);
        [list, sheet]
    }

    /// Draws it.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        snapshot: &WorldSnapshot,
        builder: &mut Builder,
        commands: &mut Vec<WorldCommand>,
    ) {
        let Some(part) = builder.selected().cloned() else { return };
        self.draft = self.draft.take().filter(|draft| draft.part == part);
        let shown = snapshot.shown.as_ref().filter(|shown| shown.part == part);
        ui.separator();
        let mut applies = false;
        ui.horizontal_wrapped(|ui| {
            ui.strong(part.to_string());
            let is_edited = self.draft.is_some();
            applies = ui.add_enabled(is_edited, egui::Button::new("Apply text")).clicked();
            if part.list != PartList::Settings
                && ui
                    .button("Delete part")
                    .on_hover_text("With all that uses it (Delete)")
                    .clicked()
            {
                builder.delete(commands);
            }
        });
        if applies && let Some(PartText { text, .. }) = self.draft.take() {
            commands.push(WorldCommand::Replace { part: part.clone(), text });
        }
        let text = self.draft.as_ref().or(shown).map(|it| it.text.clone());
        ScrollArea::vertical().auto_shrink(false).id_salt("text of a part").show(ui, |ui| {
            self.text(ui, part, text.unwrap_or_default());
        });
    }

    fn text(&mut self, ui: &mut Ui, part: PartId, mut text: String) {
        let field = TextEdit::multiline(&mut text).id_salt(&part.name).font(TextStyle::Monospace);
        let edited = ui.add(field.desired_width(f32::INFINITY).desired_rows(6));
        name(&edited, &format!("text of {}", part.name));
        if edited.changed() {
            self.draft = Some(PartText { part, text });
        }
    }
}
