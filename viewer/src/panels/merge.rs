//! Sheets of several components as one: the properties that all of them have.

use sinew::property::{PropertyInfo, PropertyType, Source, Value};
use sinew::schedule::Assignment;
use sinew::snapshot::{Sheet, SheetRow};

/// Angles that differ by less are the same [deg]: quaternions give them with errors of 1e-14.
pub(super) const TURN: f64 = 1e-9;

/// A property that all components have.
pub(super) struct Common<'s> {
    pub(super) info: &'static PropertyInfo,
    /// That of the first.
    pub(super) value: &'s Value,
    /// True if all have a value of their own, false if none has; `None` where some have.
    pub(super) own: Option<bool>,
    /// True if values differ.
    pub(super) mixed: bool,
    /// True for the [`parts`] that differ between components.
    pub(super) mixed_parts: Vec<bool>,
}

/// Change of a value by the user.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change {
    /// One number of its [`parts`].
    Part(usize, f64),
    /// All of it.
    Whole(Value),
    /// Inherited from now on.
    Inherit,
    /// From now on each has the value that it inherited as its own.
    Own,
}

/// The properties that all sheets have, in the order of the first.
pub(super) fn common(sheets: &[Sheet]) -> Vec<Common<'_>> {
    let Some((first, others)) = sheets.split_first() else { return Vec::new() };
    let one = |(place, row): (usize, &'_ SheetRow)| {
        let rows = others.iter().map(|sheet| find(sheet, row.info, place));
        Some((place, rows.collect::<Option<Vec<_>>>()?))
    };
    let shared = first.rows.iter().enumerate().filter_map(one);
    shared.map(|(place, others)| merged(&first.rows[place], &others)).collect()
}

fn merged<'s>(row: &'s SheetRow, others: &[&SheetRow]) -> Common<'s> {
    let ours = parts(&row.value);
    let mut mixed_parts = vec![false; ours.len()];
    let explicit = |row: &SheetRow| row.source == Source::Explicit;
    let (mut mixed, mut own) = (false, Some(explicit(row)));
    for other in others {
        own = own.filter(|&it| it == explicit(other));
        if other.value != row.value {
            mixed = true;
            let theirs = parts(&other.value);
            let angles = matches!(row.value, Value::Pose(_)).then_some(3..6);
            for (part, (a, b)) in ours.iter().zip(&theirs).enumerate() {
                let room =
                    if angles.as_ref().is_some_and(|it| it.contains(&part)) { TURN } else { 0.0 };
                mixed_parts[part] |= (a - b).abs() > room;
            }
        }
    }
    Common { info: row.info, value: &row.value, own, mixed, mixed_parts }
}

/// The row of a property; components of one kind have it in the same place.
fn find<'s>(sheet: &'s Sheet, info: &PropertyInfo, place: usize) -> Option<&'s SheetRow> {
    let same =
        |row: &&SheetRow| row.info.name == info.name && row.info.value_type == info.value_type;
    sheet.rows.get(place).filter(same).or_else(|| sheet.rows.iter().find(same))
}

/// Assignments that make this change to all components.
pub(super) fn assignments(
    sheets: &[Sheet],
    info: &PropertyInfo,
    change: &Change,
) -> Vec<Assignment> {
    let one = |sheet: &Sheet| {
        let value = match change {
            Change::Inherit => None,
            Change::Whole(value) => Some(value.to_string()),
            Change::Own => Some(find(sheet, info, 0)?.value.to_string()),
            Change::Part(part, x) => {
                let mut numbers = parts(&find(sheet, info, 0)?.value);
                *numbers.get_mut(*part)? = *x;
                Some(whole(info.value_type, &numbers)?.to_string())
            }
        };
        Some(Assignment { path: format!("{}:{}", sheet.path, info.name), value })
    };
    sheets.iter().filter_map(one).collect()
}

/// The numbers of a value as they are edited: a pose is its position [m], and roll, pitch and yaw [deg].
pub(super) fn parts(value: &Value) -> Vec<f64> {
    match value {
        Value::Pose(pose) => {
            let (roll, pitch, yaw) = pose.rotation.euler_angles();
            let angles = [roll, pitch, yaw].map(f64::to_degrees);
            pose.translation.vector.iter().copied().chain(angles).collect()
        }
        _ => value.numbers().collect(),
    }
}

/// The value that these [`parts`] are.
pub(super) fn whole(ty: PropertyType, parts: &[f64]) -> Option<Value> {
    match (ty, parts) {
        (PropertyType::Pose, &[x, y, z, roll, pitch, yaw]) => {
            let [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
            let turn = nalgebra::UnitQuaternion::from_euler_angles(roll, pitch, yaw);
            let place = nalgebra::Translation3::new(x, y, z);
            Some(Value::Pose(nalgebra::Isometry3::from_parts(place, turn)))
        }
        _ => Value::from_numbers(ty, parts),
    }
}
