//! One cycle: smooth from zero, restrict the residual, solve on the next level, correct, smooth again.
//! A symmetric positive operator, like that of the CPU.

use sinew_shaders::layout::TEAM;
use sinew_shaders::params::{SmoothParams, TransferParams};
use sinew_shaders::program::{BufferId, Command, Program};

use super::{COEFFICIENTS, Level, Matrix, Multigrid, Part, Transfer, region};

/// Aggregation without smoothing of the prolongator makes the coarse matrix too stiff: its
/// corrections fall short, by about this factor (Braess1995). As on the CPU.
const OVERCORRECTION: f32 = 1.6;

/// No region.
const NONE: u32 = u32::MAX;

/// Regions of one sweep.
#[derive(Clone, Copy)]
struct Sweep {
    v: u32,
    next: u32,
    /// Index of its coefficients among those of the level.
    c_old: u32,
    c_new: u32,
}

/// Coefficients among those of a level.
const FIRST: u32 = 0;
const OLD: u32 = 1;
const NEW: u32 = 2;
const ZERO: u32 = 3;

impl Sweep {
    /// The first step of the polynomial after a correction D, to NEXT.
    const AFTER_CORRECTION: Self =
        Self { v: region::D, next: region::NEXT, c_old: ZERO, c_new: FIRST };
    /// The second after it, back to D.
    const LAST: Self = Self { v: region::NEXT, next: region::D, c_old: OLD, c_new: NEW };
    /// The second of a smoothing from zero, which begins with D, to NEXT.
    const FROM_ZERO: Self = Self { v: region::D, next: region::NEXT, c_old: OLD, c_new: NEW };
}

/// Buffers of conjugate gradients: correction and residual, partial sums, the index of the first one of r . z.
type Sums = (BufferId, BufferId, u32);

/// A program in the making, the finest matrix, and where the sums of the last sweep go.
#[derive(Clone, Copy)]
struct Context<'a> {
    program: &'a Program,
    fine: &'a Matrix,
    sums: Sums,
}

impl Multigrid {
    /// From the right side of the finest level, whose smoothing has begun, to its solution.
    pub(crate) fn cycle(&self, program: &Program, fine: &Matrix, sums: Sums) -> Vec<Command> {
        let mut commands = Vec::new();
        self.visit(Context { program, fine, sums }, 0, &mut commands);
        commands
    }

    /// From the right side of a level, whose smoothing has begun, to the solution in region X.
    ///
    /// A level below the finest is corrected twice in a W-cycle. One smoothing between the two corrections serves both,
    /// for it is symmetric; the residual is kept up to date by the sweeps.
    fn visit(&self, context: Context<'_>, k: usize, commands: &mut Vec<Command>) {
        let level = &self.levels[k];
        let Some(transfer) = &level.transfer else {
            match &self.dense {
                Some(dense) => {
                    let regions = (level.vectors, level.region(region::R), level.region(region::X));
                    let matrix = self.matrix(k, context.fine);
                    commands.push(dense.solve(context.program, matrix, regions));
                }
                None => commands.extend(self.sweep(context, k, Sweep::FROM_ZERO)),
            }
            return;
        };
        commands.extend(self.sweep(context, k, Sweep::FROM_ZERO));
        let visits = if self.twice && k > 0 { 2 } else { 1 };
        for visit in 0..visits {
            let latest = if visit == 0 { region::NEXT } else { region::D };
            commands.extend(self.residual(context, k, latest));
            commands.push(self.restrict(context, (k, transfer)));
            match self.coarsest_of_a_group(context, k + 1) {
                Some(dense) => commands.push(self.prolong(context, (k, transfer), Some(dense))),
                None => {
                    self.visit(context, k + 1, commands);
                    commands.push(self.prolong(context, (k, transfer), None));
                }
            }
            commands.extend(self.sweep(context, k, Sweep::AFTER_CORRECTION));
            commands.extend(match k {
                0 => self.last_sweep(context),
                _ => self.sweep(context, k, Sweep::LAST),
            });
        }
    }

    /// The inverse of a level, if it is the coarsest and a workgroup can compute its whole solution.
    fn coarsest_of_a_group(&self, context: Context<'_>, k: usize) -> Option<(BufferId, usize)> {
        let dense = self.dense.as_ref().filter(|_| k + 1 == self.levels.len())?;
        dense.of_a_group(self.matrix(k, context.fine))
    }

    fn sweep_params(
        &self,
        k: usize,
        sweep: Sweep,
        (matrix, part): (&Matrix, &Part),
    ) -> SmoothParams {
        let (level, place) = (&self.levels[k], COEFFICIENTS * k as u32);
        SmoothParams {
            r_in: level.region(region::R),
            r_out: level.region(region::R),
            v: level.region(sweep.v),
            next: level.region(sweep.next),
            x: level.region(region::X),
            c_old: place + sweep.c_old,
            c_new: place + sweep.c_new,
            ..level.smooth_params(matrix, part)
        }
    }

    fn sweep(&self, context: Context<'_>, k: usize, sweep: Sweep) -> Vec<Command> {
        let (level, matrix) = (&self.levels[k], self.matrix(k, context.fine));
        let call = |(part, &packed): (&Part, &BufferId)| {
            let params = self.sweep_params(k, sweep, (matrix, part));
            let bindings = [
                self.shared.flags,
                part.structure,
                packed,
                matrix.diagonal,
                self.coefficients,
                level.vectors,
            ];
            context.program.call("smooth_sweep", &params, &bindings, level.work(matrix, part))
        };
        matrix.parts.iter().zip(&level.packed).map(call).collect()
    }

    /// The last sweep of the finest level, which leaves partial sums of r . z.
    fn last_sweep(&self, Context { program, fine, sums }: Context<'_>) -> Vec<Command> {
        let (er, partials, rz) = sums;
        let call = |(part, &packed): (&Part, &BufferId)| {
            let params = SmoothParams { rz, ..self.sweep_params(0, Sweep::LAST, (fine, part)) };
            let bindings = [
                self.shared.flags,
                part.structure,
                packed,
                fine.diagonal,
                self.coefficients,
                er,
                self.levels[0].vectors,
                partials,
            ];
            program.call("smooth_last", &params, &bindings, self.levels[0].work(fine, part))
        };
        fine.parts.iter().zip(&self.levels[0].packed).map(call).collect()
    }

    /// The residual after the latest change, in that region.
    fn residual(&self, context: Context<'_>, k: usize, latest: u32) -> Vec<Command> {
        let (level, matrix) = (&self.levels[k], self.matrix(k, context.fine));
        let call = |(part, &packed): (&Part, &BufferId)| {
            let params = SmoothParams {
                r_in: level.region(region::R),
                r_out: level.region(region::R),
                v: level.region(latest),
                ..level.smooth_params(matrix, part)
            };
            let bindings =
                [self.shared.flags, part.structure, packed, matrix.diagonal, level.vectors];
            context.program.call("smooth_residual", &params, &bindings, level.work(matrix, part))
        };
        matrix.parts.iter().zip(&level.packed).map(call).collect()
    }

    fn restrict(&self, context: Context<'_>, (k, transfer): (usize, &Transfer)) -> Command {
        let (level, next) = (&self.levels[k], &self.levels[k + 1]);
        let params = TransferParams {
            r: level.region(region::R),
            coarse_r: next.region(region::R),
            coarse_d: if self.is_smoothed(k + 1) { next.region(region::D) } else { NONE },
            coarse_x: next.region(region::X),
            coefficient: COEFFICIENTS * (k as u32 + 1) + FIRST,
            ..transfer.params(level)
        };
        let bindings = [
            self.shared.flags,
            transfer.maps,
            transfer.modes,
            level.vectors,
            self.matrix(k + 1, context.fine).diagonal,
            self.coefficients,
            next.vectors,
        ];
        let work = transfer.teams(TEAM, level.rows);
        context.program.call("restrict_residual", &params, &bindings, work)
    }

    /// The correction by the next level; with its inverse, its solution too.
    fn prolong(
        &self,
        context: Context<'_>,
        (k, transfer): (usize, &Transfer),
        dense: Option<(BufferId, usize)>,
    ) -> Command {
        let (level, next) = (&self.levels[k], &self.levels[k + 1]);
        let params = TransferParams {
            d: level.region(region::D),
            x: level.region(region::X),
            coarse_r: next.region(region::R),
            coarse_x: next.region(region::X),
            factor: OVERCORRECTION,
            size: dense.map_or(0, |(_, size)| size as u32),
            ..transfer.params(level)
        };
        let Transfer { maps, modes, .. } = *transfer;
        let work = (level.rows, transfer.teams(TEAM, level.rows).1);
        let flags = self.shared.flags;
        match dense {
            None => {
                let bindings = [flags, maps, modes, next.vectors, level.vectors];
                context.program.call("prolong", &params, &bindings, work)
            }
            Some((dense, _)) => {
                let bindings = [flags, maps, modes, dense, next.vectors, level.vectors];
                context.program.call("prolong_dense", &params, &bindings, work)
            }
        }
    }
}

impl Transfer {
    fn params(&self, level: &Level) -> TransferParams {
        TransferParams {
            aggregate_count: self.aggregate_count as u32,
            row_count: level.rows as u32,
            of_row: self.of_row,
            ..TransferParams::default()
        }
    }
}
