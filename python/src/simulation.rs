//! Running models: stepped without the lock of the interpreter, read and set between steps.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use sinew::model::PointRef;
use sinew::property::PropertyError as Unfit;
use sinew::schedule::{Halt, Scheduler, Waypoint};
use sinew_model_files::SaveOptions;
use sinew_run_files::attach::{input_probe, record_in_memory};
use sinew_run_files::{MemoryTables, Recordings, follow};

use crate::control::{is_inside, registered};
use crate::errors::{PropertyError, Raised, SimulationError, poisoned, raise};
use crate::model::{Edited, Model, PropertyRow, children, found, of_kind, properties};
use crate::numbers::{array, numbers_of, points};
use crate::probes::{Table, Times, input_spec, output_spec};
use crate::property_list::PropertyList;
use crate::solver::{scheduler_of, solver_of};
use crate::values::{Changes, changes_of, command_of, object_of, value_of};

/// Longest run between two looks at signals such as Ctrl-C.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Everything that the rest of a run depends on.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct SavedState(pub(crate) Waypoint);

#[pymethods]
impl SavedState {
    /// Its time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.0.time()
    }
}

/// A running model.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Simulation {
    scheduler: Mutex<Scheduler>,
    /// Tables of the probes of the model.
    tables: MemoryTables,
    told: SaveOptions,
    /// Another number after everything that may move a point: arrays of before are kept while it stays.
    revision: AtomicU64,
}

impl Simulation {
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Scheduler>> {
        check_outside()?;
        self.scheduler.lock_py_attached(py).map_err(|_| poisoned())
    }

    fn touch(&self) {
        self.revision.fetch_add(1, Ordering::Relaxed);
    }

    /// Works on the scheduler while other threads of Python run.
    fn detached<T: Send, E: Raised + Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Scheduler) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        check_outside()?;
        self.touch();
        let done = py.detach(|| self.scheduler.lock().ok().map(|mut it| work(&mut it)));
        raise(done.ok_or_else(poisoned)?)
    }
}

/// A controller of a model is called while its simulation is stepped, and would wait for itself.
pub(crate) fn check_outside() -> PyResult<()> {
    match is_inside() {
        false => Ok(()),
        true => Err(SimulationError::new_err(
            "a controller of a model is given its input, and reads no simulation: name what it needs in its `input`, \
             or use Simulation.add_controller",
        )),
    }
}

/// Positions and velocities of nodes, and path and number of nodes of each tissue.
type Nodes<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Vec<(String, usize)>);

#[pymethods]
impl Simulation {
    /// A model at its start; the solver as JSON with the names of model files.
    #[new]
    fn new(py: Python<'_>, model: &Model, solver: &str) -> PyResult<Self> {
        let Edited { mut model, mut told, .. } = model.lock(py)?.clone();
        model.set_code(registered());
        let solver = solver_of(solver, &told.solver.unwrap_or_default())?;
        told.solver = Some(solver);
        let mut scheduler = py.detach(|| scheduler_of(model, &solver))?;
        let tables = MemoryTables::default();
        let here = std::path::Path::new(".");
        raise(follow(&mut scheduler, here, Recordings::Memory(tables.clone())))?;
        let (scheduler, revision) = (Mutex::new(scheduler), AtomicU64::new(0));
        Ok(Self { scheduler, tables, told, revision })
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.time())
    }

    /// Steps that led here.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.steps())
    }

    /// Length of a step [s].
    #[getter]
    fn step_length(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.settings().step)
    }

    /// Takes one step.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        self.detached(py, |scheduler| scheduler.step().map(|_| ()))
    }

    /// Takes steps until a time [s], `most` at most; true where it halts: at that time, or at a breakpoint.
    fn run_until(&self, py: Python<'_>, end: f64, most: Option<u64>) -> PyResult<bool> {
        let mut left = most;
        loop {
            let begun = Instant::now();
            let mut go_on = || {
                left = left.map(|count| count.saturating_sub(1));
                left != Some(0) && begun.elapsed() < PATIENCE
            };
            let halt = self.detached(py, |it| it.run_while(end, |_, _| go_on()))?;
            match halt {
                Halt::Reached | Halt::Breakpoint => return Ok(true),
                Halt::Paused if left == Some(0) => return Ok(false),
                Halt::Paused => py.check_signals()?,
            }
        }
    }

    /// Goes back to the start.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.detached(py, Scheduler::reset)
    }

    /// Goes back to the last waypoint at or before a time [s]; the time that came of it.
    fn rewind(&self, py: Python<'_>, time: f64) -> PyResult<f64> {
        self.detached(py, |it| it.rewind(time))
    }

    fn add_waypoint(&self, py: Python<'_>, time: f64, halts: bool) -> PyResult<()> {
        self.detached(py, |it| it.add_waypoint(time, halts))
    }

    fn remove_waypoint(&self, py: Python<'_>, time: f64) -> PyResult<bool> {
        self.detached(py, |it| it.remove_waypoint(time))
    }

    /// Waypoints: (time [s], true if it is a breakpoint, true if it was saved).
    fn waypoints(&self, py: Python<'_>) -> PyResult<Vec<(f64, bool, bool)>> {
        Ok(self.lock(py)?.waypoints().collect())
    }

    fn save_state(&self, py: Python<'_>) -> PyResult<SavedState> {
        self.detached(py, Scheduler::save).map(SavedState)
    }

    fn restore_state(&self, py: Python<'_>, state: &SavedState) -> PyResult<()> {
        self.detached(py, |it| it.restore(&state.0))
    }

    fn find(&self, py: Python<'_>, path: &str) -> PyResult<(String, &'static str)> {
        found(self.lock(py)?.simulation().model(), path)
    }

    fn of_kind(&self, py: Python<'_>, kind: &str) -> PyResult<Vec<String>> {
        of_kind(self.lock(py)?.simulation().model(), kind)
    }

    fn children(&self, py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
        children(self.lock(py)?.simulation().model(), path)
    }

    fn properties(&self, py: Python<'_>, path: &str) -> PyResult<Vec<PropertyRow>> {
        properties(self.lock(py)?.simulation().model(), path)
    }

    /// Does a command between two steps.
    fn apply(&self, py: Python<'_>, command: &Bound<'_, PyAny>) -> PyResult<Changes> {
        let command = command_of(command)?;
        self.detached(py, |it| it.apply(std::slice::from_ref(&command)).map_err(Box::new))
            .map(changes_of)
    }

    /// The value of a property now.
    fn get<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = {
            let mut scheduler = self.lock(py)?;
            let simulation = scheduler.simulation_mut();
            let property = raise(simulation.property(path))?;
            raise(simulation.get(&property))?
        };
        object_of(py, &value)
    }

    /// Sets a property for the next step; `None` lets it be inherited. Where `remembered`, going back to a waypoint
    /// puts back what it was there.
    fn set(
        &self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        remembered: bool,
    ) -> PyResult<()> {
        self.touch();
        let mut scheduler = self.lock(py)?;
        let simulation = scheduler.simulation_mut();
        let property = raise(simulation.property(path))?;
        if value.is_none() {
            return raise(simulation.model_mut().inherit_property(&property));
        }
        let info = property.info();
        let value = value_of(info.value_type, value).ok_or_else(|| {
            let (expected, given) = (info.value_type.name(), value.to_string());
            let property = path.to_owned();
            Unfit::Type { property, expected: expected.to_owned(), given }.raised()
        })?;
        if remembered && info.value_type.numeric_size().is_some() {
            let numbers: Vec<f64> = value.numbers().collect();
            return raise(simulation.feed(&property, &numbers));
        }
        raise(simulation.set(&property, value))
    }

    /// The model as it is now, with what was set; its start is that of the model.
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        let model = self.lock(py)?.simulation().model().clone();
        let history = sinew::model::History::default();
        Ok(Model::of(Edited { model, history, told: self.told.clone() }))
    }

    fn property_list(&self, py: Python<'_>, paths: Vec<String>) -> PyResult<PropertyList> {
        PropertyList::of(self.lock(py)?.simulation().model(), &paths)
    }

    /// Numbers of properties now: shape (size,).
    fn read<'py>(
        &self,
        py: Python<'py>,
        list: &PropertyList,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let numbers = list.read(self.lock(py)?.simulation_mut())?;
        Ok(array(py, numbers))
    }

    /// Sets properties to numbers, as probes do.
    fn write(
        &self,
        py: Python<'_>,
        list: &PropertyList,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let numbers =
            numbers_of(values).ok_or_else(|| PropertyError::new_err("numbers are expected"))?;
        self.touch();
        list.write(self.lock(py)?.simulation_mut(), &numbers)
    }

    /// Another number after everything that may move a node.
    #[getter]
    fn revision(&self) -> u64 {
        self.revision.load(Ordering::Relaxed)
    }

    /// Positions [m] and velocities [m/s] of the nodes of all tissues now, one tissue after the other: shape (n, 3) each;
    /// and path and number of nodes of each tissue.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Nodes<'py>> {
        let mut scheduler = self.lock(py)?;
        let simulation = scheduler.simulation_mut();
        raise(simulation.state())?;
        let model = simulation.model();
        let (mut rows, mut tissues) = (Vec::new(), Vec::new());
        for (tissue, it) in model.fems() {
            let count = it.mesh.nodes.len();
            let compiled = simulation.compiled();
            let known = (0..count as u32)
                .map(|node| compiled.find_row(PointRef::FemNode(tissue, node)))
                .collect::<Option<Vec<_>>>();
            rows.extend(known.ok_or_else(|| {
                let path = model.path(tissue);
                SimulationError::new_err(format!("'{path}' was added since: take a step first"))
            })?);
            tissues.push((model.path(tissue), count));
        }
        let state = raise(simulation.state())?;
        let position = points(py, rows.iter().map(|&row| state.q[row]))?;
        Ok((position, points(py, rows.iter().map(|&row| state.u[row]))?, tissues))
    }

    /// Records properties and formulas from now on.
    fn record(
        &self,
        py: Python<'_>,
        properties: Vec<String>,
        expressions: Vec<(String, String)>,
        times: Times,
    ) -> PyResult<Table> {
        let spec = output_spec(properties, expressions, times);
        raise(record_in_memory(&spec, &mut *self.lock(py)?)).map(Table)
    }

    /// Table of an output probe of the model so far.
    fn recorded(&self, py: Python<'_>, path: &str) -> PyResult<Table> {
        let scheduler = self.lock(py)?;
        let model = scheduler.simulation().model();
        let probe = raise(model.find(path))?.component();
        let none = || {
            let what =
                format!("'{path}' is no output probe that records: add one, and take a step");
            crate::errors::ProbeError::new_err(what)
        };
        self.tables.of(probe).map(Table).ok_or_else(none)
    }

    /// Feeds a table of times [s] and values into properties.
    fn feed(
        &self,
        py: Python<'_>,
        properties: Vec<String>,
        rows: &Bound<'_, PyAny>,
        interpolation: &str,
        extension: &str,
    ) -> PyResult<()> {
        let spec = input_spec(properties, rows, [interpolation, extension])?;
        let mut scheduler = self.lock(py)?;
        let model = scheduler.simulation().model();
        let probe = raise(input_probe(&spec, model, std::path::Path::new(".")))?;
        scheduler.add_input_probe(probe);
        Ok(())
    }

    /// A picture: shape (height, width, 4), red, green, blue and opacity from 0 to 255.
    #[cfg(feature = "render")]
    fn render<'py>(
        &self,
        py: Python<'py>,
        size: [u32; 2],
        camera: &str,
        view: &str,
    ) -> PyResult<Bound<'py, numpy::PyArray3<u8>>> {
        crate::render::render(py, &mut *self.lock(py)?, size, [camera, view])
    }
}
