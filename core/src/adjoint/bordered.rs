//! The linear system of a step: a sparse matrix of inner scalars, which the factor of its symmetric part solves for by
//! refinement, and a dense border.

use nalgebra::{DMatrix, DVector, Dyn, LU, SVD};

use super::error::SingularFault;
use super::layout::Layout;
use crate::Vec3;
use crate::attachment::Attachments;
use crate::linalg::{
    BLOCK, BlockMatrix, ResidualLimits, SparseCholesky, dot, solve_by_minimal_residuals,
};
use crate::solve::RowVectors;

use super::jacobian::mul_transposed;

/// Limits of solutions with the factor of the symmetric part: as exact as rounding lets them be.
const LIMITS: ResidualLimits = ResidualLimits { tolerance: 1e-14, directions: 100, cycles: 6 };
/// Residual of a solution that is good enough [-].
const FINE: f64 = 1e-10;

/// Derivatives of all equations by one number: balance of momenta, and constraint rows.
#[derive(Clone, Debug, Default)]
pub(super) struct EquationColumn {
    pub(super) momenta: Vec<Vec3>,
    pub(super) rows: Vec<f64>,
}

/// The matrix (A B; C D) of a step. A acts between inner scalars; B and D are columns of the border; C is what inner
/// scalars do to the equations of the border.
pub(super) struct Bordered<'a> {
    pub(super) layout: &'a Layout,
    pub(super) attachments: Option<&'a Attachments>,
    /// S, on all block rows.
    pub(super) matrix: &'a BlockMatrix,
    /// Derivatives of unilateral rows by velocities: the last rows.
    active: &'a [RowVectors],
    factor: Option<&'a mut SparseCholesky>,
    /// A^-1 B; columns without inner scalars are none.
    solved: Vec<Option<Vec<Vec3>>>,
    schur: Schur,
}

/// The Schur complement of the border, D - C A^-1 B, with the factors of it and of its transpose that were asked for.
struct Schur {
    matrix: DMatrix<f64>,
    factors: [Option<Factor>; 2],
}

/// Factors of a dense matrix.
enum Factor {
    Regular(LU<f64, Dyn, Dyn>),
    /// Rows of joints depend on each other.
    Redundant(Box<SVD<f64, Dyn, Dyn>>),
}

/// Share of the largest pivot or singular value below which one is none [-].
const NO_VALUE: f64 = 1e-12;

impl Factor {
    fn new(matrix: DMatrix<f64>) -> Self {
        let factor = matrix.clone().lu();
        let pivots = factor.lu_internal().diagonal().map(f64::abs);
        match pivots.min() > NO_VALUE * pivots.max() {
            true => Self::Regular(factor),
            false => Self::Redundant(Box::new(matrix.svd(true, true))),
        }
    }

    fn solve(&self, right: &DVector<f64>) -> Result<DVector<f64>, SingularFault> {
        match self {
            Self::Regular(factor) => factor.solve(right).ok_or(SingularFault::Border),
            Self::Redundant(svd) => {
                let least = NO_VALUE * svd.singular_values.max();
                svd.solve(right, least).map_err(|_| SingularFault::Border)
            }
        }
    }
}

impl Schur {
    fn new(matrix: DMatrix<f64>) -> Self {
        Self { matrix, factors: [None, None] }
    }

    fn solve(
        &mut self,
        right: &DVector<f64>,
        transposed: bool,
    ) -> Result<DVector<f64>, SingularFault> {
        if self.matrix.is_empty() {
            return Ok(right.clone());
        }
        let Self { matrix, factors } = self;
        let made = || Factor::new(if transposed { matrix.transpose() } else { matrix.clone() });
        factors[usize::from(transposed)].get_or_insert_with(made).solve(right)
    }
}

impl<'a> Bordered<'a> {
    /// Factors the matrix.
    pub(super) fn new(
        layout: &'a Layout,
        (matrix, attachments): (&'a BlockMatrix, Option<&'a Attachments>),
        (columns, active): (&[EquationColumn], &'a [RowVectors]),
        mut factor: Option<&'a mut SparseCholesky>,
    ) -> Result<Self, SingularFault> {
        if let Some(factor) = &mut factor {
            let mut symmetric = symmetric_part(matrix);
            if let Some(attachments) = attachments {
                attachments.clone().reduce(&mut symmetric);
            }
            factor.factor(&symmetric)?;
        }
        let mut own = Self {
            layout,
            attachments,
            matrix,
            active,
            factor,
            solved: Vec::new(),
            schur: Schur::new(DMatrix::zeros(0, 0)),
        };
        for column in columns {
            let has_inner = own.has_inner(&column.momenta);
            let solved = has_inner.then(|| own.solve_inner(&column.momenta, false)).transpose()?;
            own.solved.push(solved);
        }
        own.schur = Schur::new(own.complement(columns));
        Ok(own)
    }

    /// D - C A^-1 B.
    fn complement(&self, columns: &[EquationColumn]) -> DMatrix<f64> {
        let (border, count) = (&self.layout.border, columns.len());
        let mut complement = DMatrix::zeros(count, count);
        for (j, column) in columns.iter().enumerate() {
            for (i, scalar) in border.iter().enumerate() {
                complement[(i, j)] = column.momenta[scalar.row][scalar.axis];
            }
            for (i, error) in column.rows.iter().enumerate() {
                complement[(border.len() + i, j)] = *error;
            }
            let Some(solved) = &self.solved[j] else { continue };
            let by_inner = self.product(solved, false);
            for (i, scalar) in border.iter().enumerate() {
                complement[(i, j)] -= by_inner[scalar.row][scalar.axis];
            }
            for i in 0..column.rows.len() {
                complement[(border.len() + i, j)] -= self.row_by(i, solved);
            }
        }
        complement
    }

    /// True if momenta have a part of inner scalars.
    fn has_inner(&self, momenta: &[Vec3]) -> bool {
        let any = |(v, inner): (&Vec3, &[bool; 3])| (0..3).any(|k| inner[k] && v[k] != 0.0);
        self.factor.is_some() && momenta.iter().zip(&self.layout.inner).any(any)
    }

    /// Product of S with inner scalars, or with all equations where it is transposed, reduced.
    fn product(&self, x: &[Vec3], transposed: bool) -> Vec<Vec3> {
        reduced_product((self.matrix, self.attachments), x, transposed)
    }

    /// Change of row number `row` by inner scalars `x`.
    fn row_by(&self, row: usize, x: &[Vec3]) -> f64 {
        let Some(k) = row.checked_sub(self.layout.joints) else { return 0.0 };
        self.active[k]
            .iter()
            .map(|(block, by)| self.inner_part(*block, by).dot(&x[*block as usize]))
            .sum()
    }

    /// The part of a vector on a block row that is of inner scalars.
    fn inner_part(&self, block: u32, vector: &Vec3) -> Vec3 {
        let inner = &self.layout.inner[block as usize];
        Vec3::from_fn(|axis, _| if inner[axis] { vector[axis] } else { 0.0 })
    }

    /// Solution for the inner scalars alone.
    fn solve_inner(
        &mut self,
        right: &[Vec3],
        transposed: bool,
    ) -> Result<Vec<Vec3>, SingularFault> {
        let mut x = vec![Vec3::zeros(); right.len()];
        let Some(factor) = self.factor.take() else { return Ok(x) };
        let mut right = right.to_vec();
        self.layout.keep_inner(&mut right);
        let mut multiply = |x: &[Vec3], product: &mut [Vec3]| {
            product.copy_from_slice(&self.product(x, transposed));
            self.layout.keep_inner(product);
        };
        let left = solve_by_minimal_residuals(&mut multiply, factor, (&right, &mut x), LIMITS);
        self.factor = Some(factor);
        match left <= FINE {
            true => Ok(x),
            false => Err(SingularFault::FarFromSymmetric),
        }
    }

    /// Multipliers of the equations whose products with the columns of the unknowns are `inner` and `border`: those of
    /// momenta and of constraint rows.
    pub(super) fn solve_transposed(
        &mut self,
        inner: &[Vec3],
        border: &[f64],
    ) -> Result<EquationColumn, SingularFault> {
        let along = |solved: &Option<Vec<Vec3>>| solved.as_ref().map_or(0.0, |it| dot(it, inner));
        let right = border.iter().zip(&self.solved).map(|(g, solved)| g - along(solved));
        let right = DVector::from_iterator(border.len(), right);
        let found = self.schur.solve(&right, true)?;
        let mut momenta = vec![Vec3::zeros(); inner.len()];
        for (scalar, value) in self.layout.border.iter().zip(found.iter()) {
            momenta[scalar.row][scalar.axis] = *value;
        }
        let by_border = self.product(&momenta, true);
        let mut right: Vec<Vec3> = inner.iter().zip(&by_border).map(|(g, by)| g - by).collect();
        let pushes = &found.as_slice()[self.layout.border.len() + self.layout.joints..];
        for (vectors, push) in self.active.iter().zip(pushes) {
            for (block, by) in vectors {
                right[*block as usize] -= self.inner_part(*block, by) * *push;
            }
        }
        let inner = self.solve_inner(&right, true)?;
        momenta.iter_mut().zip(&inner).for_each(|(m, x)| *m += x);
        Ok(EquationColumn { momenta, rows: found.as_slice()[self.layout.border.len()..].to_vec() })
    }

    /// Unknowns that have the equations change by `right`: velocities, and impulses of rows.
    pub(super) fn solve(
        &mut self,
        right: &EquationColumn,
    ) -> Result<(Vec<Vec3>, Vec<f64>), SingularFault> {
        let mut inner = self.solve_inner(&right.momenta, false)?;
        let by_inner = self.product(&inner, false);
        let of = |row: usize, axis: usize| right.momenta[row][axis] - by_inner[row][axis];
        let border = self.layout.border.iter().map(|it| of(it.row, it.axis));
        let rows = right.rows.iter().enumerate().map(|(row, it)| it - self.row_by(row, &inner));
        let left: Vec<f64> = border.chain(rows).collect();
        let found = self.schur.solve(&DVector::from_vec(left), false)?;
        for (solved, x) in self.solved.iter().zip(found.iter()) {
            let Some(solved) = solved else { continue };
            inner.iter_mut().zip(solved).for_each(|(inner, by)| *inner -= by * *x);
        }
        for (scalar, x) in self.layout.border.iter().zip(found.iter()) {
            inner[scalar.row][scalar.axis] = *x;
        }
        Ok((inner, found.as_slice()[self.layout.border.len()..].to_vec()))
    }
}

/// P^T S P x, or P^T S^T P x.
pub(super) fn reduced_product(
    (matrix, attachments): (&BlockMatrix, Option<&Attachments>),
    x: &[Vec3],
    transposed: bool,
) -> Vec<Vec3> {
    let mut whole = x.to_vec();
    if let Some(attachments) = attachments {
        attachments.expand_velocity(&mut whole);
    }
    let mut product = vec![Vec3::zeros(); x.len()];
    match transposed {
        true => mul_transposed(matrix, &whole, &mut product),
        false => matrix.mul(&whole, &mut product),
    }
    if let Some(attachments) = attachments {
        attachments.reduce_force(&mut product);
    }
    product
}

/// (S + S^T) / 2.
fn symmetric_part(matrix: &BlockMatrix) -> BlockMatrix {
    let mut symmetric = matrix.clone();
    let pattern = matrix.pattern();
    for row in 0..pattern.size() {
        for slot in pattern.row(row) {
            let column = pattern.columns()[slot];
            let Some(mirror) = pattern.slot(column, row as u32) else { continue };
            let mean = (matrix.block(slot) + matrix.block(mirror as usize).transpose()) * 0.5;
            symmetric.values_mut()[BLOCK * slot..BLOCK * (slot + 1)]
                .copy_from_slice(mean.as_slice());
        }
    }
    symmetric
}
