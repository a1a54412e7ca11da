//! Control panels of a model: chosen properties with sliders and fields.

use std::collections::HashMap;

use egui::{CollapsingHeader, DragValue, Grid, Slider, Ui};
use sinew::schedule::{Assignment, Command};
use sinew::snapshot::Readings;

use super::Actions;
use super::value::speed;

/// A group of properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlPanel {
    /// What stands above it.
    pub name: String,
    /// From top to bottom.
    pub items: Vec<ControlItem>,
}

/// One property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlItem {
    /// Its path.
    pub property: String,
    /// What stands beside it; the end of its path without one.
    pub label: Option<String>,
    /// How it is set.
    pub widget: ControlWidget,
    /// Least value of a slider.
    pub low: Option<f64>,
    /// Greatest value of a slider.
    pub high: Option<f64>,
}

/// How a property is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlWidget {
    /// A slider where there are bounds, else a field.
    #[default]
    Auto,
    /// A slider.
    Slider,
    /// A field.
    Number,
    /// A box to be ticked.
    Checkbox,
}

/// The control panels of a model.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    /// What was set, until a snapshot has it: numbers, and frames since.
    pending: HashMap<String, (Vec<f64>, u32)>,
}

/// Frames that a value which was set is shown before the one of the snapshot is.
const PATIENCE: u32 = 30;

impl Controls {
    /// Paths of all properties, once each.
    pub fn paths(panels: &[ControlPanel]) -> Vec<String> {
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
        panels: &[ControlPanel],
        readings: &Readings,
        actions: &mut Actions,
    ) {
        self.pending.retain(|_, (_, frames)| {
            *frames += 1;
            *frames < PATIENCE
        });
        for panel in panels {
            CollapsingHeader::new(&panel.name).default_open(true).show(ui, |ui| {
                Grid::new(("controls", &panel.name)).num_columns(2).show(ui, |ui| {
                    for item in &panel.items {
                        self.item(ui, item, readings, actions);
                        ui.end_row();
                    }
                });
            });
        }
    }

    fn item(
        &mut self,
        ui: &mut Ui,
        item: &ControlItem,
        readings: &Readings,
        actions: &mut Actions,
    ) {
        let label = item.label.as_deref().unwrap_or_else(|| short(&item.property));
        let shown = egui::Label::new(label).sense(egui::Sense::click());
        let shown = ui.add(shown).on_hover_text(&item.property);
        shown.context_menu(|ui| {
            if ui.button("Plot").clicked() {
                actions.follow.push(item.property.clone());
                ui.close();
            }
        });
        let Some(read) = numbers_of(readings, &item.property) else {
            ui.weak("no number");
            return;
        };
        if self.pending.get(&item.property).is_some_and(|(numbers, _)| numbers == read) {
            self.pending.remove(&item.property);
        }
        let pending = self.pending.get(&item.property).map(|(numbers, _)| numbers.clone());
        let mut numbers = pending.unwrap_or_else(|| read.to_vec());
        let changed = ui.horizontal(|ui| edit(ui, item, &mut numbers)).inner;
        if changed {
            let texts: Vec<String> = match item.widget {
                ControlWidget::Checkbox => vec![(numbers[0] != 0.0).to_string()],
                _ => numbers.iter().map(f64::to_string).collect(),
            };
            let value = Some(texts.join(" "));
            let path = item.property.clone();
            actions.commands.push(Command::Set(vec![Assignment { path, value }]));
            self.pending.insert(item.property.clone(), (numbers, 0));
        }
    }
}

/// Draws the widgets of an item; whether a number was changed.
fn edit(ui: &mut Ui, item: &ControlItem, numbers: &mut [f64]) -> bool {
    let (low, high) = (item.low.unwrap_or(0.0), item.high.unwrap_or(1.0));
    let bounded = item.low.is_some() && item.high.is_some();
    let slides =
        item.widget == ControlWidget::Slider || (item.widget == ControlWidget::Auto && bounded);
    let mut changed = false;
    for x in numbers {
        changed |= if item.widget == ControlWidget::Checkbox {
            let mut on = *x != 0.0;
            let ticked = ui.checkbox(&mut on, "").changed();
            *x = f64::from(u8::from(on));
            ticked
        } else if slides {
            ui.add(Slider::new(x, low..=high)).changed()
        } else {
            let speed = speed(*x);
            ui.add(DragValue::new(x).speed(speed)).changed()
        };
    }
    changed
}

/// The numbers of a path that is followed; `None` where it has none now.
pub(super) fn numbers_of<'r>(readings: &'r Readings, path: &str) -> Option<&'r [f64]> {
    let at = readings.paths.iter().position(|it| it == path)?;
    let (from, to) = (*readings.offsets.get(at)? as usize, *readings.offsets.get(at + 1)? as usize);
    let numbers = readings.numbers.get(from..to)?;
    numbers.iter().all(|x| !x.is_nan()).then_some(numbers)
}

/// The last step of a path and the property: `masseter:excitation`.
fn short(path: &str) -> &str {
    let (owner, _) = path.split_once(':').unwrap_or((path, ""));
    let from = owner.rfind('/').map_or(0, |at| at + 1);
    &path[from..]
}
