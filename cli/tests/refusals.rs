//! Refused command lines and files: message and exit code, and no trace on disk.

use crate::common::{SHORT_BEAM, TETRAHEDRON, Workshop, stderr};

/// Runs `sinew` with `arguments`; asserts the exit code, the words of the message, and that neither
/// results nor a line on stdout are left.
fn assert_refused(shop: &Workshop, arguments: &[&str], code: i32, words: &[&str]) {
    let output = shop.sinew(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?} lacks '{word}': {message}");
    }
    assert!(output.stdout.is_empty(), "{arguments:?} printed");
    assert!(shop.names("results").is_empty(), "{arguments:?} left {:?}", shop.names("results"));
}

#[test]
fn an_unknown_model_is_refused_with_the_nearest_name() {
    let shop = Workshop::new();
    assert_refused(&shop, &["run", "baem"], 3, &["unknown model 'baem'", "'beam'", "tongue"]);
    assert_refused(&shop, &["run", "kidney"], 3, &["unknown model 'kidney'", "beam", "tongue"]);
    assert_refused(
        &shop,
        &["models", "jaw"],
        3,
        &["unknown model 'jaw'", "mean 'jaw-tongue-hyoid'"],
    );
}

#[test]
fn a_negative_number_is_refused_as_a_value() {
    let shop = Workshop::new();
    for option in ["--time", "--step", "--every"] {
        let words = ["invalid value '-1'", option, "expected a number of seconds"];
        assert_refused(&shop, &["run", "beam", option, "-1"], 2, &words);
    }
}

#[test]
fn a_missing_file_a_folder_and_a_foreign_format_are_refused_by_name() {
    let shop = Workshop::new();
    shop.write("letter.txt", "Dear reader,\n");
    shop.write("empty.vtu", "");
    std::fs::create_dir(shop.path("folder.vtk")).unwrap();
    for name in ["missing.vtu", "letter.txt", "empty.vtu", "folder.vtk"] {
        assert_refused(&shop, &["run", name], 3, &[name]);
    }
}

#[test]
fn an_empty_or_broken_mesh_is_refused_by_name() {
    let shop = Workshop::new();
    let without_cells = TETRAHEDRON.replace("CELLS 1 5\n4 0 1 2 3\n", "CELLS 0 0\n");
    shop.write("no_cells.vtk", &without_cells.replace("CELL_TYPES 1\n10\n", "CELL_TYPES 0\n"));
    shop.write("no_points.vtk", "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    shop.write("missing_node.vtk", &TETRAHEDRON.replace("4 0 1 2 3", "4 0 1 2 9"));
    shop.write("huge.vtk", &TETRAHEDRON.replace("POINTS 4", "POINTS 1000000000000000000"));
    shop.write("cut.vtk", &TETRAHEDRON[..TETRAHEDRON.len() / 2]);
    shop.write("nan.vtk", &TETRAHEDRON.replace("1 0 0", "nan 0 0"));
    for name in
        ["no_cells.vtk", "no_points.vtk", "missing_node.vtk", "huge.vtk", "cut.vtk", "nan.vtk"]
    {
        assert_refused(&shop, &["run", name], 3, &[name]);
    }
}

#[test]
fn a_model_file_that_cannot_be_simulated_is_refused_at_the_line_of_the_component() {
    let shop = Workshop::new();
    let mesh =
        "nodes = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]\nelements = { tet4 = [0, 1, 2, 3] }";
    shop.write(
        "flat.toml",
        &format!("version = 1\n[[fem_model]]\nname = \"flat\"\n[fem_model.mesh]\n{mesh}\n"),
    );
    for arguments in
        [&["run", "flat.toml"][..], &["shell", "flat.toml"], &["inspect", "flat.toml", "--at", "0"]]
    {
        let words = ["flat.toml is refused, with 1 error", "element 0 of ", "flat.toml:2:1"];
        assert_refused(&shop, arguments, 3, &words);
    }
    // Of what the command line has changed the file has no line.
    let rod = "version = 1\n[[rigid_body]]\nname = \"rod\"\nshape = { sphere = 1 }\n";
    shop.write("rod.toml", rod);
    let edit = ["run", "rod.toml", "--set", "rigid_bodies/rod:density=-1"];
    assert_refused(&shop, &edit, 3, &["rigid_bodies/rod:density"]);
}

#[test]
fn a_parameter_of_a_mesh_out_of_range_is_refused_with_its_value() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    for (param, words) in [
        ("density=0", ["density", "0"]),
        ("density=-3", ["density", "-3"]),
        ("nu=0.6", ["nu", "0.6"]),
        ("nu=-1", ["nu", "-1"]),
        ("E=-1", ["E", "-1"]),
        ("material=jelly", ["material", "jelly"]),
        ("unit=furlong", ["unit", "furlong"]),
        ("stiffness=3", ["stiffness", "unknown parameter"]),
        ("E", ["'E'", "key=value"]),
        ("clamp=z=3", ["clamp", "z=3"]),
        ("clamp=z<-7", ["clamp", "none of the 4 nodes"]),
        ("clamp=z<7", ["clamp", "all of the 4 nodes"]),
    ] {
        assert_refused(&shop, &["run", "tet.vtk", "--param", param], 3, &words);
    }
    assert_refused(&shop, &["run", "tet.vtk", "--param", "E=1,E=2"], 3, &["E", "twice"]);
}

#[test]
fn a_parameter_of_a_built_in_out_of_range_is_refused_with_its_value() {
    let shop = Workshop::new();
    for (param, words) in [
        ("rho=0", ["rho", "0"]),
        ("nu=0.6", ["nu", "0.6"]),
        ("E=soft", ["E", "soft"]),
        ("mat=jelly", ["mat", "jelly"]),
        ("elem=sphere", ["elem", "sphere"]),
        ("nx=0", ["nx", "0"]),
        ("length=1", ["length", "unknown parameter"]),
    ] {
        assert_refused(&shop, &["run", "beam", "--param", param], 3, &words);
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused_with_code_2() {
    let shop = Workshop::new();
    for arguments in [
        ["run", "--time", "0"],
        ["run", "--step", "-1"],
        ["run", "--integrator", "rk5"],
        ["run", "--solver", "lu"],
        ["run", "--threads", "0"],
        ["run", "--every", "-1"],
        ["run", "--frames", "png"],
        ["run", "--increments", "3"],
        ["run", "beam", "--wobble"],
        ["completions", "abacus", ""],
    ] {
        assert_refused(&shop, &arguments, 2, &[]);
    }
    let newton = ["run", "--integrator", "static", "--newton"];
    assert_refused(&shop, &newton, 2, &["--newton", "backward-euler"]);
    assert_refused(&shop, &["run", "--step", "1e-300"], 2, &["steps"]);
}

#[test]
fn a_device_that_is_not_there_is_refused_with_what_to_do_instead() {
    let shop = Workshop::new();
    for arguments in [
        &["run", "beam", "--backend", "gpu", "--device", "abacus"][..],
        &["run", "beam", "--device", "abacus"],
        &["run", "beam", "--backend", "gpu", "--device", "4096"],
        &["bench", "--compare", "cpu,gpu", "--device", "abacus"],
    ] {
        assert_refused(&shop, arguments, 2, &[arguments.last().unwrap(), "--backend cpu"]);
    }
    // The variable counts where the option is not given.
    let mut command = shop.command(&["run", "beam", "--backend", "gpu"]);
    let output = command.env("SINEW_DEVICE", "abacus").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("abacus"), "{}", stderr(&output));
}

#[test]
#[cfg(target_os = "linux")]
fn without_an_adapter_the_gpu_is_refused_and_bench_times_the_cpu_alone() {
    let shop = Workshop::new();
    let output = shop.without_adapters(&["run", "beam", "--backend", "gpu"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("adapter") && message.contains("--backend cpu"), "{message}");
    let output = shop.without_adapters(&["bench", "--sizes", "1", "--steps", "1", "--json"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("adapter") && message.contains(": CPU alone"), "{message}");
}

#[test]
fn sizes_of_a_mesh_are_refused() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    assert_refused(&shop, &["bench", "--scene", "tet.vtk", "--sizes", "2"], 2, &["--sizes"]);
    assert_refused(&shop, &["bench", "--scene", "baem"], 3, &["'beam'"]);
    assert_refused(&shop, &["bench", "--sizes", "0"], 2, &["--sizes", "got 0"]);
    assert_refused(
        &shop,
        &["bench", "--scene", "boxes", "--sizes", "2"],
        2,
        &["larynx", "'boxes'"],
    );
}

#[test]
fn a_log_level_that_does_not_exist_is_refused() {
    let shop = Workshop::new();
    let output = shop.command(&["models"]).env("SINEW_LOG", "loud").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("SINEW_LOG=loud"), "{}", stderr(&output));
}

#[test]
fn a_directory_of_something_else_is_not_overwritten() {
    let shop = Workshop::new();
    std::fs::create_dir(shop.path("thesis")).unwrap();
    shop.write("thesis/energies.csv", "all my work");
    shop.write("file", "mine");
    for (out, word) in [("thesis", "is not empty"), ("file", "is a file")] {
        let arguments = [&["run", "--out", out], &SHORT_BEAM[..]].concat();
        assert_refused(&shop, &arguments, 5, &[out, word]);
    }
    assert_eq!(shop.names("thesis"), ["energies.csv"]);
    assert_eq!(std::fs::read_to_string(shop.path("thesis/energies.csv")).unwrap(), "all my work");
}

#[test]
fn a_refused_run_leaves_the_results_of_the_former_one() {
    let shop = Workshop::new();
    shop.run_json(&SHORT_BEAM);
    let before = std::fs::read(shop.path("results/beam/run.json")).unwrap();
    let output = shop.sinew(&["run", "beam", "--param", "nu=3"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(std::fs::read(shop.path("results/beam/run.json")).unwrap(), before);
}

#[test]
fn odd_values_of_options_are_refused_in_their_own_words() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    shop.write("rod.toml", "version = 1\n[[rigid_body]]\nshape = { sphere = 1 }\n");
    shop.write("none.csv", "x,y,z\n");
    for (line, code, words) in [
        ("run beam --time 1e300", 2, "--time 1e300 at --step 0.01 would take 1.0e302 steps"),
        ("run beam --step 1e-300", 2, "--time 1.0 at --step 1e-300 would take"),
        ("inspect beam --at 1e300", 2, "--at 1e300 takes more than 1e6 steps of 0.01 s"),
        ("body -o a.toml --stature 0", 2, "expected a number above 0"),
        ("body -o a.toml --mass heavy", 2, "expected a number above 0"),
        ("body -o a.obj", 2, "a.obj: a model is written as .toml, .json or .osim"),
        ("save beam a.vtu", 2, "a.vtu: a model is written as .toml, .json or .osim"),
        ("save beam beam", 2, "beam: a model is written as .toml, .json or .osim"),
        ("transform rod.toml /models --scale 2 -o a.stl", 2, "a.stl: a model is written as"),
        (
            "transform rod.toml /models --landmarks none.csv none.csv -o a.toml",
            3,
            "none.csv has no landmark: give a line each",
        ),
        ("render beam --size 99999x9 -o a.png", 2, "each from 1 to 32768"),
        ("render beam --range 2:1 -o a.png", 2, "expected two numbers A:B, A below B"),
        ("render beam --cut w=1 -o a.png", 2, "expected x=0.01, y=.. or z=.. [m], or nx,ny,nz,d"),
        ("render beam -o a.xyz", 2, "the name must end in .png, .glb, .gltf or .pov"),
        ("convert tet.vtk a.vtu --unit furlong", 2, "expected two units, such as mm:m"),
        ("convert tet.vtk a.vtu --unit mm:yard", 2, "expected m, cm, mm or um"),
        ("convert tet.vtk a.vtu --scale 0", 2, "expected a number above 0"),
        ("convert tet.vtk a.stl --patches 400", 2, "expected an angle from 0 to 180 degrees"),
        ("convert tet.vtk a.xyz", 2, "its ending is none of .vtu, .msh"),
        ("run beam --cg-tolerance 1", 2, "expected a number above 0 and below 1"),
        ("serve beam --listen 127.0.0.1:0", 3, "the model has no sensors; name properties by"),
        ("transform rod.toml /models --affine 1,2 -o a.toml", 2, "--affine takes 12 numbers, 2"),
        ("transform rod.toml /models --mirror 0,0,0 -o a.toml", 3, "must have a length"),
        ("info .", 3, "this is a folder; name a mesh file in it"),
        ("info rod.toml", 3, "rod.toml is a model, not a mesh: `sinew check rod.toml`"),
        ("check tet.vtk", 3, "tet.vtk is no model file by its name"),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        assert_refused(&shop, &arguments, code, &[words]);
        assert!(shop.names(".").iter().all(|name| !name.starts_with("a.")), "{line}");
    }
}
