//! The JSON Schema of model files, from the tables of properties and the structs of the sections, so that
//! editors complete keys and words and underline what is wrong.

mod shared;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value as Json, json};
use sinew::component::{FemPart, Kind};
use sinew::property::{PropertyInfo, PropertyType, Range};
use sinew_run_files::spec::{InputProbeSpec, OutputProbeSpec, TracingProbeSpec};

use crate::fields::{self, DECLARED, Field, Group, TYPE, key_of};
use crate::inverse::Inverse;
use crate::migrate::VERSION;
use crate::panels::Panel;
use crate::solver::Solver;
use crate::units::{Length, Units};

/// The key that all components have, described once.
const RENDER: &str = "render";

/// The schema as JSON, with a line break at the end.
pub fn schema() -> String {
    let mut generator = SchemaSettings::draft07().into_generator();
    let version = json!({ "const": VERSION, "description": "Version of the file format." });
    let mut top = mech(&[("version", version)]);
    let more = keys_of_file(&mut generator);
    let probes = probe_lists(&mut generator);
    if let Some(Json::Object(properties)) = top.get_mut("properties") {
        properties.extend(more);
    }
    let mut definitions = definitions();
    definitions.insert("Length".into(), section::<Length>(&mut generator));
    for group in [Kind::MechModel, Kind::ComponentList] {
        if let Some(Json::Object(properties)) =
            definitions.get_mut(&key_of(group)).and_then(|it| it.get_mut("properties"))
        {
            properties.extend(probes.clone());
        }
    }
    for (name, mut schema) in generator.take_definitions(true) {
        let is_component = name.ends_with("ProbeSpec") || name == "Panel";
        if let Some(Json::Object(own)) = schema.get_mut("properties").filter(|_| is_component) {
            own.extend(of_every_component());
            own.insert(RENDER.into(), reference(RENDER));
        }
        definitions.insert(name, schema);
    }
    top.insert("required".into(), json!(["version"]));
    top.insert("definitions".into(), Json::Object(definitions));
    let head = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Sinew model",
        "description": "A model of Sinew, by hand in TOML or by machine in JSON.",
    });
    let mut schema = head.as_object().cloned().unwrap_or_default();
    schema.extend(top);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Keys at the top of a file, beside those of a mechanical model.
fn keys_of_file(generator: &mut SchemaGenerator) -> Map<String, Json> {
    let mut all = keys([
        ("name", text("Name of the model; the name of the file without one.")),
        ("$schema", text("Path of this schema, for editors.")),
        ("units", section::<Units>(generator)),
        ("solver", section::<Solver>(generator)),
        ("inverse", section::<Inverse>(generator)),
    ]);
    all.extend(probe_lists(generator));
    let parameters = "Names and defaults of parameters; '${name}' in a text stands for the value.";
    all.extend(keys([
        ("parameters", json!({ "type": "object", "description": parameters })),
        ("defaults", defaults()),
        ("root", root()),
    ]));
    all
}

/// Lists of probes and panels, which a file, a mechanical model and a list may have.
fn probe_lists(generator: &mut SchemaGenerator) -> Map<String, Json> {
    let list = |schema: Json| json!({ "type": "array", "items": schema });
    keys([
        ("input_probes", list(section::<InputProbeSpec>(generator))),
        ("output_probes", list(section::<OutputProbeSpec>(generator))),
        ("tracing_probes", list(section::<TracingProbeSpec>(generator))),
        ("panels", list(section::<Panel>(generator))),
    ])
}

fn section<T: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
    generator.subschema_for::<T>().to_value()
}

/// A mechanical model.
fn mech(first: &[(&str, Json)]) -> Map<String, Json> {
    let mut properties = Map::new();
    properties.extend(first.iter().map(|(key, schema)| ((*key).to_owned(), schema.clone())));
    properties.extend(of_fields(&fields::of_kind(Kind::MechModel)));
    properties.extend(members(Group::Mech));
    properties.insert("include".into(), list("include"));
    properties.insert("lists".into(), reference("lists"));
    properties.insert(DECLARED.into(), reference(DECLARED));
    closed(properties)
}

fn root() -> Json {
    let mut properties = of_fields(&fields::of_kind(Kind::RootModel));
    properties.extend(members(Group::Root));
    properties.insert("lists".into(), reference("lists"));
    properties.insert(DECLARED.into(), reference(DECLARED));
    Json::Object(closed(properties))
}

/// Schema of the default values of components of each kind.
fn defaults() -> Json {
    let kinds = Group::List.kinds().map(|kind| (key_of(kind), reference(&key_of(kind))));
    let mut defaults = closed(kinds.collect());
    let doc = "Values that components of a kind have where they do not say otherwise.";
    defaults.insert("description".into(), doc.into());
    Json::Object(defaults)
}

/// The lists of components that a group has.
fn members(group: Group) -> Map<String, Json> {
    group.kinds().map(|kind| (key_of(kind), list(&key_of(kind)))).collect()
}

fn list(of: &str) -> Json {
    json!({ "type": "array", "items": reference(of) })
}

fn reference(to: &str) -> Json {
    json!({ "$ref": format!("#/definitions/{to}") })
}

fn text(doc: &str) -> Json {
    json!({ "type": "string", "description": doc })
}

/// A table without other keys.
fn closed(properties: Map<String, Json>) -> Map<String, Json> {
    let mut table = Map::new();
    table.insert("type".into(), "object".into());
    table.insert("properties".into(), Json::Object(properties));
    table.insert("additionalProperties".into(), false.into());
    table
}

/// Components, parts of tissues, meshes, poses.
fn definitions() -> Map<String, Json> {
    let mut all = Map::new();
    for kind in Group::Mech.kinds() {
        let mut component = match kind {
            Kind::MechModel => mech(&[]),
            _ => closed(of_fields(&fields::of_kind(kind))),
        };
        if let Some(Json::Object(properties)) = component.get_mut("properties") {
            properties.insert("name".into(), text("Name in paths."));
            properties.extend(of_every_component());
            properties.extend(own(kind));
        }
        component.insert("description".into(), kind.name().into());
        all.insert(key_of(kind), Json::Object(component));
    }
    for (key, part, _) in crate::read::PARTS {
        let mut properties = of_fields(&fields::of_part(part));
        let (name, set) = match part {
            FemPart::Regions => ("elements", "element sets"),
            _ => ("nodes", "node sets"),
        };
        let doc = format!("Numbers, the name of one of the {set} of the mesh, or a selection.");
        properties.insert(name.into(), described(reference("members"), &doc));
        all.insert(key.into(), Json::Object(closed(properties)));
    }
    all.extend(shared::definitions());
    all
}

/// Keys of every component, beside its name.
fn of_every_component() -> Map<String, Json> {
    let number = "Number among its siblings, where it is not the next one.";
    let mut keys = Map::new();
    keys.insert("number".into(), json!({ "type": "integer", "minimum": 0, "description": number }));
    keys.insert(DECLARED.into(), reference(DECLARED));
    keys
}

/// A reference with a description of its own.
fn described(schema: Json, doc: &str) -> Json {
    json!({ "allOf": [schema], "description": doc })
}

/// Keys of a kind that are no properties.
fn own(kind: Kind) -> Map<String, Json> {
    match kind {
        Kind::RigidBody => keys([("mesh", reference("surface")), ("shape", reference("shape"))]),
        Kind::RenderMesh => keys([("mesh", reference("surface"))]),
        Kind::Joint => keys([
            ("position", shared::vector("Position at the start.", 3)),
            ("axis", shared::vector("Direction of its z axis there.", 3)),
        ]),
        Kind::PointLoad => keys([("targets", described(reference("selection"), TARGETS))]),
        Kind::SurfaceLoad => keys([("surface", set("faces", FACES))]),
        Kind::ClosedVolume => keys([("surface", set("faces or triangles", FACES))]),
        Kind::Shell => keys([
            ("surface", set("faces or triangles", FACES)),
            ("clamped", set("nodes", "that keep their direction")),
        ]),
        Kind::BodyLoad => keys([("weights", weights())]),
        Kind::MuscleBundle => keys([("elements", described(reference("members"), ELEMENTS))]),
        Kind::FemModel => keys([
            ("mesh", reference("volume")),
            ("region", list("region")),
            ("support", list("support")),
        ]),
        Kind::JointCoordinateCoupling => keys([("terms", list("term"))]),
        Kind::ComponentList => members(Group::List),
        Kind::RootModel
        | Kind::Particle
        | Kind::FrameMarker
        | Kind::AxialSpring
        | Kind::MultiPointSpring
        | Kind::FrameSpring
        | Kind::PointConstrainer
        | Kind::Attachment
        | Kind::Collider
        | Kind::CollisionBehavior
        | Kind::FrameAttachment
        | Kind::FrameLoad
        | Kind::CustomForce
        | Kind::MuscleExciter
        | Kind::MechModel
        | Kind::ReferenceList
        | Kind::CustomJoint
        | Kind::CustomConstrainer
        | Kind::CoordinateActuator
        | Kind::SegmentedPlane
        | Kind::Sensor
        | Kind::PropertyController
        | Kind::Event
        | Kind::InputProbe
        | Kind::OutputProbe
        | Kind::Waypoint
        | Kind::ControlPanel
        | Kind::WrapSurface => Map::new(),
    }
}

/// Nodes of a force, and elements of a bundle.
const TARGETS: &str = "Nodes that share the force equally, in place of 'target'.";
const ELEMENTS: &str =
    "Numbers, the name of an element set of the mesh, or a selection; none for all.";

/// Faces that a selection means where a surface is asked for.
const FACES: &str = "whose nodes are all selected";

/// The name of a set of the mesh, or a selection of nodes in its place.
fn set(of: &str, which: &str) -> Json {
    let doc = format!("Name of a set of {of} of the mesh, or a selection: those {which}.");
    json!({ "anyOf": [{ "type": "string" }, reference("selection"), { "type": "array" }], "description": doc })
}

fn weights() -> Json {
    let doc = "One factor a node; or a selection: 1 on its nodes, 0 elsewhere; none for 1 everywhere [-].";
    let list = json!({ "type": "array" });
    json!({ "anyOf": [{ "type": "string" }, reference("selection"), list], "description": doc })
}

fn keys<const N: usize>(keys: [(&str, Json); N]) -> Map<String, Json> {
    keys.into_iter().map(|(key, schema)| (key.to_owned(), schema)).collect()
}

fn of_fields(fields: &[Field]) -> Map<String, Json> {
    let shared = |field: &Field| match field.key {
        RENDER => reference(RENDER),
        _ => of_field(field),
    };
    fields.iter().map(|field| (field.key.to_owned(), shared(field))).collect()
}

fn of_field(field: &Field) -> Json {
    let own = field.info.map(value);
    if field.children.is_empty() {
        return own.unwrap_or(Json::Bool(true));
    }
    if let Some(parts) = field.under_any_name() {
        let each = Json::Object(closed(of_fields(parts)));
        return json!({ "type": "object", "additionalProperties": each });
    }
    let mut properties = of_fields(&field.children);
    if let Some(own) = &own {
        properties.insert(TYPE.into(), own.clone());
    }
    let table = Json::Object(closed(properties));
    match own {
        Some(own) => {
            let description = own["description"].clone();
            json!({ "anyOf": [own, table], "description": description })
        }
        None => table,
    }
}

/// The values of a property.
fn value(info: &'static PropertyInfo) -> Json {
    let unit =
        if ["", "-"].contains(&info.unit) { String::new() } else { format!(" [{}]", info.unit) };
    let plain = match info.value_type {
        PropertyType::Bool => json!({ "type": "boolean" }),
        PropertyType::Int => json!({ "type": "integer" }),
        PropertyType::Real => number(info),
        PropertyType::Vector => numbers(3),
        PropertyType::Colour => numbers(3),
        PropertyType::Matrix => json!({ "type": "array" }),
        PropertyType::Choice(words) => json!({ "enum": words }),
        PropertyType::Text | PropertyType::Path => json!({ "type": "string" }),
        PropertyType::Paths => {
            let one = json!({ "anyOf": [{ "type": "string" }, reference("selection")] });
            json!({ "anyOf": [one, { "type": "array", "items": one }] })
        }
        PropertyType::List => json!({ "type": ["array", "number"] }),
        PropertyType::Pose => reference("pose"),
    };
    let mut schema = match info.value_type {
        // These may hold parameters as they are.
        PropertyType::Text | PropertyType::Path | PropertyType::Paths | PropertyType::Pose => {
            json!({ "allOf": [plain] })
        }
        _ => json!({ "anyOf": [plain, reference("parameter")] }),
    };
    schema["description"] = format!("{}.{unit}", info.doc.trim_end_matches('.')).into();
    let default = info.default.to_string();
    if !default.is_empty() && info.value_type == PropertyType::Real {
        schema["description"] =
            format!("{}.{unit} Default: {default}", info.doc.trim_end_matches('.')).into();
    }
    schema
}

/// A number; its ends are given where they do not depend on units.
fn number(info: &PropertyInfo) -> Json {
    let mut schema = json!({ "type": "number" });
    let plain = info.unit == "-";
    // What is above a positive end is above zero in every unit.
    let (low, low_in) = match info.range.low() {
        (low, _) if low > 0.0 && !plain => (0.0, false),
        own => own,
    };
    let (high, high_in) = info.range.high();
    if low.is_finite() && (plain || low == 0.0) {
        schema[if low_in { "minimum" } else { "exclusiveMinimum" }] = json!(low);
    }
    if high.is_finite() && (plain || high == 0.0) {
        schema[if high_in { "maximum" } else { "exclusiveMaximum" }] = json!(high);
    }
    if info.range == Range::ANY || info.range == Range::LIMIT {
        return json!({ "anyOf": [schema, { "enum": ["inf", "-inf"] }] });
    }
    schema
}

fn numbers(count: usize) -> Json {
    let number = json!({ "type": ["number", "string"] });
    json!({ "type": "array", "items": number, "minItems": count, "maxItems": count })
}
