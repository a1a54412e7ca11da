//! `sinew inverse --kinematics` and `--dynamics`: a rigid model at the instants of a file, without steps.

mod table;

use std::fs;
use std::path::Path;

use serde_json::json;
use sinew::component::ComponentId;
use sinew::inverse::rigid::{
    InverseDynamics, InverseKinematics, JointMotion, Marker, MuscleMoments, MuscleTensions,
    StaticOptimization,
};
use sinew::inverse::{InverseError, MotionTarget, TargetKind, TrackedExcitation};
use sinew::model::{JointCoordinate, Model};
use sinew::system::State;
use sinew_model_files::Inverse;
use sinew_run_files::instants::{external_loads, joint_coordinates, joint_frames, marker_frames};

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
    let markers: Vec<Marker> = frames.targets.iter().filter_map(marker).collect();
    let solver = InverseKinematics::new(&model, &markers)?;
    let coordinates = joint_coordinates(&model);
    let mut state = solver.start();
    let value = |of: &&JointCoordinate| solver.coordinate(&model, of, &state).is_some();
    let coordinates: Vec<&JointCoordinate> = coordinates.iter().filter(value).collect();
    if coordinates.is_empty() {
        return Err(InverseError::Nothing("joints").into());
    }
    let mut motion =
        StorageTable::new("Coordinates", coordinates.iter().map(|it| named(&model, it, "value")));
    let mut errors = StorageTable::new("Errors", ["rms".to_owned()]);
    let mut largest = 0f64;
    for (time, places) in frames.times.iter().zip(&frames.places) {
        state.time = *time;
        let error = solver.place(&mut state, places)?;
        largest = largest.max(error);
        let value = |of: &&JointCoordinate| solver.coordinate(&model, of, &state).unwrap_or(0.0);
        motion.add(*time, coordinates.iter().map(value));
        errors.add(*time, [error]);
    }
    create(&args.out)?;
    motion.write(&args.out.join(MOTION))?;
    errors.write(&args.out.join(ERRORS))?;
    let count = frames.times.len();
    summarize(args, &json!({ "program": "sinew", "frames": count, "largest_rms": largest }))?;
    let text = format!("{count} frames, markers within {largest:.3e} m (rms) at most\n");
    tell(args, text, MOTION)
}

/// A marker of a target that is a point.
fn marker(target: &MotionTarget) -> Option<Marker> {
    match target.kind {
        TargetKind::Point(point) => Some(Marker { point, weight: target.weight }),
        _ => None,
    }
}

/// Moments of joints, and activations of muscles where they are asked for, from the motion of a file.
///
/// # Errors
/// A model or a file that does not do, a frame that joints do not reach, results that cannot be written.
pub(super) fn dynamics(args: &InverseArgs, file: &Path) -> Result<Exit, CliError> {
    let model = ModelSource::load(&args.model.name, &args.model.edits)?.model;
    let frames = joint_frames(file, &model)?;
    leave_out(&frames.others, "no coordinate of a joint");
    let mut loads =
        args.rigid.loads.as_deref().map(|file| external_loads(file, &model)).transpose()?;
    let solver = InverseDynamics::new(&model, &frames.coordinates)?;
    let mut muscles = match args.rigid.static_optimization {
        true => Some(Muscles::new(&model, &frames.coordinates, args.rigid.power)?),
        false => None,
    };
    let names = frames.coordinates.iter().map(|it| named(&model, it, "force"));
    let mut table = StorageTable::new("Moments", names);
    let mut state = solver.start();
    for frame in &frames.frames {
        solver.place(&mut state, frame)?;
        let external = loads.as_mut().map(|it| it.at(frame.time)).transpose()?;
        let moments = solver.moments(&state, frame, &external.unwrap_or_default())?;
        if let Some(muscles) = &mut muscles {
            muscles.share(&state, frame, &moments)?;
        }
        table.add(frame.time, moments);
    }
    create(&args.out)?;
    table.write(&args.out.join(MOMENTS))?;
    let (count, mut text) = (frames.frames.len(), format!("{} frames\n", frames.frames.len()));
    let missing = muscles.as_ref().map(|it| it.missing);
    if let Some(muscles) = muscles {
        text += &muscles.write(&args.out)?;
    }
    summarize(args, &json!({ "program": "sinew", "frames": count, "missing": missing }))?;
    tell(args, text, MOMENTS)
}

/// Muscles that share the moments of joints.
struct Muscles {
    moments: MuscleMoments,
    tensions: MuscleTensions,
    optimization: StaticOptimization,
    activations: StorageTable,
    forces: StorageTable,
    /// Largest moment that no activations give [N], [N m].
    missing: f64,
}

impl Muscles {
    /// All muscles along lines.
    fn new(model: &Model, coordinates: &[JointCoordinate], power: f64) -> Result<Self, CliError> {
        let all = TrackedExcitation::muscles(model);
        let lines: Vec<ComponentId> =
            all.iter().map(|it| it.component).filter(|it| MuscleTensions::is_line(*it)).collect();
        if lines.is_empty() {
            return Err(InverseError::Nothing("muscles").into());
        }
        let column = |property: &'static str| {
            let lines = lines.iter();
            lines.map(move |id| format!("{}:{property}", model.path(*id)))
        };
        Ok(Self {
            moments: MuscleMoments::new(model, &lines, coordinates)?,
            tensions: MuscleTensions::new(model, &lines)?,
            optimization: StaticOptimization { power },
            activations: StorageTable::new("Activations", column("excitation")),
            forces: StorageTable::new("Forces", column("tension")),
            missing: 0.0,
        })
    }

    /// Shares the moments of a frame.
    fn share(
        &mut self,
        state: &State,
        frame: &JointMotion,
        loads: &[f64],
    ) -> Result<(), InverseError> {
        let arms = self.moments.matrix(state, frame)?;
        let tensions = self.tensions.at(state);
        let found = self.optimization.share(&arms, &tensions, loads)?;
        let largest = found.missing.iter().fold(0f64, |most, it| most.max(it.abs()));
        self.missing = self.missing.max(largest);
        let force = |(a, [low, high]): (&f64, &[f64; 2])| low + a * (high - low);
        self.forces.add(frame.time, found.activations.iter().zip(&tensions).map(force));
        self.activations.add(frame.time, found.activations.iter().copied());
        Ok(())
    }

    /// Writes the tables; a line for people.
    fn write(&self, folder: &Path) -> Result<String, CliError> {
        self.activations.write(&folder.join(ACTIVATIONS))?;
        self.forces.write(&folder.join(FORCES))?;
        Ok(match self.missing > 0.0 {
            true => format!(
                "muscles miss {:.3e} N m (N) at most: they are too weak, or pull the wrong way\n",
                self.missing
            ),
            false => "muscles meet all moments\n".to_owned(),
        })
    }
}

/// Name of the column of a coordinate.
fn named(model: &Model, of: &JointCoordinate, property: &str) -> String {
    format!("{}:coordinate.{}.{property}", model.path(of.joint), of.coordinate)
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
