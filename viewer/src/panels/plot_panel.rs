//! The panel of plots: side by side, with their curves, and the values under the pointer.

use egui::{Button, ScrollArea, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};

use super::Actions;
use super::history::curves;
use super::numeric::{FEWER, number, with_digits};
use super::plots::{Joined, Plots, SAVED};
use super::svg::COLORS;

/// Least size of a plot [point].
const LEAST: [f32; 2] = [280.0, 80.0];

/// Request concerning a plot.
enum Asked {
    Close,
    Join,
    /// One of its histories goes.
    Remove(usize),
}

impl Plots {
    /// Draws the plots.
    pub fn ui(&mut self, ui: &mut Ui, actions: &mut Actions) {
        if self.plots.is_empty() {
            ui.weak("right-click the name of a property and choose Plot");
            return;
        }
        self.bar(ui, actions);
        let count = self.plots.len() as f32;
        let spacing = ui.spacing().item_spacing.x;
        let width = ((ui.available_width() - spacing * (count - 1.0)) / count).max(LEAST[0]);
        let (mut asked, mut cursor) = (None, None);
        ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (place, plot) in self.plots.iter().enumerate() {
                    ui.vertical(|ui| {
                        ui.set_width(width);
                        let joins = self.partner(place).is_some();
                        let wish = plot.head(ui, joins, self.cursor);
                        asked = wish.map(|wish| (place, wish)).or(asked.take());
                        cursor = plot.draw(ui).or(cursor);
                    });
                }
            });
        });
        self.cursor = cursor;
        match asked {
            Some((place, Asked::Close)) => drop(self.plots.remove(place)),
            Some((place, Asked::Join)) => self.join(place),
            Some((place, Asked::Remove(history))) => self.remove(place, history),
            None => {}
        }
    }

    fn bar(&mut self, ui: &mut Ui, actions: &mut Actions) {
        ui.horizontal(|ui| {
            ui.strong("Plots");
            if ui.button("Save CSV").clicked() {
                actions.files.push(("plots.csv".to_owned(), self.to_csv()));
            }
            if ui.button("Save SVG").clicked() {
                actions.files.push(("plots.svg".to_owned(), self.to_svg(SAVED)));
            }
            if ui.button("Clear").on_hover_text("Close all plots").clicked() {
                self.clear();
            }
            if let Some(time) = self.cursor {
                ui.monospace(format!("t = {} s", number(time)));
            }
        });
    }
}

impl Joined {
    /// Head of a plot: its curves, with the values at the pointer, else the last ones, and buttons.
    fn head(&self, ui: &mut Ui, joins: bool, cursor: Option<f64>) -> Option<Asked> {
        let mut asked = None;
        ui.horizontal_wrapped(|ui| {
            if ui.small_button("Close").on_hover_text("Close this plot").clicked() {
                asked = Some(Asked::Close);
            }
            let join = ui.add_enabled(joins, Button::new("Join").small());
            if join.on_hover_text("Draw in the plot before it that has this unit").clicked() {
                asked = Some(Asked::Join);
            }
            for (k, history) in self.histories.iter().enumerate() {
                let remove = Button::new(format!("{} ×", short(&history.path))).small();
                let hint = format!("Remove {}", history.path);
                if ui.add(remove).on_hover_text(hint).clicked() {
                    asked = Some(Asked::Remove(k));
                }
                if let Some(values) = history.before(cursor.unwrap_or(f64::INFINITY)) {
                    let values: Vec<String> =
                        values.into_iter().map(|x| with_digits(x, FEWER)).collect();
                    ui.monospace(format!("{} {}", values.join(" "), self.unit));
                }
            }
        });
        asked
    }

    /// Draws the curves; the time under the pointer [s].
    fn draw(&self, ui: &mut Ui) -> Option<f64> {
        let height = (ui.available_height() - 4.0).max(LEAST[1]);
        let group = egui::Id::unique("plots over time");
        let plot = Plot::new(("plot", self.number)).height(height).legend(Legend::default());
        let plot = plot.link_axis(group, [true, false]).link_cursor(group, [true, false]);
        let plot = plot.y_axis_label(if self.unit == "-" { "" } else { &self.unit });
        let shown = plot.show(ui, |plot| {
            for (nth, (history, component)) in curves(&self.histories).enumerate() {
                let [r, g, b] = COLORS[nth % COLORS.len()];
                let curve = history.curves[component].drawn();
                let points = curve.times.iter().zip(&curve.values);
                let points: PlotPoints<'_> = points.map(|(&t, &x)| [t, x]).collect();
                let name = short(&history.name(component)).to_owned();
                plot.line(Line::new(name, points).color(egui::Color32::from_rgb(r, g, b)));
            }
            plot.response().hovered().then(|| plot.pointer_coordinate()).flatten()
        });
        shown.inner.map(|at| at.x)
    }
}

/// The last step of a path, and the property.
fn short(path: &str) -> &str {
    let owner = path.find(':').unwrap_or(path.len());
    path[..owner].rfind('/').map_or(path, |at| &path[at + 1..])
}
