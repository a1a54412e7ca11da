//! Numbers of a model from a recorded motion: what `sinew.fit` is made of.

use numpy::PyArray1;
use pyo3::prelude::*;
use sinew::adjoint::{Fit, FitParameter, FitProgress, FitResult, Trajectory};
use sinew::model::Model as Tree;
use sinew::solve::SolverSettings;
use sinew_run_files::desired_motion;

use crate::control::registered;
use crate::errors::{PropertyError, raise};
use crate::model::{Edited, Model};
use crate::numbers::array;
use crate::recording::recording_of;
use crate::solver::solver_of;

/// Values and their standard errors; true for each at a bound; root of the mean squared difference [m], [rad]; iterations, and
/// true if they settled; columns that were left out.
type Found<'py> = ([Bound<'py, PyArray1<f64>>; 2], Vec<bool>, f64, (usize, bool), Vec<String>);

/// Path of a parameter, and its bounds.
type Sought = (String, Option<(f64, f64)>);

/// Searches for numbers of a model; `limits` are iterations and the end of the motion [s].
#[pyfunction]
#[pyo3(signature = (model, data, parameters, solver, limits, progress))]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    model: &Model,
    data: &Bound<'py, PyAny>,
    parameters: Vec<Sought>,
    solver: &str,
    limits: (usize, Option<f64>),
    progress: Option<Py<PyAny>>,
) -> PyResult<Found<'py>> {
    let Edited { mut model, told, .. } = model.lock(py)?.clone();
    model.set_code(registered());
    let mut recorded = raise(desired_motion(recording_of(data)?, &model))?;
    let sought = sought_in(&model, parameters)?;
    let solver = solver_of(solver, &told.solver.unwrap_or_default())?;
    let settings = solver.settings(SolverSettings::default()).differentiable();
    let (step, end) = (solver.step_length(), limits.1.unwrap_or(recorded.span[1]));
    let trajectory = raise(Trajectory::until(&model, settings, (step, end)))?;
    let (targets, iterations) = (recorded.targets, limits.0);
    let fit = Fit { trajectory, parameters: sought, targets, iterations };
    let mut failed = None;
    let found = py.detach(|| {
        let mut tell = |at: &FitProgress| {
            let Some(progress) = progress.as_ref().filter(|_| failed.is_none()) else { return };
            let arguments = (at.iteration, at.values.clone(), at.error);
            failed = Python::attach(|py| progress.call1(py, arguments).err());
        };
        fit.run(&mut recorded.table, &mut tell)
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let FitResult { values, errors, at_bound, error, iterations, converged } = raise(found)?;
    let numbers = [array(py, values), array(py, errors)];
    Ok((numbers, at_bound, error, (iterations, converged), recorded.others))
}

/// Parameters of a model with their bounds.
fn sought_in(model: &Tree, parameters: Vec<Sought>) -> PyResult<Vec<FitParameter>> {
    let mut sought = Vec::new();
    for (path, bounds) in parameters {
        let mut parameter = raise(FitParameter::of(model, &path))?;
        if let Some((lower, upper)) = bounds {
            if !(lower.is_finite() && upper.is_finite() && lower < upper) {
                return Err(PropertyError::new_err(format!(
                    "'{path}': the lower bound must be below the upper one, got {lower} and {upper}"
                )));
            }
            (parameter.lower, parameter.upper) = (lower, upper);
        }
        sought.push(parameter);
    }
    Ok(sought)
}
