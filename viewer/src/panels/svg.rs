//! Plots as SVG: axes with round ticks, curves that stop where there is no number, a legend.

use std::fmt::Write;

use super::history::{History, curves};
use super::numeric::number;

/// Colours of curves, to be told apart also by those who see few of them: Okabe and Ito's.
pub(super) const COLORS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [120, 120, 120],
];

/// Room around the axes [pixel]: left, top, right, bottom.
const MARGINS: [f64; 4] = [70.0, 18.0, 16.0, 40.0];
/// Ticks an axis, about.
const TICKS: f64 = 6.0;

/// One plot in a rectangle.
struct Panel {
    /// Corner and size of its axes [pixel].
    place: [f64; 4],
    x: [f64; 2],
    y: [f64; 2],
}

/// All plots with the units of their values, one below the other, each of this size [pixel].
pub(super) fn document<'h>(
    plots: impl ExactSizeIterator<Item = (&'h [History], &'h str)>,
    [width, each]: [f64; 2],
) -> String {
    let height = each * plots.len().max(1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (k, (histories, unit)) in plots.enumerate() {
        let panel = Panel::new([0.0, each * k as f64, width, each], histories);
        panel.axes(&mut svg, unit);
        panel.curves(&mut svg, histories);
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    fn new([left, top, width, height]: [f64; 4], histories: &[History]) -> Self {
        let [l, t, r, b] = MARGINS;
        let curves = || histories.iter().flat_map(|it| &it.curves);
        let times = curves().flat_map(|it| &it.times);
        let values = curves().flat_map(|it| &it.values);
        let place = [left + l, top + t, width - l - r, height - t - b];
        Self { place, x: span(times), y: span(values) }
    }

    fn point(&self, x: f64, y: f64) -> [f64; 2] {
        let part = |x: f64, [low, high]: [f64; 2]| (x - low) / (high - low);
        let [left, top, width, height] = self.place;
        [left + width * part(x, self.x), top + height * (1.0 - part(y, self.y))]
    }

    fn axes(&self, svg: &mut String, unit: &str) {
        let [left, top, width, height] = self.place;
        let (right, bottom) = (left + width, top + height);
        for tick in ticks(self.x) {
            let x = self.point(tick, self.y[0])[0];
            line(svg, [x, top, x, bottom], "#ddd");
            text(svg, [x, bottom + 14.0], "middle", &number(tick));
        }
        for tick in ticks(self.y) {
            let y = self.point(self.x[0], tick)[1];
            line(svg, [left, y, right, y], "#ddd");
            text(svg, [left - 6.0, y + 4.0], "end", &number(tick));
        }
        line(svg, [left, bottom, right, bottom], "#333");
        line(svg, [left, top, left, bottom], "#333");
        text(svg, [left + width / 2.0, bottom + 30.0], "middle", "time [s]");
        let beside = if unit.is_empty() { String::new() } else { format!("[{unit}]") };
        text(svg, [left - 6.0, top - 4.0], "end", &beside);
    }

    fn curves(&self, svg: &mut String, histories: &[History]) {
        for (nth, (history, component)) in curves(histories).enumerate() {
            let [r, g, b] = COLORS[nth % COLORS.len()];
            let color = format!("#{r:02x}{g:02x}{b:02x}");
            let curve = history.curves[component].drawn();
            let points: Vec<_> = curve.times.iter().zip(&curve.values).collect();
            for run in points.split(|(_, x)| !x.is_finite()).filter(|run| !run.is_empty()) {
                let _ = write!(svg, "<polyline fill=\"none\" stroke=\"{color}\" points=\"");
                for &(t, x) in run {
                    let [x, y] = self.point(*t, *x);
                    let _ = write!(svg, "{x:.2},{y:.2} ");
                }
                svg.push_str("\"/>\n");
            }
            let [left, top, ..] = self.place;
            let y = top + 14.0 + 14.0 * nth as f64;
            line(svg, [left + 8.0, y - 4.0, left + 26.0, y - 4.0], &color);
            text(svg, [left + 32.0, y], "start", &history.name(component));
        }
    }
}

fn line(svg: &mut String, [a, b, c, d]: [f64; 4], color: &str) {
    let ends = format!("x1=\"{a:.2}\" y1=\"{b:.2}\" x2=\"{c:.2}\" y2=\"{d:.2}\"");
    let _ = writeln!(svg, "<line {ends} stroke=\"{color}\"/>");
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let place = format!("x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\"");
    let _ = writeln!(svg, "<text {place}>{text}</text>");
}

/// From the least to the greatest number, with some width.
fn span<'x>(numbers: impl Iterator<Item = &'x f64>) -> [f64; 2] {
    let known = numbers.filter(|x| x.is_finite());
    let [low, high] =
        known.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], &x| [l.min(x), h.max(x)]);
    let room = (low.abs() * 0.1).max(1e-12);
    match low.partial_cmp(&high) {
        Some(std::cmp::Ordering::Less) => [low, high],
        Some(std::cmp::Ordering::Equal) => [low - room, high + room],
        _ => [0.0, 1.0],
    }
}

/// Round numbers in an interval.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = (high - low) / TICKS;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|&it| it >= rough);
    let step = step.unwrap_or(rough);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}
