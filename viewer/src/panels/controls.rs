//! Control panels of a model: chosen properties with sliders and fields.

use egui::{CollapsingHeader, Grid, Key, Rect, Response, Sense, Ui, vec2};
use sinew::editing::EditCommand;
use sinew::model::ControlWidget;
use sinew::schedule::{Assignment, Command, ControlItem, PanelEdit, ShownPanel};
use sinew::snapshot::Readings;

use super::draft::Drafts;
use super::numeric::{Entry, edit, ends};
use super::to_panel::take_dropped;
use super::value::{name, tick};
use super::{Actions, menu_of, numbers_of};

/// The control panels of a model.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    /// By panel and item.
    drafts: Drafts<Vec<f64>>,
    /// Place of a panel whose name is edited, and the name.
    renamed: Option<(usize, String)>,
}

impl Controls {
    /// Paths of all properties, once each.
    pub fn paths(panels: &[ShownPanel]) -> Vec<String> {
        let mut paths: Vec<String> = Vec::new();
        for item in panels.iter().flat_map(|panel| &panel.items) {
            if !paths.contains(&item.property) {
                paths.push(item.property.clone());
            }
        }
        paths
    }

    /// Draws the panels; the values are those of `readings`.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        panels: &[ShownPanel],
        readings: &Readings,
        actions: &mut Actions,
    ) {
        for (place, panel) in panels.iter().enumerate() {
            let header = CollapsingHeader::new(&panel.name).id_salt(("controls", place));
            let shown = header.default_open(true).show(ui, |ui| {
                if panel.items.is_empty() {
                    ui.weak("no properties: drag one here by its name");
                }
                Grid::new(("controls", place)).num_columns(2).show(ui, |ui| {
                    for (nth, item) in panel.items.iter().enumerate() {
                        self.item(ui, item, [place, nth], readings, actions);
                        ui.end_row();
                    }
                });
            });
            self.header_menu(&shown.header_response, place, panel, actions);
            let body = shown.body_response.map_or(Rect::NOTHING, |body| body.rect);
            let area = shown.header_response.rect.union(body);
            let area = ui.interact(area, ui.scope_id().with(("panel", place)), Sense::hover());
            take_dropped(ui, &area, Some(&panel.name), panels, actions);
        }
        if panels.is_empty() {
            ui.weak("no panels: drag a property here by its name");
        }
        let rest = ui.available_size().max(vec2(1.0, ui.spacing().interact_size.y));
        let (_, rest) = ui.allocate_exact_size(rest, Sense::hover());
        take_dropped(ui, &rest, None, panels, actions);
    }

    /// Menu of a panel: its name, and its end.
    fn header_menu(
        &mut self,
        header: &Response,
        place: usize,
        panel: &ShownPanel,
        actions: &mut Actions,
    ) {
        header.context_menu(|ui| {
            let known = self.renamed.take().filter(|(at, _)| *at == place);
            let mut name = known.map_or_else(|| panel.name.clone(), |(_, name)| name);
            ui.label("Name of the panel");
            let field = ui.text_edit_singleline(&mut name);
            super::value::name(&field, "name of the panel");
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if ui.button("Rename").clicked() || entered {
                let edit = PanelEdit::Rename { panel: place, name };
                actions.commands.push(Command::EditPanel(edit));
                ui.close();
            } else {
                self.renamed = Some((place, name));
            }
            if let Some(path) = &panel.path
                && ui.button("Delete").clicked()
            {
                let paths = vec![path.clone()];
                actions.commands.push(Command::Edit(vec![EditCommand::Delete { paths }]));
                ui.close();
            }
        });
    }

    fn item(
        &mut self,
        ui: &mut Ui,
        item: &ControlItem,
        at: [usize; 2],
        readings: &Readings,
        actions: &mut Actions,
    ) {
        // A property may stand in several places.
        let key = &format!("{} {}", at[0], at[1]);
        let path = &item.property;
        let label = item.label.as_deref().unwrap_or_else(|| short(path));
        let shown = ui.add(egui::Label::new(label).sense(egui::Sense::click()));
        menu_of(&shown, |ui| menu(ui, path, at, actions));
        shown.on_hover_text(path);
        let Some(read) = numbers_of(readings, path) else {
            ui.weak("no number");
            return;
        };
        let mut numbers = self.drafts.get(ui, key, &read.to_vec());
        // Where the pane is narrow, sliders are shorter, so that their numbers are whole.
        let room = ui.clip_rect().right() - ui.cursor().left() - BESIDE;
        ui.spacing_mut().slider_width = room.clamp(SLIDER[0], SLIDER[1]);
        let widgets = |ui: &mut Ui| widgets(ui, item, label, &mut numbers);
        let [changed, editing] = ui.push_id(key, |ui| ui.vertical(widgets).inner).inner;
        if changed {
            let value = Some(text_of(item.widget, &numbers));
            self.drafts.put(ui, key, numbers);
            let path = path.clone();
            actions.commands.push(Command::set(vec![Assignment { path, value }]));
        }
        self.drafts.hold(ui, key, editing);
    }
}

fn menu(ui: &mut Ui, path: &str, [panel, item]: [usize; 2], actions: &mut Actions) {
    if ui.button("Plot").clicked() {
        actions.follow.push(path.to_owned());
        ui.close();
    }
    if ui.button("Copy path").clicked() {
        ui.ctx().copy_text(path.to_owned());
        ui.close();
    }
    if ui.button("Take off the panel").clicked() {
        actions.commands.push(Command::EditPanel(PanelEdit::Remove { panel, item }));
        ui.close();
    }
}

/// Draws the widgets of an item: whether a number was changed, and whether one is still in hand.
fn widgets(ui: &mut Ui, item: &ControlItem, label: &str, numbers: &mut [f64]) -> [bool; 2] {
    if let (ControlWidget::Checkbox, [x]) = (item.widget, &mut *numbers) {
        let mut on = *x != 0.0;
        let changed = tick(ui, &mut on, false, label);
        *x = f64::from(u8::from(on));
        return [changed, false];
    }
    let given = item.low.zip(item.high).and_then(|(low, high)| ends(low, high));
    let slider = match item.widget {
        ControlWidget::Slider => given.or(Some([0.0, 1.0])),
        ControlWidget::Auto
        | ControlWidget::Choice
        | ControlWidget::Colour
        | ControlWidget::Text => given,
        ControlWidget::Number | ControlWidget::Checkbox => None,
    };
    let [mut changed, mut editing] = [false; 2];
    for x in numbers {
        let (response, edited) = edit(ui, x, Entry { slider, ..Entry::default() });
        name(&response, label);
        changed |= edited;
        editing |= response.dragged() || response.has_focus();
    }
    [changed, editing]
}

/// Numbers as a command takes them.
fn text_of(widget: ControlWidget, numbers: &[f64]) -> String {
    match (widget, numbers) {
        (ControlWidget::Checkbox, [x]) => (*x != 0.0).to_string(),
        _ => numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// Width of the number beside a slider, with the room around it [point].
const BESIDE: f32 = 62.0;
/// Least and greatest length of a slider [point].
const SLIDER: [f32; 2] = [40.0, 100.0];

/// The last step of a path and the property: `masseter:excitation`.
fn short(path: &str) -> &str {
    let (owner, _) = path.split_once(':').unwrap_or((path, ""));
    let from = owner.rfind('/').map_or(0, |at| at + 1);
    &path[from..]
}

#[cfg(test)]
mod tests;
