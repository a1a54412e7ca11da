//! The list of the parts of a world: formulas that can be edited while it runs, sliders for all outputs, constraints and
//! behaviours. A click on a name selects the part, or takes it for the part that is added.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use egui::{CollapsingHeader, Key, RichText, ScrollArea, Slider, SliderClamping, TextEdit, Ui};
use sinew::interactive::{
    BlockRow, ConstraintRow, OutputRow, PartId, Pick, WorldCommand, WorldSnapshot,
};

use super::build::{Builder, candidate};
use super::plots::Plotted;
use crate::panels::name;

/// Least half of the range of a slider.
const LEAST_RANGE: f64 = 1.0;
/// Width of a slider [point].
const SLIDER: f32 = 90.0;

/// Entries that are typed, and ranges of sliders.
#[derive(Default)]
pub(super) struct Parts {
    /// Formulas that are typed or were refused, by their blocks.
    drafts: HashMap<String, String>,
    /// Half ranges of sliders, by their outputs.
    ranges: HashMap<String, f64>,
}

/// Requests of the list.
struct Asked<'a> {
    commands: &'a mut Vec<WorldCommand>,
    plotted: &'a mut Plotted,
    builder: &'a mut Builder,
}

impl Parts {
    /// Another world is there.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Draws the list.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        snapshot: &WorldSnapshot,
        (plotted, builder): (&mut Plotted, &mut Builder),
        commands: &mut Vec<WorldCommand>,
    ) {
        let mut asked = Asked { commands, plotted, builder };
        ScrollArea::both().auto_shrink(false).id_salt("parts of the world").show(ui, |ui| {
            if snapshot.world > 0 {
                asked.builder.ui(ui, asked.commands);
            }
            let of = |wanted: Group| snapshot.blocks.iter().filter(move |it| group(it) == wanted);
            for (title, wanted, open) in [
                ("Formulas", Group::Formula, true),
                ("Values", Group::Value, true),
                ("Objects and points", Group::Other, false),
            ] {
                if of(wanted).next().is_some() {
                    let header = CollapsingHeader::new(title).default_open(open);
                    header.show(ui, |ui| of(wanted).for_each(|it| self.block(ui, it, &mut asked)));
                }
            }
            if !snapshot.constraints.is_empty() {
                let header = CollapsingHeader::new("Constraints and behaviours");
                header.show(ui, |ui| {
                    snapshot.constraints.iter().for_each(|it| constraint(ui, it, &mut asked));
                });
            }
            if snapshot.world > 0 {
                ui.weak(format!("kinetic energy {:.4} J", snapshot.status.kinetic_energy));
            }
        });
    }

    fn block(&mut self, ui: &mut Ui, block: &BlockRow, asked: &mut Asked<'_>) {
        match &block.formula {
            Some(formula) => self.formula(ui, block, formula, asked),
            None => {
                ui.horizontal(|ui| {
                    part(ui, block, asked);
                    ui.weak(block.kind);
                });
            }
        }
        for output in &block.outputs {
            self.output(ui, (block, output), asked);
        }
    }

    /// The formula of a block: Enter takes it, Escape leaves the old one.
    fn formula(&mut self, ui: &mut Ui, block: &BlockRow, formula: &str, asked: &mut Asked<'_>) {
        ui.horizontal(|ui| {
            part(ui, block, asked);
            ui.label("=");
            let mut text = self.drafts.get(&block.name).cloned().unwrap_or(formula.to_owned());
            let width = ui.available_width().clamp(80.0, 360.0);
            let edited = ui.add(TextEdit::singleline(&mut text).desired_width(width));
            name(&edited, &format!("formula of {}", block.name));
            if edited.changed() {
                self.drafts.insert(block.name.clone(), text.clone());
            }
            if ui.input(|input| input.key_pressed(Key::Escape)) && edited.lost_focus() {
                self.drafts.remove(&block.name);
            } else if edited.lost_focus() && text != formula {
                let block = block.name.clone();
                asked.commands.push(WorldCommand::SetFormula { block, text });
            } else if !edited.has_focus() && text == formula {
                self.drafts.remove(&block.name);
            }
        });
        let draft = self.drafts.get(&block.name);
        let shown = block.refusal.as_ref().filter(|it| draft == Some(&it.text));
        if let Some(refusal) = shown {
            let color = ui.visuals().error_fg_color;
            ui.colored_label(color, format!("{}; the old formula stays", refusal.reason));
        }
    }

    /// A slider, and the name of its output, which plots it.
    fn output(
        &mut self,
        ui: &mut Ui,
        (block, output): (&BlockRow, &OutputRow),
        asked: &mut Asked<'_>,
    ) {
        let half = self.ranges.entry(output.name.clone()).or_insert(LEAST_RANGE);
        while output.value.is_finite() && output.value.abs() > *half {
            *half *= 2.0;
        }
        let range = -*half..=*half;
        ui.horizontal(|ui| {
            slider(ui, output, range, asked.commands);
            let text = match output.target {
                Some(_) => format!("{} = {:.4}", output.name, output.value),
                None => output.name.clone(),
            };
            let slot = asked.builder.slot();
            if slot.is_some_and(|slot| slot.takes_output(candidate(block), &output.name)) {
                let button = ui.small_button(lit(ui, &text)).on_hover_text("Takes it for the part");
                name(&button, &format!("take {}", output.name));
                if button.clicked() {
                    let pick = Pick::Name(output.name.clone());
                    asked.builder.pick(pick, None, asked.commands);
                }
                return;
            }
            let plotted = ui.selectable_label(asked.plotted.has(&output.name), text);
            name(&plotted, &format!("plot {}", output.name));
            if plotted.on_hover_text("Plots it over time").clicked() {
                asked.plotted.toggle(&output.name);
            }
        });
    }
}

/// The name of an object or block: a click selects it, or takes it for the part that is added.
fn part(ui: &mut Ui, block: &BlockRow, asked: &mut Asked<'_>) {
    let slot = asked.builder.slot();
    if slot.is_some_and(|slot| slot.takes_block(candidate(block))) {
        let button = ui.small_button(lit(ui, &block.name)).on_hover_text("Takes it for the part");
        name(&button, &format!("take all of {}", block.name));
        if button.clicked() {
            asked.builder.pick(Pick::Name(block.name.clone()), None, asked.commands);
        }
        return;
    }
    select(ui, PartId::new(block.list, &block.name), asked);
}

/// The name of a part, which a click selects.
fn select(ui: &mut Ui, part: PartId, asked: &mut Asked<'_>) {
    let is_selected = asked.builder.selected() == Some(&part);
    let label = ui.selectable_label(is_selected, RichText::new(&part.name).strong());
    name(&label, &format!("part {}", part.name));
    if label.on_hover_text("Shows it as text; Delete takes it away").clicked() {
        asked.builder.select((!is_selected).then_some(part), asked.commands);
    }
}

/// A text that stands out as what can be clicked for a part.
fn lit(ui: &Ui, text: &str) -> RichText {
    RichText::new(text).strong().color(ui.visuals().warn_fg_color)
}

/// A slider that sets a value, or pulls on one while it is dragged. One that is typed is pulled to until it is released.
fn slider(
    ui: &mut Ui,
    output: &OutputRow,
    range: RangeInclusive<f64>,
    commands: &mut Vec<WorldCommand>,
) {
    ui.spacing_mut().slider_width = SLIDER;
    let mut value = output.target.unwrap_or(output.value);
    let slider = Slider::new(&mut value, range).clamping(SliderClamping::Never);
    let slider = ui.add(slider.max_decimals(4).update_while_editing(false));
    name(&slider, &format!("slider of {}", output.name));
    let hint = if output.is_set { "Sets it" } else { "Pulls on it while it is dragged" };
    let slider = slider.on_hover_text(hint);
    if slider.changed() || (slider.dragged() && !output.is_set) {
        commands.push(command(output, value));
    }
    let is_set = output.is_set && slider.changed() && !slider.dragged();
    let mut releases = slider.drag_stopped() || is_set;
    if output.target.is_some() && !slider.dragged() {
        let button = ui.small_button("release").on_hover_text("Pulls on it no more");
        name(&button, &format!("release {}", output.name));
        releases |= button.clicked();
    }
    if releases {
        commands.push(WorldCommand::ReleaseOutput(output.name.clone()));
    }
}

fn command(output: &OutputRow, value: f64) -> WorldCommand {
    let name = output.name.clone();
    match output.is_set {
        true => WorldCommand::SetValue { output: name, value },
        false => WorldCommand::Pull { output: name, target: value },
    }
}

fn constraint(ui: &mut Ui, row: &ConstraintRow, asked: &mut Asked<'_>) {
    ui.horizontal(|ui| {
        select(ui, PartId::new(row.list, &row.name), asked);
        ui.weak(row.kind);
        if let Some(multiplier) = row.multiplier {
            let hint = "Largest multiplier of its rows: its force is this times the slopes";
            ui.monospace(format!("{multiplier:.4}")).on_hover_text(hint);
        }
    });
}

/// Group of a block in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Formula,
    Value,
    Other,
}

fn group(block: &BlockRow) -> Group {
    match (&block.formula, block.outputs.iter().any(|it| it.is_set)) {
        (Some(_), _) => Group::Formula,
        (None, true) => Group::Value,
        (None, false) => Group::Other,
    }
}
