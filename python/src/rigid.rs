//! Rigid models at recorded instants, without steps: coordinates of joints from markers, moments from coordinates, muscles from
//! moments.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use sinew::inverse::rigid::{
    InverseDynamics, InverseKinematics, JointMoments, MarkedMotion, Marker, MuscleShares,
    MuscleSharing, StaticOptimization,
};
use sinew::model::{JointCoordinate, Model as Tree};
use sinew_model_files::{Inverse, TargetWeight};
use sinew_run_files::instants::{
    JointFrames, external_loads, joint_coordinates, joint_frames, marker_frames,
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
    let found = py.detach(|| {
        let markers: Vec<Marker> = targets.iter().filter_map(Marker::of).collect();
        let solver = InverseKinematics::new(&model, &markers)?;
        solver.follow((&model, joint_coordinates(&model)), (&times, &frames.places))
    });
    let MarkedMotion { coordinates, values, errors } = raise(found)?;
    let names = names_of(&model, &coordinates, "value");
    let values = table(py, values.concat(), names.len())?;
    Ok((names, array(py, times), values, array(py, errors), frames.others))
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
    let JointFrames { coordinates, frames, others } = frames;
    let external = loads.as_mut().map(|it| it.at_frames(&frames)).transpose();
    let external = raise(external)?.unwrap_or_default();
    let found = py.detach(|| {
        let sharing = power
            .map(|power| MuscleSharing::new(&model, &coordinates, StaticOptimization { power }))
            .transpose()?;
        InverseDynamics::new(&model, &coordinates)?.follow((&frames, &external), sharing.as_ref())
    });
    let JointMoments { moments, shares } = raise(found)?;
    let names = names_of(&model, &coordinates, "force");
    let times = frames.iter().map(|frame| frame.time).collect();
    let shares = shares.map(|it| shared(py, &model, (it, names.len()))).transpose()?;
    let moments = table(py, moments.concat(), names.len())?;
    Ok(((names, array(py, times), moments, others), shares))
}

/// Paths and tables of muscles that share moments of so many coordinates.
fn shared<'py>(
    py: Python<'py>,
    model: &Tree,
    (of, moments): (MuscleShares, usize),
) -> PyResult<Shares<'py>> {
    let paths: Vec<String> = of.muscles.iter().map(|it| model.path(*it)).collect();
    let count = paths.len();
    let tables = [
        table(py, of.activations.concat(), count)?,
        table(py, of.tensions.concat(), count)?,
        table(py, of.missing.concat(), moments)?,
    ];
    Ok((paths, tables))
}

/// Names of columns of coordinates.
fn names_of(model: &Tree, coordinates: &[JointCoordinate], property: &str) -> Vec<String> {
    coordinates.iter().map(|of| of.property_path(model, property)).collect()
}
