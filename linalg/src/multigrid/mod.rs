//! Aggregation multigrid as a preconditioner for solids: rigid-body modes on aggregates of nodes,
//! Gauss-Seidel smoothing, a sparse factor on the coarsest level. Theory: docs/theory/multigrid.md.

pub mod aggregation;
mod galerkin;
mod gauss_seidel;
mod lanes;
mod level;
mod modes;
mod ordering;
mod transfer;
mod triangle;

use std::sync::Arc;

use self::aggregation::aggregate;
use self::lanes::Lanes;
use self::level::Level;
use self::modes::RowModes;
use self::transfer::Transfer;
use super::{BlockMatrix, BlockPattern, Definiteness, FactorError, Preconditioner, SparseCholesky};
use crate::{Mat3, Vec3};

/// A level of at most this many block rows is factored. A solution with the factor costs as much as
/// a level that is swept where there are a hundred, and three times as much as a product on the
/// finest where there are 1,600, as those of 19,000 nodes have in their second level.
const COARSEST_ROWS: usize = 400;

/// A level that keeps more than this share of the nodes of the one above is not worth making.
const LEAST_COARSENING: f64 = 0.7;

/// Aggregation without smoothing of the prolongator makes the coarse matrix too stiff: its
/// corrections fall short, by about this factor (Braess1995). Below 2 the cycle stays positive.
const OVERCORRECTION: f32 = 1.6;

/// One symmetric positive definite multigrid cycle on a block matrix of 3-vectors in space.
///
/// Maps and memory are made once for a pattern; [`Self::update`] renews the numbers, as a function
/// of matrix and positions alone, the same for every number of threads.
pub struct Multigrid {
    fixed: Vec<[bool; 3]>,
    /// Kinds of the block rows of bodies; empty without bodies.
    kinds: Vec<RowKind>,
    grids: Vec<Grid>,
    coarsest: Coarsest,
    /// Factor of the matrix on the levels that are smoothed.
    scale: f64,
}

/// Kind of a block row of the finest level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowKind {
    Point,
    /// Centre of mass of a body.
    Center,
    /// Rotation of the body whose centre is the row before.
    Rotation,
}

/// A level that is smoothed, with the way to the next.
struct Grid {
    level: Level,
    transfer: Transfer,
    /// Matrix of the next level.
    coarse: BlockMatrix,
    /// Right side of the next level, in the order of its matrix.
    right_side: Vec<Lanes>,
    /// Solution of the next level.
    solution: Vec<Lanes>,
}

/// The level that is solved exactly, in double precision.
struct Coarsest {
    factor: SparseCholesky,
    right_side: Vec<Vec3>,
    solution: Vec<Vec3>,
}

impl Multigrid {
    /// The hierarchy for matrices on `pattern` without the scalars that are `fixed`.
    ///
    /// # Errors
    /// [`FactorError::OutOfMemory`] when the coarsest level cannot be factored.
    pub fn new(pattern: &Arc<BlockPattern>, fixed: &[[bool; 3]]) -> Result<Self, FactorError> {
        Self::with_bodies(pattern, fixed, &[])
    }

    /// The same where `bodies` names the first of the two block rows of each rigid body (velocity of its
    /// centre, angular velocity): bodies belong to no aggregate of points and stand on every level, so that
    /// tissue that hangs on them converges as it does alone (docs/theory/multigrid.md).
    ///
    /// # Errors
    /// As [`Self::new`].
    ///
    /// # Panics
    /// When a body has no second block row, or two bodies share one.
    pub fn with_bodies(
        pattern: &Arc<BlockPattern>,
        fixed: &[[bool; 3]],
        bodies: &[u32],
    ) -> Result<Self, FactorError> {
        let kinds = row_kinds(fixed.len(), bodies);
        let mut grids: Vec<Grid> = Vec::new();
        let mut pattern = pattern.clone();
        let mut active: Vec<bool> = fixed.iter().map(|h| *h != [true; 3]).collect();
        let mut lone = take_bodies(bodies, &mut active);
        let mut graph: Option<BlockPattern> = None;
        while pattern.size() > COARSEST_ROWS {
            let nodes = graph.as_ref().unwrap_or(&pattern);
            let mut aggregation = aggregate(nodes, &active);
            let most = LEAST_COARSENING * active.iter().filter(|&&a| a).count() as f64;
            if aggregation.count == 0 || aggregation.count as f64 > most {
                break;
            }
            active = vec![true; aggregation.count];
            active.resize(aggregation.count + lone.len(), false);
            for nodes in &mut lone {
                aggregation.append(nodes.clone());
                *nodes = aggregation.count - 1..aggregation.count;
            }
            let width = pattern.size() / nodes.size();
            let level = Level::new(&pattern);
            let (transfer, coarse_graph, coarse) =
                Transfer::new((&pattern, &level.ordering), width, &aggregation);
            let coarse = Arc::new(coarse);
            grids.push(Grid::new(level, transfer, coarse.clone()));
            graph = Some(coarse_graph);
            pattern = coarse;
        }
        let free = vec![[false; 3]; pattern.size()];
        let coarsest_fixed = if grids.is_empty() { fixed } else { &free };
        let coarsest =
            Coarsest::new(SparseCholesky::new(&pattern, coarsest_fixed)?, pattern.size());
        Ok(Self { fixed: fixed.to_vec(), kinds, grids, coarsest, scale: 1.0 })
    }

    /// Block rows of each level, the coarsest last.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.grids.iter().map(|g| g.level.x.len()).chain([self.coarsest.right_side.len()]).collect()
    }

    /// Takes `matrix` and the positions [m] of its rows, which give the rigid motions.
    ///
    /// Returns whether the coarsest matrix, and with it the whole, is indefinite.
    ///
    /// # Errors
    /// [`FactorError`] of the coarsest level.
    ///
    /// # Panics
    /// When `matrix` does not have the pattern that the hierarchy was made for.
    pub fn update(
        &mut self,
        matrix: &BlockMatrix,
        positions: &[Vec3],
    ) -> Result<Definiteness, FactorError> {
        self.update_projected(matrix, positions, &[])
    }

    /// The same where points may move along some directions alone: `projections` has a matrix for each block row, which
    /// takes off what it may not move along; none stands for the identity everywhere. `matrix` is that of the motions that
    /// are left, with anything positive along the others, so that no coarse level knows of these.
    ///
    /// # Errors
    /// As [`Self::update`].
    ///
    /// # Panics
    /// As [`Self::update`], and when there are projections for some block rows alone.
    pub fn update_projected(
        &mut self,
        matrix: &BlockMatrix,
        positions: &[Vec3],
        projections: &[Mat3],
    ) -> Result<Definiteness, FactorError> {
        assert!(projections.is_empty() || projections.len() == self.fixed.len(), "projections");
        assert_eq!(positions.len(), self.fixed.len(), "rows");
        self.scale = power_of_two_near(largest_diagonal(matrix)).recip();
        let (fixed, kinds, scale) = (&self.fixed, &self.kinds, self.scale);
        let fine_modes = |row: usize| match kinds.get(row) {
            None | Some(RowKind::Point) => {
                let modes = RowModes::of_point(positions[row], fixed[row]);
                projections.get(row).map_or(modes, |it| modes.projected(it))
            }
            Some(RowKind::Center) => RowModes::of_body(positions[row], false, fixed[row]),
            Some(RowKind::Rotation) => RowModes::of_body(positions[row - 1], true, fixed[row]),
        };
        let mut fine = matrix;
        let mut above: Option<&Transfer> = None;
        for grid in &mut self.grids {
            match above {
                None => {
                    grid.level.update(fine, scale, &|row| fixed[row]);
                    grid.transfer.update_modes(&fine_modes);
                }
                Some(above) => {
                    grid.level.update(fine, scale, &|_| [false; 3]);
                    grid.transfer.update_modes(&|row| above.coarse_modes(row));
                }
            }
            grid.transfer.update_coarse(fine, &mut grid.coarse);
            fine = &grid.coarse;
            above = Some(&grid.transfer);
        }
        self.coarsest.factor.factor(fine)
    }
}

impl Preconditioner for Multigrid {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        let Some(finest) = self.grids.first_mut() else {
            return self.coarsest.factor.apply(r, z);
        };
        // To residuals of about 1, and back.
        let size = power_of_two_near(r.iter().map(|r| r.amax()).fold(0.0, f64::max));
        let to_level = size.recip();
        finest.level.take(r, to_level);
        cycle(&mut self.grids, &mut self.coarsest, self.scale);
        self.grids[0].level.copy_solution(z, size * self.scale);
    }
}

impl Grid {
    fn new(level: Level, transfer: Transfer, coarse: Arc<BlockPattern>) -> Self {
        let zeros = || vec![lanes::ZERO; coarse.size()];
        let (right_side, solution) = (zeros(), zeros());
        Self { level, transfer, right_side, solution, coarse: BlockMatrix::zeros(coarse) }
    }
}

impl Coarsest {
    fn new(factor: SparseCholesky, size: usize) -> Self {
        let zeros = || vec![Vec3::zeros(); size];
        Self { factor, right_side: zeros(), solution: zeros() }
    }

    /// `x` = A^-1 `b` / `scale`, the inverse of the scaled matrix.
    fn solve(&mut self, scale: f64, b: &[Lanes], x: &mut [Lanes]) {
        self.right_side.iter_mut().zip(b).for_each(|(own, b)| *own = lanes::widen(*b));
        self.factor.solve(&self.right_side, &mut self.solution);
        let scale = scale.recip();
        x.iter_mut().zip(&self.solution).for_each(|(x, s)| *x = lanes::round(s, scale));
    }
}

/// Solves approximately from the right side of the finest of these levels to its solution.
fn cycle(grids: &mut [Grid], coarsest: &mut Coarsest, scale: f64) {
    let [grid, coarser @ ..] = grids else { return };
    let Grid { level, transfer, right_side, solution, .. } = grid;
    level.sweep_forward();
    level.update_residual();
    transfer.restrict(&level.r, right_side);
    if let [next, ..] = coarser {
        // A second visit costs little on a small level and saves a fifth of the iterations.
        next.level.take_lanes(right_side);
        cycle(coarser, coarsest, scale);
        coarser[0].level.begin_second_visit();
        cycle(coarser, coarsest, scale);
        coarser[0].level.end_second_visit();
        coarser[0].level.copy_lanes(solution);
    } else {
        coarsest.solve(scale, right_side, solution);
    }
    transfer.prolong(OVERCORRECTION, solution, &mut level.x);
    level.sweep_backward();
}

/// Kinds of `size` block rows with these bodies; empty without any.
fn row_kinds(size: usize, bodies: &[u32]) -> Vec<RowKind> {
    if bodies.is_empty() {
        return Vec::new();
    }
    let mut kinds = vec![RowKind::Point; size];
    for &row in bodies {
        let rows = &mut kinds[row as usize..row as usize + 2];
        assert!(rows.iter().all(|kind| *kind == RowKind::Point), "bodies share block row {row}");
        rows.copy_from_slice(&[RowKind::Center, RowKind::Rotation]);
    }
    kinds
}

/// The largest diagonal scalar.
fn largest_diagonal(matrix: &BlockMatrix) -> f64 {
    let pattern = matrix.pattern();
    let diagonal = |row| matrix.block(pattern.diagonal(row)).diagonal().amax();
    (0..pattern.size()).map(diagonal).fold(0.0, f64::max)
}

/// The power of two below `x` (or 1 for what has none near), so that scaling by it rounds nothing.
fn power_of_two_near(x: f64) -> f64 {
    let exponent = x.to_bits() & 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(exponent);
    if power.is_normal() && power.recip().is_normal() { power } else { 1.0 }
}

/// Block rows of each body that moves, its nodes on the finest level; they are active no more.
fn take_bodies(bodies: &[u32], active: &mut [bool]) -> Vec<std::ops::Range<usize>> {
    let mut lone = Vec::new();
    for &row in bodies {
        let rows = row as usize..row as usize + 2;
        if active[rows.clone()].contains(&true) {
            lone.push(rows.clone());
        }
        active[rows].fill(false);
    }
    lone
}
