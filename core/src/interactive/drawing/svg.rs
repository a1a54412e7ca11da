//! The picture of a drawing as SVG.

use std::fmt::Write;

use super::DrawingBoard;

/// Pixels of the longer side.
const SIZE: f64 = 800.0;
/// Part of the size that stays free at each side.
const MARGIN: f64 = 0.05;

impl DrawingBoard {
    /// The drawing as SVG: a path a curve, with its name, and a disc a nail; y points up.
    pub fn to_svg(&self) -> String {
        let lines: Vec<Vec<[f64; 2]>> =
            (0..self.drawing().curves.len()).map(|at| self.points(at)).collect();
        let (low, high) = bounds(lines.iter().flatten());
        let [width, height] = [0, 1].map(|k| (high[k] - low[k]).max(1e-9));
        let size = width.max(height) * (1.0 + 2.0 * MARGIN);
        let corner = [low[0] - MARGIN * size, high[1] + MARGIN * size];
        let scale = SIZE / size;
        let place = |[x, y]: [f64; 2]| [(x - corner[0]) * scale, (corner[1] - y) * scale];
        let [w, h] = [width, height].map(|side| (side + 2.0 * MARGIN * size) * scale);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.1} {h:.1}\" width=\"{w:.1}\" height=\"{h:.1}\">\n"
        );
        for (curve, line) in self.drawing().curves.iter().zip(&lines) {
            let mut path = String::new();
            for (k, &at) in line.iter().enumerate() {
                let ([x, y], letter) = (place(at), if k == 0 { 'M' } else { 'L' });
                // Writing into a text does not fail.
                let _ = write!(path, "{letter}{x:.2} {y:.2}");
            }
            let name = curve.name.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"#1f2933\" stroke-width=\"2\"><title>{name}</title></path>"
            );
        }
        for nail in &self.drawing().nails {
            if let Some([x, y]) = self.place_of(&nail.point).map(place) {
                let _ =
                    writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4\" fill=\"#c2410c\"/>");
            }
        }
        svg + "</svg>\n"
    }
}

/// Least and greatest coordinates of what is finite.
fn bounds<'p>(points: impl Iterator<Item = &'p [f64; 2]>) -> ([f64; 2], [f64; 2]) {
    let finite = points.filter(|p| p.iter().all(|x| x.is_finite()));
    let found = finite.fold(None, |found: Option<([f64; 2], [f64; 2])>, p| {
        let (low, high) = found.unwrap_or((*p, *p));
        Some(([0, 1].map(|k| low[k].min(p[k])), [0, 1].map(|k| high[k].max(p[k]))))
    });
    found.unwrap_or(([-1.0; 2], [1.0; 2]))
}
