//! The linear solve on a device, as buffers and lists of commands: conjugate gradients on a matrix in
//! f32, corrected by residuals that the caller computes without it. Names no graphics interface.
//!
//! One solve is, between residuals of the caller, `begin`, some `iteration`s, `finish`; what is called
//! after an end does nothing, so that the result does not depend on how many are recorded.

mod cg;
mod coarsen;
mod dense;
mod graph;
mod level;
mod multigrid;

use sinew_shaders::layout::{BLOCK, HALVES, ROTATION, WORKGROUP_SIZE};
use sinew_shaders::matrix::Segment;
use sinew_shaders::program::{BufferId, Command, Data, Program};

use self::cg::Cg;
use self::graph::Graph;
use self::level::Matrix;
use self::multigrid::Multigrid;
use crate::GpuError;

/// Cycles of multigrid: visits of a level to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    /// Once: the fewest commands.
    V,
    /// Twice, where the next is not the coarsest: fewer iterations.
    W,
}

/// Buffers that a solve shares with its caller. All vectors are in the order of the rows on the device.
#[derive(Clone, Copy, Debug)]
pub struct SolveBuffers {
    /// Displacement from rest [m], real, 3 a row.
    pub displacement: BufferId,
    /// G of each row in f32, filled by the caller before [`Solve::refresh`], and as much again for the
    /// inverses.
    pub diagonal: BufferId,
    /// Residual of the caller, real, 3 a row, zero where fixed.
    pub residual: BufferId,
    /// Its partial sums of squares, one for each workgroup of rows.
    pub partials: BufferId,
    /// Solution, real, 3 a row: [`Solve::finish`] adds to it.
    pub x: BufferId,
    /// Flags, see [`sinew_shaders::layout::flag`]. The caller sets DONE = 1, MAX_ITERATIONS and zeros
    /// elsewhere before a solve begins.
    pub flags: BufferId,
    /// Scalars, see [`sinew_shaders::layout::scalar`]. The caller sets TOLERANCE.
    pub scalars: BufferId,
}

/// Input of a solve. All vectors and lists are in the order of the rows on the device.
pub struct SolveInput<'a> {
    /// The matrix, in segments that start with a workgroup of rows; difference form with s = 1.
    pub segments: &'a [Segment],
    /// Blocks of each segment, f32; filled by the caller before [`Solve::refresh`].
    pub blocks: &'a [BufferId],
    /// The rows that each row is coupled to, without itself, rising: those of the segments.
    pub neighbours: &'a dyn Fn(usize) -> &'a [u32],
    /// Fixed bits of each row.
    pub fixed: &'a dyn Fn(usize) -> u32,
    /// Rows of the bodies that move, centre and rotation, which stand on every level of multigrid by themselves.
    pub bodies: &'a [[u32; 2]],
    /// Positions at rest about some point near them [m], 3 a row.
    pub rest: &'a [f32],
    /// Buffers that the caller shares with the solve.
    pub buffers: SolveBuffers,
    /// True if aggregation multigrid preconditions, or block-Jacobi.
    pub multigrid: bool,
    /// True if the finest level of multigrid is smoothed by blocks in 16 bits: not where the modulus of a volume leaves that of
    /// the shear no digits in them.
    pub half_blocks: bool,
    /// A level of at most so many scalars is inverted.
    pub coarsest_dofs: usize,
    /// Cycle over the levels.
    pub cycle: Cycle,
}

/// The buffers of a solve, and the lists of its commands.
pub struct Solve {
    matrix: Matrix,
    cg: Cg,
    preconditioner: Preconditioner,
}

enum Preconditioner {
    BlockJacobi,
    Multigrid(Multigrid),
}

impl Solve {
    /// Adds the buffers of a solve to a program.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] when a list has more entries than can be numbered.
    ///
    /// # Panics
    /// When the segments do not start with a workgroup of rows.
    pub fn new(program: &mut Program, input: &SolveInput<'_>) -> Result<Self, GpuError> {
        let rows: usize = input.segments.iter().map(|s| s.row_count).sum();
        let starts = |s: &Segment| s.first_row.is_multiple_of(WORKGROUP_SIZE as usize);
        assert!(input.segments.iter().all(starts), "segments start with a workgroup of rows");
        let mut matrix =
            Matrix { parts: Vec::new(), diagonal: input.buffers.diagonal, rows, shift: 1.0 };
        for (segment, &blocks) in input.segments.iter().zip(input.blocks) {
            matrix.push(program, segment, blocks)?;
        }
        let multigrid = match input.multigrid {
            false => None,
            true => multigrid_of(program, input, &matrix)?,
        };
        let start = multigrid.as_ref().map(|multigrid| multigrid.start(&matrix));
        let cg = Cg::new(program, input, &matrix, start);
        let preconditioner =
            multigrid.map_or(Preconditioner::BlockJacobi, Preconditioner::Multigrid);
        Ok(Self { matrix, cg, preconditioner })
    }

    /// After matrix and diagonal were filled: renews the preconditioner.
    pub fn refresh(&self, program: &Program) -> Vec<Command> {
        match &self.preconditioner {
            Preconditioner::BlockJacobi => self.matrix.invert_diagonal(program),
            Preconditioner::Multigrid(multigrid) => multigrid.refresh(program, &self.matrix),
        }
    }

    /// After another matrix was filled: the preconditioner but for its smaller part. What the finest level is smoothed
    /// by follows the matrix, so that its bounds of eigenvalues still hold; the coarser levels stay those of the matrix
    /// that [`Self::refresh`] saw.
    pub fn refresh_finest(&self, program: &Program) -> Vec<Command> {
        match &self.preconditioner {
            Preconditioner::BlockJacobi => self.matrix.invert_diagonal(program),
            Preconditioner::Multigrid(multigrid) => multigrid.refresh_finest(program, &self.matrix),
        }
    }

    /// After the residual of the fixed scalars alone: takes its norm as that of the right side.
    pub fn scale(&self, program: &Program) -> Vec<Command> {
        self.cg.scale(program)
    }

    /// After a residual: decides whether it is small enough, and else starts from it. While an
    /// iteration goes on this does nothing.
    pub fn begin(&self, program: &Program) -> Vec<Command> {
        self.cg.begin(program)
    }

    /// One iteration of conjugate gradients; nothing when they have ended.
    pub fn iteration(&self, program: &Program) -> Vec<Command> {
        let mut commands = match &self.preconditioner {
            // Its one step is part of the start and of every update.
            Preconditioner::BlockJacobi => Vec::new(),
            Preconditioner::Multigrid(multigrid) => {
                multigrid.cycle(program, &self.matrix, self.cg.sums())
            }
        };
        commands.extend(self.cg.iterate(program, &self.matrix));
        commands
    }

    /// After the iterations: adds their result to the solution, once.
    pub fn finish(&self, program: &Program) -> Vec<Command> {
        self.cg.finish(program)
    }

    /// Block rows of each level, the finest first; one without multigrid.
    pub fn level_sizes(&self) -> Vec<usize> {
        match &self.preconditioner {
            Preconditioner::BlockJacobi => vec![self.matrix.rows],
            Preconditioner::Multigrid(multigrid) => multigrid.level_sizes(),
        }
    }

    /// The five coefficients of every level's smoother, eight places a level, the fifth of which is
    /// the estimate of the largest eigenvalue; `None` without multigrid.
    pub fn coefficients(&self) -> Option<BufferId> {
        match &self.preconditioner {
            Preconditioner::BlockJacobi => None,
            Preconditioner::Multigrid(multigrid) => Some(multigrid.coefficients()),
        }
    }
}

/// Multigrid of a matrix; `None` where it has too few rows for a second level.
fn multigrid_of(
    program: &mut Program,
    input: &SolveInput<'_>,
    matrix: &Matrix,
) -> Result<Option<Multigrid>, GpuError> {
    let graph = Graph::new(matrix.rows, input.neighbours);
    let fixed: Vec<u32> = (0..matrix.rows).map(input.fixed).collect();
    let mut kinds = fixed.clone();
    input.bodies.iter().for_each(|&[_, row]| kinds[row as usize] |= ROTATION);
    let buffers = multigrid::Shared {
        fixed: program.add_data("fixed bits of the solve", Data::Words(kinds)),
        rest: program.add_data("rest positions", Data::Floats(input.rest.to_vec())),
        displacement: input.buffers.displacement,
        flags: input.buffers.flags,
    };
    let settings = multigrid::Settings {
        coarsest_dofs: input.coarsest_dofs,
        twice: input.cycle == Cycle::W,
        finest_words: if input.half_blocks { HALVES } else { BLOCK },
    };
    let fine =
        multigrid::Fine { matrix, segments: input.segments, fixed: &fixed, bodies: input.bodies };
    Multigrid::new(program, (fine, graph), buffers, settings)
}
