//! Conjugate gradients: their vectors, and the commands of an iteration around the preconditioner.

use bytemuck::Pod;
use sinew_shaders::layout::RowParams;
use sinew_shaders::layout::WORKGROUP_SIZE;
use sinew_shaders::program::{BufferId, Command, Program, Scalar};
use sinew_shaders::table::{Sizes, SolveParams, ToleranceParams};

use super::SolveInput;
use super::level::{Matrix, Part};

/// Share of a residual that conjugate gradients leave before it is computed anew. The matrix is rounded
/// to f32, so that they part from the true residual after four to six digits; as long as they have not,
/// they go on from their last direction and lose nothing. On tetrahedral beams to 1e-8, in f64, the CPU
/// and 1e-3, 1e-4, 1e-5, 1e-6 (and a fresh start) took: block-Jacobi 483, 485, 528, 578, 585 iterations,
/// multigrid 27, 31, 31, 31, 32. A residual costs as much as some products.
const REDUCTION_JACOBI: f32 = 1e-3;
const REDUCTION_MULTIGRID: f32 = 1e-4;

pub(super) struct Cg {
    rows: usize,
    r: BufferId,
    e: BufferId,
    p: BufferId,
    ap: BufferId,
    partials: BufferId,
    /// Right side and solution of the preconditioner, f32, one behind the other.
    vectors: BufferId,
    residual: BufferId,
    residual_partials: BufferId,
    x: BufferId,
    flags: BufferId,
    scalars: BufferId,
    multigrid: bool,
}

impl Cg {
    /// Adds the vectors; those of the preconditioner too, if it has none.
    pub(super) fn new(
        program: &mut Program,
        input: &SolveInput<'_>,
        rows: usize,
        vectors: Option<BufferId>,
    ) -> Self {
        let mut vector = |name: &str| program.add_zeros(name, Scalar::Real, 3 * rows);
        let [r, e] = ["residual of the correction", "correction"].map(&mut vector);
        let [p, ap] = ["direction", "product with the direction"].map(&mut vector);
        // One for every workgroup, of which a product has up to eight times as many.
        let count = 8 * rows.div_ceil(WORKGROUP_SIZE as usize);
        Self {
            rows,
            r,
            e,
            p,
            ap,
            partials: program.add_zeros("partial sums of the solve", Scalar::Real, count),
            vectors: vectors.unwrap_or_else(|| {
                program.add_zeros("preconditioned residual", Scalar::Float, 6 * rows)
            }),
            residual: input.residual,
            residual_partials: input.partials,
            x: input.x,
            flags: input.flags,
            scalars: input.scalars,
            multigrid: vectors.is_some(),
        }
    }

    fn params(&self, partial_count: usize) -> SolveParams {
        let (row_count, partial_count) = (self.rows as u32, partial_count as u32);
        SolveParams { row_count, partial_count, r: 0, z: 3 * row_count }
    }

    fn per_row(&self) -> (usize, Sizes) {
        (self.rows, Sizes { rows: self.rows as u64, ..Sizes::default() })
    }

    /// Partial sums of kernels over rows.
    fn groups(&self) -> usize {
        self.rows.div_ceil(WORKGROUP_SIZE as usize)
    }

    fn over_rows(&self, program: &Program, name: &str, bindings: &[BufferId]) -> Command {
        program.call(name, &self.params(0), bindings, self.per_row())
    }

    pub(super) fn scale(&self, program: &Program) -> Vec<Command> {
        let bindings = [self.residual_partials, self.scalars];
        vec![one_group(
            program,
            "solve_scale",
            (&self.params(self.groups()), self.groups()),
            &bindings,
        )]
    }

    pub(super) fn begin(&self, program: &Program) -> Vec<Command> {
        let reduction = if self.multigrid { REDUCTION_MULTIGRID } else { REDUCTION_JACOBI };
        let params = ToleranceParams {
            partial_count: self.groups() as u32,
            reduction,
            ..ToleranceParams::default()
        };
        let bindings = [self.residual_partials, self.flags, self.scalars];
        let decide = one_group(program, "solve_begin", (&params, self.groups()), &bindings);
        let bindings = [self.flags, self.residual, self.r, self.e, self.vectors];
        vec![decide, self.over_rows(program, "cg_start", &bindings)]
    }

    /// Block-Jacobi, and r . z with it.
    pub(super) fn jacobi(&self, program: &Program, matrix: &Matrix) -> Command {
        let bindings = [self.flags, matrix.diagonal, self.r, self.vectors, self.partials];
        self.over_rows(program, "jacobi", &bindings)
    }

    /// r . z, after another preconditioner.
    pub(super) fn products(&self, program: &Program) -> Command {
        let bindings = [self.flags, self.r, self.vectors, self.partials];
        self.over_rows(program, "cg_rz", &bindings)
    }

    /// From r . z to the new residual.
    pub(super) fn iterate(&self, program: &Program, matrix: &Matrix) -> Vec<Command> {
        let Self { flags, scalars, partials, vectors, .. } = *self;
        let decide = |name: &str, count: usize| {
            let bindings = [partials, flags, scalars];
            one_group(program, name, (&self.params(count), count), &bindings)
        };
        let mut commands = vec![
            decide("cg_beta", self.groups()),
            self.over_rows(program, "cg_direction", &[flags, scalars, vectors, self.p]),
        ];
        commands.extend(matrix.parts.iter().map(|part| self.product(program, matrix, part)));
        let bindings = [flags, scalars, self.p, self.ap, self.e, self.r, vectors, partials];
        commands.extend([
            decide("cg_alpha", matrix.group_count()),
            self.over_rows(program, "cg_update", &bindings),
            decide("cg_check", self.groups()),
        ]);
        commands
    }

    fn product(&self, program: &Program, matrix: &Matrix, part: &Part) -> Command {
        let bindings = [
            self.flags,
            part.structure,
            part.blocks,
            matrix.diagonal,
            self.p,
            self.ap,
            self.partials,
        ];
        program.call("cg_product", &matrix.product_params(part), &bindings, matrix.work(part))
    }

    pub(super) fn finish(&self, program: &Program) -> Vec<Command> {
        let params = RowParams { row_count: self.rows as u32, ..RowParams::default() };
        let bindings = [self.flags, self.e, self.x];
        vec![program.call("add_correction", &params, &bindings, self.per_row())]
    }
}

/// A call of a kernel of one workgroup that adds `count` partial sums.
fn one_group<P: Pod>(
    program: &Program,
    name: &str,
    (params, count): (&P, usize),
    bindings: &[BufferId],
) -> Command {
    program.call(name, params, bindings, (1, Sizes { items: count as u64, ..Sizes::default() }))
}
