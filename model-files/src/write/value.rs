//! Values of properties as JSON, which TOML is written from too.

use serde_json::{Map, Value as Json};
use sinew::Mat3;
use sinew::component::{Address, ComponentId, FemPart};
use sinew::model::{FemModel, Model, RenderMesh, RigidBody};
use sinew::property::{PropertyInfo, PropertyRef, Setting, Value};

/// A number; JSON has no sign for infinity.
pub(super) fn number(x: f64) -> Json {
    match serde_json::Number::from_f64(x) {
        Some(number) => Json::Number(number),
        None => Json::String(if x > 0.0 { "inf" } else { "-inf" }.into()),
    }
}

pub(super) fn list(numbers: impl Iterator<Item = f64>) -> Json {
    Json::Array(numbers.map(number).collect())
}

pub(super) fn matrix(m: &Mat3) -> Json {
    Json::Array(m.row_iter().map(|row| list(row.iter().copied())).collect())
}

/// The value of a property; paths within the model at `above` are relative to it.
pub(super) fn json(info: &PropertyInfo, value: &Value, above: &str) -> Json {
    match value {
        Value::Bool(it) => (*it).into(),
        Value::Int(it) => (*it).into(),
        Value::Real(x) => number(*x),
        Value::Choice(word) => (*word).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Path(path) => relative(path, above).into(),
        Value::Paths(paths) => {
            paths.iter().map(|path| Json::from(relative(path, above))).collect::<Vec<_>>().into()
        }
        Value::Matrix(m) => matrix(m),
        // The shortest number that is this one among those of 32 bits.
        Value::Colour(c) => list(c.iter().map(|x| x.to_string().parse().unwrap_or(f64::from(*x)))),
        Value::Pose(pose) => {
            let mut table = Map::new();
            table.insert("position".into(), list(pose.translation.vector.iter().copied()));
            let turn = pose.rotation.coords;
            let none = [0.0, 0.0, 0.0, 1.0_f64].map(f64::to_bits);
            if turn.iter().map(|x| x.to_bits()).ne(none) {
                table.insert("quaternion".into(), list(turn.iter().copied()));
            }
            Json::Object(table)
        }
        // Indices have no unit, and are whole.
        Value::List(numbers) if info.unit.is_empty() => {
            numbers.iter().map(|&x| Json::from(x as u64)).collect::<Vec<_>>().into()
        }
        Value::List(numbers) if numbers.len() > 1 && row_length(info.unit) > 1 => {
            let rows = numbers.chunks(row_length(info.unit));
            Json::Array(rows.map(|row| list(row.iter().copied())).collect())
        }
        Value::Vector(_) | Value::List(_) => list(value.numbers()),
    }
}

/// Length of a row of a list: a time and the values at it.
fn row_length(unit: &str) -> usize {
    match unit {
        "s, -" => 2,
        "s, m" => 4,
        "s, m, -" => 8,
        _ => 1,
    }
}

/// A path as it is written in the model at `above`.
pub(super) fn relative(path: &str, above: &str) -> String {
    match path.strip_prefix(above).map(|rest| rest.strip_prefix('/')) {
        Some(Some(rest)) if above != "/" => rest.to_owned(),
        Some(None) if path == above && path != "/" => ".".to_owned(),
        _ => path.to_owned(),
    }
}

/// True if two values are the same to the bit.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    let bits = |value: &Value| value.numbers().map(f64::to_bits).collect::<Vec<_>>();
    std::mem::discriminant(a) == std::mem::discriminant(b)
        && bits(a) == bits(b)
        && (a.numbers().len() > 0 || a == b)
}

/// True if two components have the same settings, and the same meshes.
pub(super) fn same_properties(a: (&Model, ComponentId), b: (&Model, ComponentId)) -> bool {
    let mut hosts: Vec<[Address; 2]> = vec![[a.1.into(), b.1.into()]];
    let fems = (a.1.typed::<FemModel>(), b.1.typed::<FemModel>());
    if let (Some(ours), Some(theirs)) = fems {
        let (Some(x), Some(y)) = (a.0.get(ours), b.0.get(theirs)) else { return false };
        for part in [FemPart::Regions, FemPart::Supports] {
            if x.part_count(part) != y.part_count(part) {
                return false;
            }
            let count = 0..x.part_count(part) as u32;
            hosts.extend(count.map(|k| [part.address(ours, k), part.address(theirs, k)]));
        }
    }
    hosts.iter().all(|[x, y]| same_settings((a.0, *x), (b.0, *y))) && same_meshes(a, b)
}

fn same_settings(a: (&Model, Address), b: (&Model, Address)) -> bool {
    let (ours, theirs) = (a.0.properties(a.1), b.0.properties(b.1));
    let alike = |(x, y): (&PropertyRef, &PropertyRef)| std::ptr::eq(x.info(), y.info());
    if ours.len() != theirs.len() || !ours.iter().zip(&theirs).all(alike) {
        return false;
    }
    let pairs = ours.into_iter().zip(theirs);
    pairs.filter(|(x, _)| !x.info().read_only).all(|(x, y)| {
        match (a.0.setting(&x), b.0.setting(&y)) {
            (Ok(Setting::Explicit(x)), Ok(Setting::Explicit(y))) => same(&x, &y),
            (Ok(x), Ok(y)) => x == y,
            (Err(_), Err(_)) => true,
            _ => false,
        }
    })
}

fn same_meshes(a: (&Model, ComponentId), b: (&Model, ComponentId)) -> bool {
    let fem = |(m, id): (&Model, ComponentId)| {
        id.typed::<FemModel>().and_then(|h| m.get(h)).map(|fem| fem.mesh.clone())
    };
    let body = |(m, id): (&Model, ComponentId)| {
        id.typed::<RigidBody>().and_then(|h| m.get(h)).map(|body| body.mesh.clone())
    };
    let drawn = |(m, id): (&Model, ComponentId)| {
        id.typed::<RenderMesh>().and_then(|h| m.get(h)).map(|drawn| drawn.mesh.clone())
    };
    fem(a) == fem(b) && body(a) == body(b) && drawn(a) == drawn(b)
}
