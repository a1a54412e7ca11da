//! The border of tissue on the device: rows that springs, shells and the like act on, whose forces and stiffness the host
//! computes in each step (docs/theory/device.md, "The border").

use sinew::system::BorderForces;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::params::BorderParams;
use sinew_shaders::program::{BufferId, Command, Data, Program};

use super::numbering::Rows;

/// Buffers that the host writes or reads in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderBuffers {
    /// Displacement and velocity of each row at the end of a step.
    pub(crate) motion: BufferId,
    /// Impulse at each row.
    pub(crate) impulses: BufferId,
    /// Nine scalars a pair of rows; none of an explicit rule.
    pub(crate) blocks: Option<BufferId>,
}

/// Buffers and commands of the border.
pub(super) struct Border {
    pub(super) buffers: BorderBuffers,
    blocks: BufferId,
    /// Rows, offsets and columns.
    structure: BufferId,
    /// Places of the blocks in each segment of the matrix, with how many there are.
    places: Vec<(BufferId, usize)>,
    row_count: usize,
    block_count: usize,
}

impl Border {
    /// Adds the buffers; blocks are those of an implicit rule alone.
    pub(super) fn new(
        program: &mut Program,
        (rows, forces): (&Rows, &BorderForces),
        is_implicit: bool,
    ) -> Self {
        let pairs = if is_implicit { forces.pairs() } else { &[] };
        let (row_count, block_count) = (forces.rows().len(), pairs.len());
        let words = structure(rows, forces.rows(), pairs);
        let mut reals = |name: &str, count| program.add_zeros(name, Scalar::Real, count);
        let motion = reals("motion of the border", 6 * row_count);
        let impulses = reals("impulses at the border", 3 * row_count);
        let blocks = reals("blocks of the border", 9 * block_count);
        let places = places(rows, pairs).into_iter().map(|words| {
            let count = words.len() / 2;
            (program.add_data("places of blocks of the border", Data::Words(words)), count)
        });
        let places = places.collect();
        Self {
            buffers: BorderBuffers { motion, impulses, blocks: is_implicit.then_some(blocks) },
            blocks,
            places,
            structure: program.add_data("rows of the border", Data::Words(words)),
            row_count,
            block_count,
        }
    }

    fn per_row(&self) -> (BorderParams, (usize, Sizes)) {
        let (rows, entries) = (self.row_count as u64, self.block_count as u64);
        let params = BorderParams { row_count: self.row_count as u32, ..BorderParams::default() };
        (params, (self.row_count, Sizes { rows, entries, ..Sizes::default() }))
    }

    /// Adds what acts on the border at the velocity `v`.
    pub(super) fn residual(&self, program: &Program, v: BufferId, residual: BufferId) -> Command {
        let (params, work) = self.per_row();
        let bindings = [self.structure, self.buffers.impulses, self.blocks, v, residual];
        program.call("border_residual", &params, &bindings, work)
    }

    /// Adds the stiffness to the blocks of each segment of the matrix and to its row sums.
    pub(super) fn matrix(
        &self,
        program: &Program,
        segments: &[BufferId],
        diagonal: BufferId,
    ) -> Vec<Command> {
        let (params, work) = self.per_row();
        let bindings = [self.structure, self.blocks, diagonal];
        let mut commands = vec![program.call("border_sums", &params, &bindings, work)];
        for (&(places, count), &blocks) in self.places.iter().zip(segments) {
            let params = BorderParams { entry_count: count as u32, ..BorderParams::default() };
            let sizes = Sizes { entries: count as u64, ..Sizes::default() };
            let bindings = [places, self.blocks, blocks];
            if count > 0 {
                commands.push(program.call("border_matrix", &params, &bindings, (count, sizes)));
            }
        }
        commands
    }

    /// Takes the motion of the border from these displacements and velocities.
    pub(super) fn gather(&self, program: &Program, (d, u): (BufferId, BufferId)) -> Command {
        let (params, work) = self.per_row();
        program.call("gather_border", &params, &[self.structure, d, u, self.buffers.motion], work)
    }
}

/// Device rows of the border, offsets of their blocks, device columns of these.
fn structure(rows: &Rows, border: &[u32], pairs: &[[u32; 2]]) -> Vec<u32> {
    let device = |row: u32| rows.numbering.device[row as usize];
    let ends = border.iter().map(|&row| pairs.partition_point(|pair| pair[0] <= row) as u32);
    let mut words: Vec<u32> = border.iter().map(|&row| device(row)).collect();
    words.push(0);
    words.extend(ends);
    words.extend(pairs.iter().map(|pair| device(pair[1])));
    words
}

/// By segment of the matrix, the number of each block beside the diagonal and that of its entry.
fn places(rows: &Rows, pairs: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut places = vec![Vec::new(); rows.segments.len()];
    for (number, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair[0] != pair[1]) {
        let [row, column] = pair.map(|row| rows.numbering.device[row as usize]);
        let known = rows.neighbours.of(row as usize).binary_search(&column);
        let place = known.expect("forces are part of the pattern");
        let after = rows.segments.partition_point(|it| it.first_row <= row as usize);
        let entry = rows.segments[after - 1].entry(row as usize, place);
        places[after - 1].extend([number as u32, entry as u32]);
    }
    places
}
