//! `sinew info` and `sinew convert`: what is told of a mesh, and the same mesh in other formats.

use std::path::{Path, PathBuf};

use crate::common::{Workshop, stderr};
use serde_json::Value;

/// The folder of the project's own test data, or of the shared data beside it.
fn bad() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/bad");
    if own.join("obj").is_dir() { own } else { shared().join("bad") }
}

fn shared() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");
    let root = std::env::var_os("SINEW_SHARED").unwrap_or_else(|| beside.into());
    PathBuf::from(root).join("datasets")
}

fn info(shop: &Workshop, path: &Path, more: &[&str]) -> Value {
    let path = path.to_str().expect("a path in UTF-8");
    let output = shop.sinew(&[&["info", path, "--json"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{path}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn warnings(info: &Value) -> String {
    let all = info["warnings"].as_array().expect("a list of warnings");
    all.iter().map(|w| w.as_str().expect("a sentence")).collect::<Vec<_>>().join("; ")
}

/// Converts, which must succeed; what was noted.
fn convert(shop: &Workshop, arguments: &[&str]) -> String {
    let output = shop.sinew(&[&["convert"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_sound_cube_has_its_numbers_and_no_warning() {
    let shop = Workshop::new();
    for name in ["obj/cube.obj", "tetgen/cube1.node", "gmsh/cube41.msh", "ply/cube_be.ply"] {
        let cube = info(&shop, &bad().join(name), &[]);
        assert_eq!(warnings(&cube), "", "{name}");
        assert_eq!((&cube["nodes"], &cube["surface_triangles"]), (&8.into(), &12.into()), "{name}");
        for (key, expected) in [("closed", true), ("manifold", true), ("inside_out", false)] {
            assert_eq!(cube[key], expected, "{name}: {key}");
        }
        for (value, expected) in [
            (&cube["volume"], 1.0),
            (&cube["bounding_box"]["high"][1], 1.0),
            (&cube["centroid"][2], 0.5),
            (&cube["inertia"][0][0], 1.0 / 6.0),
            (&cube["area"], 6.0),
        ] {
            let found = value.as_f64().unwrap_or_else(|| panic!("{name}: {value}"));
            assert!((found - expected).abs() < 1e-14, "{name}: {found} for {expected}");
        }
        assert_eq!(cube["components"], 1, "{name}");
    }
    let tets = info(&shop, &bad().join("tetgen/region_attr.ele"), &[]);
    assert_eq!(tets["element_counts"]["tet4"], 5);
    assert_eq!(tets["sets"]["elements"]["region_7"], 5);
    assert_eq!(tets["quality"]["mean_ratio"]["counts"].as_array().map(Vec::len), Some(10));
}

#[test]
fn what_is_wrong_with_a_mesh_is_a_warning_and_the_exit_code_stays_zero() {
    let shop = Workshop::new();
    for (name, key, value, warning) in [
        ("obj/open_box.obj", "boundary_edges", 4, "4 edges with one triangle"),
        ("obj/bowtie_vertex.obj", "non_manifold_vertices", 1, "1 vertex where parts touch"),
        ("obj/one_flipped.obj", "inconsistent_edges", 3, "wind against each other"),
        ("obj/dup_vertices.obj", "duplicate_nodes", 28, "not connected unless welded"),
        ("obj/unused_vertices.obj", "unused_nodes", 5, "that no triangle uses"),
        ("obj/tiny_1e-30.obj", "degenerate_triangles", 0, "no usual unit"),
        ("tetgen/two_components.ele", "components", 2, "2 components"),
        ("tetgen/duplicate_elems.ele", "duplicate_elements", 2, "2 duplicates"),
        ("tetgen/duplicate_nodes.ele", "duplicate_nodes", 4, "unless welded"),
    ] {
        let found = info(&shop, &bad().join(name), &[]);
        assert_eq!(found[key], value, "{name}: {key}");
        assert!(warnings(&found).contains(warning), "{name}: {}", warnings(&found));
    }
    let flat = info(&shop, &bad().join("tetgen/zero_volume.ele"), &[]);
    assert_eq!(flat["non_positive_elements"], serde_json::json!([5]));
    let unused = info(&shop, &bad().join("obj/unused_vertices.obj"), &[]);
    assert_eq!(unused["bounding_box"]["high"], serde_json::json!([1.0, 1.0, 1.0]));
}

#[test]
fn a_file_that_is_refused_ends_with_its_code_and_a_message() {
    let shop = Workshop::new();
    for (name, words) in [
        ("obj/index_zero.obj", "line 21"),
        ("stl/truncated.stl", "12 triangles"),
        ("ply/no_end_header.ply", "header"),
        ("vtk/cell_type_200.vtk", "type 200"),
        ("MANIFEST.tsv", "volumes from the formats"),
        ("absent.obj", "absent.obj"),
    ] {
        let path = bad().join(name);
        let output = shop.sinew(&["info", path.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(3), "{name}");
        assert!(output.stdout.is_empty(), "{name}");
        assert!(stderr(&output).contains(words), "{name}: {}", stderr(&output));
    }
}

#[test]
fn units_are_taken_and_guessed() {
    let shop = Workshop::new();
    let cube = bad().join("obj/cube.obj");
    let small = info(&shop, &cube, &["--unit", "mm"]);
    assert!((small["volume"].as_f64().unwrap() - 1e-9).abs() < 1e-23);
    convert(&shop, &[cube.to_str().unwrap(), "large.obj", "--scale", "160"]);
    let large = info(&shop, &shop.path("large.obj"), &[]);
    assert_eq!(large["unit_guess"]["unit"], "mm");
    assert!(warnings(&large).contains("--unit mm"), "{}", warnings(&large));
    assert_eq!(info(&shop, &shop.path("large.obj"), &["--unit", "mm"])["unit_guess"], Value::Null);
}

#[test]
fn one_cube_goes_through_all_formats_and_comes_back() {
    let shop = Workshop::new();
    let start = bad().join("tetgen/cube1.node");
    let chain = ["a.vtu", "b.msh", "c.ele", "d.vtu", "e.msh"];
    let mut before = start.to_str().unwrap().to_owned();
    for name in chain {
        let notes = convert(&shop, &[&before, name]);
        assert_eq!(notes, "", "{name}");
        before = name.to_owned();
    }
    let end = info(&shop, &shop.path("e.msh"), &[]);
    assert_eq!(end["elements"], 5);
    // A dozen roundings.
    let is_whole = |info: &Value| (info["volume"].as_f64().unwrap() - 1.0).abs() < 1e-14;
    assert!(is_whole(&end), "{}", end["volume"]);
    for name in ["s.obj", "s.stl", "s.ply"] {
        let notes = convert(&shop, &["e.msh", name]);
        assert!(notes.contains("the surface alone is written, without the 5 elements"), "{notes}");
        let surface = info(&shop, &shop.path(name), &[]);
        assert_eq!((&surface["kind"], &surface["triangles"]), (&"surface".into(), &12.into()));
        assert!(is_whole(&surface), "{name}: {}", surface["volume"]);
    }
    assert_eq!(convert(&shop, &["e.msh", "s.vtu", "--surface"]), "");
    assert_eq!(info(&shop, &shop.path("s.vtu"), &[])["kind"], "surface");
}

#[test]
fn units_kinds_and_welding_are_changed_on_request() {
    let shop = Workshop::new();
    let cube = bad().join("tetgen/cube1.node");
    let cube = cube.to_str().unwrap();
    convert(&shop, &[cube, "metres.vtu", "--unit", "mm:m", "--to", "tet10"]);
    let found = info(&shop, &shop.path("metres.vtu"), &[]);
    assert_eq!(found["element_counts"]["tet10"], 5);
    // 8 corners, 12 edges of the cube and 6 diagonals.
    assert_eq!((&found["nodes"], &found["surface_triangles"]), (&26.into(), &48.into()));
    assert!((found["volume"].as_f64().unwrap() - 1e-9).abs() < 1e-22);
    let soup = bad().join("obj/dup_vertices.obj");
    let notes = convert(&shop, &[soup.to_str().unwrap(), "welded.ply", "--weld"]);
    assert!(notes.contains("36 points became 8"), "{notes}");
    let welded = info(&shop, &shop.path("welded.ply"), &[]);
    assert_eq!((&welded["nodes"], &welded["closed"]), (&8.into(), &true.into()));
}

#[test]
fn a_surface_is_filled_with_tetrahedra_in_the_unit_of_the_new_file() {
    let shop = Workshop::new();
    let cube = bad().join("obj/cube.obj");
    let cube = cube.to_str().unwrap();
    let fill = ["--unit", "cm:m", "--fill", "0.001", "--to", "tet10", "--patches", "60"];
    let notes = convert(&shop, &[&[cube, "full.vtu"], &fill[..]].concat());
    assert!(notes.contains("patches"), "{notes}");
    let found = info(&shop, &shop.path("full.vtu"), &[]);
    let volume = found["volume"].as_f64().unwrap();
    // Edges of a cube of 1 cm may be cut off.
    assert!(volume > 0.93e-6 && volume < 1.0001e-6, "{volume} m³");
    assert!(found["element_counts"]["tet10"].as_u64().unwrap() > 5000, "{found}");
    let refused = |arguments: &[&str]| {
        let output = shop.sinew(&[&["convert"], arguments].concat());
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        stderr(&output)
    };
    assert!(refused(&["full.vtu", "again.vtu", "--fill", "0.1"]).contains("holds a volume mesh"));
    assert!(refused(&[cube, "again.vtu", "--fill", "9"]).contains("give a smaller size"));
    assert!(refused(&[cube, "again.vtu", "--fill", "1e-6"]).contains("give a size of at least"));
    assert!(refused(&[cube, "again.vtu", "--to", "tet10"]).contains("--fill makes one of it"));
    assert!(!shop.path("again.vtu").exists());
}

#[test]
fn patches_of_a_cube_are_six_face_sets_that_survive_in_vtu_and_groups_in_obj() {
    let shop = Workshop::new();
    let cube = bad().join("tetgen/cube1.ele");
    let found = info(&shop, &cube, &["--patches", "40"]);
    assert_eq!(found["patches"]["count"], 6);
    assert_eq!(found["patches"]["areas"], serde_json::json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    let cube = cube.to_str().unwrap();
    convert(&shop, &[cube, "cube.vtu", "--patches", "40"]);
    let volume = info(&shop, &shop.path("cube.vtu"), &[]);
    let sides = serde_json::json!({
        "patch_1": 2, "patch_2": 2, "patch_3": 2, "patch_4": 2, "patch_5": 2, "patch_6": 2,
    });
    assert_eq!(volume["sets"]["faces"], sides);
    convert(&shop, &["cube.vtu", "cube.obj", "--surface"]);
    let surface = info(&shop, &shop.path("cube.obj"), &[]);
    assert_eq!(surface["sets"]["triangles"], sides);
}

#[test]
fn conversions_that_make_no_sense_are_refused_and_leave_no_file() {
    let shop = Workshop::new();
    let (cube, hex) = (bad().join("obj/cube.obj"), bad().join("tetgen/cube1.ele"));
    let (cube, hex) = (cube.to_str().unwrap(), hex.to_str().unwrap());
    for (arguments, code, words) in [
        (&[cube, "x.msh"][..], 2, "this is a surface"),
        (&[cube, "x.xyz"], 2, "none of .vtu"),
        (&[cube, "x.obj", "--to", "tet10"], 2, "holds a surface"),
        (&[cube, "x.obj", "--scale", "0"], 2, "above 0"),
        (&[cube, "x.obj", "--patches", "181"], 2, "0 to 180 degrees"),
        (&[cube, "x.obj", "--unit", "mm"], 2, "mm:m"),
        (&[hex, "nowhere/x.vtu"], 5, "x.vtu"),
        (&["absent.obj", "x.ply"], 3, "absent.obj"),
    ] {
        let output = shop.sinew(&[&["convert"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
    assert!(shop.names("").is_empty(), "{:?}", shop.names(""));
}

#[test]
fn lines_become_fields_of_directions_one_a_group() {
    let shop = Workshop::new();
    let lines = "g along\nv 0.05 0.3 0.3\nv 0.95 0.3 0.3\nl 1 2\ng up\nv 0.3 0.3 0.05\nv 0.3 0.3 0.95\nl 3 4\n";
    std::fs::write(shop.path("lines.obj"), lines).expect("a file of lines");
    let cube = bad().join("gmsh/cube41.msh");
    let cube = cube.to_str().expect("a path in UTF-8");
    let output = shop.sinew(&["fibres", cube, "lines.obj", "fibres.vtu"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("along: 1 lines") && told.contains("up: 1 lines"), "{told}");
    let fields = &info(&shop, &shop.path("fibres.vtu"), &[])["fields"];
    assert!(fields.to_string().contains("along") && fields.to_string().contains("up"), "{fields}");
    // A surface without lines, and a format without fields.
    let surface = bad().join("obj/cube.obj");
    let surface = surface.to_str().expect("a path in UTF-8");
    for (arguments, word) in [
        (["fibres", cube, surface, "none.vtu"], "no lines"),
        (["fibres", cube, "lines.obj", "none.msh"], ".vtu"),
    ] {
        let output = shop.sinew(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[test]
fn fibres_run_between_two_places_of_a_mesh() {
    let shop = Workshop::new();
    let cube = bad().join("gmsh/cube41.msh");
    let cube = cube.to_str().expect("a path in UTF-8");
    let ends = ["--from", "x < 0.01", "--to", "x > 0.99", "--name", "along"];
    let output = shop.sinew(&[&["fibres", cube, "fibres.vtu"][..], &ends].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("along: from 4 nodes to 4"), "{told}");
    // A second field beside the first.
    let ends = ["--from", "z < 0.01", "--to", "z > 0.99", "--name", "up"];
    let output = shop.sinew(&[&["fibres", "fibres.vtu", "both.vtu"][..], &ends].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let fields = info(&shop, &shop.path("both.vtu"), &[])["fields"].to_string();
    assert!(fields.contains("along") && fields.contains("up"), "{fields}");
    for (arguments, word) in [
        (vec!["fibres", cube, "x.vtu", "--from", "left", "--to", "x > 0.99"], "'left'"),
        (vec!["fibres", cube, "x.vtu", "--from", "x < 0.01", "--to", "x < 0.02"], "both sets"),
        (
            vec!["fibres", cube, "x.vtu", "--from", "x < 0.01", "--to", "x > 7"],
            "second set has no nodes",
        ),
        (vec!["fibres", cube, "x.vtu", "--from", "x < 0.01"], "--to"),
        (vec!["fibres", cube, "x.vtu"], "LINES"),
        (vec!["fibres", cube, "l.obj", "x.vtu", "--from", "x < 0.01", "--to", "x > 0.99"], "LINES"),
    ] {
        let output = shop.sinew(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
}
