//! The properties of the selected components, made from the table of properties: those that all of
//! them have.

use egui::{CollapsingHeader, Grid, RichText, Ui};
use sinew::component::ComponentId;
use sinew::property::{PropertyInfo, PropertyType, Value};
use sinew::schedule::{Command, ProbeEdit, ShownPanel};
use sinew::snapshot::Sheet;

use super::applies::applies;
use super::draft::Drafts;
use super::merge::{Change, Common, assignments, common, parts, whole};
use super::to_panel::{DraggedProperties, fits};
use super::value::{picked, shown, text};
use super::{Actions, menu_of, to_panel};

/// The property panel.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    owners: Vec<ComponentId>,
    filter: String,
    values: Drafts<Value>,
    /// Texts under edit.
    texts: Drafts<String>,
    /// Names of the control panels.
    panels: Vec<String>,
}

impl Properties {
    /// Tells which control panels there are for properties to be put on.
    pub(crate) fn offer(&mut self, panels: &[ShownPanel]) {
        if !panels.iter().map(|panel| &panel.name).eq(&self.panels) {
            self.panels = panels.iter().map(|panel| panel.name.clone()).collect();
        }
    }

    /// Draws the panel; edits go to all of `sheets` at once.
    pub fn ui(&mut self, ui: &mut Ui, sheets: &[Sheet], actions: &mut Actions) {
        let owners = sheets.iter().map(|sheet| sheet.owner);
        if !owners.clone().eq(self.owners.iter().copied()) {
            self.owners = owners.collect();
            self.values.clear();
            self.texts.clear();
        }
        let Some(first) = sheets.first() else {
            ui.weak("nothing is selected");
            return;
        };
        match sheets {
            [one] => ui.heading(one.path.rsplit('/').next().unwrap_or_default()),
            several => ui.heading(format!("{} components", several.len())),
        };
        ui.weak(first.owner.kind().name());
        let field = egui::TextEdit::singleline(&mut self.filter).hint_text("filter");
        let field = ui.add(field.desired_width(f32::INFINITY));
        super::value::name(&field, "filter of properties");
        let mut rows = common(sheets);
        let kinds = || sheets.iter().map(|sheet| sheet.owner.kind());
        rows.retain(|row| {
            let meant = kinds().any(|kind| applies(kind, row.info.name));
            meant && row.info.name.contains(self.filter.trim())
        });
        self.groups(ui, &rows, sheets, actions);
    }

    fn groups(
        &mut self,
        ui: &mut Ui,
        rows: &[Common<'_>],
        sheets: &[Sheet],
        actions: &mut Actions,
    ) {
        let mut names: Vec<&str> = Vec::new();
        for name in rows.iter().map(|it| group(it.info.name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let searching = !self.filter.trim().is_empty();
        for name in names {
            let rows = rows.iter().filter(|it| group(it.info.name) == name);
            if name.is_empty() {
                self.grid(ui, name, rows, sheets, actions);
                continue;
            }
            let header = CollapsingHeader::new(name).default_open(name != "render");
            let header = header.open(searching.then_some(true));
            header.show(ui, |ui| self.grid(ui, name, rows, sheets, actions));
        }
    }

    fn grid<'r>(
        &mut self,
        ui: &mut Ui,
        name: &str,
        rows: impl Iterator<Item = &'r Common<'r>>,
        sheets: &[Sheet],
        actions: &mut Actions,
    ) {
        Grid::new(("properties", name)).num_columns(3).striped(true).show(ui, |ui| {
            for row in rows {
                self.name(ui, row, sheets, actions);
                ui.push_id(row.info.name, |ui| self.value(ui, row, sheets, actions));
                ui.horizontal(|ui| {
                    match row.info {
                        PropertyInfo { value_type: PropertyType::Pose, .. } => {
                            drop(ui.weak("m, °"))
                        }
                        PropertyInfo { unit: "" | "-", .. } => {}
                        info => drop(ui.weak(info.unit)),
                    }
                    self.inheritance(ui, row, sheets, actions);
                });
                ui.end_row();
            }
        });
    }

    fn name(&mut self, ui: &mut Ui, row: &Common<'_>, sheets: &[Sheet], actions: &mut Actions) {
        let info = row.info;
        let short = info.name.rsplit('.').next().unwrap_or(info.name);
        let text = match row.own {
            _ if info.read_only => RichText::new(short).weak(),
            Some(true) => RichText::new(short).strong(),
            _ => RichText::new(short),
        };
        let sense = if fits(info) { egui::Sense::click_and_drag() } else { egui::Sense::click() };
        let label = ui.add(egui::Label::new(text).sense(sense));
        if label.drag_started() {
            label.dnd_set_drag_payload(DraggedProperties::new(info, sheets));
        }
        menu_of(&label, |ui| self.menu(ui, info, sheets, actions));
        label.on_hover_text(tip(sheets, info));
    }

    fn menu(&mut self, ui: &mut Ui, info: &PropertyInfo, sheets: &[Sheet], actions: &mut Actions) {
        let paths = || sheets.iter().map(|sheet| format!("{}:{}", sheet.path, info.name));
        if info.value_type.is_numeric() && ui.button("Plot").clicked() {
            actions.follow.extend(paths());
            ui.close();
        }
        if info.value_type.is_numeric()
            && ui.button("Probe").on_hover_text("Record it into a file from now on").clicked()
        {
            actions.commands.extend(paths().map(|path| probe(ProbeEdit::Record(path))));
            ui.close();
        }
        let hint = "Feed it from a curve on the timeline from now on";
        let fed = info.value_type.is_numeric() && !info.read_only;
        if fed && ui.button("Feed").on_hover_text(hint).clicked() {
            actions.commands.extend(paths().map(|path| probe(ProbeEdit::Feed(path))));
            ui.close();
        }
        if fits(info) {
            to_panel::menu(ui, &self.panels, info, sheets, actions);
        }
        if ui.button("Copy path").clicked() {
            ui.ctx().copy_text(paths().collect::<Vec<_>>().join("\n"));
            ui.close();
        }
        if !info.read_only && ui.button("Reset to default").clicked() {
            self.drop_drafts(info);
            send(sheets, info, &Change::Whole(info.default.clone()), actions);
            ui.close();
        }
    }

    /// Button for the source of a value: a component's own, or inherited; a click changes that.
    fn inheritance(
        &mut self,
        ui: &mut Ui,
        row: &Common<'_>,
        sheets: &[Sheet],
        actions: &mut Actions,
    ) {
        if !row.info.inheritable || row.info.read_only {
            return;
        }
        let (text, hint, change) = match row.own {
            Some(true) => ("own", "Click to inherit it", Change::Inherit),
            Some(false) => ("inherited", "Click to give it a value of its own", Change::Own),
            None => ("some own", "Click to have all inherit it", Change::Inherit),
        };
        if ui.small_button(text).on_hover_text(hint).clicked() {
            self.drop_drafts(row.info);
            send(sheets, row.info, &change, actions);
        }
    }

    fn value(&mut self, ui: &mut Ui, row: &Common<'_>, sheets: &[Sheet], actions: &mut Actions) {
        let info = row.info;
        if info.read_only {
            let text = if row.mixed { "mixed".to_owned() } else { shown(row.value) };
            let label = ui.add_enabled(false, egui::Label::new(text).truncate());
            label.on_disabled_hover_text(tip(sheets, info));
            return;
        }
        let value = self.values.get(ui, info.name, row.value);
        let is_text = match info.value_type {
            PropertyType::Choice(_) => false,
            ty => ty.numeric_size().is_none(),
        };
        let edited = if is_text { text(ui, row, &mut self.texts) } else { picked(ui, row, &value) };
        actions.refusals.extend(edited.refusal);
        if let Some(change) = edited.change {
            if let Some(entered) = changed(&value, info.value_type, &change) {
                self.values.put(ui, info.name, entered);
            }
            send(sheets, info, &change, actions);
        }
        self.values.hold(ui, info.name, edited.editing);
    }

    fn drop_drafts(&mut self, info: &PropertyInfo) {
        self.values.drop(info.name);
        self.texts.drop(info.name);
    }
}

fn probe(edit: ProbeEdit) -> Command {
    Command::EditProbe { edit, goes_on: false }
}

/// A value after a change; nothing where that is up to the model.
fn changed(value: &Value, ty: PropertyType, change: &Change) -> Option<Value> {
    match change {
        Change::Part(part, x) => {
            let mut numbers = parts(value);
            *numbers.get_mut(*part)? = *x;
            whole(ty, &numbers)
        }
        Change::Whole(value) => Some(value.clone()),
        Change::Inherit | Change::Own => None,
    }
}

fn send(sheets: &[Sheet], info: &PropertyInfo, change: &Change, actions: &mut Actions) {
    let assignments = assignments(sheets, info, change);
    if !assignments.is_empty() {
        actions.commands.push(Command::set(assignments));
    }
}

/// Text before the first dot; empty for simple properties.
fn group(name: &str) -> &str {
    name.split_once('.').map_or("", |(group, _)| group)
}

/// Tip of a property: its description, path, unit and range.
fn tip(sheets: &[Sheet], info: &PropertyInfo) -> String {
    let path = sheets.first().map_or("", |sheet| sheet.path.as_str());
    let unit = if info.unit.is_empty() { String::new() } else { format!("[{}] ", info.unit) };
    let range = info.range.describe(info.value_type);
    format!("{}\n{path}:{}\n{unit}{range}", info.doc, info.name).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
