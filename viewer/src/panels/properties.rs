//! The properties of what is selected, made from the table of properties: those that all of it has.

use std::collections::HashMap;

use egui::{Grid, RichText, Ui};
use sinew::property::{PropertyInfo, Source, Value};
use sinew::snapshot::{Sheet, SheetRow};

use super::Actions;
use super::value;

/// The property panel.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// What was set and has not come back in a snapshot yet: name to text.
    pending: HashMap<&'static str, Pending>,
    filter: String,
}

#[derive(Clone, Debug)]
struct Pending {
    value: Value,
    /// Frames that it is shown for at most, in case that it was refused.
    frames: u32,
}

/// Frames that a value which was set is shown before the one of the snapshot is.
const PATIENCE: u32 = 30;

/// A property that all of several components have.
struct Common<'s> {
    info: &'static PropertyInfo,
    first: &'s SheetRow,
    mixed: bool,
}

impl Properties {
    /// Draws the panel; edits go to all of `sheets` at once.
    pub fn ui(&mut self, ui: &mut Ui, sheets: &[Sheet], actions: &mut Actions) {
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
        ui.add(field.desired_width(f32::INFINITY));
        let common = common(sheets);
        self.pending.retain(|_, pending| {
            pending.frames += 1;
            pending.frames < PATIENCE
        });
        let mut groups: Vec<&str> = Vec::new();
        for name in common.iter().map(|it| group(it.info.name)) {
            if !groups.contains(&name) {
                groups.push(name);
            }
        }
        for name in groups {
            let rows = common.iter().filter(|it| group(it.info.name) == name);
            let rows = rows.filter(|it| it.info.name.contains(self.filter.trim()));
            let rows: Vec<&Common<'_>> = rows.collect();
            if rows.is_empty() {
                continue;
            }
            if name.is_empty() {
                self.grid(ui, name, &rows, sheets, actions);
            } else {
                let header = egui::CollapsingHeader::new(name).default_open(name != "render");
                header.show(ui, |ui| self.grid(ui, name, &rows, sheets, actions));
            }
        }
    }

    fn grid(
        &mut self,
        ui: &mut Ui,
        name: &str,
        rows: &[&Common<'_>],
        sheets: &[Sheet],
        actions: &mut Actions,
    ) {
        Grid::new(("properties", name)).num_columns(3).striped(true).show(ui, |ui| {
            for row in rows {
                self.row(ui, row, sheets, actions);
                ui.end_row();
            }
        });
    }

    fn row(&mut self, ui: &mut Ui, row: &Common<'_>, sheets: &[Sheet], actions: &mut Actions) {
        let Common { info, first, mixed } = row;
        let short = info.name.rsplit('.').next().unwrap_or(info.name);
        let path = format!("{}:{}", sheets[0].path, info.name);
        let explicit = matches!(first.source, Source::Explicit);
        let label = if explicit { RichText::new(short).strong() } else { RichText::new(short) };
        let label = egui::Label::new(label).sense(egui::Sense::click());
        let label = ui.add(label).on_hover_text(format!("{}\n{path}", info.doc));
        label.context_menu(|ui| menu(ui, info, sheets, actions));
        if info.read_only {
            let text = if *mixed { "(several)".to_owned() } else { shown(&first.value) };
            ui.label(text);
        } else {
            ui.horizontal(|ui| {
                if *mixed {
                    ui.weak("(several)");
                }
                let now = self.pending.get(info.name).map_or(&first.value, |it| &it.value).clone();
                if let Some(text) = value::edit(ui, info, &now) {
                    if let Some(value) = Value::parse(info.value_type, &text) {
                        self.pending.insert(info.name, Pending { value, frames: 0 });
                    }
                    let owners = sheets.iter().map(|sheet| sheet.path.as_str());
                    actions.set(owners, info.name, Some(&text));
                } else if first.value == now {
                    self.pending.remove(info.name);
                }
            });
        }
        ui.horizontal(|ui| {
            if !matches!(info.unit, "" | "-") {
                ui.weak(info.unit);
            }
            inheritance(ui, row, sheets, actions);
        });
    }
}

/// Whether a value is a component's own, where it could be inherited; a click changes that.
fn inheritance(ui: &mut Ui, row: &Common<'_>, sheets: &[Sheet], actions: &mut Actions) {
    if !row.info.inheritable {
        return;
    }
    let own = row.first.source == Source::Explicit;
    let text = if own { "own" } else { "inherited" };
    let hint = if own { "Click to inherit it" } else { "Click to give it a value of its own" };
    if ui.small_button(text).on_hover_text(hint).clicked() {
        let owners = sheets.iter().map(|sheet| sheet.path.as_str());
        let value = row.first.value.to_string();
        actions.set(owners, row.info.name, (!own).then_some(value.as_str()));
    }
}

fn menu(ui: &mut Ui, info: &PropertyInfo, sheets: &[Sheet], actions: &mut Actions) {
    let paths = || sheets.iter().map(|sheet| format!("{}:{}", sheet.path, info.name));
    if info.value_type.is_numeric() && ui.button("Plot").clicked() {
        actions.follow.extend(paths());
        ui.close();
    }
    if ui.button("Copy path").clicked() {
        ui.ctx().copy_text(paths().collect::<Vec<_>>().join("\n"));
        ui.close();
    }
    if !info.read_only && ui.button("Reset to default").clicked() {
        let owners = sheets.iter().map(|sheet| sheet.path.as_str());
        actions.set(owners, info.name, Some(&info.default.to_string()));
        ui.close();
    }
}

/// What stands before the first dot; nothing for simple properties.
fn group(name: &str) -> &str {
    name.split_once('.').map_or("", |(group, _)| group)
}

/// A value that is only read, with as many digits as are of use.
fn shown(value: &Value) -> String {
    if matches!(value, Value::Bool(_) | Value::Int(_)) || value.numbers().len() == 0 {
        return value.to_string();
    }
    let digits = |x: f64| {
        let plain = x == 0.0 || (1e-3..1e5).contains(&x.abs());
        if plain { format!("{x:.5}") } else { format!("{x:.4e}") }
    };
    value.numbers().take(9).map(digits).collect::<Vec<_>>().join(" ")
}

/// The properties that all sheets have, in the order of the first.
fn common(sheets: &[Sheet]) -> Vec<Common<'_>> {
    let Some((first, others)) = sheets.split_first() else { return Vec::new() };
    let in_others = |row: &SheetRow| -> Option<Vec<&SheetRow>> {
        let same =
            |sheet: &'_ Sheet| sheet.rows.iter().position(|it| it.info.name == row.info.name);
        others.iter().map(|sheet| same(sheet).map(|at| &sheet.rows[at])).collect()
    };
    let rows = first.rows.iter().filter_map(|row| {
        let found = in_others(row)?;
        let same_type = found.iter().all(|it| it.info.value_type == row.info.value_type);
        let mixed = found.iter().any(|it| it.value != row.value);
        same_type.then_some(Common { info: row.info, first: row, mixed })
    });
    rows.collect()
}
