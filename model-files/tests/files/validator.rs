//! Validator of documents by the schema, as editors read it: the words of JSON Schema that it uses.

use serde_json::{Map, Value as Json};

/// True if a document is as a schema says; `root` holds the definitions.
pub(crate) fn is_valid(root: &Json, schema: &Json, document: &Json) -> bool {
    let schema = match schema {
        Json::Object(schema) => schema,
        other => return other != &Json::Bool(false),
    };
    schema.iter().all(|rule| holds(root, schema, rule, document))
}

fn definition<'j>(root: &'j Json, reference: &Json) -> &'j Json {
    let name = reference.as_str().unwrap().trim_start_matches("#/definitions/");
    let definition = &root["definitions"][name];
    assert!(!definition.is_null(), "there is no definition '{name}'");
    definition
}

/// True if the keys that a schema does not name are as `value` says.
fn others_are_valid(
    root: &Json,
    schema: &Map<String, Json>,
    value: &Json,
    entries: &Map<String, Json>,
) -> bool {
    let known = |key: &String| schema.get("properties").is_some_and(|it| it.get(key).is_some());
    let mut others = entries.iter().filter(|(key, _)| !known(key));
    others.all(|(_, entry)| is_valid(root, value, entry))
}

/// True if a document is as one rule of a schema says.
fn holds(
    root: &Json,
    schema: &Map<String, Json>,
    (word, value): (&String, &Json),
    document: &Json,
) -> bool {
    match word.as_str() {
        "$ref" => is_valid(root, definition(root, value), document),
        "type" => match value {
            Json::Array(types) => types.iter().any(|ty| is_of_type(document, ty)),
            ty => is_of_type(document, ty),
        },
        "const" => value == document,
        "enum" => value.as_array().unwrap().contains(document),
        "anyOf" | "oneOf" => {
            value.as_array().unwrap().iter().any(|schema| is_valid(root, schema, document))
        }
        "allOf" => value.as_array().unwrap().iter().all(|schema| is_valid(root, schema, document)),
        "properties" => document.as_object().is_none_or(|entries| {
            entries.iter().all(|(key, entry)| {
                value.get(key).is_none_or(|schema| is_valid(root, schema, entry))
            })
        }),
        "additionalProperties" => document
            .as_object()
            .is_none_or(|entries| others_are_valid(root, schema, value, entries)),
        "required" => document.as_object().is_none_or(|entries| {
            value.as_array().unwrap().iter().all(|key| entries.contains_key(key.as_str().unwrap()))
        }),
        "items" => document
            .as_array()
            .is_none_or(|items| items.iter().all(|item| is_valid(root, value, item))),
        "minItems" => {
            document.as_array().is_none_or(|items| items.len() as u64 >= value.as_u64().unwrap())
        }
        "maxItems" => {
            document.as_array().is_none_or(|items| items.len() as u64 <= value.as_u64().unwrap())
        }
        "minimum" => document.as_f64().is_none_or(|x| x >= value.as_f64().unwrap()),
        "maximum" => document.as_f64().is_none_or(|x| x <= value.as_f64().unwrap()),
        "exclusiveMinimum" => document.as_f64().is_none_or(|x| x > value.as_f64().unwrap()),
        "exclusiveMaximum" => document.as_f64().is_none_or(|x| x < value.as_f64().unwrap()),
        // The one pattern that there is: a parameter.
        "pattern" => {
            document.as_str().is_none_or(|text| text.starts_with("${") && text.ends_with('}'))
        }
        "description" | "title" | "$schema" | "definitions" | "format" | "default" => true,
        other => panic!("the schema uses '{other}'"),
    }
}

fn is_of_type(document: &Json, ty: &Json) -> bool {
    match ty.as_str().unwrap() {
        "object" => document.is_object(),
        "array" => document.is_array(),
        "string" => document.is_string(),
        "number" => document.is_number(),
        "integer" => document.as_f64().is_some_and(|x| x.fract() == 0.0),
        "boolean" => document.is_boolean(),
        "null" => document.is_null(),
        other => panic!("the schema has type '{other}'"),
    }
}
