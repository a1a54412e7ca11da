//! Sweeps: rows of elliptical sections along a smooth curve, as segments.

use super::segment::{Point, Segment, cross, sub};

/// A section of a tube: centre, half width along the side, half height across [mm].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    center: Point,
    half_width: f64,
    half_height: f64,
}

impl Section {
    /// The same, higher [mm].
    pub(crate) fn raised(self, by: f64) -> Self {
        let [x, y, z] = self.center;
        Self { center: [x, y, z + by], ..self }
    }

    /// A round section of a radius that ends where this one does: above, or below for -1 [mm].
    pub(crate) fn border(self, side: f64, radius: f64) -> Self {
        rod(self.raised(side * (self.half_height - radius)).center, radius)
    }
}

/// A section as a table row.
pub(crate) const fn section(center: Point, half_width: f64, half_height: f64) -> Section {
    Section { center, half_width, half_height }
}

/// A round section as a table row.
pub(crate) const fn rod(center: Point, radius: f64) -> Section {
    section(center, radius, radius)
}

/// Direction in which the height of the sections of a tube is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Upright {
    /// The given direction, as far as it is normal to the tube.
    Height(Point),
    /// Across the given direction, which the width follows.
    Width(Point),
}

/// Parts of each interval of a tube between two sections.
const PARTS: usize = 3;

/// The segments of a tube whose sections follow a Catmull-Rom curve through `sections`; a tube that begins in
/// the midsagittal plane crosses it at right angles.
pub(crate) fn tube(sections: &[Section], upright: Upright) -> Vec<Segment> {
    let row = |s: &Section| [s.center[0], s.center[1], s.center[2], s.half_width, s.half_height];
    let rows: Vec<[f64; 5]> = sections.iter().map(row).collect();
    let count = (rows.len() - 1) * PARTS;
    let at: Vec<_> = (0..=count).map(|k| curve_point(&rows, k)).collect();
    at.windows(2).map(|pair| tube_segment(pair[0], pair[1], upright)).collect()
}

fn tube_segment(from: [f64; 5], to: [f64; 5], upright: Upright) -> Segment {
    let point = |row: [f64; 5]| [row[0], row[1], row[2]];
    let along = sub(point(to), point(from));
    let side = match upright {
        Upright::Width(width) => width,
        Upright::Height(height) => cross(height, along),
    };
    let radii = |row: [f64; 5]| [row[3].min(row[4]), row[3], row[4]];
    Segment::new([point(from), point(to)], along, side, [radii(from), radii(to)])
}

/// Point `k` of [`PARTS`] an interval on the uniform Catmull-Rom curve. Before a first row in the midsagittal
/// plane comes the mirror image of the second; elsewhere the curve ends straight.
fn curve_point(rows: &[[f64; 5]], k: usize) -> [f64; 5] {
    let i = (k / PARTS).min(rows.len() - 2);
    let f = k as f64 / PARTS as f64 - i as f64;
    let (b, c) = (rows[i], rows[i + 1]);
    let mirrored = |axis: usize| if axis == 1 { -c[axis] } else { c[axis] };
    std::array::from_fn(|axis| {
        let before = match i.checked_sub(1) {
            Some(i) => rows[i][axis],
            None if b[1] == 0.0 => mirrored(axis),
            None => 2.0 * b[axis] - c[axis],
        };
        let after = rows.get(i + 2).map_or(2.0 * c[axis] - b[axis], |row| row[axis]);
        let (slope_b, slope_c) = (0.5 * (c[axis] - before), 0.5 * (after - b[axis]));
        let (f2, f3) = (f * f, f * f * f);
        b[axis] * (2.0 * f3 - 3.0 * f2 + 1.0)
            + c[axis] * (3.0 * f2 - 2.0 * f3)
            + slope_b * (f3 - 2.0 * f2 + f)
            + slope_c * (f3 - f2)
    })
}
