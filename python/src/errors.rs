//! Errors of the library as exceptions of Python, with the library's messages.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use sinew::component::PathError as Misled;
use sinew::editing::{EditCommandError, EditTextError};
use sinew::model::EditError as Refusal;
use sinew::property::PropertyError as Unfit;
use sinew::schedule::{ScheduleError, SimulationError as Halted};
use sinew_model_files::{Report, SaveError};
use sinew_run_files::ProbeError as Unrecorded;

create_exception!(sinew, SinewError, PyException, "Error of the library.");
create_exception!(sinew, FileError, SinewError, "A model that cannot be made, read or written.");
create_exception!(sinew, PathError, SinewError, "A path that leads nowhere.");
create_exception!(sinew, PropertyError, SinewError, "A property that cannot be read or set so.");
create_exception!(sinew, EditError, SinewError, "An edit that is refused; the model is as it was.");
create_exception!(sinew, ProbeError, SinewError, "A probe that cannot be made.");
create_exception!(
    sinew,
    SimulationError,
    SinewError,
    "A model that cannot be simulated, or a step that failed; the state is the last good one."
);

/// An error of the library as an exception.
pub(crate) trait Raised {
    /// The exception.
    fn raised(self) -> PyErr;
}

/// The result of the library as that of a function of Python.
pub(crate) fn raise<T, E: Raised>(result: Result<T, E>) -> pyo3::PyResult<T> {
    result.map_err(Raised::raised)
}

impl Raised for Misled {
    fn raised(self) -> PyErr {
        PathError::new_err(self.to_string())
    }
}

impl Raised for Unfit {
    fn raised(self) -> PyErr {
        match self {
            Self::Path(error) => error.raised(),
            other => PropertyError::new_err(other.to_string()),
        }
    }
}

impl Raised for Refusal {
    fn raised(self) -> PyErr {
        match self {
            Self::Property(error) => error.raised(),
            other => EditError::new_err(other.to_string()),
        }
    }
}

impl Raised for EditTextError {
    fn raised(self) -> PyErr {
        EditError::new_err(self.to_string())
    }
}

impl Raised for EditCommandError {
    fn raised(self) -> PyErr {
        match self {
            Self::Path(error) => error.raised(),
            Self::Property(error) => error.raised(),
            Self::Edit(error) => error.raised(),
            other => EditError::new_err(other.to_string()),
        }
    }
}

impl Raised for Halted {
    fn raised(self) -> PyErr {
        match self {
            Self::Command(error) => error.raised(),
            Self::Edit(error) => error.raised(),
            Self::Property(error) => error.raised(),
            other => SimulationError::new_err(other.to_string()),
        }
    }
}

impl Raised for ScheduleError {
    fn raised(self) -> PyErr {
        match self {
            Self::Simulation(error) => error.raised(),
            other => SimulationError::new_err(other.to_string()),
        }
    }
}

impl Raised for Unrecorded {
    fn raised(self) -> PyErr {
        ProbeError::new_err(self.to_string())
    }
}

impl Raised for SaveError {
    fn raised(self) -> PyErr {
        FileError::new_err(self.to_string())
    }
}

impl<E: Raised> Raised for Box<E> {
    fn raised(self) -> PyErr {
        (*self).raised()
    }
}

impl Raised for Report {
    fn raised(self) -> PyErr {
        FileError::new_err(self.render(false))
    }
}

impl Raised for sinew::system::CompileError {
    fn raised(self) -> PyErr {
        SimulationError::new_err(self.to_string())
    }
}

impl Raised for sinew_datasets::ParamError {
    fn raised(self) -> PyErr {
        FileError::new_err(self.to_string())
    }
}

impl Raised for sinew::io::ReadError {
    fn raised(self) -> PyErr {
        FileError::new_err(self.to_string())
    }
}

/// A lock that a panic left behind: what is in it may be half done.
pub(crate) fn poisoned() -> PyErr {
    SinewError::new_err("a fault inside of the library ended its work: make the object anew")
}
