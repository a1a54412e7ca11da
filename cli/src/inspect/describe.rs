//! Everything that is known of a property, and the JSON form of `sinew inspect`.

use serde_json::{Map, Value as Json, json};
use sinew::component::{Address, Invalidates};
use sinew::property::{PropertyRef, PropertyType, Source, Value};

use super::{Target, View};
use crate::load::tree::{child_count, children, kind, name, number};

/// The value now; `None` where there is none.
pub(super) fn value(view: &View<'_>, property: &PropertyRef) -> Option<Value> {
    let value = match &view.simulated {
        Some(simulated) => simulated.get_property(property),
        None => view.model.get_property(property),
    };
    value.ok()
}

/// Source of the value, in one word; and the ancestor that it is inherited from.
pub(super) fn source(view: &View<'_>, property: &PropertyRef) -> (&'static str, Option<String>) {
    match view.model.property_source(property) {
        Ok(Source::Own) => ("own", None),
        Ok(Source::Explicit) => ("explicit", None),
        Ok(Source::Inherited(id)) => ("inherited", Some(view.model.path(id))),
        Ok(Source::Default) => ("default", None),
        Ok(Source::Computed) if property.info().simulated => ("simulated", None),
        Ok(Source::Computed) => ("computed", None),
        Err(_) => ("absent", None),
    }
}

/// The object that is printed.
pub(super) fn json(view: &View<'_>, target: &Target, depth: u16, name: &str) -> Json {
    let mut object = Map::new();
    object.insert("model".to_owned(), json!(name));
    object.insert("time".to_owned(), json!(view.simulated.map(|s| s.state.time)));
    match target {
        Target::Property(property) => {
            object.insert("property".to_owned(), property_json(view, property));
        }
        Target::Host(host) => {
            object.insert("component".to_owned(), component_json(view, *host, depth));
            let properties = view.model.properties(*host);
            let properties: Vec<Json> =
                properties.iter().map(|property| property_json(view, property)).collect();
            object.insert("properties".to_owned(), Json::Array(properties));
        }
    }
    Json::Object(object)
}

fn component_json(view: &View<'_>, at: Address, depth: u16) -> Json {
    let model = view.model;
    let mut object = json!({
        "path": model.path(at),
        "kind": kind(at),
        "number": number(model, at),
        "name": name(model, at),
        "child_count": child_count(model, at),
    });
    if depth > 0 {
        let below = children(model, at);
        let below = below.into_iter().map(|child| component_json(view, child, depth - 1));
        object["children"] = below.collect();
    }
    object
}

fn property_json(view: &View<'_>, property: &PropertyRef) -> Json {
    let info = property.info();
    let (source, from) = source(view, property);
    let choices = match info.value_type {
        PropertyType::Choice(words) => json!(words),
        _ => Json::Null,
    };
    let end = |(x, closed): (f64, bool)| match x.is_finite() {
        true => json!({"value": x, "included": closed}),
        false => Json::Null,
    };
    let numeric = info.value_type.is_numeric() && info.value_type != PropertyType::Bool;
    let range = json!({"low": end(info.range.low()), "high": end(info.range.high())});
    json!({
        "path": view.model.property_path(property),
        "name": info.name,
        "type": info.value_type.name(),
        "choices": choices,
        "numeric_size": info.value_type.numeric_size(),
        "unit": info.unit,
        "range": if numeric { range } else { Json::Null },
        "default": if info.read_only { Json::Null } else { value_json(&info.default) },
        "value": value(view, property).as_ref().map_or(Json::Null, value_json),
        "source": source,
        "inherited_from": from,
        "read_only": info.read_only,
        "inheritable": info.inheritable,
        "simulated": info.simulated,
        "invalidates": stale(info.invalidates),
        "doc": info.doc,
    })
}

fn stale(invalidates: Invalidates) -> Json {
    match invalidates {
        Invalidates::NOTHING => json!([]),
        some => some.describe().split(", ").collect(),
    }
}

/// Numbers as numbers, a vector or matrix as an array.
fn value_json(value: &Value) -> Json {
    match value {
        Value::Bool(it) => json!(it),
        Value::Int(it) => json!(it),
        Value::Real(it) => json!(it),
        Value::Choice(word) => json!(word),
        Value::Text(text) | Value::Path(text) => json!(text),
        Value::Paths(paths) => json!(paths),
        numbers => numbers.numbers().collect(),
    }
}
