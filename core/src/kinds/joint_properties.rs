//! Properties of the kind of a joint: the name, parameters by name, the compliance of its rows, and
//! range, lock and compliance of each coordinate.

use std::f64::consts::FRAC_PI_2;

use super::joint_state::{value_item, value_table};
use crate::Vec3;
use crate::component::Invalidates;
use crate::constraint::{
    Compliance, CoordinateKeyframe, CoordinateSettings, EllipsoidNormal, EllipsoidShape, JointKind,
    JointParameters, JointSettings, KeyframeInterpolation, Quantity,
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

choices!(KeyframeInterpolation { Linear => "linear", Spline => "spline", Polynomial => "polynomial" });

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
        ..value_table(coordinate_items(value_of));
        ..composite("coordinate", Invalidates::STRUCTURE, coordinate_items(limits_of), &COORDINATES);
        ..composite("coordinate", Invalidates::STRUCTURE, coordinate_items(paths_of), &COORDINATES);
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

/// Properties of a coordinate by its name and quantity, for every name that a kind of joint gives
/// to one.
fn coordinate_items<const N: usize>(parts: fn(&str, Quantity) -> [Item; N]) -> Vec<Item> {
    let kinds = JointKind::ALL;
    let specs = kinds.iter().flat_map(JointKind::coordinate_specs);
    // Of one name the first counts; a name is a length in all kinds, or an angle in all.
    specs.flat_map(|spec| parts(&spec.name, spec.quantity)).collect()
}

/// `theta.lower` and the like. Its name is kept for good: a table is made once.
fn coordinate_item(name: &str, part: &str, item: Item) -> Item {
    Item { name: Box::leak(format!("{name}.{part}").into_boxed_str()), ..item }
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Length => "m",
        Quantity::Angle => "rad",
    }
}

fn value_of(name: &str, quantity: Quantity) -> [Item; 1] {
    [coordinate_item(name, "value", value_item("", unit(quantity)))]
}

fn limits_of(name: &str, quantity: Quantity) -> [Item; 3] {
    let unit = unit(quantity);
    let end = |default, doc| Item {
        name: "",
        value_type: PropertyType::Real,
        unit,
        range: Range::ANY,
        default: Value::Real(default),
        doc,
    };
    let locked = Item {
        name: "",
        value_type: PropertyType::Bool,
        unit: "",
        range: Range::FINITE,
        default: Value::Bool(false),
        doc: "True if the coordinate is locked at its value, or goes through its keyframes",
    };
    [
        coordinate_item(name, "lower", end(f64::NEG_INFINITY, "Least value of the coordinate")),
        coordinate_item(name, "upper", end(f64::INFINITY, "Greatest value of the coordinate")),
        coordinate_item(name, "locked", locked),
    ]
}

fn paths_of(name: &str, quantity: Quantity) -> [Item; 2] {
    let keyframes = Item {
        name: "",
        value_type: Vec::<f64>::TYPE,
        unit: if quantity == Quantity::Length { "s, m (pairs)" } else { "s, rad (pairs)" },
        range: Range::FINITE,
        default: Vec::<f64>::new().to_value(),
        doc: "Path of the coordinate where it is locked: time and value of each keyframe in turn",
    };
    let interpolation = Item {
        name: "",
        value_type: KeyframeInterpolation::TYPE,
        unit: "",
        range: Range::FINITE,
        default: KeyframeInterpolation::Linear.to_value(),
        doc: "Motion between two keyframes, as that of bodies",
    };
    [
        coordinate_item(name, "keyframes", keyframes),
        coordinate_item(name, "keyframe_interpolation", interpolation),
    ]
}

fn compliance_items(name: &str, quantity: Quantity) -> [Item; 3] {
    let [compliance, damping] = match quantity {
        Quantity::Length => ["m/N", "N s/m"],
        Quantity::Angle => ["rad/(N m)", "N m s/rad"],
    };
    let number = |unit, doc| Item {
        name: "",
        value_type: PropertyType::Real,
        unit,
        range: Range::NOT_NEGATIVE,
        default: Value::Real(0.0),
        doc,
    };
    [
        coordinate_item(
            name,
            "compliance",
            number(compliance, "Compliance of its limits and lock"),
        ),
        coordinate_item(name, "damping", number(damping, "Damping of its limits and lock")),
        coordinate_item(
            name,
            "restitution",
            Item {
                range: Range::UNIT,
                ..number("-", "Rate at which it leaves a limit after an impact over that before")
            },
        ),
    ]
}

const COORDINATES: ItemAccess<Joint> = ItemAccess {
    get: |joint, name| {
        let (at, part) = place(&joint.settings.kind, name)?;
        let settings = joint.settings.coordinates.get(at)?;
        let CoordinateSettings { range, locked, compliance, restitution, .. } = settings;
        Some(match part {
            "lower" => Value::Real(range.lower.unwrap_or(f64::NEG_INFINITY)),
            "upper" => Value::Real(range.upper.unwrap_or(f64::INFINITY)),
            "locked" => Value::Bool(*locked),
            "keyframes" => keyframe_list(settings).to_value(),
            "keyframe_interpolation" => settings.keyframe_interpolation.to_value(),
            "compliance" => Value::Real(compliance.compliance),
            "damping" => Value::Real(compliance.damping),
            "restitution" => Value::Real(*restitution),
            _ => return None,
        })
    },
    set: Some(|joint, name, value| {
        let (at, part) = place(&joint.settings.kind, name).ok_or(Refusal::Absent)?;
        let it = joint.settings.coordinates.get_mut(at).ok_or(Refusal::Absent)?;
        match part {
            "lower" => it.range.lower = limit(taken(value)?, f64::NEG_INFINITY),
            "upper" => it.range.upper = limit(taken(value)?, f64::INFINITY),
            "locked" => it.locked = taken(value)?,
            "keyframes" => it.keyframes = keyframes_of(&taken::<Vec<f64>>(value)?)?,
            "keyframe_interpolation" => it.keyframe_interpolation = taken(value)?,
            "compliance" => it.compliance.compliance = taken(value)?,
            "damping" => it.compliance.damping = taken(value)?,
            "restitution" => it.restitution = taken(value)?,
            _ => return Err(Refusal::Absent),
        }
        Ok(())
    }),
    check: Some(Joint::check_settings),
};

/// Keyframes as a list: time and value of each in turn.
fn keyframe_list(settings: &CoordinateSettings) -> Vec<f64> {
    settings.keyframes.iter().flat_map(|it| [it.time, it.value]).collect()
}

fn keyframes_of(list: &[f64]) -> Result<Vec<CoordinateKeyframe>, Refusal> {
    match list.as_chunks::<2>() {
        (rows, []) => {
            Ok(rows.iter().map(|&[time, value]| CoordinateKeyframe { time, value }).collect())
        }
        _ => Err(Refusal::Value("it must be a time and a value for every keyframe")),
    }
}

/// Number of the coordinate and which part of it `theta.lower` is.
fn place<'n>(kind: &JointKind, name: &'n str) -> Option<(usize, &'n str)> {
    let (coordinate, part) = name.split_once('.')?;
    let at = kind.coordinate_specs().iter().position(|spec| spec.name == coordinate)?;
    Some((at, part))
}

/// The end of a range; infinity on its side is no limit.
fn limit(end: f64, none: f64) -> Option<f64> {
    (end != none).then_some(end)
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
