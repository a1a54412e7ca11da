//! Motions of a file that inverse control is to make: columns that are named by their targets, or
//! by a marker.

use sinew::inverse::MotionTarget;
use sinew::model::{CustomJoint, FrameMarker, Joint, JointCoordinate, Model};
use sinew::property::PropertyRef;

use crate::gaps::Closed;
use crate::input::scale;
use crate::recording::Recording;
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
    /// First and last time of the recording [s].
    pub span: [f64; 2],
    /// Columns that are none.
    pub others: Vec<String>,
}

/// Finds the motions of a file (.csv, .trc, .mot, .sto, .txt) or of numbers in memory: columns that are named as an output probe names `position`
/// of a point or a body, `orientation` of a body, the value of a coordinate, a force or a sensor; `NAME.x`, `NAME.y`, `NAME.z`
/// after the name of a frame marker that only one has; or a coordinate by its own name or that of its joint, as tables of
/// OpenSim have them. Gaps are closed by lines; beyond its ends the file holds.
///
/// # Errors
/// A file that cannot be read, or has no such column.
pub fn desired_motion(
    recording: impl Into<Recording>,
    model: &Model,
) -> Result<DesiredMotion, ProbeError> {
    let recording = recording.into();
    let named = |source| recording.named(source);
    let Columns { targets, selected, others } = Columns::of(&recording, model, &|_| true)?;
    let span = span_of(&recording).map_err(named)?;
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

/// Columns of a file that are targets, in SI units.
pub(crate) struct Columns {
    /// The targets, in the order of their columns.
    pub(crate) targets: Vec<MotionTarget>,
    /// Their numbers.
    pub(crate) selected: Selected,
    /// The other columns.
    pub(crate) others: Vec<String>,
}

impl Columns {
    /// Those of a file whose targets are wanted.
    ///
    /// # Errors
    /// A file that cannot be read, or has no such column.
    pub(crate) fn of(
        recording: &Recording,
        model: &Model,
        wanted: &dyn Fn(&MotionTarget) -> bool,
    ) -> Result<Self, ProbeError> {
        let named = |source| recording.named(source);
        let rows = recording.open().map_err(named)?;
        let (degrees, columns) = (rows.heading().degrees, rows.heading().columns.clone());
        let (mut targets, mut properties, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let (mut others, mut rest) = (Vec::new(), &columns[..]);
        while let Some((column, after)) = rest.split_first() {
            match target_at(rest, model).filter(|(target, _)| wanted(target)) {
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
            return Err(none_of(recording, &columns));
        }
        let mut selected = Selected::new(recording.path(), rows, &names).map_err(named)?;
        scale(&mut selected, &properties, 1.0, degrees);
        Ok(Self { targets, selected, others })
    }
}

/// Error for a file without a column that can be followed.
fn none_of(recording: &Recording, columns: &[String]) -> ProbeError {
    let what = format!(
        "none of its columns ({}) is named by a motion that can be followed: name them \
         PATH:position.x, .y, .z, PATH:orientation.x, .y, .z, PATH:coordinate.NAME.value, PATH:force.x, .y, .z or PATH:value, of vectors \
         all of .x, .y and .z beside each other",
        columns.join(", ")
    );
    ProbeError::Field { probe: recording.path().display().to_string(), what }
}

/// The target that the first columns are, and its property.
fn target_at(columns: &[String], model: &Model) -> Option<(MotionTarget, PropertyRef)> {
    let found = |path: &str| {
        let target = MotionTarget::at(model, path).ok()?;
        let property = target.property(model).ok()?;
        Some((target, property))
    };
    let first = columns.first()?;
    let named = found(first).or_else(|| found(&coordinate_path(first, model)?));
    if let Some(scalar) = named.filter(|(target, _)| target.size() == 1) {
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

/// All coordinates of the joints of a model, those of joints of a kind first, by their other names where they have some.
pub fn joint_coordinates(model: &Model) -> Vec<JointCoordinate> {
    let joints = model.iter::<Joint>().map(|(handle, _)| handle.id());
    let custom = model.iter::<CustomJoint>().map(|(handle, _)| handle.id());
    let mut found = Vec::new();
    for joint in joints.chain(custom) {
        let name = |property: PropertyRef| {
            let name = property.info().name.strip_prefix("coordinate.")?;
            let of = JointCoordinate::new(joint, name.strip_suffix(".value")?);
            let at = of.index(model)?;
            let of_kind = joint.typed::<Joint>().and_then(|joint| model.get(joint));
            let other = of_kind.and_then(|it| it.coordinate_names.get(at));
            let other = other.filter(|name| !name.is_empty());
            Some(other.map_or(of, |name| JointCoordinate::new(joint, name.as_str())))
        };
        found.extend(model.properties(joint).into_iter().filter_map(name));
    }
    found
}

/// The value of the only coordinate of a name, or of the only coordinate of the only joint of that name: `knee_angle_r`, or
/// `/jointset/knee_r/knee_angle_r/value`.
fn coordinate_path(column: &str, model: &Model) -> Option<String> {
    let known = joint_coordinates(model);
    let joint = |of: &JointCoordinate| model.path(of.joint);
    let of =
        column.strip_suffix("/value").unwrap_or(column).rsplit('/').take(2).find_map(|word| {
            let is_joint = |of: &&JointCoordinate| joint(of).rsplit('/').next() == Some(word);
            only(known.iter().filter(|of| of.coordinate == word))
                .or_else(|| only(known.iter().filter(is_joint)))
        })?;
    Some(of.property_path(model, "value"))
}

/// The only one.
fn only<T>(mut of: impl Iterator<Item = T>) -> Option<T> {
    let first = of.next()?;
    of.next().is_none().then_some(first)
}

/// First and last time of a recording [s].
fn span_of(recording: &Recording) -> Result<[f64; 2], RecordingError> {
    let mut rows = Selected::new(recording.path(), recording.open()?, &[])?;
    let (mut span, mut values) = ([f64::INFINITY, f64::NEG_INFINITY], Vec::new());
    while let Some(time) = rows.next(&mut values)? {
        span = [span[0].min(time), span[1].max(time)];
    }
    Ok(span)
}
