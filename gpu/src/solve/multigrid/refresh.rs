//! Refresh after a change of the matrix: inverse diagonal blocks, coefficients of the smoothers,
//! prolongators, coarse matrices, the inverse of the coarsest.

use sinew_shaders::kernel::Sizes;
use sinew_shaders::layout::{PAIR_TEAM, TEAM};
use sinew_shaders::params::{
    ChebyshevParams, GalerkinParams, RowParams, SmoothParams, TransferParams,
};
use sinew_shaders::program::{BufferId, Command, Program};

use super::{COEFFICIENTS, Level, Matrix, Multigrid, Part, Transfer, region};

/// Steps of the power method from fixed noise.
const POWER_STEPS: usize = 12;

/// Factor of the estimate of the largest eigenvalue, which comes from below.
const SAFETY: f32 = 1.1;

/// The upper end of the spectrum over the lower end of what is smoothed, as on the CPU.
const RANGE: f32 = 10.0;

impl Multigrid {
    /// Renews everything from the matrix of the finest level.
    pub(crate) fn refresh(&self, program: &Program, fine: &Matrix) -> Vec<Command> {
        let mut commands = Vec::new();
        for (k, level) in self.levels.iter().enumerate() {
            let matrix = self.matrix(k, fine);
            if self.is_smoothed(k) {
                commands.extend(matrix.invert_diagonal(program));
                commands.extend(level.pack(program, matrix));
                commands.extend(self.estimate(program, (k, level), matrix));
            }
            if let Some(transfer) = &level.transfer {
                let above = k.checked_sub(1).and_then(|above| self.levels[above].transfer.as_ref());
                commands.push(self.modes(program, (level, transfer), above));
                let coarse = self.matrix(k + 1, fine);
                commands.extend(transfer.galerkin(program, matrix, coarse));
            }
        }
        if let Some(dense) = &self.dense {
            commands.extend(dense.refresh(program, self.matrix(self.levels.len() - 1, fine)));
        }
        commands
    }

    /// Renews what smooths the finest level alone, but for the bounds of its eigenvalues; all where that is the only one.
    pub(crate) fn refresh_finest(&self, program: &Program, fine: &Matrix) -> Vec<Command> {
        if self.levels.len() == 1 {
            return self.refresh(program, fine);
        }
        let mut commands = fine.invert_diagonal(program);
        commands.extend(self.levels[0].pack(program, fine));
        commands
    }

    /// The largest eigenvalue of D^-1 A, and the coefficients that follow from it.
    fn estimate(
        &self,
        program: &Program,
        (index, level): (usize, &Level),
        matrix: &Matrix,
    ) -> Vec<Command> {
        let [mut v, mut next] = [region::D, region::NEXT].map(|r| level.region(r));
        let rows = level.rows;
        let params = RowParams { row_count: rows as u32, extra_0: v, ..RowParams::default() };
        let work = (rows, Sizes { rows: rows as u64, ..Sizes::default() });
        let mut commands = vec![program.call("noise", &params, &[level.vectors], work)];
        let product = |name: &str, (v, next): (u32, u32), last: BufferId| {
            let call = move |(part, &packed): (&Part, &BufferId)| {
                let params = SmoothParams { v, next, ..level.smooth_params(matrix, part) };
                let mut bindings = vec![part.structure, packed, matrix.diagonal, level.vectors];
                bindings.extend((last != level.vectors).then_some(last));
                program.call(name, &params, &bindings, level.work(matrix, part))
            };
            matrix.parts.iter().zip(&level.packed).map(call).collect::<Vec<_>>()
        };
        for _ in 0..POWER_STEPS {
            commands.extend(product("power_step", (v, next), level.vectors));
            (v, next) = (next, v);
        }
        commands.extend(product("power_quotient", (v, next), self.partials));
        let count = matrix.group_count();
        let params = ChebyshevParams {
            partial_count: count as u32,
            place: COEFFICIENTS * index as u32,
            safety: SAFETY,
            range: RANGE,
        };
        let work = (1, Sizes { items: count as u64, ..Sizes::default() });
        let bindings = [self.partials, self.coefficients];
        commands.push(program.call("chebyshev", &params, &bindings, work));
        commands
    }

    fn modes(
        &self,
        program: &Program,
        (level, transfer): (&Level, &Transfer),
        above: Option<&Transfer>,
    ) -> Command {
        let Transfer { maps, modes, rigid, .. } = *transfer;
        let params = TransferParams {
            aggregate_count: transfer.aggregate_count as u32,
            row_count: level.rows as u32,
            of_row: transfer.of_row,
            ..TransferParams::default()
        };
        let work = transfer.teams(TEAM, level.rows);
        let shared = self.shared;
        match above {
            None => {
                let bindings = [maps, shared.fixed, shared.rest, shared.displacement, modes, rigid];
                program.call("modes_fine", &params, &bindings, work)
            }
            Some(above) => {
                program.call("modes_coarse", &params, &[maps, above.rigid, modes, rigid], work)
            }
        }
    }
}

impl Transfer {
    /// A team of lanes for each aggregate.
    pub(super) fn teams(&self, team: u32, rows: usize) -> (usize, Sizes) {
        let items = 2 * self.aggregate_count as u64;
        let sizes = Sizes { rows: rows as u64, items, ..Sizes::default() };
        (self.aggregate_count * team as usize, sizes)
    }

    /// The coarse matrix.
    fn galerkin(&self, program: &Program, fine: &Matrix, coarse: &Matrix) -> Vec<Command> {
        let Self { maps, modes, rigid, .. } = *self;
        let (blocks, diagonal) = (coarse.parts[0].blocks, coarse.diagonal);
        let mut commands = Vec::new();
        for (k, (part, &(lists, contributions))) in fine.parts.iter().zip(&self.lists).enumerate() {
            let params = GalerkinParams {
                first_row: part.first_row,
                row_count: part.row_count,
                slice_count: part.slice_count,
                shift: fine.shift,
                aggregate_count: self.aggregate_count as u32,
                of_row: self.of_row,
                bases: self.bases,
                pair_count: self.pair_count as u32,
                add: u32::from(k > 0),
                ..GalerkinParams::default()
            };
            let (teams, sizes) = self.teams(TEAM, part.row_count as usize);
            let work = (teams, Sizes { entries: part.entries, ..sizes });
            let bindings =
                [part.structure, part.blocks, fine.diagonal, maps, modes, rigid, diagonal, blocks];
            commands.push(program.call("galerkin_diagonal", &params, &bindings, work));
            let items = self.pair_count as u64;
            let sizes = Sizes { contributions, items, ..Sizes::default() };
            let work = (self.pair_count * PAIR_TEAM as usize, sizes);
            let bindings = [part.structure, part.blocks, lists, modes, blocks];
            commands.push(program.call("galerkin_coupling", &params, &bindings, work));
        }
        commands
    }
}
