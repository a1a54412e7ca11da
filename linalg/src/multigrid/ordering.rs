//! The order in which a level is swept: chunks of neighbouring rows in colours, so that chunks of one
//! colour are not coupled and can be swept at the same time. (Saad2003, section 12.4.)

use crate::BlockPattern;

/// Rows of a chunk, which one thread sweeps in order; even, so that the two rows of an aggregate stay
/// together. Shorter chunks are nearer to point colouring, which converges worse; of 64 rows there are
/// some 25 chunks a colour at 22,000 rows.
pub(super) const CHUNK_ROWS: usize = 64;

/// A permutation of rows with the colours of its chunks.
pub(super) struct Ordering {
    /// The row at every place.
    pub(super) rows: Vec<u32>,
    /// The place of every row.
    pub(super) places: Vec<u32>,
    /// Index of the first place of each colour; one more at the end. All chunks of a colour are
    /// full but for its last.
    pub(super) colours: Vec<u32>,
}

impl Ordering {
    /// Cuts the rows of `pattern` into chunks as they come and gives each the first colour that none
    /// of its neighbours has: a function of the pattern alone.
    pub(super) fn new(pattern: &BlockPattern) -> Self {
        let colour_of = colour_chunks(pattern);
        let count = colour_of.iter().map(|&c| c + 1).max().unwrap_or(0);
        let size = pattern.size();
        let (mut rows, mut colours) = (Vec::with_capacity(size), vec![0]);
        for colour in 0..count {
            for (chunk, _) in colour_of.iter().enumerate().filter(|(_, own)| **own == colour) {
                let end = size.min((chunk + 1) * CHUNK_ROWS);
                rows.extend((chunk * CHUNK_ROWS..end).map(|row| row as u32));
            }
            colours.push(rows.len() as u32);
        }
        let mut places = vec![0; size];
        rows.iter().enumerate().for_each(|(place, &row)| places[row as usize] = place as u32);
        Self { rows, places, colours }
    }
}

/// The colour of each chunk.
fn colour_chunks(pattern: &BlockPattern) -> Vec<usize> {
    let mut colour_of: Vec<usize> = Vec::with_capacity(pattern.size().div_ceil(CHUNK_ROWS));
    // For each colour the chunk that last saw it among its neighbours.
    let mut seen_by: Vec<usize> = Vec::new();
    for first in (0..pattern.size()).step_by(CHUNK_ROWS) {
        let chunk = colour_of.len();
        for row in first..pattern.size().min(first + CHUNK_ROWS) {
            for &column in &pattern.columns()[pattern.row(row)] {
                if let Some(&colour) = colour_of.get(column as usize / CHUNK_ROWS) {
                    seen_by[colour] = chunk;
                }
            }
        }
        let free = seen_by.iter().position(|&seen| seen != chunk).unwrap_or(seen_by.len());
        if free == seen_by.len() {
            seen_by.push(usize::MAX);
        }
        colour_of.push(free);
    }
    colour_of
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square grid, each node coupled to the eight around it.
    fn grid(side: usize) -> BlockPattern {
        let node = |x: usize, y: usize| (side * y + x) as u32;
        BlockPattern::from_cliques(side * side, |visit| {
            for (x, y) in (1..side).flat_map(|x| (1..side).map(move |y| (x, y))) {
                visit(&[node(x - 1, y - 1), node(x, y - 1), node(x - 1, y), node(x, y)]);
            }
        })
    }

    #[test]
    fn chunks_of_one_colour_are_not_coupled_and_every_row_has_one_place() {
        let pattern = grid(37);
        let Ordering { rows, places, colours } = Ordering::new(&pattern);
        assert!(rows.iter().enumerate().all(|(place, &row)| places[row as usize] == place as u32));
        assert_eq!((rows.len(), *colours.last().unwrap() as usize), (37 * 37, 37 * 37));
        for range in colours.windows(2) {
            for place in range[0]..range[1] {
                let chunk = (place - range[0]) as usize / CHUNK_ROWS;
                let row = rows[place as usize] as usize;
                for &column in &pattern.columns()[pattern.row(row)] {
                    let other = places[column as usize];
                    if (range[0]..range[1]).contains(&other) {
                        assert_eq!((other - range[0]) as usize / CHUNK_ROWS, chunk, "row {row}");
                    }
                }
            }
        }
    }
}
