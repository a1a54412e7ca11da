//! Curves of numbers over time.

use std::fmt::Write;

use egui::Ui;
use egui_plot::{Legend, Line, Plot, PlotPoints};
use sinew::snapshot::Readings;

use super::Actions;
use super::controls::numbers_of;

/// Samples that a curve keeps: when it is full, every second one goes.
const MOST: usize = 20_000;
/// Size of a plot that is saved [pixel].
const SAVED: [f64; 2] = [800.0, 400.0];
const COLORS: [[u8; 3]; 6] =
    [[31, 119, 180], [214, 39, 40], [44, 160, 44], [148, 103, 189], [255, 127, 14], [23, 150, 160]];

/// One property over time.
#[derive(Clone, Debug, Default)]
struct Curve {
    path: String,
    times: Vec<f64>,
    /// Numbers of each time in a row.
    numbers: Vec<f64>,
    width: usize,
}

/// Curves of several properties.
#[derive(Clone, Debug, Default)]
pub struct Plots {
    curves: Vec<Curve>,
}

impl Plots {
    /// Follows a property from now on.
    pub fn follow(&mut self, path: impl Into<String>) {
        let path = path.into();
        if self.curves.iter().all(|curve| curve.path != path) {
            self.curves.push(Curve { path, ..Curve::default() });
        }
    }

    /// Paths of what is followed.
    pub fn paths(&self) -> Vec<String> {
        self.curves.iter().map(|curve| curve.path.clone()).collect()
    }

    /// Takes in the numbers of a time [s]. Samples at that time or later go: the run was taken back.
    pub fn record(&mut self, time: f64, readings: &Readings) {
        for curve in &mut self.curves {
            if let Some(numbers) = numbers_of(readings, &curve.path) {
                curve.record(time, numbers);
            }
        }
    }

    /// Draws the curves, one plot each.
    pub fn ui(&mut self, ui: &mut Ui, actions: &mut Actions) {
        if self.curves.is_empty() {
            ui.weak("right-click the name of a property and choose Plot");
            return;
        }
        let mut closed = None;
        ui.horizontal(|ui| {
            ui.strong("Plots");
            if ui.button("Save CSV").clicked() {
                actions.files.push(("plots.csv".to_owned(), self.to_csv()));
            }
            if ui.button("Save SVG").clicked() {
                actions.files.push(("plots.svg".to_owned(), self.to_svg(SAVED)));
            }
        });
        let width = ui.available_width() / self.curves.len() as f32 - 8.0;
        ui.horizontal(|ui| {
            for (k, curve) in self.curves.iter().enumerate() {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.horizontal(|ui| {
                        if ui.small_button("x").on_hover_text("Close").clicked() {
                            closed = Some(k);
                        }
                        ui.label(&curve.path);
                    });
                    curve.draw(ui, width);
                });
            }
        });
        if let Some(k) = closed {
            self.curves.remove(k);
        }
    }

    /// All curves as a table: time [s] and numbers, one block of columns a property; where a property has
    /// no sample at a time, nothing.
    pub fn to_csv(&self) -> String {
        let mut times: Vec<f64> = self.curves.iter().flat_map(|it| &it.times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut text = "time".to_owned();
        for curve in &self.curves {
            for k in 0..curve.width {
                let _ = write!(text, ",\"{}\"", curve.name(k));
            }
        }
        text.push('\n');
        for time in times {
            let _ = write!(text, "{time}");
            for curve in &self.curves {
                match curve.times.binary_search_by(|it| it.total_cmp(&time)) {
                    Ok(at) => {
                        for x in curve.row(at) {
                            let _ = write!(text, ",{x}");
                        }
                    }
                    Err(_) => text.push_str(&",".repeat(curve.width)),
                }
            }
            text.push('\n');
        }
        text
    }

    /// All curves as a drawing of this size [pixel].
    pub fn to_svg(&self, [width, height]: [f64; 2]) -> String {
        let count = self.curves.len().max(1) as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" \
             font-family=\"sans-serif\" font-size=\"11\">\n",
            height * count
        );
        for (k, curve) in self.curves.iter().enumerate() {
            curve.to_svg(&mut svg, height * k as f64, [width, height]);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl Curve {
    fn record(&mut self, time: f64, numbers: &[f64]) {
        if self.width != numbers.len() {
            *self = Self {
                path: std::mem::take(&mut self.path),
                width: numbers.len(),
                ..Self::default()
            };
        }
        let keep = self.times.partition_point(|&it| it < time);
        self.times.truncate(keep);
        self.numbers.truncate(keep * self.width);
        self.times.push(time);
        self.numbers.extend_from_slice(numbers);
        if self.times.len() > MOST {
            self.thin();
        }
    }

    /// Drops every second sample.
    fn thin(&mut self) {
        let kept = self.times.len().div_ceil(2);
        for k in 0..kept {
            self.times[k] = self.times[2 * k];
            self.numbers.copy_within(2 * k * self.width..(2 * k + 1) * self.width, k * self.width);
        }
        self.times.truncate(kept);
        self.numbers.truncate(kept * self.width);
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.numbers[at * self.width..(at + 1) * self.width]
    }

    fn name(&self, k: usize) -> String {
        match self.width {
            1 => self.path.clone(),
            2..=4 => format!("{}.{}", self.path, ["x", "y", "z", "w"][k]),
            _ => format!("{}[{k}]", self.path),
        }
    }

    fn draw(&self, ui: &mut Ui, width: f32) {
        let height = (ui.available_height() - 4.0).max(80.0);
        let plot = Plot::new(&self.path).width(width).height(height).legend(Legend::default());
        plot.show(ui, |plot| {
            for k in 0..self.width {
                let points = (0..self.times.len()).map(|at| [self.times[at], self.row(at)[k]]);
                let [r, g, b] = COLORS[k % COLORS.len()];
                let name = self.name(k).rsplit(':').next().unwrap_or_default().to_owned();
                let line = Line::new(name, PlotPoints::from_iter(points));
                plot.line(line.color(egui::Color32::from_rgb(r, g, b)));
            }
        });
    }

    fn to_svg(&self, svg: &mut String, top: f64, [width, height]: [f64; 2]) {
        let [left, right, above, below] = [70.0, 20.0, 24.0, 30.0];
        let (w, h) = (width - left - right, height - above - below);
        let span = |values: &[f64]| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if high > low { [low, high] } else { [low - 0.5, low + 0.5] }
        };
        let title = self.path.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{title}</text>", top + 16.0);
        if self.times.is_empty() {
            return;
        }
        let ([t0, t1], [y0, y1]) = (span(&self.times), span(&self.numbers));
        let x = |time: f64| left + w * (time - t0) / (t1 - t0);
        let y = |value: f64| top + above + h * (y1 - value) / (y1 - y0);
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{}\" width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"#888\"/>",
            top + above
        );
        for (value, at) in [(y0, y(y0)), (y1, y(y1))] {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{at}\" text-anchor=\"end\">{value:.4e}</text>",
                left - 4.0
            );
        }
        for (time, anchor) in [(t0, "start"), (t1, "end")] {
            let (at, base) = (x(time), top + above + h + 16.0);
            let _ = writeln!(
                svg,
                "<text x=\"{at}\" y=\"{base}\" text-anchor=\"{anchor}\">{time:.4} s</text>"
            );
        }
        for k in 0..self.width {
            let [r, g, b] = COLORS[k % COLORS.len()];
            let mut points = String::new();
            for at in 0..self.times.len() {
                let _ = write!(points, "{:.2},{:.2} ", x(self.times[at]), y(self.row(at)[k]));
            }
            let _ = writeln!(
                svg,
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"rgb({r},{g},{b})\"/>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn readings(numbers: &[f64]) -> Readings {
        Readings {
            paths: Arc::new(vec!["/a:x".to_owned(), "/b:v".to_owned()]),
            offsets: vec![0, 1, 4],
            numbers: numbers.to_vec(),
        }
    }

    fn recorded(count: usize) -> Plots {
        let mut plots = Plots::default();
        plots.follow("/a:x");
        plots.follow("/b:v");
        for k in 0..count {
            let k = k as f64;
            plots.record(0.25 * k, &readings(&[k, 1.0, 2.0, -k]));
        }
        plots
    }

    #[test]
    fn csv_has_a_column_for_every_number() {
        let expected =
            "time,\"/a:x\",\"/b:v.x\",\"/b:v.y\",\"/b:v.z\"\n0,0,1,2,-0\n0.25,1,1,2,-1\n";
        assert_eq!(recorded(2).to_csv(), expected);
    }

    #[test]
    fn what_is_later_goes_when_the_run_is_taken_back() {
        let mut plots = recorded(10);
        plots.record(1.0, &readings(&[7.0, 0.0, 0.0, 0.0]));
        let csv = plots.to_csv();
        assert_eq!(csv.lines().count(), 1 + 5);
        assert!(csv.ends_with("1,7,0,0,0\n"), "{csv}");
    }

    #[test]
    fn the_history_is_bounded_and_keeps_its_ends() {
        let plots = recorded(3 * MOST);
        for curve in &plots.curves {
            assert!(curve.times.len() <= MOST && curve.times.len() > MOST / 4);
            assert_eq!(curve.times[0], 0.0);
            assert!(curve.times.is_sorted());
            assert_eq!(curve.numbers.len(), curve.width * curve.times.len());
        }
    }

    #[test]
    fn a_drawing_has_a_line_for_every_number_within_its_frame() {
        let svg = recorded(20).to_svg([400.0, 200.0]);
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(roxmltree_is_happy(&svg), "{svg}");
    }

    /// Every tag is closed.
    fn roxmltree_is_happy(svg: &str) -> bool {
        let opened = svg.matches("<text").count();
        opened == svg.matches("</text>").count() && svg.ends_with("</svg>\n")
    }
}
