//! Meaningless values of files and options: told by the name of the file or the option, with the place and what to do.

use crate::common::{TETRAHEDRON, Workshop, stderr};

/// A particle that falls, of this mass.
fn falling(mass: &str) -> String {
    format!("version = 1\nname = \"fall\"\n[[particle]]\nname = \"bob\"\nmass = {mass}\n")
}

fn assert_told(shop: &Workshop, arguments: &[&str], code: i32, words: &[&str]) {
    let output = shop.sinew(arguments);
    let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} lacks '{word}': {said}");
    }
}

#[test]
fn dates_and_numbers_beyond_any_are_refused_at_their_place() {
    let shop = Workshop::new();
    shop.write("date.toml", &falling("1979-05-27"));
    shop.write("large.toml", &falling("99999999999999999999"));
    assert_told(&shop, &["check", "date.toml"], 3, &["a date is nothing here", "date.toml:5:8"]);
    let words = ["99999999999999999999 is too large a whole number", "large.toml:5:8"];
    assert_told(&shop, &["check", "large.toml"], 3, &words);
}

#[test]
fn a_checkpoint_that_is_short_foreign_or_longer_than_written_is_refused_by_name() {
    let shop = Workshop::new();
    shop.write("fall.toml", &falling("1.0"));
    let run = ["run", "fall.toml", "--step", "0.01", "--quiet", "--frames", "none", "--time"];
    let first = shop.sinew(&[&run[..], &["0.03", "--checkpoint-every", "0.02"]].concat());
    assert!(first.status.success(), "{}", stderr(&first));
    let whole = std::fs::read(shop.path("results/fall/checkpoint.sinew")).unwrap();
    for (name, bytes, fault) in [
        ("short", whole[..10].to_vec(), "it is too short"),
        ("cut", whole[..whole.len() - 1].to_vec(), "its checksum does not fit"),
        ("long", [&whole[..], b"x"].concat(), "its checksum does not fit"),
        ("foreign", b"a letter to the reader ".repeat(10), "it does not begin as one"),
    ] {
        std::fs::write(shop.path(name), bytes).unwrap();
        let resume = [&run[..], &["0.05", "--resume", name]].concat();
        assert_told(&shop, &resume, 3, &[&format!("{name} is no whole checkpoint: {fault}")]);
    }
    assert_eq!(std::fs::read(shop.path("results/fall/checkpoint.sinew")).unwrap(), whole);
}

#[test]
fn what_options_cannot_mean_is_told_by_the_option() {
    let shop = Workshop::new();
    shop.write("tet.vtk", TETRAHEDRON);
    shop.write("fall.toml", &falling("1.0"));
    let fibres = ["fibres", "tet.vtk", "lines.obj", "out.vtk"];
    assert_told(&shop, &fibres, 2, &["out.vtk: not written", ".vtu"]);
    let from = ["fibres", "tet.vtk", "out.vtu", "--from", "tendon", "--to", "x > 0.9"];
    assert_told(&shop, &from, 2, &["no set of nodes and no surface 'tendon'", "'z < 0.01'"]);
    let listen = ["serve", "fall.toml", "--listen", "300.1.1.1:0", "--controls"];
    let listen =
        [&listen[..], &["/models/fall/particles/bob:mass", "--sensors", ":energy"]].concat();
    assert_told(&shop, &listen, 5, &["300.1.1.1:0", "give another --listen HOST:PORT"]);
    assert!(shop.names(".").iter().all(|name| !name.starts_with("out")), "something was written");
}
