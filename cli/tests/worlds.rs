//! `sinew world`: the example against its closed form, a world that goes on from a file, refusals.

use std::path::Path;

use crate::common::{Workshop, stderr};

fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/slider-crank.world.toml");
    path.to_string_lossy().into_owned()
}

/// Heading and rows of a table.
fn table(shop: &Workshop, name: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(shop.path(name)).unwrap();
    let mut lines = text.lines();
    let heading = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let numbers = |line: &str| line.split(',').map(|it| it.parse().unwrap()).collect();
    (heading, lines.map(numbers).collect())
}

#[test]
fn the_slide_is_where_its_crank_says_and_its_pins_hold() {
    let shop = Workshop::new();
    let options = ["--time", "0.5", "--step", "0.005", "--table", "crank.csv", "--every", "0.05"];
    let output = shop.sinew(&[&["world", &example()][..], &options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (heading, rows) = table(&shop, "crank.csv");
    let column = |name: &str| heading.iter().position(|it| it == name).expect(name);
    assert_eq!(rows.len(), 11);
    for row in &rows {
        let at = |name: &str| row[column(name)];
        // A crank of 0.4 m and a rod of 1 m.
        let (s, c) = (0.4 * at("spoke.2"), 0.4 * at("spoke.0"));
        let expected = c + (1.0 - s * s).sqrt();
        assert!((at("slide.x") - expected).abs() < 1e-4, "{} for {expected}", at("slide.x"));
        for k in 0..3 {
            let gap = at(&format!("rim.{k}")) - at(&format!("rod_left.{k}"));
            assert!(gap.abs() < 1e-4, "t = {}: gap {gap}", row[0]);
        }
    }
    let turned = rows[10][column("spoke.2")] - rows[0][column("spoke.2")];
    assert!(turned.abs() > 0.1, "the motor turns it: {turned}");
    assert!(heading.contains(&"rail:multiplier.1".to_owned()), "{heading:?}");
}

#[test]
fn a_world_that_was_saved_goes_on() {
    let shop = Workshop::new();
    let file = example();
    let run = |arguments: &[&str]| {
        let output = shop.sinew(&[&["world"], arguments, &["--step", "0.005"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = run(&[&file, "--time", "0.2"]);
    run(&[&file, "--time", "0.1", "--save", "half.world.toml"]);
    let rest = run(&["half.world.toml", "--time", "0.1"]);
    let states = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(states(&whole), states(&rest));
    assert!(whole.starts_with("time      0.200000 s, 40 steps\n"), "{whole}");
}

#[test]
fn what_cannot_be_read_or_written_ends_with_its_code() {
    let shop = Workshop::new();
    shop.write("bad.world.toml", "version = 1\n[[object]]\nname = 3\n");
    let refused = shop.sinew(&["world", "bad.world.toml"]);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("line 3"), "{}", stderr(&refused));
    let file = example();
    let nowhere = shop.sinew(&["world", &file, "--time", "0.01", "--table", "no/such/folder.csv"]);
    assert_eq!(nowhere.status.code(), Some(5), "{}", stderr(&nowhere));
    let endless = shop.sinew(&["world", &file, "--time", "1", "--step", "1e-300"]);
    assert_eq!(endless.status.code(), Some(2), "{}", stderr(&endless));
    assert!(stderr(&endless).contains("take larger steps"), "{}", stderr(&endless));
}
