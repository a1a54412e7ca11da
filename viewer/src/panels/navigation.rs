//! The tree of components: only the rows in sight are built, however many there are.

use std::sync::Arc;

use egui::{Align, Layout, Modifiers, ScrollArea, Sense, TextEdit, Ui};
use sinew::component::ComponentId;
use sinew::snapshot::Outline;

use super::tree::Tree;
use super::{Actions, Selection};

/// Indent of a generation [point].
const INDENT: f32 = 12.0;

/// The tree, its filter, and the path of what is selected.
#[derive(Clone, Debug, Default)]
pub struct Navigation {
    tree: Tree,
    filter: String,
    /// What stands in the field of the path, while it is edited.
    path: Option<String>,
    /// What was revealed last.
    revealed: Option<ComponentId>,
    /// Row from which a range is selected.
    from: Option<usize>,
    /// Rows that the last frame built, for tests.
    pub(crate) built: usize,
}

impl Navigation {
    /// Draws the tree and takes in clicks.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        outline: &Arc<Outline>,
        selection: &mut Selection,
        actions: &mut Actions,
    ) {
        if outline.rows.is_empty() {
            ui.weak("no model");
            return;
        }
        self.path_line(ui, outline, selection);
        let field = TextEdit::singleline(&mut self.filter).hint_text("filter by name or kind");
        ui.add(field.desired_width(f32::INFINITY));
        let scroll_to = self.reveal(outline, selection);
        let rows = self.tree.rows(outline, &self.filter);
        let height = ui.text_style_height(&egui::TextStyle::Body) + 2.0;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if let Some(place) = scroll_to {
            let spacing = ui.spacing().item_spacing.y;
            let middle = 0.5 * ui.available_height();
            let offset = (place as f32 * (height + spacing) - middle).max(0.0);
            area = area.vertical_scroll_offset(offset);
        }
        self.built = 0;
        area.show_rows(ui, height, rows.len(), |ui, range| {
            for place in range {
                self.built += 1;
                self.row(ui, outline, (&rows, place), selection, actions);
            }
        });
    }

    /// Where to scroll, when something was selected elsewhere.
    fn reveal(&mut self, outline: &Arc<Outline>, selection: &Selection) -> Option<usize> {
        let last = selection.last();
        if last == self.revealed {
            return None;
        }
        self.revealed = last;
        self.path = None;
        self.tree.reveal(outline, last?);
        self.tree.rows(outline, &self.filter);
        self.tree.place(outline, last?)
    }

    /// The path of what was selected last, to be edited, and the button to its parent.
    fn path_line(&mut self, ui: &mut Ui, outline: &Outline, selection: &mut Selection) {
        let row = selection.last().and_then(|id| outline.row(id));
        let line = Layout::right_to_left(Align::Center);
        let size = egui::vec2(ui.available_width(), ui.spacing().interact_size.y);
        ui.allocate_ui_with_layout(size, line, |ui| {
            let parent = row.filter(|&row| row != 0).map(|row| outline.rows[row].parent as usize);
            let up = ui.add_enabled(parent.is_some(), egui::Button::new("Parent"));
            if let (true, Some(parent)) = (up.clicked(), parent) {
                selection.set(vec![outline.rows[parent].id]);
            }
            let shown = row.map_or_else(String::new, |row| outline.path(row));
            let mut text = self.path.clone().unwrap_or(shown);
            let field = TextEdit::singleline(&mut text).hint_text("path");
            let field = ui.add(field.desired_width(f32::INFINITY));
            if field.changed() {
                self.path = Some(text.clone());
            }
            if field.lost_focus() {
                if let Some(id) = find(outline, &text) {
                    selection.set(vec![id]);
                }
                self.path = None;
            }
        });
    }

    fn row(
        &mut self,
        ui: &mut Ui,
        outline: &Outline,
        (rows, place): (&[u32], usize),
        selection: &mut Selection,
        actions: &mut Actions,
    ) {
        let k = rows[place] as usize;
        let data = &outline.rows[k];
        let filtered = !self.filter.trim().is_empty();
        ui.horizontal(|ui| {
            ui.add_space(if filtered { 0.0 } else { INDENT * f32::from(data.depth) });
            let leaf = data.end as usize == k + 1;
            if leaf || filtered {
                ui.add_space(INDENT);
            } else {
                let mark = if self.tree.is_open(data.id) { "−" } else { "+" };
                let mark = egui::Label::new(mark).sense(Sense::click()).selectable(false);
                if ui.add(mark).clicked() {
                    self.tree.toggle(data.id);
                }
            }
            let selected = selection.is_selected(data.id);
            let label = ui.selectable_label(selected, &data.label);
            let label = label.on_hover_text(data.id.kind().name());
            if label.double_clicked() {
                actions.look_at = Some(data.id);
            } else if label.clicked() {
                let modifiers = ui.input(|input| input.modifiers);
                self.click(outline, (rows, place), modifiers, selection);
            }
        });
    }

    fn click(
        &mut self,
        outline: &Outline,
        (rows, place): (&[u32], usize),
        modifiers: Modifiers,
        selection: &mut Selection,
    ) {
        let id = outline.rows[rows[place] as usize].id;
        match self.from.filter(|_| modifiers.shift) {
            Some(from) => {
                let (low, high) = (from.min(place), from.max(place).min(rows.len() - 1));
                let range = rows[low..=high].iter();
                selection.set(range.map(|&row| outline.rows[row as usize].id).collect());
            }
            None if modifiers.command => selection.toggle(id),
            None => selection.set(vec![id]),
        }
        if !modifiers.shift {
            self.from = Some(place);
        }
        // It is in sight already.
        self.revealed = selection.last();
    }
}

/// The component at a path.
fn find(outline: &Outline, path: &str) -> Option<ComponentId> {
    let wanted = path.trim().trim_end_matches('/');
    let wanted = if wanted.is_empty() { "/" } else { wanted };
    let mut row = 0;
    let mut below = 1;
    while outline.path(row) != wanted {
        let end = outline.rows[row].end as usize;
        let child = (below < end).then_some(below)?;
        let path = outline.path(child);
        if wanted == path || wanted.starts_with(&format!("{path}/")) {
            (row, below) = (child, child + 1);
        } else {
            below = outline.rows[child].end as usize;
        }
    }
    Some(outline.rows[row].id)
}
