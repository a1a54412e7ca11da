//! Small systems made from a seed, and their dense counterparts.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::kkt::{ConstraintPattern, KktError, KktReport, KktSolver, KktSystem};
use crate::{BlockMatrix, BlockPattern};
use crate::{Mat3, Vec3};

/// Numbers in -1..1 by a linear congruential generator (Knuth's MMIX constants).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        ((self.next() + 1.0) * 0.5 * end as f64) as usize % end
    }
}

/// A system with its own arrays, the right sides included.
pub(super) struct Case {
    pub(super) s: BlockMatrix,
    pub(super) fixed: Vec<[bool; 3]>,
    pub(super) rows: ConstraintPattern,
    pub(super) g: Vec<Vec3>,
    pub(super) r: Vec<f64>,
    pub(super) b: Vec<Vec3>,
    pub(super) b_g: Vec<f64>,
    /// Given velocities of fixed scalars.
    pub(super) given: Vec<Vec3>,
}

pub(super) struct Solved {
    pub(super) u: Vec<Vec3>,
    pub(super) lambda: Vec<f64>,
    pub(super) report: KktReport,
}

impl Case {
    pub(super) fn system(&self) -> KktSystem<'_> {
        KktSystem { s: &self.s, g: &self.g, r: &self.r }
    }

    pub(super) fn solver(&self) -> KktSolver {
        KktSolver::new(self.s.pattern(), &self.fixed, self.rows.clone()).unwrap()
    }

    pub(super) fn solve_with(&self, solver: &mut KktSolver) -> Result<Solved, KktError> {
        let (mut u, mut lambda) = (self.given.clone(), vec![7.0; self.r.len()]);
        let right = (&self.b[..], &self.b_g[..]);
        let report = solver.solve(self.system(), right, (&mut u, &mut lambda))?;
        Ok(Solved { u, lambda, report })
    }

    pub(super) fn solve(&self) -> Result<Solved, KktError> {
        let mut solver = self.solver();
        solver.factor(self.system())?;
        self.solve_with(&mut solver)
    }

    /// Free scalars, 3 * block row + axis.
    pub(super) fn free(&self) -> Vec<usize> {
        (0..3 * self.fixed.len()).filter(|&i| !self.fixed[i / 3][i % 3]).collect()
    }

    /// S and G over all scalars.
    pub(super) fn dense(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        (dense(&self.s), dense_rows(&self.rows, &self.g, self.fixed.len()))
    }

    /// Free scalars of u, then lambda, by dense LU with full pivoting.
    pub(super) fn dense_solution(&self) -> DVector<f64> {
        let (free, (s, g)) = (self.free(), self.dense());
        let (n, m) = (free.len(), self.r.len());
        let given = DVector::from_fn(s.nrows(), |i, _| {
            if self.fixed[i / 3][i % 3] { self.given[i / 3][i % 3] } else { 0.0 }
        });
        let (of_given, rows_of_given) = (&s * &given, &g * &given);
        let matrix = DMatrix::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
            (true, true) => s[(free[i], free[j])],
            (true, false) => -g[(j - n, free[i])],
            (false, true) => g[(i - n, free[j])],
            (false, false) => {
                if i == j {
                    self.r[i - n]
                } else {
                    0.0
                }
            }
        });
        let right = DVector::from_fn(n + m, |i, _| match i.checked_sub(n) {
            None => self.b[free[i] / 3][free[i] % 3] - of_given[free[i]],
            Some(row) => self.b_g[row] - rows_of_given[row],
        });
        matrix.full_piv_lu().solve(&right).expect("the dense system is regular")
    }

    /// Largest difference to a dense solution, relative to its largest scalar, for u and lambda.
    pub(super) fn errors(&self, solved: &Solved, dense: &DVector<f64>) -> [f64; 2] {
        let free = self.free();
        let n = free.len();
        let u = DVector::from_fn(n, |i, _| solved.u[free[i] / 3][free[i] % 3]);
        let lambda = DVector::from_column_slice(&solved.lambda);
        let relative = |a: DVector<f64>, b: DVector<f64>| (a - &b).amax() / b.amax().max(1e-300);
        [
            relative(u, dense.rows(0, n).into_owned()),
            if self.r.is_empty() {
                0.0
            } else {
                relative(lambda, dense.rows(n, self.r.len()).into_owned())
            },
        ]
    }
}

pub(super) fn dense(matrix: &BlockMatrix) -> DMatrix<f64> {
    let pattern = matrix.pattern();
    let mut dense = DMatrix::zeros(3 * pattern.size(), 3 * pattern.size());
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let column = pattern.columns()[slot] as usize;
            dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&matrix.block(slot));
        }
    }
    dense
}

pub(super) fn dense_rows(rows: &ConstraintPattern, g: &[Vec3], size: usize) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(rows.count(), 3 * size);
    for row in 0..rows.count() {
        for entry in rows.entries(row) {
            for axis in 0..3 {
                dense[(row, 3 * rows.blocks()[entry] as usize + axis)] += g[entry][axis];
            }
        }
    }
    dense
}

/// Positive definite: identity plus springs (outer products of 6-vectors) between random pairs.
pub(super) fn positive_definite(size: usize, numbers: &mut Numbers) -> BlockMatrix {
    let pairs: Vec<[u32; 2]> = (0..2 * size)
        .map(|_| [numbers.below(size) as u32, numbers.below(size) as u32])
        .filter(|p| p[0] != p[1])
        .collect();
    let pattern = BlockPattern::from_cliques(size, |visit| pairs.iter().for_each(|p| visit(p)));
    let mut s = BlockMatrix::zeros(Arc::new(pattern));
    for i in 0..size as u32 {
        add(&mut s, i, i, &Mat3::identity());
    }
    for pair in &pairs {
        let ends = [numbers.vector(), numbers.vector()];
        for (i, &row) in pair.iter().enumerate() {
            for (j, &column) in pair.iter().enumerate() {
                add(&mut s, row, column, &(ends[i] * ends[j].transpose()));
            }
        }
    }
    s
}

pub(super) fn add(matrix: &mut BlockMatrix, row: u32, column: u32, block: &Mat3) {
    let slot = matrix.pattern().slot(row, column).expect("the block is in the pattern");
    crate::add_block(matrix.values_mut(), slot as usize, block);
}

/// A diagonal matrix of masses.
pub(super) fn masses(masses: &[f64]) -> BlockMatrix {
    let pattern = BlockPattern::from_cliques(masses.len(), |_| ());
    let mut s = BlockMatrix::zeros(Arc::new(pattern));
    for (i, &m) in masses.iter().enumerate() {
        add(&mut s, i as u32, i as u32, &(Mat3::identity() * m));
    }
    s
}

/// A case without fixed scalars, with random right sides.
pub(super) fn case(s: BlockMatrix, lists: &[Vec<(u32, Vec3)>], numbers: &mut Numbers) -> Case {
    let size = s.pattern().size();
    let blocks: Vec<Vec<u32>> = lists.iter().map(|l| l.iter().map(|e| e.0).collect()).collect();
    let rows = ConstraintPattern::from_lists(&blocks, size).unwrap();
    Case {
        s,
        fixed: vec![[false; 3]; size],
        g: lists.iter().flatten().map(|e| e.1).collect(),
        r: vec![0.0; rows.count()],
        b: (0..size).map(|_| numbers.vector()).collect(),
        b_g: (0..rows.count()).map(|_| numbers.next()).collect(),
        given: vec![Vec3::zeros(); size],
        rows,
    }
}

/// `count` rows between random pairs of block rows.
pub(super) fn random_rows(
    size: usize,
    count: usize,
    numbers: &mut Numbers,
) -> Vec<Vec<(u32, Vec3)>> {
    (0..count)
        .map(|_| (0..2).map(|_| (numbers.below(size) as u32, numbers.vector())).collect::<Vec<_>>())
        .collect()
}
