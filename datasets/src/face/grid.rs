//! The grid of the face: columns from right to left, rows from below the chin to the hairline, three slits (mouth and lids) whose two lips
//! have vertices of their own; and the chart that says where a vertex looks into the head. Left and right are mirror images.

use crate::bones::sdf::Ray;
use crate::interpolation::{hermite, smooth_step};

/// Columns of a half from the middle, and the angles about the upright axis that they lie at [degrees]: the inner corner of the eye,
/// the corner of the mouth, the outer corner of the eye, before the ear.
const COLUMNS: [(usize, f64); 5] = [(0, 0.0), (4, 14.0), (6, 19.5), (10, 39.5), (16, 84.0)];

/// Rows: number, distance from the upright axis, height [mm], and elevation of the ray, outwards [degrees].
const ROWS: [(usize, [f64; 3]); 8] = [
    (0, [50.0, -8.0, -72.0]),
    (4, [80.0, 2.0, -32.0]),
    (6, [82.0, 13.0, -10.0]),
    (10, [86.0, 39.4, 0.0]),
    (16, [87.0, 61.5, -16.0]),
    (24, [80.0, 104.5, 0.0]),
    (28, [82.0, 125.0, 8.0]),
    (34, [66.0, 167.0, 42.0]),
];

/// The upright axis that columns turn about: x [mm].
const AXIS: f64 = -30.0;
/// Rows of the mouth and of the eyes.
const MOUTH_ROW: usize = 10;
const EYE_ROW: usize = 24;
/// Columns of the corners of mouth and eyes.
const MOUTH_CORNER: usize = 6;
const EYE_CORNERS: [usize; 2] = [4, 10];
/// Half the gap between closed lips [mm].
const LIP_GAP: f64 = 0.2;
/// Height of the open lids above and below the row of the eyes [mm]: a fissure of 10 mm.
const LIDS: [f64; 2] = [5.6, 4.4];
/// Rise of the bottom rows towards the angles of the jaw [mm].
const BOTTOM_RISE: f64 = 15.0;
/// Their distance from the axis there over that of the table [mm].
const BOTTOM_OUT: f64 = 20.0;

/// Millimetres of the unrolled face a degree, at 80 mm from the axis.
pub(super) const PER_DEGREE: f64 = 80.0 * std::f64::consts::PI / 180.0;

/// Side of a slit that a vertex belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lip {
    Upper,
    Lower,
}

/// Edges of the grid, and ends of the fissures of the eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Below the mandible.
    Bottom,
    /// Before the ears and at the hairline.
    Other,
    /// A corner of an eye, where its lids meet.
    EyeCorner,
}

/// A vertex of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vertex {
    /// Row from below.
    pub(super) row: usize,
    /// Column from the middle, positive on the left.
    pub(super) column: isize,
    /// Side of the slit, of vertices inside of one; upper for all others.
    pub(super) lip: Lip,
}

/// The grid at a refinement.
pub(super) struct Grid {
    /// Refinement in halves: 2 for the numbers of the tables.
    halves: usize,
    /// All vertices; those of the lower lips of slits come last.
    pub(super) vertices: Vec<Vertex>,
}

impl Grid {
    /// The tables with every cell cut in `halves` / 2.
    pub(super) fn new(halves: usize) -> Self {
        let mut grid = Self { halves, vertices: Vec::new() };
        let all = |lip: Lip, grid: &Self| {
            let half = grid.half_width() as isize;
            let rows = 0..=grid.row_count();
            let rows =
                rows.flat_map(|row| (-half..=half).map(move |column| Vertex { row, column, lip }));
            rows.collect::<Vec<_>>()
        };
        grid.vertices = all(Lip::Upper, &grid);
        let lower = all(Lip::Lower, &grid).into_iter().filter(|v| grid.slit(v.row, v.column));
        let lower: Vec<_> = lower.collect();
        grid.vertices.extend(lower);
        grid
    }

    fn refined(&self, count: usize) -> usize {
        count * self.halves / 2
    }

    /// Rows of cells.
    pub(super) fn row_count(&self) -> usize {
        self.refined(ROWS[ROWS.len() - 1].0)
    }

    /// Columns of cells of a half.
    pub(super) fn half_width(&self) -> usize {
        self.refined(COLUMNS[COLUMNS.len() - 1].0)
    }

    /// True if the vertex is double: between the corners of a slit.
    fn slit(&self, row: usize, column: isize) -> bool {
        let aside = column.unsigned_abs();
        let [inner, outer] = EYE_CORNERS.map(|corner| self.refined(corner));
        (row == self.refined(MOUTH_ROW) && aside < self.refined(MOUTH_CORNER))
            || (row == self.refined(EYE_ROW) && inner < aside && aside < outer)
    }

    /// Number of the vertex at a place, of the given side where it is double.
    pub(super) fn index(&self, row: usize, column: isize, lip: Lip) -> usize {
        let half = self.half_width();
        if lip == Lip::Lower && self.slit(row, column) {
            let single = (self.row_count() + 1) * (2 * half + 1);
            let own = Vertex { row, column, lip };
            let double = &self.vertices[single..];
            return single + double.iter().position(|v| *v == own).expect("it is in the slit");
        }
        row * (2 * half + 1) + (column + half as isize) as usize
    }

    /// Vertices of each cell, counterclockwise from outside: low right, low left, high left, high right as the face has its sides.
    pub(super) fn cells(&self) -> Vec<[usize; 4]> {
        let half = self.half_width() as isize;
        let cell = |row: usize, column: isize| {
            let low = |column| self.index(row, column, Lip::Upper);
            let high = |column| self.index(row + 1, column, Lip::Lower);
            [low(column), low(column + 1), high(column + 1), high(column)]
        };
        (0..self.row_count()).flat_map(|row| (-half..half).map(move |c| cell(row, c))).collect()
    }

    /// Vertex on the other side of the face.
    pub(super) fn mirrored(&self, vertex: usize) -> usize {
        let Vertex { row, column, lip } = self.vertices[vertex];
        self.index(row, -column, lip)
    }

    /// The edge of the mesh that a vertex lies at.
    pub(super) fn edge(&self, vertex: usize) -> Option<Edge> {
        let Vertex { row, column, .. } = self.vertices[vertex];
        let other = row == self.row_count() || column.unsigned_abs() == self.half_width();
        let corners = EYE_CORNERS.map(|corner| self.refined(corner));
        let eye = row == self.refined(EYE_ROW) && corners.contains(&column.unsigned_abs());
        match () {
            () if row == 0 => Some(Edge::Bottom),
            () if other => Some(Edge::Other),
            () => eye.then_some(Edge::EyeCorner),
        }
    }

    /// Vertices of the corners of the mouth: left, right.
    pub(super) fn mouth_corners(&self) -> [usize; 2] {
        let corner = self.refined(MOUTH_CORNER) as isize;
        [corner, -corner].map(|column| self.index(self.refined(MOUTH_ROW), column, Lip::Upper))
    }

    /// Vertices of an edge of the mouth.
    pub(super) fn lip(&self, lip: Lip) -> Vec<usize> {
        let reach = self.refined(MOUTH_CORNER) as isize;
        let row = self.refined(MOUTH_ROW);
        (1 - reach..reach).map(|column| self.index(row, column, lip)).collect()
    }

    /// Vertices of an edge of the lids of a side, 1 for left and -1 for right.
    pub(super) fn lid(&self, side: isize, lip: Lip) -> Vec<usize> {
        let [inner, outer] = EYE_CORNERS.map(|corner| self.refined(corner) as isize);
        let row = self.refined(EYE_ROW);
        (inner + 1..outer).map(|column| self.index(row, side * column, lip)).collect()
    }

    /// Place of a vertex on the unrolled face [mm]: to the left, and up.
    pub(super) fn unrolled(&self, vertex: usize) -> [f64; 2] {
        let Vertex { column, .. } = self.vertices[vertex];
        let [_, z, _] = self.row_at(vertex);
        let aside = self.angle(column.unsigned_abs()) * PER_DEGREE;
        [if column < 0 { -aside } else { aside }, z]
    }

    /// Angle of a column [degrees].
    fn angle(&self, aside: usize) -> f64 {
        let at = 2.0 * aside as f64 / self.halves as f64;
        let rows = COLUMNS.map(|(column, angle)| (column as f64, [angle]));
        along(&rows, at)[0]
    }

    /// Distance from the axis, height [mm], elevation [degrees] of the ray of a vertex.
    fn row_at(&self, vertex: usize) -> [f64; 3] {
        let v = self.vertices[vertex];
        let at = 2.0 * v.row as f64 / self.halves as f64;
        let rows = ROWS.map(|(row, values)| (row as f64, values));
        let [radius, z, elevation] = along(&rows, at);
        let angle = self.angle(v.column.unsigned_abs());
        let low = (1.0 - at / MOUTH_ROW as f64).max(0.0);
        // 0 in the middle, 1 at the angle of the jaw.
        let aside = smooth_step(angle / 70.0);
        let rise = BOTTOM_RISE * low * aside;
        [
            radius + BOTTOM_OUT * low * aside,
            z + rise + self.opened(v, at),
            elevation * (1.0 - 0.9 * low.sqrt() * aside),
        ]
    }

    /// Height by which a vertex makes room for the slits [mm].
    fn opened(&self, v: Vertex, at: f64) -> f64 {
        let column = 2.0 * v.column.unsigned_abs() as f64 / self.halves as f64;
        // 1 at the slit, 0 from `reach` rows away on.
        let near = |row: usize, reach: f64| smooth_step(1.0 - (at - row as f64).abs() / reach);
        let side = |row: usize| match v.lip {
            _ if at > row as f64 => 1.0,
            _ if at < row as f64 => -1.0,
            Lip::Upper => 1.0,
            Lip::Lower => -1.0,
        };
        let lens = |t: f64| (1.0 - t * t).max(0.0).sqrt();
        let mouth = lens(column / MOUTH_CORNER as f64) * near(MOUTH_ROW, 0.8) * LIP_GAP;
        let [inner, outer] = EYE_CORNERS.map(|corner| corner as f64);
        let middle = 0.5 * (inner + outer);
        let aside = (column - middle) / (outer - middle);
        let way = (1.0 - aside * aside).max(0.0) * near(EYE_ROW, 4.0);
        let lids = if side(EYE_ROW) > 0.0 { LIDS[0] } else { LIDS[1] };
        side(MOUTH_ROW) * mouth + side(EYE_ROW) * way * lids
    }

    /// The ray into the head at a vertex.
    pub(super) fn ray(&self, vertex: usize) -> Ray {
        /// Distance of its begin from the place of the table [mm]: outside of every head.
        const OUTSIDE: f64 = 60.0;
        let [radius, z, elevation] = self.row_at(vertex);
        let column = self.vertices[vertex].column;
        let (sin, cos) = self.angle(column.unsigned_abs()).to_radians().sin_cos();
        let (up, out) = elevation.to_radians().sin_cos();
        let sin = if column < 0 { -sin } else { sin };
        let [r, z] = [radius + OUTSIDE * out, z + OUTSIDE * up];
        Ray { from: [AXIS + r * cos, r * sin, z], inward: [-out * cos, -out * sin, -up] }
    }
}

/// Values at a place between knots: cubic pieces whose slopes are the means of those beside.
fn along<const N: usize>(knots: &[(f64, [f64; N])], at: f64) -> [f64; N] {
    let k = knots.iter().rposition(|(place, _)| *place <= at).unwrap_or(0).min(knots.len() - 2);
    let secant = |k: usize, n: usize| {
        let [(a, from), (b, to)] = [knots[k], knots[k + 1]];
        (to[n] - from[n]) / (b - a)
    };
    let slope = |k: usize, n: usize| match k {
        0 => secant(0, n),
        k if k + 1 == knots.len() => secant(k - 1, n),
        k => 0.5 * (secant(k - 1, n) + secant(k, n)),
    };
    let [(a, from), (b, to)] = [knots[k], knots[k + 1]];
    let h = b - a;
    std::array::from_fn(|n| {
        let slopes = [h * slope(k, n), h * slope(k + 1, n)];
        hermite([from[n], to[n]], slopes, (at - a) / h)
    })
}
