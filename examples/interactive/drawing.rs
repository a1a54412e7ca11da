//! Pictures of the examples: lines, circles and words as SVG.

use std::fmt::Write;

/// A picture; y points up.
pub(crate) struct Drawing {
    body: String,
    size: [f64; 2],
    corner: [f64; 2],
    scale: f64,
}

/// Colours that differ in brightness too.
pub(crate) const INK: &str = "#1f2933";
pub(crate) const BLUE: &str = "#1769aa";
pub(crate) const RED: &str = "#c2410c";
pub(crate) const PALE: &str = "#9aa5b1";

impl Drawing {
    /// A picture of what lies between two corners, `scale` pixels a unit.
    pub(crate) fn new(from: [f64; 2], to: [f64; 2], scale: f64) -> Self {
        let size = [0, 1].map(|k| scale * (to[k] - from[k]));
        Self { body: String::new(), size, corner: [from[0], to[1]], scale }
    }

    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        [self.scale * (at[0] - self.corner[0]), self.scale * (self.corner[1] - at[1])]
    }

    /// A line through points, in pixels as wide as `width`.
    pub(crate) fn line(&mut self, points: &[[f64; 2]], colour: &str, width: f64) {
        let places: Vec<String> = points
            .iter()
            .map(|&at| {
                let [x, y] = self.place(at);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let _ = writeln!(
            self.body,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>"#,
            places.join(" ")
        );
    }

    /// A disc with a radius in pixels.
    pub(crate) fn dot(&mut self, at: [f64; 2], colour: &str, radius: f64) {
        let [x, y] = self.place(at);
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius}" fill="{colour}"/>"#
        );
    }

    /// Words that begin at a place.
    pub(crate) fn words(&mut self, at: [f64; 2], words: &str) {
        let [x, y] = self.place(at);
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-family="sans-serif" font-size="13" fill="{INK}">{words}</text>"#
        );
    }

    /// The text of the file.
    pub(crate) fn svg(&self) -> String {
        let [w, h] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" height=\"{h:.0}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}
