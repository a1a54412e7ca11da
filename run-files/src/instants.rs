//! Rows of a file as instants of a model: places of markers, motions of joints with their rates and accelerations, forces
//! on bodies from without.

use sinew::Vec3;
use sinew::component::Handle;
use sinew::inverse::rigid::{ExternalForce, JointMotion};
use sinew::inverse::{MotionTarget, TargetKind};
use sinew::model::{JointCoordinate, Model, RigidBody};
use sinew::schedule::{CallbackError, Signal};

use crate::desired::Columns;
pub use crate::desired::joint_coordinates;
use crate::gaps::Closed;
use crate::interpolate::spline_slopes;
use crate::recording::Recording;
use crate::select::Selected;
use crate::spec::{Extension, Gaps, Interpolation};
use crate::table::{Table, Use, spline_rows};
use crate::{ProbeError, RecordingError};

/// Most numbers of recorded markers that are held: 128 MB.
const MOST_NUMBERS: usize = 16 << 20;

/// Places of markers over time.
pub struct MarkerFrames {
    /// The points of the model that the columns are named by, as targets with weights.
    pub targets: Vec<MotionTarget>,
    /// Times [s].
    pub times: Vec<f64>,
    /// Places at each of these [m]; `None` where a marker was not seen.
    pub places: Vec<Vec<Option<Vec3>>>,
    /// Columns that are none.
    pub others: Vec<String>,
}

/// Reads places of markers (.trc, .csv, .mot, .sto): columns that are named as [`desired_motion`](crate::desired_motion) has
/// points.
///
/// # Errors
/// A file that cannot be read, has no such column, or more rows than are held.
pub fn marker_frames(
    recording: impl Into<Recording>,
    model: &Model,
) -> Result<MarkerFrames, ProbeError> {
    let recording = recording.into();
    let named = |source| recording.named(source);
    let is_point = |target: &MotionTarget| matches!(target.kind, TargetKind::Point(_));
    let mut columns = Columns::of(&recording, model, &is_point)?;
    let (times, rows) = all_rows(&mut columns.selected).map_err(named)?;
    let place =
        |row: &[f64]| row.iter().all(|x| x.is_finite()).then(|| Vec3::from_column_slice(row));
    let places = rows.iter().map(|row| row.chunks_exact(3).map(place).collect()).collect();
    let Columns { targets, others, .. } = columns;
    Ok(MarkerFrames { targets, times, places, others })
}

/// All rows with their times [s].
fn all_rows(selected: &mut Selected) -> Result<(Vec<f64>, Vec<Vec<f64>>), RecordingError> {
    let most = MOST_NUMBERS / (selected.width() + 1);
    let (mut times, mut rows, mut values) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(time) = selected.next(&mut values)? {
        if rows.len() == most {
            return Err(selected.error(format!("more than {most} rows of markers: cut the file")));
        }
        times.push(time);
        rows.push(values.clone());
    }
    match rows.is_empty() {
        true => Err(RecordingError::Empty { path: selected.path().to_owned() }),
        false => Ok((times, rows)),
    }
}

/// Motions of joints over time.
pub struct JointFrames {
    /// The coordinates.
    pub coordinates: Vec<JointCoordinate>,
    /// Their values, rates and accelerations at the rows of the file: of natural cubic splines through the values, whose
    /// accelerations are zero in the first row and the last.
    pub frames: Vec<JointMotion>,
    /// Columns that are none.
    pub others: Vec<String>,
}

/// Reads motions of joints (.mot, .sto, .csv): columns that are named as [`desired_motion`](crate::desired_motion) has
/// coordinates. Gaps are closed by lines.
///
/// # Errors
/// A file that cannot be read, has no such column, or more rows than a spline takes.
pub fn joint_frames(
    recording: impl Into<Recording>,
    model: &Model,
) -> Result<JointFrames, ProbeError> {
    let recording = recording.into();
    let named = |source| recording.named(source);
    let is_coordinate = |target: &MotionTarget| matches!(target.kind, TargetKind::Coordinate(_));
    let columns = Columns::of(&recording, model, &is_coordinate)?;
    let mut closed = Closed::new(columns.selected, Gaps::Interpolate);
    let rows = spline_rows(&mut closed).map_err(named)?;
    let times: Vec<f64> = rows.iter().map(|row| row.time).collect();
    let mut frames: Vec<JointMotion> = Vec::new();
    for row in &rows {
        let (values, rates) = (row.values.clone(), row.slopes.clone());
        frames.push(JointMotion { time: row.time, values, rates, accelerations: Vec::new() });
    }
    for k in 0..columns.targets.len() {
        let values: Vec<f64> = rows.iter().map(|row| row.values[k]).collect();
        let bends = spline_bends(&times, &values);
        frames.iter_mut().zip(bends).for_each(|(frame, bend)| frame.accelerations.push(bend));
    }
    let coordinates = columns.targets.iter().filter_map(|target| match &target.kind {
        TargetKind::Coordinate(of) => Some(of.clone()),
        _ => None,
    });
    Ok(JointFrames { coordinates: coordinates.collect(), frames, others: columns.others })
}

/// Second derivatives \[1/s²\] of the natural cubic spline through `values` at its rows.
fn spline_bends(times: &[f64], values: &[f64]) -> Vec<f64> {
    let slopes = spline_slopes(times, values);
    let mut bends = vec![0.0; times.len()];
    for k in 1..times.len().saturating_sub(1) {
        let h = times[k + 1] - times[k];
        let rise = (values[k + 1] - values[k]) / h;
        bends[k] = (6.0 * rise - 4.0 * slopes[k] - 2.0 * slopes[k + 1]) / h;
    }
    bends
}

/// A body with the first columns of its force, its point and its moment.
type LoadedBody = (Handle<RigidBody>, [Option<usize>; 3]);

/// Forces on bodies over time.
pub struct ExternalLoads {
    /// The file, in errors.
    probe: String,
    bodies: Vec<LoadedBody>,
    table: Table,
    values: Vec<f64>,
}

/// Names of the vectors of a load.
const PARTS: [&str; 3] = ["force", "point", "moment"];
/// Names of their components.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads forces on bodies (.mot, .sto, .csv): columns `BODY:force.x`, `.y`, `.z` [N], `BODY:point.x`, .. [m] where it acts in
/// the world, `BODY:moment.x`, .. [N m] about that point, BODY the path of a body. Between rows they are on lines.
///
/// # Errors
/// A file that cannot be read; a column that is none of these; a force without a point.
pub fn external_loads(
    recording: impl Into<Recording>,
    model: &Model,
) -> Result<ExternalLoads, ProbeError> {
    let recording = recording.into();
    let named = |source| recording.named(source);
    let rows = recording.open().map_err(named)?;
    let columns = rows.heading().columns.clone();
    let probe = recording.path().display().to_string();
    let bodies = bodies_of(&columns, model)
        .map_err(|what| ProbeError::Field { probe: probe.clone(), what })?;
    let how = Use {
        interpolation: Interpolation::Linear,
        extension: Extension::Hold,
        start: 0.0,
        stop: f64::INFINITY,
        stretch: 1.0,
        cut: false,
    };
    let selected = Selected::new(recording.path(), rows, &columns).map_err(named)?;
    let table = Table::new(Closed::new(selected, Gaps::Interpolate), how).map_err(named)?;
    Ok(ExternalLoads { bodies, values: vec![0.0; columns.len()], table, probe })
}

/// The bodies that columns are forces on; an error in words for columns that are none, or a force without a point.
fn bodies_of(columns: &[String], model: &Model) -> Result<Vec<LoadedBody>, String> {
    let mut bodies: Vec<LoadedBody> = Vec::new();
    for (first, triple) in columns.chunks(3).enumerate() {
        let (body, part) = load_of(triple, model).ok_or_else(|| {
            format!(
                "'{}' begins no vector of a load: name columns BODY:force.x, .y, .z, BODY:point.x, .. and BODY:moment.x, \
                 .., BODY the path of a rigid body",
                triple[0]
            )
        })?;
        let at = bodies.iter().position(|(known, _)| *known == body).unwrap_or_else(|| {
            bodies.push((body, [None; 3]));
            bodies.len() - 1
        });
        bodies[at].1[part] = Some(3 * first);
    }
    let is_half = |(_, [force, point, _]): &&LoadedBody| force.is_some() != point.is_some();
    match bodies.iter().find(is_half) {
        Some((body, _)) => {
            let path = model.path(*body);
            Err(format!("'{path}' needs both its force and the point where it acts"))
        }
        None => Ok(bodies),
    }
}

/// The body and the part that three columns are the vector of.
fn load_of(columns: &[String], model: &Model) -> Option<(Handle<RigidBody>, usize)> {
    let (host, _) = columns.first()?.rsplit_once(':')?;
    let is = |part: &str| columns.iter().eq(&AXES.map(|axis| format!("{host}:{part}.{axis}")));
    let part = PARTS.iter().position(|part| is(part))?;
    Some((model.find_handle::<RigidBody>(host).ok()?, part))
}

impl ExternalLoads {
    /// The loads at a time [s].
    ///
    /// # Errors
    /// A row that cannot be read.
    pub fn at(&mut self, time: f64) -> Result<Vec<ExternalForce>, ProbeError> {
        let Self { probe, bodies, table, values } = self;
        let named = |error: CallbackError| ProbeError::Field {
            probe: probe.clone(),
            what: error.to_string(),
        };
        table.sample([time, time], values).map_err(named)?;
        let vector = |first: &Option<usize>| {
            first.map_or_else(Vec3::zeros, |k| Vec3::from_column_slice(&values[k..k + 3]))
        };
        let force = |(body, [force, point, moment]): &(Handle<RigidBody>, [Option<usize>; 3])| {
            let [force, point, moment] = [force, point, moment].map(vector);
            ExternalForce { body: *body, force, point, moment }
        };
        Ok(bodies.iter().map(force).collect())
    }

    /// The loads at the instants of motions of joints.
    ///
    /// # Errors
    /// A row that cannot be read.
    pub fn at_frames(
        &mut self,
        frames: &[JointMotion],
    ) -> Result<Vec<Vec<ExternalForce>>, ProbeError> {
        frames.iter().map(|frame| self.at(frame.time)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bends_of_a_spline_through_even_rows_of_a_sine_are_its_own() {
        let times: Vec<f64> = (0..=400).map(|k| 0.005 * f64::from(k)).collect();
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
        let bends = spline_bends(&times, &values);
        for (t, bend) in times.iter().zip(&bends).skip(20).take(360) {
            let expected = -9.0 * (3.0 * t).sin();
            assert!((bend - expected).abs() < 1e-3, "{bend} for {expected} at {t}");
        }
        assert_eq!([bends[0], bends[400]], [0.0; 2]);
    }
}
