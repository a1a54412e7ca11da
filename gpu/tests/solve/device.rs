//! A system in the format of the device, solved by the twins of the kernels.

use sinew::Vec3;
use sinew_gpu::NoElements;
use sinew_gpu::solve::{Cycle, Solve, SolveBuffers, SolveInput};
use sinew_shaders::cpu::Real;
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{flag, scalar};
use sinew_shaders::machine::Machine;
use sinew_shaders::matrix::{Segment, block_place};
use sinew_shaders::program::{BufferId, Data, ListId, Program};
use sinew_shaders::source::Precision;

use crate::system::System;

/// Rows of a workgroup, and of a partial sum.
const GROUP: usize = 256;

/// Settings of the solution of a system.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) multigrid: bool,
    pub(crate) coarsest_dofs: usize,
    pub(crate) cycle: Cycle,
    pub(crate) segments: usize,
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: u32,
    /// Iterations between two looks at the outcome.
    pub(crate) batch: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multigrid: true,
            coarsest_dofs: 384,
            cycle: Cycle::W,
            segments: 1,
            tolerance: 1e-8,
            max_iterations: 3000,
            batch: 7,
        }
    }
}

/// Report of a solve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) x: Vec<Vec3>,
    pub(crate) outcome: u32,
    pub(crate) iterations: usize,
    pub(crate) corrections: u32,
    /// Residual over right side, as the device has it.
    pub(crate) residual: f64,
}

/// The lists of a solve.
#[derive(Clone, Copy)]
struct Lists {
    refresh: ListId,
    scale: ListId,
    begin: ListId,
    iteration: ListId,
    finish: ListId,
}

impl Lists {
    fn new(program: &mut Program, solve: &Solve) -> Self {
        let lists = [
            solve.refresh(program),
            solve.scale(program),
            solve.begin(program),
            solve.iteration(program),
            solve.finish(program),
        ];
        let [refresh, scale, begin, iteration, finish] = lists.map(|list| program.add_list(list));
        Self { refresh, scale, begin, iteration, finish }
    }
}

/// A program for one system, and its memory.
pub(crate) struct Device<'a, T> {
    pub(crate) machine: Machine<T>,
    system: &'a System,
    settings: Settings,
    lists: Lists,
    pub(crate) buffers: SolveBuffers,
    pub(crate) level_count: usize,
}

impl<'a, T: Real> Device<'a, T> {
    pub(crate) fn new(system: &'a System, settings: Settings) -> Self {
        let precision = if size_of::<T>() == 4 { Precision::Single } else { Precision::Double };
        let mut program = Program::new(precision);
        let rows = system.fixed.len();
        let lists = neighbours(system);
        let bits: Vec<u32> =
            system.fixed.iter().map(|h| (0..3).map(|a| u32::from(h[a]) << a).sum()).collect();
        let share = rows.div_ceil(settings.segments).next_multiple_of(GROUP);
        let segments: Vec<Segment> = (0..rows)
            .step_by(share)
            .map(|first| Segment::new(first, share.min(rows - first), |i| &lists[i], |i| bits[i]))
            .collect();
        let blocks: Vec<BufferId> = segments
            .iter()
            .map(|s| program.add_data("blocks", Data::Floats(blocks(system, &lists, s))))
            .collect();
        let (rest, displacement) = positions(system);
        let buffers = add_buffers(&mut program, system, displacement);
        let bodies: Vec<[u32; 2]> = system.bodies.iter().map(|&row| [row, row + 1]).collect();
        let input = SolveInput {
            segments: &segments,
            blocks: &blocks,
            neighbours: &|row| &lists[row],
            fixed: &|row| bits[row],
            bodies: &bodies,
            rest: &rest,
            buffers,
            half_blocks: true,
            multigrid: settings.multigrid,
            coarsest_dofs: settings.coarsest_dofs,
            cycle: settings.cycle,
        };
        let solve = Solve::new(&mut program, &input).expect("a small system");
        let lists = Lists::new(&mut program, &solve);
        let level_count = solve.level_sizes().len();
        let machine = Machine::new(program);
        Self { machine, system, settings, lists, buffers, level_count }
    }

    /// Calls of kernels in one iteration.
    pub(crate) fn calls_of_an_iteration(&self) -> usize {
        self.machine.program().lists[self.lists.iteration.0 as usize].len()
    }

    fn run(&mut self, list: ListId) {
        self.machine.run(list, &NoElements);
    }

    pub(crate) fn reals(&self, id: BufferId) -> Vec<f64> {
        let values: &[T] = bytemuck::cast_slice(self.machine.bytes(id));
        values.iter().map(|x| x.to_f64()).collect()
    }

    pub(crate) fn words_mut(&mut self, id: BufferId) -> &mut [u32] {
        bytemuck::cast_slice_mut(self.machine.bytes_mut(id))
    }

    fn write(&mut self, id: BufferId, values: impl Iterator<Item = f64>) {
        let into: &mut [T] = bytemuck::cast_slice_mut(self.machine.bytes_mut(id));
        into.iter_mut().zip(values).for_each(|(into, x)| *into = T::of(x));
    }

    /// Puts b - S x, computed in f64 from the matrix before rounding, where the solve reads it.
    fn write_residual(&mut self, b: &[Vec3], x: &[Vec3]) {
        let r = self.system.residual(b, x);
        let sums: Vec<f64> = r.chunks(GROUP).map(|c| c.iter().map(|r| r.dot(r)).sum()).collect();
        self.write(self.buffers.residual, r.iter().flat_map(|r| r.data.0[0]));
        self.write(self.buffers.partials, sums.into_iter());
    }

    pub(crate) fn x(&self) -> Vec<Vec3> {
        self.reals(self.buffers.x).chunks(3).map(|v| Vec3::new(v[0], v[1], v[2])).collect()
    }

    pub(crate) fn refresh(&mut self) {
        self.run(self.lists.refresh);
    }

    /// Solves from zero with b, the preconditioner as it is.
    pub(crate) fn solve(&mut self, b: &[Vec3]) -> Report {
        self.start(b);
        loop {
            if let Some(report) = self.round(b) {
                return report;
            }
        }
    }

    /// Begins a solve from zero.
    pub(crate) fn start(&mut self, b: &[Vec3]) {
        let settings = self.settings;
        let zeros = vec![Vec3::zeros(); b.len()];
        self.write(self.buffers.x, zeros.iter().flat_map(|r| r.data.0[0]));
        let flags = self.words_mut(self.buffers.flags);
        flags[..6].copy_from_slice(&[1, 0, settings.max_iterations, 0, 0, 0]);
        let mut scalars = self.reals(self.buffers.scalars);
        scalars[scalar::TOLERANCE as usize] = settings.tolerance;
        self.write(self.buffers.scalars, scalars.into_iter());
        self.write_residual(b, &zeros);
        self.run(self.lists.scale);
        self.run(self.lists.begin);
    }

    /// Some iterations, and a new residual; the report if the solve has ended.
    pub(crate) fn round(&mut self, b: &[Vec3]) -> Option<Report> {
        (0..self.settings.batch).for_each(|_| self.run(self.lists.iteration));
        self.run(self.lists.finish);
        let x = self.x();
        self.write_residual(b, &x);
        self.run(self.lists.begin);
        let scalars = self.reals(self.buffers.scalars);
        let residual = scalars[scalar::RESIDUAL as usize] / scalars[scalar::SCALE as usize];
        let flags = self.words_mut(self.buffers.flags);
        let at = |place: u32| flags[place as usize];
        (at(flag::OUTCOME) != 0).then(|| Report {
            outcome: at(flag::OUTCOME),
            iterations: at(flag::ITERATIONS) as usize,
            corrections: at(flag::CORRECTIONS),
            residual,
            x,
        })
    }
}

fn add_buffers(program: &mut Program, system: &System, displacement: Vec<f64>) -> SolveBuffers {
    let rows = system.fixed.len();
    let mut vector = |name: &str| program.add_zeros(name, Scalar::Real, 3 * rows);
    let [residual, x] = ["residual", "x"].map(&mut vector);
    SolveBuffers {
        residual,
        x,
        partials: program.add_zeros("partials", Scalar::Real, rows.div_ceil(GROUP)),
        flags: program.add_zeros("flags", Scalar::Word, flag::COUNT as usize),
        scalars: program.add_zeros("scalars", Scalar::Real, scalar::COUNT as usize),
        displacement: program.add_data("displacement", Data::Reals(displacement)),
        diagonal: program.add_data("diagonal", Data::Floats(diagonal(system))),
    }
}

fn neighbours(system: &System) -> Vec<Vec<u32>> {
    let pattern = system.matrix.pattern();
    let row = |i: usize| pattern.columns()[pattern.row(i)].iter().copied();
    (0..pattern.size()).map(|i| row(i).filter(|&c| c != i as u32).collect()).collect()
}

fn blocks(system: &System, lists: &[Vec<u32>], segment: &Segment) -> Vec<f32> {
    let mut values = vec![0.0; segment.block_scalars()];
    for i in segment.first_row..segment.first_row + segment.row_count {
        for (k, &j) in lists[i].iter().enumerate() {
            let slot = system.matrix.pattern().slot(i as u32, j).expect("a neighbour");
            let block = system.matrix.block(slot as usize);
            for c in 0..9 {
                values[block_place(segment.entry(i, k), c)] = block[(c / 3, c % 3)] as f32;
            }
        }
    }
    values
}

/// Row sums, then room for the inverses.
fn diagonal(system: &System) -> Vec<f32> {
    let pattern = system.matrix.pattern();
    let mut values = vec![0.0; 18 * pattern.size()];
    for i in 0..pattern.size() {
        let sum: sinew::Mat3 = pattern.row(i).map(|slot| system.matrix.block(slot)).sum();
        (0..9).for_each(|c| values[9 * i + c] = sum[(c / 3, c % 3)] as f32);
    }
    values
}

/// Positions as rest and displacement, which the preconditioner adds.
fn positions(system: &System) -> (Vec<f32>, Vec<f64>) {
    let all: Vec<f64> = system.positions.iter().flat_map(|p| p.data.0[0]).collect();
    let rest: Vec<f32> = all.iter().map(|&x| (1.25 * x) as f32).collect();
    let displacement = all.iter().zip(&rest).map(|(x, &r)| x - f64::from(r)).collect();
    (rest, displacement)
}
