//! Parts shared by several tables of the schema: meshes, poses, selections, solids, includes.

use serde_json::{Map, Value as Json, json};
use sinew::component::Kind;
use sinew::fem::ElementKind;
use sinew::property::Declaration;

use super::{RENDER, closed, of_field, of_fields, reference, text};
use crate::fields::{self, DECLARED, DECLARED_KEYS, TYPE};

/// Definitions that others refer to.
pub(super) fn definitions() -> Map<String, Json> {
    let render = fields::of_rendering().iter().find(|field| field.key == RENDER).map(of_field);
    let kinds: Vec<&str> = ElementKind::ALL.into_iter().map(ElementKind::name).collect();
    let mut all = selections();
    all.insert("shape".into(), shape());
    all.insert(DECLARED.into(), declared());
    all.insert("surface".into(), mesh(&crate::read::SURFACE_KEYS));
    let mut volume = mesh(&crate::read::VOLUME_KEYS);
    let kinds = format!("Kinds of element: {}.", kinds.join(", "));
    volume["description"] = kinds.into();
    all.insert("volume".into(), volume);
    all.insert("lists".into(), Json::Object(lists()));
    all.insert("pose".into(), pose());
    all.insert(RENDER.into(), render.unwrap_or(Json::Bool(true)));
    all.insert("include".into(), include());
    all.insert("term".into(), term());
    all.insert(
        "parameter".into(),
        json!({
            "type": "string", "pattern": "^\\$\\{[A-Za-z0-9_]+\\}$",
            "description": "A parameter of the file.",
        }),
    );
    all
}

/// Lists of numbers, or a parameter in their place.
fn numbers() -> Json {
    json!({ "type": "array", "items": { "type": ["number", "array", "string"] } })
}

/// A mesh in a file, or with these keys in place of one.
fn mesh(inline: &[&str]) -> Json {
    let mut properties = Map::new();
    properties.insert("file".into(), text("Path relative to this file."));
    let unit = json!({ "anyOf": [reference("Length"), reference("parameter")] });
    properties.insert("unit".into(), unit);
    properties.insert("sha256".into(), text("Checksum of the file, in hexadecimal digits."));
    properties.insert("name".into(), text("Name of the mesh in a collection of meshes."));
    properties.extend(inline.iter().map(|key| ((*key).to_owned(), key_of_mesh(key))));
    let whole = text("Path of the mesh, relative to this file.");
    json!({ "anyOf": [whole, closed(properties)] })
}

/// Schema of a key of a mesh that stands in the model file.
fn key_of_mesh(key: &str) -> Json {
    match key {
        "elements" => json!({ "type": ["object", "array"] }),
        _ if key.ends_with("_sets") || key.ends_with("_fields") => {
            json!({ "type": ["object", "array"] })
        }
        "element" => text("Kind of the elements: hex8, hex20, tet4 or tet10."),
        "fill" => {
            json!({ "type": ["number", "string"], "description": "Size of the tetrahedra that the surface in the file is filled with, in its unit." })
        }
        "sphere" | "cells" | "facets" => json!({ "type": ["number", "array", "string"] }),
        _ => numbers(),
    }
}

/// The appearance of the lists of a mechanical model.
fn lists() -> Map<String, Json> {
    let lists = Kind::MechModel.home().into_iter().map(str::to_owned);
    let homes = Kind::ALL.into_iter().filter_map(Kind::home).map(str::to_owned);
    let mut drawn = of_fields(&fields::of_rendering());
    drawn.insert(DECLARED.into(), reference(DECLARED));
    let drawn = closed(drawn);
    closed(lists.chain(homes).map(|name| (name, Json::Object(drawn.clone()))).collect())
}

fn include() -> Json {
    json!({
        "type": "object", "additionalProperties": false, "required": ["file"],
        "description": "A model of another file, as a mechanical model of its own.",
        "properties": {
            "file": text("Path relative to this file."),
            "name": text("Name of it here; its own name without one."),
            "parameters": { "type": "object", "description": "Values of its parameters." },
            "placement": pose(),
        },
    })
}

/// A term of a coupling of coordinates.
fn term() -> Json {
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["joint", "coordinate", "polynomial"],
        "properties": {
            "joint": text("Path of the joint."),
            "coordinate": text("Name of its coordinate."),
            "polynomial": numbers(),
            "curve": text("Function of the coordinate that is added: 'spline 0 0.1 1 0.2'."),
        },
    })
}

/// Selections, alone and among numbers and names.
fn selections() -> Map<String, Json> {
    let keys = crate::read::SELECTION_KEYS.map(|(key, doc)| {
        let schema = match key {
            "box" => json!({ "type": "array", "description": doc }),
            "material" => json!({ "type": ["integer", "string"], "description": doc }),
            "near" => json!({ "type": ["string", "array"], "description": doc }),
            "within" => json!({ "type": ["number", "string"], "description": doc }),
            "surface" => json!({ "type": "boolean", "description": doc }),
            _ => text(doc),
        };
        (key.to_owned(), schema)
    });
    let number = json!({ "type": "integer", "minimum": 0 });
    let one = json!({ "anyOf": [{ "type": "string" }, reference("selection"), number] });
    let members = json!({ "anyOf": [one, { "type": "array", "items": one }] });
    let mut all = Map::new();
    all.insert("selection".into(), Json::Object(closed(keys.into_iter().collect())));
    all.insert("members".into(), members);
    all
}

/// Properties that are declared on a component, by their names.
fn declared() -> Json {
    let keys = DECLARED_KEYS.map(|(key, doc)| {
        let schema = match key {
            "default" | "value" => json!({ "description": doc }),
            TYPE => json!({ "enum": Declaration::type_names(), "description": doc }),
            _ => text(doc),
        };
        (key.to_owned(), schema)
    });
    let mut one = closed(keys.into_iter().collect());
    one.insert("required".into(), json!([TYPE]));
    json!({
        "type": "object", "additionalProperties": one,
        "description": "Properties that this component has beside those of its kind, by their names.",
    })
}

/// A solid that a body is.
fn shape() -> Json {
    let number = || json!({ "type": ["number", "array", "string"] });
    let solids = crate::read::SOLIDS.map(|key| (key.to_owned(), number()));
    let mut properties: Map<String, Json> = solids.into_iter().collect();
    for key in crate::read::SHAPE_KEYS {
        let schema = match key {
            "centre" => vector("Its middle in the frame of the body.", 3),
            "axis" => vector("Direction of its z axis in the frame of the body.", 3),
            "collide" => json!({ "type": "boolean", "description": "True if a collider is made." }),
            _ => number(),
        };
        properties.insert(key.into(), schema);
    }
    Json::Object(closed(properties))
}

/// A list of so many numbers.
pub(super) fn vector(doc: &str, n: usize) -> Json {
    let number = json!({ "type": ["number", "string"] });
    json!({ "type": "array", "items": number, "minItems": n, "maxItems": n, "description": doc })
}

fn pose() -> Json {
    let parts = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "position": vector("x, y, z of the origin.", 3),
            "quaternion": vector("Turn as i, j, k, w.", 4),
            "axis": vector("Axis of the turn.", 3),
            "angle": { "type": ["number", "string"], "description": "Angle of the turn." },
        },
    });
    json!({ "anyOf": [parts, vector("Position, then the quaternion i j k w.", 7), reference("parameter")] })
}
