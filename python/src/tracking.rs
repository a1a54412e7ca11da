//! Excitations that make a model follow recorded motions: what `sinew.track` is made of.

use std::time::Instant;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use sinew::inverse::{MotionTarget, TrackedExcitation, TrackedStep, TrackingLog};
use sinew::model::Model as Tree;
use sinew::schedule::Scheduler;
use sinew::solve::SolverSettings;
use sinew_model_files::{Inverse, InverseFault, Solver};
use sinew_run_files::{Recording, desired_motion};

use crate::control::registered;
use crate::errors::{PathError, PropertyError, Raised, raise};
use crate::model::Model;
use crate::numbers::{array, table};
use crate::recording::recording_of;
use crate::simulation::PATIENCE;
use crate::solver::{scheduler_of, solver_of};

/// Names of excitations, of columns of desired numbers, of targets, and of columns that were left out.
type Names = [Vec<String>; 4];

/// Tables with a row a step: excitations, desired and reached numbers, distances.
type Tables<'py> = [Bound<'py, PyArray2<f64>>; 4];

/// Names, times [s], tables, and whether each step was out of reach, and missed the targets.
type Followed<'py> = (Names, Bound<'py, PyArray1<f64>>, Tables<'py>, [Vec<bool>; 2]);

/// A search: the run, its targets, and what it writes to.
struct Tracking {
    scheduler: Scheduler,
    targets: Vec<MotionTarget>,
    log: TrackingLog,
    end: f64,
}

impl Tracking {
    /// A search in a model at its start, to the end of the recording, and the names of what it finds.
    fn new(
        mut model: Tree,
        (recording, asked): (Recording, &Inverse),
        solver: &Solver,
    ) -> PyResult<(Self, Names)> {
        model.set_code(registered());
        let desired = raise(desired_motion(recording, &model))?;
        let (mut targets, [_, end]) = (desired.targets, desired.span);
        let following = (&mut targets, Box::new(desired.table) as _);
        let stepped = solver.settings(SolverSettings::default());
        let (controller, excitations) = raise(asked.controller(&model, following, stepped))?;
        let names = names_of(&model, (&targets, &excitations), desired.others)?;
        let (mut scheduler, log) = (scheduler_of(model, solver)?, controller.log());
        scheduler.simulation_mut().add_controller_object("sinew.track", Box::new(controller));
        Ok((Self { scheduler, targets, log, end }, names))
    }

    /// Ends at a time [s] in place of the end of the recording.
    fn end_at(&mut self, end: f64) -> PyResult<()> {
        // A step that is shorter than half of one is none.
        let least = 0.5 * self.scheduler.settings().step;
        if !(end.is_finite() && end > least) {
            let why =
                format!("`time` must be finite and more than half a step, {least} s, got {end}");
            return Err(PropertyError::new_err(why));
        }
        self.end = end;
        Ok(())
    }

    /// Takes steps for a while; true at the end.
    fn run(&mut self, rows: &mut Rows) -> PyResult<bool> {
        let begun = Instant::now();
        let slack = 0.5 * self.scheduler.settings().step;
        while self.scheduler.time() < self.end - slack {
            raise(self.scheduler.step())?;
            let simulation = self.scheduler.simulation_mut();
            if let Some(step) = raise(TrackedStep::latest(simulation, &self.targets, &self.log))? {
                rows.add(&step);
            }
            if begun.elapsed() >= PATIENCE {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Numbers of all steps so far.
#[derive(Default)]
struct Rows {
    times: Vec<f64>,
    tables: [Vec<f64>; 4],
    /// Out of reach, and missed.
    flags: [Vec<bool>; 2],
}

impl Rows {
    fn add(&mut self, step: &TrackedStep) {
        let TrackedStep { record, reached, distances } = step;
        self.times.push(record.time);
        let rows = [&record.excitations, &record.desired, reached, distances];
        self.tables.iter_mut().zip(rows).for_each(|(table, row)| table.extend_from_slice(row));
        let flags = [record.out_of_reach, record.missed];
        self.flags.iter_mut().zip(flags).for_each(|(rows, flag)| rows.push(flag));
    }
}

/// Follows recorded motions, those of the model file where none are given; settings as JSON with the keys of `[inverse]`. Names,
/// times [s], tables, and whether each step was out of reach, and missed the targets.
#[pyfunction]
#[pyo3(signature = (model, targets, settings, solver, end))]
pub(crate) fn track<'py>(
    py: Python<'py>,
    model: &Model,
    targets: Option<&Bound<'py, PyAny>>,
    settings: &str,
    solver: &str,
    end: Option<f64>,
) -> PyResult<Followed<'py>> {
    let edited = model.lock(py)?.clone();
    let asked = asked_for(settings, &edited.told.inverse)?;
    let recording = match (targets, &asked.targets) {
        (Some(targets), _) => recording_of(targets)?,
        (None, Some(file)) => Recording::File(file.clone()),
        (None, None) => {
            let why = "nothing to follow: give targets, or load a model file whose section [inverse] names some";
            return Err(PropertyError::new_err(why));
        }
    };
    let solver = solver_of(solver, &edited.told.solver.unwrap_or_default())?;
    let (mut run, names) =
        py.detach(|| Tracking::new(edited.model, (recording, &asked), &solver))?;
    end.map_or(Ok(()), |end| run.end_at(end))?;
    let mut rows = Rows::default();
    while !py.detach(|| run.run(&mut rows))? {
        py.check_signals()?;
    }
    let Rows { times, tables: [found, wanted, reached, distances], flags } = rows;
    let [excited, columns, followed, _] = names.each_ref().map(Vec::len);
    let made = [
        table(py, found, excited)?,
        table(py, wanted, columns)?,
        table(py, reached, columns)?,
        table(py, distances, followed)?,
    ];
    Ok((names, array(py, times), made, flags))
}

/// Settings from JSON, and those of the model file where it has none.
fn asked_for(settings: &str, base: &Inverse) -> PyResult<Inverse> {
    let asked: Inverse = serde_json::from_str(settings)
        .map_err(|error| PropertyError::new_err(error.to_string()))?;
    let asked = asked.or(base);
    match asked.fault() {
        Some((key, rule)) => Err(PropertyError::new_err(format!("{key} {rule}"))),
        None => Ok(asked),
    }
}

/// Names of everything in the tables.
fn names_of(
    model: &Tree,
    (targets, excitations): (&[MotionTarget], &[TrackedExcitation]),
    others: Vec<String>,
) -> PyResult<Names> {
    let (mut excited, mut columns, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for excitation in excitations {
        excited.push(model.property_path(&raise(excitation.property(model))?));
    }
    for target in targets {
        columns.extend(raise(target.columns(model))?);
        paths.push(target.path(model));
    }
    Ok([excited, columns, paths, others])
}

impl Raised for InverseFault {
    fn raised(self) -> PyErr {
        match self {
            Self::Library(error) => error.raised(),
            other @ (Self::NoTarget { .. } | Self::NoExcitation { .. }) => {
                PathError::new_err(other.to_string())
            }
        }
    }
}
