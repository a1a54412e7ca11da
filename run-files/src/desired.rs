//! Motions of a file that inverse control is to make: columns that are named by their targets, or
//! by a marker.

use std::path::Path;

use sinew::inverse::MotionTarget;
use sinew::model::{FrameMarker, Model};
use sinew::property::PropertyRef;

use crate::attach::scale;
use crate::gaps::Closed;
use crate::read;
use crate::select::Selected;
use crate::spec::{Extension, Gaps, Interpolation};
use crate::table::{Table, Use};
use crate::{ProbeError, RecordingError};
use sinew::formula::part_names;

/// The motions of a file, each with its target.
pub struct DesiredMotion {
    /// Targets that follow them, in the order of the columns.
    pub targets: Vec<MotionTarget>,
    /// Their numbers over time, between rows on a cubic.
    pub table: Table,
    /// First and last time of the file [s].
    pub span: [f64; 2],
    /// Columns that are none.
    pub others: Vec<String>,
}

/// Finds the motions of a file (.csv, .trc, .mot, .sto, .txt): columns that are named as an output probe names `position`
/// of a point or a body, `orientation` of a body or the value of a coordinate; or `NAME.x`, `NAME.y`, `NAME.z` after the
/// name of a frame marker that only one has. Gaps are closed by lines; beyond its ends the file holds.
///
/// # Errors
/// A file that cannot be read, or has no such column.
pub fn desired_motion(path: &Path, model: &Model) -> Result<DesiredMotion, ProbeError> {
    let named = |source| ProbeError::File { probe: path.display().to_string(), source };
    let rows = read::open(path).map_err(named)?;
    let (degrees, columns) = (rows.heading().degrees, rows.heading().columns.clone());
    let (mut targets, mut properties, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut others, mut rest) = (Vec::new(), &columns[..]);
    while let Some((column, after)) = rest.split_first() {
        match target_at(rest, model) {
            Some((target, property)) => {
                names.extend_from_slice(&rest[..target.size()]);
                rest = &rest[target.size()..];
                targets.push(target);
                properties.push(property);
            }
            None => {
                others.push(column.clone());
                rest = after;
            }
        }
    }
    if targets.is_empty() {
        return Err(none_of(path, &columns));
    }
    let span = span_of(path).map_err(named)?;
    let mut selected = Selected::new(path, rows, &names).map_err(named)?;
    scale(&mut selected, &properties, 1.0, degrees);
    let how = Use {
        interpolation: Interpolation::Cubic,
        extension: Extension::Hold,
        start: 0.0,
        stop: f64::INFINITY,
        stretch: 1.0,
        cut: false,
    };
    let table = Table::new(Closed::new(selected, Gaps::Interpolate), how).map_err(named)?;
    Ok(DesiredMotion { targets, table, span, others })
}

/// Error for a file without a column that can be followed.
fn none_of(path: &Path, columns: &[String]) -> ProbeError {
    let what = format!(
        "none of its columns ({}) is named by a motion that can be followed: name them \
         PATH:position.x, .y, .z, PATH:orientation.x, .y, .z or PATH:coordinate.NAME.value",
        columns.join(", ")
    );
    ProbeError::Field { probe: path.display().to_string(), what }
}

/// The target that the first columns are, and its property.
fn target_at(columns: &[String], model: &Model) -> Option<(MotionTarget, PropertyRef)> {
    let found = |path: &str| {
        let target = MotionTarget::at(model, path).ok()?;
        Some((target, model.property(path).ok()?))
    };
    let first = columns.first()?;
    if let Some(scalar) = found(first).filter(|(target, _)| target.size() == 1) {
        return Some(scalar);
    }
    let (path, _) = first.rsplit_once('.')?;
    let (target, property) = found(path).or_else(|| found(&marker_path(path, model)?))?;
    let parts = part_names(property.info().value_type);
    let named = columns.iter().zip(parts).all(|(it, part)| *it == format!("{path}.{part}"));
    (columns.len() >= parts.len() && named).then_some((target, property))
}

/// The position of the only frame marker of a name.
fn marker_path(name: &str, model: &Model) -> Option<String> {
    let mut known = model.iter::<FrameMarker>().filter(|(_, marker)| marker.name == name);
    let (marker, _) = known.next()?;
    known.next().is_none().then(|| format!("{}:position", model.path(marker)))
}

/// First and last time of a file [s].
fn span_of(path: &Path) -> Result<[f64; 2], RecordingError> {
    let mut rows = Selected::new(path, read::open(path)?, &[])?;
    let (mut span, mut values) = ([f64::INFINITY, f64::NEG_INFINITY], Vec::new());
    while let Some(time) = rows.next(&mut values)? {
        span = [span[0].min(time), span[1].max(time)];
    }
    Ok(span)
}
