//! Incidence: for every entry of the matrix the pairs of corners that make it, for every row the
//! corners at it. Gathered in a fixed order, nothing needs an atomic sum.

use rayon::prelude::*;
use sinew_shaders::layout::SLICE;
use sinew_shaders::matrix::Segment;
use sinew_shaders::table::TRANSPOSED;

/// Input of the kernel `assemble` for one segment of the matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sources {
    pub(super) entries: Vec<u32>,
    pub(super) offsets: Vec<u32>,
    pub(super) sources: Vec<u32>,
}

/// Corners at every row, as compressed rows: corner a of element e is e * node_count + a.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corners {
    /// Start of the corners of each row, one more than there are rows.
    pub offsets: Vec<u32>,
    /// Corners, rising within a row.
    pub corners: Vec<u32>,
}

impl Corners {
    /// From (row, corner) pairs in rising order of corners; `visit` hands them out, twice.
    pub(super) fn new(row_count: usize, visit: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut offsets = vec![0u32; row_count + 1];
        visit(&mut |row, _| offsets[row as usize + 1] += 1);
        for i in 0..row_count {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut corners = vec![0u32; offsets[row_count] as usize];
        visit(&mut |row, corner| {
            let place = &mut next[row as usize];
            corners[*place as usize] = corner;
            *place += 1;
        });
        Self { offsets, corners }
    }

    /// Of elements whose node a of element e has the row `rows[a * count + e]`.
    pub(super) fn of_elements(row_count: usize, rows: &[u32], node_count: usize) -> Self {
        let count = rows.len() / node_count;
        Self::new(row_count, |visit| {
            for e in 0..count {
                (0..node_count)
                    .for_each(|a| visit(rows[a * count + e], (e * node_count + a) as u32));
            }
        })
    }

    /// Corners at a row.
    pub fn of(&self, row: usize) -> &[u32] {
        &self.corners[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Rows that have a corner.
    pub(super) fn touched(&self) -> usize {
        self.offsets.windows(2).filter(|w| w[0] < w[1]).count()
    }
}

/// The sources of a segment from elements whose node a of element e has the row `rows[a * count + e]`.
///
/// # Panics
/// When the pattern lacks a pair of nodes of an element.
pub(super) fn sources_of(segment: &Segment, corners: &Corners, rows: &[u32], n: usize) -> Sources {
    let row_count = corners.offsets.len() - 1;
    let of_slice = |known: &mut Vec<u32>, slice: usize| {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let first = segment.first_row + slice * SLICE as usize;
        let end = (first + SLICE as usize).min(segment.first_row + segment.row_count);
        (first..end).for_each(|row| add_row(segment, corners, (rows, n, row), (known, &mut pairs)));
        // Entries that lie side by side are added to side by side.
        pairs.sort_unstable_by_key(|&(entry, source)| (entry & !TRANSPOSED, source));
        pairs
    };
    let slices: Vec<Vec<(u32, u32)>> = (0..segment.slice_count())
        .into_par_iter()
        .map_init(|| vec![u32::MAX; row_count], of_slice)
        .collect();
    let mut found = Sources::default();
    for (entry, source) in slices.into_iter().flatten() {
        if found.entries.last() != Some(&entry) {
            found.offsets.push(found.sources.len() as u32);
            found.entries.push(entry);
        }
        found.sources.push(source);
    }
    found.offsets.push(found.sources.len() as u32);
    found
}

/// Adds the pairs of one row: number of the entry, with TRANSPOSED where the row is the later of the
/// two, and the pair of corners whose block is computed, that of the earlier row first. `known` is all
/// u32::MAX before and after.
fn add_row(
    segment: &Segment,
    corners: &Corners,
    (rows, n, row): (&[u32], usize, usize),
    (known, pairs): (&mut [u32], &mut Vec<(u32, u32)>),
) {
    let count = rows.len() / n;
    let slice = (row - segment.first_row) / SLICE as usize;
    let width = (segment.slices[slice + 1] - segment.slices[slice]) as usize;
    let entries = || (0..width).map(|k| segment.entry(row, k));
    // Padding has the row's own number, which no pair asks for.
    entries().for_each(|entry| known[segment.columns[entry] as usize] = entry as u32);
    for &corner in corners.of(row) {
        let (e, a) = (corner as usize / n, corner as usize % n);
        for b in 0..n {
            let column = rows[b * count + e] as usize;
            if column == row {
                continue;
            }
            let entry = known[column];
            assert!(entry != u32::MAX, "rows {row} and {column} share an element but no entry");
            let (low, high) = if row < column { (a, b) } else { (b, a) };
            let transposed = if row < column { 0 } else { TRANSPOSED };
            pairs.push((entry | transposed, ((e * n + low) * n + high) as u32));
        }
    }
    entries().for_each(|entry| known[segment.columns[entry] as usize] = u32::MAX);
}
