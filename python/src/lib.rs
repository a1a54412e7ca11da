//! The part of the package `sinew` for Python that is made of Rust: models, simulations and probes, by paths, texts and
//! numpy arrays. What users see of it stands in the Python sources beside it, python/sinew.
#![forbid(unsafe_code)]

mod batch;
mod control;
mod errors;
mod fit;
mod gradient;
mod library;
mod mesh;
mod model;
mod numbers;
mod on_device;
mod probes;
mod property_list;
mod recording;
#[cfg(feature = "render")]
mod render;
mod rigid;
mod simulation;
mod solver;
mod tracking;
mod values;

/// Rust's part of the package `sinew`.
#[pyo3::pymodule]
mod _sinew {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::control::register_controller;
    #[pymodule_export]
    use super::errors::{
        EditError, FileError, PathError, ProbeError, PropertyError, SimulationError, SinewError,
    };
    #[pymodule_export]
    use super::fit::fit;
    #[pymodule_export]
    use super::gradient::Rollout;
    #[pymodule_export]
    use super::library::{builtins, element_kinds, kinds};
    #[pymodule_export]
    use super::mesh::Mesh;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::probes::Table;
    #[pymodule_export]
    use super::property_list::PropertyList;
    #[pymodule_export]
    use super::rigid::{inverse_dynamics, inverse_kinematics};
    #[pymodule_export]
    use super::simulation::{SavedState, Simulation};
    #[pymodule_export]
    use super::tracking::track;

    /// True if pictures can be drawn.
    #[pymodule_export]
    const HAS_RENDER: bool = cfg!(feature = "render");

    /// Version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
