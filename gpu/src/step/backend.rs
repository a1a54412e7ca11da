//! The backend that keeps the state of a model on a device and steps it there.

use std::sync::Arc;
use std::time::Instant;

use sinew::Vec3;
use sinew::backend::{Backend, Description, KernelTime, Precision};
use sinew::force::{Fault, VelocityTerms};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, State, StepError, StepStats};
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{flag, outcome, scalar, status};
use sinew_shaders::program::{BufferId, Program};
use sinew_shaders::source::Precision as Width;

use super::activity::Activity;
use super::factors::{Drive, Rule};
use super::outcome::Outcome;
use super::plan::{Buffers, Options, Plan};
use super::stresses;
use super::submission::{Dispatches, Solving};
use super::update::Contents;
use crate::{
    Executor, Gpu, GpuError, IterationCounts, ReadTicket, numbers, on_device, on_twins, real_bytes,
};

/// A model whose state stays on a device.
///
/// Between two steps the state crosses the bus only when it is asked for: a step writes some ten
/// numbers and reads some twenty.
pub struct GpuBackend {
    name: String,
    gpu: Option<Gpu>,
    system: Arc<CompiledModel>,
    settings: SolverSettings,
    rule: Rule,
    plan: Plan,
    options: Options,
    /// Contents that the program was last given, once its numbers have changed.
    contents: Option<Contents>,
    executor: Box<dyn Executor>,
    time: f64,
    /// True if the latest state is in the buffers of the end of a step.
    pending: bool,
    solving: Solving,
    activity: Activity,
    /// A read under way.
    read: Option<PendingRead>,
    rest: Vec<Vec3>,
    values: Vec<f64>,
}

/// A state that is being copied.
struct PendingRead {
    ticket: ReadTicket,
    /// Its time [s].
    time: f64,
    /// Its memory, which is on the host.
    memory: Vec<f64>,
}

impl GpuBackend {
    /// Puts a model on a device.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] names the parts of model or settings that the device does not have
    /// yet, [`GpuError::TooLarge`] what does not fit.
    pub fn new(
        gpu: &Gpu,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let options = Options::of_device(gpu);
        let mut backend =
            Self::with_executor(&options, system, settings, |program| on_device(gpu, program))?;
        let adapter = gpu.adapter();
        backend.name = format!("{} ({})", adapter.name, adapter.backend);
        backend.gpu = Some(gpu.clone());
        Ok(backend)
    }

    /// The same on the twins of the kernels: slow, and on every machine.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on_twins(
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        Self::with_executor(options, system, settings, |program| Ok(on_twins(program)))
    }

    fn with_executor(
        options: &Options,
        system: Arc<CompiledModel>,
        settings: SolverSettings,
        make: impl FnOnce(Program) -> Result<Box<dyn Executor>, GpuError>,
    ) -> Result<Self, GpuError> {
        let (plan, program) = Plan::new(options, &system, &settings)?;
        let state = system.initial_state();
        let mut backend = Self {
            name: "twins of the kernels".to_owned(),
            gpu: None,
            rule: plan.rule,
            plan,
            options: *options,
            contents: None,
            executor: make(program)?,
            time: state.time,
            pending: false,
            solving: Solving::new(),
            activity: Activity::of(&state),
            rest: state.q.clone(),
            read: None,
            values: Vec::new(),
            settings,
            system,
        };
        backend.write_vectors(&state);
        let mut scalars = [0.0; scalar::COUNT as usize];
        scalars[scalar::TOLERANCE as usize] = backend.settings.cg_tolerance;
        backend.write_reals(backend.plan.buffers.scalars, &scalars);
        Ok(backend)
    }

    /// Iterations recorded and made since the start.
    pub fn iteration_counts(&self) -> IterationCounts {
        self.solving.forecast.counts()
    }

    /// Times that the preconditioner was made anew since the start.
    pub fn renewals(&self) -> u64 {
        self.solving.renewal.count()
    }

    /// Calls of kernels in each part of a step.
    pub fn dispatches(&self) -> Dispatches {
        Dispatches::of(self.executor.program(), &self.plan.lists)
    }

    fn width(&self) -> Width {
        self.executor.program().precision
    }

    fn write_reals(&mut self, id: BufferId, values: &[f64]) {
        let bytes = real_bytes(values, self.width());
        self.executor.write(id, 0, &bytes);
    }

    /// Copies of several buffers, with one wait.
    fn read_all(&mut self, ids: &[BufferId]) -> Result<Vec<Vec<u8>>, GpuError> {
        let ticket = self.executor.start_read(ids)?;
        self.executor.finish_read(ticket)
    }

    fn write_vectors(&mut self, state: &State) {
        let model = &self.plan.numbering.model;
        let displacement = |row: u32| state.q[row as usize] - self.rest[row as usize];
        let d: Vec<f64> = model.iter().flat_map(|&row| displacement(row).data.0[0]).collect();
        let u: Vec<f64> = model.iter().flat_map(|&row| state.u[row as usize].data.0[0]).collect();
        let Buffers { d: to_d, u: to_u, .. } = self.plan.buffers;
        self.write_reals(to_d, &d);
        self.write_reals(to_u, &u);
        stresses::write(&self.plan.remembered, (&self.system, state), &mut *self.executor);
        self.pending = false;
    }

    /// Takes a step; the outer error is the device's. Where a solve fails with coarse levels of an earlier matrix, it
    /// is made once more with new ones.
    fn try_step(&mut self, h: f64) -> Result<Outcome, GpuError> {
        let renewed = self.solving.renewal.is_due(h);
        let mut outcome = self.attempt(h, renewed)?;
        if !renewed && self.plan.lists.solve.is_some() && !outcome.is_converged() {
            self.solving.renewal.request();
            outcome = self.attempt(h, true)?;
        }
        Ok(outcome)
    }

    /// One attempt at a step, with the preconditioner made anew or not.
    fn attempt(&mut self, h: f64, renew: bool) -> Result<Outcome, GpuError> {
        let buffers = self.plan.buffers;
        let mut values = std::mem::take(&mut self.values);
        let factors = &self.plan.factors;
        let time = (self.time, h);
        let bundles = self.activity.drives(&self.system, (self.rule, time));
        factors.write(self.rule, Drive { time, bundles }, &self.plan.loads, &mut values);
        self.write_reals(buffers.step, &values);
        self.values = values;
        self.executor.write(buffers.status, 0, &[0xff; 4 * status::COUNT as usize]);
        let lists = self.plan.lists;
        let mut runs = std::mem::take(&mut self.solving.runs);
        runs.clear();
        if self.pending {
            runs.push((lists.commit, 1));
            // From here on the buffers of the start hold the state.
            self.pending = false;
        }
        if lists.solve.is_some() {
            let mut flags = [0_u32; flag::COUNT as usize];
            flags[flag::DONE as usize] = 1;
            let most = u32::try_from(self.settings.cg_max_iterations).unwrap_or(u32::MAX);
            flags[flag::MAX_ITERATIONS as usize] = most;
            self.executor.write(buffers.flags, 0, bytemuck::cast_slice(&flags));
        }
        self.solving.push_first(&lists, renew, &mut runs);
        let submitted = self.executor.submit(&runs);
        self.solving.runs = runs;
        submitted?;
        let mut outcome = self.read_outcome()?;
        let Some(solve) = lists.solve else { return Ok(outcome) };
        while outcome.goes_on() {
            let more = self.solving.more(outcome.flags[flag::ITERATIONS as usize]);
            self.executor.submit(&[(solve.iteration, more), (solve.correct, 1), (lists.end, 1)])?;
            outcome = self.read_outcome()?;
        }
        self.solving.learn((h, renew), &outcome.flags);
        Ok(outcome)
    }

    /// Makes the end of an accepted step the start of the next one.
    fn commit(&mut self) -> Result<(), GpuError> {
        self.executor.submit(&[(self.plan.lists.commit, 1)])?;
        self.pending = false;
        Ok(())
    }

    fn read_outcome(&mut self) -> Result<Outcome, GpuError> {
        let Buffers { flags, scalars, status, .. } = self.plan.buffers;
        let read = self.read_all(&[flags, scalars, status])?;
        let scalars = numbers(&read[1], Scalar::Real, self.width());
        let word = |bytes: &[u8], k: usize| {
            let at = bytes.as_chunks::<4>().0.get(k).copied();
            u32::from_le_bytes(at.unwrap_or_default())
        };
        Ok(Outcome {
            flags: std::array::from_fn(|k| word(&read[0], k)),
            scalars: std::array::from_fn(|k| scalars[k]),
            status: std::array::from_fn(|k| word(&read[2], k)),
        })
    }

    /// Error of a step, if it failed.
    fn failure(&mut self, outcome: &Outcome, h: f64) -> Option<StepError> {
        let time = self.time;
        if outcome.status[status::INVERTED as usize] != u32::MAX {
            return Some(self.inversion(h));
        }
        let residual = outcome.scalars[scalar::RESIDUAL as usize]
            / outcome.scalars[scalar::SCALE as usize].max(f64::MIN_POSITIVE);
        let solved = self.plan.lists.solve.is_none()
            || outcome.flags[flag::OUTCOME as usize] == outcome::CONVERGED;
        let row = outcome.status[status::NOT_FINITE as usize];
        if row != u32::MAX && (solved || !residual.is_finite()) {
            let row = self.plan.numbering.model[row as usize] as usize;
            return Some(StepError::NotFinite { point: self.system.describe(row), time });
        }
        if solved {
            return None;
        }
        if outcome.flags[flag::OUTCOME as usize] == outcome::INDEFINITE {
            let detail = "conjugate gradients met a direction of negative curvature".to_owned();
            return Some(StepError::Singular { detail, time });
        }
        Some(StepError::NotConverged {
            method: "conjugate gradients",
            iterations: outcome.flags[flag::ITERATIONS as usize] as usize,
            residual,
            tolerance: self.settings.cg_tolerance,
            time,
        })
    }

    /// The inverted element by name: the CPU looks at the state of the start, where the device met it.
    fn inversion(&mut self, h: f64) -> StepError {
        let time = self.time;
        let mut state = self.system.initial_state();
        if let Err(error) = self.read_state(&mut state) {
            return error;
        }
        let mut forces = vec![Vec3::zeros(); state.q.len()];
        let motion = Motion::at(&state.q, &state.u);
        let terms = VelocityTerms::Excluded;
        match self.system.forces(LoadCase::at(time + h), motion, terms, &mut forces) {
            Err(Fault::Inverted { fem, element, volume_ratio, .. }) => {
                StepError::Inverted { fem, element, volume_ratio, time }
            }
            Err(Fault::Unoriented { fem, element, .. }) => {
                StepError::Unoriented { fem, element, time }
            }
            // On the brink: inverted in the rounding of the device alone.
            Ok(()) => {
                StepError::NotFinite { point: "an element on the brink of inversion".into(), time }
            }
        }
    }

    /// Asks for copies of the state of now.
    fn request_state(&mut self) -> Result<PendingRead, StepError> {
        let Buffers { d, d_next, u, u_next, .. } = self.plan.buffers;
        let mut ids = if self.pending { vec![d_next, u_next] } else { vec![d, u] };
        ids.extend(self.plan.remembered.iter().map(|it| it.buffer));
        let ticket = self.executor.start_read(&ids).map_err(|e| self.device_error(&e))?;
        Ok(PendingRead { ticket, time: self.time, memory: self.activity.memory().to_vec() })
    }

    /// Waits for the copies that were asked for.
    fn fetch_state(&mut self, read: PendingRead, state: &mut State) -> Result<(), StepError> {
        let PendingRead { ticket, time, mut memory } = read;
        let read = self.executor.finish_read(ticket).map_err(|e| self.device_error(&e))?;
        let [d, u] = [0, 1].map(|k| numbers(&read[k], Scalar::Real, self.width()));
        let vector = |v: &[f64], k: usize| Vec3::new(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
        for (k, &row) in self.plan.numbering.model.iter().enumerate() {
            state.q[row as usize] = self.rest[row as usize] + vector(&d, k);
            state.u[row as usize] = vector(&u, k);
        }
        stresses::put(&self.plan.remembered, (&read[2..], self.width()), &mut memory);
        state.time = time;
        state.memory = memory;
        Ok(())
    }

    fn device_error(&self, error: &GpuError) -> StepError {
        StepError::Device { detail: error.to_string(), time: self.time }
    }
}

impl Backend for GpuBackend {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn precision(&self) -> Precision {
        match self.width() {
            Width::Double => Precision::F64,
            Width::Single => Precision::F32,
        }
    }

    fn description(&self) -> Description {
        self.plan.description
    }

    fn system(&self) -> &CompiledModel {
        &self.system
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        let (begun, before) = (Instant::now(), self.executor.traffic());
        let outcome = self.try_step(h).map_err(|e| self.device_error(&e))?;
        if let Some(error) = self.failure(&outcome, h) {
            return Err(error);
        }
        self.pending = true;
        if !self.plan.remembered.is_empty() {
            // With the weights of this step, which the next one overwrites.
            self.commit().map_err(|e| self.device_error(&e))?;
        }
        self.time += h;
        self.activity.advance(&self.system, h, self.time);
        let traffic = self.executor.traffic();
        let mut stats = StepStats {
            matrix_blocks: self.system.pattern().block_count(),
            bytes_up: traffic.0 - before.0,
            bytes_down: traffic.1 - before.1,
            ..StepStats::default()
        };
        stats.phases.solve = begun.elapsed();
        if self.plan.lists.solve.is_some() {
            let scale = outcome.scalars[scalar::SCALE as usize];
            let residual = outcome.scalars[scalar::RESIDUAL as usize];
            stats.linear_solves = 1;
            stats.cg_iterations = outcome.flags[flag::ITERATIONS as usize] as usize;
            stats.corrections =
                (outcome.flags[flag::CORRECTIONS as usize] as usize).saturating_sub(1);
            stats.residual = if scale > 0.0 { residual / scale } else { 0.0 };
        }
        Ok(stats)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        let read = self.request_state()?;
        self.fetch_state(read, state)
    }

    fn start_read(&mut self) -> Result<(), StepError> {
        let read = self.request_state()?;
        if let Some(dropped) = self.read.replace(read) {
            // Its staging buffer goes back.
            self.executor.finish_read(dropped.ticket).map_err(|e| self.device_error(&e))?;
        }
        Ok(())
    }

    fn finish_read(&mut self, state: &mut State) -> Result<bool, StepError> {
        let Some(read) = self.read.take() else { return Ok(false) };
        self.fetch_state(read, state).map(|()| true)
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        assert_eq!([state.q.len(), state.u.len()], [self.rest.len(); 2], "rows");
        self.write_vectors(state);
        self.activity.go_on_from(state);
        self.time = state.time;
        Ok(())
    }

    /// Puts the numbers of the program that changed on the device. False, with the model changed and the program not, where another
    /// program computes the new model.
    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        if self.contents.is_none() {
            let old = Plan::new(&self.options, &self.system, &self.settings);
            self.contents = old.ok().map(|(_, program)| Contents::of(&program));
        }
        let Some(system) = Arc::get_mut(&mut self.system) else { return false };
        change(system);
        let Ok((plan, program)) = Plan::new(&self.options, &self.system, &self.settings) else {
            return false;
        };
        let Some(contents) =
            self.contents.as_mut().filter(|_| program.is_like(self.executor.program()))
        else {
            return false;
        };
        contents.renew(&program, &mut *self.executor);
        self.plan = plan;
        self.solving.renewal.request();
        true
    }

    /// The next step makes its preconditioner anew. The number of iterations that are recorded changes nothing that
    /// they compute.
    fn forget(&mut self) {
        self.solving.renewal.request();
    }

    fn set_profiling(&mut self, on: bool) {
        self.executor.set_profiling(on);
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.executor.kernel_times()
    }

    fn copy_bandwidth(&mut self) -> Option<f64> {
        self.gpu.as_ref()?.copy_bandwidth().ok()
    }
}
