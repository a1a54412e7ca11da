//! Waypoints at even times: their interval, and the time of the last one.

use egui::{DragValue, Ui};

use super::request::Request;

/// The dialog for waypoints.
pub(super) struct WaypointsForm {
    /// Between two [s].
    interval: f64,
    /// Of the last one at most [s].
    end: f64,
}

impl WaypointsForm {
    /// Ten of them from `now` on, a second in all.
    pub(super) fn new(now: f64) -> Self {
        Self { interval: 0.1, end: now + 1.0 }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui) -> Option<Request> {
        ui.heading("Waypoints at even times");
        ui.label("From now on, at whole multiples. The run saves each as it passes.");
        egui::Grid::new("waypoints at even times").num_columns(2).show(ui, |ui| {
            for (number, name, label) in [
                (&mut self.interval, "one every", "interval of waypoints"),
                (&mut self.end, "until t =", "time of the last waypoint"),
            ] {
                ui.label(name);
                let field = DragValue::new(number).speed(0.01).max_decimals(6).suffix(" s");
                let field = ui.add(field.update_while_editing(false));
                crate::panels::name(&field, label);
                ui.end_row();
            }
        });
        let Self { interval, end } = *self;
        let fits = interval > 0.0 && interval.is_finite() && end.is_finite();
        if !fits {
            let why = format!("the interval must be > 0 s, got {interval} s");
            ui.colored_label(ui.visuals().warn_fg_color, why);
        }
        let set = ui.add_enabled(fits, egui::Button::new("Set waypoints")).clicked();
        set.then_some(Request::Waypoints { interval, end })
    }
}
