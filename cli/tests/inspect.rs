//! `sinew inspect` and `--set`: what is shown, in which form, and what is refused.

use crate::common::{TETRAHEDRON, Workshop, stderr};
use serde_json::Value;

/// Runs `sinew inspect` with `arguments`, which must succeed.
fn inspect(shop: &Workshop, arguments: &[&str]) -> String {
    let output = shop.sinew(&[&["inspect"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    assert!(shop.names("results").is_empty(), "{arguments:?} left results");
    String::from_utf8(output.stdout).expect("stdout is UTF-8")
}

fn json(shop: &Workshop, arguments: &[&str]) -> Value {
    let text = inspect(shop, &[arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("one JSON object")
}

/// The row of a table of properties that begins with `name`, without its blanks.
fn row<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let is_it = |line: &&str| line.split_whitespace().next() == Some(name);
    let line = text.lines().rfind(is_it).unwrap_or_else(|| panic!("no '{name}' in {text}"));
    line.split_whitespace().collect()
}

#[test]
fn the_tree_names_kinds_numbers_and_counts_and_elides_long_lists() {
    let shop = Workshop::new();
    let text = inspect(&shop, &["beam"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("/  RootModel"));
    assert_eq!(lines.next(), Some("  0 models  list of 1"));
    assert_eq!(lines.next(), Some("    0 beam  MechModel"));
    let nodes = inspect(&shop, &["beam", "/models/beam/fem_models/beam/nodes"]);
    assert!(nodes.starts_with("/models/beam/fem_models/beam/nodes  list of 81\n"), "{nodes}");
    assert!(nodes.contains("\n  .. 73 more\n"), "{nodes}");
    assert_eq!(nodes.lines().filter(|line| line.ends_with("  node")).count(), 8);
    let flat = inspect(&shop, &["beam", "--depth", "0"]);
    assert!(flat.starts_with("/  RootModel\n\n"), "{flat}");
}

#[test]
fn a_row_has_value_unit_range_source_and_meaning() {
    let shop = Workshop::new();
    let text = inspect(&shop, &["beam", "/models/beam/fem_models/beam"]);
    let density = row(&text, "density");
    assert_eq!(density[1..6], ["1000", "kg/m³", ">", "0", "own"], "{density:?}");
    let gravity = row(&text, "gravity");
    assert!(gravity.join(" ").contains("inherited from /models/beam"), "{gravity:?}");
    assert_eq!(row(&text, "mass")[1..3], ["-", "kg"], "a mass without a simulation");
}

#[test]
fn one_property_is_shown_in_full() {
    let shop = Workshop::new();
    let path = "/models/beam/fem_models/beam:material.youngs_modulus";
    let text = inspect(&shop, &["beam", path]);
    assert!(text.starts_with(&format!("{path}\n  meaning     Young's modulus")), "{text}");
    assert!(text.contains("\n  value       500000\n") && text.contains("\n  range       > 0\n"));
    let object = &json(&shop, &["beam", path])["property"];
    assert_eq!(object["value"], 5e5);
    assert_eq!(object["unit"], "Pa");
    assert_eq!(object["range"]["low"]["included"], false);
    assert_eq!(object["source"], "own");
    assert_eq!(object["invalidates"], serde_json::json!(["parameter"]));
}

#[test]
fn the_json_form_has_the_tree_and_every_property() {
    let shop = Workshop::new();
    let object = json(&shop, &["beam", "/models/beam", "--depth", "1"]);
    assert_eq!(object["model"], "beam");
    assert_eq!(object["time"], Value::Null);
    let component = &object["component"];
    assert_eq!(component["kind"], "MechModel");
    let children = component["children"].as_array().unwrap();
    assert_eq!(component["child_count"], children.len());
    assert!(children.iter().all(|child| child.get("children").is_none()));
    let gravity = object["properties"].as_array().unwrap();
    let gravity = gravity.iter().find(|p| p["name"] == "gravity").unwrap();
    assert_eq!(gravity["value"], serde_json::json!([0.0, 0.0, -9.8]));
    assert_eq!(gravity["numeric_size"], 3);
    let keys: Vec<&String> = gravity.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "path",
            "name",
            "type",
            "choices",
            "numeric_size",
            "unit",
            "range",
            "default",
            "value",
            "source",
            "inherited_from",
            "read_only",
            "inheritable",
            "simulated",
            "invalidates",
            "doc"
        ]
    );
}

#[test]
fn values_of_a_simulation_are_shown_where_it_was_asked_for() {
    let shop = Workshop::new();
    let tip = "/models/beam/fem_models/beam:mass";
    let object = json(&shop, &["beam", tip, "--at", "0.02"]);
    assert!((object["time"].as_f64().unwrap() - 0.02).abs() < 1e-12, "{object}");
    // 1 x 0.25 x 0.25 m of 1000 kg/m³; hundreds of roundings.
    assert!((object["property"]["value"].as_f64().unwrap() - 62.5).abs() < 1e-10, "{object}");
    let velocity = json(&shop, &["beam", "/:kinetic_energy", "--at", "0.02"]);
    assert!(velocity["property"]["value"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_mesh_file_is_inspected_like_a_built_in() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    let arguments = ["tet.vtk", "/models/tet/fem_models/tet", "--param", "density=7"];
    let text = inspect(&shop, &arguments);
    assert_eq!(row(&text, "density")[1], "7");
    assert_eq!(row(&text, "element_count.tet4")[1], "1");
}

#[test]
fn properties_are_set_in_order_before_the_model_is_compiled() {
    let shop = Workshop::new();
    let fem = "models/beam/fem_models/beam";
    let twice = [format!("{fem}:density=1"), format!("{fem}:density=2000")];
    let arguments = ["beam", "--set", &twice[0], "--set", &twice[1]];
    let path = format!("/{fem}:density");
    let object = json(&shop, &[&arguments[..], &[&path]].concat());
    assert_eq!(object["property"]["value"], 2000.0);
    let gravity = "/models/beam:gravity=0 0 0";
    let still = shop.run_json(&["beam", "--time", "0.05", "--set", gravity]);
    assert_eq!(still["kinetic_energy"], 0.0, "{still}");
    let record = crate::common::run_json(&shop.path("results/beam"));
    assert_eq!(record["set"], serde_json::json!([gravity]));
}

#[test]
fn what_cannot_be_found_or_set_is_refused_with_the_flag_and_the_text() {
    let shop = Workshop::new();
    for (arguments, message) in [
        (
            &["inspect", "beam", "/models/baem"][..],
            "error: path '/models/baem': '/models' has no 'baem' (did you mean 'beam'?); it has one, number 0\n",
        ),
        (
            &["inspect", "beam", "/models/beam:gravty"],
            "error: /models/beam (MechModel) has no property 'gravty' (did you mean 'gravity'?)\n",
        ),
        (
            &["run", "beam", "--set", "/models/beam:gravity"],
            "error: --set '/models/beam:gravity': expected PATH:NAME=VALUE, such as /models/beam:gravity='0 0 0'\n",
        ),
        (
            &["run", "beam", "--set", "/models/beam:gravity=down"],
            "error: --set '/models/beam:gravity=down': /models/beam:gravity takes a vector, not 'down' (text)\n",
        ),
        (
            &["inspect", "beam", "--set", "/models/beam/fem_models/beam:density=-1"],
            "error: --set '/models/beam/fem_models/beam:density=-1': /models/beam/fem_models/beam:density must be > 0, got -1\n",
        ),
        (
            &["bench", "--sizes", "2", "--compare", "cpu", "--set", "/models/beam:mass=1"],
            "error: --set '/models/beam:mass=1': /models/beam:mass can only be read\n",
        ),
    ] {
        let output = shop.sinew(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
        assert_eq!(stderr(&output), message);
        assert!(output.stdout.is_empty(), "{arguments:?} printed");
    }
    assert!(shop.names("results").is_empty());
}
