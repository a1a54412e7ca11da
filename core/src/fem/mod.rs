//! Finite elements: batches of elements of one kind and material, muscle in tissue, membranes and shells. Reference
//! elements and meshes come from the package `sinew-mesh`.

mod batch;
mod muscle;
mod shell;
mod volume_rule;

pub use batch::PointGuard;
pub(crate) use batch::{
    BatchInput, ElasticAtRest, ElementFibres, ElementMuscles, ElementReport, FemBatch, FibreBatch,
    StressMemory, Surroundings, build as build_batch, build_fibres,
};
pub(crate) use muscle::{Contraction, Muscles};
pub(crate) use shell::{Layer, PlaneLaw, SheetInput, SheetLaw, Sheets, stencils};
pub use sinew_mesh::{
    Element, ElementFace, ElementKind, ElementQuality, FACE_NODES, FacePoint, Field, FillError,
    HarmonicError, Histogram, MeshError, Placed, PlacedFrame, QuadraturePoint, QuadratureRule,
    VolumeMesh, directions_along, directions_between, element, face_points, fill, grid_mesh,
    locate, locate_frames,
};
pub(crate) use sinew_mesh::{surface_nodes, tie};
pub use volume_rule::{Incompressible, VolumeRule};
