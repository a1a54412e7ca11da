//! `sinew inverse --kinematics` and `--dynamics`: a rigid model at the instants of a file, without steps.

mod table;

use std::fs;
use std::path::Path;

use serde_json::json;
use sinew::inverse::rigid::{
    InverseDynamics, InverseKinematics, Marker, MuscleShares, MuscleSharing, StaticOptimization,
};
use sinew::model::{JointCoordinate, Model};
use sinew_model_files::Inverse;
use sinew_run_files::instants::{
    JointFrames, external_loads, joint_coordinates, joint_frames, marker_frames,
};

use super::InverseArgs;
use crate::console;
use crate::exit::{CliError, Exit};
use crate::load::ModelSource;
use crate::output::{OutputError, write_file};
use table::StorageTable;

/// Names of the files.
const MOTION: &str = "motion.sto";
const ERRORS: &str = "errors.sto";
const MOMENTS: &str = "moments.sto";
const ACTIVATIONS: &str = "activations.sto";
const FORCES: &str = "forces.sto";
const SUMMARY: &str = "inverse.json";

/// Coordinates of joints from the markers of a file.
///
/// # Errors
/// A model or a file that does not do, a frame that joints do not reach, results that cannot be written.
pub(super) fn kinematics(args: &InverseArgs, file: &Path) -> Result<Exit, CliError> {
    let model = ModelSource::load(&args.model.name, &args.model.edits)?.model;
    let mut frames = marker_frames(file, &model)?;
    leave_out(&frames.others, "no point of the model");
    let weights = Inverse { weights: args.weights()?, ..Inverse::default() };
    weights.set_weights(&mut frames.targets, &model)?;
    let markers: Vec<Marker> = frames.targets.iter().filter_map(Marker::of).collect();
    let solver = InverseKinematics::new(&model, &markers)?;
    let recorded = (&frames.times[..], &frames.places[..]);
    let found = solver.follow((&model, joint_coordinates(&model)), recorded)?;
    let columns = columns(&model, &found.coordinates, "value");
    let errors: Vec<Vec<f64>> = found.errors.iter().map(|error| vec![*error]).collect();
    create(&args.out)?;
    let write = |file: &str, table: StorageTable| table.write(&args.out.join(file));
    write(MOTION, StorageTable::new("Coordinates", columns, (&frames.times, &found.values)))?;
    write(ERRORS, StorageTable::new("Errors", vec!["rms".to_owned()], (&frames.times, &errors)))?;
    let (count, largest) = (frames.times.len(), largest(&errors));
    summarize(args, &json!({ "program": "sinew", "frames": count, "largest_rms": largest }))?;
    let text = format!("{count} frames, markers within {largest:.3e} m (rms) at most\n");
    tell(args, text, MOTION)
}

/// Moments of joints, and activations of muscles where they are asked for, from the motion of a file.
///
/// # Errors
/// A model or a file that does not do, a frame that joints do not reach, results that cannot be written.
pub(super) fn dynamics(args: &InverseArgs, file: &Path) -> Result<Exit, CliError> {
    let model = ModelSource::load(&args.model.name, &args.model.edits)?.model;
    let JointFrames { coordinates, frames, others } = joint_frames(file, &model)?;
    leave_out(&others, "no coordinate of a joint");
    let loads = args.rigid.loads.as_deref().map(|file| external_loads(file, &model)).transpose()?;
    let external = loads.map(|mut it| it.at_frames(&frames)).transpose()?.unwrap_or_default();
    let optimization = StaticOptimization { power: args.rigid.power };
    let sharing = match args.rigid.static_optimization {
        true => Some(MuscleSharing::new(&model, &coordinates, optimization)?),
        false => None,
    };
    let solver = InverseDynamics::new(&model, &coordinates)?;
    let found = solver.follow((&frames, &external), sharing.as_ref())?;
    let times: Vec<f64> = frames.iter().map(|frame| frame.time).collect();
    create(&args.out)?;
    let columns = columns(&model, &coordinates, "force");
    StorageTable::new("Moments", columns, (&times, &found.moments))
        .write(&args.out.join(MOMENTS))?;
    let (count, mut text) = (times.len(), format!("{} frames\n", times.len()));
    let missing = found.shares.as_ref().map(|it| largest(&it.missing));
    if let Some(shares) = &found.shares {
        text += &write_shares(&args.out, &model, (&times, shares))?;
    }
    summarize(args, &json!({ "program": "sinew", "frames": count, "missing": missing }))?;
    tell(args, text, MOMENTS)
}

/// Writes the tables of muscles; a line for people.
fn write_shares(
    folder: &Path,
    model: &Model,
    (times, shares): (&[f64], &MuscleShares),
) -> Result<String, CliError> {
    let column = |property: &str| {
        let muscles = shares.muscles.iter();
        muscles.map(|id| format!("{}:{property}", model.path(*id))).collect()
    };
    StorageTable::new("Activations", column("excitation"), (times, &shares.activations))
        .write(&folder.join(ACTIVATIONS))?;
    StorageTable::new("Forces", column("tension"), (times, &shares.tensions))
        .write(&folder.join(FORCES))?;
    let missing = largest(&shares.missing);
    Ok(match missing > 0.0 {
        true => format!(
            "muscles miss {missing:.3e} N m (N) at most: they are too weak, or pull the wrong way\n"
        ),
        false => "muscles meet all moments\n".to_owned(),
    })
}

/// Largest size of a number of a table; zero where there is none.
fn largest(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flatten().fold(0.0, |most, it| most.max(it.abs()))
}

/// Names of the columns of coordinates.
fn columns(model: &Model, coordinates: &[JointCoordinate], property: &str) -> Vec<String> {
    coordinates.iter().map(|it| it.property_path(model, property)).collect()
}

fn leave_out(columns: &[String], what: &str) {
    for column in columns {
        tracing::warn!(column, "{what}: the column is left out");
    }
}

fn create(folder: &Path) -> Result<(), CliError> {
    Ok(fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?)
}

fn summarize(args: &InverseArgs, summary: &serde_json::Value) -> Result<(), CliError> {
    Ok(write_file(&args.out.join(SUMMARY), format!("{summary:#}\n").as_bytes())?)
}

fn tell(args: &InverseArgs, text: String, file: &str) -> Result<Exit, CliError> {
    if !args.quiet {
        console::print(&format!("{text}results: {}\n", args.out.join(file).display()))?;
    }
    Ok(Exit::Done)
}
