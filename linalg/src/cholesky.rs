//! Sparse factorization of a block matrix by faer: LL^T where the matrix is positive definite,
//! LDL^T with the same symbolic structure where it is not. Rows that are fixed are left out.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, LltRef, SymbolicCholesky, SymbolicCholeskyRaw,
    SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use super::block_matrix::BLOCK;
use super::ordering::elimination_order;
use super::{BlockMatrix, BlockPattern, Preconditioner};
use crate::Vec3;

/// From here on faer's dense kernels run in parallel. Measured on two idle cores: break-even near
/// 14,000 unknowns, 1.2 times faster at 26,000, 1.3 times at 50,000; on busy cores it is slower. Its
/// tasks take memory (22,000 small blocks a factorization of 14,520 unknowns), so it has to pay.
const PARALLEL_FROM: usize = 25_000;

/// Definiteness that the factorization found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definiteness {
    /// All pivots positive.
    Positive,
    /// A negative pivot: a saddle or a buckled state.
    Indefinite,
}

/// Errors of a factorization.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FactorError {
    /// A pivot vanished.
    #[error("pivot {0} of the factorization is zero")]
    ZeroPivot(usize),
    /// The factor does not fit into memory.
    #[error("the factor of {unknowns} unknowns does not fit into memory: use conjugate gradients")]
    OutOfMemory {
        /// Unknowns of the system.
        unknowns: usize,
    },
}

/// A factorization whose symbolic part, index maps and memory are made once.
pub struct SparseCholesky {
    /// Scalar unknown -> 3 * block row + axis, in elimination order.
    unknowns: Vec<u32>,
    upper: SymbolicSparseColMat<usize>,
    /// For every stored scalar of the upper triangle, its place in the values of the block matrix.
    source: Vec<u32>,
    upper_values: Vec<f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    definiteness: Definiteness,
    rhs: Vec<f64>,
    memory: MemBuffer,
    /// Chosen once, since it decides how much memory a factorization takes.
    par: Par,
}

impl SparseCholesky {
    /// Symbolic factorization for `pattern` without the scalars that are `fixed` (three a row).
    ///
    /// # Errors
    /// [`FactorError::OutOfMemory`].
    pub fn new(pattern: &BlockPattern, fixed: &[[bool; 3]]) -> Result<Self, FactorError> {
        let kept: Vec<u32> =
            (0..pattern.size() as u32).filter(|&i| fixed[i as usize] != [true; 3]).collect();
        let (order, ordering) = match elimination_order(pattern, &kept) {
            Some(order) => (order, SymmetricOrdering::Identity),
            None => (kept, SymmetricOrdering::Amd),
        };
        let unknowns: Vec<u32> = order
            .iter()
            .flat_map(|&row| {
                (0..3).filter(move |&a| !fixed[row as usize][a as usize]).map(move |a| 3 * row + a)
            })
            .collect();
        let (upper, source) = upper_triangle(pattern, &unknowns);
        let params = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(upper.as_ref(), Side::Upper, ordering, params)
            .map_err(|_| FactorError::OutOfMemory { unknowns: unknowns.len() })?;
        Ok(Self {
            upper_values: vec![0.0; source.len()],
            rhs: vec![0.0; unknowns.len()],
            definiteness: Definiteness::Positive,
            par: parallelism(unknowns.len()),
            unknowns,
            upper,
            source,
            symbolic,
            factor: Vec::new(),
            memory: MemBuffer::new(StackReq::EMPTY),
        })
    }

    /// Takes the memory of the numeric part, at the first factorization.
    fn allocate(&mut self) -> Result<(), FactorError> {
        let out_of_memory = FactorError::OutOfMemory { unknowns: self.unknowns.len() };
        let par = self.par;
        let scratch = StackReq::any_of(&[
            self.symbolic.factorize_numeric_llt_scratch::<f64>(par, Spec::default()),
            self.symbolic.factorize_numeric_ldlt_scratch::<f64>(par, Spec::default()),
            self.symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]);
        self.memory = MemBuffer::try_new(scratch).map_err(|_| out_of_memory.clone())?;
        self.factor.try_reserve_exact(self.symbolic.len_val()).map_err(|_| out_of_memory)?;
        self.factor.resize(self.symbolic.len_val(), 0.0);
        Ok(())
    }

    /// Stored scalars of the factor.
    pub fn factor_nnz(&self) -> usize {
        self.symbolic.len_val()
    }

    /// Multiplications and additions of a factorization LL^T: the sum over the columns of the square
    /// of their stored scalars.
    pub fn factor_flops(&self) -> f64 {
        let square = |count: usize| (count as f64).powi(2);
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => {
                simplicial.col_ptr().windows(2).map(|c| square(c[1] - c[0])).sum()
            }
            SymbolicCholeskyRaw::Supernodal(supernodal) => {
                let columns = supernodal.supernode_begin().iter().zip(supernodal.supernode_end());
                let below = supernodal.col_ptr_for_row_idx().windows(2).map(|r| r[1] - r[0]);
                let of_supernode = |((begin, end), below): ((&usize, &usize), usize)| -> f64 {
                    (1..=end - begin).map(|own| square(own + below)).sum()
                };
                columns.zip(below).map(of_supernode).sum()
            }
        }
    }

    /// Unknowns of the system.
    pub fn unknown_count(&self) -> usize {
        self.unknowns.len()
    }

    /// Block row and axis of the pivot that [`FactorError::ZeroPivot`] names.
    pub(super) fn scalar_of_pivot(&self, pivot: usize) -> (usize, usize) {
        // Simplicial factorization counts pivots from 1.
        let simplicial = matches!(self.symbolic.raw(), SymbolicCholeskyRaw::Simplicial(_));
        let k = pivot - usize::from(simplicial);
        let k = self.symbolic.perm().map_or(k, |perm| perm.arrays().0[k]);
        (self.unknowns[k] as usize / 3, self.unknowns[k] as usize % 3)
    }

    /// Numeric factorization of `matrix`, which has the pattern given to [`Self::new`].
    ///
    /// # Errors
    /// [`FactorError::ZeroPivot`] for a singular matrix; [`FactorError::OutOfMemory`] the first time.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<Definiteness, FactorError> {
        if self.factor.is_empty() {
            self.allocate()?;
        }
        let values = matrix.values();
        for (target, &source) in self.upper_values.iter_mut().zip(&self.source) {
            *target = values[source as usize];
        }
        let a = SparseColMatRef::new(self.upper.as_ref(), &self.upper_values[..]);
        let par = self.par;
        let stack = MemStack::new(&mut self.memory);
        let llt = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            a,
            Side::Upper,
            LltRegularization::default(),
            par,
            stack,
            Spec::default(),
        );
        self.definiteness = match llt {
            Ok(_) => Definiteness::Positive,
            Err(_) => {
                self.factor_indefinite()?;
                Definiteness::Indefinite
            }
        };
        Ok(self.definiteness)
    }

    fn factor_indefinite(&mut self) -> Result<(), FactorError> {
        let a = SparseColMatRef::new(self.upper.as_ref(), &self.upper_values[..]);
        let par = self.par;
        let stack = MemStack::new(&mut self.memory);
        self.symbolic
            .factorize_numeric_ldlt(
                &mut self.factor,
                a,
                Side::Upper,
                LdltRegularization::default(),
                par,
                stack,
                Spec::default(),
            )
            .map(|_| ())
            .map_err(|e| {
                let faer::linalg::cholesky::ldlt::factor::LdltError::ZeroPivot { index } = e;
                FactorError::ZeroPivot(index)
            })
    }

    /// Solves for the free scalars of `x` with the right side `b`; fixed scalars of `x` stay.
    pub fn solve(&mut self, b: &[Vec3], x: &mut [Vec3]) {
        for (r, &unknown) in self.rhs.iter_mut().zip(&self.unknowns) {
            *r = b[unknown as usize / 3][unknown as usize % 3];
        }
        let n = self.rhs.len();
        let stack = MemStack::new(&mut self.memory);
        let rhs = MatMut::from_column_major_slice_mut(&mut self.rhs, n, 1);
        match self.definiteness {
            Definiteness::Positive => LltRef::new(&self.symbolic, &self.factor)
                .solve_in_place_with_conj(Conj::No, rhs, Par::Seq, stack),
            Definiteness::Indefinite => LdltRef::new(&self.symbolic, &self.factor)
                .solve_in_place_with_conj(Conj::No, rhs, Par::Seq, stack),
        }
        for (&r, &unknown) in self.rhs.iter().zip(&self.unknowns) {
            x[unknown as usize / 3][unknown as usize % 3] = r;
        }
    }
}

impl Preconditioner for SparseCholesky {
    fn apply(&mut self, r: &[Vec3], z: &mut [Vec3]) {
        // The solution leaves fixed scalars alone; here they are zero.
        z.fill(Vec3::zeros());
        self.solve(r, z);
    }
}

/// Parallelism of faer's dense kernels on a system of so many unknowns.
pub(super) fn parallelism(unknowns: usize) -> Par {
    match rayon::current_num_threads() {
        threads if threads > 1 && unknowns >= PARALLEL_FROM => Par::rayon(threads),
        _ => Par::Seq,
    }
}

/// The upper triangle of the scalar matrix in elimination order, and where its values come from.
fn upper_triangle(
    pattern: &BlockPattern,
    unknowns: &[u32],
) -> (SymbolicSparseColMat<usize>, Vec<u32>) {
    let n = unknowns.len();
    let mut position = vec![u32::MAX; 3 * pattern.size()];
    for (k, &unknown) in unknowns.iter().enumerate() {
        position[unknown as usize] = k as u32;
    }
    let mut column_starts = vec![0usize];
    let (mut rows, mut source) = (Vec::new(), Vec::new());
    let mut column: Vec<(u32, u32)> = Vec::new();
    for (k, &unknown) in unknowns.iter().enumerate() {
        let (block, axis) = (unknown as usize / 3, unknown as usize % 3);
        column.clear();
        // Symmetric: column `axis` of block column `block` is read off as row `axis` of its row.
        for slot in pattern.row(block) {
            for other in 0..3 {
                let row = position[3 * pattern.columns()[slot] as usize + other];
                if row as usize <= k {
                    column.push((row, (BLOCK * slot + 3 * other + axis) as u32));
                }
            }
        }
        column.sort_unstable();
        rows.extend(column.iter().map(|c| c.0 as usize));
        source.extend(column.iter().map(|c| c.1));
        column_starts.push(rows.len());
    }
    (SymbolicSparseColMat::new_checked(n, n, column_starts, None, rows), source)
}
