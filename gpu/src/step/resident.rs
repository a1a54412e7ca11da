//! Instances of a model whose states stay on a device, and their steps there. One step of several instances takes the
//! calls of one; each computes, bit by bit, what it would alone.

use std::sync::Arc;
use std::time::Instant;

use sinew::Vec3;
use sinew::backend::KernelTime;
use sinew::force::VelocityTerms;
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, LoadCase, MechSystem, Motion, StepError, StepStats};
use sinew_shaders::joined::joined;
use sinew_shaders::kernel::Scalar;
use sinew_shaders::layout::{flag, scalar, status};
use sinew_shaders::program::{BufferId, ListId, Program};
use sinew_shaders::source::Precision;

use super::factors::Drive;
use super::instance::Instance;
use super::outcome::Outcome;
use super::plan::{Buffers, Lists, Options, Plan, SolveLists};
use super::submission::Submission;
use super::turning::with_bodies;
use super::update::Contents;
use crate::{Executor, GpuError, numbers, real_bytes};

/// Instances of a model on a device.
///
/// Between two steps a state crosses the bus only when it is asked for: a step writes some ten numbers an instance and
/// reads some twenty.
pub(super) struct Resident {
    pub(super) settings: SolverSettings,
    options: Options,
    pub(super) instances: Vec<Instance>,
    /// Contents that the program was last given by each instance; of one alone known once its numbers have changed.
    contents: Vec<Contents>,
    pub(super) executor: Box<dyn Executor>,
    values: Vec<f64>,
}

/// An instance in a step.
#[derive(Clone, Copy)]
pub(super) struct Stepped {
    pub(super) instance: usize,
    /// True if its preconditioner is made anew.
    renews: bool,
}

pub(super) fn numbers_of<'s>(stepped: impl IntoIterator<Item = &'s Stepped>) -> Vec<u32> {
    stepped.into_iter().map(|it| it.instance as u32).collect()
}

impl Resident {
    /// An instance of each system, at its start.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] names the parts of model or settings that the device does not have yet, or that the systems
    /// are not alike; [`GpuError::TooLarge`] what does not fit.
    pub(super) fn new(
        options: &Options,
        systems: &[Arc<CompiledModel>],
        settings: SolverSettings,
        make: impl FnOnce(Program) -> Result<Box<dyn Executor>, GpuError>,
    ) -> Result<Self, GpuError> {
        let settings = with_bodies(systems, settings);
        let mut instances: Vec<Instance> = Vec::new();
        // Instances of one system have one plan.
        let mut contents = Vec::new();
        let planned = systems.chunk_by(Arc::ptr_eq).map(|same| {
            let (plan, program) = Plan::new(options, &same[0], &settings)?;
            let plan = Arc::new(plan);
            instances.extend(same.iter().map(|it| Instance::new(it.clone(), plan.clone())));
            let known =
                if systems.len() > 1 { Contents::of(&program) } else { Contents::default() };
            contents.extend(same.iter().map(|_| known.clone()));
            Ok((program, same.len()))
        });
        let program = joined(planned)?;
        let alike = || GpuError::Unsupported { parts: vec![UNLIKE.to_owned()] };
        let executor = make(program.ok_or_else(alike)?)?;
        let mut resident =
            Self { settings, options: *options, instances, contents, executor, values: Vec::new() };
        for k in 0..resident.instances.len() {
            let state = resident.instances[k].system.initial_state();
            resident.write_vectors(k, &state);
            let mut scalars = [0.0; scalar::COUNT as usize];
            scalars[scalar::TOLERANCE as usize] = resident.settings.cg_tolerance;
            resident.write_reals(k, resident.instances[k].plan.buffers.scalars, &scalars);
        }
        Ok(resident)
    }

    pub(super) fn width(&self) -> Precision {
        self.executor.program().precision
    }

    /// Writes into the part of an instance in a buffer.
    pub(super) fn write(&mut self, instance: usize, id: BufferId, bytes: &[u8]) {
        let start = instance as u64 * self.executor.program().stride(id);
        self.executor.write(id, start, bytes);
    }

    pub(super) fn write_reals(&mut self, instance: usize, id: BufferId, values: &[f64]) {
        let bytes = real_bytes(values, self.width());
        self.write(instance, id, &bytes);
    }

    /// Takes a step of `h` [s] of these instances, each named once.
    pub(super) fn step(
        &mut self,
        instances: &[usize],
        h: f64,
    ) -> Vec<Result<StepStats, StepError>> {
        let (begun, before) = (Instant::now(), self.executor.traffic());
        let started: Vec<_> = instances.iter().map(|&k| self.begin(k, h)).collect();
        let is_ready = |(&k, started): (&usize, &Result<_, _>)| started.is_ok().then_some(k);
        let ready: Vec<usize> = instances.iter().zip(&started).filter_map(is_ready).collect();
        let outcomes = match self.try_step(&ready, h) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                let lost = |&k: &usize| Err(self.instances[k].device_error(&error));
                return instances.iter().map(lost).collect();
            }
        };
        let mut outcomes = outcomes.iter();
        let mut results: Vec<_> = (instances.iter().zip(started))
            .map(|(&k, started)| {
                started?;
                self.accept(k, outcomes.next().expect("an outcome of each that began"), h)
            })
            .collect();
        self.commit_remembered(instances, &mut results);
        self.take_back_overlaps(instances, &mut results, h);
        self.undo_impacts(instances, &results);
        let (traffic, count) = (self.executor.traffic(), instances.len() as u64);
        for stats in results.iter_mut().flatten() {
            stats.bytes_up = (traffic.0 - before.0) / count;
            stats.bytes_down = (traffic.1 - before.1) / count;
            stats.phases.solve = begun.elapsed() / count as u32;
        }
        results
    }

    /// Begins a step of `h` [s] of an instance, on the rows of its joints and after its impacts.
    fn begin(&mut self, k: usize, h: f64) -> Result<(), StepError> {
        self.instances[k].struck = None;
        self.start_on_rows(k)?;
        self.instances[k].begin(h)?;
        self.spring_back(k, h)
    }

    /// Takes a step, or leaves the state where it was.
    fn accept(&mut self, k: usize, outcome: &Outcome, h: f64) -> Result<StepStats, StepError> {
        let error = match Instance::met_inversion(outcome) {
            true => Some(self.inversion(k, h)),
            false => self.instances[k].failure(outcome, self.settings.cg_tolerance),
        };
        match error {
            Some(error) => Err(error),
            None => {
                self.instances[k].advance(h, outcome);
                Ok(self.instances[k].stats(outcome))
            }
        }
    }

    /// Makes the ends of steps with memory the starts of the next ones, with the weights of this step, which the next one
    /// overwrites.
    fn commit_remembered(
        &mut self,
        instances: &[usize],
        results: &mut [Result<StepStats, StepError>],
    ) {
        let good = instances.iter().zip(&*results).filter(|(_, result)| result.is_ok());
        let good: Vec<u32> = good.map(|(&k, _)| k as u32).collect();
        let Some(&first) = good.first() else { return };
        let plan = &self.instances[first as usize].plan;
        if plan.remembered.is_empty() {
            return;
        }
        let mut submission = Submission::default();
        submission.push(&good, (plan.lists.commit, 1));
        let submitted = submission.submit(&mut *self.executor);
        for (&k, result) in instances.iter().zip(results) {
            match &submitted {
                Ok(()) => self.instances[k].pending &= result.is_err(),
                Err(error) => *result = Err(self.instances[k].device_error(error)),
            }
        }
    }

    /// The error is the device's. Where a solve fails with coarse levels of an earlier matrix, it is made once more with
    /// new ones.
    fn try_step(&mut self, instances: &[usize], h: f64) -> Result<Vec<Outcome>, GpuError> {
        let stepped: Vec<Stepped> = instances
            .iter()
            .map(|&instance| {
                let renews = self.instances[instance].solving.renewal.is_due(h);
                Stepped { instance, renews }
            })
            .collect();
        let mut outcomes = self.attempt(&stepped, h)?;
        let solves = self.lists().solve.is_some();
        let failed =
            |&(at, it): &(usize, &Stepped)| solves && !it.renews && !outcomes[at].is_converged();
        let again: Vec<(usize, Stepped)> = (stepped.iter().enumerate())
            .filter(failed)
            .map(|(at, it)| (at, Stepped { renews: true, ..*it }))
            .collect();
        if !again.is_empty() {
            let stepped: Vec<Stepped> = again.iter().map(|(_, it)| *it).collect();
            for it in &stepped {
                self.instances[it.instance].solving.renewal.request();
            }
            for ((at, _), outcome) in again.iter().zip(self.attempt(&stepped, h)?) {
                outcomes[*at] = outcome;
            }
        }
        Ok(outcomes)
    }

    /// Lists of all instances.
    fn lists(&self) -> Lists {
        self.instances[0].plan.lists
    }

    /// One attempt at a step.
    fn attempt(&mut self, stepped: &[Stepped], h: f64) -> Result<Vec<Outcome>, GpuError> {
        let lists = self.lists();
        for it in stepped {
            self.write_start(it.instance, h);
        }
        self.submission(stepped, lists).submit(&mut *self.executor)?;
        let mut outcomes = self.read_outcomes(stepped)?;
        let Some(solve) = lists.solve else { return Ok(outcomes) };
        self.go_on(stepped, &mut outcomes, (solve, lists.end))?;
        for (it, outcome) in stepped.iter().zip(&outcomes) {
            self.instances[it.instance].solving.learn((h, it.renews), &outcome.flags);
        }
        self.settle_border(stepped, &mut outcomes, (solve, lists.end))?;
        Ok(outcomes)
    }

    /// The numbers of a step, and flags that nothing is known yet.
    fn write_start(&mut self, k: usize, h: f64) {
        let mut values = std::mem::take(&mut self.values);
        let own = &mut self.instances[k];
        let (plan, time) = (own.plan.clone(), (own.time(), h));
        let bundles = own.host.drives(&own.system, (plan.rule, h));
        plan.factors.write(plan.rule, Drive { time, bundles }, &plan.loads, &mut values);
        self.write_reals(k, plan.buffers.step, &values);
        self.values = values;
        self.write_border(k);
        self.write(k, plan.buffers.status, &[0xff; 4 * status::COUNT as usize]);
        if plan.lists.solve.is_some() {
            self.write_flags(k);
        }
        self.write_tolerance(k, self.settings.cg_tolerance);
    }

    /// Flags that a solve has not begun.
    pub(super) fn write_flags(&mut self, k: usize) {
        let mut flags = [0_u32; flag::COUNT as usize];
        flags[flag::DONE as usize] = 1;
        let most = u32::try_from(self.settings.cg_max_iterations).unwrap_or(u32::MAX);
        flags[flag::MAX_ITERATIONS as usize] = most;
        let id = self.instances[k].plan.buffers.flags;
        self.write(k, id, bytemuck::cast_slice(&flags));
    }

    /// The lists from the start of a step to its end, with the iterations that are expected.
    fn submission(&mut self, stepped: &[Stepped], lists: Lists) -> Submission {
        let mut submission = Submission::default();
        let all = numbers_of(stepped);
        let pending = stepped.iter().filter(|it| self.instances[it.instance].pending);
        submission.push(&numbers_of(pending), (lists.commit, 1));
        for it in stepped {
            // From here on the buffers of the start hold the state.
            self.instances[it.instance].pending = false;
        }
        submission.push(&all, (lists.begin, 1));
        if let Some(solve) = lists.solve {
            let renewed = numbers_of(stepped.iter().filter(|it| it.renews));
            let kept = numbers_of(stepped.iter().filter(|it| !it.renews));
            submission.push(&renewed, (solve.renew, 1));
            submission.push(&kept, (solve.keep, 1));
            submission.push(&all, (solve.start, 1));
            for iterations in self.expected_batches(stepped) {
                submission.push(&all, (solve.iteration, iterations));
                submission.push(&all, (solve.correct, 1));
            }
        }
        submission.push(&all, (lists.end, 1));
        submission
    }

    /// Iterations of each round that is expected by one of the instances: the most that any expects.
    fn expected_batches(&mut self, stepped: &[Stepped]) -> Vec<u32> {
        let mut batches: Vec<u32> = Vec::new();
        for it in stepped {
            let forecast = &mut self.instances[it.instance].solving.forecast;
            for (round, iterations) in forecast.batches().enumerate() {
                match batches.get_mut(round) {
                    Some(most) => *most = iterations.max(*most),
                    None => batches.push(iterations),
                }
            }
        }
        for it in stepped {
            let forecast = &mut self.instances[it.instance].solving.forecast;
            batches.iter().for_each(|&iterations| forecast.record(iterations));
        }
        batches
    }

    /// Iterates on where that was not enough.
    pub(super) fn go_on(
        &mut self,
        stepped: &[Stepped],
        outcomes: &mut [Outcome],
        (solve, end): (SolveLists, ListId),
    ) -> Result<(), GpuError> {
        loop {
            let (mut places, mut open, mut most) = (Vec::new(), Vec::new(), 0);
            for (place, (it, outcome)) in stepped.iter().zip(&*outcomes).enumerate() {
                if outcome.goes_on() {
                    let made = outcome.flags[flag::ITERATIONS as usize];
                    most = self.instances[it.instance].solving.more(made).max(most);
                    places.push(place);
                    open.push(*it);
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            let (mut submission, numbers) = (Submission::default(), numbers_of(&open));
            for run in [(solve.iteration, most), (solve.correct, 1), (end, 1)] {
                submission.push(&numbers, run);
            }
            submission.submit(&mut *self.executor)?;
            for (place, outcome) in places.into_iter().zip(self.read_outcomes(&open)?) {
                outcomes[place] = outcome;
            }
        }
    }

    pub(super) fn read_outcomes(&mut self, stepped: &[Stepped]) -> Result<Vec<Outcome>, GpuError> {
        let Plan { buffers: Buffers { flags, scalars, status, .. }, border, .. } =
            &*self.instances[0].plan;
        let (flags, scalars, status, border) = (*flags, *scalars, *status, *border);
        let ids: Vec<BufferId> =
            [flags, scalars, status].into_iter().chain(border.map(|it| it.motion)).collect();
        let ticket = self.executor.start_read(&ids)?;
        let read = self.executor.finish_read(ticket)?;
        let (program, width) = (self.executor.program(), self.width());
        let part = |place: usize, id: BufferId, instance: usize| {
            let start = instance * program.stride(id) as usize;
            &read[place][start..start + program.bytes_of_one(id) as usize]
        };
        let word = |bytes: &[u8], k: usize| {
            let at = bytes.as_chunks::<4>().0.get(k).copied();
            u32::from_le_bytes(at.unwrap_or_default())
        };
        let outcome = |it: &Stepped| {
            let [flags, status] =
                [(0, flags), (2, status)].map(|(place, id)| part(place, id, it.instance));
            let reals = |place, id| numbers(part(place, id, it.instance), Scalar::Real, width);
            let scalars = reals(1, scalars);
            Outcome {
                is_unsettled: false,
                border: border.map_or_else(Vec::new, |border| reals(3, border.motion)),
                flags: std::array::from_fn(|k| word(flags, k)),
                scalars: std::array::from_fn(|k| scalars[k]),
                status: std::array::from_fn(|k| word(status, k)),
            }
        };
        Ok(stepped.iter().map(outcome).collect())
    }

    /// The inverted element by name: the CPU looks at the state of the start, where the device met it.
    fn inversion(&mut self, k: usize, h: f64) -> StepError {
        let system = self.instances[k].system.clone();
        let (time, mut state) = (self.instances[k].time(), system.initial_state());
        if let Err(error) = self.read_state(k, &mut state) {
            return error;
        }
        let mut forces = vec![Vec3::zeros(); state.q.len()];
        let motion = Motion::at(&state.q, &state.u);
        let terms = VelocityTerms::Excluded;
        match system.forces(LoadCase::at(time + h), motion, terms, &mut forces) {
            Err(fault) => StepError::of_fault(fault, time)
                .with_muscle(|fem, element| system.strongest_muscle(fem, element, (&state, h))),
            // On the brink: inverted in the rounding of the device alone.
            Ok(()) => {
                StepError::NotFinite { point: "an element on the brink of inversion".into(), time }
            }
        }
    }

    /// Puts the numbers of the program that changed on the device; excitations are the host's. False, with the model changed and
    /// the program not, where another program computes the new model, or instances share what changed; and where the
    /// system is not this instance's alone.
    pub(super) fn update_system(
        &mut self,
        k: usize,
        change: &mut dyn FnMut(&mut CompiledModel),
    ) -> bool {
        let Self { settings, options, instances, contents, executor, .. } = self;
        let (own, contents) = (&mut instances[k], &mut contents[k]);
        let Some(system) = Arc::get_mut(&mut own.system) else { return false };
        let before = system.device_view().revision();
        change(system);
        if system.device_view().revision() == before {
            return true;
        }
        let Ok((plan, program)) = Plan::new(options, &own.system, settings) else {
            return false;
        };
        let running = executor.program();
        if !program.is_like(running) {
            return false;
        }
        let alone = running.instances == 1;
        let apart: Vec<bool> = running.buffers.iter().map(|it| alone || it.is_apart).collect();
        let may_differ = |id: BufferId| apart[id.0 as usize];
        let renewed = contents.renew(&program, may_differ, |id, bytes| {
            let start = k as u64 * executor.program().stride(id);
            executor.write(id, start, bytes);
        });
        if renewed {
            own.plan = Arc::new(plan);
            own.forget();
        }
        renewed
    }

    /// The next step of an instance makes its preconditioner, and the responses to rows, anew. The number of iterations that are recorded changes nothing
    /// that they compute.
    pub(super) fn forget(&mut self, k: usize) {
        self.instances[k].forget();
    }

    pub(super) fn set_profiling(&mut self, on: bool) {
        self.executor.set_profiling(on);
    }

    pub(super) fn kernel_times(&self) -> Vec<KernelTime> {
        self.executor.kernel_times()
    }
}

/// Reason for which systems are no instances of one model.
const UNLIKE: &str = "instances with other parts than the first, or more than 4,096 of them";
