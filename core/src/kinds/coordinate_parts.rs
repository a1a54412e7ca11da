//! Properties of a coordinate of a joint: its value, range, lock, path, compliance. They are the same for joints of a kind and
//! custom ones.

use crate::constraint::{CoordinateKeyframe, CoordinateSettings, KeyframeInterpolation, Quantity};
use crate::property::{
    Item, PropertyType, PropertyValue, Put, Range, Refusal, Value, choices, taken,
};

choices!(KeyframeInterpolation { Linear => "linear", Spline => "spline", Polynomial => "polynomial" });

/// The unit of a quantity, or both, for a coordinate that is not known.
fn unit(quantity: Option<Quantity>, [length, angle, both]: [&'static str; 3]) -> &'static str {
    match quantity {
        Some(Quantity::Length) => length,
        Some(Quantity::Angle) => angle,
        None => both,
    }
}

/// The value of a coordinate, which a running simulation sets.
pub(super) fn value_item(quantity: Option<Quantity>) -> Vec<Item> {
    let doc = "Value of the coordinate; setting it in a simulation moves what hangs on frame C, or, \
               where that is fixed, on frame D";
    let (value_type, range, default) = (PropertyType::Real, Range::FINITE, Value::Real(0.0));
    let unit = unit(quantity, ["m", "rad", "m, rad"]);
    vec![Item { name: "value", value_type, unit, range, default, doc }]
}

/// Its range and its lock.
pub(super) fn limit_items(quantity: Option<Quantity>) -> Vec<Item> {
    let unit = unit(quantity, ["m", "rad", "m, rad"]);
    let end = |name, default, doc| Item {
        name,
        value_type: PropertyType::Real,
        unit,
        range: Range::ANY,
        default: Value::Real(default),
        doc,
    };
    let locked = Item {
        name: "locked",
        value_type: PropertyType::Bool,
        unit: "",
        range: Range::FINITE,
        default: Value::Bool(false),
        doc: "True if the coordinate is locked at its value, or goes through its keyframes",
    };
    vec![
        end("lower", f64::NEG_INFINITY, "Least value of the coordinate"),
        end("upper", f64::INFINITY, "Greatest value of the coordinate"),
        locked,
    ]
}

/// Its path.
pub(super) fn path_items(quantity: Option<Quantity>) -> Vec<Item> {
    let keyframes = Item {
        name: "keyframes",
        value_type: Vec::<f64>::TYPE,
        unit: unit(quantity, ["s, m (pairs)", "s, rad (pairs)", "s, m, rad (pairs)"]),
        range: Range::FINITE,
        default: Vec::<f64>::new().to_value(),
        doc: "Path of the coordinate where it is locked: time and value of each keyframe in turn",
    };
    let interpolation = Item {
        name: "keyframe_interpolation",
        value_type: KeyframeInterpolation::TYPE,
        unit: "",
        range: Range::FINITE,
        default: KeyframeInterpolation::Linear.to_value(),
        doc: "Motion between two keyframes, as that of bodies",
    };
    vec![keyframes, interpolation]
}

/// Compliance and restitution of its limits and its lock.
pub(super) fn compliance_items(quantity: Option<Quantity>) -> Vec<Item> {
    let number = |name, unit, range, doc| Item {
        name,
        value_type: PropertyType::Real,
        unit,
        range,
        default: Value::Real(0.0),
        doc,
    };
    let compliance = unit(quantity, ["m/N", "rad/(N m)", "m/N, rad/(N m)"]);
    let damping = unit(quantity, ["N s/m", "N m s/rad", "N s/m, N m s/rad"]);
    vec![
        number("compliance", compliance, Range::NOT_NEGATIVE, "Compliance of its limits and lock"),
        number("damping", damping, Range::NOT_NEGATIVE, "Damping of its limits and lock"),
        number(
            "restitution",
            "-",
            Range::UNIT,
            "Rate at which it leaves a limit after an impact over that before",
        ),
    ]
}

/// The value of a part of the settings of a coordinate.
pub(super) fn coordinate_part(settings: &CoordinateSettings, part: &str) -> Option<Value> {
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
}

/// Sets a part of the settings of a coordinate.
pub(super) fn put_coordinate_part(it: &mut CoordinateSettings, part: &str, value: &Value) -> Put {
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
}

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

/// The end of a range; infinity on its side is no limit.
fn limit(end: f64, none: f64) -> Option<f64> {
    (end != none).then_some(end)
}
