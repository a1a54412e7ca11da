//! LDL^T of the regularized saddle-point matrix by faer, under a fill-reducing order fixed once:
//! it exists for any symmetric order because the matrix is quasi-definite (Vanderbei1995).

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::linalg::cholesky::supernodal::SupernodalLdltRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use super::order::order;
use super::scales::{REGULARIZATION, Scales};
use super::upper::{UpperTriangle, name, scalar_unknowns, upper_triangle};
use super::{ConstraintPattern, KktError, KktSystem, Unknown};
use crate::Vec3;
use crate::cholesky::parallelism;
use crate::{BlockPattern, Definiteness};

/// Right sides solved for at once by [`super::KktSolver::columns`]: enough for faer's kernels to
/// work on a panel, few enough to stay in cache.
pub(super) const BATCH: usize = 16;

/// A pivot of S below this part of its diagonal is rounding: nothing resists that motion.
const SINGULAR: f64 = 1e-14;

/// A diagonal of S below this part of its scale is given the regularization +delta.
const ABSENT: f64 = 1e-12;

/// A pivot of a constraint within this factor of its regularization may be that of a redundant row,
/// since what the row had of its own is gone.
const SUSPECT: f64 = 1e4;

/// Factor, index maps and memory.
pub(super) struct SaddleFactor {
    size: usize,
    /// In elimination order, numbered as in `upper.rs`.
    unknowns: Vec<u32>,
    upper: SymbolicSparseColMat<usize>,
    source: Vec<u32>,
    values: Vec<f64>,
    /// Values of the constraint entries, then diagonals of the constraint rows.
    extra: Vec<f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    /// Right sides, one column after the other.
    rhs: Vec<f64>,
    memory: MemBuffer,
    par: Par,
    /// Constraint rows whose pivot is hardly more than its regularization.
    pub(super) suspects: usize,
}

impl SaddleFactor {
    /// The block rows `last`, which rise, are eliminated after all others where there is a nested dissection.
    pub(super) fn new(
        pattern: &BlockPattern,
        fixed: &[[bool; 3]],
        rows: &ConstraintPattern,
        last: &[u32],
    ) -> Result<Self, KktError> {
        let free = |i: &u32| fixed[*i as usize] != [true; 3];
        let before = |i: &u32| last.binary_search(i).is_err();
        let kept: Vec<u32> = (0..pattern.size() as u32).filter(free).filter(before).collect();
        let last: Vec<u32> = last.iter().copied().filter(free).collect();
        let (nodes, dissected) = order(pattern, (&kept, &last), rows);
        let unknowns = scalar_unknowns(&nodes, fixed);
        let UpperTriangle { symbolic: upper, source } = upper_triangle(pattern, rows, &unknowns);
        let ordering = if dissected { SymmetricOrdering::Identity } else { SymmetricOrdering::Amd };
        let params = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(upper.as_ref(), Side::Upper, ordering, params)
            .map_err(|_| KktError::OutOfMemory { unknowns: unknowns.len() })?;
        Ok(Self {
            size: pattern.size(),
            values: vec![0.0; source.len()],
            extra: vec![0.0; 3 * rows.entry_count() + rows.count()],
            par: parallelism(unknowns.len()),
            unknowns,
            upper,
            source,
            symbolic,
            factor: Vec::new(),
            rhs: Vec::new(),
            memory: MemBuffer::new(StackReq::EMPTY),
            suspects: 0,
        })
    }

    /// Takes the memory of the numeric part, at the first factorization.
    fn allocate(&mut self) -> Result<(), KktError> {
        let n = self.unknowns.len();
        let out_of_memory = |_| KktError::OutOfMemory { unknowns: n };
        let scratch = StackReq::any_of(&[
            self.symbolic.factorize_numeric_ldlt_scratch::<f64>(self.par, Spec::default()),
            self.symbolic.solve_in_place_scratch::<f64>(BATCH, Par::Seq),
        ]);
        self.memory =
            MemBuffer::try_new(scratch).map_err(|_| KktError::OutOfMemory { unknowns: n })?;
        self.factor.try_reserve_exact(self.symbolic.len_val()).map_err(out_of_memory)?;
        self.rhs.try_reserve_exact(BATCH * n).map_err(out_of_memory)?;
        self.rhs.resize(BATCH * n, 0.0);
        self.factor.resize(self.symbolic.len_val(), 0.0);
        Ok(())
    }

    pub(super) fn factor_nnz(&self) -> usize {
        self.symbolic.len_val()
    }

    pub(super) fn unknown_count(&self) -> usize {
        self.unknowns.len()
    }

    /// Factors the matrix. Positive means that S is positive definite where the constraints allow
    /// motion: there are as many negative pivots as constraint rows (Sylvester's law).
    pub(super) fn factor(
        &mut self,
        system: KktSystem,
        scales: &Scales,
    ) -> Result<Definiteness, KktError> {
        if self.factor.is_empty() {
            self.allocate()?;
        }
        self.gather(system, scales);
        let a = SparseColMatRef::new(self.upper.as_ref(), &self.values[..]);
        let stack = MemStack::new(&mut self.memory);
        let result = self.symbolic.factorize_numeric_ldlt(
            &mut self.factor,
            a,
            Side::Upper,
            LdltRegularization::default(),
            self.par,
            stack,
            Spec::default(),
        );
        if let Err(LdltError::ZeroPivot { index }) = result {
            // Simplicial factorization counts pivots from 1.
            let one =
                usize::from(matches!(self.symbolic.raw(), SymbolicCholeskyRaw::Simplicial(_)));
            return Err(self
                .not_finite()
                .unwrap_or(KktError::Singular(self.unknown_at(index - one))));
        }
        self.check_pivots(scales)
    }

    /// Writes the values of the upper triangle, with regularization.
    fn gather(&mut self, KktSystem { s, g, r }: KktSystem, scales: &Scales) {
        let (entries, diagonal) = self.extra.split_at_mut(3 * g.len());
        for (target, vector) in entries.chunks_exact_mut(3).zip(&scales.vectors) {
            target.copy_from_slice(vector.as_slice());
        }
        for ((diagonal, r), c) in diagonal.iter_mut().zip(r).zip(&scales.rows) {
            *diagonal = -(r + REGULARIZATION * c);
        }
        let blocks = s.values();
        for (target, &source) in self.values.iter_mut().zip(&self.source) {
            let source = source as usize;
            *target = match source.checked_sub(blocks.len()) {
                None => blocks[source],
                Some(extra) => self.extra[extra],
            };
        }
        // A motion that S does not resist at all: what holds it are constraints, eliminated later.
        for (k, &unknown) in self.unknowns.iter().enumerate() {
            if let Unknown::Velocity { row, axis } = name(unknown, self.size) {
                let own = &mut self.values[self.upper.col_ptr()[k + 1] - 1];
                let scale = scales.diagonal[row][axis];
                if own.abs() <= ABSENT * scale {
                    *own += REGULARIZATION * scale;
                }
            }
        }
    }

    fn unknown_at(&self, pivot: usize) -> Unknown {
        let k = self.symbolic.perm().map_or(pivot, |perm| perm.arrays().0[pivot]);
        name(self.unknowns[k], self.size)
    }

    /// The first column with a value that is infinite or no number.
    fn not_finite(&self) -> Option<KktError> {
        let starts = self.upper.col_ptr();
        let bad = |k: &usize| self.values[starts[*k]..starts[k + 1]].iter().any(|v| !v.is_finite());
        let column = (0..self.unknowns.len()).find(bad)?;
        Some(KktError::NotFinite(name(self.unknowns[column], self.size)))
    }

    /// Reads the pivots: are they finite, how many are negative, which have vanished?
    fn check_pivots(&mut self, scales: &Scales) -> Result<Definiteness, KktError> {
        let (mut negative, mut constraints, mut suspects) = (0, 0, 0);
        let mut failure = None;
        self.for_each_pivot(|unknown, pivot| {
            negative += usize::from(pivot < 0.0);
            let small = match unknown {
                Unknown::Velocity { row, axis } => SINGULAR * scales.diagonal[row][axis],
                Unknown::Multiplier { row } => {
                    constraints += 1;
                    let delta = REGULARIZATION * scales.rows[row];
                    suspects += usize::from(pivot.abs() <= SUSPECT * delta);
                    0.0
                }
            };
            if !pivot.is_finite() {
                failure.get_or_insert(KktError::NotFinite(unknown));
            } else if pivot.abs() <= small {
                failure.get_or_insert(KktError::Singular(unknown));
            }
        });
        self.suspects = suspects;
        match failure {
            Some(failure) => Err(self.not_finite().unwrap_or(failure)),
            None if negative == constraints => Ok(Definiteness::Positive),
            None => Ok(Definiteness::Indefinite),
        }
    }

    fn for_each_pivot(&self, mut visit: impl FnMut(Unknown, f64)) {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => {
                for k in 0..self.unknowns.len() {
                    visit(self.unknown_at(k), self.factor[simplicial.col_ptr()[k]]);
                }
            }
            SymbolicCholeskyRaw::Supernodal(supernodal) => {
                let factor = SupernodalLdltRef::new(supernodal, &self.factor);
                for s in 0..supernodal.n_supernodes() {
                    let (begin, end) =
                        (supernodal.supernode_begin()[s], supernodal.supernode_end()[s]);
                    let block = factor.supernode(s).val();
                    (begin..end).for_each(|k| {
                        visit(self.unknown_at(k), block[(k - begin, k - begin)]);
                    });
                }
            }
        }
    }

    /// The position of the first scalar of block row `row` in the order of elimination, where that order is its own.
    pub(super) fn position_of(&self, row: u32) -> Option<usize> {
        let of_row = |unknown: &u32| (3 * row..3 * row + 3).contains(unknown);
        let position = self.unknowns.iter().position(of_row)?;
        self.symbolic.perm().is_none().then_some(position)
    }

    /// The unknowns from position `begin` of the order on.
    pub(super) fn unknowns_from(&self, begin: usize) -> &[u32] {
        &self.unknowns[begin..]
    }

    /// Visits the entries of L below the diagonal, and of D on it, in columns and rows from `begin` on, counted
    /// from there: (row, column, value).
    pub(super) fn for_each_from(&self, begin: usize, mut visit: impl FnMut(usize, usize, f64)) {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => {
                let (starts, rows) = (simplicial.col_ptr(), simplicial.row_idx());
                for column in begin..self.unknowns.len() {
                    for entry in starts[column]..starts[column + 1] {
                        visit(rows[entry] - begin, column - begin, self.factor[entry]);
                    }
                }
            }
            SymbolicCholeskyRaw::Supernodal(supernodal) => {
                let factor = SupernodalLdltRef::new(supernodal, &self.factor);
                for s in 0..supernodal.n_supernodes() {
                    let (first, end) =
                        (supernodal.supernode_begin()[s], supernodal.supernode_end()[s]);
                    let (node, width) = (factor.supernode(s), end - first);
                    let below = node.pattern();
                    for column in first.max(begin)..end {
                        let values = node.val().col(column - first);
                        for row in column..end {
                            visit(row - begin, column - begin, values[row - first]);
                        }
                        for (k, &row) in below.iter().enumerate() {
                            visit(row - begin, column - begin, values[width + k]);
                        }
                    }
                }
            }
        }
    }

    /// Solves the regularized system for one right side, in place: (b, b_g) becomes (u, lambda).
    /// Fixed scalars of `x` become zero.
    pub(super) fn apply(&mut self, x: &mut [Vec3], lambda: &mut [f64]) {
        self.load(0, x, lambda);
        self.solve_loaded(1);
        self.unload(0, x, lambda);
    }

    /// Makes (b, b_g) right side `column`, below [`BATCH`].
    pub(super) fn load(&mut self, column: usize, b: &[Vec3], b_g: &[f64]) {
        let n = self.unknowns.len();
        let rhs = &mut self.rhs[column * n..(column + 1) * n];
        for (rhs, &unknown) in rhs.iter_mut().zip(&self.unknowns) {
            *rhs = match name(unknown, self.size) {
                Unknown::Velocity { row, axis } => b[row][axis],
                Unknown::Multiplier { row } => b_g[row],
            };
        }
    }

    /// Solves for the first `count` right sides.
    pub(super) fn solve_loaded(&mut self, count: usize) {
        let n = self.unknowns.len();
        let rhs = MatMut::from_column_major_slice_mut(&mut self.rhs[..n * count], n, count);
        LdltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            rhs,
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }

    /// Solution `column`. The matrix is that of (u, -lambda), hence the sign.
    pub(super) fn unload(&self, column: usize, x: &mut [Vec3], lambda: &mut [f64]) {
        x.fill(Vec3::zeros());
        let n = self.unknowns.len();
        for (&value, &unknown) in self.rhs[column * n..].iter().zip(&self.unknowns) {
            match name(unknown, self.size) {
                Unknown::Velocity { row, axis } => x[row][axis] = value,
                Unknown::Multiplier { row } => lambda[row] = -value,
            }
        }
    }
}
