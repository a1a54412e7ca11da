//! Many simulations of one model, stepped side by side without the lock of the interpreter.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use sinew::Vec3;
use sinew::model::PointRef;
use sinew::schedule::{
    Batch as Instances, BatchError, Halt, Lasting, ScheduleError, Scheduler, SchedulerSettings,
    SimulationError as Halted,
};
use sinew::solve::SolverSettings;

use crate::control::registered;
use crate::errors::{PathError, PropertyError, Raised, SimulationError, poisoned, raise};
use crate::model::{Edited, Model};
use crate::numbers::{array, numbers_of, table};
use crate::on_device::on_device;
use crate::property_list::PropertyList;
use crate::simulation::{PATIENCE, SavedState, check_outside};
use crate::solver::solver_of;

/// Instances that failed, with their errors.
type Failed = Vec<(usize, String)>;

/// Many simulations of one model.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Batch {
    instances: Mutex<Instances>,
    /// The model at its start.
    model: sinew::model::Model,
    count: usize,
}

impl Batch {
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Instances>> {
        check_outside()?;
        self.instances.lock_py_attached(py).map_err(|_| poisoned())
    }

    /// Works on the instances while other threads of Python run.
    fn detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Instances) -> T + Send,
    ) -> PyResult<T> {
        check_outside()?;
        let done = py.detach(|| self.instances.lock().ok().map(|mut it| work(&mut it)));
        done.ok_or_else(poisoned)
    }

    /// Refuses numbers that are no instance's, or stand twice.
    fn check(&self, numbers: &[usize]) -> PyResult<()> {
        let mut free = vec![true; self.count];
        for &number in numbers {
            let Some(free) = free.get_mut(number) else {
                let what = format!("there is no instance {number}: there are {}", self.count);
                return Err(PyIndexError::new_err(what));
            };
            if !std::mem::replace(free, false) {
                return Err(PyValueError::new_err(format!("instance {number} is named twice")));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Batch {
    /// So many instances of a model at its start; the solver as JSON with the names of model files; on a device, if one is named.
    #[new]
    #[pyo3(signature = (model, count, solver, device=None))]
    fn new(
        py: Python<'_>,
        model: &Model,
        count: usize,
        solver: &str,
        device: Option<&str>,
    ) -> PyResult<Self> {
        let Edited { mut model, told, .. } = model.lock(py)?.clone();
        model.set_code(registered());
        let solver = solver_of(solver, &told.solver.unwrap_or_default())?;
        let steps = SchedulerSettings::with_step(solver.step_length());
        let settings = (solver.settings(SolverSettings::default()), steps);
        let instances = py.detach(|| match device {
            None => raise(Instances::new(&model, count, settings)),
            Some(device) => on_device((&model, count), settings, device),
        })?;
        Ok(Self { instances: Mutex::new(instances), model, count })
    }

    /// Times of the instances [s]: shape (count,).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let times = self.lock(py)?.instances().iter().map(Scheduler::time).collect();
        Ok(array(py, times))
    }

    /// Takes a step of every instance; those that failed.
    fn step(&self, py: Python<'_>) -> PyResult<Failed> {
        let done = self.detached(py, Instances::step)?;
        let failed = |(k, result): (usize, Result<_, ScheduleError>)| {
            result.err().map(|error| (k, error.to_string()))
        };
        Ok(done.into_iter().enumerate().filter_map(failed).collect())
    }

    /// Runs instances for so long [s]; those that failed.
    fn run(&self, py: Python<'_>, duration: f64, numbers: Vec<usize>) -> PyResult<Failed> {
        self.check(&numbers)?;
        let times: Vec<f64> = self.lock(py)?.instances().iter().map(Scheduler::time).collect();
        let (mut open, mut failed) = (numbers, Failed::new());
        while !open.is_empty() {
            let begun = Instant::now();
            let run = |place: usize, it: &mut Scheduler| {
                let end = times[open[place]] + duration;
                it.run_while(end, |_, _| begun.elapsed() < PATIENCE)
            };
            let halts = self.detached(py, |it| it.on(&open, run))?;
            let mut left = Vec::new();
            for (&number, halt) in open.iter().zip(halts) {
                match halt {
                    Ok(Halt::Paused) => left.push(number),
                    Ok(Halt::Reached | Halt::Breakpoint) => {}
                    Err(error) => failed.push((number, error.to_string())),
                }
            }
            open = left;
            py.check_signals()?;
        }
        failed.sort_by_key(|it| it.0);
        Ok(failed)
    }

    /// Takes instances back to the start.
    fn reset(&self, py: Python<'_>, numbers: Vec<usize>) -> PyResult<()> {
        self.check(&numbers)?;
        raise(self.detached(py, |it| it.reset(&numbers))?)
    }

    fn property_list(&self, paths: Vec<String>) -> PyResult<PropertyList> {
        PropertyList::of(&self.model, &paths)
    }

    /// Numbers of properties of all instances: shape (count, size).
    fn read<'py>(
        &self,
        py: Python<'py>,
        list: &PropertyList,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = raise(self.detached(py, |it| it.read(list.properties()))?)?;
        table(py, numbers, list.width())
    }

    /// Sets properties of instances to numbers of shape (instances, size); where `fed`, going back puts back what was there.
    fn write(
        &self,
        py: Python<'_>,
        list: &PropertyList,
        values: &Bound<'_, PyAny>,
        numbers: Vec<usize>,
        fed: bool,
    ) -> PyResult<()> {
        self.check(&numbers)?;
        let values =
            numbers_of(values).ok_or_else(|| PropertyError::new_err("numbers are expected"))?;
        let (expected, given) = (numbers.len() * list.width(), values.len());
        if expected != given {
            let (count, width) = (numbers.len(), list.width());
            let what = format!("{count} instances of {width} numbers are expected, not {given}");
            return Err(PropertyError::new_err(what));
        }
        let lasting = if fed { Lasting::Fed } else { Lasting::Set };
        let set = (list.properties(), &values[..]);
        raise(self.detached(py, |it| it.write(&numbers, set, lasting))?)
    }

    /// Positions [m] and velocities [m/s] of the nodes of a tissue: shape (count, n, 3) each.
    fn nodes<'py>(&self, py: Python<'py>, path: &str) -> PyResult<[Bound<'py, PyArray3<f64>>; 2]> {
        let found = self.model.fems().find(|(tissue, _)| {
            self.model.find(path).is_ok_and(|at| at.component() == tissue.id())
        });
        let absent = || PathError::new_err(format!("'{path}' is no tissue"));
        let (tissue, fem) = found.ok_or_else(absent)?;
        let count = fem.mesh.nodes.len();
        let read = |_: usize, it: &mut Scheduler| -> PyResult<[Vec<Vec3>; 2]> {
            let simulation = it.simulation_mut();
            let compiled = simulation.compiled();
            let row = |node| compiled.find_row(PointRef::FemNode(tissue, node));
            let rows: Vec<usize> = (0..count as u32).filter_map(row).collect();
            let state = raise(simulation.state())?;
            let of = |list: &[Vec3]| rows.iter().map(|&row| list[row]).collect();
            Ok([of(&state.q), of(&state.u)])
        };
        let all: Vec<usize> = (0..self.count).collect();
        let mut numbers = [Vec::new(), Vec::new()];
        for instance in self.detached(py, |it| it.on(&all, read))? {
            for (into, list) in numbers.iter_mut().zip(instance?) {
                into.extend(list.iter().flatten().copied());
            }
        }
        let [positions, velocities] = numbers;
        let shape = (self.count, count);
        Ok([cube(py, positions, shape)?, cube(py, velocities, shape)?])
    }

    /// States of all instances.
    fn save_states(&self, py: Python<'_>) -> PyResult<Vec<SavedState>> {
        let all: Vec<usize> = (0..self.count).collect();
        let saved = self.detached(py, |it| it.on(&all, |_, instance| instance.save()))?;
        saved.into_iter().map(|state| raise(state).map(SavedState)).collect()
    }

    /// Takes instances to states, one each.
    fn restore_states(
        &self,
        py: Python<'_>,
        states: Vec<PyRef<'_, SavedState>>,
        numbers: Vec<usize>,
    ) -> PyResult<()> {
        self.check(&numbers)?;
        if states.len() != numbers.len() {
            let what = format!("{} states for {} instances", states.len(), numbers.len());
            return Err(PyValueError::new_err(what));
        }
        let states: Vec<_> = states.iter().map(|state| &state.0).collect();
        let restore = |place: usize, it: &mut Scheduler| it.restore(states[place]);
        let done = self.detached(py, |it| it.on(&numbers, restore))?;
        done.into_iter().try_for_each(raise)
    }
}

/// An array of shape (count, n, 3).
fn cube(
    py: Python<'_>,
    numbers: Vec<f64>,
    (count, n): (usize, usize),
) -> PyResult<Bound<'_, PyArray3<f64>>> {
    let shaped = Array3::from_shape_vec((count, n, 3), numbers);
    let shaped = shaped.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(shaped.into_pyarray(py))
}

impl Raised for BatchError {
    fn raised(self) -> PyErr {
        let what = self.to_string();
        match *self.source {
            ScheduleError::Simulation(error) if matches!(*error, Halted::Property(_)) => {
                PropertyError::new_err(what)
            }
            _ => SimulationError::new_err(what),
        }
    }
}
