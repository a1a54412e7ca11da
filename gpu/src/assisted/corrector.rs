//! Solves the systems of the CPU on a device, as corrections.

use rayon::prelude::*;
use sinew::Vec3;
use sinew::linalg::{BlockMatrix, BlockPattern, Corrector, CorrectorError, Definiteness};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, MechSystem};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{BLOCK, SLICE, WORKGROUP_SIZE, flag, outcome, scalar};
use sinew_shaders::matrix::{Segment, block_place};
use sinew_shaders::program::{BufferId, Command, ListId, Program};
use sinew_shaders::source::Precision;

use crate::executor::Shared;
use crate::forecast::Forecast;
use crate::solve::{Solve, SolveBuffers, SolveInput};
use crate::step::{Options, Rows, takes_multigrid};
use crate::{Executor, Gpu, GpuError, numbers, on_device, on_twins, real_bytes};

/// Lists of commands of a solve.
#[derive(Clone, Copy, Debug)]
struct Lists {
    refresh: ListId,
    begin: ListId,
    iteration: ListId,
    finish: ListId,
}

impl Lists {
    /// Those of a solve from x = 0.
    fn new(program: &mut Program, solve: &Solve, x: BufferId) -> Self {
        let [refresh, iteration, finish] =
            [solve.refresh(program), solve.iteration(program), solve.finish(program)]
                .map(|commands| program.add_list(commands));
        let mut begin = vec![Command::Clear(x)];
        begin.extend(solve.begin(program));
        Self { refresh, begin: program.add_list(begin), iteration, finish }
    }
}

/// The device side of a solver on the CPU.
pub(super) struct DeviceCorrector {
    shared: Shared,
    rows: Rows,
    rest: Vec<Vec3>,
    /// First of the two rows of each body.
    bodies: Vec<u32>,
    /// Factor of the unknowns of each row: turning rows count in the velocities of points as far from the centre as the
    /// body's matrix says [1/m], so that one norm serves all.
    scales: Vec<f64>,
    max_iterations: u32,
    buffers: SolveBuffers,
    /// The blocks of each segment.
    blocks: Vec<StagedBlocks>,
    lists: Lists,
    forecast: Forecast,
    precision: Precision,
}

impl DeviceCorrector {
    pub(super) fn on_device(
        gpu: &Gpu,
        options: &Options,
        system: &CompiledModel,
        settings: &SolverSettings,
    ) -> Result<(Self, Shared), GpuError> {
        Self::new(options, system, settings, |program| on_device(gpu, program))
    }

    pub(super) fn on_twins(
        options: &Options,
        system: &CompiledModel,
        settings: &SolverSettings,
    ) -> Result<(Self, Shared), GpuError> {
        Self::new(options, system, settings, |program| Ok(on_twins(program)))
    }

    fn new(
        options: &Options,
        system: &CompiledModel,
        settings: &SolverSettings,
        make: impl FnOnce(Program) -> Result<Box<dyn Executor>, GpuError>,
    ) -> Result<(Self, Shared), GpuError> {
        let rows = Rows::new(system, options.max_binding)?;
        let mut program = Program::new(options.precision);
        let blocks = rows.add_blocks(&mut program);
        let buffers = add_buffers(&mut program, rows.count());
        let lists = add_solve(&mut program, &rows, (options, system, settings), &blocks, buffers)?;
        let staged =
            |(buffer, segment)| StagedBlocks::new(buffer, segment, &rows, system.pattern());
        let blocks = blocks.into_iter().zip(&rows.segments).map(staged).collect();
        let shared = Shared::new(make(program)?);
        let corrector = Self {
            shared: shared.clone(),
            rest: system.initial_state().q,
            bodies: body_rows(system),
            scales: vec![1.0; rows.count()],
            max_iterations: u32::try_from(settings.cg_max_iterations).unwrap_or(u32::MAX),
            forecast: Forecast::default(),
            precision: options.precision,
            rows,
            buffers,
            blocks,
            lists,
        };
        Ok((corrector, shared))
    }

    /// Takes the scales of the bodies from the diagonal of a matrix.
    fn update_scales(&mut self, matrix: &BlockMatrix) {
        let resistance = |row: usize| matrix.block(matrix.pattern().diagonal(row)).trace();
        for &row in &self.bodies {
            let [center, rotation] = [row as usize, row as usize + 1];
            let scale = (resistance(center) / resistance(rotation)).sqrt();
            self.scales[rotation] = if scale.is_normal() { scale } else { 1.0 };
        }
    }

    /// Row sums G in f64, rounded once, by device row.
    fn row_sums(&self, matrix: &BlockMatrix) -> Vec<f32> {
        let (pattern, scales) = (matrix.pattern(), &self.scales);
        let sum = |&row: &u32| {
            let slots = pattern.row(row as usize);
            let scaled =
                |slot: usize| matrix.block(slot) * scales[pattern.columns()[slot] as usize];
            let sum: sinew::Mat3 = slots.map(scaled).sum::<sinew::Mat3>() * scales[row as usize];
            // Row by row.
            sum.transpose().as_slice().iter().map(|&x| x as f32).collect::<Vec<f32>>()
        };
        self.rows.numbering.model.par_iter().flat_map_iter(sum).collect()
    }

    /// Displacements from rest by device row; the rotation of a body is where its centre is.
    fn displacements(&self, q: &[Vec3]) -> Vec<f64> {
        let mut d: Vec<Vec3> = q.iter().zip(&self.rest).map(|(q, rest)| q - rest).collect();
        for &row in &self.bodies {
            let [center, rotation] = [row as usize, row as usize + 1];
            d[rotation] = d[center];
        }
        self.rows.numbering.model.iter().flat_map(|&row| d[row as usize].data.0[0]).collect()
    }

    fn try_prepare(&mut self, matrix: &BlockMatrix, q: &[Vec3]) -> Result<(), GpuError> {
        self.update_scales(matrix);
        let (sums, d) = (self.row_sums(matrix), self.displacements(q));
        let Self { scales, blocks, buffers, shared, lists, precision, .. } = self;
        blocks.iter_mut().for_each(|blocks| blocks.fill(scales, matrix));
        shared.with(|executor| {
            executor.write(buffers.diagonal, 0, bytemuck::cast_slice(&sums));
            executor.write(buffers.displacement, 0, &real_bytes(&d, *precision));
            for StagedBlocks { buffer, staged, .. } in blocks {
                executor.write(*buffer, 0, bytemuck::cast_slice(staged));
            }
            executor.submit(&[(lists.refresh, 1)])
        })
    }

    /// The flags after the solve, and the scalars of e in the order of the device.
    fn try_correct(&mut self, r: &[f64], tolerance: f64) -> Result<(Vec<u32>, Vec<f64>), GpuError> {
        let Self { buffers, shared, lists, precision, forecast, .. } = self;
        let mut flags = [0_u32; flag::COUNT as usize];
        flags[flag::DONE as usize] = 1;
        flags[flag::MAX_ITERATIONS as usize] = self.max_iterations;
        let mut scalars = [0.0; scalar::COUNT as usize];
        (scalars[scalar::SCALE as usize], scalars[scalar::TOLERANCE as usize]) = (1.0, tolerance);
        // The residual has norm 1: its square is that of the first partial sum.
        let mut partials = vec![0.0; r.len().div_ceil(3 * WORKGROUP_SIZE as usize)];
        partials[0] = 1.0;
        // One round of iterations: a tolerance of a correction is within what the matrix in f32 allows.
        let mut expected = forecast.batches().next().unwrap_or(forecast.more(0));
        let result = shared.with(|executor| {
            executor.write(buffers.flags, 0, bytemuck::cast_slice(&flags));
            for (id, values) in [
                (buffers.scalars, &scalars[..]),
                (buffers.partials, &partials),
                (buffers.residual, r),
            ] {
                executor.write(id, 0, &real_bytes(values, *precision));
            }
            executor.submit(&[(lists.begin, 1)])?;
            loop {
                executor.submit(&[(lists.iteration, expected), (lists.finish, 1)])?;
                let ticket = executor.start_read(&[buffers.flags, buffers.x])?;
                let read = executor.finish_read(ticket)?;
                let flags: Vec<u32> =
                    read[0].as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
                if flags[flag::DONE as usize] == 1 {
                    return Ok((flags, numbers(&read[1], Scalar::Real, *precision)));
                }
                expected = forecast.more(flags[flag::ITERATIONS as usize]);
            }
        })?;
        forecast.learn(&result.0);
        Ok(result)
    }
}

impl Corrector for DeviceCorrector {
    fn prepare(
        &mut self,
        matrix: &BlockMatrix,
        q: &[Vec3],
    ) -> Result<Definiteness, CorrectorError> {
        self.try_prepare(matrix, q).map_err(|e| CorrectorError::Device(e.to_string()))?;
        // Whether it is shows in the iterations.
        Ok(Definiteness::Positive)
    }

    fn correct(&mut self, r: &[Vec3], e: &mut [Vec3], share: f64) -> Result<usize, CorrectorError> {
        let scales = &self.scales;
        let scaled = |(r, scale): (&Vec3, &f64)| (r * *scale).norm_squared();
        let size = r.iter().zip(scales).map(scaled).sum::<f64>().sqrt();
        let scaled = |&row: &u32| (r[row as usize] * (scales[row as usize] / size)).data.0[0];
        let r: Vec<f64> = self.rows.numbering.model.iter().flat_map(scaled).collect();
        let solved = self.try_correct(&r, share);
        let (flags, x) = solved.map_err(|e| CorrectorError::Device(e.to_string()))?;
        if flags[flag::OUTCOME as usize] == outcome::INDEFINITE {
            let detail = "conjugate gradients met a direction of negative curvature";
            return Err(CorrectorError::Indefinite(detail.to_owned()));
        }
        for (k, &row) in self.rows.numbering.model.iter().enumerate() {
            e[row as usize] = Vec3::new(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
            e[row as usize] *= size * self.scales[row as usize];
        }
        Ok(flags[flag::ITERATIONS as usize] as usize)
    }
}

/// Adds the solve of the rows of a system, and the lists of its commands.
fn add_solve(
    program: &mut Program,
    rows: &Rows,
    (options, system, settings): (&Options, &CompiledModel, &SolverSettings),
    blocks: &[BufferId],
    buffers: SolveBuffers,
) -> Result<Lists, GpuError> {
    let input = SolveInput {
        segments: &rows.segments,
        blocks,
        neighbours: &|row| rows.neighbours.of(row),
        fixed: &|row| rows.fixed[row],
        bodies: &rows.bodies,
        rest: &rows.rest_positions(system),
        buffers,
        half_blocks: true,
        multigrid: takes_multigrid(settings.preconditioner, system),
        coarsest_dofs: options.coarsest_dofs,
        cycle: options.cycle,
    };
    let solve = Solve::new(program, &input)?;
    Ok(Lists::new(program, &solve, buffers.x))
}

fn add_buffers(program: &mut Program, rows: usize) -> SolveBuffers {
    let mut vector = |name: &str| program.add_zeros(name, Scalar::Real, 3 * rows);
    let (displacement, residual, x) =
        (vector("displacement"), vector("residual"), vector("correction of the CPU"));
    let groups = rows.div_ceil(WORKGROUP_SIZE as usize).max(1);
    SolveBuffers {
        displacement,
        residual,
        x,
        diagonal: program.add_zeros("diagonal", Scalar::Float, 18 * rows),
        partials: program.add_zeros("partial sums", Scalar::Real, groups),
        flags: program.add_zeros("flags", Scalar::Word, flag::COUNT as usize),
        scalars: program.add_zeros("scalars", Scalar::Real, scalar::COUNT as usize),
    }
}

/// First of the two rows of each body.
fn body_rows(system: &CompiledModel) -> Vec<u32> {
    let bodies = system.multibody().map_or(&[][..], |multibody| &multibody.bodies);
    bodies.iter().map(|body| body.row).collect()
}

/// Blocks of a segment, as the CPU has them and as they are staged.
struct StagedBlocks {
    buffer: BufferId,
    /// Source of every entry; none for padding.
    sources: Vec<Option<Source>>,
    staged: Vec<f32>,
}

/// Place of a block in the matrix of the CPU, with its row and column there.
#[derive(Clone, Copy)]
struct Source {
    slot: u32,
    row: u32,
    column: u32,
}

impl StagedBlocks {
    fn new(buffer: BufferId, segment: &Segment, rows: &Rows, pattern: &BlockPattern) -> Self {
        let mut sources = vec![None; segment.entry_count()];
        for device_row in segment.first_row..segment.first_row + segment.row_count {
            let row = rows.numbering.model[device_row];
            for (k, &column) in rows.neighbours.of(device_row).iter().enumerate() {
                let column = rows.numbering.model[column as usize];
                let source = |slot| Source { slot, row, column };
                sources[segment.entry(device_row, k)] = pattern.slot(row, column).map(source);
            }
        }
        Self { buffer, sources, staged: vec![0.0; segment.block_scalars()] }
    }

    /// Takes the blocks of a matrix, scaled from both sides and rounded.
    fn fill(&mut self, scales: &[f64], matrix: &BlockMatrix) {
        let width = SLICE as usize;
        let columns = self.staged.par_chunks_mut(BLOCK as usize * width);
        columns.zip(self.sources.par_chunks(width)).for_each(|(staged, sources)| {
            for (lane, source) in sources.iter().enumerate() {
                let Some(Source { slot, row, column }) = *source else { continue };
                let scale = scales[row as usize] * scales[column as usize];
                let block = matrix.block(slot as usize) * scale;
                for component in 0..BLOCK as usize {
                    let value = block[(component / 3, component % 3)] as f32;
                    staged[block_place(lane, component)] = value;
                }
            }
        });
    }
}
