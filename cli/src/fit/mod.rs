//! `sinew fit`: numbers of a model from a recorded motion.

mod args;
mod error;

use std::fs;

use serde_json::json;
use sinew::adjoint::{Fit, FitParameter, FitProgress, FitResult, Trajectory};
use sinew::model::Model;
use sinew_run_files::desired_motion;

use crate::compute::Live;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;
use crate::output::{OutputError, write_file};

pub(crate) use args::{AFTER_HELP, FitArgs};

use error::FitArgError;

/// Searches for the numbers that `args` ask for.
///
/// # Errors
/// A model, a file or an option that does not do, a step that fails, results that cannot be written.
pub(crate) fn run(args: &FitArgs) -> Result<Exit, CliError> {
    let live = Live::new(&args.live)?;
    let source = ModelSource::load(&args.model.name, &args.model.edits)?;
    let mut recorded = desired_motion(&args.data, &source.model)?;
    for column in &recorded.others {
        tracing::warn!(column, "no motion that can be compared: the column is left out");
    }
    let parameters = parameters(&args.parameters, &source.model)?;
    let settings = live.settings(&source.solver)?.differentiable();
    let step = args.live.step.unwrap_or(source.solver.step_length());
    let end = args.time.unwrap_or(recorded.span[1]);
    let trajectory = Trajectory::until(&source.model, settings, (step, end))?;
    let (targets, iterations) = (recorded.targets, args.iterations);
    let fit = Fit { trajectory, parameters, targets, iterations };
    let mut failed = None;
    let mut progress = |at: &FitProgress| {
        if !args.quiet {
            let line = format!("iteration {}: difference {:.4e} (rms)\n", at.iteration, at.error);
            failed = failed.take().or(console::print(&line).err());
        }
    };
    let found = fit.run(&mut recorded.table, &mut progress)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    write(args, &fit, &found)?;
    Ok(Exit::Done)
}

/// `PATH` or `PATH=LOWER..UPPER`, between commas.
fn parameters(text: &str, model: &Model) -> Result<Vec<FitParameter>, CliError> {
    let mut parameters = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (path, bounds) = match part.split_once('=') {
            Some((path, bounds)) => (path.trim(), Some(bounds)),
            None => (part, None),
        };
        let mut parameter = FitParameter::of(model, path)?;
        if let Some(bounds) = bounds {
            let wrong = || FitArgError::Bounds(part.to_owned());
            let (lower, upper) = bounds.split_once("..").ok_or_else(wrong)?;
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
            let (lower, upper) = number(lower).zip(number(upper)).ok_or_else(wrong)?;
            if lower >= upper {
                return Err(wrong().into());
            }
            (parameter.lower, parameter.upper) = (lower, upper);
        }
        parameters.push(parameter);
    }
    match parameters.is_empty() {
        true => Err(FitArgError::Bounds(text.to_owned()).into()),
        false => Ok(parameters),
    }
}

/// Prints what was found, and writes it where that was asked for.
fn write(args: &FitArgs, fit: &Fit, found: &FitResult) -> Result<(), CliError> {
    let (mut lines, mut list) = (String::new(), Vec::new());
    for (k, parameter) in fit.parameters.iter().enumerate() {
        let (value, error) = (found.values[k], found.errors[k]);
        let bound = if found.at_bound[k] { ", at a bound" } else { "" };
        let path = &parameter.path;
        lines.push_str(&format!("  {path} = {value:.6e}, standard error {error:.1e}{bound}\n"));
        // Infinite where the record says nothing of it: JSON has no such number.
        let error = error.is_finite().then_some(error);
        list.push(json!({
            "path": path, "value": value, "standard_error": error, "at_bound": found.at_bound[k],
        }));
    }
    if !found.converged {
        lines.push_str("  not settled: more --iterations, or another start\n");
    }
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
        let summary = json!({
            "program": "sinew", "rms": found.error, "iterations": found.iterations,
            "converged": found.converged, "parameters": list,
        });
        write_file(&folder.join("fit.json"), format!("{summary:#}\n").as_bytes())?;
    }
    if !args.quiet {
        console::print(&lines)?;
    }
    Ok(())
}
