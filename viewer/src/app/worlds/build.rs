//! Building: the part that is added by clicks, and the part that is selected. The table of kinds says what there is and what
//! each takes; what is asked for goes to the world as commands.

use egui::{Button, CollapsingHeader, Key, Modifiers, Ui};
use sinew::interactive::{
    BlockRow, Candidate, PartId, PartKind, PartList, Pick, Slot, WorldCommand, part_kinds,
};

use crate::panels::name;

/// Lists of the palette with their titles.
const GROUPS: [(PartList, &str); 5] = [
    (PartList::Object, "Objects"),
    (PartList::Constraint, "Constraints"),
    (PartList::Behaviour, "Behaviours"),
    (PartList::Block, "Blocks"),
    (PartList::Image, "Images"),
];

/// The part that is added, and the part that is selected.
#[derive(Default)]
pub(super) struct Builder {
    /// The kind that is added.
    kind: Option<&'static PartKind>,
    /// The clicks so far, and their places.
    picks: Vec<Pick>,
    places: Vec<[f64; 3]>,
    selected: Option<PartId>,
    /// Opens the palette, once.
    opens: bool,
}

/// An object or block as the table of kinds looks at it.
pub(super) fn candidate(row: &BlockRow) -> Candidate<'_> {
    Candidate { list: row.list, kind: row.kind, outputs: row.outputs.len() }
}

impl Builder {
    /// Another world is there; one without objects is to be built.
    pub(super) fn forget(&mut self, is_empty: bool) {
        *self = Self { opens: is_empty, ..Self::default() };
    }

    /// The thing that is to be clicked next.
    pub(super) fn slot(&self) -> Option<Slot> {
        self.kind?.slot(self.picks.len())
    }

    /// Places of the clicks so far.
    pub(super) fn places(&self) -> &[[f64; 3]] {
        &self.places
    }

    /// The part that is selected.
    pub(super) fn selected(&self) -> Option<&PartId> {
        self.selected.as_ref()
    }

    /// Selects a part, or none.
    pub(super) fn select(&mut self, part: Option<PartId>, commands: &mut Vec<WorldCommand>) {
        if part != self.selected {
            commands.push(WorldCommand::Show(part.clone()));
            self.selected = part;
        }
    }

    /// Takes a click; the part is asked for with the last one.
    pub(super) fn pick(
        &mut self,
        pick: Pick,
        place: Option<[f64; 3]>,
        commands: &mut Vec<WorldCommand>,
    ) {
        self.picks.push(pick);
        self.places.extend(place);
        if self.kind.is_some_and(|kind| !kind.is_open) && self.slot().is_none() {
            self.finish(commands);
        }
    }

    /// Asks for the part, if all that it takes was clicked; the next one of its kind can be clicked at once.
    fn finish(&mut self, commands: &mut Vec<WorldCommand>) {
        let Some(kind) = self.kind.filter(|kind| kind.is_complete(self.picks.len())) else {
            return;
        };
        let picks = std::mem::take(&mut self.picks);
        commands.push(WorldCommand::Add { kind: kind.name.to_owned(), picks });
        self.places.clear();
    }

    /// Puts away the kind that is added, else selects nothing; false where there is neither.
    pub(super) fn put_away(&mut self, commands: &mut Vec<WorldCommand>) -> bool {
        let (kind, is_selected) = (self.kind.take(), self.selected.is_some());
        self.picks.clear();
        self.places.clear();
        if kind.is_none() {
            self.select(None, commands);
        }
        kind.is_some() || is_selected
    }

    /// Takes away the part that is selected; false where there is none.
    pub(super) fn delete(&mut self, commands: &mut Vec<WorldCommand>) -> bool {
        let Some(part) = self.selected.take() else { return false };
        commands.extend([WorldCommand::Show(None), WorldCommand::Remove(vec![part])]);
        true
    }

    /// Keys of building, unless something is typed.
    pub(super) fn keys(&mut self, ui: &Ui, commands: &mut Vec<WorldCommand>) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if self.selected.is_some() && pressed(Key::Delete) {
            self.delete(commands);
        }
        if self.kind.is_some() && pressed(Key::Enter) {
            self.finish(commands);
        }
        if (self.kind.is_some() || self.selected.is_some()) && pressed(Key::Escape) {
            self.put_away(commands);
        }
    }

    /// Draws the palette, and what to click for the kind that is added.
    pub(super) fn ui(&mut self, ui: &mut Ui, commands: &mut Vec<WorldCommand>) {
        let open = std::mem::take(&mut self.opens).then_some(true);
        CollapsingHeader::new("Add parts").open(open).show(ui, |ui| {
            for (list, title) in GROUPS {
                ui.weak(title);
                ui.horizontal_wrapped(|ui| {
                    let of = part_kinds().iter().filter(|kind| kind.list == list);
                    of.for_each(|kind| self.button(ui, kind, commands));
                });
            }
        });
        let Some(kind) = self.kind else { return };
        ui.horizontal_wrapped(|ui| {
            ui.strong(format!("{}: {}.", kind.name, kind.hint));
            if let Some(slot) = self.slot() {
                let (next, of) = (self.picks.len() + 1, kind.slots.len());
                let of = if kind.is_open { "more".to_owned() } else { of.to_string() };
                ui.label(format!("Click {} ({next} of {of}).", slot.hint()));
            }
            if kind.is_open {
                let is_able = kind.is_complete(self.picks.len());
                let done = ui.add_enabled(is_able, Button::new("Done").small());
                if done.on_hover_text("That was the last click (Enter)").clicked() {
                    self.finish(commands);
                }
            }
            let away = ui.small_button("Put away").on_hover_text("Adds no more (Escape)");
            if away.clicked() {
                self.put_away(commands);
            }
        });
    }

    fn button(&mut self, ui: &mut Ui, kind: &'static PartKind, commands: &mut Vec<WorldCommand>) {
        let is_taken = self.kind.is_some_and(|it| it.name == kind.name);
        let words = kind.name.replace('_', " ");
        let button = ui.add(Button::selectable(is_taken, words).frame(true).small());
        name(&button, &format!("add {}", kind.name));
        if button.on_hover_text(kind.hint).clicked() {
            self.put_away(commands);
            self.kind = Some(kind);
            if kind.slots.is_empty() {
                self.finish(commands);
                self.kind = None;
            }
        }
    }
}
