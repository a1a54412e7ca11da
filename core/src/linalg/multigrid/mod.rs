//! Aggregation multigrid as a preconditioner for solids: rigid-body modes on aggregates of nodes,
//! Chebyshev smoothing, a sparse factor on the coarsest level. Theory: docs/theory/multigrid.md.

pub mod aggregation;
mod chebyshev;
mod galerkin;
mod level;
mod modes;
mod transfer;

use std::sync::Arc;

use self::aggregation::aggregate;
use self::chebyshev::{Chebyshev, largest_eigenvalue};
use self::level::Level;
use self::modes::RowModes;
use self::transfer::Transfer;
use super::{BlockMatrix, BlockPattern, Definiteness, FactorError, Preconditioner, SparseCholesky};
use crate::Vec3;

/// A level of at most this many block rows is factored: 4,800 scalars take some 20 ms. On a femur of
/// 743,000 tetrahedra a third level solved exactly saves an eighth of the iterations.
const COARSEST_ROWS: usize = 1_600;

/// A level that keeps more than this share of the nodes of the one above is not worth making.
const LEAST_COARSENING: f64 = 0.7;

/// Aggregation without smoothing of the prolongator makes the coarse matrix too stiff: its
/// corrections fall short, by about this factor (Braess1995). Below 2 the cycle stays positive.
const OVERCORRECTION: f64 = 1.6;

/// One symmetric positive definite multigrid cycle on a block matrix of 3-vectors in space.
///
/// Maps and memory are made once for a pattern; [`Self::update`] renews the numbers, as a function
/// of matrix and positions alone, the same for every number of threads.
pub struct Multigrid {
    held: Vec<[bool; 3]>,
    grids: Vec<Grid>,
    coarsest: Coarsest,
}

/// A level that is smoothed, with the way to the next.
struct Grid {
    level: Level,
    smoother: Chebyshev,
    transfer: Transfer,
    /// Matrix of the next level.
    coarse: BlockMatrix,
    /// Right side and solution of the next level while it is visited a second time.
    saved: [Vec<Vec3>; 2],
}

struct Coarsest {
    factor: SparseCholesky,
    r: Vec<Vec3>,
    x: Vec<Vec3>,
}

impl Multigrid {
    /// The hierarchy for matrices on `pattern` without the scalars that are `held`.
    ///
    /// # Errors
    /// [`FactorError::OutOfMemory`] when the coarsest level cannot be factored.
    pub fn new(pattern: &Arc<BlockPattern>, held: &[[bool; 3]]) -> Result<Self, FactorError> {
        let mut grids: Vec<Grid> = Vec::new();
        let mut pattern = pattern.clone();
        let mut active: Vec<bool> = held.iter().map(|h| *h != [true; 3]).collect();
        let mut graph: Option<BlockPattern> = None;
        while pattern.size() > COARSEST_ROWS {
            let nodes = graph.as_ref().unwrap_or(&pattern);
            let aggregation = aggregate(nodes, &active);
            let most = LEAST_COARSENING * active.iter().filter(|&&a| a).count() as f64;
            if aggregation.count == 0 || aggregation.count as f64 > most {
                break;
            }
            let width = pattern.size() / nodes.size();
            let (transfer, coarse_graph, coarse) = Transfer::new(&pattern, width, &aggregation);
            let coarse = Arc::new(coarse);
            grids.push(Grid::new(pattern, transfer, coarse.clone()));
            active = vec![true; aggregation.count];
            graph = Some(coarse_graph);
            pattern = coarse;
        }
        let free = vec![[false; 3]; pattern.size()];
        let coarsest_held = if grids.is_empty() { held } else { &free };
        let coarsest = Coarsest {
            factor: SparseCholesky::new(&pattern, coarsest_held)?,
            r: vec![Vec3::zeros(); pattern.size()],
            x: vec![Vec3::zeros(); pattern.size()],
        };
        Ok(Self { held: held.to_vec(), grids, coarsest })
    }

    /// Block rows of each level, the coarsest last.
    pub fn level_sizes(&self) -> Vec<usize> {
        self.grids.iter().map(|g| g.level.r.len()).chain([self.coarsest.r.len()]).collect()
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
        assert_eq!(positions.len(), self.held.len(), "rows");
        let held = &self.held;
        let mut fine = matrix;
        let mut above: Option<&Transfer> = None;
        for grid in &mut self.grids {
            match above {
                None => {
                    grid.level.update(fine, &|row| held[row]);
                    grid.transfer
                        .update_modes(&|row| RowModes::of_point(positions[row], held[row]));
                }
                Some(above) => {
                    grid.level.update(fine, &|_| [false; 3]);
                    grid.transfer.update_modes(&|row| above.coarse_modes(row));
                }
            }
            grid.smoother = Chebyshev::new(largest_eigenvalue(&mut grid.level));
            grid.transfer.update_coarse(fine, &mut grid.coarse);
            fine = &grid.coarse;
            above = Some(&grid.transfer);
        }
        self.coarsest.factor.factor(fine)
    }
}

impl Preconditioner for Multigrid {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        let (right_side, _) = ends(&mut self.grids, &mut self.coarsest);
        right_side.copy_from_slice(r);
        cycle(&mut self.grids, &mut self.coarsest);
        let (_, solution) = ends(&mut self.grids, &mut self.coarsest);
        z.copy_from_slice(solution);
    }
}

impl Grid {
    fn new(pattern: Arc<BlockPattern>, transfer: Transfer, coarse: Arc<BlockPattern>) -> Self {
        let zeros = || vec![Vec3::zeros(); coarse.size()];
        Self {
            level: Level::new(pattern),
            smoother: Chebyshev::default(),
            transfer,
            saved: [zeros(), zeros()],
            coarse: BlockMatrix::zeros(coarse),
        }
    }
}

/// Right side and solution of the finest of these levels.
fn ends<'a>(grids: &'a mut [Grid], coarsest: &'a mut Coarsest) -> (&'a mut [Vec3], &'a mut [Vec3]) {
    match grids {
        [] => (&mut coarsest.r, &mut coarsest.x),
        [grid, ..] => (&mut grid.level.r, &mut grid.level.x),
    }
}

/// Solves approximately from the right side of the finest of these levels to its solution.
fn cycle(grids: &mut [Grid], coarsest: &mut Coarsest) {
    let [grid, coarser @ ..] = grids else {
        return coarsest.factor.solve(&coarsest.r, &mut coarsest.x);
    };
    grid.smoother.smooth_from_zero(&mut grid.level);
    grid.transfer.restrict(&grid.level.r, ends(coarser, coarsest).0);
    // A second visit costs little on a small level and saves a fifth of the iterations; the coarsest
    // is solved exactly the first time.
    let twice = !coarser.is_empty();
    let [right_side, first] = &mut grid.saved;
    if twice {
        right_side.copy_from_slice(ends(coarser, coarsest).0);
    }
    cycle(coarser, coarsest);
    if twice {
        let (r, x) = ends(coarser, coarsest);
        first.copy_from_slice(x);
        grid.coarse.mul(first, r);
        r.iter_mut().zip(right_side.iter()).for_each(|(r, b)| *r = b - *r);
        cycle(coarser, coarsest);
        let (_, x) = ends(coarser, coarsest);
        x.iter_mut().zip(first.iter()).for_each(|(x, first)| *x += first);
    }
    let level = &mut grid.level;
    grid.transfer.prolong(OVERCORRECTION, ends(coarser, coarsest).1, (&mut level.d, &mut level.x));
    grid.smoother.smooth_after_change(level);
}
