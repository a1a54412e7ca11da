//! Interactive worlds as files: the example, what is written and read, faults with their places.

use std::path::Path;

use sinew::interactive::WorldDescription;
use sinew_model_files::{read_world, write_world};

const BEAD: &str = r#"version = 1

[settings]
gravity = [0.0, -9.81, 0.0]

[[object]]
name = "bead"
kind.particle = { mass = 0.5, dimensions = 2 }
state = [1.0, 1.0]

[[block]]
name = "wire"
kind.formula = "bead.y - bead.x^2"

[[constraint]]
name = "on_wire"
rule.zero = ["wire"]
"#;

fn read(text: &str) -> Result<WorldDescription, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.world.toml");
    std::fs::write(&path, text).unwrap();
    read_world(&path).map(|(description, _)| description).map_err(|error| error.to_string())
}

#[test]
fn the_example_is_read_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/slider-crank.world.toml");
    let (description, _) = read_world(&example).unwrap();
    let path = folder.path().join("again.world.toml");
    write_world(&description, &path).unwrap();
    assert_eq!(read_world(&path).unwrap().0, description);
}

#[test]
fn a_world_that_is_kept_half_way_goes_on_as_one_that_never_stopped() {
    let mut description = read(BEAD).unwrap();
    let mut whole = description.build().unwrap();
    (0..20).for_each(|_| whole.step(0.01).unwrap());
    description.keep_state(&whole).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.world.toml");
    write_world(&description, &path).unwrap();
    let (_, mut half) = read_world(&path).unwrap();
    for _ in 0..20 {
        whole.step(0.01).unwrap();
        half.step(0.01).unwrap();
    }
    let [a, b] = [&whole, &half].map(|world| {
        let bead = world.find_object("bead").unwrap();
        (world.time(), world.state(bead).unwrap().to_vec(), world.velocity(bead).unwrap().to_vec())
    });
    assert_eq!(a, b);
    assert!((a.1[1] - a.1[0] * a.1[0]).abs() < 1e-4, "it stays on the wire: {a:?}");
}

#[test]
fn faults_are_told_with_line_or_part() {
    let spring = |kind: &str, on: &str| {
        format!("{BEAD}\n[[behaviour]]\nname = \"pull\"\nkind.{kind}\non = {on}\n")
    };
    let deep = format!("version = 1\nx = {}1{}\n", "[".repeat(5000), "]".repeat(5000));
    for (text, told) in [
        ("version = 3\n".to_owned(), "version = 3, and this program reads 1"),
        ("settings = 1\n".to_owned(), "missing field `version`"),
        (BEAD.replace("mass", "maas"), "line 8, column 19"),
        (BEAD.replace("kind.particle", "kind.partikle"), "unknown variant `partikle`"),
        (BEAD.replace("0.5", "-0.5"), "object 'bead': mass must be > 0, got -0.5"),
        (BEAD.replace("dimensions = 2", "dimensions = 4"), "dimensions must be 2 or 3, got 4"),
        (BEAD.replace("[1.0, 1.0]", "[1.0]"), "object 'bead': 'bead' takes 2 state(s), got 1"),
        (BEAD.replace("bead.x^2", "bed.x^2"), "block 'wire': column 10: 'bed.x'"),
        (BEAD.replace("[\"wire\"]", "[\"wires\"]"), "constraint 'on_wire': 'wires' is no block"),
        (spring("damper = -1.0", "[\"bead\"]"), "behaviour 'pull': damping must be >= 0, got -1"),
        (
            spring("pull = { target = [0.0], stiffness = 1.0 }", "[\"bead\"]"),
            "behaviour 'pull': 'pull' takes 1 port(s), got 2",
        ),
        (
            spring("spring = { stiffness = inf }", "[\"bead\"]"),
            "behaviour 'pull': stiffness must be >= 0, got inf",
        ),
        (deep, "line 2"),
    ] {
        let error = read(&text).expect_err(told);
        assert!(error.contains(told) && error.contains("a.world.toml"), "{told}: {error}");
    }
}
