//! One cycle: smooth from zero, restrict the residual, solve on the next level, correct, smooth again.
//! A symmetric positive operator, like that of the CPU.

use sinew_shaders::layout::TEAM;
use sinew_shaders::program::{Command, Program};
use sinew_shaders::table::{Sizes, SmoothParams, TransferParams};

use super::{COEFFICIENTS, Level, Matrix, Multigrid, Transfer, region};

/// Aggregation without smoothing of the prolongator makes the coarse matrix too stiff: its
/// corrections fall short, by about this factor (Braess1995). As on the CPU.
const OVERCORRECTION: f32 = 1.6;

/// No region.
const NONE: u32 = u32::MAX;

/// Regions of one sweep.
#[derive(Clone, Copy)]
struct Sweep {
    r_in: u32,
    v: u32,
    next: u32,
    x: u32,
    fresh: bool,
    /// Index of its coefficients among those of the level.
    c_old: u32,
    c_new: u32,
}

/// Coefficients among those of a level.
const FIRST: u32 = 0;
const OLD: u32 = 1;
const NEW: u32 = 2;
const ZERO: u32 = 3;

/// A program in the making, and the finest matrix.
#[derive(Clone, Copy)]
struct Context<'a> {
    program: &'a Program,
    fine: &'a Matrix,
}

impl Multigrid {
    /// From the right side of the finest level to its solution.
    pub(crate) fn cycle(&self, program: &Program, fine: &Matrix) -> Vec<Command> {
        let context = Context { program, fine };
        let mut commands = Vec::new();
        if self.is_smoothed(0) {
            commands.push(self.start(context));
        }
        self.visit(context, (0, region::X), &mut commands);
        commands
    }

    /// The finest level's smoothing from zero begins; that of others begins with their right side.
    fn start(&self, Context { program, fine }: Context<'_>) -> Command {
        let level = &self.levels[0];
        let params = SmoothParams {
            matrix_rows: level.rows as u32,
            r_in: level.region(region::R),
            v: level.region(region::D),
            x: level.region(region::X),
            c_new: FIRST,
            ..SmoothParams::default()
        };
        let bindings = [self.shared.flags, fine.diagonal, self.coefficients, level.vectors];
        let work = (level.rows, Sizes { rows: level.rows as u64, ..Sizes::default() });
        program.call("smooth_start", &params, &bindings, work)
    }

    /// From the right side of a level, whose smoothing has begun, to the solution in region `x`.
    fn visit(&self, context: Context<'_>, (k, x): (usize, u32), commands: &mut Vec<Command>) {
        use region::{D, NEXT, R, SAVED, SECOND, X};
        let level = &self.levels[k];
        let sweep = |sweep| self.sweep(context, k, sweep);
        let Some(transfer) = &level.transfer else {
            match &self.dense {
                Some(dense) => {
                    let regions = (level.vectors, level.region(R), level.region(x));
                    let matrix = self.matrix(k, context.fine);
                    commands.push(dense.solve(context.program, matrix, regions));
                }
                None => commands.extend(sweep(Sweep::second(x))),
            }
            return;
        };
        commands.extend(sweep(Sweep::second(x)));
        commands.extend(self.residual(context, k));
        let twice = self.twice && self.is_smoothed(k + 1);
        commands.push(self.restrict(context, (k, transfer), twice));
        self.visit(context, (k + 1, X), commands);
        if twice {
            // The residual of the first solution, and the start of the second from it.
            let again = Sweep {
                r_in: SAVED,
                v: X,
                next: D,
                x: SECOND,
                fresh: true,
                c_old: ZERO,
                c_new: FIRST,
            };
            commands.extend(self.sweep(context, k + 1, again));
            self.visit(context, (k + 1, SECOND), commands);
        }
        commands.push(self.prolong(context, (k, transfer), (x, twice)));
        let first = Sweep { r_in: R, v: D, next: NEXT, x, fresh: false, c_old: ZERO, c_new: FIRST };
        commands.extend(sweep(first));
        commands.extend(sweep(Sweep { v: NEXT, next: D, ..Sweep::second(x) }));
    }

    fn sweep(&self, context: Context<'_>, k: usize, sweep: Sweep) -> Vec<Command> {
        let (level, matrix) = (&self.levels[k], self.matrix(k, context.fine));
        let place = COEFFICIENTS * k as u32;
        let call = |part| {
            let params = SmoothParams {
                r_in: level.region(sweep.r_in),
                r_out: level.region(region::R),
                v: level.region(sweep.v),
                next: level.region(sweep.next),
                x: level.region(sweep.x),
                fresh: sweep.fresh.into(),
                c_old: place + sweep.c_old,
                c_new: place + sweep.c_new,
                ..matrix.smooth_params(part)
            };
            let bindings = [
                self.shared.flags,
                part.structure,
                part.blocks,
                matrix.diagonal,
                self.coefficients,
                level.vectors,
            ];
            context.program.call("smooth_sweep", &params, &bindings, matrix.work(part))
        };
        matrix.parts.iter().map(call).collect()
    }

    /// The residual after the smoothing from zero.
    fn residual(&self, context: Context<'_>, k: usize) -> Vec<Command> {
        let (level, matrix) = (&self.levels[k], self.matrix(k, context.fine));
        let call = |part| {
            let params = SmoothParams {
                r_in: level.region(region::R),
                r_out: level.region(region::R),
                v: level.region(region::NEXT),
                ..matrix.smooth_params(part)
            };
            let bindings =
                [self.shared.flags, part.structure, part.blocks, matrix.diagonal, level.vectors];
            context.program.call("smooth_residual", &params, &bindings, matrix.work(part))
        };
        matrix.parts.iter().map(call).collect()
    }

    fn restrict(
        &self,
        context: Context<'_>,
        (k, transfer): (usize, &Transfer),
        twice: bool,
    ) -> Command {
        let (level, next) = (&self.levels[k], &self.levels[k + 1]);
        let kept = |condition: bool, region: u32| match condition {
            true => next.region(region),
            false => NONE,
        };
        let params = TransferParams {
            r: level.region(region::R),
            coarse_r: next.region(region::R),
            coarse_saved: kept(twice, region::SAVED),
            coarse_d: kept(self.is_smoothed(k + 1), region::D),
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

    fn prolong(
        &self,
        context: Context<'_>,
        (k, transfer): (usize, &Transfer),
        (x, twice): (u32, bool),
    ) -> Command {
        let (level, next) = (&self.levels[k], &self.levels[k + 1]);
        let params = TransferParams {
            d: level.region(region::D),
            x: level.region(x),
            coarse_x: next.region(region::X),
            coarse_second: if twice { next.region(region::SECOND) } else { NONE },
            factor: OVERCORRECTION,
            ..transfer.params(level)
        };
        let bindings =
            [self.shared.flags, transfer.maps, transfer.modes, next.vectors, level.vectors];
        let (_, sizes) = transfer.teams(TEAM, level.rows);
        context.program.call("prolong", &params, &bindings, (level.rows, sizes))
    }
}

impl Sweep {
    /// The second step of the polynomial, from direction D to NEXT.
    fn second(x: u32) -> Self {
        Self {
            r_in: region::R,
            v: region::D,
            next: region::NEXT,
            x,
            fresh: false,
            c_old: OLD,
            c_new: NEW,
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
