//! Loading of models, and names in options: built-ins, model files, meshes; parameters and
//! properties that are set, points that are watched, probes as they are written.

mod clamp;
mod loaded;
mod mesh_params;
mod prepare;
pub(crate) mod probe_text;
mod set;
mod source;
pub(crate) mod tree;
mod watch;

pub(crate) use loaded::Loaded;
pub(crate) use mesh_params::MESH_PARAMS;
pub(crate) use prepare::Prepared;
pub(crate) use probe_text::{read_input, read_output};
pub(crate) use source::{
    ModelSource, SourceError, is_febio, is_model_file, is_whole_model, load_options,
    looks_like_a_path,
};
pub(crate) use watch::Distance;
