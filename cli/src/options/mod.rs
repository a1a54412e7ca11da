//! Options that several commands share: the model, its steps, backend and device. Those of one
//! command stand beside it.

mod contact;
pub(crate) mod headings;
mod live;
mod model;
mod solve;
pub(crate) mod values;
mod words;

pub(crate) use live::{BackendArg, DeviceArgs, LiveArgs};
pub(crate) use model::{DEFAULT_MODEL, EditArgs, ModelArgs};
pub(crate) use solve::{OptionError, SolveArgs};
pub(crate) use words::words;
