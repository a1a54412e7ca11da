//! Many simulations of one model at once: each has a state, properties and a solver of its own, and takes the same steps, bit
//! for bit, as it would alone.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Halt, MakeBackend, ScheduleError, Scheduler, SchedulerSettings, Simulation, SimulationError,
};
use crate::backend::{Backend, Company, CopySystem, CpuBackend};
use crate::model::Model;
use crate::property::{PropertyRef, Value};
use crate::solve::SolverSettings;
use crate::system::StepStats;

/// Simulations of copies of one model, stepped side by side on the threads of the rayon pool that they are called in.
///
/// The compiled model is one for all instances, until other numbers are set in one of them (stiffness, excitations): that
/// instance then has a copy of its own. Positions and velocities are no such numbers.
pub struct Batch {
    instances: Vec<Scheduler>,
    /// Those that wait for each other, where they do.
    company: Option<Arc<dyn Company>>,
}

/// Backends of instances of one model that wait for each other in every step, as those of a device.
pub struct Together {
    /// The backend of each instance, at the start of the model, and what makes it anew for other numbers.
    pub backends: Vec<(Box<dyn Backend>, MakeBackend)>,
    /// The one that they wait by.
    pub company: Arc<dyn Company>,
}

/// An instance that runs in company, until it goes out of scope.
struct Running<'a>(&'a dyn Company, usize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.leave(self.1);
    }
}

/// Error of one of several simulations.
#[derive(Debug, thiserror::Error)]
#[error("instance {instance}: {source}")]
pub struct BatchError {
    /// Number of the instance, from 0.
    pub instance: usize,
    /// Error of its simulation.
    pub source: Box<ScheduleError>,
}

impl BatchError {
    fn of(instance: usize, error: impl Into<ScheduleError>) -> Self {
        Self { instance, source: Box::new(error.into()) }
    }
}

/// Duration of a number that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// Until another is set, as by [`Simulation::set`].
    Set,
    /// Until the instance goes back, which puts back what was there, as by [`Simulation::feed`].
    Fed,
}

impl Batch {
    /// `count` simulations of a model at its start.
    ///
    /// # Errors
    /// As [`Simulation::new`] and [`Scheduler::new`].
    pub fn new(
        model: &Model,
        count: usize,
        (solver, steps): (SolverSettings, SchedulerSettings),
    ) -> Result<Self, ScheduleError> {
        let compiled = Arc::new(model.compile().map_err(SimulationError::from)?);
        let source = Arc::new(model.clone());
        let copy: CopySystem = Arc::new(move || source.compile().ok());
        let instance = |_| -> Result<Scheduler, ScheduleError> {
            let backend = CpuBackend::sharing(compiled.clone(), solver, copy.clone());
            let backend = Box::new(backend.map_err(SimulationError::from)?);
            let make = Simulation::on_cpu(solver);
            let simulation = Simulation::with_parts(model.clone(), backend, make);
            Scheduler::new(simulation, steps)
        };
        let instances = (0..count).into_par_iter().map(instance).collect::<Result<_, _>>()?;
        Ok(Self { instances, company: None })
    }

    /// An instance of a model for each of the backends, which step together; each runs in a thread of its own.
    ///
    /// # Errors
    /// As [`Scheduler::new`].
    pub fn together(
        model: &Model,
        Together { backends, company }: Together,
        steps: SchedulerSettings,
    ) -> Result<Self, ScheduleError> {
        let instance = |(backend, make)| {
            Scheduler::new(Simulation::with_parts(model.clone(), backend, make), steps)
        };
        let instances = backends.into_iter().map(instance).collect::<Result<_, _>>()?;
        Ok(Self { instances, company: Some(company) })
    }

    /// The simulations.
    pub fn instances(&self) -> &[Scheduler] {
        &self.instances
    }

    /// The simulations, to be read, set and stepped one by one.
    pub fn instances_mut(&mut self) -> &mut [Scheduler] {
        &mut self.instances
    }

    /// Works on the instances of these numbers side by side; what comes of each, in the order of the numbers.
    ///
    /// # Panics
    /// Where a number is no instance's, or stands twice.
    pub fn on<T: Send>(
        &mut self,
        numbers: &[usize],
        work: impl Fn(usize, &mut Scheduler) -> T + Sync,
    ) -> Vec<T> {
        let mut free: Vec<Option<&mut Scheduler>> = self.instances.iter_mut().map(Some).collect();
        let chosen = numbers.iter().enumerate().map(|(place, number)| {
            (place, free[*number].take().expect("each instance is named once"))
        });
        let chosen: Vec<_> = chosen.collect();
        match &self.company {
            Some(company) => in_company(&**company, numbers, chosen, work),
            None => {
                let work = |(place, instance)| work(place, instance);
                chosen.into_par_iter().with_max_len(1).map(work).collect()
            }
        }
    }

    fn numbers(&self) -> Vec<usize> {
        (0..self.instances.len()).collect()
    }

    /// Takes a step of every instance; those that fail keep their last good state.
    pub fn step(&mut self) -> Vec<Result<StepStats, ScheduleError>> {
        self.on(&self.numbers(), |_, it| it.step())
    }

    /// Runs every instance for `duration` [s]; those that fail keep their last good state.
    pub fn run(&mut self, duration: f64) -> Vec<Result<Halt, ScheduleError>> {
        self.on(&self.numbers(), |_, it| it.run_until(it.time() + duration))
    }

    /// Takes the instances of these numbers back to the start of their models: what was fed is put back, what was set stays.
    ///
    /// # Errors
    /// [`BatchError`]; other instances are at the start then.
    ///
    /// # Panics
    /// As [`Self::on`].
    pub fn reset(&mut self, numbers: &[usize]) -> Result<(), BatchError> {
        first_error(numbers, self.on(numbers, |_, it| it.reset()))
    }

    /// Numbers of properties of all instances now: those of an instance in a row, one instance after the other.
    ///
    /// # Errors
    /// [`BatchError`] as [`Simulation::get`].
    pub fn read(&mut self, properties: &[PropertyRef]) -> Result<Vec<f64>, BatchError> {
        let read = |it: &mut Scheduler| -> Result<Vec<f64>, SimulationError> {
            let mut numbers = Vec::new();
            for property in properties {
                numbers.extend(it.simulation_mut().get(property)?.numbers());
            }
            Ok(numbers)
        };
        let rows: Vec<_> = self.instances.par_iter_mut().map(read).collect();
        let mut numbers = Vec::new();
        for (instance, row) in rows.into_iter().enumerate() {
            numbers.extend(row.map_err(|error| BatchError::of(instance, error))?);
        }
        Ok(numbers)
    }

    /// Sets numbers of properties of the instances of these numbers, from the next step on: `values` has those of an instance
    /// in a row, one instance after the other.
    ///
    /// # Errors
    /// [`BatchError`] as [`Simulation::set`].
    ///
    /// # Panics
    /// As [`Self::on`]; where there are not as many values.
    pub fn write(
        &mut self,
        numbers: &[usize],
        (properties, values): (&[PropertyRef], &[f64]),
        lasting: Lasting,
    ) -> Result<(), BatchError> {
        let width: usize = properties.iter().map(size_of).sum();
        assert_eq!(values.len(), numbers.len() * width, "values, {width} an instance");
        let write = |place: usize, it: &mut Scheduler| -> Result<(), SimulationError> {
            let mut row = &values[place * width..(place + 1) * width];
            for property in properties {
                let (own, rest) = row.split_at(size_of(property));
                row = rest;
                match lasting {
                    Lasting::Fed => it.simulation_mut().feed(property, own)?,
                    Lasting::Set => {
                        let value = Value::from_numbers(property.info().value_type, own);
                        let unfit = || it.simulation().model().absent(property, UNFIT);
                        let value = value.ok_or_else(unfit)?;
                        it.simulation_mut().set(property, value)?;
                    }
                }
            }
            Ok(())
        };
        first_error(numbers, self.on(numbers, write))
    }
}

/// Works on instances that wait for each other, each in a thread.
fn in_company<T: Send>(
    company: &dyn Company,
    numbers: &[usize],
    chosen: Vec<(usize, &mut Scheduler)>,
    work: impl Fn(usize, &mut Scheduler) -> T + Sync,
) -> Vec<T> {
    company.enter(numbers);
    // All of them leave, whatever ends their threads.
    let running = numbers.iter().map(|&number| Running(company, number));
    let running: Vec<Running<'_>> = running.collect();
    std::thread::scope(|scope| {
        let work = &work;
        let threads = chosen.into_iter().zip(running).map(|((place, instance), running)| {
            scope.spawn(move || {
                let done = work(place, instance);
                drop(running);
                done
            })
        });
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Reason for which numbers are not set.
const UNFIT: &str = "it is not made of these numbers";

/// Count of the numbers of a property.
fn size_of(property: &PropertyRef) -> usize {
    property.info().value_type.numeric_size().unwrap_or(0)
}

fn first_error<E: Into<ScheduleError>>(
    numbers: &[usize],
    results: Vec<Result<(), E>>,
) -> Result<(), BatchError> {
    let named = |(&instance, result): (&usize, Result<(), E>)| {
        result.map_err(|error| BatchError::of(instance, error))
    };
    numbers.iter().zip(results).try_for_each(named)
}
