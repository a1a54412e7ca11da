//! The step of a model on a device: rows in the order of the device, loads and supports, and the
//! command lists of a step around those of elements and solve.

mod backend;
mod batch;
mod border;
mod factors;
mod host;
mod instance;
mod loads;
mod numbering;
mod outcome;
mod plan;
mod renewal;
mod resident;
mod rows;
mod stage;
mod states;
mod stresses;
mod submission;
mod turning;
mod update;

pub use backend::GpuBackend;
pub use batch::GpuBatch;
pub(crate) use factors::Rule;
pub(crate) use numbering::Rows;
pub use plan::Options;
pub(crate) use plan::takes_multigrid;
pub use submission::Dispatches;
