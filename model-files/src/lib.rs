//! Model files: TOML by hand, JSON by machine, and documents of OpenSim. Reading with all errors at once, each with its place;
//! saving bit for bit; the schema for editors. docs/reference/model-file.md is the page for users.
#![forbid(unsafe_code)]

mod built_in;
mod decode;
mod diagnostic;
mod feb;
mod fields;
mod imported;
mod interactive;
mod inverse;
mod json_text;
mod migrate;
mod mjcf;
mod open;
mod osim;
mod panels;
mod parameters;
mod read;
mod reference;
mod report;
mod schema;
mod solver;
mod source;
mod stamp;
mod toml_depth;
mod toml_text;
mod tree;
mod units;
mod unread;
mod visible;
mod world_images;
mod world_parts;
mod write;
mod xml_text;
mod xml_tree;

pub use diagnostic::{Diagnostic, Severity};
pub use interactive::{InteractiveFileError, read_drawing, read_world, write_drawing, write_world};
pub use inverse::{
    ExcitationBounds, ExcitationRatio, ExcitationShare, ExcitationSum, Inverse, InverseFault,
    TargetWeight,
};
pub use migrate::VERSION;
pub use open::{declared_parameters, is_model_file, load, load_solver};
pub use osim::is_osim;
pub use read::{LoadOptions, ModelFile, check};
pub use reference::reference;
pub use report::Report;
pub use schema::schema;
pub use solver::{
    ContactMethodName, CoordinatesName, FrictionMethodName, FrictionName, IntegratorName,
    LinearSolverName, PreconditionerName, Solver, SolverFault, StabilizationName,
};
pub use source::{MAX_BYTES, Source};
pub use stamp::Stamp;
pub use tree::Span;
pub use units::{Angle, Length, Mass, Time, Units};
pub use visible::visible;
pub use world_parts::world_files;
pub use write::{Exported, SaveError, SaveOptions, export_osim, save, to_json, to_toml};
