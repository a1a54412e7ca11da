//! Controllers that are classes of Python, registered under names by which models have them.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::model::{CodeFault, CodeParameters, CodeRegistry, ControlCode};

use crate::values::object_of;

/// Everything that was registered so far; models take it when they are made, edited and simulated.
static REGISTERED: Mutex<Option<Arc<CodeRegistry>>> = Mutex::new(None);

thread_local! {
    /// True while this thread is inside of a controller, whose simulation is held then.
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// True while this thread is inside of a controller of a model.
pub(crate) fn is_inside() -> bool {
    IS_INSIDE.get()
}

/// Registered code so far.
pub(crate) fn registered() -> Arc<CodeRegistry> {
    // It is exchanged as a whole.
    let known = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    known.clone().unwrap_or_default()
}

/// Registers what makes controllers under a name.
#[pyfunction]
pub(crate) fn register_controller(name: String, make: Py<PyAny>) {
    let mut code = CodeRegistry::clone(&registered());
    code.add_controller(name, move |parameters| {
        let made = Python::attach(|py| made_of(py, &make, parameters));
        Ok(Box::new(PythonController(made?)) as Box<dyn ControlCode>)
    });
    *REGISTERED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(code));
}

fn made_of(py: Python<'_>, make: &Py<PyAny>, parameters: &CodeParameters) -> PyResult<Py<PyAny>> {
    let named = PyDict::new(py);
    for (name, value) in parameters.iter() {
        named.set_item(name, object_of(py, value)?)?;
    }
    make.call(py, (), Some(&named))
}

/// An object with a method `output`, and `save` and `restore` where it remembers something.
struct PythonController(Py<PyAny>);

impl PythonController {
    /// Calls a method with the simulation out of reach.
    fn call<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<T> {
        let before = IS_INSIDE.replace(true);
        let done = Python::attach(|py| call(self.0.bind(py)));
        IS_INSIDE.set(before);
        done
    }

    /// Prints an error that nobody takes, as Python does for those of destructors.
    fn tell(&self, done: PyResult<()>) {
        if let Err(error) = done {
            Python::attach(|py| error.write_unraisable(py, Some(self.0.bind(py))));
        }
    }
}

impl ControlCode for PythonController {
    fn output(&mut self, input: f64, time: f64, step: f64) -> Result<f64, CodeFault> {
        let done = self.call(|it| it.call_method1("output", (input, time, step))?.extract());
        done.map_err(Into::into)
    }

    fn save(&self, numbers: &mut Vec<f64>) {
        let saved = self.call(|it| match it.hasattr("save")? {
            true => it.call_method0("save")?.extract::<Vec<f64>>(),
            false => Ok(Vec::new()),
        });
        self.tell(saved.map(|saved| numbers.extend(saved)));
    }

    fn restore(&mut self, numbers: &[f64]) {
        let done = self.call(|it| match it.hasattr("restore")? {
            true => it.call_method1("restore", (numbers.to_vec(),)).map(|_| ()),
            false => Ok(()),
        });
        self.tell(done);
    }
}
