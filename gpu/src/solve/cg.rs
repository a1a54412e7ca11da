//! Conjugate gradients: their vectors, and the commands of an iteration around the preconditioner.

use bytemuck::Pod;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::WORKGROUP_SIZE;
use sinew_shaders::params::{RowParams, SolveParams, ToleranceParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};

use super::SolveInput;
use super::level::{Matrix, Part};

/// Share of a residual that conjugate gradients leave before it is computed anew. The matrix is rounded
/// to f32, so that they part from the true residual after four to six digits; as long as they have not,
/// they go on from their last direction and lose nothing. On tetrahedral beams to 1e-8, in f64, the CPU
/// and 1e-3, 1e-4, 1e-5, 1e-6 (and a fresh start) took: block-Jacobi 483, 485, 528, 578, 585 iterations,
/// multigrid 27, 31, 31, 31, 32. A residual costs as much as some products.
const REDUCTION_JACOBI: f32 = 1e-3;
const REDUCTION_MULTIGRID: f32 = 1e-4;

/// The same where it is all that is asked for, so that the tolerance in most use, 1e-5, takes one round.
const FURTHEST: f32 = 8e-6;

/// Most workgroups that share the rows of a vector: each adds all partial sums, so that what they read together stays
/// far below a product. As many lanes as the largest devices hold.
const MOST_GROUPS: usize = 1_024;

/// The preconditioner as conjugate gradients see it.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Buffer of its vectors.
    pub(super) vectors: BufferId,
    /// Region of the right side.
    pub(super) r: u32,
    /// Region of the solution.
    pub(super) z: u32,
    /// Region of the direction of its smoother; `None` for block-Jacobi.
    pub(super) d: Option<u32>,
    /// True if it begins with z = c D^-1 r.
    pub(super) begins: bool,
    /// c, in the first place.
    pub(super) coefficients: BufferId,
    /// Partial sums of r . z that its last kernel leaves; `None` where it leaves none.
    pub(super) sums: Option<usize>,
}

pub(super) struct Cg {
    rows: usize,
    /// Workgroups over rows.
    groups: usize,
    start: Start,
    /// True with multigrid.
    multigrid: bool,
    /// Correction and residual.
    er: BufferId,
    /// Direction and its product.
    pap: BufferId,
    partials: BufferId,
    /// Index of the first partial sum of r . r; those of r . z follow.
    rr: usize,
    diagonal: BufferId,
    residual: BufferId,
    residual_partials: BufferId,
    x: BufferId,
    flags: BufferId,
    scalars: BufferId,
}

impl Cg {
    /// Adds the vectors; those of the preconditioner too, if it is block-Jacobi.
    pub(super) fn new(
        program: &mut Program,
        input: &SolveInput<'_>,
        matrix: &Matrix,
        multigrid: Option<Start>,
    ) -> Self {
        let rows = matrix.rows;
        let groups = rows.div_ceil(WORKGROUP_SIZE as usize).clamp(1, MOST_GROUPS);
        let products = 3 * matrix.group_count();
        let count = products + groups + groups.max(matrix.group_count());
        Self {
            rows,
            groups,
            multigrid: multigrid.is_some(),
            start: multigrid.unwrap_or_else(|| block_jacobi(program, rows, groups)),
            er: program.add_zeros("correction and its residual", Scalar::Real, 6 * rows),
            pap: program.add_zeros("direction and its product", Scalar::Real, 6 * rows),
            partials: program.add_zeros("partial sums of the solve", Scalar::Real, count),
            rr: products,
            diagonal: input.buffers.diagonal,
            residual: input.buffers.residual,
            residual_partials: input.buffers.partials,
            x: input.buffers.x,
            flags: input.buffers.flags,
            scalars: input.buffers.scalars,
        }
    }

    /// Correction and residual, partial sums, and the index of the first one of r . z.
    pub(super) fn sums(&self) -> (BufferId, BufferId, u32) {
        (self.er, self.partials, (self.rr + self.groups) as u32)
    }

    fn params(&self, partial_count: usize) -> SolveParams {
        let none = u32::MAX;
        SolveParams {
            row_count: self.rows as u32,
            group_count: self.groups as u32,
            partial_count: partial_count as u32,
            rr: self.rr as u32,
            rz: (self.rr + self.groups) as u32,
            r: self.start.r,
            z: if self.start.begins { self.start.z } else { none },
            d: self.start.d.unwrap_or(none),
            ..SolveParams::default()
        }
    }

    /// Workgroups share the rows.
    fn over_rows(
        &self,
        program: &Program,
        name: &str,
        (params, bindings): (&SolveParams, &[BufferId]),
    ) -> Command {
        let sizes = Sizes { rows: self.rows as u64, ..Sizes::default() };
        let invocations = self.rows.min(self.groups * WORKGROUP_SIZE as usize);
        program.call(name, params, bindings, (invocations, sizes))
    }

    /// Partial sums of the caller's residual.
    fn residual_sums(&self) -> usize {
        self.rows.div_ceil(WORKGROUP_SIZE as usize)
    }

    pub(super) fn scale(&self, program: &Program) -> Vec<Command> {
        let bindings = [self.residual_partials, self.scalars];
        let count = self.residual_sums();
        vec![one_group(program, "solve_scale", (&self.params(count), count), &bindings)]
    }

    pub(super) fn begin(&self, program: &Program) -> Vec<Command> {
        let reduction = if self.multigrid { REDUCTION_MULTIGRID } else { REDUCTION_JACOBI };
        let count = self.residual_sums();
        let partial_count = count as u32;
        let params = ToleranceParams { partial_count, reduction, furthest: FURTHEST, padding: 0 };
        let bindings = [self.residual_partials, self.flags, self.scalars];
        let decide = one_group(program, "solve_begin", (&params, count), &bindings);
        let Start { vectors, coefficients, .. } = self.start;
        let Self { flags, residual, diagonal, er, partials, .. } = *self;
        let bindings = [flags, residual, diagonal, coefficients, er, vectors, partials];
        vec![decide, self.over_rows(program, "cg_start", (&self.params(0), &bindings))]
    }

    /// From the end of the preconditioner to the start of the next.
    pub(super) fn iterate(&self, program: &Program, matrix: &Matrix) -> Vec<Command> {
        let Self { flags, scalars, partials, pap, er, diagonal, .. } = *self;
        let Start { vectors, coefficients, z, sums, .. } = self.start;
        let mut commands = Vec::new();
        if sums.is_none() {
            let params = SolveParams { z, ..self.params(0) };
            let bindings = [flags, er, vectors, partials];
            commands.push(self.over_rows(program, "cg_rz", (&params, &bindings)));
        }
        let params = SolveParams { z, ..self.params(sums.unwrap_or(self.groups)) };
        let bindings = [partials, vectors, flags, scalars, pap];
        commands.push(self.over_rows(program, "cg_direction", (&params, &bindings)));
        commands.extend(matrix.parts.iter().map(|part| self.product(program, matrix, part)));
        let params = self.params(matrix.group_count());
        let bindings = [pap, diagonal, coefficients, flags, scalars, er, vectors, partials];
        commands.push(self.over_rows(program, "cg_update", (&params, &bindings)));
        commands
    }

    fn product(&self, program: &Program, matrix: &Matrix, part: &Part) -> Command {
        let bindings = [
            self.flags,
            part.structure,
            part.blocks,
            matrix.diagonal,
            self.er,
            self.pap,
            self.partials,
        ];
        program.call("cg_product", &matrix.product_params(part), &bindings, matrix.work(part))
    }

    pub(super) fn finish(&self, program: &Program) -> Vec<Command> {
        let params = RowParams { row_count: self.rows as u32, ..RowParams::default() };
        let bindings = [self.flags, self.er, self.x];
        let sizes = Sizes { rows: self.rows as u64, ..Sizes::default() };
        vec![program.call("add_correction", &params, &bindings, (self.rows, sizes))]
    }
}

/// z = D^-1 r, and nothing else.
fn block_jacobi(program: &mut Program, rows: usize, groups: usize) -> Start {
    Start {
        vectors: program.add_zeros("preconditioned residual", Scalar::Float, 6 * rows),
        r: 0,
        z: 3 * rows as u32,
        d: None,
        begins: true,
        coefficients: program.add_data("coefficient of block-Jacobi", Data::Floats(vec![1.0])),
        sums: Some(groups),
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
