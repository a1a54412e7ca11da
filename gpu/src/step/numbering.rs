//! The order of the rows on the device, and the matrix pattern in it.

use sinew::Vec3;
use sinew::linalg::BlockPattern;
use sinew::system::{BodyRows, CompiledModel, MechSystem};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{BLOCK, SLICE};
use sinew_shaders::matrix::Segment;
use sinew_shaders::program::{BufferId, Program};

use crate::GpuError;

/// Rows that are sorted among themselves: one workgroup. Neighbours in space stay near each other.
const WINDOW: usize = 256;

/// Bits of a row whose three scalars are fixed.
const ALL_FIXED: u32 = 7;

/// Row on the device of each row of the compiled model.
///
/// Rows of a slice are stored as wide as its longest, so within windows the rows are sorted by their
/// number of blocks. On the femur of 253,000 tetrahedra this cuts the padding from a third of the
/// blocks to a tenth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbering {
    /// Device row of each row of the model.
    pub(crate) device: Vec<u32>,
    /// Row of the model of each device row.
    pub(crate) model: Vec<u32>,
}

impl Numbering {
    pub(crate) fn new(pattern: &BlockPattern) -> Self {
        let mut model: Vec<u32> = (0..pattern.size() as u32).collect();
        for window in model.chunks_mut(WINDOW) {
            window.sort_by_key(|&row| std::cmp::Reverse(pattern.row(row as usize).len()));
        }
        let mut device = vec![0; model.len()];
        for (k, &row) in model.iter().enumerate() {
            device[row as usize] = k as u32;
        }
        Self { device, model }
    }
}

/// The rows of a model on the device, with their matrix.
pub(crate) struct Rows {
    pub(crate) numbering: Numbering,
    pub(crate) neighbours: Neighbours,
    /// Fixed bits of each device row: 1, 2, 4 for x, y, z.
    pub(crate) fixed: Vec<u32>,
    /// Device rows of the bodies that move: centre and rotation.
    pub(crate) bodies: Vec<[u32; 2]>,
    pub(crate) segments: Vec<Segment>,
}

impl Rows {
    /// Adds a buffer for the blocks of each segment of the matrix.
    pub(crate) fn add_blocks(&self, program: &mut Program) -> Vec<BufferId> {
        let add = |segment: &Segment| {
            program.add_zeros("blocks of the matrix", Scalar::Float, segment.block_scalars())
        };
        self.segments.iter().map(add).collect()
    }

    /// # Errors
    /// As [`Neighbours::segments`].
    pub(crate) fn new(system: &CompiledModel, max_binding: u64) -> Result<Self, GpuError> {
        let numbering = Numbering::new(system.pattern());
        let neighbours = Neighbours::new(system.pattern(), &numbering);
        let bits = |fixed: [bool; 3]| (0..3).map(|axis| u32::from(fixed[axis]) << axis).sum();
        let solved_for = match system.multibody() {
            Some(multibody) => multibody.reduced_fixed(system.fixed()),
            None => system.fixed().to_vec(),
        };
        let fixed: Vec<u32> =
            numbering.model.iter().map(|&row| bits(solved_for[row as usize])).collect();
        let segments = neighbours.segments(&|row| fixed[row], max_binding)?;
        let bodies = system.multibody().map_or(&[][..], |multibody| &multibody.bodies);
        let rows = |body: &BodyRows| [0, 1].map(|k| numbering.device[(body.row + k) as usize]);
        let moves = |rows: &[u32; 2]| rows.iter().any(|&row| fixed[row as usize] != ALL_FIXED);
        let bodies = bodies.iter().map(rows).filter(moves).collect();
        Ok(Self { numbering, neighbours, fixed, bodies, segments })
    }

    /// Number of rows.
    pub(crate) fn count(&self) -> usize {
        self.numbering.model.len()
    }

    /// Rest positions by device row about the middle of the model [m], in f32: where aggregates lie.
    pub(crate) fn rest_positions(&self, system: &CompiledModel) -> Vec<f32> {
        let mut q = system.initial_state().q;
        for body in system.multibody().map_or(&[][..], |multibody| &multibody.bodies) {
            q[body.row as usize + 1] = q[body.row as usize];
        }
        let middle = q.iter().sum::<Vec3>() / q.len().max(1) as f64;
        let place = |&row: &u32| (q[row as usize] - middle).data.0[0];
        self.numbering.model.iter().flat_map(place).map(|x| x as f32).collect()
    }
}

/// The rows that each device row is coupled to, itself left out, rising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Neighbours {
    offsets: Vec<usize>,
    columns: Vec<u32>,
}

impl Neighbours {
    pub(crate) fn new(pattern: &BlockPattern, numbering: &Numbering) -> Self {
        let (mut offsets, mut columns) = (vec![0], Vec::new());
        for &row in &numbering.model {
            let start = columns.len();
            let slots = pattern.row(row as usize);
            let others = pattern.columns()[slots].iter().filter(|&&column| column != row);
            columns.extend(others.map(|&column| numbering.device[column as usize]));
            columns[start..].sort_unstable();
            offsets.push(columns.len());
        }
        Self { offsets, columns }
    }

    /// Number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Rows coupled to `row`, rising.
    pub(crate) fn of(&self, row: usize) -> &[u32] {
        &self.columns[self.offsets[row]..self.offsets[row + 1]]
    }

    /// The matrix in as few segments as a binding of `max_binding` bytes allows.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when one window of rows alone does not fit.
    pub(crate) fn segments(
        &self,
        fixed: &dyn Fn(usize) -> u32,
        max_binding: u64,
    ) -> Result<Vec<Segment>, GpuError> {
        let most = max_binding / (4 * u64::from(BLOCK));
        let (mut segments, mut start, mut entries) = (Vec::new(), 0, 0u64);
        let push = |segments: &mut Vec<Segment>, start: usize, end: usize| {
            segments.push(Segment::new(start, end - start, |row| self.of(row), fixed));
        };
        for window in (0..self.row_count()).step_by(WINDOW) {
            let end = self.row_count().min(window + WINDOW);
            let width = SLICE as usize;
            let slices = (window..end).step_by(width);
            let wide = |s: usize| (s..end.min(s + width)).map(|r| self.of(r).len()).max();
            let own = slices.map(|s| (width * wide(s).unwrap_or(0)) as u64).sum::<u64>();
            if own > most {
                return Err(GpuError::too_large("the matrix of 256 rows", 36 * own, max_binding));
            }
            if entries + own > most {
                push(&mut segments, start, window);
                (start, entries) = (window, 0);
            }
            entries += own;
        }
        push(&mut segments, start, self.row_count());
        Ok(segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(size: u32) -> BlockPattern {
        BlockPattern::from_cliques(size as usize, |visit| {
            for i in 0..size {
                visit(&[i, (i + 1) % size]);
                if i % 3 == 0 {
                    visit(&[i, (i + 7) % size, (i + 11) % size]);
                }
            }
        })
    }

    #[test]
    fn rows_move_within_their_window_alone_and_long_rows_come_first() {
        let pattern = ring(600);
        let numbering = Numbering::new(&pattern);
        for (k, &row) in numbering.model.iter().enumerate() {
            assert_eq!(k / WINDOW, row as usize / WINDOW);
            assert_eq!(numbering.device[row as usize] as usize, k);
        }
        let lengths: Vec<usize> =
            numbering.model[..WINDOW].iter().map(|&r| pattern.row(r as usize).len()).collect();
        assert!(lengths.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn neighbours_are_those_of_the_pattern_without_the_row_itself() {
        let pattern = ring(600);
        let numbering = Numbering::new(&pattern);
        let neighbours = Neighbours::new(&pattern, &numbering);
        for row in 0..600 {
            let mut back: Vec<u32> =
                neighbours.of(row).iter().map(|&c| numbering.model[c as usize]).collect();
            back.sort_unstable();
            let own = numbering.model[row];
            let listed = &pattern.columns()[pattern.row(own as usize)];
            let expected: Vec<u32> = listed.iter().copied().filter(|&c| c != own).collect();
            assert_eq!(back, expected, "row {row}");
        }
    }

    #[test]
    fn segments_cover_all_rows_once_and_each_fits() {
        let pattern = ring(1500);
        let numbering = Numbering::new(&pattern);
        let neighbours = Neighbours::new(&pattern, &numbering);
        let whole = neighbours.segments(&|_| 0, u64::MAX).expect("fits");
        assert_eq!(whole.len(), 1);
        let limit = 36 * whole[0].entry_count() as u64 / 3;
        let cut = neighbours.segments(&|_| 0, limit).expect("fits");
        assert!(cut.len() >= 3);
        let mut next = 0;
        for segment in &cut {
            assert_eq!((segment.first_row, segment.first_row % WINDOW), (next, 0));
            assert!(4 * segment.block_scalars() as u64 <= limit);
            next += segment.row_count;
        }
        assert_eq!(next, 1500);
        assert!(neighbours.segments(&|_| 0, 1000).is_err());
    }
}
