//! The buffers of a step and the lists of its commands, around those of elements and solve.

use sinew::system::CompiledModel;
use sinew_shaders::kernel::{Scalar, Sizes};
use sinew_shaders::layout::{WORKGROUP_SIZE, flag, place, scalar, status};
use sinew_shaders::params::{StepParams, SupportParams};
use sinew_shaders::program::{BufferId, Command, Data, Program};

use super::border::Border;
use super::factors::{Factors, Rule};
use super::loads::Loads;
use super::numbering::Rows;
use super::plan::{Buffers, Lists, Options, SolveLists};
use crate::GpuError;
use crate::elements::{BUNDLE_FACTORS, ElementInput, Elements, Series, SharedBuffers};
use crate::solve::{Solve, SolveBuffers, SolveInput};

/// Parts that every rule needs: rows, loads, elements, vectors.
pub(super) struct Stage {
    pub(super) row_count: usize,
    pub(super) rows: Rows,
    pub(super) loads: Loads,
    pub(super) factors: Factors,
    pub(super) buffers: Buffers,
    pub(super) border: Option<Border>,
    pub(super) elements: Elements,
    /// Corners at each row, one buffer for each of the nodal buffers.
    corners: Vec<BufferId>,
    blocks: Vec<BufferId>,
    fixed: BufferId,
    /// New velocity.
    x: BufferId,
    residual: BufferId,
    partials: BufferId,
}

impl Stage {
    pub(super) fn new(
        program: &mut Program,
        (options, system): (&Options, &CompiledModel),
        rule: Rule,
    ) -> Result<Self, GpuError> {
        let rows = Rows::new(system, options.max_binding)?;
        let row_count = rows.count();
        let forces = system.device_view().border();
        let loads = Loads::new(program, (system, forces.as_ref()), &rows.numbering);
        let border =
            forces.map(|forces| Border::new(program, (&rows, &forces), rule != Rule::Explicit));
        let buffers = add_buffers(program, system, &loads);
        let blocks = rows.add_blocks(program);
        let shared =
            SharedBuffers { factors: buffers.step, status: buffers.status, blocks: blocks.clone() };
        let elements = add_elements(program, (options, system), &rows, shared);
        let factors = Factors::new(&elements, bundle_count(system), &loads);
        let mut vector = |name: &str| program.add_zeros(name, Scalar::Real, 3 * row_count);
        let (x, residual) = (vector("new velocity"), vector("residual"));
        let groups = row_count.div_ceil(WORKGROUP_SIZE as usize);
        Ok(Self {
            partials: program.add_zeros("partial sums", Scalar::Real, groups),
            fixed: program.add_data("fixed bits", Data::Words(rows.fixed.clone())),
            row_count,
            rows,
            loads,
            factors,
            buffers,
            border,
            corners: add_corners(program, &elements),
            elements,
            blocks,
            x,
            residual,
        })
    }

    /// The lists of symplectic Euler: u1 = u0 + M^-1 (impulse of all forces at the start).
    pub(super) fn explicit(&self, program: &mut Program) -> Lists {
        let Buffers { d, u, .. } = self.buffers;
        let mut begin = self.external_loads(program);
        begin.extend(self.elements.left_stresses(program, self.factors.of_elements()));
        // With x = u the residual is the impulse, drag and damping of the old velocity with it.
        begin.push(Command::Copy { from: u, to: self.x });
        begin.extend(self.residual_of(program, (self.x, u)));
        let bindings = [self.loads.rows, self.residual, u, self.x];
        begin.push(program.call("explicit_velocity", &self.params(), &bindings, self.per_row(0)));
        begin.extend(self.prescribe_velocities(program, d));
        let begin = program.add_list(begin);
        Lists { commit: self.commit(program), begin, solve: None, end: self.end(program) }
    }

    /// The lists of an implicit rule with this weight of the end of the step.
    pub(super) fn implicit(
        &self,
        program: &mut Program,
        (options, system): (&Options, &CompiledModel),
        (end_weight, multigrid): (f64, bool),
    ) -> Result<Lists, GpuError> {
        // The velocity that stiffness acts on: x itself for backward Euler.
        let shifted = (end_weight < 1.0)
            .then(|| program.add_zeros("shifted velocity", Scalar::Real, 3 * self.row_count));
        let fixed_part = program.add_zeros("fixed part", Scalar::Real, 3 * self.row_count);
        let diagonal = program.add_zeros("diagonal", Scalar::Float, 18 * self.row_count);
        let rest = self.rows.rest_positions(system);
        let solve = Solve::new(
            program,
            &SolveInput {
                segments: &self.rows.segments,
                blocks: &self.blocks,
                neighbours: &|row| self.rows.neighbours.of(row),
                fixed: &|row| self.rows.fixed[row],
                bodies: &self.rows.bodies,
                rest: &rest,
                buffers: self.solve_buffers(diagonal),
                multigrid,
                half_blocks: !has_pressures(system),
                coarsest_dofs: options.coarsest_dofs,
                cycle: options.cycle,
            },
        )?;
        let solve = self.solve_lists(program, &solve, (fixed_part, shifted));
        let begin = self.begin_implicit(program, diagonal);
        let begin = program.add_list(begin);
        Ok(Lists {
            commit: self.commit(program),
            begin,
            solve: Some(solve),
            end: self.end(program),
        })
    }

    fn solve_buffers(&self, diagonal: BufferId) -> SolveBuffers {
        let Buffers { d, flags, scalars, .. } = self.buffers;
        SolveBuffers {
            displacement: d,
            diagonal,
            residual: self.residual,
            partials: self.partials,
            x: self.x,
            flags,
            scalars,
        }
    }

    /// Loads, prescribed velocities and the matrix, whose row sums go into `diagonal`.
    fn begin_implicit(&self, program: &Program, diagonal: BufferId) -> Vec<Command> {
        let Buffers { d, u, step, .. } = self.buffers;
        let mut begin = self.external_loads(program);
        begin.push(Command::Copy { from: u, to: self.x });
        begin.extend(self.prescribe_velocities(program, d));
        begin.extend(self.blocks.iter().map(|&b| Command::Clear(b)));
        begin.extend(self.elements.left_stresses(program, self.factors.of_elements()));
        begin.extend(self.elements.stiffness(program, d, self.factors.of_elements()));
        let bindings = [step, self.loads.rows, diagonal];
        begin.push(program.call("row_sums", &self.params(), &bindings, self.per_row(0)));
        let border = self.border.iter();
        begin.extend(border.flat_map(|it| it.matrix(program, &self.blocks, diagonal)));
        begin
    }

    /// The lists of the solve, between which the host looks at its flags.
    fn solve_lists(
        &self,
        program: &mut Program,
        solve: &Solve,
        (fixed_part, shifted): (BufferId, Option<BufferId>),
    ) -> SolveLists {
        let residual = |program: &Program, x| self.residual_at(program, x, shifted);
        // The right side that the free scalars see: the residual with the fixed ones alone.
        let bindings = [self.fixed, self.x, fixed_part];
        let mut start =
            vec![program.call("fixed_part", &self.params(), &bindings, self.per_row(0))];
        start.extend(residual(program, fixed_part));
        start.extend(solve.scale(program));
        start.extend(residual(program, self.x));
        start.extend(solve.begin(program));
        let mut correct = solve.finish(program);
        correct.extend(residual(program, self.x));
        correct.extend(solve.begin(program));
        let (renew, keep) = (solve.refresh(program), solve.refresh_finest(program));
        let iteration = solve.iteration(program);
        SolveLists {
            renew: program.add_list(renew),
            keep: program.add_list(keep),
            start: program.add_list(start),
            iteration: program.add_list(iteration),
            correct: program.add_list(correct),
        }
    }

    /// The residual at the velocity `x`; stiffness acts on `shifted`, where it is not `x` itself.
    fn residual_at(
        &self,
        program: &Program,
        x: BufferId,
        shifted: Option<BufferId>,
    ) -> Vec<Command> {
        let Buffers { u, step, .. } = self.buffers;
        let Some(v) = shifted else { return self.residual_of(program, (x, x)) };
        let bindings = [step, x, u, v];
        let shift = program.call("shift_velocity", &self.params(), &bindings, self.per_row(0));
        std::iter::once(shift).chain(self.residual_of(program, (x, v))).collect()
    }

    fn params(&self) -> StepParams {
        StepParams { row_count: self.row_count as u32, ..StepParams::default() }
    }

    /// One invocation a row.
    fn per_row(&self, items: usize) -> (usize, Sizes) {
        let sizes = Sizes { rows: self.row_count as u64, items: items as u64, ..Sizes::default() };
        (self.row_count, sizes)
    }

    fn external_loads(&self, program: &Program) -> Vec<Command> {
        let count = self.loads.load_schedules.len();
        let params = StepParams {
            field_count: count as u32,
            first_factor: self.factors.first_load(),
            ..self.params()
        };
        let bindings = [self.buffers.step, self.loads.fields, self.loads.rows];
        vec![program.call("external_loads", &params, &bindings, self.per_row(count))]
    }

    fn supports(&self) -> (SupportParams, (usize, Sizes)) {
        let count = self.loads.support_count;
        let params = SupportParams {
            support_count: count as u32,
            first_factor: self.factors.first_support(),
            ..SupportParams::default()
        };
        (params, (count, Sizes { items: count as u64, ..Sizes::default() }))
    }

    /// Fixed scalars of x become the velocities that take them from `d` to their places.
    fn prescribe_velocities(&self, program: &Program, d: BufferId) -> Option<Command> {
        let (params, work) = self.supports();
        let Loads { supports, displacements, .. } = self.loads;
        let bindings = [self.buffers.step, supports, displacements, d, self.buffers.u, self.x];
        (work.0 > 0).then(|| program.call("prescribe_velocities", &params, &bindings, work))
    }

    /// `residual` = what is missing to equilibrium with the new velocity x, where stiffness and damping
    /// of elements act on v.
    fn residual_of(&self, program: &Program, (x, v): (BufferId, BufferId)) -> Vec<Command> {
        let Buffers { d, u, step, .. } = self.buffers;
        let mut commands = self.elements.forces(program, (d, v), self.factors.of_elements());
        if self.corners.is_empty() {
            commands.push(Command::Clear(self.residual));
        }
        for (k, (gather, &corners)) in self.elements.gathers().iter().zip(&self.corners).enumerate()
        {
            let params = StepParams { field_count: u32::from(k > 0), ..self.params() };
            let (invocations, sizes) = self.per_row(0);
            let contributions = gather.corners.corners.len() as u64;
            let work = (invocations, Sizes { contributions, ..sizes });
            let bindings = [corners, gather.nodal, self.residual];
            commands.push(program.call("gather_rows", &params, &bindings, work));
        }
        let border = self.border.iter();
        commands.extend(border.map(|it| it.residual(program, v, self.residual)));
        let bindings = [step, self.fixed, self.loads.rows, u, x, self.residual, self.partials];
        commands.push(program.call("residual_rows", &self.params(), &bindings, self.per_row(0)));
        commands
    }

    /// The end of a step becomes the start of the next one.
    fn commit(&self, program: &mut Program) -> sinew_shaders::program::ListId {
        let Buffers { d, d_next, u, u_next, .. } = self.buffers;
        let mut commands = self.elements.remember(program, d_next, self.factors.of_elements());
        commands.extend([(d_next, d), (u_next, u)].map(|(from, to)| Command::Copy { from, to }));
        program.add_list(commands)
    }

    /// The state at the end, from x.
    fn end(&self, program: &mut Program) -> sinew_shaders::program::ListId {
        let Buffers { d, d_next, u, u_next, step, status, .. } = self.buffers;
        let bindings = [step, d, u, self.x, d_next, u_next, status];
        let mut commands =
            vec![program.call("advance", &self.params(), &bindings, self.per_row(0))];
        let (params, work) = self.supports();
        if work.0 > 0 {
            let bindings = [step, self.loads.supports, self.loads.displacements, d_next];
            commands.push(program.call("prescribe_positions", &params, &bindings, work));
            // Velocities are displacements times rates, as places are times factors.
            let rates = SupportParams { first_factor: self.factors.first_rate(), ..params };
            let bindings = [step, self.loads.supports, self.loads.displacements, u_next];
            commands.push(program.call("prescribe_positions", &rates, &bindings, work));
        }
        commands.extend(self.border.iter().map(|it| it.gather(program, (d_next, u_next))));
        program.add_list(commands)
    }
}

fn add_elements(
    program: &mut Program,
    (options, system): (&Options, &CompiledModel),
    rows: &Rows,
    shared: SharedBuffers,
) -> Elements {
    let input = ElementInput {
        system,
        device_row: &rows.numbering.device,
        segments: &rows.segments,
        max_binding: options.max_binding,
        shared,
    };
    Elements::new(program, &input)
}

/// Adds the corners at each row, one buffer for each of the nodal buffers.
fn add_corners(program: &mut Program, elements: &Elements) -> Vec<BufferId> {
    let corners = elements.gathers().iter().map(|gather| {
        let words = [&gather.corners.offsets[..], &gather.corners.corners].concat();
        program.add_data("corners at rows", Data::Words(words))
    });
    corners.collect()
}

fn has_pressures(system: &CompiledModel) -> bool {
    system.device_view().tissue_batches().any(|batch| batch.pressures.is_some())
}

fn bundle_count(system: &CompiledModel) -> usize {
    system.device_view().muscles().map_or(0, |muscles| muscles.bundle_count())
}

fn add_buffers(program: &mut Program, system: &CompiledModel, loads: &Loads) -> Buffers {
    let n = 3 * system.block_count();
    // No more factors of stiffness than two a batch of tissue, of its law and of its volume, one for all fibres, and one a
    // bundle that stiffens.
    let scales = 2 * system.device_view().tissue_batches().count() + 1 + bundle_count(system);
    let bundles = BUNDLE_FACTORS as usize * bundle_count(system);
    // Of supports factors and rates.
    let schedules = loads.load_schedules.len() + 2 * loads.support_schedules.len();
    let batches = system.device_view().tissue_batches();
    // No more than a series a batch.
    let of_series = |relaxation| Series::of(&relaxation).factor_count();
    let series: usize = batches.filter_map(|batch| batch.relaxation).map(of_series).sum();
    let factors = place::FREE as usize + scales + bundles + series + schedules;
    let mut vector = |name: &str| program.add_zeros(name, Scalar::Real, n);
    let (d, d_next) = (vector("displacement"), vector("displacement at the end"));
    let (u, u_next) = (vector("velocity"), vector("velocity at the end"));
    Buffers {
        d,
        d_next,
        u,
        u_next,
        step: program.add_zeros("factors of the step", Scalar::Real, factors),
        flags: program.add_zeros("flags", Scalar::Word, flag::COUNT as usize),
        scalars: program.add_zeros("scalars", Scalar::Real, scalar::COUNT as usize),
        status: program.add_zeros("status", Scalar::Word, status::COUNT as usize),
    }
}
