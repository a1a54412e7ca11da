//! Rigid models at recorded instants, without steps: coordinates of joints from markers, moments from coordinates, muscles from
//! moments.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use sinew::Vec3;
use sinew::component::ComponentId;
use sinew::inverse::rigid::{
    InverseDynamics, InverseKinematics, JointMotion, Marker, MuscleMoments, MuscleTensions,
    StaticOptimization,
};
use sinew::inverse::{InverseError, MotionTarget, TargetKind, TrackedExcitation};
use sinew::model::{JointCoordinate, Model as Tree};
use sinew::system::State;
use sinew_model_files::{Inverse, TargetWeight};
use sinew_run_files::instants::{
    ExternalLoads, JointFrames, external_loads, joint_coordinates, joint_frames, marker_frames,
};

use crate::errors::raise;
use crate::model::Model;
use crate::numbers::{array, table};
use crate::recording::recording_of;

/// Columns, times [s], a row of numbers for each of them, one more number for each, and columns that were left out.
type Motion<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Vec<String>,
);

/// Coordinates of joints from recorded markers, with weights of these by their paths: names, times [s], values [m], [rad], roots
/// of the mean weighted squared distances of the markers [m].
#[pyfunction]
pub(crate) fn inverse_kinematics<'py>(
    py: Python<'py>,
    model: &Model,
    markers: &Bound<'py, PyAny>,
    weights: Vec<(String, f64)>,
) -> PyResult<Motion<'py>> {
    let model = model.lock(py)?.model.clone();
    let mut frames = raise(marker_frames(recording_of(markers)?, &model))?;
    let weight =
        |(target, weight)| TargetWeight { target, weight: Some(weight), ..TargetWeight::default() };
    let weights = weights.into_iter().map(weight).collect();
    let weights = Inverse { weights, ..Inverse::default() };
    raise(weights.set_weights(&mut frames.targets, &model))?;
    let (targets, times) = (frames.targets, frames.times);
    let solved = py.detach(|| posed(&model, &targets, (&times, &frames.places)));
    let (names, values, errors) = raise(solved)?;
    let values = table(py, values, names.len())?;
    Ok((names, array(py, times), values, array(py, errors), frames.others))
}

/// Names of coordinates, their values at all times, and a distance at each.
type Posed = (Vec<String>, Vec<f64>, Vec<f64>);

/// Coordinates of joints from places of markers at times [s].
fn posed(
    model: &Tree,
    targets: &[MotionTarget],
    (times, frames): (&[f64], &[Vec<Option<Vec3>>]),
) -> Result<Posed, InverseError> {
    let marker = |target: &MotionTarget| match target.kind {
        TargetKind::Point(point) => Some(Marker { point, weight: target.weight }),
        _ => None,
    };
    let markers: Vec<Marker> = targets.iter().filter_map(marker).collect();
    let solver = InverseKinematics::new(model, &markers)?;
    let mut state = solver.start();
    let mut coordinates = joint_coordinates(model);
    coordinates.retain(|of| solver.coordinate(model, of, &state).is_some());
    if coordinates.is_empty() {
        return Err(InverseError::Nothing("joints"));
    }
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (time, places) in times.iter().zip(frames) {
        state.time = *time;
        errors.push(solver.place(&mut state, places)?);
        let value = |of| solver.coordinate(model, of, &state).unwrap_or(0.0);
        values.extend(coordinates.iter().map(value));
    }
    let names = coordinates.iter().map(|of| named(model, of, "value")).collect();
    Ok((names, values, errors))
}

/// Muscles that share moments: their paths, activations [-], tensions [N], and moments that they miss [N m], [N].
type Shares<'py> = (Vec<String>, [Bound<'py, PyArray2<f64>>; 3]);

/// Names of the forces of coordinates, times [s], moments [N m], [N], and columns that were left out.
type Moments<'py> =
    (Vec<String>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Vec<String>);

/// Forces along recorded coordinates of joints, and muscles that share them where a power is given.
#[pyfunction]
#[pyo3(signature = (model, motion, loads, power))]
pub(crate) fn inverse_dynamics<'py>(
    py: Python<'py>,
    model: &Model,
    motion: &Bound<'py, PyAny>,
    loads: Option<&Bound<'py, PyAny>>,
    power: Option<f64>,
) -> PyResult<(Moments<'py>, Option<Shares<'py>>)> {
    let model = model.lock(py)?.model.clone();
    let frames = raise(joint_frames(recording_of(motion)?, &model))?;
    let loads = loads.map(recording_of).transpose()?;
    let mut loads = loads.map(|loads| raise(external_loads(loads, &model))).transpose()?;
    let names: Vec<String> =
        frames.coordinates.iter().map(|of| named(&model, of, "force")).collect();
    let (moments, muscles) = py.detach(|| solved(&model, &frames, (loads.as_mut(), power)))?;
    let times = frames.frames.iter().map(|frame| frame.time).collect();
    let shares = muscles.map(|it| it.shares(py, &model, names.len())).transpose()?;
    let moments = table(py, moments, names.len())?;
    Ok(((names, array(py, times), moments, frames.others), shares))
}

/// Moments at all instants, and muscles that share them where a power is given.
fn solved(
    model: &Tree,
    frames: &JointFrames,
    (mut loads, power): (Option<&mut ExternalLoads>, Option<f64>),
) -> PyResult<(Vec<f64>, Option<Muscles>)> {
    let solver = raise(InverseDynamics::new(model, &frames.coordinates))?;
    let muscles = power.map(|power| Muscles::new(model, &frames.coordinates, power)).transpose();
    let (mut muscles, mut state) = (raise(muscles)?, solver.start());
    let mut table = Vec::new();
    for frame in &frames.frames {
        raise(solver.place(&mut state, frame))?;
        let external = loads.as_mut().map(|it| it.at(frame.time)).transpose();
        let external = raise(external)?.unwrap_or_default();
        let moments = raise(solver.moments(&state, frame, &external))?;
        if let Some(muscles) = &mut muscles {
            raise(muscles.share(&state, frame, &moments))?;
        }
        table.extend(moments);
    }
    Ok((table, muscles))
}

/// Muscles that share the moments of joints, and what they found so far.
struct Muscles {
    lines: Vec<ComponentId>,
    moments: MuscleMoments,
    tensions: MuscleTensions,
    optimization: StaticOptimization,
    /// Activations, tensions, missing moments.
    tables: [Vec<f64>; 3],
}

impl Muscles {
    /// All muscles along lines.
    fn new(
        model: &Tree,
        coordinates: &[JointCoordinate],
        power: f64,
    ) -> Result<Self, InverseError> {
        let all = TrackedExcitation::muscles(model);
        let lines: Vec<ComponentId> =
            all.iter().map(|it| it.component).filter(|it| MuscleTensions::is_line(*it)).collect();
        if lines.is_empty() {
            return Err(InverseError::Nothing("muscles"));
        }
        Ok(Self {
            moments: MuscleMoments::new(model, &lines, coordinates)?,
            tensions: MuscleTensions::new(model, &lines)?,
            optimization: StaticOptimization { power },
            tables: Default::default(),
            lines,
        })
    }

    /// Shares the moments of a frame.
    fn share(
        &mut self,
        state: &State,
        frame: &JointMotion,
        moments: &[f64],
    ) -> Result<(), InverseError> {
        let arms = self.moments.matrix(state, frame)?;
        let tensions = self.tensions.at(state);
        let found = self.optimization.share(&arms, &tensions, moments)?;
        let force = |(a, [low, high]): (&f64, &[f64; 2])| low + a * (high - low);
        let [activations, forces, missing] = &mut self.tables;
        forces.extend(found.activations.iter().zip(&tensions).map(force));
        activations.extend(found.activations);
        missing.extend(found.missing);
        Ok(())
    }

    /// Paths and tables, of moments of so many coordinates.
    fn shares<'py>(self, py: Python<'py>, model: &Tree, moments: usize) -> PyResult<Shares<'py>> {
        let paths: Vec<String> = self.lines.iter().map(|it| model.path(*it)).collect();
        let (count, [activations, tensions, missing]) = (paths.len(), self.tables);
        let tables = [
            table(py, activations, count)?,
            table(py, tensions, count)?,
            table(py, missing, moments)?,
        ];
        Ok((paths, tables))
    }
}

/// Name of the column of a coordinate.
fn named(model: &Tree, of: &JointCoordinate, property: &str) -> String {
    format!("{}:coordinate.{}.{property}", model.path(of.joint), of.coordinate)
}
