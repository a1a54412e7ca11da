//! Trajectories as functions of numbers of a model, and their derivatives backwards: what `sinew.Trajectory` and `sinew.grad`
//! are made of.

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use sinew::adjoint::{AdjointError, Parameter, Trajectory};
use sinew::inverse::{InverseError, MotionTarget};
use sinew::solve::SolverSettings;
use sinew_model_files::Solver;

use crate::errors::{PropertyError, Raised, SimulationError, raise};
use crate::model::{Edited, Model};
use crate::numbers::{array, numbers_of, table};
use crate::solver::solver_of;

/// Observed numbers, and their derivatives.
type Sensitivities<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<f64>>);

/// Steps of a model from its start, as a function of parameters.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct Rollout {
    model: sinew::model::Model,
    settings: SolverSettings,
    step: f64,
    steps: usize,
    paths: Vec<String>,
    observed: Vec<MotionTarget>,
}

#[pymethods]
impl Rollout {
    /// Steps of a model by Newton's method, the solver as JSON with the names of model files; parameters by their paths, and
    /// properties that are observed.
    #[new]
    fn new(
        py: Python<'_>,
        model: &Model,
        solver: &str,
        steps: usize,
        names: [Vec<String>; 2],
    ) -> PyResult<Self> {
        let [paths, observed] = names;
        let Edited { model, told, .. } = model.lock(py)?.clone();
        let solver: Solver = solver_of(solver, &told.solver.unwrap_or_default())?;
        let settings = solver.settings(SolverSettings::default()).differentiable();
        for path in &paths {
            raise(Parameter::constant(&model, path))?;
        }
        let targets = observed.iter().map(|path| raise(MotionTarget::at(&model, path)));
        let observed = targets.collect::<PyResult<_>>()?;
        let step = solver.step_length();
        Ok(Self { model, settings, step, steps, paths, observed })
    }

    /// Length of a step [s].
    #[getter]
    fn step_length(&self) -> f64 {
        self.step
    }

    /// Values of the parameters in the model.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let value = |path: &String| Ok(raise(Parameter::constant(&self.model, path))?.values[0]);
        Ok(array(py, self.paths.iter().map(value).collect::<PyResult<_>>()?))
    }

    /// Observed numbers at the start and after every step: shape (steps + 1, size).
    fn observe<'py>(
        &self,
        py: Python<'py>,
        values: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let parameters = self.parameters(&values)?;
        let trajectory = self.trajectory();
        let found = py.detach(|| trajectory.observe(None, &parameters, &self.observed));
        let width = self.observed.iter().map(MotionTarget::size).sum();
        table(py, raise(found)?, width)
    }

    /// Observed numbers, shape (steps + 1, size), and their derivatives by the value of each parameter: shape
    /// (steps + 1, size, count).
    fn sensitivities<'py>(
        &self,
        py: Python<'py>,
        values: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Sensitivities<'py>> {
        let parameters = self.parameters(&values)?;
        let trajectory = self.trajectory();
        let found = py.detach(|| trajectory.observe_changes(None, &parameters, &self.observed));
        let [numbers, changes] = raise(found)?;
        let width = self.observed.iter().map(MotionTarget::size).sum();
        let shape = (self.steps + 1, width, parameters.len());
        let changes = Array3::from_shape_vec(shape, changes)
            .map_err(|error| SimulationError::new_err(error.to_string()))?;
        Ok((table(py, numbers, width)?, changes.into_pyarray(py)))
    }

    /// Derivatives of a scalar by the values, from those by what is observed.
    fn pull_back<'py>(
        &self,
        py: Python<'py>,
        values: Vec<Bound<'py, PyAny>>,
        by_observed: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyArray1<f64>>>> {
        let parameters = self.parameters(&values)?;
        let factors = numbers_of(by_observed)
            .ok_or_else(|| PropertyError::new_err("derivatives: numbers are expected"))?;
        let trajectory = self.trajectory();
        let found =
            py.detach(|| trajectory.pull_back(None, &parameters, (&self.observed, &factors)));
        Ok(raise(found)?.parameters.into_iter().map(|it| array(py, it)).collect())
    }
}

impl Rollout {
    fn trajectory(&self) -> Trajectory<'_> {
        let Self { model, settings, step, steps, .. } = self;
        Trajectory { model, settings: *settings, step: *step, steps: *steps }
    }

    fn parameters(&self, values: &[Bound<'_, PyAny>]) -> PyResult<Vec<Parameter>> {
        let (expected, found) = (self.paths.len(), values.len());
        if expected != found {
            let what = format!("{expected} values are expected, one a parameter, got {found}");
            return Err(PropertyError::new_err(what));
        }
        let parameter = |(path, values): (&String, &Bound<'_, PyAny>)| {
            let values = numbers_of(values)
                .ok_or_else(|| PropertyError::new_err(format!("'{path}': numbers are expected")))?;
            Ok(Parameter { path: path.clone(), values })
        };
        self.paths.iter().zip(values).map(parameter).collect()
    }
}

impl Raised for AdjointError {
    fn raised(self) -> PyErr {
        match self {
            Self::Property(error) => error.raised(),
            Self::Length { .. } | Self::Short { .. } => PropertyError::new_err(self.to_string()),
            other => SimulationError::new_err(other.to_string()),
        }
    }
}

impl Raised for InverseError {
    fn raised(self) -> PyErr {
        match self {
            Self::Property(error) => error.raised(),
            error @ (Self::State(_)
            | Self::Model(_)
            | Self::Placement { .. }
            | Self::Unbalanced { .. }
            | Self::Program { .. }) => SimulationError::new_err(error.to_string()),
            error @ (Self::Target(_)
            | Self::SensorOfMuscle(_)
            | Self::Excitation(_)
            | Self::NotSimulated(_)
            | Self::Nothing(_)
            | Self::Number { .. }
            | Self::Coefficients { .. }
            | Self::Integrator(_)) => PropertyError::new_err(error.to_string()),
        }
    }
}
