//! Properties of the kind of a joint: the name, parameters by name, the compliance of its rows, and
//! range, lock and compliance of each coordinate.

use std::f64::consts::FRAC_PI_2;

use super::coordinate_parts::{
    compliance_items, coordinate_part, limit_items, path_items, put_coordinate_part, value_item,
};
use super::joint_state::value_table;
use crate::Vec3;
use crate::component::Invalidates;
use crate::constraint::{
    Compliance, CoordinateSpec, EllipsoidNormal, EllipsoidShape, JointKind, JointParameters,
    JointSettings, Quantity,
};
use crate::kinds::Joint;
use crate::property::{
    Item, ItemAccess, Property, PropertyType, PropertyValue, Put, Range, Refusal, Value, choices,
    composite, properties, taken,
};

/// The name of a kind of joint, as a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KindName(&'static str);

impl PropertyValue for KindName {
    const TYPE: PropertyType = PropertyType::Choice(&JointKind::NAMES);

    fn to_value(&self) -> Value {
        Value::Choice(self.0)
    }

    fn from_value(value: &Value) -> Option<Self> {
        value.word_of(&JointKind::NAMES).map(Self)
    }
}

/// Puts a kind, rigid and with its default parameters and ranges, in place of another one.
fn put_kind(settings: &mut JointSettings, name: &str) -> Put {
    if settings.kind.name() != name {
        *settings = JointSettings::new(JointKind::from_name(name).ok_or(Refusal::Absent)?);
    }
    Ok(())
}

choices!(EllipsoidNormal { Surface => "surface", Scaled => "scaled" });

/// Lines for the kind and its parameters.
pub(super) fn kind_table() -> Vec<Property<Joint>> {
    let mut table = Vec::new();
    properties! { @lines table Joint;
        "kind": KindName = KindName("solid"), "", FINITE, STRUCTURE, "Kind (docs/reference/joints.md); another one begins rigid, with its default parameters and ranges",
            replacing (|joint: &Joint| Some(KindName(joint.settings.kind.name())), |joint: &mut Joint, kind: KindName| put_kind(&mut joint.settings, kind.0));
        ..composite("kind", Invalidates::STRUCTURE, parameters(), &PARAMETERS);
    }
    table
}

/// Parameters of the kinds that have some.
fn parameters() -> [Item; 4] {
    let shape = EllipsoidShape::default();
    let item = |name, value_type, unit, range, default, doc| Item {
        name,
        value_type,
        unit,
        range,
        default,
        doc,
    };
    let (real, angle) = (PropertyType::Real, Range::open(-FRAC_PI_2, FRAC_PI_2));
    let axes = Value::Vector(shape.semi_axes.into());
    let wing = "Angle about z from the x axis of C to the axis of phi, of an ellipsoid joint";
    let normal = "What the z axis of C follows on an ellipsoid: the normal of the surface, or \
                  (x/a, y/b, z/c)";
    [
        item(
            "skew_angle",
            real,
            "rad",
            angle,
            Value::Real(0.0),
            "Angle of a skewed universal joint",
        ),
        item(
            "semi_axes",
            PropertyType::Vector,
            "m",
            Range::POSITIVE,
            axes,
            "Semi-axes of an ellipsoid joint along x, y, z of D",
        ),
        item("wing_angle", real, "rad", Range::FINITE, Value::Real(shape.wing_angle), wing),
        item("normal", EllipsoidNormal::TYPE, "", Range::FINITE, shape.normal.to_value(), normal),
    ]
}

const PARAMETERS: ItemAccess<Joint> = ItemAccess {
    get: |joint, name| parameter(&joint.settings.kind, name),
    set: Some(|joint, name, value| put_parameter(&mut joint.settings.kind, name, value)),
    check: Some(Joint::check_settings),
};

fn parameter(kind: &JointKind, name: &str) -> Option<Value> {
    let mut kind = *kind;
    match (kind.parameters_mut(), name) {
        (JointParameters::Skew(skew), "skew_angle") => Some(Value::Real(skew.skew_angle)),
        (JointParameters::Ellipsoid(shape), "semi_axes") => {
            Some(Value::Vector(shape.semi_axes.into()))
        }
        (JointParameters::Ellipsoid(shape), "wing_angle") => Some(Value::Real(shape.wing_angle)),
        (JointParameters::Ellipsoid(shape), "normal") => Some(shape.normal.to_value()),
        (JointParameters::None | JointParameters::Skew(_) | JointParameters::Ellipsoid(_), _) => {
            None
        }
    }
}

fn put_parameter(kind: &mut JointKind, name: &str, value: &Value) -> Put {
    match (kind.parameters_mut(), name) {
        (JointParameters::Skew(skew), "skew_angle") => skew.skew_angle = taken(value)?,
        (JointParameters::Ellipsoid(shape), "semi_axes") => {
            shape.semi_axes = taken::<Vec3>(value)?.into();
        }
        (JointParameters::Ellipsoid(shape), "wing_angle") => shape.wing_angle = taken(value)?,
        (JointParameters::Ellipsoid(shape), "normal") => shape.normal = taken(value)?,
        (JointParameters::None | JointParameters::Skew(_) | JointParameters::Ellipsoid(_), _) => {
            return Err(Refusal::Absent);
        }
    }
    Ok(())
}

/// Lines for rows and coordinates.
pub(super) fn row_table() -> Vec<Property<Joint>> {
    let mut table = Vec::new();
    properties! { @lines table Joint;
        "compliance": Vec<f64> = Vec::new(), "m/N, rad/(N m)", NOT_NEGATIVE, PARAMETER, "Compliance of each of its rows, in the order of its kind",
            via (|joint: &Joint| Some(row_values(joint, |row| row.compliance)), |joint: &mut Joint, list: Vec<f64>| put_row_values(joint, &list, |row, x| row.compliance = x)), check Joint::check_settings;
        "damping": Vec<f64> = Vec::new(), "N s/m, N m s/rad", NOT_NEGATIVE, PARAMETER, "Damping of each of its rows, of effect where the compliance is not zero",
            via (|joint: &Joint| Some(row_values(joint, |row| row.damping)), |joint: &mut Joint, list: Vec<f64>| put_row_values(joint, &list, |row, x| row.damping = x)), check Joint::check_settings;
        ..value_table(coordinate_items(value_item));
        ..composite("coordinate", Invalidates::STRUCTURE, coordinate_items(limit_items), &COORDINATES);
        ..composite("coordinate", Invalidates::STRUCTURE, coordinate_items(path_items), &COORDINATES);
        ..composite("coordinate", Invalidates::PARAMETER, coordinate_items(compliance_items), &COORDINATES);
    }
    table
}

fn row_values(joint: &Joint, part: fn(&Compliance) -> f64) -> Vec<f64> {
    joint.settings.rows.iter().map(part).collect()
}

fn put_row_values(joint: &mut Joint, list: &[f64], put: fn(&mut Compliance, f64)) -> Put {
    let rows = &mut joint.settings.rows;
    if list.len() != rows.len() {
        return Err(Refusal::Value("it must be one number for each row of its kind"));
    }
    rows.iter_mut().zip(list).for_each(|(row, &x)| put(row, x));
    Ok(())
}

/// Items of every coordinate by its name, for every name that a kind of joint gives to one. A name is kept for good: a table
/// is made once.
fn coordinate_items(parts: fn(Option<Quantity>) -> Vec<Item>) -> Vec<Item> {
    let kinds = JointKind::ALL;
    let specs = kinds.iter().flat_map(JointKind::coordinate_specs);
    // Of one name the first counts; a name is a length in all kinds, or an angle in all.
    let named = |spec: &CoordinateSpec, item: Item| {
        let name = Box::leak(format!("{}.{}", spec.name, item.name).into_boxed_str());
        Item { name, ..item }
    };
    specs
        .flat_map(|spec| parts(Some(spec.quantity)).into_iter().map(|it| named(spec, it)))
        .collect()
}

const COORDINATES: ItemAccess<Joint> = ItemAccess {
    get: |joint, name| {
        let (at, part) = place(&joint.settings.kind, name)?;
        coordinate_part(joint.settings.coordinates.get(at)?, part)
    },
    set: Some(|joint, name, value| {
        let (at, part) = place(&joint.settings.kind, name).ok_or(Refusal::Absent)?;
        let it = joint.settings.coordinates.get_mut(at).ok_or(Refusal::Absent)?;
        put_coordinate_part(it, part, value)
    }),
    check: Some(Joint::check_settings),
};

/// Number of the coordinate and which part of it `theta.lower` is.
fn place<'n>(kind: &JointKind, name: &'n str) -> Option<(usize, &'n str)> {
    let (coordinate, part) = name.split_once('.')?;
    let at = kind.coordinate_specs().iter().position(|spec| spec.name == coordinate)?;
    Some((at, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_of_one_name_is_a_length_in_all_kinds_or_an_angle_in_all() {
        let kinds = JointKind::ALL;
        let specs = || kinds.iter().flat_map(JointKind::coordinate_specs);
        for spec in specs() {
            let same = specs().filter(|other| other.name == spec.name);
            assert!(same.clone().all(|other| other.quantity == spec.quantity), "{}", spec.name);
        }
    }
}
