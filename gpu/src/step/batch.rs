//! Simulations of one model that step together on a device: backends that wait for each other in every step.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use sinew::backend::{Backend, Company, Description, KernelTime, Precision};
use sinew::schedule::{MakeBackend, Together};
use sinew::solve::SolverSettings;
use sinew::system::{CompiledModel, State, StepError, StepStats};

use super::backend::precision_of;
use super::plan::Options;
use super::resident::Resident;
use crate::{Gpu, GpuError, on_device};

/// Instances of one model on a device.
pub struct GpuBatch {
    gpu: Gpu,
    settings: SolverSettings,
    name: String,
    inner: Mutex<Inner>,
    /// A step was taken, or an instance left.
    turn: Condvar,
}

struct Inner {
    resident: Resident,
    /// Systems that came in place of others since the instances were put on the device.
    replaced: Vec<Option<Replaced>>,
    /// Instances that take part in every step.
    running: Vec<bool>,
    /// Lengths of the steps that instances wait for [s].
    asked: Vec<Option<f64>>,
    done: Vec<Option<Result<StepStats, StepError>>>,
}

/// A system of an instance, and the state that it goes on from.
struct Replaced {
    system: Arc<CompiledModel>,
    state: State,
}

impl GpuBatch {
    /// `count` instances of a system at its start.
    ///
    /// # Errors
    /// As [`crate::GpuBackend::new`], and [`GpuError::Unsupported`] for more than 4,096 instances.
    pub fn new(
        gpu: &Gpu,
        system: &Arc<CompiledModel>,
        count: usize,
        settings: SolverSettings,
    ) -> Result<Self, GpuError> {
        let resident = resident(gpu, &vec![system.clone(); count], settings)?;
        let adapter = gpu.adapter();
        let name = format!("{} ({}), {count} instances", adapter.name, adapter.backend);
        let inner = Inner {
            resident,
            replaced: (0..count).map(|_| None).collect(),
            running: vec![false; count],
            asked: vec![None; count],
            done: (0..count).map(|_| None).collect(),
        };
        Ok(Self {
            gpu: gpu.clone(),
            settings,
            name,
            inner: Mutex::new(inner),
            turn: Condvar::new(),
        })
    }

    /// Takes a step of `h` [s] of all instances; those that fail keep their states.
    pub fn step(&self, h: f64) -> Vec<Result<StepStats, StepError>> {
        let mut inner = self.inner();
        inner.asked.fill(Some(h));
        inner.step_all(self);
        inner.done.iter_mut().map(|done| done.take().expect("all steps were taken")).collect()
    }

    /// Copies the state of an instance into `state`.
    ///
    /// # Errors
    /// [`StepError::Device`] when the device is lost.
    pub fn read_state(&self, instance: usize, state: &mut State) -> Result<(), StepError> {
        self.inner().state(instance, state)
    }

    /// Has an instance go on from `state`.
    ///
    /// # Panics
    /// When `state` is not of the size of the model.
    pub fn write_state(&self, instance: usize, state: &State) {
        let mut inner = self.inner();
        let inner = &mut *inner;
        match &mut inner.replaced[instance] {
            Some(replaced) => replaced.state.clone_from(state),
            None => inner.resident.write_state(instance, state),
        }
    }

    /// Name of the device, with the number of instances.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Precision of forces and residuals.
    pub fn precision(&self) -> Precision {
        precision_of(self.inner().resident.width())
    }

    /// Method for the linear systems.
    pub fn description(&self) -> Description {
        self.inner().resident.instances[0].plan.description
    }

    /// True if time is taken kernel by kernel from here on, for [`Self::kernel_times`].
    pub fn set_profiling(&self, on: bool) {
        self.inner().resident.set_profiling(on);
    }

    /// Sums over all calls of each kernel since the start.
    pub fn kernel_times(&self) -> Vec<KernelTime> {
        self.inner().resident.kernel_times()
    }

    /// The instances, for [`sinew::schedule::Batch::together`].
    pub fn together(self) -> Together {
        let group = Arc::new(self);
        let count = group.inner().running.len();
        let of = |instance| {
            let backend = Box::new(InstanceBackend::new(&group, instance)) as Box<dyn Backend>;
            let group = group.clone();
            let make: MakeBackend = Box::new(move |system| {
                group.replace(instance, system);
                Ok(Box::new(InstanceBackend::new(&group, instance)))
            });
            (backend, make)
        };
        let backends = (0..count).map(of).collect();
        Together { backends, company: group }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A panic elsewhere leaves an instance whose step is not taken.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, instance: usize, system: Arc<CompiledModel>) {
        let state = system.initial_state();
        self.inner().replaced[instance] = Some(Replaced { system, state });
    }

    /// Takes the step of an instance together with those of all that run.
    fn step_with_others(&self, instance: usize, h: f64) -> Result<StepStats, StepError> {
        let mut inner = self.inner();
        inner.asked[instance] = Some(h);
        loop {
            if let Some(done) = inner.done[instance].take() {
                return done;
            }
            if inner.all_wait() {
                inner.step_all(self);
                self.turn.notify_all();
            } else {
                inner = self.turn.wait(inner).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Company for GpuBatch {
    fn enter(&self, instances: &[usize]) {
        let mut inner = self.inner();
        instances.iter().for_each(|&instance| inner.running[instance] = true);
    }

    fn leave(&self, instance: usize) {
        self.inner().running[instance] = false;
        self.turn.notify_all();
    }
}

fn resident(
    gpu: &Gpu,
    systems: &[Arc<CompiledModel>],
    settings: SolverSettings,
) -> Result<Resident, GpuError> {
    let options = Options::of_device(gpu);
    Resident::new(&options, systems, settings, |program| on_device(gpu, program))
}

impl Inner {
    /// True if all instances that run wait for a step.
    fn all_wait(&self) -> bool {
        self.running.iter().zip(&self.asked).all(|(runs, asked)| !runs || asked.is_some())
    }

    /// Takes the steps that are asked for, those of one length at once.
    fn step_all(&mut self, group: &GpuBatch) {
        let mut asked: Vec<(usize, f64)> = (self.asked.iter_mut().enumerate())
            .filter_map(|(instance, h)| h.take().map(|h| (instance, h)))
            .collect();
        if let Err(error) = self.renew(group) {
            for (instance, _) in asked {
                let error = self.resident.instances[instance].device_error(&error);
                self.done[instance] = Some(Err(error));
            }
            return;
        }
        while let Some(&(_, h)) = asked.first() {
            let same = |it: &(usize, f64)| it.1.to_bits() == h.to_bits();
            let now: Vec<usize> = asked.iter().filter(|it| same(it)).map(|it| it.0).collect();
            asked.retain(|it| !same(it));
            for (&instance, result) in now.iter().zip(self.resident.step(&now, h)) {
                self.done[instance] = Some(result);
            }
        }
    }

    /// Puts the instances on the device anew where systems came in place of others.
    fn renew(&mut self, group: &GpuBatch) -> Result<(), GpuError> {
        if self.replaced.iter().all(Option::is_none) {
            return Ok(());
        }
        let systems = self.replaced.iter().zip(&self.resident.instances).map(|(new, old)| {
            new.as_ref().map_or_else(|| old.system.clone(), |new| new.system.clone())
        });
        let systems: Vec<_> = systems.collect();
        let mut resident = resident(&group.gpu, &systems, group.settings)?;
        for (instance, replaced) in self.replaced.iter_mut().enumerate() {
            match replaced.take() {
                Some(replaced) => resident.write_state(instance, &replaced.state),
                None => resident.take_over(&mut self.resident, instance)?,
            }
        }
        self.resident = resident;
        Ok(())
    }

    fn state(&mut self, instance: usize, state: &mut State) -> Result<(), StepError> {
        match &self.replaced[instance] {
            Some(replaced) => {
                state.clone_from(&replaced.state);
                Ok(())
            }
            None => self.resident.read_state(instance, state),
        }
    }
}

/// An instance of a batch.
struct InstanceBackend {
    group: Arc<GpuBatch>,
    instance: usize,
    /// The system of the instance; none only while its numbers change.
    system: Option<Arc<CompiledModel>>,
}

impl InstanceBackend {
    fn new(group: &Arc<GpuBatch>, instance: usize) -> Self {
        let inner = group.inner();
        let own = &inner.resident.instances[instance];
        let replaced = inner.replaced[instance].as_ref();
        let system = replaced.map_or_else(|| own.system.clone(), |it| it.system.clone());
        Self { group: group.clone(), instance, system: Some(system) }
    }
}

impl Backend for InstanceBackend {
    fn name(&self) -> String {
        self.group.name.clone()
    }

    fn precision(&self) -> Precision {
        self.group.precision()
    }

    fn description(&self) -> Description {
        self.group.description()
    }

    fn system(&self) -> &CompiledModel {
        self.system.as_ref().expect("numbers are not changing")
    }

    fn time(&self) -> f64 {
        let inner = self.group.inner();
        match &inner.replaced[self.instance] {
            Some(replaced) => replaced.state.time,
            None => inner.resident.instances[self.instance].time(),
        }
    }

    fn step(&mut self, h: f64) -> Result<StepStats, StepError> {
        self.group.step_with_others(self.instance, h)
    }

    fn read_state(&mut self, state: &mut State) -> Result<(), StepError> {
        self.group.read_state(self.instance, state)
    }

    fn write_state(&mut self, state: &State) -> Result<(), StepError> {
        self.group.write_state(self.instance, state);
        Ok(())
    }

    fn update_system(&mut self, change: &mut dyn FnMut(&mut CompiledModel)) -> bool {
        self.system = None;
        let mut inner = self.group.inner();
        let inner = &mut *inner;
        let instance = self.instance;
        let (system, updated) = match &mut inner.replaced[instance] {
            Some(Replaced { system, .. }) => {
                let updated = Arc::get_mut(system).map(change).is_some();
                (system, updated)
            }
            None => {
                let updated = inner.resident.update_system(instance, change);
                (&mut inner.resident.instances[instance].system, updated)
            }
        };
        self.system = Some(system.clone());
        updated
    }

    fn forget(&mut self) {
        self.group.inner().resident.forget(self.instance);
    }

    fn set_profiling(&mut self, on: bool) {
        self.group.set_profiling(on);
    }

    fn kernel_times(&self) -> Vec<KernelTime> {
        self.group.kernel_times()
    }
}
