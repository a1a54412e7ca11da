//! Values of properties from a tree.

use sinew::Vec3;
use sinew::component::word_meant;
use sinew::property::{Pose, PropertyInfo, PropertyType, Value};

use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Table, Tree};
use crate::units::{Factor, Units};

/// A value that was read; `None` for one that was refused already.
pub(crate) type Read<T> = Result<Option<T>, Diagnostic>;

/// The value of a property, in SI.
pub(crate) fn value(
    node: &Node,
    info: &PropertyInfo,
    units: Units,
    factors: &[Factor],
) -> Read<Value> {
    if let Tree::Null = node.value {
        return Ok(None);
    }
    let wrong = || Err(mismatch(node, info));
    Ok(Some(match (info.value_type, &node.value) {
        (PropertyType::Bool, Tree::Bool(it)) => Value::Bool(*it),
        (PropertyType::Int, Tree::Int(it)) => Value::Int(*it),
        (PropertyType::Choice(words), Tree::Text(word)) => {
            Value::Choice(word_meant(words, word).ok_or_else(|| {
                let message = format!("'{word}' is no {}", info.name);
                Diagnostic::unknown(node.span, message, word, words.iter().copied())
            })?)
        }
        (PropertyType::Text, Tree::Text(text)) => Value::Text(text.clone()),
        (PropertyType::Pose, Tree::Table(table)) => return pose(node, table, units),
        (PropertyType::Path | PropertyType::Paths | PropertyType::Choice(_), _) => return wrong(),
        (PropertyType::Bool | PropertyType::Int | PropertyType::Text, _) => return wrong(),
        (ty, _) => {
            let Some(mut numbers) = numbers(node) else { return wrong() };
            let one = info.unit == "s, -" && numbers.len() == 1;
            let factors = if one { &[Factor::ONE][..] } else { factors };
            for (x, factor) in numbers.iter_mut().zip(factors.iter().cycle()) {
                *x = factor.apply(*x);
            }
            match Value::from_numbers(ty, &numbers) {
                Some(value) => value,
                None => return wrong(),
            }
        }
    }))
}

/// The refusal of a value of another type.
pub(crate) fn mismatch(node: &Node, info: &PropertyInfo) -> Diagnostic {
    let asked = match info.value_type {
        PropertyType::Bool => "true or false".to_owned(),
        PropertyType::Int => "a whole number".to_owned(),
        PropertyType::Real => "a number".to_owned(),
        PropertyType::Vector => "three numbers [x, y, z]".to_owned(),
        PropertyType::Matrix => "nine numbers, row by row".to_owned(),
        PropertyType::Pose => {
            "a table of position and quaternion, or of position, axis and angle, or \
             seven numbers"
                .to_owned()
        }
        PropertyType::Choice(_) | PropertyType::Text => "a text".to_owned(),
        PropertyType::Colour => "three numbers from 0 to 1".to_owned(),
        PropertyType::Path => "a path".to_owned(),
        PropertyType::Paths => "a list of paths".to_owned(),
        PropertyType::List => "a list of numbers".to_owned(),
    };
    let message = format!("{} is {asked}, not {}", info.name, node.value.describe());
    Diagnostic::error(node.span, message).help(format!("{}: {}", info.name, info.doc))
}

/// All numbers of a list of lists, in their order; one number is a list of one.
pub(crate) fn numbers(node: &Node) -> Option<Vec<f64>> {
    let mut all = Vec::new();
    gather(node, &mut all).then_some(all)
}

fn gather(node: &Node, all: &mut Vec<f64>) -> bool {
    match &node.value {
        Tree::List(list) => list.iter().all(|item| gather(item, all)),
        _ => node.number().map(|x| all.push(x)).is_some(),
    }
}

/// Vectors of three numbers, times a factor.
pub(crate) fn vectors(node: &Node, factor: Factor) -> Result<Vec<Vec3>, Diagnostic> {
    let list = numbers(node).unwrap_or_else(|| vec![0.0]);
    let (rows, rest) = list.as_chunks::<3>();
    if !rest.is_empty() {
        let message = "a list of points [x, y, z] is asked for";
        return Err(Diagnostic::error(node.span, message));
    }
    Ok(rows.iter().map(|row| Vec3::from(row.map(|x| factor.apply(x)))).collect())
}

/// Whole numbers from 0 on.
pub(crate) fn indices(node: &Node) -> Result<Vec<u32>, Diagnostic> {
    let refused = |at: &Node| {
        let message = format!("a whole number from 0 on is asked for, not {}", at.value.describe());
        Err(Diagnostic::error(at.span, message))
    };
    let mut all = Vec::new();
    let mut open = vec![std::slice::from_ref(node).iter()];
    while let Some(items) = open.last_mut() {
        match items.next() {
            None => {
                open.pop();
            }
            Some(Node { value: Tree::List(list), .. }) => open.push(list.iter()),
            Some(item) => match item.value {
                Tree::Int(x) if u32::try_from(x).is_ok() => all.push(x as u32),
                _ => return refused(item),
            },
        }
    }
    Ok(all)
}

const POSE_KEYS: [&str; 4] = ["position", "quaternion", "axis", "angle"];

/// A pose by its parts: position, and a quaternion i j k w, or an axis and an angle.
fn pose(node: &Node, table: &Table, units: Units) -> Read<Value> {
    let mut parts: [Option<Vec<f64>>; 4] = Default::default();
    for entry in table {
        let Some(at) = POSE_KEYS.iter().position(|key| *key == entry.key) else {
            let message = format!("a pose has no '{}'", entry.key);
            let known = POSE_KEYS.into_iter();
            return Err(Diagnostic::unknown(entry.key_span, message, &entry.key, known));
        };
        let length = [3, 4, 3, 1][at];
        match numbers(&entry.value).filter(|list| list.len() == length) {
            Some(list) => parts[at] = Some(list),
            None => {
                let message = format!("{} is {length} numbers", entry.key);
                return Err(Diagnostic::error(entry.value.span, message));
            }
        }
    }
    let length = units.factor("m");
    let position = parts[0].clone().unwrap_or_else(|| vec![0.0; 3]);
    let place: Vec<f64> = position.into_iter().map(|x| length.apply(x)).collect();
    let turn = match parts {
        [_, Some(quaternion), None, None] => quaternion,
        [_, None, None, None] => vec![0.0, 0.0, 0.0, 1.0],
        [_, None, Some(axis), Some(angle)] => {
            quaternion(node, &axis, units.factor("rad").apply(angle[0]))?
        }
        _ => {
            let message = "a pose turns by a quaternion, or by an axis and an angle";
            return Err(Diagnostic::error(node.span, message));
        }
    };
    let all = [place, turn].concat();
    match Value::from_numbers(PropertyType::Pose, &all) {
        Some(pose) => Ok(Some(pose)),
        None => Err(Diagnostic::error(node.span, "a quaternion i j k w has a length above 0")),
    }
}

/// The quaternion i j k w of a turn about an axis [rad].
fn quaternion(node: &Node, axis: &[f64], angle: f64) -> Result<Vec<f64>, Diagnostic> {
    let axis = nalgebra_axis(axis)
        .ok_or_else(|| Diagnostic::error(node.span, "an axis has a length above 0"))?;
    Ok(Pose::rotation(axis * angle).rotation.coords.iter().copied().collect())
}

/// The direction of a vector.
fn nalgebra_axis(axis: &[f64]) -> Option<Vec3> {
    Vec3::from_column_slice(axis)
        .try_normalize(0.0)
        .filter(|axis| axis.iter().all(|x| x.is_finite()))
}
