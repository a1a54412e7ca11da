//! Inverse control of a model: its targets with what was reached, the excitations that were found, and the way to replay them.

use egui::{Button, DragValue, Grid, ProgressBar, Ui};
use sinew::schedule::{Command, FoundExcitation, TrackedTarget, TrackingEdit, TrackingStatus};

use super::Actions;
use super::draft::Drafts;
use super::numeric::with_digits;
use super::value::{name, tick};
use crate::color::prefixed;

/// Digits of a distance.
const DIGITS: i32 = 3;
/// Width of the bar of an excitation [point].
const BAR: f32 = 110.0;

/// The panel of inverse control.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackingPanel {
    /// Weights that are edited, by target.
    drafts: Drafts<f64>,
}

impl TrackingPanel {
    /// Draws the panel.
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        status: Option<&TrackingStatus>,
        actions: &mut Actions,
    ) {
        let Some(status) = status else {
            ui.weak("no inverse control: a section [inverse] of the model file has the targets");
            return;
        };
        if let Some(fault) = &status.fault {
            ui.colored_label(ui.visuals().error_fg_color, fault);
            return;
        }
        run(ui, status, actions);
        ui.separator();
        ui.strong("Targets");
        Grid::new("targets").num_columns(4).show(ui, |ui| {
            for text in ["", "weight", "distance", "rms"] {
                ui.weak(text);
            }
            ui.end_row();
            for (number, target) in status.targets.iter().enumerate() {
                self.target(ui, (number, target), actions);
                ui.end_row();
            }
        });
        ui.separator();
        excitations(ui, status, actions);
    }

    /// A target with its weight, its distance now and the mean of those before.
    fn target(
        &mut self,
        ui: &mut Ui,
        (number, target): (usize, &TrackedTarget),
        actions: &mut Actions,
    ) {
        ui.label(short(&target.path)).on_hover_text(&target.path);
        let key = &number.to_string();
        let mut weight = self.drafts.get(ui, key, &target.weight);
        let speed = 0.02 * weight.max(0.05);
        let drag = DragValue::new(&mut weight).range(0.0..=f64::MAX).speed(speed);
        let field = ui.add(drag);
        name(&field, &format!("weight of {}", short(&target.path)));
        if field.changed() {
            self.drafts.put(ui, key, weight);
            let edit = TrackingEdit::SetWeight { target: number, weight };
            actions.commands.push(Command::EditTracking(edit));
        }
        self.drafts.hold(ui, key, field.dragged() || field.has_focus());
        for length in [target.distance, target.rms] {
            ui.monospace(length.map_or("-".to_owned(), |it| text(it, target.unit)));
        }
    }
}

/// Switch of the search, and the replay of what it found.
fn run(ui: &mut Ui, status: &TrackingStatus, actions: &mut Actions) {
    let mut on = status.on;
    ui.horizontal(|ui| {
        if tick(ui, &mut on, false, "find excitations") {
            actions.commands.push(Command::EditTracking(TrackingEdit::Switch(on)));
        }
        ui.label("Find excitations");
        let replay = ui.add_enabled(status.recorded.is_some(), Button::new("Replay"));
        let hint = "an input probe feeds what was found; the run goes back to where that begins";
        if replay.on_hover_text(hint).clicked() {
            actions.commands.push(Command::EditTracking(TrackingEdit::Replay));
        }
    });
    match status.recorded {
        Some([start, end]) => ui.weak(format!("recorded from {start:.3} s to {end:.3} s")),
        None => ui.weak("nothing recorded"),
    };
    let warning = match (status.out_of_reach, status.missed) {
        (true, _) => "out of reach of the excitations: the nearest motion is followed",
        (false, true) => {
            "missed by more than half of what is asked for: no excitation leads there, or targets contradict each other"
        }
        (false, false) => return,
    };
    ui.colored_label(ui.visuals().warn_fg_color, warning);
}

/// All excitations, and a way to their curves.
fn excitations(ui: &mut Ui, status: &TrackingStatus, actions: &mut Actions) {
    ui.horizontal(|ui| {
        ui.strong("Excitations");
        if ui.button("Plot").on_hover_text("curves of all excitations over time").clicked() {
            actions.follow.extend(status.excitations.iter().map(|it| it.path.clone()));
        }
    });
    Grid::new("excitations").num_columns(2).show(ui, |ui| {
        for excitation in &status.excitations {
            bar(ui, excitation);
            ui.end_row();
        }
    });
}

/// An excitation as a bar between its bounds.
fn bar(ui: &mut Ui, excitation: &FoundExcitation) {
    let FoundExcitation { path, value, bounds: [low, high] } = excitation;
    let owner = path.rsplit_once(':').map_or(path.as_str(), |(owner, _)| owner);
    ui.label(owner.rsplit('/').next().unwrap_or(owner)).on_hover_text(path);
    let share = if high > low { (value - low) / (high - low) } else { 0.0 };
    let bar = ProgressBar::new(share as f32).desired_width(BAR).text(format!("{value:.3}"));
    let bar = ui.add(bar);
    name(&bar, &format!("excitation {}", short(path)));
}

/// A distance with its unit: `1.25 mm`.
fn text(distance: f64, unit: &str) -> String {
    match unit {
        "m" | "N" => {
            let (scale, unit) = prefixed(distance.abs(), unit);
            format!("{} {unit}", with_digits(distance / scale, DIGITS))
        }
        _ => format!("{} {unit}", with_digits(distance, DIGITS)).trim_end().to_owned(),
    }
}

/// The last step of a path and the property.
fn short(path: &str) -> &str {
    let (owner, _) = path.split_once(':').unwrap_or((path, ""));
    let from = owner.rfind('/').map_or(0, |at| at + 1);
    &path[from..]
}

#[cfg(test)]
mod tests;
