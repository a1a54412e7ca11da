//! Shapes of the lines over surfaces at the positions that they were last asked for at: forces, stiffness, what muscles
//! remember, and the forces of the next step all need them. A shape depends on positions alone, so that it makes no
//! difference to any number who made it.

use rayon::prelude::*;

use super::lines::Lines;
use super::wrapped::PathShape;
use crate::Vec3;

/// Lines that a task of the thread pool takes at least: some 50 us of work.
const LINES_A_TASK: usize = 32;

/// Shapes of lines at one placement.
#[derive(Default)]
pub(super) struct KeptPaths {
    /// Rows that shapes depend on, rising, and their positions; without positions nothing is known.
    rows: Vec<u32>,
    places: Vec<Vec3>,
    /// Lines over surfaces, and their shapes.
    lines: Vec<u32>,
    shapes: Vec<PathShape>,
    /// Number of each line among those over surfaces.
    numbers: Vec<Option<u32>>,
}

impl KeptPaths {
    pub(super) fn new(lines: &Lines) -> Self {
        let mut own = Self::default();
        for line in 0..lines.len() {
            let wraps = lines.wraps_of(line);
            own.numbers.push(wraps.map(|_| own.lines.len() as u32));
            if let Some(wraps) = wraps {
                own.lines.push(line as u32);
                own.rows.extend(lines.points(line).iter().copied().chain(wraps.further_rows()));
                own.shapes.push(PathShape::keeping(wraps));
            }
        }
        // Rotations of bodies are read with their centres.
        own.rows = own.rows.iter().flat_map(|&row| [row, row + 1]).collect();
        own.rows.sort_unstable();
        own.rows.dedup();
        own.places.reserve_exact(own.rows.len());
        own
    }

    /// True if the shapes are those of the positions `q` of all rows.
    pub(super) fn are_at(&self, q: &[Vec3]) -> bool {
        let now = self.rows.iter().map(|&row| q.get(row as usize));
        self.places.len() == self.rows.len()
            && now.zip(&self.places).all(|(q, at)| q.is_none_or(|q| q == at))
    }

    /// Makes the shapes of the positions `q` of all rows, unless they are there.
    pub(super) fn update(&mut self, lines: &Lines, q: &[Vec3]) {
        if self.lines.is_empty() || self.are_at(q) {
            return;
        }
        self.places.clear();
        let shapes = self.shapes.par_iter_mut().zip(&self.lines);
        shapes.with_min_len(LINES_A_TASK).for_each(|(shape, &line)| {
            if let Some(wraps) = lines.wraps_of(line as usize) {
                shape.update(wraps, lines.points(line as usize), q);
            }
        });
        let place = |&row: &u32| q.get(row as usize).copied().unwrap_or_else(Vec3::zeros);
        self.places.extend(self.rows.iter().map(place));
    }

    /// The shape of a line over surfaces.
    pub(super) fn shape(&self, line: usize) -> Option<&PathShape> {
        self.numbers[line].map(|number| &self.shapes[number as usize])
    }
}
