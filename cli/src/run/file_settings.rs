//! The section `[solver]` of a model file in place of options of a run that were not given.

use std::path::Path;

use sinew_model_files::LoadOptions;

use super::args::RunArgs;
use crate::load::{is_model_file, load_options};
use crate::options::{Given, ModelArgs, put, with_solver};

/// The options with those of the model file in place of defaults.
pub(crate) fn merged(args: &RunArgs, given: &Given) -> RunArgs {
    let ModelArgs { name, edits } = &args.model;
    if !is_model_file(name) {
        return args.clone();
    }
    let options = load_options(&edits.params, edits.root.as_deref());
    let options: LoadOptions = options.unwrap_or_default();
    let file = sinew_model_files::load_solver(Path::new(name), &options);
    let mut args = args.clone();
    put(given, "time", &mut args.time, file.time);
    put(given, "step", &mut args.step, file.step);
    args.solve = with_solver(args.solve, given, &file);
    args
}
