//! The reference of model files as a page of documentation, from what the reader knows.

use std::fmt::Write;

use schemars::JsonSchema;
use serde_json::Value as Json;
use sinew::component::Kind;
use sinew::property::{PropertyInfo, PropertyType};
use sinew_run_files::spec::{InputProbeSpec, OutputProbeSpec, TracingProbeSpec};

use crate::fields::{self, Field, Group, TYPE, key_of};
use crate::inverse::{
    ExcitationBounds, ExcitationRatio, ExcitationShare, ExcitationSum, Inverse, TargetWeight,
};
use crate::panels::{Panel, PanelItem};
use crate::solver::Solver;
use crate::units::Units;

const HEAD: &str = "# Keys of model files

Every key that a model file may have; [model-file.md](model-file.md) tells how to write one. This page
is printed from the tables of properties and the structs of the reader; after a change there

    SINEW_BLESS=1 cargo test --package sinew-model-files --test files is_current

prints it anew, with the schema for editors, `model-files/schema/model.schema.json`. A default is what a key
that is left out means; keys without one are needed, or stand for nothing. Units are those of a file
without `[units]`. Where a key has keys below it (`material.stiffness`), these are a table:
`material = { type = \"linear\", stiffness = 100.0 }`; a type alone can stand for its table:
`material = \"linear\"`.

Every component has a `name`, and may have a `number` among its siblings. Properties beside those of its kind stand in its
table `declared`, by their names: `declared = { age = { type = \"number\", unit = \"year\", value = 52 } }`.
";

/// Keys at the top of a file, beside those of a mechanical model.
const TOP_KEYS: [(&str, &str); 15] = [
    ("version", "Version of the format, 1; the only key that every file needs"),
    ("name", "Name of the model; the name of the file without one"),
    ("units", "Units of the numbers in the file"),
    ("parameters", "Names and defaults; `${name}` in a text stands for the value"),
    (
        "defaults",
        "Values that components of a kind have where they do not say otherwise: `[defaults.axial_spring]`",
    ),
    ("solver", "Settings of runs by `sinew run`"),
    ("inverse", "Motions that `sinew inverse` follows"),
    ("panels", "Control panels"),
    ("input_probes", "Probes that feed properties over time"),
    ("output_probes", "Probes that record properties"),
    ("tracing_probes", "Probes that record the paths of points"),
    ("include", "Models of other files: `file`, `name`, `parameters`, `placement`"),
    ("lists", "Appearance of the lists of the model: `lists.axial_springs.render.line_color`"),
    (
        "root",
        "The root of the tree, where a file has more than its own mechanical model: other models, lists and groups beside it.",
    ),
    ("$schema", "Path of the schema, for editors of JSON"),
];

/// The page docs/reference/model-file-reference.md.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    // Writing to a String cannot fail.
    let _ = writeln!(page, "\n## The file\n| key | |\n|---|---|");
    for (key, doc) in TOP_KEYS {
        let _ = writeln!(page, "| `{key}` | {doc} |");
    }
    let _ = writeln!(page, "\nAll keys of a mechanical model, `mech_model`, may stand at the top.");
    section::<Units>(&mut page, "[units]");
    section::<Solver>(&mut page, "[solver]");
    section::<Inverse>(&mut page, "[inverse]");
    section::<TargetWeight>(&mut page, "[[inverse.weights]]");
    section::<ExcitationBounds>(&mut page, "[[inverse.bounds]]");
    section::<ExcitationRatio>(&mut page, "[[inverse.ratios]]");
    section::<ExcitationSum>(&mut page, "[[inverse.sums]]");
    section::<ExcitationShare>(&mut page, "[[inverse.sums.shares]]");
    section::<Panel>(&mut page, "[[panels]]");
    section::<PanelItem>(&mut page, "[[panels.items]]");
    section::<InputProbeSpec>(&mut page, "[[input_probes]]");
    section::<OutputProbeSpec>(&mut page, "[[output_probes]]");
    section::<TracingProbeSpec>(&mut page, "[[tracing_probes]]");
    for kind in Group::Mech.kinds() {
        let _ = writeln!(page, "\n## [[{}]]", key_of(kind));
        page.push_str(own(kind));
        table(&mut page, &fields::of_kind(kind));
    }
    parts(&mut page);
    selections(&mut page);
    let _ = writeln!(page, "\n## Declared properties\n| key | meaning |\n|---|---|");
    for (key, doc) in fields::DECLARED_KEYS {
        let _ = writeln!(page, "| `{key}` | {} |", doc.trim_end_matches('.'));
    }
    page
}

/// Tables of the parts of tissues.
fn parts(page: &mut String) {
    for (key, part, numbers) in crate::read::PARTS {
        let _ = writeln!(page, "\n## [[fem_model.{key}]]");
        let _ = writeln!(
            page,
            "`{numbers}`: numbers, the name of a set of the mesh, or a [selection](#selections).\n"
        );
        table(page, &fields::of_part(part));
    }
}

/// The keys of selections.
fn selections(page: &mut String) {
    // Writing to a String cannot fail.
    let _ = writeln!(page, "\n## Selections\n{SELECTIONS}\n| key | meaning |\n|---|---|");
    for (key, doc) in crate::read::SELECTION_KEYS {
        let _ = writeln!(page, "| `{key}` | {doc} |");
    }
}

/// Printed above the keys of selections.
const SELECTIONS: &str = "\
A table that names nodes or elements by what they are; several keys together select what meets all of them.
Lists of nodes and elements may hold numbers, names of sets and selections together. Lengths and the
coordinates in `where` are in the unit of the file; elements are where the mean of their corners is.
In place of a `surface` of a load or a shell, a selection of nodes means the faces of the surface all of whose nodes it has,
which become a set `selection_0`, ..; in place of `weights`, 1 on its nodes and 0 elsewhere.
";

/// Keys of a kind besides its properties.
fn own(kind: Kind) -> &'static str {
    match kind {
        Kind::RigidBody => {
            "`mesh`: a surface, for the inertia and to be drawn. Inertia: by `density`, by `mass`, or by \
             `mass`, `center_of_mass` and `inertia`.\n\n\
             `shape`, in place of `mesh`: a solid that is drawn, has the inertia of its `mass` or `density`, \
             and collides. `box = [X, Y, Z]`, `sphere = RADIUS`, `cylinder = [RADIUS, LENGTH]` or \
             `capsule = [RADIUS, LENGTH]`, with `centre` ([0, 0, 0]), `axis` ([0, 0, 1]), `facets` (32) of \
             what is drawn, and `collide` (true), which makes a `collider` of the name of the body.\n\n"
        }
        Kind::Joint => {
            "`position` and `axis`, in place of `frame_c` and `frame_d`: where both frames are at the start and \
             the direction of their z axis, in the axes of the model. The bodies are where their poses put \
             them, and all coordinates begin at zero.\n\n"
        }
        Kind::PointLoad => {
            "`targets`, in place of `target`: a [selection](#selections) of nodes that share the force equally, \
             each with a load of its own, `NAME`, `NAME_1`, ..\n\n"
        }
        Kind::Attachment => "`points` may hold [selections](#selections) beside paths.\n\n",
        Kind::MuscleBundle => {
            "`elements`: numbers, the name of a set of the mesh, or a [selection](#selections).\n\n"
        }
        Kind::RenderMesh => "`mesh`: the surface, needed.\n\n",
        Kind::FemModel => "`mesh`: a volume mesh, needed. Lists `region` and `support`, below.\n\n",
        Kind::JointCoordinateCoupling => {
            "`terms`: a list of `{ joint, coordinate, polynomial, curve }`, whose sum is kept at zero; \
             coefficients of 1, x, x², ... in m and rad, whatever the units of the file; a curve, if there is \
             one, is a [function](joints.md#functions) that is added.\n\n"
        }
        Kind::MechModel => "Lists of all components, `include` and `lists`.\n\n",
        Kind::ComponentList => "Lists of components of any kind.\n\n",
        _ => "\n",
    }
}

/// A table of a struct, from its schema.
fn section<T: JsonSchema>(page: &mut String, title: &str) {
    let schema = schemars::schema_for!(T).to_value();
    let _ = writeln!(page, "\n## {title}\n| key | values | meaning |\n|---|---|---|");
    let Some(Json::Object(properties)) = schema.get("properties") else { return };
    for (key, value) in properties {
        let doc = value["description"].as_str().unwrap_or_default().trim_end_matches('.');
        let doc = doc.replace('\n', " ");
        let _ = writeln!(page, "| `{key}` | {} | {doc} |", words(value, &schema));
    }
}

/// The words that a key of a section takes, or its type.
fn words(value: &Json, schema: &Json) -> String {
    if let Some(name) = value["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return words(&schema["$defs"][name], schema);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(list) = value[key].as_array() {
            let all: Vec<String> = list.iter().map(|item| words(item, schema)).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).filter(|w| *w != "null").collect();
            return all.join(", ");
        }
    }
    if let Some(word) = value["const"].as_str() {
        return word.to_owned();
    }
    if let Some(list) = value["enum"].as_array() {
        let all: Vec<&str> = list.iter().filter_map(Json::as_str).collect();
        return all.join(", ");
    }
    match &value["type"] {
        Json::String(name) => name.clone(),
        Json::Array(names) => {
            let names = names.iter().filter_map(Json::as_str).filter(|name| *name != "null");
            names.collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

fn table(page: &mut String, fields: &[Field]) {
    let mut rows = String::new();
    add_rows(&mut rows, "", fields);
    if !rows.is_empty() {
        page.push_str(
            "| key | values | unit | range | default | meaning |\n|---|---|---|---|---|---|\n",
        );
        page.push_str(&rows);
    }
}

fn add_rows(rows: &mut String, before: &str, fields: &[Field]) {
    for field in fields.iter().filter(|field| !(before.is_empty() && field.key == "render")) {
        let key = format!("{before}{}", field.key);
        if let Some(info) = field.info {
            let key = match field.children.is_empty() {
                true => key.clone(),
                false => format!("{key}.{TYPE}"),
            };
            rows.push_str(&row(&key, info));
        }
        add_rows(rows, &format!("{key}."), &field.children);
    }
}

fn row(key: &str, info: &PropertyInfo) -> String {
    let ty = match info.value_type {
        PropertyType::Choice(words) => words.join(", "),
        other => other.name().to_owned(),
    };
    let (range, default) = (info.range.describe(info.value_type), info.default.to_string());
    let default = if info.inheritable { format!("inherited, or {default}") } else { default };
    format!("| `{key}` | {ty} | {} | {range} | {default} | {} |\n", info.unit, info.doc)
}
