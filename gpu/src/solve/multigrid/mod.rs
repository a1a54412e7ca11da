//! Aggregation multigrid: the buffers of its levels, the commands that renew them, and its cycle.
//! Theory: docs/theory/multigrid.md.

use sinew::linalg::aggregation::aggregate;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::BLOCK;
use sinew_shaders::matrix::Segment;
use sinew_shaders::params::{PackParams, SmoothParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};

use super::cg::Start;
use super::coarsen::{Coarsening, sort_by_length};
use super::dense::Dense;
use super::graph::Graph;
use super::level::{Matrix, Part};
use crate::GpuError;

mod cycle;
mod refresh;

/// A level that keeps more than this share of the nodes of the one above is not worth making.
const LEAST_COARSENING: f64 = 0.7;

/// A coarsest level of more scalars than this, where no coarser one is worth making, is smoothed
/// instead of inverted: an inverse takes some 64 MiB then.
const MOST_DENSE: usize = 4_096;

/// Places of the coefficients of one level.
const COEFFICIENTS: u32 = 8;

/// Regions of the vectors of a level, in vectors of the level.
mod region {
    /// Right side, then residual.
    pub(super) const R: u32 = 0;
    /// Solution.
    pub(super) const X: u32 = 1;
    /// Direction.
    pub(super) const D: u32 = 2;
    /// Next direction.
    pub(super) const NEXT: u32 = 3;
    /// Number of them.
    pub(super) const COUNT: usize = 4;
}

/// Buffers of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) fixed: BufferId,
    pub(super) rest: BufferId,
    pub(super) displacement: BufferId,
    pub(super) flags: BufferId,
}

/// Settings of the levels and the cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) coarsest_dofs: usize,
    pub(super) twice: bool,
    /// Words of a block that the finest level smooths by.
    pub(super) finest_words: u32,
}

/// The finest level.
#[derive(Clone, Copy)]
pub(super) struct Fine<'a> {
    pub(super) matrix: &'a Matrix,
    pub(super) segments: &'a [Segment],
    pub(super) fixed: &'a [u32],
    /// Rows of the bodies that move: centre and rotation.
    pub(super) bodies: &'a [[u32; 2]],
}

/// Levels, the finest first; the matrix of the first is the caller's.
pub(super) struct Multigrid {
    shared: Shared,
    twice: bool,
    levels: Vec<Level>,
    /// `None` where the coarsest level is smoothed.
    dense: Option<Dense>,
    coefficients: BufferId,
    /// Partial sums of the estimates of eigenvalues.
    partials: BufferId,
}

struct Level {
    /// `None` for the finest.
    matrix: Option<Matrix>,
    /// Words of a block that it smooths by, and these words for each part of the matrix.
    words: u32,
    packed: Vec<BufferId>,
    rows: usize,
    vectors: BufferId,
    /// `None` for the coarsest.
    transfer: Option<Transfer>,
}

/// From a level to the next.
struct Transfer {
    aggregate_count: usize,
    pair_count: usize,
    of_row: u32,
    bases: u32,
    maps: BufferId,
    /// One for each segment, with its number of contributions.
    lists: Vec<(BufferId, u64)>,
    modes: BufferId,
    rigid: BufferId,
}

/// The levels, the finest first, and the rows of the coarsest. There is a second wherever one is worth making: the inverse
/// of the finest would have to be made in every step.
///
/// # Errors
/// As [`Multigrid::new`].
fn levels_of(
    program: &mut Program,
    (fine, graph): (Fine<'_>, Graph),
    settings: Settings,
) -> Result<(Vec<Level>, usize), GpuError> {
    let mut levels = vec![Level::new(program, fine.matrix, settings.finest_words)];
    let mut active: Vec<bool> = fine.fixed.iter().map(|&fixed| fixed != 7).collect();
    // Nodes of the level of each body: an aggregate of its own on every one.
    let mut lone: Vec<Vec<usize>> =
        fine.bodies.iter().map(|rows| rows.map(|row| row as usize).to_vec()).collect();
    lone.iter().flatten().for_each(|&row| active[row] = false);
    let (mut rows, mut nodes, mut segments) = (graph, None, fine.segments.to_vec());
    while levels.len() == 1 || 3 * rows.size() > settings.coarsest_dofs {
        let nodes_of = nodes.as_ref().unwrap_or(&rows);
        let width = rows.size() / nodes_of.size();
        let mut aggregation = aggregate(&nodes_of.pattern(), &active);
        let most = LEAST_COARSENING * active.iter().filter(|&&a| a).count() as f64;
        if aggregation.count == 0 || aggregation.count as f64 > most {
            break;
        }
        for nodes in &mut lone {
            aggregation.append(nodes.iter().copied());
            *nodes = vec![aggregation.count - 1];
        }
        let places = sort_by_length(nodes_of, &mut aggregation);
        lone.iter_mut().flatten().for_each(|node| *node = places[*node]);
        active = vec![true; aggregation.count];
        lone.iter().flatten().for_each(|&node| active[node] = false);
        let made = Coarsening::new((&rows, width), &segments, &aggregation)?;
        if let Some(level) = levels.last_mut() {
            level.transfer = Some(Transfer::new(program, &made, rows.size()));
        }
        let matrix = coarse_matrix(program, &made.coarse)?;
        let level = Level::new(program, &matrix, BLOCK);
        levels.push(Level { matrix: Some(matrix), ..level });
        (rows, segments, nodes) = (made.graph.doubled(), vec![made.coarse], Some(made.graph));
    }
    Ok((levels, rows.size()))
}

impl Multigrid {
    /// The levels; `None` where there is nothing to coarsen and too much to invert.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when a list or matrix cannot be numbered.
    pub(super) fn new(
        program: &mut Program,
        (fine, graph): (Fine<'_>, Graph),
        shared: Shared,
        settings: Settings,
    ) -> Result<Option<Self>, GpuError> {
        let (levels, size) = levels_of(program, (fine, graph), settings)?;
        let dense = if 3 * size > MOST_DENSE.max(settings.coarsest_dofs) {
            None
        } else {
            let fixed = match levels.len() {
                1 => shared.fixed,
                _ => program.add_zeros("fixed bits of the coarsest", Scalar::Word, size),
            };
            Some(Dense::new(program, size, (fixed, shared.flags))?)
        };
        if levels.len() == 1 && dense.is_none() {
            return Ok(None);
        }
        let groups = fine.matrix.group_count().max(rows_groups(&levels));
        Ok(Some(Self {
            shared,
            twice: settings.twice,
            coefficients: program.add_zeros(
                "coefficients of the smoothers",
                Scalar::Float,
                COEFFICIENTS as usize * levels.len(),
            ),
            partials: program.add_zeros("partial sums of eigenvalues", Scalar::Float, 2 * groups),
            levels,
            dense,
        }))
    }

    /// The preconditioner as conjugate gradients see it: its first step, and the sums that its last one leaves.
    pub(super) fn start(&self, fine: &Matrix) -> Start {
        let (level, smoothed) = (&self.levels[0], self.is_smoothed(0));
        Start {
            vectors: level.vectors,
            r: level.region(region::R),
            z: level.region(region::X),
            d: smoothed.then(|| level.region(region::D)),
            begins: smoothed,
            coefficients: self.coefficients,
            sums: smoothed.then(|| fine.group_count()),
        }
    }

    pub(super) fn coefficients(&self) -> BufferId {
        self.coefficients
    }

    pub(super) fn level_sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.rows).collect()
    }

    /// True if a level is smoothed.
    fn is_smoothed(&self, level: usize) -> bool {
        level + 1 < self.levels.len() || self.dense.is_none()
    }

    /// The matrix of a level; that of the first is the caller's.
    fn matrix<'a>(&'a self, level: usize, fine: &'a Matrix) -> &'a Matrix {
        self.levels[level].matrix.as_ref().unwrap_or(fine)
    }
}

/// Most workgroups of a product on a coarse level.
fn rows_groups(levels: &[Level]) -> usize {
    let matrices = levels.iter().filter_map(|level| level.matrix.as_ref());
    matrices.map(Matrix::group_count).max().unwrap_or(0)
}

fn coarse_matrix(program: &mut Program, segment: &Segment) -> Result<Matrix, GpuError> {
    let rows = segment.row_count;
    let blocks =
        program.add_zeros("blocks of a coarse matrix", Scalar::Float, segment.block_scalars());
    let diagonal = program.add_zeros("diagonal of a coarse matrix", Scalar::Float, 18 * rows);
    let mut matrix = Matrix { parts: Vec::new(), diagonal, rows, shift: 0.0 };
    matrix.push(program, segment, blocks)?;
    Ok(matrix)
}

impl Level {
    /// A level whose matrix, the caller's for the finest, smooths by `words` a block.
    fn new(program: &mut Program, matrix: &Matrix, words: u32) -> Self {
        let packed = matrix.parts.iter().map(|part| {
            let count = words as usize * part.entries as usize;
            program.add_zeros("blocks of a smoother", Scalar::Word, count)
        });
        let packed = packed.collect();
        let length = 3 * matrix.rows * region::COUNT;
        let vectors = program.add_zeros("vectors of a level", Scalar::Float, length);
        Self { matrix: None, words, packed, rows: matrix.rows, vectors, transfer: None }
    }

    /// Takes the blocks of its matrix.
    fn pack(&self, program: &Program, matrix: &Matrix) -> Vec<Command> {
        let call = |(part, &packed): (&Part, &BufferId)| {
            let entry_count = part.entries as u32;
            let params = PackParams { entry_count, words: self.words, ..PackParams::default() };
            let items = u64::from(self.words);
            let work =
                (part.entries as usize, Sizes { entries: part.entries, items, ..Sizes::default() });
            program.call("pack", &params, &[part.blocks, packed], work)
        };
        matrix.parts.iter().zip(&self.packed).map(call).collect()
    }

    /// Parameters of a kernel of its smoother, without regions.
    fn smooth_params(&self, matrix: &Matrix, part: &Part) -> SmoothParams {
        SmoothParams { words: self.words, ..matrix.smooth_params(part) }
    }

    /// Invocations and sizes of a product by its smoother.
    fn work(&self, matrix: &Matrix, part: &Part) -> (usize, Sizes) {
        let (invocations, sizes) = matrix.work(part);
        (invocations, Sizes { items: u64::from(self.words), ..sizes })
    }

    /// Index of the first number of a region.
    fn region(&self, region: u32) -> u32 {
        3 * self.rows as u32 * region
    }
}

impl Transfer {
    fn new(program: &mut Program, made: &Coarsening, rows: usize) -> Self {
        let list = |program: &mut Program, words: &Vec<u32>| {
            let contributions = (words.len() - 3 * made.pair_count - 1) / 2;
            let data = Data::Words(words.clone());
            (program.add_data("blocks between aggregates", data), contributions as u64)
        };
        let rigid = 40 * made.aggregate_count;
        Self {
            aggregate_count: made.aggregate_count,
            pair_count: made.pair_count,
            of_row: made.of_row,
            bases: made.bases,
            maps: program.add_data("aggregates", Data::Words(made.maps.clone())),
            lists: made.lists.iter().map(|words| list(program, words)).collect(),
            modes: program.add_zeros("modes", Scalar::Float, 18 * rows.next_multiple_of(32)),
            rigid: program.add_zeros("rigid motions", Scalar::Float, rigid),
        }
    }
}
