//! The tree of components: only the rows in sight are built, however many there are.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, ScrollArea, Sense, TextEdit, Ui};
use sinew::component::ComponentId;
use sinew::schedule::{Assignment, Command};
use sinew::snapshot::Outline;

use super::tree::{Tree, find};
use super::tree_row::{Looks, Touched};
use super::visibility::{Isolated, show_all, toggle};
use super::{Actions, Selection, edit_menu, reparent, tree_row, value};
use crate::Titles;

/// The tree, its filter, and the path of what is selected.
#[derive(Clone, Debug, Default)]
pub struct Navigation {
    tree: Tree,
    filter: String,
    /// Text in the field of the path while it is edited, and true if it led nowhere.
    path: Option<(String, bool)>,
    /// The component that was revealed last.
    revealed: Option<ComponentId>,
    /// Component to scroll to, and the number of rows that were shown last.
    sought: Option<ComponentId>,
    row_count: usize,
    /// Row from which a range is selected.
    anchor: Option<ComponentId>,
    isolated: Isolated,
}

impl Navigation {
    /// A tree whose components have these titles.
    pub fn new(titles: Titles) -> Self {
        Self { tree: Tree::new(titles), ..Self::default() }
    }

    /// Nothing is kept of the model before.
    pub(crate) fn forget_model(&mut self) {
        *self = Self::new(self.tree.titles().clone());
    }

    /// Shows everything that is hidden; nothing where nothing is.
    pub(crate) fn show_all(&mut self, outline: &Outline) -> Option<Command> {
        self.isolated = Isolated::default();
        show_all(outline)
    }

    /// Draws the tree and takes in clicks.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        outline: &Arc<Outline>,
        selection: &mut Selection,
        actions: &mut Actions,
    ) {
        // A panel that is no wider than what is in it would stay narrow when a model comes.
        ui.set_min_width(ui.available_width());
        if outline.rows.is_empty() {
            ui.weak("no model");
            return;
        }
        self.path_line(ui, outline, selection);
        let field =
            TextEdit::singleline(&mut self.filter).hint_text("filter by name, title or kind");
        let field = ui.add(field.desired_width(f32::INFINITY));
        value::name(&field, "filter of the tree");
        let moved = self.move_by_keys(ui, outline, selection);
        let sought = self.reveal(outline, selection).or(moved).or(self.sought.take());
        let rows = self.tree.rows(outline, &self.filter);
        // A list that has just grown scrolls in the next frame: until then its end is where it was.
        let grew = std::mem::replace(&mut self.row_count, rows.len()) < rows.len();
        let (now, later) = if grew { (None, sought) } else { (sought, None) };
        self.sought = later;
        if later.is_some() {
            ui.ctx().request_repaint();
        }
        let height = ui.spacing().interact_size.y;
        let place = now.and_then(|id| self.tree.place(outline, id));
        scrolled_to(place, ui).show_rows(ui, height, rows.len(), |ui, range| {
            for &row in &rows[range] {
                self.row(ui, outline, row as usize, selection, actions);
            }
        });
    }

    /// Component to scroll to, which was selected elsewhere.
    fn reveal(&mut self, outline: &Arc<Outline>, selection: &Selection) -> Option<ComponentId> {
        let last = selection.last();
        if last == self.revealed {
            return None;
        }
        (self.revealed, self.anchor) = (last, last);
        self.path = None;
        self.tree.rows(outline, &self.filter);
        self.tree.reveal(outline, last?);
        last
    }

    /// The button to the parent of what was selected last, and its path, to be edited.
    fn path_line(&mut self, ui: &mut Ui, outline: &Outline, selection: &mut Selection) {
        let row = selection.last().and_then(|id| outline.row(id));
        ui.horizontal(|ui| {
            let parent = row.filter(|&row| row != 0).map(|row| outline.rows[row].parent as usize);
            let up = ui.add_enabled(parent.is_some(), egui::Button::new("Parent"));
            let up = up.on_hover_text("Select what this is part of");
            if let (true, Some(parent)) = (up.clicked(), parent) {
                selection.set(vec![outline.rows[parent].id]);
            }
            if selection.ids().len() > 1 {
                ui.weak(format!("{} selected", selection.ids().len()));
            }
            let known = row.map_or_else(String::new, |row| outline.path(row));
            self.path_field(ui, outline, selection, known);
        });
        if self.path.as_ref().is_some_and(|(_, lost)| *lost) {
            ui.colored_label(ui.visuals().warn_fg_color, "no component has this path");
        }
    }

    fn path_field(
        &mut self,
        ui: &mut Ui,
        outline: &Outline,
        selection: &mut Selection,
        known: String,
    ) {
        let mut text = self.path.as_ref().map_or(known, |(text, _)| text.clone());
        let field = TextEdit::singleline(&mut text).hint_text("path");
        let field = ui.add(field.desired_width(f32::INFINITY));
        value::name(&field, "path");
        if field.changed() {
            self.path = Some((text.clone(), false));
        }
        if !field.lost_focus() || self.path.is_none() {
            return;
        }
        let entered = ui.input(|input| input.key_pressed(Key::Enter));
        match find(outline, &text).filter(|_| entered) {
            Some(row) => {
                selection.set(vec![outline.rows[row].id]);
                self.path = None;
            }
            None if entered => self.path = Some((text, true)),
            // A frame may be built twice, of which the second knows of no key.
            None => self.path = self.path.take().filter(|(_, lost)| *lost),
        }
    }

    fn row(
        &mut self,
        ui: &mut Ui,
        outline: &Outline,
        row: usize,
        selection: &mut Selection,
        actions: &mut Actions,
    ) {
        let data = &outline.rows[row];
        let filtered = !self.filter.trim().is_empty();
        let branch = data.end as usize > row + 1 && !filtered;
        let open = branch.then(|| self.tree.is_open(data.id));
        let title = self.tree.titles().of(&data.label).unwrap_or(data.id.kind().name()).to_owned();
        let (selected, isolated) = (selection.is_selected(data.id), self.isolated.is(data.id));
        let touched = tree_row::draw(ui, data, Looks { open, selected, isolated, title: &title });
        self.show_or_hide((outline, row), &touched, actions);
        if touched.turned {
            self.tree.toggle(data.id);
        } else if touched.row.double_clicked() {
            actions.look_at = Some(data.id);
        } else if touched.row.clicked() {
            let modifiers = ui.input(modifiers_of_click);
            self.click(outline, data.id, modifiers, selection);
            ui.memory_mut(|memory| memory.request_focus(keys_id()));
        }
        reparent::drag(ui, &touched.row, (outline, row), selection, actions);
        if touched.row.secondary_clicked() && !selected {
            selection.set(vec![data.id]);
            (self.revealed, self.anchor) = (Some(data.id), Some(data.id));
        }
        touched.row.context_menu(|ui| edit_menu(ui, outline, selection.ids(), actions));
        // Its path is made for the one row that is pointed at.
        touched.row.on_hover_ui(|ui| drop(ui.label(format!("{}\n{title}", outline.path(row)))));
    }

    /// Does what the eye, the mark to show a row alone and the field for its opacity ask for.
    fn show_or_hide(
        &mut self,
        (outline, row): (&Outline, usize),
        touched: &Touched,
        actions: &mut Actions,
    ) {
        if touched.eye {
            actions.commands.push(toggle(outline, row));
        }
        if touched.isolate {
            actions.commands.push(self.isolated.toggle(outline, row));
        }
        match touched.opacity {
            Some(alpha) if (0.0..=1.0).contains(&alpha) => {
                let path = format!("{}:render.alpha", outline.path(row));
                let value = Some(alpha.to_string());
                actions.commands.push(Command::set(vec![Assignment { path, value }]));
            }
            Some(alpha) => {
                let name = &outline.rows[row].label;
                let why = format!("the opacity of {name} must be from 0 to 1, got {alpha}");
                actions.refusals.push(why);
            }
            None => {}
        }
    }

    /// Selects a row alone; with the command key one more, with Shift all between.
    fn click(
        &mut self,
        outline: &Outline,
        id: ComponentId,
        modifiers: Modifiers,
        selection: &mut Selection,
    ) {
        let place = |id| self.tree.place(outline, id);
        let from = self.anchor.filter(|_| modifiers.shift).and_then(place);
        match (from, place(id)) {
            (Some(from), Some(to)) => {
                let rows = self.tree.shown();
                let range = rows[from.min(to)..=from.max(to)].iter();
                selection.set(range.map(|&row| outline.rows[row as usize].id).collect());
            }
            _ if modifiers.command => selection.toggle(id),
            _ => selection.set(vec![id]),
        }
        if !modifiers.shift {
            self.anchor = Some(id);
        }
        // It is in sight already.
        self.revealed = selection.last();
        self.path = None;
    }

    /// Arrows go up and down, and open and close; what they led to.
    fn move_by_keys(
        &mut self,
        ui: &Ui,
        outline: &Outline,
        selection: &mut Selection,
    ) -> Option<ComponentId> {
        let place = egui::Rect::from_min_size(ui.cursor().min, egui::Vec2::splat(1.0));
        ui.interact(place, keys_id(), Sense::focusable_noninteractive());
        if !ui.memory(|memory| memory.has_focus(keys_id())) {
            return None;
        }
        let (horizontal_arrows, vertical_arrows) = (true, true);
        let arrows = egui::EventFilter { horizontal_arrows, vertical_arrows, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(keys_id(), arrows));
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let id = selection.last().unwrap_or(outline.rows[0].id);
        let open = self.tree.is_open(id);
        if (pressed(Key::ArrowRight) && !open) || (pressed(Key::ArrowLeft) && open) {
            self.tree.toggle(id);
        }
        let place = self.tree.place(outline, id)?;
        let next = match (pressed(Key::ArrowDown), pressed(Key::ArrowUp)) {
            (true, _) => place + 1,
            (_, true) => place.checked_sub(1)?,
            _ => return None,
        };
        let next = outline.rows[*self.tree.shown().get(next)? as usize].id;
        selection.set(vec![next]);
        (self.revealed, self.anchor) = (Some(next), Some(next));
        Some(next)
    }
}

/// Modifier keys at the click: in a slow frame they may be let go of already.
fn modifiers_of_click(input: &egui::InputState) -> Modifiers {
    let of_button = |event: &Event| match event {
        Event::PointerButton { modifiers, .. } => Some(*modifiers),
        _ => None,
    };
    input.events.iter().rev().find_map(of_button).unwrap_or(input.modifiers)
}

/// Id of the widget that has the focus while arrows move in the tree.
fn keys_id() -> egui::Id {
    egui::Id::unique("keys of the tree")
}

/// A list with the row at a place in the middle of what is seen.
fn scrolled_to(place: Option<usize>, ui: &Ui) -> ScrollArea {
    let area = ScrollArea::vertical().auto_shrink(false);
    let Some(place) = place else { return area };
    let pitch = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
    let offset = place as f32 * pitch - 0.5 * (ui.available_height() - pitch);
    area.vertical_scroll_offset(offset.max(0.0))
}

#[cfg(test)]
mod tests;
