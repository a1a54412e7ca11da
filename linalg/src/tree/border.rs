//! Forests with rows across them, such as those that close loops: their Schur complement on the tree, factored with
//! pivoting, so that rows which depend on others are left out.

use super::{TreeError, TreeNode, TreeSaddle};

/// Share of the response that a row would have without all others, below which it depends on these [-].
const DEPENDENT: f64 = 1e-10;

/// A forest, and rows across it: T y + Lᵀ μ = h, L y - R μ = c.
#[derive(Clone, Debug)]
pub struct BorderedTree {
    /// The tree T.
    pub tree: TreeSaddle,
    /// Diagonal of R, one a row across.
    pub compliance: Vec<f64>,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    /// T⁻¹ Lᵀ, by rows of L.
    responses: Vec<f64>,
    /// L T⁻¹ Lᵀ + R, scaled, and its Cholesky factor under the order of pivots.
    complement: Vec<f64>,
    scales: Vec<f64>,
    pivots: Vec<usize>,
    rank: usize,
    work: Vec<f64>,
}

impl BorderedTree {
    /// Of some nodes, and for each row across the unknowns that it touches, one of which may stand more than once.
    ///
    /// # Errors
    /// As [`TreeSaddle::new`].
    pub fn new(nodes: &[TreeNode], rows: &[Vec<u32>]) -> Result<Self, TreeError> {
        let tree = TreeSaddle::new(nodes)?;
        let count = rows.len();
        let mut offsets = vec![0];
        for row in rows {
            offsets.push(offsets[offsets.len() - 1] + row.len());
        }
        Ok(Self {
            responses: vec![0.0; count * tree.size()],
            compliance: vec![0.0; count],
            values: vec![0.0; offsets[count]],
            indices: rows.concat(),
            offsets,
            complement: vec![0.0; count * count],
            scales: vec![0.0; count],
            pivots: (0..count).collect(),
            rank: 0,
            work: vec![0.0; count],
            tree,
        })
    }

    /// Number of rows across.
    pub fn row_count(&self) -> usize {
        self.compliance.len()
    }

    /// Rows across that the last factorization found to depend on no others.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Values of a row across, in the order of its unknowns.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[self.offsets[row]..self.offsets[row + 1]]
    }

    /// Factors the tree, then what is left of the rows across.
    ///
    /// # Errors
    /// [`TreeError::Singular`], of the tree.
    pub fn factor(&mut self) -> Result<(), TreeError> {
        for row in 0..self.row_count() {
            let mut alone = self.compliance[row];
            for k in self.offsets[row]..self.offsets[row + 1] {
                let mass = self.tree.diagonal(self.indices[k] as usize);
                alone += if mass > 0.0 { self.values[k].powi(2) / mass } else { 0.0 };
            }
            self.scales[row] = if alone > 0.0 { alone.sqrt().recip() } else { 0.0 };
        }
        self.tree.factor()?;
        let size = self.tree.size();
        for row in 0..self.row_count() {
            let response = &mut self.responses[row * size..(row + 1) * size];
            response.fill(0.0);
            for k in self.offsets[row]..self.offsets[row + 1] {
                response[self.indices[k] as usize] += self.values[k];
            }
            self.tree.solve(response);
        }
        self.set_complement();
        self.factor_complement();
        Ok(())
    }

    /// The product of a row with unknowns.
    fn product(&self, row: usize, x: &[f64]) -> f64 {
        let entries = self.offsets[row]..self.offsets[row + 1];
        entries.map(|k| self.values[k] * x[self.indices[k] as usize]).sum()
    }

    fn set_complement(&mut self) {
        let (count, size) = (self.row_count(), self.tree.size());
        for i in 0..count {
            for j in 0..=i {
                let response = &self.responses[j * size..(j + 1) * size];
                let mut value = self.product(i, response);
                if i == j {
                    value += self.compliance[i];
                }
                value *= self.scales[i] * self.scales[j];
                (self.complement[i * count + j], self.complement[j * count + i]) = (value, value);
            }
        }
    }

    /// Cholesky factor L of the complement in rows, the largest pivot first, until what is left is rounding.
    fn factor_complement(&mut self) {
        let count = self.row_count();
        let Self { complement, pivots, .. } = self;
        pivots.iter_mut().enumerate().for_each(|(k, pivot)| *pivot = k);
        self.rank = 0;
        for k in 0..count {
            let left = |i: &usize| complement[i * count + i];
            let best = (k..count).max_by(|i, j| left(i).total_cmp(&left(j)));
            let Some(best) = best.filter(|i| left(i) > DEPENDENT) else { break };
            pivots.swap(k, best);
            (0..count).for_each(|i| complement.swap(i * count + k, i * count + best));
            (0..count).for_each(|i| complement.swap(k * count + i, best * count + i));
            let root = complement[k * count + k].sqrt();
            complement[k * count + k] = root;
            for i in k + 1..count {
                complement[i * count + k] /= root;
            }
            for i in k + 1..count {
                let share = complement[i * count + k];
                for j in k + 1..=i {
                    let value = complement[i * count + j] - share * complement[j * count + k];
                    (complement[i * count + j], complement[j * count + i]) = (value, value);
                }
            }
            self.rank += 1;
        }
    }

    /// Solves in place: `x` for the unknowns of the tree, `across` for the multipliers of the rows across.
    ///
    /// # Panics
    /// When the slices do not have the sizes of the tree and of the rows.
    pub fn solve(&mut self, x: &mut [f64], across: &mut [f64]) {
        assert_eq!(across.len(), self.row_count(), "rows across the tree");
        self.tree.solve(x);
        for row in 0..across.len() {
            self.work[row] = (self.product(row, x) - across[row]) * self.scales[row];
        }
        across.fill(0.0);
        self.solve_complement(across);
        let size = self.tree.size();
        for (row, multiplier) in across.iter().enumerate().filter(|(_, it)| **it != 0.0) {
            let response = &self.responses[row * size..(row + 1) * size];
            x.iter_mut().zip(response).for_each(|(x, r)| *x -= r * multiplier);
        }
    }

    /// Multipliers of `work` into `across`; zero for rows that depend on others.
    fn solve_complement(&mut self, across: &mut [f64]) {
        let Self { complement, pivots, scales, work, rank, .. } = self;
        let (count, pivots) = (pivots.len(), &pivots[..*rank]);
        for (k, &pivot) in pivots.iter().enumerate() {
            let above = pivots[..k].iter().enumerate();
            let known: f64 = above.map(|(j, &row)| complement[k * count + j] * work[row]).sum();
            work[pivot] = (work[pivot] - known) / complement[k * count + k];
        }
        for (k, &pivot) in pivots.iter().enumerate().rev() {
            let below = pivots.iter().enumerate().skip(k + 1);
            let known: f64 = below.map(|(i, &row)| complement[i * count + k] * work[row]).sum();
            work[pivot] = (work[pivot] - known) / complement[k * count + k];
        }
        pivots.iter().for_each(|&row| across[row] = work[row] * scales[row]);
    }
}
