//! Block rows that the stiffness of lines is assembled on: those of their points, and for points fixed to bodies the two
//! rows of these, so that such points have no rows of their own in the matrix.

use super::lines::{LinePath, Lines};
use crate::linalg::{BlockPattern, add_block};
use crate::{Mat3, Vec3};

/// Targets of a line whose derivatives are gathered before they are multiplied; those of longer ones, which are plain
/// lines through many points, are multiplied point by point.
const MOST_TARGETS: usize = 64;

/// A row that has no body.
pub(crate) const NO_BODY: u32 = u32::MAX;

/// Rows of the matrix for all lines, flat.
#[derive(Clone, Default)]
pub(super) struct LineTargets {
    /// Index of the first target of each line, and the end of all.
    starts: Vec<u32>,
    /// Block rows, each once a line.
    targets: Vec<u32>,
    /// For every row of every line.
    places: Vec<RowTargets>,
    /// Index of the first slot of each line.
    slot_starts: Vec<u32>,
    /// Slots of all pairs of targets of a line, row after row.
    slots: Vec<u32>,
}

/// The targets of a row of a line.
#[derive(Clone, Copy)]
struct RowTargets {
    /// The first among the targets of the line; of a point of a body the next is that of its rotation.
    target: u32,
    /// Row of the centre of mass of its body, or [`NO_BODY`].
    center: u32,
}

/// A line at the positions of all rows.
pub(super) struct TargetedLine<'a> {
    /// Its targets.
    pub(super) rows: &'a [u32],
    slots: &'a [u32],
    places: &'a [RowTargets],
    points: &'a [u32],
    q: &'a [Vec3],
}

/// Targets of a row of a line with the derivatives of its velocity by theirs.
struct Weights {
    first: usize,
    /// From the centre of mass of its body [m].
    arm: Option<Vec3>,
}

impl LineTargets {
    /// `body_of` names the row of the centre of mass of the body that a row is fixed to, or [`NO_BODY`].
    pub(super) fn new(lines: &Lines, body_of: impl Fn(u32) -> u32) -> Self {
        let mut own = Self { starts: vec![0], ..Self::default() };
        for points in lines.iter() {
            let first = own.targets.len();
            for &row in points {
                let center = body_of(row);
                let rows = if center == NO_BODY { [row, NO_BODY] } else { [center, center + 1] };
                let target = own.place(first, rows);
                own.places.push(RowTargets { target, center });
            }
            own.starts.push(own.targets.len() as u32);
        }
        own
    }

    /// The number of one row, or of two that follow each other, among the targets from `first` on.
    fn place(&mut self, first: usize, rows: [u32; 2]) -> u32 {
        let own = &self.targets[first..];
        let found = match rows[1] {
            NO_BODY => own.iter().position(|&it| it == rows[0]),
            _ => own.windows(2).position(|it| it == rows),
        };
        found.unwrap_or_else(|| {
            self.targets.extend(rows.iter().filter(|&&row| row != NO_BODY));
            self.targets.len() - first - if rows[1] == NO_BODY { 1 } else { 2 }
        }) as u32
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.targets[ends[0] as usize..ends[1] as usize])
    }

    pub(super) fn bind(&mut self, pattern: &BlockPattern) {
        let slot = |i, j| pattern.slot(i, j).expect("springs are part of the pattern");
        let (mut starts, mut slots) = (Vec::new(), Vec::new());
        for targets in self.iter() {
            starts.push(slots.len() as u32);
            for &i in targets {
                slots.extend(targets.iter().map(|&j| slot(i, j)));
            }
        }
        (self.slot_starts, self.slots) = (starts, slots);
    }

    /// A line of these rows, which begin at `start` among those of all lines.
    pub(super) fn line<'a>(
        &'a self,
        line: usize,
        (start, points): (usize, &'a [u32]),
        q: &'a [Vec3],
    ) -> TargetedLine<'a> {
        let rows = &self.targets[self.starts[line] as usize..self.starts[line + 1] as usize];
        let slots = &self.slots[self.slot_starts[line] as usize..];
        TargetedLine { rows, slots, places: &self.places[start..], points, q }
    }
}

impl TargetedLine<'_> {
    fn weights(&self, k: usize) -> Weights {
        let RowTargets { target, center } = self.places[k];
        let place = |row: u32| self.q[row as usize];
        let arm = (center != NO_BODY).then(|| place(self.points[k]) - place(center));
        Weights { first: target as usize, arm }
    }

    /// Adds `factor` times the products of dl/dq with itself to the rows that `owns` says.
    pub(super) fn add_axial(
        &self,
        (path, factor): (&LinePath, f64),
        owns: impl Fn(u32) -> bool + Copy,
        (blocks, first_slot): (&mut [f64], usize),
    ) {
        let count = self.rows.len();
        if count > MOST_TARGETS {
            for (i, j) in pairs(self.points.len()) {
                let block = path.gradient(i) * path.gradient(j).transpose() * factor;
                self.add_between((i, j), &block, owns, (&mut *blocks, first_slot));
            }
            return;
        }
        let mut all = [Vec3::zeros(); MOST_TARGETS];
        let gradient = &mut all[..count];
        (0..self.points.len()).for_each(|k| self.add_gradient(k, &path.gradient(k), gradient));
        for (i, (&row, left)) in self.rows.iter().zip(&*gradient).enumerate() {
            if owns(row) && *left != Vec3::zeros() {
                let left = left * factor;
                for (j, right) in gradient.iter().enumerate() {
                    let block = left * right.transpose();
                    add_block(blocks, self.slot(i, j) - first_slot, &block);
                }
            }
        }
    }

    /// Adds what row `k` has in a gradient to those of its targets.
    fn add_gradient(&self, k: usize, by: &Vec3, gradient: &mut [Vec3]) {
        let Weights { first, arm } = self.weights(k);
        gradient[first] += by;
        if let Some(arm) = arm {
            gradient[first + 1] += arm.cross(by);
        }
    }

    /// Adds a block between rows `i` and `j` of the line to those of their targets: with v + w x r the velocity of a
    /// point, rows (B, -B \[r_j\]; \[r_i\] B, -\[r_i\] B \[r_j\]).
    pub(super) fn add_between(
        &self,
        (i, j): (usize, usize),
        block: &Mat3,
        owns: impl Fn(u32) -> bool,
        (blocks, first_slot): (&mut [f64], usize),
    ) {
        let (left, right) = (self.weights(i), self.weights(j));
        let turned = right.arm.map(|arm| times_minus_skew(block, &arm));
        let mut add = |row: usize, block: &Mat3, turned: Option<&Mat3>| {
            if !owns(self.rows[row]) {
                return;
            }
            add_block(blocks, self.slot(row, right.first) - first_slot, block);
            if let Some(turned) = turned {
                add_block(blocks, self.slot(row, right.first + 1) - first_slot, turned);
            }
        };
        add(left.first, block, turned.as_ref());
        if let Some(arm) = left.arm {
            let crossed = |block: &Mat3| skew_times(&arm, block);
            add(left.first + 1, &crossed(block), turned.as_ref().map(crossed).as_ref());
        }
    }

    fn slot(&self, i: usize, j: usize) -> usize {
        self.slots[i * self.rows.len() + j] as usize
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (0..count).map(move |j| (i, j)))
}

/// \[r\] B.
fn skew_times(r: &Vec3, block: &Mat3) -> Mat3 {
    Mat3::from_columns(&[0, 1, 2].map(|k| r.cross(&block.column(k))))
}

/// -B \[r\]: its rows are r x those of B.
fn times_minus_skew(block: &Mat3, r: &Vec3) -> Mat3 {
    let row = |k: usize| r.cross(&block.row(k).transpose()).transpose();
    Mat3::from_rows(&[row(0), row(1), row(2)])
}
